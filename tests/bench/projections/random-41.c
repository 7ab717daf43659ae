//! bits = 32
//! globals = any
int nondet(void);
_Bool g0;
_Bool g1;
void p0(_Bool q0, _Bool q1) {
_Bool x0 = (g0 && q1);
unsigned x1;
if ((!g0) || (3u >= x1)) {
__VERIFIER_assume(x0);
__VERIFIER_assume(((g0 && g1) && (2u > x1)));
}
else {
do {
x1--;
if (nondet()) {
p0((g1 && x0), (g1 && 0));
}
}
while (1u != x1);
}
q0 = nondet();
if (nondet()) {
x1 = ((2u - x1) & (x1 >> 3u));
}
else {
switch (x1) {
case 0:
__VERIFIER_assume(((x1 != 2u) && q0));
break;
case 1:
q0 = x0;
break;
case 2u:
assert(((q1 || 0) == (g1 != g0)));
break;
}
if ((q0 != g0) || (!g0)) {
x1--;
}
}
(x1 = (x1 ^ 1)), (x1 = (x1 | 2u));
}
void main(void) {
_Bool x0 = (g0 || nondet());
unsigned x1;
x1 = ((x1 + 1) - (nondet() + x1));
if (x0) {
_Bool y0 = (nondet() > 3u);
switch (x1) {
case 0:
g1 = y0;
case 1:
g1 = 0;
default:
x1 = ((0 ? x1 : x1) + (x1 + 1));
}
}
while (g1) {
break;
p0(g0, (x0 && g1));
}
_Bool y1;
p0((x1 >= 0u), (!g1));
(x0 = y1), (y1 = (x0 && 0));
assert((y1 || ((x1 + 0u) != x1)));
}
