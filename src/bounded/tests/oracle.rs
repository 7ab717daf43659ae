//! Random programs: what the bounded engine says, against executing every input.

use faultline_bounded::{Failure, Verdict, check, default_checks, unroll};
use faultline_c::machine::{End, Limits, Machine};
use std::fmt::Write;
use std::rc::Rc;

/// A generator of numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// How many values each of the two inputs has: 0, 1, …
const VALUES: i32 = 5;

struct Writer {
    random: Random,
    text: String,
    /// Loops around the statement that is written.
    loops: u64,
}

impl Writer {
    fn number(&mut self, depth: u64) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let index = self.random.below(4);
            let names = ["x", "y", "a", "b", "s.k", "(int)d", "*p", "u", "c", "t[1]", "(int)f"];
            return match self.random.below(6) {
                0 => self.random.below(5).to_string(),
                1 => format!("t[{index}]"),
                2 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
                _ => self.random.one(&names).to_string(),
            };
        }
        let (l, r) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(14) {
            0..4 => format!("({l} + {r})"),
            4..6 => format!("({l} - {r})"),
            6 => format!("({l} * {r})"),
            7 => format!("({l} / {r})"),
            8 => format!("({l} % {r})"),
            9 => format!("({l} {} {r})", self.random.one(&["&", "|", "^"])),
            10 => format!("({l} {} ({r} & 3))", self.random.one(&["<<", ">>"])),
            11 => format!("({} ? {l} : {r})", self.condition(depth - 1)),
            12 => format!("g({l}, {r})"),
            _ => format!("t[({l}) & 3]"),
        }
    }

    fn floating(&mut self) -> String {
        let number = self.number(1);
        let operator = self.random.one(&["+", "-", "*", "/"]);
        match self.random.below(4) {
            0 => format!("d {operator} {number}"),
            1 => format!("{number} {operator} 4.0"),
            2 => format!("sqrt({number})"),
            _ => format!("(f {operator} 0.5f) + {number}"),
        }
    }

    fn condition(&mut self, depth: u64) -> String {
        let (l, r) = (self.number(depth), self.number(depth));
        let operator = self.random.one(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.below(6) {
            0 => format!("({l} {operator} {r} && d {operator} {r})"),
            1 => format!("({l} {operator} {r} || !b)"),
            2 => format!("(p == &a || {l} {operator} {r})"),
            _ => format!("({l} {operator} {r})"),
        }
    }

    fn statements(&mut self, count: u64, depth: u64) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u64) {
        let line = match self.random.below(if depth == 0 { 11 } else { 15 }) {
            0 => format!("a = {};", self.number(2)),
            1 => format!("b = {};", self.number(2)),
            2 => format!("t[{}] = {};", self.number(1), self.number(2)),
            3 => format!("s.k = {};", self.number(1)),
            4 => format!("d = {};", self.floating()),
            5 => format!("c = (char)({});", self.number(2)),
            6 => format!("p = {};", self.random.one(&["&a", "&b", "&t[1]", "t + (x & 3)", "0"])),
            7 => "if (p) *p = a + 1;".to_string(),
            8 => format!("u = (unsigned char)({});", self.number(2)),
            9 => format!("q = s; q.k += {}; s = q;", self.number(1)),
            10 => format!("f = (float)({});", self.floating()),
            11 => format!("assert({});", self.condition(1)),
            12 => {
                let (loops, bound) = (self.loops, self.random.one(&["x", "y", "3", "(a & 3)"]));
                let _ = writeln!(
                    self.text,
                    "for (int i{loops} = 0; i{loops} < {bound}; i{loops}++) {{"
                );
                self.loops += 1;
                self.statements(2, depth - 1);
                if self.random.below(3) == 0 {
                    let condition = self.condition(1);
                    let _ = writeln!(
                        self.text,
                        "if ({condition}) {};",
                        self.random.one(&["break", "continue"])
                    );
                }
                self.loops -= 1;
                "}".to_string()
            }
            13 => {
                let condition = self.condition(1);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statements(2, depth - 1);
                let _ = writeln!(self.text, "}} else {{");
                self.statements(1, depth - 1);
                "}".to_string()
            }
            _ => {
                let value = self.number(1);
                let _ = writeln!(self.text, "switch ({value}) {{ case 0: case 3:");
                self.statements(1, depth - 1);
                let _ = writeln!(self.text, "break; case 1:");
                self.statements(1, depth - 1);
                let _ = writeln!(self.text, "default:");
                self.statements(1, depth - 1);
                "}".to_string()
            }
        };
        let _ = writeln!(self.text, "{line}");
    }
}

fn program(seed: u64) -> String {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut writer = Writer { random, text: String::new(), loops: 0 };
    writer.text.push_str(
        "#include <stdio.h>\n#include <assert.h>\n#include <math.h>\nstruct s { char n; int k; };\n\
         int g(int x, int y) { if (x > y) return x - y; return x < 3 ? g(x + 1, y) : y; }\n\
         int main(void) {\nint x, y, a = 1, b = 2, t[4] = {3, 1}, *p = &a;\nchar c = 'a';\n\
         unsigned char u = 200;\nstruct s s = {'n', 4}, q;\ndouble d = 0.5;\nfloat f = 2;\n\
         if (scanf(\"%d %d\", &x, &y) != 2) return 0;\n",
    );
    let _ =
        writeln!(writer.text, "if (x < 0 || x >= {VALUES} || y < 0 || y >= {VALUES}) return 0;");
    writer.statements(6, 2);
    if !u64::is_multiple_of(seed, 3) {
        let condition = writer.condition(1);
        let _ = writeln!(writer.text, "assert({condition});");
    }
    writer.text.push_str("printf(\"%d %d %d %f\\n\", a, b, c, d);\nreturn 0;\n}\n");
    writer.text
}

/// How the run on an input fails first; `None` if it does not, `Err` if it has no end.
fn failure(
    tree: &faultline_c::tree::Tree,
    code: &faultline_c::code::Code,
    input: &str,
) -> Result<Option<Failure>, ()> {
    let limits = Limits { steps: 200_000, ..Limits::default() };
    let mut machine = Machine::new(tree, code, input.as_bytes(), limits);
    machine.go(u64::MAX);
    let run = machine.finish();
    let all = [Failure::NoValue, Failure::Overflow, Failure::Shift];
    let wanted = |one: &&Failure| **one != Failure::NoValue || default_checks(code).initialised;
    let remark = all.iter().filter(wanted).find(|one| run.remarks.iter().any(|(r, _)| one.is(*r)));
    match run.end {
        _ if remark.is_some() => Ok(remark.copied()),
        End::Fault(fault, _) => Ok(Some(Failure::Fault(fault))),
        End::Exited(_) => Ok(None),
        _ => Err(()),
    }
}

/// Each verdict is right: a failing input exists exactly if the program is said to fail.
#[test]
fn random_programs_against_all_inputs() {
    let (mut fails, mut safe, mut open) = (0, 0, 0);
    for seed in 1..=300 {
        let text = program(seed);
        let tree = faultline_c::parse(&text, &|_| None).unwrap_or_else(|m| panic!("{m}: {text}"));
        let code = faultline_c::compile(&tree).unwrap_or_else(|m| panic!("{m}: {text}"));
        let mut failing = Vec::new();
        let mut ends = true;
        for x in 0..VALUES {
            for y in 0..VALUES {
                match failure(&tree, &code, &format!("{x} {y}\n")) {
                    Ok(Some(found)) => failing.push((x, y, found)),
                    Ok(None) => {}
                    Err(()) => ends = false,
                }
            }
        }
        let calls = std::cell::Cell::new(0);
        // No clock: a number of questions decides when to stop.
        let stop = Rc::new(move || {
            calls.set(calls.get() + 1);
            calls.get() > 3000
        });
        let outcome = check(&tree, &code, default_checks(&code), 16, stop, &mut |_| {});
        match outcome.verdict {
            Verdict::Fails(list) => {
                fails += 1;
                assert!(!failing.is_empty(), "seed {seed}: none fails, said {list:?}\n{text}");
            }
            Verdict::Safe | Verdict::Executed => {
                safe += 1;
                assert!(ends, "seed {seed}: said safe, but a run has no end\n{text}");
                assert!(failing.is_empty(), "seed {seed}: said safe, {failing:?}\n{text}");
            }
            Verdict::Unknown(reason) => {
                open += 1;
                eprintln!("seed {seed}: {reason:?}");
            }
        }
    }
    eprintln!("{fails} fail, {safe} are safe, {open} open");
    assert!(fails > 60 && safe > 30 && open < 60, "{fails} fail, {safe} safe, {open} open");
}

/// Programs that read nothing: what their execution says is what the circuits say, which share no
/// code with the machine but that of constants.
#[test]
fn the_only_run_agrees_with_the_circuits() {
    let (mut fails, mut executed) = (0, 0);
    for seed in 1..=300 {
        let (x, y) = (seed % VALUES as u64, seed / 7 % VALUES as u64);
        let read = "if (scanf(\"%d %d\", &x, &y) != 2) return 0;";
        let text = program(seed).replace(read, &format!("x = {x}; y = {y};"));
        let tree = faultline_c::parse(&text, &|_| None).unwrap_or_else(|m| panic!("{m}: {text}"));
        let code = faultline_c::compile(&tree).unwrap_or_else(|m| panic!("{m}: {text}"));
        let checks = default_checks(&code);
        let never = || Rc::new(|| false);
        let outcome = check(&tree, &code, checks, 16, never(), &mut |_| {});
        let Ok(circuits) = unroll(&tree, &code, checks, 16, 0, never()) else { continue };
        match (&outcome.verdict, &circuits.verdict) {
            (Verdict::Executed, Some(Verdict::Safe)) => executed += 1,
            (Verdict::Fails(own), Some(Verdict::Fails(all))) => {
                fails += 1;
                let first = (own[0].failure, own[0].point);
                let same = all.iter().any(|found| (found.failure, found.point) == first);
                assert!(same, "seed {seed}: {own:?}, circuits {all:?}\n{text}");
            }
            // What has no value is open, and so is what the circuits end in a limit with.
            (Verdict::Safe | Verdict::Unknown(_), _) | (_, Some(Verdict::Unknown(_)) | None) => {}
            (own, all) => panic!("seed {seed}: {own:?}, circuits {all:?}\n{text}"),
        }
    }
    assert!(fails > 60 && executed > 20, "{fails} fail, {executed} executed");
}

/// What may stand behind a number that was read: anything but a digit, and behind a number of a
/// given width a digit, too.
#[test]
fn what_follows_a_number_is_open() {
    let says = |format: &str, next: char| {
        let text = format!(
            "#include <stdio.h>\n#include <assert.h>\nint main(void) {{\n  int n;\n  \
             if (scanf(\"{format}\", &n) != 1) return 0;\n  assert(getchar() != '{next}');\n}}\n"
        );
        let tree = faultline_c::parse(&text, &|_| None).expect("a program");
        let code = faultline_c::compile(&tree).expect("code");
        check(&tree, &code, default_checks(&code), 4, Rc::new(|| false), &mut |_| {}).verdict
    };
    for (format, next) in [("%d", '.'), ("%d", 'e'), ("%2d", '7')] {
        assert!(matches!(says(format, next), Verdict::Fails(_)), "{next} behind {format}");
    }
    assert!(matches!(says("%d", '7'), Verdict::Safe));
}
