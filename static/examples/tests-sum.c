// Reads how many numbers follow, and prints their sum.
#include <stdio.h>

int main(void)
{
    int n, number, sum = 0;
    scanf("%d", &n);
    for (int i = 1; i < n; i++) {
        scanf("%d", &number);
        sum = sum + number;
    }
    printf("%d\n", sum);
    return 0;
}

/*! test three numbers
3
10 20 30
---
60
*/
/*! test one number
1
5
---
5
*/
/*! test no number
0
---
0
*/
