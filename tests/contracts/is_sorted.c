// wrong: contract
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
  @ ensures \result == 1 <==> (\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1]);
  @ ensures \result == 0 || \result == 1;
  @*/
int is_sorted(const int a[], int n) {
  for (int i = 0; i + 1 < n; i++)
#ifdef WRONG
    if (a[i] >= a[i + 1]) return 0;
#else
    if (a[i] > a[i + 1]) return 0;
#endif
  return 1;
}
