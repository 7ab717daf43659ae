// wrong: contract
//! bits = 5
/*@ requires a > 0 && b > 0;
  @ ensures \result > 0;
  @ ensures a % \result == 0 && b % \result == 0;
  @ ensures \forall integer d; \result < d <= a ==> a % d != 0 || b % d != 0;
  @*/
int gcd(int a, int b) {
  while (b != 0) {
    int t = a % b;
    a = b;
    b = t;
  }
#ifdef WRONG
  return 1;
#else
  return a;
#endif
}
