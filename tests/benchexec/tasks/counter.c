// Two counters in step, far beyond what can be unrolled.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int condition) { if (!condition) { reach_error(); } }
int main(void) {
  unsigned int limit = __VERIFIER_nondet_uint();
  unsigned int up = 0;
  unsigned int down = 1000000;
  if (limit > 1000000) { return 0; }
  while (up < limit) {
    up = up + 1;
    down = down - 1;
  }
  __VERIFIER_assert(up + down == 1000000);
  return 0;
}
