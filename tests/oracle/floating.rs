//! Random programs with `float` or `double`, against an evaluator that has the processor's numbers.
//!
//! The programs store, copy, negate and compare, in variables and through a pointer; their
//! constants are zeros, the least and greatest numbers, infinities and what is not a number. The
//! evaluator knows nothing of patterns of bits.

use crate::support::Random;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::fmt::Write;

const PROGRAMS: u64 = 200;
const VARIABLES: usize = 3;
const STATEMENTS: u64 = 7;
/// Most choices of one program.
const CHOICES: usize = 6;
const OPERATORS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

#[derive(Clone, Copy)]
enum Value {
    Constant(f64),
    /// The variable, perhaps through the pointer.
    Variable(usize, bool),
}

enum Condition {
    Compare(Value, usize, Value),
    /// Is it not zero?
    True(usize),
    Not(Box<Condition>),
}

enum Step {
    /// Takes the value, or minus the value.
    Set(usize, Value, bool),
    /// If the next choice is true.
    Choose(Vec<Step>),
    If(Condition, Vec<Step>, Vec<Step>),
    Assert(Condition),
}

struct Maker {
    random: Random,
    is_single: bool,
    choices: usize,
}

impl Maker {
    fn constant(&mut self) -> f64 {
        let single = [0.0, 1.5, 0.1f32, f32::MAX, f32::from_bits(1), f32::INFINITY, f32::NAN, 2.0];
        let double = [0.0, 1.5, 0.1f64, f64::MAX, f64::from_bits(1), f64::INFINITY, f64::NAN, 2.0];
        let k = self.random.below(8) as usize;
        let sign = if self.random.flip() { -1.0 } else { 1.0 };
        sign * if self.is_single { f64::from(single[k]) } else { double[k] }
    }

    fn variable(&mut self) -> usize {
        self.random.below(VARIABLES as u64) as usize
    }

    fn value(&mut self) -> Value {
        match self.random.percent(40) {
            true => Value::Constant(self.constant()),
            false => Value::Variable(self.variable(), self.random.percent(25)),
        }
    }

    fn condition(&mut self) -> Condition {
        match self.random.below(8) {
            0 => Condition::True(self.variable()),
            1 => Condition::Not(Box::new(self.condition())),
            _ => {
                // One operand has a type.
                let left = Value::Variable(self.variable(), false);
                let (operator, right) = (self.random.below(6) as usize, self.value());
                match self.random.flip() {
                    true => Condition::Compare(left, operator, right),
                    false => Condition::Compare(right, operator, left),
                }
            }
        }
    }

    fn steps(&mut self, most: u64, deep: u32) -> Vec<Step> {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.step(deep)).collect()
    }

    fn step(&mut self, deep: u32) -> Step {
        match self.random.below(8) {
            0 | 1 if deep > 0 && self.choices < CHOICES => {
                self.choices += 1;
                Step::Choose(self.steps(2, deep - 1))
            }
            2 | 3 if deep > 0 => {
                let condition = self.condition();
                let then = self.steps(2, deep - 1);
                Step::If(condition, then, self.steps(2, deep - 1))
            }
            4 => Step::Assert(self.condition()),
            _ => Step::Set(self.variable(), self.value(), self.random.percent(30)),
        }
    }
}

fn written_constant(number: f64, is_single: bool) -> String {
    let suffix = if is_single { "f" } else { "" };
    if number.is_nan() {
        format!("(0.0{suffix} / 0.0{suffix})")
    } else if number.is_infinite() {
        format!("({}1.0{suffix} / 0.0{suffix})", if number < 0.0 { "-" } else { "" })
    } else if is_single {
        format!("{:?}{suffix}", number as f32)
    } else {
        format!("{number:?}")
    }
}

fn written_value(value: Value, is_single: bool) -> String {
    match value {
        Value::Constant(number) => written_constant(number, is_single),
        Value::Variable(k, false) => format!("v[{k}]"),
        Value::Variable(k, true) => format!("*(&v[{k}])"),
    }
}

fn written_condition(condition: &Condition, is_single: bool) -> String {
    match condition {
        Condition::Compare(left, operator, right) => {
            let (left, right) = (written_value(*left, is_single), written_value(*right, is_single));
            format!("{left} {} {right}", OPERATORS[*operator])
        }
        Condition::True(k) => format!("v[{k}]"),
        Condition::Not(inner) => format!("!({})", written_condition(inner, is_single)),
    }
}

fn write(steps: &[Step], is_single: bool, indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    for step in steps {
        match step {
            Step::Set(k, value, negated) => {
                let value = written_value(*value, is_single);
                let value = if *negated { format!("-({value})") } else { value };
                let _ = writeln!(out, "{pad}v[{k}] = {value};");
            }
            Step::Choose(then) => {
                let _ = writeln!(out, "{pad}if (__VERIFIER_nondet_bool()) {{");
                write(then, is_single, indent + 1, out);
                let _ = writeln!(out, "{pad}}}");
            }
            Step::If(condition, then, otherwise) => {
                let condition = written_condition(condition, is_single);
                let _ = writeln!(out, "{pad}if ({condition}) {{");
                write(then, is_single, indent + 1, out);
                let _ = writeln!(out, "{pad}}} else {{");
                write(otherwise, is_single, indent + 1, out);
                let _ = writeln!(out, "{pad}}}");
            }
            Step::Assert(condition) => {
                let condition = written_condition(condition, is_single);
                let _ = writeln!(out, "{pad}assert({condition});");
            }
        }
    }
}

/// The choices are bits of a number, the next one lowest.
struct Evaluator {
    variables: [f64; VARIABLES],
    choices: u64,
}

impl Evaluator {
    fn value(&self, value: Value) -> f64 {
        match value {
            Value::Constant(number) => number,
            Value::Variable(k, _) => self.variables[k],
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(left, operator, right) => {
                let (a, b) = (self.value(*left), self.value(*right));
                match OPERATORS[*operator] {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Condition::True(k) => self.variables[*k] != 0.0,
            Condition::Not(inner) => !self.holds(inner),
        }
    }

    /// Does a check fail?
    fn fails(&mut self, steps: &[Step]) -> bool {
        steps.iter().any(|step| match step {
            Step::Set(k, value, negated) => {
                let value = self.value(*value);
                self.variables[*k] = if *negated { -value } else { value };
                false
            }
            Step::Choose(then) => {
                let chosen = self.choices & 1 == 1;
                self.choices >>= 1;
                chosen && self.fails(then)
            }
            Step::If(condition, then, otherwise) => {
                if self.holds(condition) {
                    self.fails(then)
                } else {
                    self.fails(otherwise)
                }
            }
            Step::Assert(condition) => !self.holds(condition),
        })
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
fn random_programs_agree_with_the_processor() {
    let (mut safe, mut fail) = (0, 0);
    for seed in 0..PROGRAMS {
        let is_single = seed % 2 == 1;
        let mut maker = Maker { random: Random::new(9_000 + seed), is_single, choices: 0 };
        let initial = [maker.constant(), maker.constant(), maker.constant()];
        let steps = maker.steps(STATEMENTS, 3);
        let ty = if is_single { "float" } else { "double" };
        let written = initial.map(|number| written_constant(number, is_single)).join(", ");
        let mut source = format!("#include <assert.h>\n{ty} v[3] = {{ {written} }};\n");
        let _ = writeln!(source, "int main(void) {{");
        write(&steps, is_single, 1, &mut source);
        source.push_str("  return 0;\n}\n");
        let expected = (0..1u64 << maker.choices)
            .any(|choices| Evaluator { variables: initial, choices }.fails(&steps));
        let wanted = if expected { Outcome::Unsafe } else { Outcome::Safe };
        assert_eq!(verdict(&source), wanted, "seed {seed}:\n{source}");
        if expected { fail += 1 } else { safe += 1 }
    }
    assert!(safe >= 40 && fail >= 40, "{safe} safe, {fail} fail");
}
