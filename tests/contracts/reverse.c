// wrong: contract
/*@ requires n >= 0 && \valid(a + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n ==> a[i] == \old(a[n - 1 - i]);
  @*/
void reverse(int a[], int n) {
#ifdef WRONG
  for (int i = 0; i < n; i++) {
#else
  for (int i = 0; i < n / 2; i++) {
#endif
    int t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
}
