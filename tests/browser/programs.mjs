// Programs that more than one test uses.

/** Fails in two steps down from main. `skip` on line 9 is innocent. */
export const failing = `int x = 0;
bool ready = false;

void main() {
  x = 2;
  if (*)
    ready = true;
  if (ready)
    skip;
  else
    use(x);
}

void use(int n) {
  assert(n != 2);
}
`;

export const safe = `int x = 0;
void main() {
  while (*)
    x = 1 - x;
  assert(x == 0 || x == 1);
}
`;

/**
 * Many small steps: the states of a long walk that no formula sums up, found one after the other.
 */
export const walk = `//! bits = 32
unsigned int i = 1;
void main() {
  while (i != 0)
    i = (5 * i) ^ (i >> 3);
  assert(false);
}
`;

/** A walk that is much longer still. */
export const wander = `//! bits = 32
unsigned int i = 1, j = 1;
void main() {
  while (i != 0) {
    i = (5 * i) ^ (i >> 3) ^ j;
    j = (3 * j) ^ (j >> 5) ^ (i << 7);
  }
  assert(false);
}
`;

/** One operation that would take minutes: the product of two wide integers. */
export const product = `//! bits = 32
unsigned int x, y;
void main() {
  unsigned int z = x * y;
  assert(z * z != 1234567);
}
`;

/** A straight program of so many statements, one on each line. */
export function long(lines) {
  return `int x = 0;\nvoid main() {\n${"  x = x + 1;\n".repeat(lines)}  assert(x == ${lines % 8});\n}\n`;
}
