// Puts keys into a table; a place that is taken sends a key to the next one.
#include <assert.h>

#define SIZE 4

static unsigned char table[SIZE];

unsigned char read_key(void);

static void insert(unsigned char key)
{
    int tried = 0;
    int at = key % SIZE;
    while (table[at] != 0) {
        at = (at + 1) % SIZE;
        tried++;
        assert(tried < SIZE);
    }
    table[at] = key;
}

int main(void)
{
    for (int i = 0; i <= SIZE; i++)
        insert(read_key() | 1);
    return 0;
}
