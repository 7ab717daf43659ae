// Sorts four bytes.
#include <assert.h>

#define SIZE 4

unsigned char read_byte(void);

int main(void)
{
    unsigned char a[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = read_byte() % 4;

    for (int i = 0; i < SIZE - 1; i++)
        for (int j = 0; j < SIZE - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                unsigned char kept = a[j];
                a[j] = a[j + 1];
                a[j + 1] = kept;
            }

    for (int i = 0; i + 1 < SIZE; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
