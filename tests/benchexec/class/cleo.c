#include <stdio.h>

int main(void) {
  int n, x, sum = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) {
    scanf("%d", &x);
    sum += x < 0 ? 0 : x;
  }
  printf("%d\n", sum);
  return 0;
}
