// Prints the largest of some numbers.
#include <stdio.h>

int main(void)
{
    int n, number, largest = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &number);
        if (number > largest)
            largest = number;
    }
    printf("%d\n", largest);
    return 0;
}

/*! test three numbers
3
4 9 2
---
9
*/
