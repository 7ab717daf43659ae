#include <stdio.h>

#define N 8

int main(void) {
    int a[N] = {2, 3, 5, 7, 11, 13, 17, 19};
    int key, low = 0, high = N, mid;

    printf("Which number? ");
    scanf("%d", &key);
    while (low <= high) {
        mid = (low + high) / 2;
        if (a[mid] == key) {
            printf("%d is at place %d\n", key, mid);
            return 0;
        }
        if (a[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    printf("%d is not there\n", key);
    return 0;
}
