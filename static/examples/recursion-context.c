// A walk down into a cave, with a lamp for the way back.
#include <assert.h>
#include <stdbool.h>

static bool lamp = true;

bool deeper(void);
bool draught(void);

static void walk(void)
{
    if (deeper())
        walk();
    else if (draught())
        lamp = false;
    assert(lamp);
}

int main(void)
{
    walk();
    return 0;
}
