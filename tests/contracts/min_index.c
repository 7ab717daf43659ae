// wrong: contract
/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
  @ ensures 0 <= \result < n;
  @ ensures \forall integer i; 0 <= i < n ==> a[\result] <= a[i];
  @ ensures \forall integer i; 0 <= i < \result ==> a[\result] < a[i];
  @*/
int min_index(const int a[], int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
#ifdef WRONG
    if (a[i] <= a[best]) best = i;
#else
    if (a[i] < a[best]) best = i;
#endif
  return best;
}
