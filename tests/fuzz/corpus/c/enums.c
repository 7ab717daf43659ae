#include <assert.h>
enum E { A, B = 3, C } e = A;
typedef enum { X = -1, Y } F;
int main(void) {
  F f = X;
  switch (e) {
  case A: e = B; break;
  case 4: e--;
  default: f = Y;
  }
  assert(e != C || f < 0);
  return 0;
}
