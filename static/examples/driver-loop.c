// A driver that lets go of its lock only while a request is under way.
#include <assert.h>

int request(void);

int main(void)
{
    int locked = 0;
    int old, new = 0;
    do {
        assert(locked == 0);
        locked = 1;
        old = new;
        if (request()) {
            assert(locked == 1);
            locked = 0;
            new = new + 1;
        }
    } while (new != old);
    assert(locked == 1);
    return 0;
}
