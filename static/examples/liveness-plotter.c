//! ltl = G (enter(up) -> X (!enter(down) W (enter(up) || enter(right))))
// A plotter that draws skylines: what goes up does not come straight down.
void m(void);

void up(void) {}
void right(void) {}
void down(void) {}

void s(void) {
  if (__VERIFIER_nondet_bool()) {
    return;
  }
  up();
  m();
  down();
}

void m(void) {
  if (__VERIFIER_nondet_bool()) {
    s();
    right();
    if (__VERIFIER_nondet_bool()) {
      m();
    }
  } else {
    up();
    m();
    down();
  }
}

int main(void) {
  s();
  return 0;
}
