// Which of three numbers is in the middle?
#include <assert.h>

signed char read_number(void);

static signed char middle(signed char x, signed char y, signed char z)
{
    signed char m = z;
    if (y < z) {
        if (x < y)
            m = y;
        else if (x < z)
            m = y;    /* here x is meant */
    } else {
        if (x > y)
            m = y;
        else if (x > z)
            m = x;
    }
    return m;
}

int main(void)
{
    signed char x = read_number(), y = read_number(), z = read_number();
    signed char m = middle(x, y, z);
    assert(m != y || (x <= y && y <= z) || (z <= y && y <= x));
    return 0;
}
