// wrong: contract
//! array = 3
/*@ requires n > 0 && \valid(a + (0 .. n-1));
  @ ensures 0 <= \result < n;
  @ ensures \forall integer i; 0 <= i < \result ==> a[i] <= a[\result];
  @ ensures \forall integer i; \result < i < n ==> a[i] > a[\result];
  @*/
int partition(int a[], int n) {
  int pivot = a[n - 1];
  int k = 0;
  for (int i = 0; i < n - 1; i++) {
#ifdef WRONG
    if (a[i] >= pivot) {
#else
    if (a[i] <= pivot) {
#endif
      int t = a[i];
      a[i] = a[k];
      a[k] = t;
      k++;
    }
  }
  a[n - 1] = a[k];
  a[k] = pivot;
  return k;
}
