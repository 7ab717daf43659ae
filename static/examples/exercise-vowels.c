#include <stdio.h>

int main(void)
{
    int c, vowels = 0;
    while ((c = getchar()) != '\n' && c != EOF) {
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            vowels++;
    }
    printf("%d\n", vowels);
    return 0;
}
