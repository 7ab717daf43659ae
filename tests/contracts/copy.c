// wrong: contract
/*@ requires n >= 0;
  @ requires \valid(to + (0 .. n-1)) && \valid_read(from + (0 .. n-1));
  @ ensures \forall integer i; 0 <= i < n ==> to[i] == from[i];
  @*/
void copy(int *to, const int *from, int n) {
#ifdef WRONG
  for (int i = 0; i < n - 1; i++)
#else
  for (int i = 0; i < n; i++)
#endif
    to[i] = from[i];
}
