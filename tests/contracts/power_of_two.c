// wrong: contract
//! bits = 8
/*@ requires 0 <= k <= 6;
  @ ensures \result > 0 && \result % 2 == (k == 0 ? 1 : 0);
  @ ensures k >= 1 ==> \result >= 2 * k;
  @*/
int power_of_two(int k) {
  int p = 1;
  /*@ loop invariant 0 <= i <= k && p >= 1; */
  for (int i = 0; i < k; i++) {
#ifdef WRONG
    p += 2;
#else
    p *= 2;
#endif
  }
  return p;
}
