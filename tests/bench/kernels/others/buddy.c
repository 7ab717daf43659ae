/* BuDDy 2.4: `cc -O3 others/buddy.c -lbdd`. */
#include <bdd.h>

typedef BDD Function;

/* Room for the nodes of 16 bits without a collection, as OxiDD has it. */
#define NODES (1 << 21)
#define CACHE (1 << 19)

static Function quantified;
static bddPair *back;

static Function keep(Function f) { return bdd_addref(f); }
static void drop(Function f) { bdd_delref(f); }
static Function yes(void) { return bdd_true(); }
static Function no(void) { return bdd_false(); }
static Function variable(int k) { return bdd_ithvar(k); }
static Function and(Function f, Function g) { return keep(bdd_and(f, g)); }
static Function or(Function f, Function g) { return keep(bdd_or(f, g)); }
static Function exclusive_or(Function f, Function g) { return keep(bdd_xor(f, g)); }
static Function not(Function f) { return keep(bdd_not(f)); }
static int same(Function f, Function g) { return f == g; }
static long nodes(void) { return bdd_getnodenum(); }

static Function image(Function relation, Function frontier) {
  Function found = keep(bdd_appex(relation, frontier, bddop_and, quantified));
  Function renamed = keep(bdd_replace(found, back));
  drop(found);
  return renamed;
}

static void begin(int bits) {
  bdd_init(NODES, CACHE);
  bdd_gbc_hook(NULL);
  bdd_setvarnum(2 * bits);
  int old[32];
  back = bdd_newpair();
  for (int k = 0; k < bits; k++) {
    old[k] = 2 * k;
    bdd_setpair(back, 2 * k + 1, 2 * k);
  }
  quantified = keep(bdd_makeset(old, bits));
}

static void end(void) { bdd_done(); }

#include "workload.h"
