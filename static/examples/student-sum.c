#include <stdio.h>

#define N 5

int main(void) {
    int a[N] = {3, 1, 4, 1, 5};
    int sum = 0;
    int i;

    for (i = 0; i <= N; i++) {
        sum += a[i];
    }
    printf("The sum is %d\n", sum);
    return 0;
}
