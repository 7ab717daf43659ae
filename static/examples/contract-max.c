// The largest element of an array, with a contract and no main: it starts alone.
//! array = 3
/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n ==> \result >= a[i];
  @ ensures \exists integer i; 0 <= i < n && \result == a[i];
  @*/
int largest(const int a[], int n)
{
    int max = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > max)
            max = a[i];
    return max;
}
