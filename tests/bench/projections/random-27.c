//! bits = 32
//! globals = zero
//! check = none
int nondet(void);
_Bool g0 = 0;
unsigned g1;
unsigned p0(_Bool q0) {
g1 = ((g0 ? g1 : g1) + (g1 = (0 - g1)));
if (nondet()) {
while (nondet() && 1) {
continue;
}
}
return g1;
}
unsigned depth;
void down(void) {
g1 = nondet();
if (nondet()) {
depth = (depth + 1);
down();
g1 = p0((0 && nondet()));
}
else {
assert(((depth != 3u) || (nondet() > g1)));
}
}
void main(void) {
_Bool x0 = (g1 == g1);
depth = 0;
down();
do {
unsigned y0;
break;
}
while (x0);
}
