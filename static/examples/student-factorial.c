#include <stdio.h>

int factorial(int n) {
    if (n <= 1)
        return 1;
    return n * factorial(n - 1);
}

int main(void) {
    int n;

    printf("n (0 to 15)? ");
    if (scanf("%d", &n) != 1 || n < 0 || n > 15) {
        printf("That is no number from 0 to 15.\n");
        return 1;
    }
    printf("%d! = %d\n", n, factorial(n));
    return 0;
}
