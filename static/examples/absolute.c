// |n| is never negative. Or is it?
#include <assert.h>

int read_number(void);

static int absolute(int n)
{
    if (n < 0)
        return -n;
    return n;
}

int main(void)
{
    int n = read_number();
    assert(absolute(n) >= 0);
    return 0;
}
