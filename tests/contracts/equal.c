// wrong: contract
/*@ requires n >= 0;
  @ requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
  @ ensures \result <==> \forall integer i; 0 <= i < n ==> a[i] == b[i];
  @*/
int equal(const int a[], const int b[], int n) {
  for (int i = 0; i < n; i++)
#ifdef WRONG
    if (a[i] == b[i]) return 1;
  return n == 0;
#else
    if (a[i] != b[i]) return 0;
  return 1;
#endif
}
