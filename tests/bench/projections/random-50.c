//! bits = 32
//! globals = zero
int nondet(void);
_Bool g0 = 1;
_Bool g1;
_Bool p0(void) {
int x0 = 1;
int x1;
if (nondet()) {
g0 = p0();
}
x1 = (x1 >> 1);
while (!1) {
if (nondet()) {
g0 = p0();
}
x1 = x0;
}
p2((g0 != g1), (g0 && g1));
return (x1 + x0) == (0 + x0);
}
_Bool p1(_Bool q0) {
q0 = ((g0 = (1 && q0)) && (q0 || g0));
if (nondet()) {
p1((g0 || g1));
}
return !0;
}
void p2(_Bool q0, _Bool q1) {
q1 = p0();
}
unsigned depth;
void down(void) {
int x0 = (nondet() / 1);
if (nondet()) {
depth = (depth + 1);
down();
}
else {
assert(((depth != 2u) || g0));
}
}
void main(void) {
depth = 0;
down();
}
