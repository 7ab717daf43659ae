//! The answer of the bounded engine, as a report: its runs are those of the machine that executes
//! C.

use crate::util::Limit;
use crate::wire::dialect::Dialect;
use crate::wire::options::{Checks, DataModel, EffectiveOptions, Globals, RequestedOptions};
use crate::wire::report::{
    Analysis, BoundedReport, DecidedBy, ErrorKind, FailureReport, ProofReport, Report, TraceEntry,
    Verdict,
};
use crate::wire::step::{Change, Element};
use crate::wire::value::{Value, Values};
use faultline_bounded as bounded;
use faultline_bounded::{Failure, Found, Outcome, Reason};
use faultline_c::code::Code;
use faultline_c::machine::{Fault, Machine};
use faultline_c::tree::{PointId, Tree};
use std::rc::Rc;

/// Statements of a run that are told; of a longer one the last.
const MOST_STEPS: u64 = 2000;

/// Asks the bounded engine. `None` if it has no place here: another language, other widths, checks
/// that it does not make, C that it does not read.
///
/// Of an answer `unknown`, `bounded.bound` says within how many rounds no run fails.
pub fn bounded(
    source: &str,
    requested: &RequestedOptions,
    options: &EffectiveOptions,
    stop: Rc<dyn Fn() -> bool>,
) -> Option<Report> {
    if options.dialect != Dialect::C
        || options.model != DataModel::Lp64
        || requested.bits.is_some_and(|bits| bits != 32)
        || requested.heap.is_some()
        || options.globals != Globals::Zero
        || options.error.is_some()
        // Rules are woven into the other front end's tree only.
        || !options.rules.is_empty()
        || !requested.rules.is_empty()
        || !requested.defines.is_empty()
    {
        return None;
    }
    let tree = faultline_c::parse(source, &|_| None).ok()?;
    let code = faultline_c::compile(&tree).ok()?;
    code.main?;
    let is_error = |label: &String| label == "ERROR" || options.label.as_ref() == Some(label);
    let is_thread = |label: &String| label.starts_with("__CPROVER_ASYNC_");
    if code.labels.iter().any(|label| is_error(label) || is_thread(label)) {
        return None;
    }
    let checks = match requested.checks {
        Some(Checks { leak: true, .. } | Checks { race: true, .. }) => return None,
        Some(checks) => bounded::Checks {
            bounds: checks.bounds,
            division: checks.division,
            overflow: checks.overflow,
            shift: checks.shift,
            initialised: checks.initialised,
        },
        None => bounded::default_checks(&code),
    };
    let most = bounded::LARGEST_BOUND;
    let outcome = bounded::check(&tree, &code, checks, most, stop, &mut |_| {});
    use bounded::Limit::{Address, Unsupported};
    if let bounded::Verdict::Unknown(Reason::Limit(Address | Unsupported)) = outcome.verdict {
        return None;
    }
    let options = EffectiveOptions {
        bits: 32,
        checks: Checks {
            bounds: checks.bounds,
            division: checks.division,
            overflow: checks.overflow,
            shift: checks.shift,
            initialised: checks.initialised,
            ..Checks::NONE
        },
        ..options.clone()
    };
    Some(Told { source, tree: &tree, code: &code, checks }.report(options, outcome))
}

/// What a report is made from.
struct Told<'p> {
    source: &'p str,
    tree: &'p Tree,
    code: &'p Code,
    checks: bounded::Checks,
}

impl Told<'_> {
    fn report(&self, options: EffectiveOptions, outcome: Outcome) -> Report {
        let mut figures = BoundedReport {
            decided_by: DecidedBy::Bounded,
            bound: None,
            input: None,
            choices: Vec::new(),
            circuit: outcome.nodes as u64,
            conflicts: outcome.conflicts,
        };
        let report =
            |verdict| Report { checked: 1, ..Report::new(Analysis::Check, verdict, options) };
        match outcome.verdict {
            bounded::Verdict::Safe => Report {
                proof: Some(ProofReport { checked: true, limit: None }),
                bounded: Some(figures),
                ..report(Verdict::Safe)
            },
            bounded::Verdict::Unknown(reason) => {
                figures.bound = Some(outcome.bound);
                Report {
                    limit: Some(limit(reason)),
                    bounded: Some(figures),
                    ..report(Verdict::Unknown)
                }
            }
            bounded::Verdict::Fails(mut list) => {
                // What needs an input that ends early, nobody asked first.
                list.sort_by_key(|found| (!found.complete, distance(found.failure)));
                let failures: Vec<FailureReport> =
                    list.iter().map(|found| self.failure(found)).collect();
                if let Some(first) = list.first() {
                    figures.input = Some(String::from_utf8_lossy(&first.given.text).into_owned());
                    figures.choices = first.given.choices.iter().map(|one| *one as i64).collect();
                }
                let first = failures.first();
                Report {
                    error: first.map(FailureReport::error),
                    trace: first.map(|first| first.trace.clone()),
                    shortest: Some(false),
                    bounded: Some(figures),
                    failures: if failures.len() > 1 { failures } else { Vec::new() },
                    ..report(Verdict::Unsafe)
                }
            }
        }
    }

    fn failure(&self, found: &Found) -> FailureReport {
        let kind = kind(found.failure);
        let line = self.line(found.point);
        let statement = self.statement(found.point);
        let message = match found.failure {
            Failure::Fault(Fault::Assertion) => format!("`{statement}` does not hold"),
            _ => format!("`{statement}`: {}", kind.meaning().headline),
        };
        FailureReport { line, kind, message, detail: self.detail(found), trace: self.trace(found) }
    }

    /// What the run reads, in words.
    fn detail(&self, found: &Found) -> Option<String> {
        let text = String::from_utf8_lossy(&found.given.text);
        let text = text.trim_end_matches('\n');
        match (text.is_empty(), found.complete) {
            (false, true) => Some(format!("it happens with the input {text:?}")),
            (false, false) => Some(format!(
                "it happens where the input ends behind {text:?}, or goes on otherwise"
            )),
            (true, true) => None,
            (true, false) => Some("it happens where there is no input".into()),
        }
    }

    fn line(&self, point: PointId) -> u32 {
        self.tree.points.get(point.index()).map_or(1, |point| point.span.line.max(1))
    }

    fn statement(&self, point: PointId) -> String {
        let Some(point) = self.tree.points.get(point.index()) else { return String::new() };
        let line = || {
            let line = self.source.lines().nth(point.span.line.saturating_sub(1) as usize);
            line.unwrap_or_default().trim()
        };
        let text = match self.source.get(point.span.start as usize..point.span.end as usize) {
            Some(text) if !point.span.foreign => text.lines().next().unwrap_or_default().trim(),
            _ => line(),
        };
        text.trim_end_matches(['{', ' ']).to_string()
    }

    /// The run as the machine executes it, statement by statement.
    fn trace(&self, found: &Found) -> Vec<TraceEntry> {
        let start = || bounded::replay(self.tree, self.code, self.checks, &found.given);
        let fails = |machine: &Machine<'_>| {
            machine.remarks().iter().any(|(remark, _)| found.failure.is(*remark))
        };
        // How many statements there are, then the last of them.
        let mut machine = start();
        let ended = loop {
            let ended = machine.go(machine.points() + 1);
            if ended || fails(&machine) {
                break ended;
            }
        };
        // What is remarkable is known when the next statement begins.
        let last = machine.points() - u64::from(!ended);
        let mut machine = start();
        machine.go(last.saturating_sub(MOST_STEPS) + 1);
        let mut list = vec![self.entry(&machine)];
        while machine.points() < last && !machine.go(machine.points() + 1) {
            list.push(self.entry(&machine));
        }
        for k in 1..list.len() {
            let changes = changes(&list[k - 1], &list[k]);
            list[k - 1].changes = changes;
        }
        list
    }

    /// The statement that the machine is about to execute.
    fn entry(&self, machine: &Machine<'_>) -> TraceEntry {
        let point = machine.point();
        let frames = machine.frames();
        let name = |id: faultline_c::tree::VariableId| self.tree.variables[id.index()].name.clone();
        let mut values = Vec::new();
        for global in machine.global_variables() {
            values.push((name(global.variable), value(global.value)));
        }
        let globals = values.len() as u32;
        for local in frames.last().map_or(&[][..], |frame| &frame.variables) {
            if let Some(text) = &local.value {
                values.push((name(local.variable), value(Some(text.clone()))));
            }
        }
        let procedure = self.tree.points.get(point.index()).map(|point| point.procedure);
        TraceEntry {
            line: self.line(point),
            procedure: procedure
                .map(|id| self.tree.procedures[id.index()].name.clone())
                .unwrap_or_default(),
            statement: self.statement(point),
            values: Values(values),
            globals,
            depth: frames.len().saturating_sub(1) as u32,
            ..TraceEntry::default()
        }
    }
}

/// A value in C's notation.
fn value(text: Option<String>) -> Value {
    let Some(text) = text else { return Value::Name("?".into()) };
    match text.parse() {
        Ok(number) => Value::Number(number),
        Err(_) if text.parse::<f64>().is_ok() => {
            Value::Decimal(if text.contains(['.', 'e', 'N', 'i']) { text } else { text + ".0" })
        }
        Err(_) => Value::Name(text),
    }
}

/// What a statement changed, as far as the next one is of the same call.
fn changes(before: &TraceEntry, after: &TraceEntry) -> Vec<Change> {
    if before.depth != after.depth || before.procedure != after.procedure {
        return Vec::new();
    }
    let mut list = Vec::new();
    for (k, (name, new)) in after.values.0.iter().enumerate() {
        let old = before.values.0.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        if old != Some(new) {
            list.push(Change {
                element: Element {
                    place: name.clone(),
                    variable: name.clone(),
                    indices: Vec::new(),
                },
                before: old.cloned(),
                after: new.clone(),
                frame: (k as u32 >= after.globals).then_some(0),
                character: false,
            });
        }
    }
    list
}

/// Errors that nobody wants to see first stand last: sums far out.
fn distance(failure: Failure) -> u32 {
    match failure {
        Failure::NoValue => 0,
        Failure::Fault(_) | Failure::Index | Failure::Length => 1,
        Failure::Shift => 2,
        Failure::Overflow => 3,
    }
}

fn kind(failure: Failure) -> ErrorKind {
    match failure {
        Failure::Overflow => ErrorKind::Overflow,
        Failure::Shift => ErrorKind::Shift,
        Failure::Index => ErrorKind::Bounds,
        Failure::Length => ErrorKind::ArrayLength,
        Failure::NoValue => ErrorKind::Initialised,
        Failure::Fault(fault) => match fault {
            Fault::Assertion | Fault::Abort => ErrorKind::Assertion,
            Fault::Division => ErrorKind::Division,
            Fault::Null => ErrorKind::Null,
            Fault::Wild | Fault::NoProcedure => ErrorKind::NoValue,
            Fault::Outside | Fault::Depth => ErrorKind::Outside,
            Fault::Freed => ErrorKind::Freed,
            Fault::OutOfScope => ErrorKind::OutOfScope,
            Fault::ReadOnly => ErrorKind::ReadOnly,
            Fault::FreedTwice => ErrorKind::FreedTwice,
            Fault::InvalidFree => ErrorKind::InvalidFree,
        },
    }
}

fn limit(reason: Reason) -> Limit {
    match reason {
        Reason::Limit(bounded::Limit::Time) => Limit::Time,
        Reason::Limit(bounded::Limit::Nodes) => Limit::Nodes,
        Reason::Bound(bounded::Cut::Depth, _) => Limit::Depth,
        Reason::Bound(..) => Limit::Rounds,
        Reason::Limit(_) | Reason::NotConfirmed(..) | Reason::Proof => Limit::Steps,
    }
}
