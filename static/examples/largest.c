// The largest of three numbers.
#include <assert.h>

int read_number(void);

int main(void)
{
    int a = read_number(), b = read_number(), c = read_number();
    int largest = a;
    if (b > largest)
        largest = b;
    if (c > a)
        largest = c;
    assert(largest >= a && largest >= b && largest >= c);
    return 0;
}
