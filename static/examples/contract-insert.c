// Puts x into a sorted array that has room for it.
//! array = 3
/*@ requires n >= 0 && \valid(a + (0 .. n));
  @ requires \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i+1];
  @ ensures \forall integer i; 0 <= i < n ==> a[i] <= a[i+1];
  @*/
void insert(int a[], int n, int x)
{
    int i = n;
    while (i > 1 && a[i-1] > x) {
        a[i] = a[i-1];
        i--;
    }
    a[i] = x;
}
