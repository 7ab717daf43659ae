// Tiles for a square floor, and for one that is one tile wider.
#include <assert.h>

#define SQUARE(x) x * x

int read_side(void);

int main(void)
{
    int side = read_side();
    if (side < 1 || side > 20)
        return 1;
    int small = SQUARE(side);
    int large = SQUARE(side + 1);
    assert(large > small);
    assert(large - small == 2 * side + 1);
    return 0;
}
