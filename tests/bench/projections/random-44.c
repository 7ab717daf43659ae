//! bits = 32
//! globals = zero
int nondet(void);
unsigned g0;
_Bool g1;
_Bool p0(void) {
int x0 = (nondet() + 0);
_Bool x1 = (2u != nondet());
g0 = g0;
x1 = ((3u < 2u) == (g0 <= g0));
return !(nondet() <= g0);
}
unsigned depth;
void down(void) {
__VERIFIER_assume(((g0 | 0) <= (g0 - g0)));
if (nondet()) {
down();
depth = (depth + 1);
}
else {
}
}
void main(void) {
_Bool x0 = (0 || g1);
depth = 0;
for (g0 = 0; nondet(); g0++) {
g1 = (g0 == (x0 ? g0 : g0));
}
down();
assert(((depth != 2u) || (nondet() && g1)));
__VERIFIER_assume(((1 ^ 2u) == 1));
}
