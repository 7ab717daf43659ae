// wrong: contract
int counter = 5;
/*@ requires 0 <= by <= 1000;
  @ requires -1000000 < counter < 1000000;
  @ ensures counter == \old(counter) + by;
  @ ensures \result == \old(counter);
  @*/
int increment(int by) {
  int before = counter;
#ifdef WRONG
  counter += 1;
#else
  counter += by;
#endif
  return before;
}
