//! bits = 32
//! globals = zero
int nondet(void);
unsigned g0;
_Bool g1;
_Bool p0(void) {
unsigned x0;
g1 = ((g1 && 1) && (nondet() || 1));
g0 = ((g1 ? x0 : x0) + (g0 + x0));
__VERIFIER_assume(((x0 + x0) < (x0 << 2u)));
return (~x0) > (x0 + 1);
}
unsigned p1(_Bool q0) {
_Bool x0 = (nondet() > g0);
g1 = ((q0 = 1) && (!1));
if (nondet()) {
x0 = p0();
}
switch (g0) {
case 1:
g0 = nondet();
break;
default:
q0 = ((-g0) != g0);
}
g0 = g0;
return (g0 & g0) | (g0 * g0);
}
void p2(void) {
g1 = ((g0 + 1u) >= g0);
g0 = ((1u & g0) * (g0 & 1));
}
unsigned depth;
void down(void) {
if (nondet()) {
down();
depth = (depth + 1);
}
else {
if ((!g1) || g1) {
g1 = ((g0 + nondet()) >= (g0 - 1));
}
else {
g1 = ((nondet() && g1) && (1 && g1));
}
}
}
void main(void) {
depth = 0;
if (p0() && g1) {
g1 = g1;
}
down();
assert(((depth != 3u) || (depth > 2u)));
}
