//! bits = 32
//! globals = zero
int nondet(void);
_Bool g0 = 0;
unsigned p0(void) {
_Bool x0 = g0;
if (nondet()) {
if (p0() == (1 * 6u)) {
x0 = (x0 == (1 || g0));
}
}
if (nondet() == 7u) {
g0 = ((7u == 5u) && (x0 || g0));
p1();
}
if (nondet()) {
if (p0() == (nondet() - 3)) {
x0 = (7u <= (6u + 2));
}
}
return (1 + 5u) | (3 + 3u);
}
void p1(void) {
unsigned x0 = 5u;
unsigned x1 = (x0 | 5u);
g0 = nondet();
p1();
while (0 || g0) {
switch (x0) {
case 0:
g0 = (!(!1));
case 2:
x1--;
}
}
if ((!0) == (2 >= x1)) {
g0 = ((!g0) ? (g0 = (nondet() >= 0)) : (0 && g0));
}
else {
g0 = ((x1 & x0) != (0 ? x1 : x0));
}
}
unsigned depth;
void down(void) {
unsigned x0;
if (nondet()) {
down();
depth = (depth + 1);
}
else {
}
}
void main(void) {
_Bool x0 = g0;
depth = 0;
down();
assert(((depth != 5u) || (depth > 4u)));
x0 = g0;
}
