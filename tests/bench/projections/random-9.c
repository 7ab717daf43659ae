//! bits = 32
//! globals = zero
//! check = none
int nondet(void);
unsigned g0;
void p0(void) {
int x0 = (nondet() + 2);
if (nondet()) {
g0 = nondet();
switch (g0) {
case 0:
g0 += (nondet() + g0);
default:
g0 = ((!1) ? (7u ^ g0) : (g0 ^ g0));
}
}
else {
for (g0 = 0; g0 <= 7u; g0++) {
g0++;
break;
}
g0++;
}
g0 = nondet();
}
void p1(unsigned q0, unsigned q1) {
_Bool x0 = (g0 >= q1);
switch (q0) {
case 0:
x0 = nondet();
case 1:
break;
case 2:
q1 = nondet();
break;
default:
}
if (nondet()) {
switch (q0) {
case 0:
break;
case 1:
p2();
default:
q1 = ((q1 + g0) % 1u);
}
}
if ((x0 ? q1 : q0) != g0) {
if (nondet()) {
p1((~q0), (7u / 4u));
}
}
else {
x0 = ((q0 - nondet()) > (q0 * q0));
x0 = ((g0 < q0) || (1 || x0));
}
}
void p2(void) {
_Bool x0;
p2();
}
unsigned depth;
void down(void) {
_Bool x0 = (!1);
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
assert((depth != 4u));
}
