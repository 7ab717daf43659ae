#include <stdio.h>
#include <stdlib.h>
int f(int), g(int);
int f(int k) { return k > 0 ? g(k - 1) : 0; }
int g(int k) { int a[3] = {[1] = 2}; return a[k % 3] + f(k); }
int main(void) {
  int n;
  if (scanf("%d", &n) != 1) exit(1);
  printf("%d\n", f(n));
  do { n -= 2; if (n == 5) continue; } while (n > 0);
  goto end;
end:
  return n;
}
