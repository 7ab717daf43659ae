// Nobody answers: the loop waits for a flag that stays as it is.
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool flag = __VERIFIER_nondet_bool();
  int rounds = 0;
  while (!flag) { rounds = (rounds + 1) % 4; }
  return rounds;
}
