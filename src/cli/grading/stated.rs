//! What the engine says of a submission: rules beside it, and a procedure alone.

use crate::cli::clock::Clock;
use crate::draw::failure::sentence;
use crate::draw::words::{assuming, headline, limit_sentence};
use crate::lang::diagnostic::Diagnostic;
use crate::report;
use crate::session::{Budgets, Session, Task};
use crate::wire::broken::BrokenReport;
use crate::wire::diagnostic::Severity;
use crate::wire::options::{C_BITS, Checks, Dialect, RequestedOptions, RuleText};
use crate::wire::report::{ErrorReport, Report};
use crate::wire::{options::Globals, report::Verdict as Answer};
use faultline_grading::row::{Broken, Checked, Given, Verdict};

/// What runs break that a row lists.
const LISTED: usize = 5;
/// Values that a run takes and a row lists.
const VALUES: usize = 12;
/// Several submissions are checked at once.
const MAX_NODES: u64 = 2_000_000;

/// What submissions are to obey.
pub(super) struct Stated {
    pub(super) rules: Vec<RuleText>,
    pub(super) function: Option<String>,
    /// Steps of the engine for each question.
    pub(super) max_steps: u64,
}

/// What is asked of one program.
pub(super) enum Asked<'s> {
    /// No run breaks these.
    Rules(&'s [RuleText]),
    /// This procedure does not fail.
    Alone(&'s str),
}

/// An answer of the engine, and where its failing run ends.
pub(super) struct Found {
    pub(super) checked: Checked,
    pub(super) options: RequestedOptions,
    /// The last step of the run that is shown.
    pub(super) step: Option<u32>,
}

impl Stated {
    /// Is there nothing?
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.function.is_none()
    }

    /// The questions. A procedure alone has no end at which rules hold, so there may be two.
    fn questions(&self) -> Vec<Asked<'_>> {
        let rules = (!self.rules.is_empty()).then_some(Asked::Rules(&self.rules));
        let alone = self.function.as_deref().map(Asked::Alone);
        rules.into_iter().chain(alone).collect()
    }

    /// Asks the engine about a program, for so many seconds.
    pub(super) fn found(&self, source: &str, seconds: f64) -> Vec<Found> {
        let questions = self.questions();
        let share = seconds / questions.len().max(1) as f64;
        questions.iter().map(|asked| found(source, asked, (share, self.max_steps))).collect()
    }

    /// What is wrong with the reference: the engine does not read it, or has no such procedure.
    pub(super) fn refusal(&self, source: &str) -> Option<Vec<Diagnostic>> {
        self.questions().iter().find_map(|asked| {
            let (_, diagnostics) = Session::load(source, &asked.options());
            is_refused(&diagnostics).then_some(diagnostics)
        })
    }
}

impl Asked<'_> {
    /// Who asks for rules alone asks for nothing else: an index outside of an array on an input
    /// that nobody meant is no broken rule.
    fn options(&self) -> RequestedOptions {
        let options = RequestedOptions {
            dialect: Some(Dialect::C),
            globals: Some(Globals::Zero),
            ..RequestedOptions::default()
        };
        match self {
            Asked::Rules(rules) => {
                RequestedOptions { rules: rules.to_vec(), checks: Some(Checks::NONE), ..options }
            }
            Asked::Alone(name) => RequestedOptions {
                function: Some((*name).to_string()),
                checks: Some(Checks::default()),
                ..options
            },
        }
    }

    /// For people and tables.
    fn name(&self) -> String {
        match self {
            Asked::Rules(rules) => {
                let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
                format!("rule {}", names.join(", "))
            }
            Asked::Alone(name) => format!("{name} alone"),
        }
    }

    /// Does an error count? A program's own assertions are stated as rules are.
    fn counts(&self, error: &ErrorReport) -> bool {
        match self {
            Asked::Rules(_) => error.kind.is_stated(),
            Asked::Alone(_) => true,
        }
    }
}

fn is_refused(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|one| one.severity == Severity::Error)
}

/// Asks one question, within so many seconds and steps.
fn found(source: &str, asked: &Asked<'_>, (seconds, max_steps): (f64, u64)) -> Found {
    let mut options = asked.options();
    let (mut session, mut diagnostics) = Session::load(source, &options);
    if session.program().is_some() && !session.options().open_width {
        // A submission does not say how wide its integers are.
        options.bits = Some(C_BITS);
        (session, diagnostics) = Session::load(source, &options);
    }
    if session.program().is_none() || is_refused(&diagnostics) {
        return Found { checked: refused(asked, &diagnostics), options, step: None };
    }
    session.use_portfolio(&options);
    session.list_failures();
    let clock = Clock::of(Some(seconds), &mut session);
    let budgets = Budgets { max_nodes: MAX_NODES, max_steps, ..Budgets::default() };
    clock.start(&mut session, Task::Check, budgets);
    clock.run(&mut session);
    let report = report::report(&session);
    let counted = counted(asked, &report);
    let step = counted.first().and_then(|(_, steps)| steps.checked_sub(1));
    let broken = broken(&session, &counted);
    Found { checked: checked(asked, &report, broken), options, step }
}

/// The engine does not read it.
fn refused(asked: &Asked<'_>, diagnostics: &[Diagnostic]) -> Checked {
    let first = diagnostics.iter().find(|one| one.severity == Severity::Error);
    let why = first.map_or(String::new(), |one| {
        let hint = if one.hint.is_empty() { String::new() } else { format!(" ({})", one.hint) };
        format!(": line {}: {}{hint}", one.span.line, one.message)
    });
    Checked {
        asked: asked.name(),
        verdict: Verdict::Refused,
        limit: None,
        message: format!("The engine does not read it{why}."),
        broken: Vec::new(),
    }
}

/// The errors that count, each with the number among those that the session lists and the number of
/// steps of its run. Runs that break one thing in one line are told once.
fn counted(asked: &Asked<'_>, report: &Report) -> Vec<((usize, ErrorReport), u32)> {
    let steps = |trace: &[_]| trace.len() as u32;
    let mut all: Vec<(ErrorReport, u32)> =
        report.failures.iter().map(|one| (one.error(), one.trace.len() as u32)).collect();
    if let (true, Some(error)) = (all.is_empty(), &report.error) {
        all.push((error.clone(), report.trace.as_deref().map_or(0, steps)));
    }
    let mut list: Vec<((usize, ErrorReport), u32)> = Vec::new();
    for (k, (error, steps)) in all.into_iter().enumerate() {
        let is_told = |((_, other), _): &((usize, ErrorReport), u32)| {
            (other.line, other.kind, &other.broken) == (error.line, error.kind, &error.broken)
        };
        if asked.counts(&error) && !list.iter().any(is_told) {
            list.push(((k, error), steps));
        }
    }
    list
}

fn broken(session: &Session, counted: &[((usize, ErrorReport), u32)]) -> Vec<Broken> {
    let one = |((k, error), _): &((usize, ErrorReport), u32)| {
        let mut broken = Broken {
            kind: error.kind.word().to_string(),
            line: error.line,
            message: sentence(error).trim_end_matches('.').to_string(),
            ..Broken::default()
        };
        match &error.broken {
            Some(BrokenReport::Rule(rule)) => {
                broken.rule = Some(rule.name.clone());
                broken.says = Some(rule.says.clone());
                broken.state = Some(rule.state.clone());
                broken.event = rule.event.clone();
            }
            Some(BrokenReport::Contract(contract)) => {
                broken.clause = Some(contract.clause.clone());
                broken.event = contract.call.clone();
            }
            None => {}
        }
        if let Some(taken) = report::taken(session, *k) {
            broken.input = taken.input;
            let given = taken.values.into_iter().take(VALUES);
            broken.given = given.map(|(name, value)| Given { name, value }).collect();
        }
        broken
    };
    counted.iter().take(LISTED).map(one).collect()
}

fn checked(asked: &Asked<'_>, report: &Report, broken: Vec<Broken>) -> Checked {
    // Other errors than those that were asked for say nothing, unless they kept the engine from
    // looking at all checks.
    let limit = report.limit.or(report.failures_limit);
    let verdict = match report.verdict {
        _ if !broken.is_empty() => Verdict::Fails,
        Answer::Safe => Verdict::Passes,
        Answer::Unsafe if report.failures_limit.is_none() => Verdict::Passes,
        Answer::Unsafe | Answer::Unknown => Verdict::Unknown,
    };
    let name = asked.name();
    let assumed = assuming(report).map(|told| format!(" ({told})")).unwrap_or_default();
    let at = broken.first().map(|one| format!(" in line {}", one.line)).unwrap_or_default();
    let message = match (verdict, asked, limit) {
        (Verdict::Fails, Asked::Rules(_), _) => format!("A run breaks {name}{at}."),
        (Verdict::Fails, Asked::Alone(of), _) => format!("A run of {of} alone fails{at}{assumed}."),
        (Verdict::Passes, Asked::Rules(_), _) => format!("No run breaks {name}."),
        (Verdict::Passes, Asked::Alone(_), _) => format!("{}{assumed}.", headline(report)),
        (_, _, Some(limit)) => {
            format!("With {name} there is no answer: {}.", limit_sentence(limit))
        }
        (_, _, None) => format!("With {name} there is no answer."),
    };
    let limit = limit.filter(|_| verdict == Verdict::Unknown).map(|limit| limit.word().to_string());
    Checked { asked: name, verdict, limit, message, broken }
}
