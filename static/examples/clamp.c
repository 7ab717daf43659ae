// Keeps a value between two bounds.
#include <assert.h>

int read_number(void);

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

int main(void)
{
    int low = read_number();
    int high = read_number();
    if (low > high)
        return 1;
    int kept = clamp(read_number(), low, high);
    assert(low <= kept && kept <= high);
    return 0;
}
