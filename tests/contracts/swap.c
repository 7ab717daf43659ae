// wrong: contract
/*@ requires \valid(a) && \valid(b);
  @ ensures *a == \old(*b) && *b == \old(*a);
  @*/
void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
#ifdef WRONG
  *b = *a;
#else
  *b = t;
#endif
}
