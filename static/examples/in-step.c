// What one side gets, the other gets.
#include <assert.h>

int more(void);

int main(void)
{
    int left = 0, right = 0;
    while (more()) {
        left = left + 1;
        right = right + 1;
    }
    assert(left == right);
    return 0;
}
