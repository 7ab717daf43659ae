// The same search, careful: first the bound, then the element.
#include <assert.h>

#define SIZE 4

int read_number(void);

int main(void)
{
    int shelf[SIZE] = { 3, 14, 15, 92 };
    int key = read_number();
    int i = 0;

    while (i < SIZE && shelf[i] != key)
        i++;
    assert(i == SIZE || shelf[i] == key);
    return 0;
}
