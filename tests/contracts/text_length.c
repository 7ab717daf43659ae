// wrong: contract
/*@ ensures \result >= 0 && s[\result] == 0;
  @ ensures \forall integer i; 0 <= i < \result ==> s[i] != 0;
  @*/
int text_length(const char *s) {
  int n = 0;
#ifdef WRONG
  while (s[n] && s[n] != ' ') n++;
#else
  while (s[n]) n++;
#endif
  return n;
}
