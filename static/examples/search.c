// Where is the key? It must be somewhere.
#include <stdio.h>

#define SIZE 4

int read_number(void);

int main(void)
{
    int shelf[SIZE] = { 3, 14, 15, 92 };
    int key = read_number();
    int i = 0;
    while (shelf[i] != key)
        i++;
    printf("%d is at place %d\n", key, i);
    return 0;
}
