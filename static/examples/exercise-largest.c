#include <stdio.h>

int main(void)
{
    int n, largest = 0;
    scanf("%d", &n);

    printf("%d\n", largest);
    return 0;
}
