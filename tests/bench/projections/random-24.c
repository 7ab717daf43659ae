//! bits = 32
//! globals = any
int nondet(void);
unsigned g0;
unsigned g1;
_Bool p0(void) {
_Bool x0 = (!1);
if (nondet()) {
p0();
}
g0 = 1;
x0 = ((x0 && x0) == nondet());
return x0;
}
_Bool p1(unsigned q0) {
_Bool x0 = 0;
unsigned x1 = q0;
x0 = (g1 < (g1 + 0));
x0 = x0;
switch (x1) {
case 0:
__VERIFIER_assume(((x0 && 0) || (x0 || 1)));
case 1:
x0 = ((q0 / 2u) != x1);
case 2u:
g0 = ((x1 - g0) + nondet());
default:
if ((nondet() != x0) || (x0 != 1)) {
x0 = x0;
x0 = ((x0 == 1) || (!x0));
}
}
return (g1 | q0) == (-x1);
}
unsigned depth;
void down(void) {
unsigned x0 = (~g0);
x0 = ((0 | x0) ^ (nondet() ? x0 : g0));
if (nondet()) {
depth = (depth + 1);
down();
}
else {
assert(((depth != 2u) || (depth > 1u)));
}
}
void main(void) {
depth = 0;
if (nondet()) {
g0 = ((nondet() && 0) ? (0 | 3u) : (g1 << 2u));
}
down();
g0 = ((g0 - g1) & (~g0));
}
