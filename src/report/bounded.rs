//! The answer of the bounded engine, as a report: its runs are those of the machine that executes
//! C.

use super::executed::Executed;
use crate::draw::failure::enumerated;
use crate::lang::directives;
use crate::lang::tokens;
use crate::util::Limit;
use crate::wire::cegar::{Decider, DecisionReport, RefinedReport};
use crate::wire::dialect::Dialect;
use crate::wire::note::Unchecked;
use crate::wire::options::{Checks, DataModel, EffectiveOptions, Globals, RequestedOptions};
use crate::wire::report::{
    Analysis, BoundedReport, DecidedBy, ErrorKind, FailureReport, ProofReport, Report, TraceEntry,
    Verdict,
};
use crate::wire::value::Value;
use faultline_bounded as bounded;
use faultline_bounded::{Failure, Found, Outcome, Reason};
use faultline_c::code::{Code, Native, Op};
use faultline_c::machine::{Fault, Machine};
use faultline_c::tree::{PointId, Tree};
use std::rc::Rc;

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
    let Question { tree, code, checks } = question(source, requested, options)?;
    let most = bounded::LARGEST_BOUND;
    let outcome = bounded::check(&tree, &code, checks, most, stop, &mut |_| {});
    use bounded::Limit::{Address, Unsupported};
    if let bounded::Verdict::Unknown(Reason::Limit(Address | Unsupported)) = outcome.verdict {
        return None;
    }
    let options = EffectiveOptions {
        bits: 32,
        // It follows any number of objects.
        heap: None,
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

/// Has the bounded engine a place here? It may still end in a limit, or meet what it does not
/// follow.
pub fn is_bounded(source: &str, requested: &RequestedOptions, options: &EffectiveOptions) -> bool {
    question(source, requested, options).is_some()
}

/// Directives with which it has a place. What they say is in the options, or is about other
/// questions than the check.
const UNDERSTOOD: [&str; 10] = [
    "bits",
    "check",
    "checks",
    "fair",
    "globals",
    "heap",
    "ltl",
    "model",
    "switches",
    "terminates",
];

/// What is asked of the bounded engine.
pub(super) struct Question {
    pub(super) tree: Tree,
    pub(super) code: Code,
    pub(super) checks: bounded::Checks,
}

pub(super) fn question(
    source: &str,
    requested: &RequestedOptions,
    options: &EffectiveOptions,
) -> Option<Question> {
    if options.dialect != Dialect::C
        || options.model != DataModel::Lp64
        || !options.open_width && options.bits != 32
        || requested.heap.is_some()
        || options.globals != Globals::Zero
        || options.error.is_some()
        // Rules are woven into the other front end's tree only.
        || !options.rules.is_empty()
        || !requested.rules.is_empty()
        || !requested.defines.is_empty()
        // So are contracts and procedures that start alone.
        || options.function.is_some()
        || tokens::has_annotation(source)
    {
        return None;
    }
    let keys = directives::keys(source);
    if !keys.iter().all(|key| UNDERSTOOD.contains(&key.as_str())) {
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
    let says_checks = requested.checks.is_some()
        || keys.iter().any(|key| matches!(key.as_str(), "check" | "checks"));
    let checks = match (says_checks, options.checks) {
        (false, _) => bounded::default_checks(&code),
        (true, Checks { leak: true, .. } | Checks { race: true, .. }) => return None,
        (true, checks) => bounded::Checks {
            bounds: checks.bounds,
            division: checks.division,
            overflow: checks.overflow,
            shift: checks.shift,
            initialised: checks.initialised,
        },
    };
    Some(Question { tree, code, checks })
}

/// So many values of a statement are told.
const MOST_VALUES: usize = 4;

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
                unchecked: self.unchecked(),
                bounded: Some(figures),
                ..report(Verdict::Safe)
            },
            bounded::Verdict::Executed => {
                let by = Decider::Execution;
                let decided = DecisionReport { by, predicates: 0, followed: 0, variables: 0 };
                Report {
                    refined: Some(RefinedReport { rounds: 0, decided: Some(decided) }),
                    unchecked: self.unchecked(),
                    ..report(Verdict::Safe)
                }
            }
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
                let first = failures.first();
                if let Some(first) = first {
                    figures.input = first.input.clone();
                    figures.choices = first.choices.clone();
                }
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

    /// What "no run fails" says nothing about, if the program itself does not say what an error is.
    /// Every run ends, since none was cut off.
    fn unchecked(&self) -> Vec<Unchecked> {
        if self.code.ops.iter().any(|op| matches!(op, Op::Assert)) {
            return Vec::new();
        }
        // The library's own bodies take memory, too.
        let mut is_own = false;
        let takes_memory = self.code.ops.iter().any(|op| match op {
            Op::Point(point) => {
                is_own = !self.tree.points[point.index()].span.foreign;
                false
            }
            Op::Native(Native::Malloc | Native::Calloc | Native::Realloc, ..) => is_own,
            _ => false,
        });
        let open = [
            (true, Unchecked::Output),
            (takes_memory, Unchecked::Leaks),
            (!self.checks.overflow, Unchecked::Overflow),
            (!self.checks.initialised, Unchecked::Initialised),
        ];
        open.into_iter().filter(|(is_open, _)| *is_open).map(|(_, what)| what).collect()
    }

    fn failure(&self, found: &Found) -> FailureReport {
        let kind = kind(found.failure);
        let told = Executed { source: self.source, tree: self.tree };
        let line = told.line(found.point);
        let statement = told.statement(found.point);
        let message = match found.failure {
            Failure::Fault(Fault::Assertion) => format!("`{statement}` does not hold"),
            _ => format!("`{statement}`: {}", kind.meaning().headline),
        };
        let trace = self.trace(found);
        let values = trace.last().map(|last| self.values(found.point, last)).unwrap_or_default();
        let told = [enumerated(&values), input(found)];
        let told: Vec<String> = told.into_iter().filter(|part| !part.is_empty()).collect();
        let detail = Some(told.join(", ")).filter(|detail| !detail.is_empty());
        let input = Some(String::from_utf8_lossy(&found.given.text).into_owned());
        let choices = found.given.choices.iter().map(|one| *one as i64).collect();
        FailureReport { line, kind, message, detail, broken: None, trace, input, choices }
    }

    /// The values of the variables that a statement reads: "n is 3".
    fn values(&self, point: PointId, before: &TraceEntry) -> Vec<String> {
        let Some(place) = self.tree.points.get(point.index()) else { return Vec::new() };
        let procedure = self.code.procedures[place.procedure.index()].as_ref();
        let objects = procedure.map_or(&[][..], |procedure| &procedure.objects);
        let object = |slot: u32| objects.iter().find(|(of, ..)| *of == slot).map(|(.., id)| *id);
        let of_point =
            self.code.ops.iter().skip_while(|op| !matches!(op, Op::Point(p) if *p == point));
        let read = of_point.skip(1).take_while(|op| !matches!(op, Op::Point(_)));
        let mut names: Vec<&String> = Vec::new();
        for id in read.filter_map(|op| match op {
            Op::Slot(_, id) => Some(*id),
            Op::Object(slot) => object(*slot),
            _ => None,
        }) {
            let name = &self.tree.variables[id.index()].name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let value = |name: &String| {
            let found = before.values.0.iter().rev().find(|(of, _)| of == name);
            match found.map(|(_, value)| value) {
                Some(value @ (Value::Number(_) | Value::Decimal(_))) => {
                    Some(format!("{name} is {value}"))
                }
                _ => None,
            }
        };
        names.into_iter().filter_map(value).take(MOST_VALUES).collect()
    }

    /// The run as the machine executes it, up to the statement that fails.
    fn trace(&self, found: &Found) -> Vec<TraceEntry> {
        let start = || bounded::replay(self.tree, self.code, self.checks, &found.given);
        let fails = |machine: &Machine<'_>| {
            machine.remarks().iter().any(|(remark, _)| found.failure.is(*remark))
        };
        let told = Executed { source: self.source, tree: self.tree };
        let mut trace = told.trace(&start, &fails, |_, _| ());
        trace.drain(..).map(|(entry, ())| entry).collect()
    }
}

/// What the run reads, in words.
fn input(found: &Found) -> String {
    let text = String::from_utf8_lossy(&found.given.text);
    let text = text.trim_end_matches('\n');
    match (text.is_empty(), found.complete) {
        (false, true) => format!("with the input {text:?}"),
        (false, false) => format!("where the input ends behind {text:?}, or goes on otherwise"),
        (true, true) => String::new(),
        (true, false) => "where there is no input".into(),
    }
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

pub(super) fn limit(reason: Reason) -> Limit {
    match reason {
        Reason::Limit(bounded::Limit::Time) => Limit::Time,
        Reason::Limit(bounded::Limit::Nodes) => Limit::Nodes,
        Reason::Bound(bounded::Cut::Depth, _) => Limit::Depth,
        Reason::Bound(..) => Limit::Rounds,
        Reason::Limit(_) | Reason::NotConfirmed(..) | Reason::Proof => Limit::Steps,
    }
}
