// Says whether a year has 366 days.
#include <stdio.h>

int main(void)
{
    int year;
    scanf("%d", &year);
    if (year % 4 == 0 || year % 400 == 0)
        printf("leap year\n");
    else
        printf("no leap year\n");
    return 0;
}

/*! test the Olympic Games
2024
---
leap year
*/
/*! test the year after
2025
---
no leap year
*/
/*! test the millennium
2000
---
leap year
*/
