#include <stdio.h>

int main(void)
{
    int n, turned = 0;
    scanf("%d", &n);

    printf("%d\n", turned);
    return 0;
}
