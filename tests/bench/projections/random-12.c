//! bits = 32
//! globals = any
int nondet(void);
unsigned g0 = 7u;
void p0(_Bool q0) {
unsigned x0 = (~g0);
if ((-5u) != x0) {
x0 = (7u + (g0 = (g0 | x0)));
}
q0 = (!(1 || nondet()));
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
_Bool x0;
depth = 0;
down();
assert(((depth != 4u) || (depth > 3u)));
}
