//! bits = 32
//! globals = zero
int nondet(void);
unsigned g0 = 1u;
void p0(void) {
_Bool x0 = (nondet() && 0);
(x0 = x0), (x0 = (x0 || x0));
g0 = ((1u + g0) & (g0 * g0));
x0 = ((x0 && x0) || (x0 && 1));
while (x0 || x0) {
g0 = (g0 + (x0 ? g0 : g0));
}
}
void p1(_Bool q0) {
_Bool x0 = (3u < g0);
_Bool x1 = (g0 <= 3u);
p2((q0 && x1), (g0 / 1u));
if ((q0 && x1) && (3u != nondet())) {
g0 = ((g0 << 2u) * 0);
}
}
_Bool p2(_Bool q0, unsigned q1) {
q1 = (q1 | 1);
q1--;
return 0 && q0;
}
unsigned depth;
void down(void) {
_Bool x0 = 0;
if (nondet()) {
depth = (depth + 1);
down();
}
else {
assert(((depth != 2u) || (!1)));
}
}
void main(void) {
_Bool x0 = (0 == g0);
depth = 0;
x0 = ((x0 && nondet()) && (1 && x0));
down();
}
