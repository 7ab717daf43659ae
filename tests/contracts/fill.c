// wrong: outside-object
/*@ requires \valid(a + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n ==> a[i] == x;
  @*/
void fill(int a[], int n, int x) {
#ifdef WRONG
  for (int i = 0; i <= n; i++)
#else
  for (int i = 0; i < n; i++)
#endif
    a[i] = x;
}
