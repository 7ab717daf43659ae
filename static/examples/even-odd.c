// Is a number even? Ask whether the one below is odd.
#include <assert.h>
#include <stdbool.h>

unsigned char read_number(void);

static bool odd(unsigned char n);

static bool even(unsigned char n)
{
    return n == 0 ? true : odd(n - 1);
}

static bool odd(unsigned char n)
{
    return n == 0 ? false : even(n - 1);
}

int main(void)
{
    unsigned char n = read_number();
    bool answer = even(n);
    assert(answer == (n % 2 == 0));
    return 0;
}
