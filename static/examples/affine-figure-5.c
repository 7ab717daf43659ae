// A program with the property of Fig. 5: two ways lead to one place, and on both x2 = x1 + 1 is
// restored. No test of the program mentions how x1 and x2 hang together.
int x1, x2;
int nondet(void);

int main(void) {
  x1 = nondet();
  x2 = x1 + 1;
  while (nondet()) {
    if (nondet()) {
      x1 = x1 + 1;
      x2 = x2 + 1;
    } else {
      x1 = x2;
      x2 = x2 + 1;
    }
  }
  assert(x2 == x1 + 1);
  return 0;
}
