// wrong: contract
/*@ requires \valid(a) && \valid(b);
  @ ensures *a <= *b;
  @ ensures (*a == \old(*a) && *b == \old(*b)) || (*a == \old(*b) && *b == \old(*a));
  @*/
void order(int *a, int *b) {
  if (*a > *b) {
    int t = *a;
    *a = *b;
#ifdef WRONG
    *b = t + 1;
#else
    *b = t;
#endif
  }
}
