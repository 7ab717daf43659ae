#include <stdbool.h>
#include <assert.h>
static const unsigned char c = 200;
unsigned long long u = 1;
short s;
bool b;
int main(void) {
  s = c << 2;
  u = u * s ^ ~0;
  b = !s || u >> 3;
  for (int i = 0, j = 3; i < j; i++, j--) s += sizeof(int);
  assert(b && (char) s != 3);
  return 0;
}
