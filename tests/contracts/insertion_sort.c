// wrong: contract
//! array = 3
/*@ requires n >= 0 && \valid(a + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
  @*/
void insertion_sort(int a[], int n) {
  for (int i = 1; i < n; i++) {
    int x = a[i];
    int j = i - 1;
#ifdef WRONG
    while (j > 0 && a[j] > x) {
#else
    while (j >= 0 && a[j] > x) {
#endif
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
}
