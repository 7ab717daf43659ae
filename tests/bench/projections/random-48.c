//! bits = 32
//! globals = zero
//! check = none
int nondet(void);
unsigned g0 = 1;
_Bool g1;
void p0(_Bool q0) {
g1 = nondet();
q0 = nondet();
for (g0 = 0; nondet(); g0++) {
while (nondet()) {
p2((g0 + 3u));
g1 = (0 || (q0 || g1));
}
q0 = (g0 == (g0 - 3u));
}
}
void p1(_Bool q0) {
_Bool x0 = (1 == g0);
assert(((!g1) || x0));
x0 = x0;
}
unsigned p2(unsigned q0) {
__VERIFIER_assume(((~g0) <= (q0 & 3u)));
while (nondet()) {
if (g1 || 0) {
return nondet() ? g0 : q0;
}
g0 = nondet();
}
if (nondet()) {
g1 = ((2u > q0) && g1);
}
return g0 + (~q0);
}
void main(void) {
_Bool x0;
if ((0 == g1) && (g1 != 0)) {
for (g0 = 0; nondet() != x0; g0++) {
g0 = (g0 | (1 ^ g0));
}
}
else {
(x0 = g1), (x0 = (!x0));
}
p0((x0 || 1));
p0((g1 && 0));
g0++;
if (!(g1 && 0)) {
if (g1 || x0) {
x0 = ((nondet() || x0) || x0);
g1 = (!(!1));
}
}
else {
g0++;
switch (g0) {
case 0:
x0 = (g0 >= (g0 | g0));
break;
case 1:
x0 = ((x0 ? g0 : g0) <= (-g0));
break;
case 2u:
g0 = p2(g0);
break;
default:
x0 = (!(x0 && g1));
}
}
g0 = p2(g0);
x0 = (0u <= (g0 >> 1));
g0 = (x0 ? g0 : g0);
assert((g0 == (x0 ? g0 : g0)));
}
