//! bits = 32
//! globals = zero
int nondet(void);
int g0;
int g1;
void p0(_Bool q0, int q1) {
_Bool x0 = (!q0);
_Bool x1 = nondet();
if ((q0 ? q1 : q1) != (-q1)) {
q1 = p1();
g1 = ((1 | q1) & q1);
}
else {
_Bool y0;
}
g1 = ((q1 << 1) - g1);
}
int p1(void) {
int x0 = g0;
(x0 = (0 ? 0 : 0)), (x0 = (x0 | g0));
g0 = ((x0 << 0) | g0);
return g1;
}
_Bool p2(int q0) {
assert(((g1 != q0) || (!(nondet() || 0))));
if ((g0 < g1) != (q0 <= 1)) {
g0 = (g1 ^ (~q0));
}
return 0;
}
void main(void) {
for (g1 = 0; nondet(); g1++) {
p0((!1), (0 + g1));
switch (g1) {
case 0:
g1 ^= g1;
break;
default:
}
}
switch (g0) {
case 0:
break;
case 1:
switch (g0) {
case 0:
p0((g1 >= 0), (~g0));
case 1:
}
break;
default:
}
p0((1 >= g0), (1 + g0));
g0 = (g1 | g0);
assert((g0 == (g1 | g0)));
}
