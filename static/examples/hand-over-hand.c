// Two locks: take the next, drop the last.
#include <assert.h>
#include <stdbool.h>

bool go_on(void);

static bool held[2];

static void acquire(int lock)
{
    assert(!held[lock]);
    held[lock] = true;
}

static void release(int lock)
{
    assert(held[lock]);
    held[lock] = false;
}

int main(void)
{
    int mine = 0;
    acquire(mine);
    while (go_on()) {
        acquire(1 - mine);
        release(mine);
        mine = 1 - mine;
        assert(held[0] != held[1]);
    }
    release(mine);
    assert(!held[0] && !held[1]);
    return 0;
}
