//! The interpreter on small programs with known results.

use super::dump::program;
use crate::lang::interpreter::{
    ConcreteRun, ConcreteStep, Configuration, Machine, Outcome, ReplayError, replay,
};
use crate::lang::model::{EdgeId, ErrorKind, Program, VariableId};
use std::collections::BTreeSet;

/// How runs of a program end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// `main` returns this.
    Returned(i128),
    /// An error of this kind at this line.
    Failed(ErrorKind, u32),
}

impl End {
    /// An invalid use of memory at this line?
    pub(super) fn is_of_memory(&self, line: u32) -> bool {
        match *self {
            End::Failed(kind, at) => {
                at == line && (kind.is_of_memory() || kind == ErrorKind::Bounds)
            }
            End::Returned(_) => false,
        }
    }
}

/// All ends, by exhaustive search (endless and blocked runs have none).
fn ends(source: &str) -> BTreeSet<End> {
    ends_of(&program(source))
}

/// All ends of the runs of a program.
pub(super) fn ends_of(program: &Program) -> BTreeSet<End> {
    let source = "this program";
    let machine = Machine::new(program);
    let (starts, complete) = machine.starts(1 << 17);
    assert!(complete, "too many starts: {source}");
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut work: Vec<Configuration> = starts;
    let mut ends = BTreeSet::new();
    while let Some(configuration) = work.pop() {
        if !seen.insert(format!("{configuration:?}").into_bytes()) {
            continue;
        }
        assert!(seen.len() < 200_000, "too many configurations: {source}");
        if machine.has_ended(&configuration) {
            let main = program.procedure(program.main_id());
            let result = main.result.map_or(0, |id| {
                program.variable(id).scalar.number(machine.values(&configuration, id)[0])
            });
            ends.insert(End::Returned(result));
        }
        let successors = machine.successors(&configuration, 1 << 12);
        assert!(successors.complete, "too many choices: {source}");
        for transition in successors.transitions {
            match transition.outcome {
                Outcome::Next(next) => work.push(next),
                Outcome::Blocked => panic!("blocked outcomes are left out"),
                Outcome::Error(index) => {
                    let check = &program.edge(transition.step.edge).checks[index];
                    ends.insert(End::Failed(check.kind, check.line));
                }
            }
        }
    }
    ends
}

/// The program returns exactly these.
fn returns(source: &str, expected: &[i128]) {
    let expected: BTreeSet<End> = expected.iter().map(|n| End::Returned(*n)).collect();
    assert_eq!(ends(source), expected, "{source}");
}

#[test]
fn arithmetic_wraps_and_truncates() {
    returns("int main() { return 7 + 0 * 1; }", &[7]);
    for (expression, expected) in [
        ("x + 1", -8),
        ("x * x", 1),
        ("-x / 2", -3),
        ("-x % 2", -1),
        ("(x - 7 - 7 - 1) / -1", -8),
        ("~x", -8),
        ("x << 1", -2),
        ("-8 >> (x - 5)", -2),
        ("x ^ 5", 2),
        ("x & 5 | 8 - 4", 5),
        ("(unsigned) -1 > x", 1),
        ("-1 > x", 0),
        ("(unsigned) -8 >> 3", 1),
        ("(char) 17 + x", -8),
        ("x == 7 ? 3 : 4", 3),
        ("!x + !0", 1),
        ("(bool) 2 + 1", 2),
        ("(uint8_t) 200 + x == 207", 1),
        ("x > 3 && x < 5 || x == 7", 1),
    ] {
        returns(
            &format!("//! check = none\nint main() {{ int x = 7; return {expression}; }}"),
            &[expected],
        );
    }
}

#[test]
fn wide_types() {
    returns(
        "//! bits = 32\nint main() { long x = 4611686018427387904; x = x * 2; return x < 0 && x / 2 == -4611686018427387904; }",
        &[1],
    );
    returns(
        "//! bits = 32\nint main() { unsigned long x = 18446744073709551615u; x = x * x; return x; }",
        &[1],
    );
    returns(
        "//! bits = 32\nint main() { int x = 2147483647; return x + 1 == -2147483648 && x * x == 1; }",
        &[1],
    );
    returns(
        "//! bits = 32\nint main() { return (0xFFFFFFFF > -1) + 2 * (4294967295 > -1) + 4 * (-0x80000000 == 0x80000000); }",
        &[6],
    );
    returns(
        "//! bits = 32\nint main() { short s = 32767; s++; unsigned char c = 255; c++; return s + c; }",
        &[-32768],
    );
}

#[test]
fn recursion() {
    returns(
        "//! bits = 8\nint f(int n) { if (n <= 1) return 1; return n * f(n - 1); } int main() { return f(5); }",
        &[120],
    );
    returns(
        "//! bits = 8\nint fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main() { return fib(9); }",
        &[34],
    );
    returns(
        "bool odd(int n); bool even(int n) { return n == 0 || odd(n - 1); } bool odd(int n) { return n != 0 && even(n - 1); } int main() { return even(6) + 2 * odd(3); }",
        &[3],
    );
}

#[test]
fn loops_and_arrays() {
    returns(
        "int main() { int a[4] = {3, 1, 2}, i, s = 0; for (i = 0; i < 4; i++) s += a[i]; return s; }",
        &[6],
    );
    returns(
        "int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int main() { int s = 0, i = 1; do { s = s + m[i][2] - m[i][0]; } while (i-- > 0); return s; }",
        &[4],
    );
    returns(
        "int main() { int i, n = 0; for (i = 0; i < 6; i++) { if (i == 1) continue; if (i == 4) break; n++; } return n; }",
        &[3],
    );
    returns(
        "int main() { int n = 0, x = 2; switch (x) { case 1: n += 1; case 2: n += 2; case 3: n += 3; break; default: n = 7; } return n; }",
        &[5],
    );
    returns("int main() { int i = 0; again: i++; if (i < 5) goto again; return i; }", &[5]);
    returns("int f() { static int n; n++; return n; } int main() { f(); f(); return f(); }", &[3]);
}

#[test]
fn order_of_evaluation() {
    returns("int g = 1; int f() { g = 3; return 1; } int main() { return g + f(); }", &[2]);
    returns("int g = 1; int f() { g = 3; return 1; } int main() { return f() + g; }", &[4]);
    returns(
        "int g = 0; bool f() { g++; return true; } int main() { bool b = (false && f()) || (true || f()) && f(); return g; }",
        &[1],
    );
    returns("int main() { int i = 1, a[3] = {0, 5, 6}; a[i++] = i; return a[1] + i; }", &[4]);
    returns("int main() { int x = 1; x = x++ + x++; return x; }", &[3]);
}

#[test]
fn choices_and_assumptions() {
    returns("int main() { int x = nondet(); assume(x > 4); return x; }", &[5, 6, 7]);
    returns("int main() { if (*) return 1; return 2; }", &[1, 2]);
    returns("int f(); int main() { int x = f(); if (x < 0 || x > 1) exit(1); return x; }", &[0, 1]);
    returns(
        "int g; int main() { assume(g > 5); int l; assume(l == 1); return g + 0 * l; }",
        &[6, 7],
    );
    returns("//! globals = zero\nint g; int main() { return g; }", &[0]);
    returns(
        "int f() { if (*) return 1; } int main() { int x = f(); assume(x > 5 || x == 1); return x; }",
        &[1, 6, 7],
    );
}

#[test]
fn errors() {
    let failed = |kind, line| BTreeSet::from([End::Failed(kind, line)]);
    assert_eq!(ends("void main() {\n assert(1 > 2); }"), failed(ErrorKind::Assertion, 2));
    assert_eq!(ends("int main() { int x = 0;\n\n return 1 / x; }"), failed(ErrorKind::Division, 3));
    assert_eq!(
        ends("int a[3]; int main() { int i = 3; return a[i]; }"),
        failed(ErrorKind::Bounds, 1)
    );
    assert_eq!(
        ends("//! check = overflow\nint main() { int x = 7; return x + 1; }"),
        failed(ErrorKind::Overflow, 2)
    );
    assert_eq!(
        ends("//! check = shift\nint main() { int x = 4; return 1 << x; }"),
        failed(ErrorKind::Shift, 2)
    );
    assert_eq!(ends("void main() { error: ; }"), failed(ErrorKind::ErrorLabel, 1));
    assert_eq!(ends("void main() { reach_error(); }"), failed(ErrorKind::ReachError, 1));
    assert_eq!(
        ends("//! error = (x == A)\nenum { A = 2 }; void main() {\n int x = 2; }"),
        failed(ErrorKind::Assignment, 3)
    );
    assert_eq!(
        ends("//! error = (x == 2)\nint x = 0; void main() { x++;\n x++; }"),
        failed(ErrorKind::Assignment, 3)
    );
    returns("int a[3]; int main() { int i = 3; return i < 3 && a[i] > 0; }", &[0]);
}

/// Every overflow check agrees with the exact result, over all operands. There are two ways of
/// computing it: for types of at most half of 64 bits, and for wider types.
#[test]
fn overflow_checks_are_exact() {
    for (operator, exact) in
        [("+", (|x, y| x + y) as fn(i128, i128) -> i128), ("-", |x, y| x - y), ("*", |x, y| x * y)]
    {
        for x in -4i128..4 {
            for y in -4i128..4 {
                let narrow = format!(
                    "//! bits = 3\n//! check = overflow\nint main() {{ int x = {x}, y = {y}; x = x {operator} y; return 0; }}"
                );
                let fails = !(-4..4).contains(&exact(x, y));
                let expected =
                    if fails { End::Failed(ErrorKind::Overflow, 3) } else { End::Returned(0) };
                assert_eq!(ends(&narrow), BTreeSet::from([expected]), "{narrow}");
            }
        }
        let corners = [
            i64::MIN,
            i64::MIN + 1,
            -3_037_000_500,
            -1,
            0,
            1,
            2,
            3_037_000_499,
            3_037_000_500,
            i64::MAX - 1,
            i64::MAX,
        ];
        for x in corners {
            for y in corners {
                let wide = format!(
                    "//! check = overflow\nint main() {{ int64_t x = {x}, y = {y}; x = x {operator} y; return 0; }}"
                );
                let fails = i64::try_from(exact(x.into(), y.into())).is_err();
                let expected =
                    if fails { End::Failed(ErrorKind::Overflow, 2) } else { End::Returned(0) };
                assert_eq!(ends(&wide), BTreeSet::from([expected]), "{wide}");
            }
        }
    }
}

fn variable(program: &Program, name: &str) -> VariableId {
    VariableId(program.variables.iter().position(|v| v.name == name).expect("declared") as u32)
}

fn step(edge: u32) -> ConcreteStep {
    ConcreteStep { edge: EdgeId(edge), ..ConcreteStep::default() }
}

#[test]
fn replay_accepts_exactly_the_failing_run() {
    let program = program(
        "int g; int f(int p) { int l; return p + l; } void main() { int x = f(g); assert(x != 3); }",
    );
    let (g, l, x) = (variable(&program, "g"), variable(&program, "l"), variable(&program, "x"));
    // Edges: 0 return, 1 call, 2 assertion.
    let call = ConcreteStep { edge: EdgeId(1), choices: vec![], locals: Some(vec![(l, vec![1])]) };
    let run = ConcreteRun {
        initial_globals: vec![(g, vec![2])],
        initial_locals: vec![(x, vec![9])],
        steps: vec![call, step(0), step(2)],
    };
    let replayed = replay(&program, &run).expect("it fails");
    assert_eq!(replayed.failed_check, 0);
    assert_eq!(replayed.steps.iter().map(|s| s.depth).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(replayed.steps[1].store.last(), Some(&(l, vec![1])));
    assert_eq!(replayed.steps[2].store, [(g, vec![2]), (x, vec![3])]);

    let mut other = run.clone();
    other.initial_globals = vec![(g, vec![0])];
    assert_eq!(replay(&program, &other), Err(ReplayError::NoError));
    other = run.clone();
    other.steps.remove(1);
    assert_eq!(replay(&program, &other), Err(ReplayError::Elsewhere(1)));
    other = run.clone();
    other.steps.push(step(2));
    assert_eq!(replay(&program, &other), Err(ReplayError::FailsEarly(2)));
    other = run.clone();
    other.initial_globals = vec![(g, vec![2, 3])];
    assert_eq!(replay(&program, &other), Err(ReplayError::Initial(g)));
    other = run;
    other.steps[0].edge = EdgeId(77);
    assert_eq!(replay(&program, &other), Err(ReplayError::Elsewhere(0)));
}

#[test]
fn replay_checks_choices_and_assumptions() {
    let program = program("int c = 1; void main() { int x = nondet(); if (x > 3) assert(x < c); }");
    let (c, with) = (variable(&program, "c"), |choice| ConcreteStep {
        edge: EdgeId(0),
        choices: vec![choice],
        locals: None,
    });
    let run = |choice, edges: &[u32]| ConcreteRun {
        steps: std::iter::once(with(choice)).chain(edges.iter().map(|e| step(*e))).collect(),
        ..ConcreteRun::default()
    };
    assert!(replay(&program, &run(5, &[1, 3])).is_ok());
    assert_eq!(replay(&program, &run(2, &[1, 3])), Err(ReplayError::Blocked(1)));
    assert_eq!(replay(&program, &run(5, &[2])), Err(ReplayError::Blocked(1)));
    let lacking = ConcreteRun { steps: vec![step(0)], ..ConcreteRun::default() };
    assert_eq!(replay(&program, &lacking), Err(ReplayError::Choices(0)));
    let fixed = ConcreteRun { initial_globals: vec![(c, vec![2])], ..run(5, &[1, 3]) };
    assert_eq!(replay(&program, &fixed), Err(ReplayError::Initial(c)));
}
