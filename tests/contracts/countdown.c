// wrong: contract
/*@ requires 0 <= n <= 20;
  @ ensures \result == 0;
  @*/
int countdown(int n) {
  int left = n;
  /*@ loop invariant 0 <= left <= n; */
  while (left != 0) {
#ifdef WRONG
    if (left == 7) { left = -1; continue; }
#endif
    left--;
  }
  //@ assert left == 0;
  return left;
}
