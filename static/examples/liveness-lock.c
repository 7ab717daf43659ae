//! ltl = G (locked -> F !locked)
// Whenever the lock is taken, it is given back some time. Is it?
int locked;

void lock(void) { locked = 1; }
void unlock(void) { locked = 0; }

void handle_request(void) {
  lock();
  if (!__VERIFIER_nondet_bool()) {
    return; // a request that cannot be read
  }
  unlock();
}

int main(void) {
  while (1) {
    handle_request();
  }
}
