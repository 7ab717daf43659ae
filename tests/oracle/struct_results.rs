//! Random programs whose procedures return structs, against an evaluator with values.
//!
//! Calls stand in arguments of calls, before a member, in conditions, in initial values and in
//! `return`; procedures call themselves. No procedure has effects, so the order of operands, which
//! C leaves open, does not matter.

use crate::support::Random;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::fmt::Write;

const PROGRAMS: u64 = 140;
/// Procedures `f0`, `f1`, …: `struct P fk(struct P a, struct P b, int n)`.
const PROCEDURES: usize = 3;
/// The locals of a procedure: its parameters `a` and `b`, and `c`.
const LOCALS: [&str; 3] = ["a", "b", "c"];
/// Values of `n` in calls of main. Each call of a procedure has one less.
const DEPTH: i32 = 2;

type Pair = [i32; 2];

/// A struct.
enum Value {
    Local(usize),
    /// The procedure, its arguments, and whether it is called through a macro.
    Call(usize, Box<[Value; 2]>, bool),
}

/// A number.
enum Number {
    Constant(i32),
    /// A member of a struct.
    Member(Value, usize),
    Sum(Box<[Number; 2]>),
}

enum Step {
    /// A local takes a struct.
    Take(usize, Value),
    /// A member of a local takes a number.
    Set(usize, usize, Number),
    If(Number, Number, Vec<Step>),
}

struct Procedure {
    steps: Vec<Step>,
    /// If `n` is not 0.
    result: Value,
    /// If `n` is 0: calls nothing.
    base: usize,
}

struct Maker {
    random: Random,
    /// Calls that may still be written.
    calls: u32,
}

impl Maker {
    fn value(&mut self, deep: u32) -> Value {
        if deep == 0 || self.calls == 0 || self.random.percent(45) {
            return Value::Local(self.random.below(3) as usize);
        }
        self.calls -= 1;
        let callee = self.random.below(PROCEDURES as u64) as usize;
        let arguments = Box::new([self.value(deep - 1), self.value(deep - 1)]);
        Value::Call(callee, arguments, self.random.percent(30))
    }

    fn number(&mut self, deep: u32) -> Number {
        match self.random.below(4) {
            0 => Number::Constant(self.random.below(5) as i32 - 1),
            1 if deep > 0 => Number::Sum(Box::new([self.number(deep - 1), self.number(deep - 1)])),
            _ => Number::Member(self.value(deep), self.random.below(2) as usize),
        }
    }

    fn steps(&mut self, most: u64, deep: u32) -> Vec<Step> {
        (0..self.random.below(most + 1)).map(|_| self.step(deep)).collect()
    }

    fn step(&mut self, deep: u32) -> Step {
        match self.random.below(5) {
            0 if deep > 0 => {
                let (left, right) = (self.number(1), self.number(0));
                Step::If(left, right, self.steps(2, deep - 1))
            }
            1 | 2 => {
                let member = self.random.below(2) as usize;
                Step::Set(self.random.below(3) as usize, member, self.number(2))
            }
            _ => Step::Take(self.random.below(3) as usize, self.value(2)),
        }
    }

    fn procedure(&mut self) -> Procedure {
        self.calls = 3;
        Procedure {
            steps: self.steps(2, 1),
            result: self.value(2),
            base: self.random.below(3) as usize,
        }
    }
}

fn written_value(value: &Value, n: &str) -> String {
    match value {
        Value::Local(k) => LOCALS[*k].to_string(),
        Value::Call(callee, arguments, by_macro) => {
            let [one, other] = &**arguments;
            let (one, other) = (written_value(one, n), written_value(other, n));
            let name = if *by_macro { 'F' } else { 'f' };
            format!("{name}{callee}({one}, {other}, {n})")
        }
    }
}

fn written_number(number: &Number, n: &str) -> String {
    match number {
        Number::Constant(k) => format!("({k})"),
        Number::Member(value, k) => format!("{}.{}", written_value(value, n), ["x", "y"][*k]),
        Number::Sum(parts) => {
            format!("({} + {})", written_number(&parts[0], n), written_number(&parts[1], n))
        }
    }
}

fn write(steps: &[Step], n: &str, indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    for step in steps {
        let _ = match step {
            Step::Take(k, value) => {
                writeln!(out, "{pad}{} = {};", LOCALS[*k], written_value(value, n))
            }
            Step::Set(k, member, number) => {
                let place = format!("{}.{}", LOCALS[*k], ["x", "y"][*member]);
                writeln!(out, "{pad}{place} = {};", written_number(number, n))
            }
            Step::If(left, right, then) => {
                let (left, right) = (written_number(left, n), written_number(right, n));
                let _ = writeln!(out, "{pad}if ({left} < {right}) {{");
                write(then, n, indent + 1, out);
                writeln!(out, "{pad}}}")
            }
        };
    }
}

struct Evaluator<'a> {
    procedures: &'a [Procedure],
}

impl Evaluator<'_> {
    fn value(&self, value: &Value, locals: &[Pair; 3], n: i32) -> Pair {
        match value {
            Value::Local(k) => locals[*k],
            Value::Call(callee, arguments, _) => {
                let [one, other] = &**arguments;
                self.call(*callee, [one, other].map(|value| self.value(value, locals, n)), n)
            }
        }
    }

    fn number(&self, number: &Number, locals: &[Pair; 3], n: i32) -> i32 {
        match number {
            Number::Constant(k) => *k,
            Number::Member(value, k) => self.value(value, locals, n)[*k],
            Number::Sum(parts) => {
                let [one, other] = &**parts;
                self.number(one, locals, n).wrapping_add(self.number(other, locals, n))
            }
        }
    }

    fn steps(&self, steps: &[Step], locals: &mut [Pair; 3], n: i32) {
        for step in steps {
            match step {
                Step::Take(k, value) => locals[*k] = self.value(value, locals, n),
                Step::Set(k, member, number) => {
                    locals[*k][*member] = self.number(number, locals, n);
                }
                Step::If(left, right, then) => {
                    if self.number(left, locals, n) < self.number(right, locals, n) {
                        self.steps(then, locals, n);
                    }
                }
            }
        }
    }

    fn call(&self, callee: usize, [a, b]: [Pair; 2], n: i32) -> Pair {
        let procedure = &self.procedures[callee];
        let mut locals = [a, b, a];
        if n == 0 {
            return locals[procedure.base];
        }
        self.steps(&procedure.steps, &mut locals, n - 1);
        self.value(&procedure.result, &locals, n - 1)
    }
}

fn verdict(source: &str) -> Outcome {
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut session: Session = crate::support::load::session_with(source, &requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    assert_eq!(session.fault(), None, "{source}");
    session.outcome()
}

#[test]
fn random_procedures_return_what_an_evaluator_returns() {
    for seed in 0..PROGRAMS {
        let mut maker = Maker { random: Random::new(70_000 + seed), calls: 0 };
        let procedures: Vec<Procedure> = (0..PROCEDURES).map(|_| maker.procedure()).collect();
        maker.calls = 4;
        let (first, last) = (maker.value(2), maker.value(3));
        let mut source = "#include <assert.h>\nstruct P { int x, y; };\n".to_string();
        for k in 0..PROCEDURES {
            let _ = writeln!(source, "struct P f{k}(struct P a, struct P b, int n);");
            let _ = writeln!(source, "#define F{k}(a, b, n) f{k}(a, b, n)");
        }
        for (k, procedure) in procedures.iter().enumerate() {
            let _ = writeln!(source, "struct P f{k}(struct P a, struct P b, int n) {{");
            let _ = writeln!(source, "  struct P c = a;");
            let _ = writeln!(source, "  if (n == 0) return {};", LOCALS[procedure.base]);
            write(&procedure.steps, "n - 1", 1, &mut source);
            let result = written_value(&procedure.result, "n - 1");
            let _ = writeln!(source, "  return {result};\n}}");
        }
        let mut locals: [Pair; 3] = [[1, 2], [3, 5], [7, 11]];
        let evaluator = Evaluator { procedures: &procedures };
        let depth = DEPTH.to_string();
        let _ = writeln!(source, "int main(void) {{");
        let _ = writeln!(source, "  struct P a = {{1, 2}}, b = {{3, 5}}, c = {{7, 11}};");
        let _ = writeln!(source, "  struct P d = {};", written_value(&first, &depth));
        let d = evaluator.value(&first, &locals, DEPTH);
        let _ = writeln!(source, "  c = d;");
        locals[2] = d;
        let expected = evaluator.value(&last, &locals, DEPTH);
        let last = written_value(&last, &depth);
        let right = format!(
            "{source}  assert({last}.x == {} && {last}.y == {});\n  return 0;\n}}\n",
            expected[0], expected[1]
        );
        let wrong = format!("{source}  assert({last}.x != {});\n  return 0;\n}}\n", expected[0]);
        assert_eq!(verdict(&right), Outcome::Safe, "seed {seed}:\n{right}");
        assert_eq!(verdict(&wrong), Outcome::Unsafe, "seed {seed}:\n{wrong}");
    }
}
