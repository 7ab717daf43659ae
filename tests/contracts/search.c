// wrong: contract
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
  @ ensures -1 <= \result < n;
  @ ensures \result >= 0 ==> a[\result] == x;
  @ ensures \result == -1 ==> \forall integer i; 0 <= i < n ==> a[i] != x;
  @*/
int search(const int *a, int n, int x) {
#ifdef WRONG
  for (int i = 1; i < n; i++)
#else
  for (int i = 0; i < n; i++)
#endif
    if (a[i] == x) return i;
  return -1;
}
