//! bits = 32
//! globals = any
//! check = none
int nondet(void);
_Bool g0;
unsigned a[2u];
void p0(_Bool q0) {
_Bool x0 = q0;
int x1 = 1;
if (g0 || nondet()) {
return;
}
if (nondet()) {
p0((0 != a[0]));
}
}
unsigned depth;
void down(void) {
_Bool x0 = (g0 != 1);
if (nondet()) {
depth = (depth + 1);
down();
x0 = ((x0 || g0) || (0 != x0));
}
else {
x0 = ((x0 || g0) && (g0 || x0));
assert(((depth != 3u) || (g0 || 0)));
}
}
void main(void) {
depth = 0;
down();
a[1] = ((a[1] - a[0]) % 1u);
}
