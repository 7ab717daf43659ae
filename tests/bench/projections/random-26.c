//! bits = 32
//! globals = any
//! check = none
int nondet(void);
_Bool g0;
void p0(_Bool q0, unsigned q1) {
g0 = (g0 || (!g0));
do {
q1 = ((1 + q1) - (q1 ^ 3u));
}
while (!q0);
q1 = q1;
}
void p1(void) {
_Bool x0[2u];
_Bool x1;
if (!(1 == 2u)) {
while (1 != 3u) {
x0[0] = ((1u != 3u) && (g0 = x1));
}
for (; 0 && x1; ) {
x1 = ((0u | 3u) == (x0[0] ? 3u : 2u));
}
}
if (x0[0] || (g0 || x0[1])) {
x0[1] = nondet();
x1 = (2u <= (2u * 0));
}
else {
if ((x0[1] == x1) && (g0 && x1)) {
}
}
}
unsigned depth;
void down(void) {
if (nondet()) {
down();
depth = (depth + 1);
}
else {
}
}
void main(void) {
depth = 0;
down();
assert(((depth != 2u) || (g0 && 1)));
}
