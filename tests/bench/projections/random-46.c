//! bits = 32
//! globals = zero
int nondet(void);
int g0 = 1;
int g1 = 1;
void p0(int q0, _Bool q1) {
for (g1 = 0; q1; g1++) {
q1 = ((q1 && q1) || (q1 || 0));
}
q0 &= (0 + q0);
if (nondet()) {
p0(q0, q1);
}
q1 = nondet();
}
_Bool p1(void) {
if (nondet()) {
p1();
}
return 0;
}
int p2(int q0, _Bool q1) {
unsigned x0 = (2u | 0);
if (nondet()) {
if (p1() && q1) {
q0 = ((q0 + g0) + 0);
}
}
return (g0 + g1) ^ 1;
}
void down(unsigned n) {
int x0 = (0 + nondet());
if (n == 0) {
assert((x0 != 1));
}
else {
down((n - 1));
}
}
void main(void) {
down(3u);
g0 = (g1 - (1 - g0));
}
