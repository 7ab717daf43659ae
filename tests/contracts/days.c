// wrong: contract
/*@ requires 1 <= month <= 12;
  @ ensures 28 <= \result <= 31;
  @*/
int days(int month, int leap) {
  switch (month) {
    case 2: return leap ? 29 : 28;
#ifdef WRONG
    case 4: case 6: case 9: return 30;
    case 11: return 20;
#else
    case 4: case 6: case 9: case 11: return 30;
#endif
    default: return 31;
  }
}
