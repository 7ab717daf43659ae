// wrong: contract
/*@ requires by != 0;
  @ requires n >= 0 && by > 0;
  @ ensures \result <= n;
  @*/
static int part(int n, int by) {
  return n / by;
}

int caller(int n) {
  if (n < 0) return 0;
#ifdef WRONG
  return part(n, n - 3);
#else
  return part(n, 3);
#endif
}
