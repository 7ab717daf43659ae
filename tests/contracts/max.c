// wrong: contract
/*@ requires n > 0;
  @ requires \valid_read(a + (0 .. n-1));
  @ assigns \nothing;
  @ ensures \forall integer i; 0 <= i < n ==> \result >= a[i];
  @ ensures \exists integer i; 0 <= i < n && \result == a[i];
  @*/
int max(const int a[], int n) {
  int m = a[0];
  /*@ loop invariant 1 <= i <= n;
    @ loop invariant \forall integer k; 0 <= k < i ==> m >= a[k];
    @*/
  for (int i = 1; i < n; i++)
#ifdef WRONG
    if (a[i] < m) m = a[i];
#else
    if (a[i] > m) m = a[i];
#endif
  return m;
}
