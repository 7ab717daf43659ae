//! bits = 32
//! globals = any
int nondet(void);
_Bool g0;
int g1;
int p0(int q0) {
_Bool x0 = 1;
int x1 = (q0 ^ 1);
x1 = ((x1 * q0) + (q0++));
x0 = 1;
if (nondet()) {
x1 += (nondet() - x1);
x0 = (x0 && (x0 = (!x0)));
}
else {
x0 = ((0 || x0) || x0);
}
return q0;
}
void p1(_Bool q0) {
int x0[2u];
if (nondet()) {
x0[0] = p0((x0[((g1 >= 0) && (g1 < 1)) ? g1 : 0] - x0[1]));
}
x0[1] = ((g1 - x0[((g1 >= 0) && (g1 < 1)) ? g1 : 0]) ^ (1 | x0[((g1 >= 0) && (g1 < 1)) ? g1 : 0]));
g0 = ((x0[1] == g1) == (g0 != nondet()));
}
_Bool p2(_Bool q0) {
if (nondet()) {
do {
g1 = (-g1);
}
while (1 && g0);
if (nondet()) {
p1((!q0));
}
}
else {
if (nondet()) {
g1 = ((nondet() * g1) ^ (0 ^ g1));
g0 = (!(0 == g1));
}
else {
g1 = ((0 | g1) + (g1 >> 1));
if (nondet()) {
if (p2((0 || g0)) && (1 >= g1)) {
g1 = 1;
}
}
}
}
if (g0 != (!q0)) {
if (!g0) {
g0 = (q0 && (g1 >= 1));
}
else {
g1 = g1;
g1 = ((1 ^ g1) - (g1 & 0));
}
g1 = (g1 << 1);
}
return !(g1 != nondet());
}
unsigned depth;
void down(void) {
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
down();
g0 = ((0 - g1) == (-g1));
}
