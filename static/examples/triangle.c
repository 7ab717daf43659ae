// How many sides of a triangle are equal: none, two or all three?
#include <assert.h>

unsigned char read_side(void);

int main(void)
{
    unsigned char a = read_side(), b = read_side(), c = read_side();
    int equal = 0;
    if (a == b || b == c)
        equal = 2;
    if (a == b && b == c)
        equal = 3;
    assert((a != b && b != c && a != c) == (equal == 0));
    return 0;
}
