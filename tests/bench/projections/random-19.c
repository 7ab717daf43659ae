//! bits = 32
//! globals = any
int nondet(void);
unsigned g0;
unsigned p0(unsigned q0, unsigned q1) {
_Bool x0 = (q1 > q0);
_Bool x1 = (x0 && 0);
x0 = x0;
return q1 ^ (q0 + g0);
}
void p1(unsigned q0) {
switch (q0) {
case 0:
g0 = ((!0) ? 1 : (g0 / 1u));
break;
case 1:
if ((nondet() || 1) && (!1)) {
g0 = (q0 << 3u);
}
else {
g0 ^= (g0 - q0);
q0 = ((nondet() != 0) ? (q0 = (q0 / 1)) : (g0 + q0));
}
break;
case 2u:
switch (q0) {
case 0:
q0 = ((q0 / 2u) * (g0 - q0));
case 1:
break;
case 2u:
q0 = (-g0);
default:
q0 = nondet();
}
default:
}
if (!(3u > g0)) {
}
else {
do {
q0 = (g0 - (-0));
}
while (nondet() || 1);
}
if (nondet()) {
q0 = p0((g0 ^ nondet()), (g0 | q0));
}
}
unsigned p2(_Bool q0) {
switch (g0) {
case 0:
if ((q0 == 0) || (q0 || nondet())) {
g0 = nondet();
}
break;
case 1:
g0 = ((g0 * g0) * (~g0));
break;
default:
q0 = (g0 >= (g0 & g0));
}
while (nondet()) {
g0 += (g0 * g0);
}
if (nondet()) {
p1(nondet());
}
if (!q0) {
for (g0 = 0; nondet(); g0++) {
g0 = ((g0 ^ 1) + (g0 - 2u));
if (nondet()) {
g0 = p2((!q0));
}
}
while (g0 < 2u) {
q0 = q0;
}
}
else {
q0 = ((1u == g0) && (!1));
}
return (g0 != nondet()) ? g0 : (g0 ^ 2u);
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
while (g0 < 2u) {
break;
}
down();
assert(((depth != 2u) || (g0 == g0)));
}
