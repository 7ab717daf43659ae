/* The workload of `tests/support/reachable_squares.rs` for kernels with an interface in C: the same
 * circuit, order and images. The file that includes this one first gives a type `Function` and
 * functions that return what they made referenced: yes, no, variable, and, or, exclusive_or, not,
 * image (conjunction, abstraction of the old bits and renaming back), same, keep, drop; and
 * begin(bits), relate(relation), nodes(), end(). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_BITS 32

/* A ripple adder modulo 2^bits. `sum` may be `a`. What `a` held is dropped if it is `sum`. */
static void add(Function *sum, Function *a, Function *b, int bits) {
  Function carry = no();
  for (int k = 0; k < bits; k++) {
    Function half = exclusive_or(a[k], b[k]);
    Function bit = exclusive_or(half, carry);
    Function both = and(a[k], b[k]), passed = and(half, carry);
    Function next = or(both, passed);
    drop(half), drop(both), drop(passed), drop(carry);
    carry = next;
    if (sum == a) drop(a[k]);
    sum[k] = bit;
  }
  drop(carry);
}

static Function equals(Function *x, unsigned value, int bits) {
  Function all = yes();
  for (int k = bits - 1; k >= 0; k--) {
    Function literal = value >> k & 1 ? keep(x[k]) : not(x[k]);
    Function more = and(literal, all);
    drop(literal), drop(all);
    all = more;
  }
  return all;
}

static long run(int bits, long *most) {
  Function x[MOST_BITS], y[MOST_BITS], next[MOST_BITS], row[MOST_BITS];
  begin(bits);
  for (int k = 0; k < bits; k++) x[k] = variable(2 * k), y[k] = variable(2 * k + 1), next[k] = no();
  for (int shift = 0; shift < bits; shift++) {
    for (int k = 0; k < bits; k++) row[k] = k < shift ? no() : and(x[shift], x[k - shift]);
    add(next, next, row, bits);
    for (int k = 0; k < bits; k++) drop(row[k]);
  }
  add(next, next, x, bits);
  for (int k = 0; k < bits; k++) row[k] = 13u >> k & 1 ? yes() : no();
  add(next, next, row, bits);
  Function relation = yes();
  for (int k = bits - 1; k >= 0; k--) {
    Function differ = exclusive_or(y[k], next[k]), equal = not(differ);
    Function all = and(equal, relation);
    drop(differ), drop(equal), drop(relation), drop(next[k]);
    relation = all;
  }
  Function zero = equals(x, 0, bits), one = equals(x, 1, bits);
  Function reached = or(zero, one), frontier = keep(reached), nothing = no();
  long images = 0;
  while (!same(frontier, nothing)) {
    Function found = image(relation, frontier), old = not(reached);
    drop(frontier);
    frontier = and(found, old);
    Function all = or(reached, frontier);
    drop(found), drop(old), drop(reached);
    reached = all;
    images++;
  }
  *most = nodes();
  end();
  return images;
}

/* `KERNEL BITS`: two runs in one process, on one line: seconds of processor time of the first and
 * of the second, images, nodes. */
int main(int count, char **arguments) {
  int bits = count == 2 ? atoi(arguments[1]) : 0;
  if (bits < 1 || bits > MOST_BITS) return fprintf(stderr, "usage: %s BITS\n", arguments[0]), 2;
  double seconds[2];
  long images = 0, most = 0;
  for (int k = 0; k < 2; k++) {
    clock_t start = clock();
    images = run(bits, &most);
    seconds[k] = (double)(clock() - start) / CLOCKS_PER_SEC;
  }
  printf("%.6f %.6f %ld %ld\n", seconds[0], seconds[1], images, most);
  return 0;
}
