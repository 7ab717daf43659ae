// wrong: contract
/*@ requires n >= 1 && \valid(a + (0 .. n-1));
  @ ensures a[n - 1] == \old(a[0]);
  @ ensures \forall integer i; 0 <= i < n - 1 ==> a[i] == \old(a[i + 1]);
  @*/
void rotate(int a[], int n) {
  int first = a[0];
#ifdef WRONG
  for (int i = n - 1; i > 0; i--)
    a[i - 1] = a[i];
#else
  for (int i = 1; i < n; i++)
    a[i - 1] = a[i];
#endif
  a[n - 1] = first;
}
