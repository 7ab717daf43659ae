//! bits = 32
//! globals = zero
int nondet(void);
_Bool g0;
unsigned g1;
_Bool m[2u][2u];
void p0(_Bool q0) {
_Bool x0 = (!m[(g1 < 1u) ? g1 : 0][(g1 < 1u) ? g1 : 0]);
_Bool x1 = (nondet() || x0);
if (nondet()) {
p0((nondet() > g1));
}
}
void p1(unsigned q0, _Bool q1) {
_Bool x0 = (q0 < 2u);
_Bool x1[2u];
x0 = nondet();
if (nondet()) {
p1(q0, q1);
}
q0 = (q0 ^ (q0 - 1));
unsigned y0 = (q0 - 3u);
}
_Bool p2(_Bool q0, _Bool q1) {
if (nondet()) {
p1((0u ^ g1), (q1 && q0));
}
if (m[(g1 < 1u) ? g1 : 0][1] || (0 >= g1)) {
g0 = p2(g0, (1 != q1));
}
else {
if (nondet()) {
p2((1 || g0), q1);
}
if (nondet()) {
p1(g1, (!q0));
}
}
return m[(g1 < 1u) ? g1 : 0][0];
}
unsigned depth;
void down(void) {
int x0 = (nondet() - 1);
if (nondet()) {
depth = (depth + 1);
down();
}
else {
g1 = (-g1);
assert((depth != 3u));
}
}
void main(void) {
depth = 0;
down();
}
