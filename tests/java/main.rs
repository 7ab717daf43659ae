//! Java: each feature in a small program, once so that no run fails and once so that one does. The
//! verdicts are those of the language's specification.
#![allow(missing_docs)]

mod random;
mod students;

use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::report::Verdict;

/// The verdict of a program; what is wrong, if it is not read.
pub(crate) fn verdict(source: &str) -> Result<Verdict, String> {
    verdict_within(source, 40_000_000)
}

/// The same within so many steps of the kernel.
pub(crate) fn verdict_within(source: &str, max_steps: u64) -> Result<Verdict, String> {
    let requested =
        RequestedOptions { dialect: Some(Dialect::Java), ..RequestedOptions::default() };
    let (mut session, diagnostics) = Session::load(source, &requested);
    if session.program().is_none() {
        let list: Vec<String> =
            diagnostics.iter().map(|d| format!("line {}: {}", d.span.line, d.message)).collect();
        return Err(list.join("\n"));
    }
    let budgets = Budgets { max_nodes: 4_000_000, max_steps, ..Budgets::default() };
    session.use_portfolio(&requested);
    session.start(Task::Check, budgets);
    while !session.step() {}
    Ok(match session.outcome() {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe => Verdict::Unsafe,
        Outcome::Unknown(_) | Outcome::Fault => Verdict::Unknown,
    })
}

/// The statements of a `main`, with what stands beside it.
fn program(beside: &str, main: &str) -> String {
    format!(
        "import java.util.Random;\npublic class Main {{\n  public static void main(String[] args) {{\n    Random random = new Random();\n{main}\n  }}\n}}\n{beside}\n"
    )
}

/// Each condition holds where it is asserted, and its negation does not.
fn holds(beside: &str, before: &str, condition: &str) {
    for (negation, expected) in [("", Verdict::Safe), ("!", Verdict::Unsafe)] {
        let source = program(beside, &format!("{before}\n    assert {negation}({condition});"));
        assert_eq!(verdict(&source), Ok(expected), "{source}");
    }
}

fn fails(beside: &str, main: &str) {
    let source = program(beside, main);
    assert_eq!(verdict(&source), Ok(Verdict::Unsafe), "{source}");
}

fn passes(beside: &str, main: &str) {
    let source = program(beside, main);
    assert_eq!(verdict(&source), Ok(Verdict::Safe), "{source}");
}

fn refused(source: &str, word: &str) {
    let found = verdict(source);
    assert!(matches!(&found, Err(text) if text.contains(word)), "{found:?}: {source}");
}

#[test]
fn numbers() {
    holds("", "int x = Integer.MAX_VALUE;", "x + 1 == Integer.MIN_VALUE && x + 1 < x");
    holds("", "int x = Integer.MIN_VALUE, y = -1;", "x / y == x && x % y == 0 && -x == x");
    holds("", "int x = -7;", "x / 2 == -3 && x % 2 == -1 && x >> 1 == -4 && x >>> 28 == 15");
    holds("", "int x = 1;", "x << 33 == 2 && (1L << 33) == 8589934592L && 5 >> 32 == 5");
    holds("", "byte b = (byte) 200; char c = (char) -1;", "b == -56 && c == 65535");
    holds("", "byte b = 127; b++; short s = 1; s += 70000;", "b == -128 && s == 4465");
    holds("", "char c = 'a'; c += 1; int d = c + 1;", "c == 'b' && d == 99");
    holds("", "long x = 1L << 40; int y = (int) (x + 3);", "y == 3 && x > 0xFFFFFFFFL");
    holds("", "int x = random.nextInt();", "(x & 1) == 0 || (x | 1) == x && (x ^ x) == ~-1");
    holds("", "boolean a = random.nextBoolean();", "(a ^ true) != a && (a | !a) && !(a & !a)");
    holds("", "int n = random.nextInt(10);", "0 <= n && n < 10");
}

#[test]
fn order_of_evaluation() {
    holds("", "int i = 1; int j = i++ + i * 2 + i--;", "i == 1 && j == 7");
    holds("", "int[] a = new int[3]; int i = 0; a[i] = i = 2;", "a[0] == 2 && a[2] == 0 && i == 2");
    holds(
        "class C { static int n; static int next() { n = n + 1; return n; } }",
        "int x = C.n + C.next() * 10 + C.n * 100;",
        "x == 110",
    );
    holds(
        "class C { static int n; static boolean yes() { n++; return true; } }",
        "boolean b = false && C.yes() || true || C.yes(); int m = b ? 5 : C.n++;",
        "C.n == 0 && m == 5",
    );
    holds("", "int x = 5; x += x++ * 2 + x;", "x == 21");
}

#[test]
fn loops_and_jumps() {
    holds("", "int s = 0; for (int i = 0, j = 9; i < j; i++, j--) s += i;", "s == 10");
    holds(
        "",
        "int s = 0; outer: for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (j == 2) continue outer; if (i == 3) break outer; s += 10 * i + j; } }",
        "s == 63",
    );
    holds("", "int s = 0; do { s++; if (s == 2) continue; } while (s < 3);", "s == 3");
    holds("", "int s = 0; block: { s = 1; if (s == 1) break block; s = 2; }", "s == 1");
    holds(
        "",
        "int s = 0; for (int k = 0; k < 4; k++) { switch (k) { case 0: s += 1; case 1: s += 10; break; default: s += 100; break; case 3: continue; } s += 1000; }",
        "s == 3121",
    );
    holds(
        "",
        "int s = 0; int k = 2; switch (k) { case 1, 2 -> s = 7; default -> s = 8; }",
        "s == 7",
    );
    holds(
        "",
        "int s = 0; for (int x : new int[] {1, 2, 3}) { if (x == 2) continue; s += x; }",
        "s == 4",
    );
    holds(
        "",
        "int n = random.nextInt(); int s = 0; while (n > 0 && s < 5) { n -= 1; s++; }",
        "s <= 5",
    );
}

#[test]
fn recursion_without_a_bound() {
    let even = "class P { static boolean even(int n) { return n == 0 || odd(n - 1); } static boolean odd(int n) { return n != 0 && even(n - 1); } }";
    passes(even, "boolean b = P.even(random.nextInt()); assert b || !b;");
    let down = "class P { static int down(int n) { if (n <= 0) return 0; return down(n - 1); } }";
    holds(down, "int n = random.nextInt();", "P.down(n) == 0");
}

#[test]
fn arrays() {
    holds("", "int[] a = {3, 4}; int[] b = a; b[1] = 9;", "a[1] == 9 && a.length == 2 && a == b");
    holds(
        "",
        "int[][] m = new int[2][3]; m[1][2] = 5;",
        "m[0][2] == 0 && m[1][2] == 5 && m[1].length == 3",
    );
    holds("", "boolean[] b = new boolean[2]; long[] l = {1L};", "!b[1] && l[0] == 1");
    fails("", "int[] a = new int[2]; int i = random.nextInt(3); a[i] = 1;");
    passes("", "int[] a = new int[3]; int i = random.nextInt(3); a[i] = 1;");
    fails("", "int[] a = new int[2]; a[-1]++;");
    fails("", "int n = random.nextInt(); int[] a = new int[n];");
    passes(
        "",
        "int n = random.nextInt(3); int[] a = new int[n]; for (int i = 0; i < a.length; i++) a[i] = i;",
    );
    fails("", "int[] a = null; int n = a.length;");
    fails("", "int[][] m = new int[2][]; m[0][0] = 1;");
}

const SHAPES: &str = "interface Shape { int area(); default int twice() { return 2 * area(); } }
abstract class Named implements Shape { int id; Named(int id) { this.id = id; } abstract int corners(); }
class Square extends Named { int side; Square(int side) { super(4); this.side = side; } public int area() { return side * side; } int corners() { return 4; } }
class Dot extends Named { Dot() { super(0); } public int area() { return 0; } int corners() { return 0; } public int twice() { return -1; } }";

#[test]
fn classes() {
    holds(SHAPES, "Shape s = new Square(3);", "s.area() == 9 && s.twice() == 18");
    holds(
        SHAPES,
        "Named s = random.nextBoolean() ? new Square(2) : new Dot();",
        "s.corners() == s.id && (s instanceof Square) == (s.area() == 4)",
    );
    holds(
        SHAPES,
        "Shape s = new Dot(); Named n = (Named) s;",
        "n.twice() == -1 && s instanceof Dot",
    );
    fails(SHAPES, "Shape s = new Dot(); Square n = (Square) s;");
    passes(
        SHAPES,
        "Shape s = null; Square n = (Square) s; assert n == null && !(s instanceof Dot);",
    );
    fails(SHAPES, "Shape s = random.nextBoolean() ? new Dot() : null; s.area();");
    holds(
        "class A { int x = 1; int y = x + 1; { y *= 10; } A() { y++; } int get() { return x; } }
class B extends A { int x = 5; int get() { return super.get() + x; } }",
        "B b = new B(); A a = b;",
        "b.y == 21 && a.x == 1 && b.x == 5 && a.get() == 6",
    );
    holds(
        "class A { int v; A next; A(int v) { this(v, null); } A(int v, A next) { this.v = v; this.next = next; } }",
        "A list = new A(2, new A(1));",
        "list.next.v == 1 && list.next.next == null && list != list.next",
    );
    fails("class A { A next; }", "A a = new A(); a.next.next = a;");
    holds(
        "class C { static int f(int x) { return 1; } static int f(long x) { return 2; } static int f(Object x) { return 3; } static int f(int... x) { return 4 + x.length; } }",
        "byte b = 1;",
        "C.f(b) == 1 && C.f(1L) == 2 && C.f(1, 2) == 6 && C.f(new C()) == 3",
    );
}

#[test]
fn inner_classes() {
    holds(
        "class Outer { int n = 3; class Inner { int m = 4; int sum() { return n + m; } } Inner make() { return new Inner(); } static class Nested { int k = 5; } }",
        "Outer o = new Outer(); Outer.Inner i = o.make(); o.n = 10; Outer.Nested d = new Outer.Nested();",
        "i.sum() == 14 && d.k == 5",
    );
    holds(
        "interface F { int of(int x); }",
        "int k = 3; F f = x -> x * k; F g = new F() { int calls = 0; public int of(int x) { calls++; return x + k + calls; } };",
        "f.of(5) == 15 && g.of(1) == 5 && g.of(1) == 6",
    );
}

#[test]
fn enumerations() {
    holds(
        "enum Color { RED, GREEN, BLUE }",
        "Color c = Color.values()[1]; int s = 0; switch (c) { case RED: s = 1; break; case GREEN: s = 2; }",
        "c == Color.GREEN && s == 2 && Color.BLUE.ordinal() == 2 && Color.values().length == 3",
    );
    holds(
        "enum Planet { A(1), B(5); final int mass; int used; Planet(int m) { mass = m; } int twice() { used++; return 2 * mass; } }",
        "int t = Planet.B.twice() + Planet.A.twice();",
        "t == 12 && Planet.B.used == 1",
    );
    fails(
        "enum Color { RED }",
        "Color c = random.nextBoolean() ? Color.RED : null; switch (c) { case RED: }",
    );
}

#[test]
fn static_initialisers() {
    holds(
        "class A { static int x = B.y + 1; } class B { static int y = 5; static { y = y * 2; } }",
        "int z = A.x;",
        "z == 11 && B.y == 10",
    );
    holds(
        "class L { static int n = 0; } class S { static int v; static { L.n += 1; v = L.n; } }",
        "L.n = 7; int w = S.v; w = S.v;",
        "w == 8 && L.n == 8",
    );
}

const EXCEPTIONS: &str = "class Low extends Exception { } class High extends Low { }
class T { static int f(int x) throws Low { if (x == 1) throw new High(); if (x == 2) throw new Low(); return x; } }";

#[test]
fn exceptions() {
    for (x, expected) in [(0, 0), (1, 10), (2, 20)] {
        holds(
            EXCEPTIONS,
            &format!(
                "int r; try {{ r = T.f({x}); }} catch (High e) {{ r = 10; }} catch (Low e) {{ r = 20; }}"
            ),
            &format!("r == {expected}"),
        );
    }
    holds(
        "",
        "int r = 0; try { int[] a = new int[1]; a[1] = 3; r = 1; } catch (ArrayIndexOutOfBoundsException e) { r = 2; }",
        "r == 2",
    );
    holds("", "int r = 0; try { r = 1 / r; } catch (RuntimeException e) { r = 3; }", "r == 3");
    holds(
        "class A { int v; }",
        "int r = 0; A a = null; try { r = a.v; } catch (NullPointerException e) { r = 4; }",
        "r == 4",
    );
    holds(
        "",
        "int r = 0; try { int[] a = new int[-1]; } catch (NegativeArraySizeException e) { r = 5; }",
        "r == 5",
    );
    holds(
        SHAPES,
        "int r = 0; Shape s = new Dot(); try { Square q = (Square) s; new Square(1); } catch (ClassCastException e) { r = 6; }",
        "r == 6",
    );
    fails("", "throw new IllegalStateException(\"no\");");
    fails(EXCEPTIONS, "try { T.f(2); } catch (High e) { }");
    passes(EXCEPTIONS, "try { T.f(1); } catch (High e) { }");
    fails("", "int x = random.nextInt(); int y = 1 / x;");
}

#[test]
fn what_runs_in_any_case() {
    let f = "class F { static int log; static int f(int k) { try { if (k == 0) return 1; if (k == 1) throw new RuntimeException(); log += 1; } catch (RuntimeException e) { log += 10; return 2; } finally { log += 100; } return 3; }
static int g() { for (int i = 0; ; i++) { try { if (i == 2) break; continue; } finally { log += 1000; } } return log; }
static int h() { try { throw new RuntimeException(); } finally { return 9; } } }";
    holds(f, "", "F.f(0) == 1 && F.log == 100");
    holds(f, "", "F.f(1) == 2 && F.log == 110");
    holds(f, "", "F.f(2) == 3 && F.log == 101");
    holds(f, "", "F.g() == 3000");
    holds(f, "", "F.h() == 9");
    fails(f, "try { throw new RuntimeException(); } finally { F.log = 1; }");
}

#[test]
fn texts() {
    holds(
        "",
        "String s = \"a\"; String t = \"a\"; String n = null;",
        "s == t && s != n && \"b\" != s",
    );
    passes(
        "class A { int n; public String toString() { n++; return \"A\" + n; } }",
        "A a = new A(); System.out.println(\"x\" + a + 3); assert a.n == 1;",
    );
    fails(
        "class A { public String toString() { throw new RuntimeException(); } }",
        "System.out.println(new A());",
    );
}

#[test]
fn inputs() {
    fails("", "int n = args.length; assert n < 100;");
    passes("", "int n = args.length; assert n >= 0;");
    fails("", "int n = Integer.parseInt(args[0]); ");
    let verifier = "public class Main { public static void main(String[] a) { int x = org.sosy_lab.sv_benchmarks.Verifier.nondetInt(); org.sosy_lab.sv_benchmarks.Verifier.assume(x > 3); assert x > 2; } }";
    assert_eq!(verdict(verifier), Ok(Verdict::Safe));
    passes("", "System.exit(1); assert false;");
}

#[test]
fn another_start() {
    let source = "//! start = A.check\nclass A { static void check(int x) { assert x * 2 != 7; } static void other(int x) { assert x != 7; } }";
    assert_eq!(verdict(source), Ok(Verdict::Safe));
    assert_eq!(verdict(&source.replace("A.check", "A.other")), Ok(Verdict::Unsafe));
}

#[test]
fn several_files() {
    let source = "// File: Main.java\nimport other.Help;\npublic class Main { public static void main(String[] a) { assert Help.two() == 2; } }\n// File: Help.java\npackage other;\npublic class Help { public static int two() { return 2; } }\n";
    assert_eq!(verdict(source), Ok(Verdict::Safe));
}

#[test]
fn what_is_not_read_is_named() {
    for (main, word) in [
        ("StringBuilder b = new StringBuilder();", "`StringBuilder`"),
        ("String s = \"a\"; int n = s.length();", "`String.length`"),
        ("Object o = 3;", "a number as an object"),
        ("int x = (int) 1.5;", "floating point"),
        ("Thread t = null;", "`Thread`"),
        ("int x = y;", "`y`"),
        ("boolean b = 1;", "`boolean`"),
        ("int x = 1; int x = 2;", "twice"),
        ("int x = 3 +;", "expected"),
    ] {
        refused(&program("", main), word);
    }
    refused("public class A { void f() { } }", "nothing to start");
}

#[test]
fn any_text_is_read_or_refused() {
    let deep = |n: usize| {
        format!(
            "class A {{ static void main(String[] a) {{ int x = {}1{}; }} }}",
            "(".repeat(n),
            ")".repeat(n)
        )
    };
    refused(&deep(5000), "too deep");
    let sum = format!(
        "class A {{ static void main(String[] a) {{ int x = 1{}; }} }}",
        " + 1".repeat(5000)
    );
    refused(&sum, "too deep");
    let whole = program(SHAPES, "Shape s = new Square(3); try { s.area(); } finally { }");
    let alone = program("", "int[] a = {1}; try { a[0]++; } finally { }");
    let alone = alone.trim_end();
    for (end, _) in alone.char_indices() {
        let part = &alone[..end];
        assert!(verdict(part).is_err(), "{part}");
    }
    for cut in (0..whole.len()).step_by(7) {
        let mut words: Vec<&str> = whole.split(' ').collect();
        let at = cut % words.len();
        words.remove(at);
        // Whatever it says, it says something.
        let text = words.join(" ");
        let found = verdict(&text);
        assert!(found != Ok(Verdict::Unknown), "{text}");
    }
}
