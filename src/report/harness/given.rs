//! What a failing run takes from outside, read off its steps.

use crate::lang::given::{Giver, Role};
use crate::lang::interpreter::{Machine, Outcome};
use crate::lang::model::{Initial, Operation, Program, Scalar};
use crate::session::ReplayedRun;

/// The procedure with which the library reads a word.
const WORD: &str = "__faultline_word";
/// More than so many values, or bytes, are not written.
pub(super) const MOST: usize = 100_000;

/// What a run takes from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    /// Results of calls, in order: of which procedure, and the value.
    pub(super) results: Vec<(String, Literal)>,
    /// What is read.
    pub(super) text: Vec<u8>,
    /// Does it read?
    pub(super) reads: bool,
    /// Variables that start with a value that the program does not say.
    pub(super) globals: Vec<(String, Literal)>,
    /// The procedure that starts, if it is not `main`.
    pub(super) start: Option<String>,
    /// Parameters of the procedure that starts.
    pub(super) arguments: Vec<(String, Literal)>,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Literal {
    Integer(i128),
    Single(f32),
    Double(f64),
}

impl Literal {
    pub(super) fn of(scalar: Scalar, bits: u64) -> Literal {
        match (scalar.floating, scalar.width) {
            (true, 32) => Literal::Single(f32::from_bits(bits as u32)),
            (true, _) => Literal::Double(f64::from_bits(bits)),
            _ => Literal::Integer(scalar.number(bits)),
        }
    }

    /// As a constant expression of C.
    pub(super) fn written(self) -> String {
        match self {
            Literal::Integer(n) if n > i128::from(i64::MAX) => format!("{n}ULL"),
            Literal::Integer(n) if n == i128::from(i64::MIN) => format!("({}LL - 1)", n + 1),
            Literal::Integer(n) if n > i128::from(i32::MAX) || n < i128::from(i32::MIN) => {
                format!("{n}LL")
            }
            Literal::Integer(n) if n == i128::from(i32::MIN) => format!("({} - 1)", n + 1),
            Literal::Integer(n) => n.to_string(),
            Literal::Single(x) => format!("(float){}", double(f64::from(x))),
            Literal::Double(x) => double(x),
        }
    }
}

fn double(x: f64) -> String {
    match x {
        _ if x.is_nan() => "(0.0 / 0.0)".into(),
        _ if x == f64::INFINITY => "(1.0 / 0.0)".into(),
        _ if x == f64::NEG_INFINITY => "(-1.0 / 0.0)".into(),
        // As many digits as it needs.
        _ => format!("{x:?}"),
    }
}

/// What the run takes; `None` if it is too much.
pub(super) fn given(program: &Program, replayed: &ReplayedRun) -> Option<Given> {
    let run = &replayed.run;
    let mut given = Given::default();
    for (id, values) in &run.initial_globals {
        let variable = program.variable(*id);
        if variable.initial != Initial::Any || !variable.has_name() {
            continue;
        }
        for (k, bits) in values.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let indices = variable.indices(k as u32);
            let indices: String = indices.iter().map(|index| format!("[{index}]")).collect();
            let place = format!("{}{indices}", variable.name);
            given.globals.push((place, Literal::of(variable.scalar, *bits)));
        }
    }
    let machine = Machine::new(program);
    let mut at = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut started = None;
    if !program.picks_start(program.main_id()) {
        started = Some((program.main_id(), at.clone()));
    }
    for (entry, step) in replayed.entries.iter().zip(&run.steps) {
        let taken = machine.taken(&at, entry.edge, &step.choices);
        for (id, giver) in program.givers.get(&entry.edge).into_iter().flatten() {
            if !taken.contains(id) {
                continue;
            }
            let scalar = program.edge(entry.edge).choices.get(id.0 as usize)?;
            let bits = step.choices.get(id.0 as usize)?;
            given.take(giver, *scalar, *bits, program.is_shared(entry.edge));
        }
        if given.results.len() > MOST || given.text.len() > MOST {
            return None;
        }
        if let Operation::Call { callee, .. } = program.edge(entry.edge).operation {
            given.reads |= program.procedure(callee).name == WORD;
            if program.procedure(callee).name == WORD {
                given.separate();
            }
        }
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        match machine.execute(&at, entry.edge, &step.choices, locals) {
            Outcome::Next(next) => at = next,
            Outcome::Blocked | Outcome::Error(_) => break,
        }
        if started.is_none()
            && let Operation::Call { callee, .. } = program.edge(entry.edge).operation
        {
            started = Some((callee, at.clone()));
        }
    }
    let (start, at) = started?;
    let procedure = program.procedure(start);
    given.start = Some(procedure.name.clone()).filter(|name| name != "main");
    for id in &procedure.parameters {
        let variable = program.variable(*id);
        let bits = machine.values(&at, *id).first().copied().unwrap_or(0);
        given.arguments.push((variable.name.clone(), Literal::of(variable.scalar, bits)));
    }
    Some(given)
}

impl Given {
    fn take(&mut self, giver: &Giver, scalar: Scalar, bits: u64, is_shared: bool) {
        match giver.role {
            Role::Number => {
                self.separate();
                self.text.extend(scalar.number(bits).to_string().bytes());
                self.reads = true;
            }
            Role::Character => {
                self.text.push(bits as u8);
                self.reads = true;
            }
            // The library is written in C, and takes the characters that it reads by calls.
            Role::Result if is_shared => {
                if scalar.is_integer() && scalar.width == 8 {
                    self.text.push(bits as u8);
                    self.reads = true;
                }
            }
            Role::Result => {
                self.results.push((giver.name.clone(), Literal::of(scalar, bits)));
            }
        }
    }

    /// White space, where a number or a word would go on otherwise.
    fn separate(&mut self) {
        if self.text.last().is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.text.push(b' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_constants_of_c() {
        let written = |n: i128| Literal::Integer(n).written();
        assert_eq!(written(-5), "-5");
        assert_eq!(written(i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(written(4_294_967_295), "4294967295LL");
        assert_eq!(written(i128::from(i64::MIN)), "(-9223372036854775807LL - 1)");
        assert_eq!(written(i128::from(u64::MAX)), "18446744073709551615ULL");
        assert_eq!(Literal::Single(0.1).written(), "(float)0.10000000149011612");
        assert_eq!(Literal::Double(f64::NAN).written(), "(0.0 / 0.0)");
    }
}
