// wrong: contract
/*@ requires low <= high;
  @ ensures low <= \result <= high;
  @ ensures low <= x <= high ==> \result == x;
  @*/
int clamp(int x, int low, int high) {
  if (x < low) return low;
#ifdef WRONG
  if (x > low) return high;
#else
  if (x > high) return high;
#endif
  return x;
}
