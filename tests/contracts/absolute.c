// wrong: contract
/*@ requires x > -2147483648;
  @ ensures \result >= 0;
  @ ensures \result == x || \result == -x;
  @*/
int absolute(int x) {
#ifdef WRONG
  return x < 10 ? x : -x;
#else
  return x < 0 ? -x : x;
#endif
}
