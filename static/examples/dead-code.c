// A default that nobody reaches.
#include <assert.h>

int read_number(void);

int main(void)
{
    int kind = 0;
    switch (read_number() & 3) {
    case 0: kind = 10; break;
    case 1: kind = 20; break;
    case 2: kind = 30; break;
    case 3: kind = 40; break;
    default:
        kind = -1;
    }
    assert(kind > 0);
    return 0;
}
