// wrong: contract
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
  @ requires \forall integer i; 0 <= i < n ==> 0 <= a[i] <= 7;
  @ ensures 0 <= \result <= 7 * n;
  @*/
int sum(const int a[], int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
#ifdef WRONG
    total += a[i] + 1;
#else
    total += a[i];
#endif
  return total;
}
