// A door lock: after three wrong codes it must stay shut.
#include <assert.h>
#include <stdbool.h>

#define MOST 3

int read_code(void);

int main(void)
{
    int asked = 0;
    bool open = false;
    for (int i = 0; i <= MOST && !open; i++) {
        asked++;
        if (read_code() == 7)
            open = true;
    }
    assert(asked <= MOST);
    return 0;
}
