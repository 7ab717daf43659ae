/* CUDD 3.0.0: `cc -O3 others/cudd.c -lcudd -lm`. */
#include <stddef.h>
#include <stdio.h>
#include <cudd.h>

typedef DdNode *Function;

static DdManager *dd;
static Function quantified;
static int back[64];

static Function keep(Function f) { return Cudd_Ref(f), f; }
static void drop(Function f) { Cudd_RecursiveDeref(dd, f); }
static Function yes(void) { return keep(Cudd_ReadOne(dd)); }
static Function no(void) { return keep(Cudd_ReadLogicZero(dd)); }
static Function variable(int k) { return keep(Cudd_bddIthVar(dd, k)); }
static Function and(Function f, Function g) { return keep(Cudd_bddAnd(dd, f, g)); }
static Function or(Function f, Function g) { return keep(Cudd_bddOr(dd, f, g)); }
static Function exclusive_or(Function f, Function g) { return keep(Cudd_bddXor(dd, f, g)); }
static Function not(Function f) { return keep(Cudd_Not(f)); }
static int same(Function f, Function g) { return f == g; }
static long nodes(void) { return Cudd_ReadPeakLiveNodeCount(dd); }

static Function image(Function relation, Function frontier) {
  Function found = keep(Cudd_bddAndAbstract(dd, relation, frontier, quantified));
  Function renamed = keep(Cudd_bddPermute(dd, found, back));
  drop(found);
  return renamed;
}

/* The sizes of its manual's first example, which grow by themselves. No reordering. */
static void begin(int bits) {
  dd = Cudd_Init(2 * bits, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, 0);
  quantified = yes();
  for (int k = bits - 1; k >= 0; k--) {
    Function all = and(Cudd_bddIthVar(dd, 2 * k), quantified);
    drop(quantified);
    quantified = all;
  }
  for (int k = 0; k < 2 * bits; k++) back[k] = k & ~1;
}

static void end(void) { Cudd_Quit(dd); }

#include "workload.h"
