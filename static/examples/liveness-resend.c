//! terminates
//! fair
// A channel loses messages. The sender sends again until the answer comes.
int arrived;

void send(void) {
  if (__VERIFIER_nondet_bool()) {
    arrived = 1;
  }
}

int main(void) {
  while (!arrived) {
    send();
  }
}
