#include <assert.h>
struct P { int x, y; } p = {1, 2};
struct Q { struct P p[2]; int k; } q;
int sum(struct P a) { return a.x + a.y; }
int main(void) {
  struct Q l = {{p, p}, 3};
  q = l;
  struct Q *r = &q;
  assert(sum(q.p[0]) == l.k && r->k > p.x);
  return 0;
}
