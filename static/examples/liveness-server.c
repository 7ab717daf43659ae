//! ltl = G (waiting -> F !waiting)
// Urgent requests are served first. Whoever waits in the other queue is served some time. Really?
int urgent;
int waiting;

void arrive(void) {
  if (__VERIFIER_nondet_bool()) {
    urgent = 1;
  }
  if (__VERIFIER_nondet_bool()) {
    waiting = 1;
  }
}

void serve(void) {
  if (urgent) {
    urgent = 0;
  } else {
    waiting = 0;
  }
}

int main(void) {
  while (1) {
    arrive();
    serve();
  }
}
