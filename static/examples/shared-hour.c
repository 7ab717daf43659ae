// An hour, shared among those who come.
#include <stdio.h>

int someone_comes(void);

int main(void)
{
    int guests = 0;
    while (someone_comes() && guests < 12)
        guests++;
    printf("%d minutes each\n", 60 / guests);
    return 0;
}
