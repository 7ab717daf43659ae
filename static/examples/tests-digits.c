// Counts the digits of a number.
#include <stdio.h>

int main(void)
{
    int n, digits = 0;
    scanf("%d", &n);
    do {
        digits = digits % 10 + 1;
        n = n / 10;
    } while (n >= 0);
    printf("%d\n", digits);
    return 0;
}

/*! test four digits
2024
---
4
*/
/*! test one digit
7
---
1
*/
