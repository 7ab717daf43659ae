#include <stdio.h>

#define ROWS 2
#define COLUMNS 3

int main(void) {
    int m[ROWS][COLUMNS] = {{1, 2, 3}, {4, 5, 6}};
    int sum = 0;

    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < ROWS; j++) {
            sum += m[i][j];
        }
    }
    printf("The sum is %d\n", sum);
    return 0;
}
