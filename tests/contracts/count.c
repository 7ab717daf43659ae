// wrong: contract
/*@ requires \valid_read(a + (0 .. n-1)) && n >= 0;
  @ ensures 0 <= \result <= n;
  @ ensures \result == 0 <==> \forall integer i; 0 <= i < n ==> a[i] != x;
  @ ensures \result == n <==> (\forall integer i; 0 <= i < n ==> a[i] == x);
  @*/
int count(const int a[], int n, int x) {
  int found = 0;
  for (int i = 0; i < n; i++)
#ifdef WRONG
    if (a[i] >= x) found++;
#else
    if (a[i] == x) found++;
#endif
  return found;
}
