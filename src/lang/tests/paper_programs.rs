//! The sequential examples of the papers load.

use super::dump::{dump, program};

const PROGRAMS: [(&str, &str); 9] = [
    (
        "localize Fig. 1",
        "bool L = false; void main() { assert(!L); L = true;
if (*)
  { assert(L); L = false; }
else skip;
assert(!L); L = true;
if (*)
  { assert(L); L = false; }
else skip;
assert(!L); }",
    ),
    (
        "localize Fig. 8",
        "int g; int main() { int status;
if (*) {
  foo();
  status = 1;
} else status = foo();
assert(status == g); return status; }
int foo() { if (*) {
  g = 1; return g; }
  else { g = 0; return g; } }",
    ),
    (
        "localize Fig. 9",
        "int cnt = 0; void main() { bool status;
status = foo();
baz();
skip;
if (!status)
  bar();
skip;
assert(cnt <= 1); }
void baz() { if (*)
  bar(); }
void bar() { cnt++; } bool foo() { if (*) return true; return false; }",
    ),
    (
        "localize Fig. 10",
        "int cnt = 0; void main() { bool status;
status = taz();
skip;
if (status)
  bar();
skip;
assert(cnt == 1); }
bool taz() { if (*)
  return true;
  else { skip;
  return false; } }
void bar() { cnt++; }",
    ),
    (
        "cegar Fig. 4.2",
        "int X, Y, a; void main() { X = X * (X + 1);
if (a == 0)
  Y = 2;
else while (Y % 2 != 0)
  Y = Y + 1;
X = X + Y;
if (X % 2 != 0) { error: skip; } }",
    ),
    (
        "cegar Fig. 6.3",
        "int i, j, g; void main() { i = 0; j = g;
while (i != g) { if (i + j != g) { error: skip; } else { i = i + 1; j = j - 1; } }
if (j != 0) { ERROR: skip; } }",
    ),
    (
        "error_projection Table 1",
        "int arr[3]; int f(int i); int complex(int i); int foo(int i) {
assert(i > 0);
i = complex(i);
return i; }
int bar(int len) {
int r = 0;
switch (f(len)) {
case 3: r += foo(arr[2]);
case 2: r += foo(arr[1]);
case 1: r += foo(arr[0]);
} return r; }
int main() {
arr[0]=1; arr[1]=-1; arr[2]=-2; bar(3); }",
    ),
    (
        "error_projection Fig. 1",
        "bool b; void p() { n: skip; }
void main() { if (*) { b = false; p(); assume(b); }
else if (*) { b = true; p(); assume(!b); }
error: skip; }",
    ),
    (
        "localize Fig. 1, the variant of section 4",
        "bool L = false; void main() { if (*) skip; else skip;
assert(!L); L = true;
if (*) { assert(L); L = false; } else skip;
assert(!L); L = true;
if (*) { assert(L); L = false; } else skip;
assert(!L); }",
    ),
];

#[test]
fn they_load() {
    for (name, source) in PROGRAMS {
        let program = program(source);
        assert!(!dump(&program).is_empty(), "{name}");
        if std::env::var("SHOW").is_ok() {
            println!("{name}\n{}", dump(&program).join("\n"));
        }
    }
}
