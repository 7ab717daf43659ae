//! `faultline check` and `faultline projection`: the verdict, a failing run, the statements on
//! failing runs.

use super::arguments::{Common, Engine, Format, Leaves};
use super::clock::Clock;
use super::questions::{Answers, Questions};
use super::text::{self, Style};
use super::{console, junit, leaves, pushdown, sarif, through, witness};
use crate::lang::diagnostic::may_be_read_otherwise;
use crate::report::{self, EarlyTries, json};
use crate::session::{Job, Session, Task};
use crate::util::{Alarm, Limit, Progress};
use crate::wire::harness::{BoundedRun, HarnessAnswer};
use crate::wire::options::{Dialect, EffectiveOptions};
use crate::wire::report::{BoundedReport, Report, Verdict};
use serde::Serialize;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What is asked besides the task.
pub(super) struct Asked<'a> {
    /// Which engine decides.
    pub(super) engine: Engine,
    /// Lines that one more failing run goes through.
    pub(super) through: &'a [u32],
    /// Files with which the failing run leaves.
    pub(super) leaves: &'a Leaves,
}

/// Runs `check` or `projection` and prints the report. The error is a message about bad input.
pub(super) fn print(
    common: &Common,
    task: Task,
    asked: &Asked<'_>,
    questions: &Questions,
) -> Result<Verdict, String> {
    let Asked { engine, through, leaves } = *asked;
    refuse_format(common, task, through, questions)?;
    let began = Instant::now();
    let is_asked = common.invariants || common.witness.is_some();
    let has_words = matches!(common.format, Format::Text | Format::Json);
    if engine == Engine::Bounded && (is_asked || !has_words) {
        return Err("faultline: the bounded engine answers as text or json, without invariants and witnesses\n".to_string());
    }
    // In the end, where the diagrams gave no answer.
    let helps = task == Task::Check && engine != Engine::Diagrams && has_words && !is_asked;
    let source = console::source(common)?;
    if engine == Engine::Bounded {
        let options = Session::load(&source, &common.requested()).0.options().clone();
        return match bounded(common, &source, &options, began) {
            Some(report) => print_bounded(common, &report, &source, leaves),
            None => Err(NO_PLACE.to_string()),
        };
    }
    let mut session = match console::load_text(common, &source) {
        Ok(session) => session,
        Err(refusal) if helps => {
            let (session, found) = Session::load(&source, &common.requested());
            let options = session.options().clone();
            let report =
                may_be_read_otherwise(&found).then(|| bounded(common, &source, &options, began));
            return match report.flatten() {
                Some(report) => print_bounded(common, &report, &source, leaves),
                None => Err(refusal),
            };
        }
        Err(refusal) => return Err(refusal),
    };
    if session.raw().is_some() {
        pushdown::refuse_questions(task, questions)?;
        pushdown::refuse_cases(common)?;
    }
    questions.refuse(&session, task, Style::of_errors())?;
    let sets = match (session.program(), session.raw()) {
        (Some(program), _) => through::statements(program, through)?,
        (None, Some(raw)) => through::rules(raw.system(), through)?,
        (None, None) => Vec::new(),
    };
    session.use_portfolio(&common.requested());
    session.list_failures();
    let is_c = session.options().dialect == Dialect::C;
    // The bounded engine has the last part of the time.
    let share = if helps && is_c { SHARE } else { 1.0 };
    let clock = Clock::of(common.timeout.map(|seconds| seconds * share), &mut session);
    clock.start(&mut session, task, common.budgets());
    match helps && sets.is_empty() && questions.is_empty() {
        true => {
            let options = session.options().clone();
            let answer = |looks| bounded_within(common, &source, &options, began, looks);
            let early = EarlyTries::new(&session);
            let mut run = Beside { session: &mut session, early, answer, found: None };
            clock.run(&mut run);
            if let Some(found) = run.found {
                return print_bounded(common, &found, &source, leaves);
            }
        }
        false => clock.run(&mut session),
    }
    if !sets.is_empty() && session.seek_through(sets) {
        clock.run(&mut session);
    }
    let mut report = report::report(&session);
    if helps && is_c && report.verdict == Verdict::Unknown && report.fault.is_none() {
        let options = session.options().clone();
        match bounded(common, &source, &options, began) {
            Some(found) if found.verdict != Verdict::Unknown => {
                return print_bounded(common, &found, &source, leaves);
            }
            found => report.bounded = found.and_then(|found| found.bounded),
        }
    }
    if common.invariants {
        report.invariant = report::invariants(&mut session);
    }
    let answers = questions.ask(&mut session, &clock);
    let style = Style::of_output();
    let mut verdict = report.verdict;
    let printed = match common.format {
        Format::Sarif => sarif::render(&report, &common.file, &source),
        Format::Junit => {
            let (printed, of_all) = junit::render(common, &session, &report, &source, &clock);
            verdict = of_all;
            printed
        }
        Format::Json => rendered(&report, Some(&answers)),
        _ if report.pushdown.is_some() => {
            // Systems have many rules, and only a projection shows them.
            let shown = report.projection.is_some();
            let statements = if shown { report::statements(&session) } else { Vec::new() };
            pushdown::render(&report, &source, &statements, style)
        }
        _ => text::render(&report, &source, &report::statements(&session), style) + &answers.text(),
    };
    // The report is printed even if the witness cannot be written.
    let written = match &common.witness {
        Some(path) => witness::write(common, path, &mut session),
        None => Ok(()),
    };
    console::print(&printed)?;
    let name = leaves::called(common);
    leaves::write(leaves, || report::harness(&session, 0, &name))?;
    written.map(|()| verdict)
}

/// How much of the time the diagrams have, where the bounded engine can follow.
const SHARE: f64 = 0.6;
/// Seconds of the bounded engine, if nobody gives a limit.
const SECONDS: f64 = 20.0;

const NO_PLACE: &str = "faultline: the bounded engine takes C with `int` of 32 bits and `long` of 64, \
    that has a `main`, no threads and no label `error`, and checks neither leaks nor races\n";

/// Asks the bounded engine, in what is left of the time.
fn bounded(
    common: &Common,
    source: &str,
    options: &EffectiveOptions,
    began: Instant,
) -> Option<Report> {
    bounded_within(common, source, options, began, u32::MAX)
}

/// Asks the bounded engine, in what is left of the time, with so many looks at the clock.
fn bounded_within(
    common: &Common,
    source: &str,
    options: &EffectiveOptions,
    began: Instant,
    looks: u32,
) -> Option<Report> {
    let now = Instant::now();
    let end = match common.timeout {
        Some(seconds) => began + Duration::from_secs_f64(seconds),
        None => now + Duration::from_secs_f64(SECONDS),
    };
    let looked = Cell::new(0);
    let stop = Rc::new(move || {
        looked.set(looked.get() + 1);
        looked.get() > looks || Instant::now() >= end
    });
    report::bounded(source, &common.requested(), options, stop)
}

/// A run of the diagrams, and the early tries of the bounded engine beside it: its answer ends the
/// run.
struct Beside<'a, A> {
    session: &'a mut Session,
    early: EarlyTries,
    /// Asks it, with so many looks at the clock.
    answer: A,
    found: Option<Report>,
}

impl<A: FnMut(u32) -> Option<Report>> Job for Beside<'_, A> {
    fn step(&mut self) -> bool {
        if let Some(looks) = self.early.due(self.session) {
            self.found = (self.answer)(looks).filter(|found| found.verdict != Verdict::Unknown);
            return self.found.is_some();
        }
        self.session.step()
    }

    fn stop(&mut self, limit: Limit) {
        self.session.stop(limit);
    }

    fn limit(&self) -> Option<Limit> {
        self.session.limit()
    }

    fn progress(&self) -> Progress {
        self.session.progress()
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        self.session.set_alarm(alarm);
    }

    fn end_stage(&mut self, limit: Limit) {
        self.session.end_stage(limit);
    }

    fn share_of_time(&self) -> (u32, u32) {
        self.session.share_of_time()
    }
}

fn print_bounded(
    common: &Common,
    report: &Report,
    source: &str,
    leaves: &Leaves,
) -> Result<Verdict, String> {
    console::print(&match common.format {
        Format::Json => rendered(report, None),
        _ => text::render(report, source, &[], Style::of_output()),
    })?;
    let name = leaves::called(common);
    leaves::write(leaves, || match BoundedRun::of(report, 0) {
        Some(run) => report::bounded_harness(source, &run, &name),
        None => HarnessAnswer::Refused("there is no failing run".to_string()),
    })?;
    Ok(report.verdict)
}

/// Refuses a format that this analysis does not have, and what SARIF and JUnit have no place for.
fn refuse_format(
    common: &Common,
    task: Task,
    through: &[u32],
    questions: &Questions,
) -> Result<(), String> {
    common.refuse_formats(match task {
        Task::Check => &[Format::Sarif, Format::Junit],
        Task::Projection(_) => &[Format::Sarif],
    })?;
    let is_report = matches!(common.format, Format::Text | Format::Json);
    let is_asked = common.invariants || !through.is_empty() || !questions.is_empty();
    match is_asked && !is_report {
        true => {
            Err("faultline: --invariants, --through, --stores and --why are for text and json\n"
                .to_string())
        }
        false => Ok(()),
    }
}

/// The report as JSON, with what the bounded engine did and the answers to further questions beside
/// its own keys.
fn rendered(report: &Report, answers: Option<&Answers>) -> String {
    let bounded = report.bounded.as_ref();
    let report = &Report { bounded: None, ..report.clone() };
    json::render(&Whole { report, bounded, answers })
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    bounded: Option<&'a BoundedReport>,
    #[serde(flatten)]
    answers: Option<&'a Answers>,
}
