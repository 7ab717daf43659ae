// Swaps two numbers by exclusive or, as puzzle books show it.
#include <assert.h>

int read_number(void);

static void swap(int *a, int *b)
{
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}

int main(void)
{
    int x = read_number(), y = read_number();
    int old_x = x, old_y = y;
    swap(&x, &y);
    assert(x == old_y && y == old_x);

    swap(&x, &x);
    assert(x == old_y);
    return 0;
}
