// Binary search in four sorted numbers.
#include <assert.h>

#define SIZE 4

signed char read_number(void);

static signed char a[SIZE];

static int find(signed char key)
{
    int low = 0, high = SIZE;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    a[0] = read_number();
    for (int i = 1; i < SIZE; i++) {
        a[i] = read_number();
        if (a[i] < a[i - 1])
            return 1;
    }
    signed char key = read_number();
    int at = find(key);
    if (at >= 0)
        assert(a[at] == key);
    return 0;
}
