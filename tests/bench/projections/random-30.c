//! bits = 32
//! globals = any
int nondet(void);
_Bool g0 = 0;
_Bool g1 = 0;
void p0(int q0, int q1) {
int x0 = (nondet() & q1);
int x1 = (q1 + q0);
p2((0 == q0), q1);
}
void p1(void) {
_Bool x0 = (nondet() != 0);
x0 = ((g1 = (nondet() != 1)) && (x0 != g1));
do {
if (!(nondet() == 1)) {
x0 = ((g1 && g0) || (!g0));
}
else {
}
if (nondet()) {
x0 = (g1 && (g1 || 1));
g0 = ((nondet() - 1) <= (nondet() - 0));
}
}
while (nondet());
g1 = ((1 && g1) || (nondet() != 1));
}
void p2(_Bool q0, int q1) {
int x0 = q1;
_Bool x1 = (1 && g0);
if (!(0 || g0)) {
q1 = x0;
}
else {
if (nondet()) {
p2((q1 == 1), q1);
}
if (nondet()) {
p2((x0 > q1), (x0 + x0));
}
}
if (!(1 == nondet())) {
if ((q0 || 0) || x1) {
x1 = 1;
}
else {
q1 = (q0 ? (q1 + 0) : (nondet() | q1));
x1 = ((1 || q0) != g0);
}
q1 = ((x0 - 1) + 1);
}
else {
if ((q1 % 1) == (x0 & 1)) {
x0 = ((q1 - 1) | (nondet() + 0));
__VERIFIER_assume(((!g1) || (q0 || 1)));
}
}
}
unsigned depth;
void down(void) {
int x0 = (-1);
while (g0 || 0) {
g0 = ((!0) && (g0 != g1));
g0 = ((0 + x0) > (~x0));
}
if (nondet()) {
depth = (depth + 1);
down();
}
else {
assert((depth != 3u));
}
}
void main(void) {
depth = 0;
down();
}
