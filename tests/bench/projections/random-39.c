//! bits = 32
//! globals = any
int nondet(void);
unsigned g0;
_Bool m[2][2];
_Bool p0(unsigned q0, unsigned q1) {
if (nondet()) {
m[0][(g0 < 1u) ? g0 : 0] = p0(g0, (-q0));
}
return (q1 != q0) && (2 != q0);
}
unsigned depth;
void down(void) {
if (nondet()) {
depth = (depth + 1);
down();
while (m[1][0]) {
g0 = (g0 & (g0 + nondet()));
m[(g0 < 1u) ? g0 : 0][1] = ((m[0][(g0 < 1u) ? g0 : 0] || m[(g0 < 1u) ? g0 : 0][0]) ? p0((g0 >> 2), (0u * g0)) : (m[(g0 < 1u) ? g0 : 0][1] || m[(g0 < 1u) ? g0 : 0][(g0 < 1u) ? g0 : 0]));
}
}
else {
assert((depth != 6u));
}
}
void main(void) {
unsigned x0 = (2 | g0);
depth = 0;
m[0][1] = nondet();
down();
}
