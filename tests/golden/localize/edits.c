#include <assert.h>
#include <stdbool.h>
#define LIMIT 3
int nondet(void);
int table[4];
int ready(void) { return 1; }
int main(void) {
  int n = nondet(), sum = 0;
  bool open = n >= 2;
  for (int i = 0; i < LIMIT; i++) {
    if (!open && (n < 1 || table[i] == 1)) sum += table[i] * n;
    else sum = -sum;
  }
  while (!(open)) { sum--; }
  open = open ? sum == n : ready() <= 0;
  table[n & 3] = ready();
  assert(sum != n || open);
  return 0;
}
