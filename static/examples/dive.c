// Goes down as often as it likes, and fails on the way back up.
#include <assert.h>
#include <stdbool.h>

bool coin_found(void);
bool deeper(void);

static bool even = true;
static unsigned char kept;

static void dive(void)
{
    bool coin = coin_found();
    even = !even;
    if (deeper())
        dive();
    if (coin && kept < 4)
        kept++;
    assert(kept != 3 || even);
}

int main(void)
{
    dive();
    return 0;
}
