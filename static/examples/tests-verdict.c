// Says whether a number divides another one.
#include <stdio.h>

int main(void)
{
    int divisor, number;
    scanf("%d %d", &divisor, &number);
    if (divisor != 0 && number % divisor == 0)
        printf("yes\n");
    else
        printf("No\n");
    return 0;
}

/*! test it does
3 12
---
Yes
*/
/*! test it does not
5 12
---
No
*/
/*! test zero divides nothing
0 4
---
No
*/
