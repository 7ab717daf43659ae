// A lock is taken and released in turn, however often the loop goes round.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int held = 0;
void acquire(void) { if (held) { reach_error(); } held = 1; }
void release(void) { if (!held) { reach_error(); } held = 0; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    acquire();
    if (__VERIFIER_nondet_int()) { release(); acquire(); }
    release();
  }
  return 0;
}
