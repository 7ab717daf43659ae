// On one path the buffer is forgotten.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *buffer = malloc(sizeof(int));
  if (!buffer) { return 0; }
  *buffer = __VERIFIER_nondet_int();
  if (*buffer > 0) { buffer = 0; }
  free(buffer);
  return 0;
}
