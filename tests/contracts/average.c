// wrong: overflow
int average(int a, int b) {
#ifdef WRONG
  return (a + b) / 2;
#else
  return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
#endif
}
