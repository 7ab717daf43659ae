//! bits = 5
//! terminates
// Euclid's algorithm, for all pairs of numbers at once.
unsigned gcd(unsigned a, unsigned b) {
  if (b == 0) {
    return a;
  }
  return gcd(b, a % b);
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = __VERIFIER_nondet_uint();
  unsigned z = gcd(x, y);
  return 0;
}
