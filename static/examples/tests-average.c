// Prints the average of two marks with two decimals.
#include <stdio.h>

int main(void)
{
    int first, second;
    scanf("%d %d", &first, &second);
    double average = (first + second) / 2;
    printf("%.2f\n", average);
    return 0;
}

/*! test two and four
2 4
---
3.00
*/
/*! test one and two
1 2
---
1.50
*/
