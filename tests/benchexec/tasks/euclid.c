// The greatest common divisor by subtraction.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (a == 0 || b == 0) { return 0; }
  while (a != b) {
    if (a > b) { a = a - b; } else { b = b - a; }
  }
  return a;
}
