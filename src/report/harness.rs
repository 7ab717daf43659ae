//! A failing run as a test: a C file with the program as it is, which fails where the run fails.
//!
//! Before a file is given away, the machine executes it: it fails at the line of the run, or the
//! answer says why there is none.

mod given;
mod needed;

use crate::draw::harness::{Body, Definition, Parts};
use crate::draw::words::{capitalised, error_place};
use crate::lang::model::{Check, EdgeId, Program};
use crate::report::{build_report, failure};
use crate::session::{ReplayedRun, Session};
use crate::wire::error_kind::ErrorKind;
use crate::wire::harness::{BoundedRun, Harness, HarnessAnswer};
use crate::wire::options::Dialect;
use crate::wire::report::{ErrorReport, Value};
use crate::wire::taken::Taken;
use faultline_c::code::Op;
use faultline_c::machine::{End, Fault, Limits, Machine, Remark, Taker};
use faultline_c::tree::{PointId, Tree};
use given::{Given, Literal};
use needed::Needed;
use std::fmt;

/// Why a run leaves as no test.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refusal {
    /// Another language.
    Language,
    /// No run fails.
    NoRun,
    /// Its threads would have to be scheduled.
    Threads,
    /// Nothing in a compiled program notices such an error.
    Kind(ErrorKind),
    /// It takes too many values.
    TooLong,
    /// C that the machine does not read: why.
    Unread(String),
    /// A procedure that nobody defines takes or gives something else than numbers.
    NoNumber(String),
    /// The run rests on what stands in a variable that has no value: at this line.
    NoValue(u32),
    /// A call through a null pointer: the compiled program is nowhere then.
    CallsNull,
    /// Executed, it does not fail there.
    Elsewhere(u32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Language => write!(f, "only a run of a program in C leaves as a C file"),
            Refusal::NoRun => write!(f, "there is no failing run"),
            Refusal::Threads => write!(f, "a run of threads depends on how they are scheduled"),
            Refusal::Kind(kind) => {
                write!(f, "a compiled program does not notice this error ({})", kind.word())
            }
            Refusal::TooLong => write!(f, "the run takes more than {} values", given::MOST),
            Refusal::Unread(why) => write!(f, "the program cannot be executed: {why}"),
            Refusal::NoNumber(name) => {
                write!(f, "`{name}` has no body, and takes or gives something else than numbers")
            }
            Refusal::NoValue(line) => {
                write!(f, "the run rests on a variable that has no value when line {line} reads it")
            }
            Refusal::CallsNull => {
                write!(f, "a call through a null pointer leaves no trace of its line")
            }
            Refusal::Elsewhere(line) => write!(
                f,
                "compiled, the program does not fail at line {line} with the values of the run"
            ),
        }
    }
}

/// The test of a failing run: of the shown one (0), or of another one of those that are listed.
pub fn harness(session: &Session, which: usize, file: &str) -> HarnessAnswer {
    answer(of_session(session, which, file))
}

/// The test of a failing run that the bounded engine found.
pub fn bounded_harness(source: &str, run: &BoundedRun, file: &str) -> HarnessAnswer {
    answer(of_bounded(source, run, file))
}

/// What a failing run takes from outside: the shown one (0), or another one of those that are
/// listed. `None` where there is no such run of a program, or where it takes too much.
pub fn taken(session: &Session, which: usize) -> Option<Taken> {
    let (program, _) = session.answered_program()?;
    let run = session.failures().get(which).or(session.failing_run())?;
    let given = given::given(&program, run)?;
    let called = |(name, value): &(String, Literal)| (format!("{name}()"), value.written());
    let mut values: Vec<(String, String)> = match given.start {
        // Of a procedure alone: with what its run begins. Addresses say nothing.
        Some(_) => {
            let trace = build_report::trace(&program, run);
            let first = trace.into_iter().next().map_or(Vec::new(), |entry| entry.values.0);
            let is_number = |value: &Value| !matches!(value, Value::Name(_));
            let told = first.into_iter().filter(|(_, value)| is_number(value));
            told.map(|(name, value)| (name, value.to_string())).collect()
        }
        None => given.globals.iter().map(|(name, value)| (name.clone(), value.written())).collect(),
    };
    values.extend(given.results.iter().map(called));
    let text = String::from_utf8_lossy(&given.text).into_owned();
    Some(Taken { input: given.reads.then_some(text), values })
}

fn answer(made: Result<Harness, Refusal>) -> HarnessAnswer {
    match made {
        Ok(harness) => HarnessAnswer::Written(harness),
        Err(refusal) => HarnessAnswer::Refused(refusal.to_string()),
    }
}

fn of_session(session: &Session, which: usize, file: &str) -> Result<Harness, Refusal> {
    let (program, options) = session.answered_program().ok_or(Refusal::NoRun)?;
    if options.dialect != Dialect::C {
        return Err(Refusal::Language);
    }
    if program.concurrency.has_threads() {
        return Err(Refusal::Threads);
    }
    let run = match session.failures().get(which) {
        Some(run) => run,
        None => session.failing_run().ok_or(Refusal::NoRun)?,
    };
    let error = failure::error(&program, run);
    let taken = given::given(&program, run).ok_or(Refusal::TooLong)?;
    let ends_at = label(&program, run);
    Made { source: session.source(), file, error: &error, given: &taken, ends_at }.harness()
}

/// The end of the error label that the run comes to.
fn label(program: &Program, run: &ReplayedRun) -> Option<usize> {
    let is_label = |check: &Check| check.kind == ErrorKind::ErrorLabel;
    let edge: EdgeId = run.entries.last()?.edge;
    is_label(&run.check).then(|| program.edge(edge).span.end as usize)
}

fn of_bounded(source: &str, run: &BoundedRun, file: &str) -> Result<Harness, Refusal> {
    let input = run.input.as_bytes();
    let choices: Vec<u64> = run.choices.iter().map(|value| *value as u64).collect();
    let unread = |mistake: faultline_c::mistake::Mistake| Refusal::Unread(mistake.to_string());
    let tree = faultline_c::parse(source, &|_| None).map_err(unread)?;
    let code = faultline_c::compile(&tree).map_err(unread)?;
    let mut machine = Machine::new(&tree, &code, input, LIMITS);
    machine.choose(&choices, !run.initialised);
    machine.go(u64::MAX);
    let mut taken = Given { text: input.to_vec(), reads: !input.is_empty(), ..Given::default() };
    for one in machine.taken() {
        let (name, ty) = match one.by {
            Taker::Procedure(id) => {
                let procedure = &tree.procedures[id.index()];
                (procedure.name.as_str(), Some(&procedure.signature.result))
            }
            Taker::Native(native) => (native.name(), None),
            Taker::Other => continue,
        };
        taken.results.push((name.to_string(), literal(ty, one.value)));
    }
    if taken.results.len() > given::MOST {
        return Err(Refusal::TooLong);
    }
    Made { source, file, error: &run.error, given: &taken, ends_at: None }.harness()
}

/// The value of a cell of the machine.
fn literal(ty: Option<&faultline_c::types::Type>, cell: u64) -> Literal {
    use faultline_c::types::Type;
    match ty {
        Some(Type::Float) => Literal::Single(f32::from_bits(cell as u32)),
        Some(Type::Double | Type::LongDouble) => Literal::Double(f64::from_bits(cell)),
        Some(Type::Integer(integer)) if !integer.signed() => Literal::Integer(cell.into()),
        _ => Literal::Integer((cell as i64).into()),
    }
}

/// Limits of the execution that confirms a file.
const LIMITS: Limits = Limits { steps: 5_000_000, memory: 64 << 20, output: 1 << 20 };

/// What a file is made from.
struct Made<'a> {
    source: &'a str,
    file: &'a str,
    error: &'a ErrorReport,
    given: &'a Given,
    ends_at: Option<usize>,
}

impl Made<'_> {
    fn harness(&self) -> Result<Harness, Refusal> {
        let ErrorReport { line, kind, message, detail, .. } = self.error;
        let options = sanitizer(*kind).ok_or(Refusal::Kind(*kind))?;
        let mut told = vec![format!("{}: {message}", capitalised(&error_place(self.error)))];
        told.extend(detail.as_ref().map(|detail| format!("{detail}.")));
        if !options.is_empty() {
            told.push("Only with the compiler's sanitizer the program notices it.".into());
        }
        if *kind == ErrorKind::Initialised {
            told.push("That takes clang, or Valgrind and no sanitizer.".into());
        }
        let parts = Parts {
            file: self.file,
            source: self.source,
            told,
            options,
            ends_at: self.ends_at,
            ..Parts::default()
        };
        let Needed { before, definitions, call, is_plain } = needed::needed(&parts, self.given)?;
        let main = if is_plain { Vec::new() } else { call.clone() };
        let mut parts = Parts { before, definitions, main, ..parts };
        let aborts = |one: &Definition| matches!(one.body, Body::Fails | Body::Assert);
        if self.ends_at.is_some() || parts.definitions.iter().any(aborts) {
            // So that the line is told where `abort` is called.
            parts.options = "-fsanitize=address";
            parts.environment = "ASAN_OPTIONS=handle_abort=1";
        }
        // An input may have to end in the middle of a line.
        let mut inputs = vec![self.given.text.clone()];
        if self.given.text.last().is_some_and(|byte| *byte != b'\n') {
            inputs.insert(0, [&self.given.text[..], b"\n"].concat());
        }
        let (text, before) = parts.render();
        let mut refused = Refusal::Elsewhere(*line);
        for input in inputs {
            match fails(&text, before, &input, *line, *kind) {
                Err(refusal) => refused = refusal,
                Ok(()) => {
                    if !self.given.reads {
                        return Ok(Harness { text, input: None });
                    }
                    parts.main = call;
                    parts.input = Some(&input);
                    return Ok(Harness { text: parts.render().0, input: Some(input) });
                }
            }
        }
        Err(refused)
    }
}

/// The sanitizer that notices an error of a kind; `None`: there is none.
fn sanitizer(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Assertion
        | ErrorKind::ErrorLabel
        | ErrorKind::ReachError
        | ErrorKind::Reached => "",
        ErrorKind::Division => "-fsanitize=integer-divide-by-zero -fno-sanitize-recover=all",
        ErrorKind::Overflow => {
            "-fsanitize=signed-integer-overflow,integer-divide-by-zero -fno-sanitize-recover=all"
        }
        ErrorKind::Shift => "-fsanitize=shift -fno-sanitize-recover=all",
        ErrorKind::Bounds => "-fsanitize=bounds,address -fno-sanitize-recover=all",
        ErrorKind::ArrayLength => "-fsanitize=vla-bound -fno-sanitize-recover=all",
        ErrorKind::Initialised => "-fsanitize=memory",
        ErrorKind::Null
        | ErrorKind::Outside
        | ErrorKind::Freed
        | ErrorKind::OutOfScope
        | ErrorKind::FreedOrOutOfScope
        | ErrorKind::ReadOnly
        | ErrorKind::FreedTwice
        | ErrorKind::InvalidFree => "-fsanitize=address",
        ErrorKind::NoValue
        | ErrorKind::Misaligned
        | ErrorKind::LostMemory
        | ErrorKind::UnrelatedPointers
        | ErrorKind::Assignment
        | ErrorKind::Rule
        | ErrorKind::Contract
        | ErrorKind::Exception
        | ErrorKind::Deadlock
        | ErrorKind::Race
        | ErrorKind::Target => return None,
    })
}

/// Does what ends a run count as an error of this kind?
fn ends_by(kind: ErrorKind, fault: Fault) -> bool {
    match kind {
        ErrorKind::Assertion | ErrorKind::ErrorLabel | ErrorKind::ReachError => {
            matches!(fault, Fault::Assertion | Fault::Abort)
        }
        ErrorKind::Division | ErrorKind::Overflow => fault == Fault::Division,
        // A member of what a null pointer leads to is no longer at null.
        ErrorKind::Null => matches!(fault, Fault::Null | Fault::Wild),
        ErrorKind::Bounds | ErrorKind::Outside => fault == Fault::Outside,
        ErrorKind::Freed => fault == Fault::Freed,
        ErrorKind::OutOfScope => fault == Fault::OutOfScope,
        ErrorKind::FreedOrOutOfScope => matches!(fault, Fault::Freed | Fault::OutOfScope),
        ErrorKind::ReadOnly => fault == Fault::ReadOnly,
        ErrorKind::FreedTwice => fault == Fault::FreedTwice,
        ErrorKind::InvalidFree => fault == Fault::InvalidFree,
        _ => false,
    }
}

/// Does a remark count as an error of this kind?
fn remarked_as(kind: ErrorKind, remark: Remark) -> bool {
    match kind {
        ErrorKind::Overflow => remark == Remark::Overflow,
        ErrorKind::Shift => remark == Remark::Shift,
        ErrorKind::Bounds => remark == Remark::Index,
        ErrorKind::ArrayLength => remark == Remark::Length,
        ErrorKind::Initialised => matches!(remark, Remark::NoValue(_)),
        _ => false,
    }
}

/// Executes the file: it fails at this line of the program, which begins behind so many lines, and
/// nothing that it rests on is left open.
fn fails(text: &str, before: u32, input: &[u8], line: u32, kind: ErrorKind) -> Result<(), Refusal> {
    let unread = |mistake: faultline_c::mistake::Mistake| Refusal::Unread(mistake.to_string());
    let tree = faultline_c::parse(text, &|_| None).map_err(unread)?;
    let code = faultline_c::compile(&tree).map_err(unread)?;
    let mut machine = Machine::new(&tree, &code, input, LIMITS);
    if kind == ErrorKind::Reached {
        return comes_to(&tree, machine, before + line).ok_or(Refusal::Elsewhere(line));
    }
    machine.go(u64::MAX);
    let at = |point: PointId| line_of(&tree, point).saturating_sub(before);
    let calls: Vec<u32> = machine.calls().map(at).collect();
    let is_call = matches!(machine.executed(), Some(Op::CallPointer(_)));
    let remarks = machine.remarks().to_vec();
    let end = machine.finish().end;
    for (remark, point) in remarks {
        if remarked_as(kind, remark) {
            return if at(point) == line { Ok(()) } else { Err(Refusal::Elsewhere(line)) };
        }
        if matches!(remark, Remark::NoValue(_)) {
            return Err(Refusal::NoValue(at(point)));
        }
    }
    match end {
        End::Fault(Fault::Null, _) if is_call => Err(Refusal::CallsNull),
        End::Fault(fault, _) if ends_by(kind, fault) && calls.contains(&line) => Ok(()),
        _ => Err(Refusal::Elsewhere(line)),
    }
}

/// Does the execution come to a line?
fn comes_to(tree: &Tree, mut machine: Machine<'_>, line: u32) -> Option<()> {
    loop {
        let has_ended = machine.go(machine.points() + 1);
        match (line_of(tree, machine.point()) == line, has_ended) {
            (true, _) => return Some(()),
            (false, true) => return None,
            (false, false) => {}
        }
    }
}

fn line_of(tree: &Tree, point: PointId) -> u32 {
    tree.points.get(point.index()).map_or(0, |point| point.span.line)
}
