// A sum that may reach its limit.
#include <assert.h>

int more(void);

int main(void)  //! bits = 8
{
    int n = 0;
    int noise = 0;
    while (more()) {
        if (n < 3)
            n = n + 1;
        noise = noise + n;
    }
    assert(n < 3);
    return noise;
}
