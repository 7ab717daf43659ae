// wrong: contract
//! array = 3
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
  @ requires \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
  @ ensures -1 <= \result < n;
  @ ensures \result >= 0 ==> a[\result] == x;
  @ ensures \result == -1 ==> \forall integer i; 0 <= i < n ==> a[i] != x;
  @*/
int binary_search(const int a[], int n, int x) {
  int low = 0, high = n - 1;
#ifdef WRONG
  while (low < high) {
#else
  while (low <= high) {
#endif
    int middle = low + (high - low) / 2;
    if (a[middle] == x) return middle;
    if (a[middle] < x) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
