//! The analysis of one version of a text, on a thread of its own: the verdict, then answers to what
//! the editor asks. A newer version stops it.

use super::answers::{Findings, stores_words};
use super::text::Text;
use crate::cli::clock::{Clock, Stop};
use crate::draw::words;
use crate::report;
use crate::report::repair::repairs_report;
use crate::report::stores::{statements_on, stores};
use crate::report::why_not::why_line;
use crate::session::{Budgets, Job, RepairHints, RepairOptions, Session, Task};
use crate::wire::options::RequestedOptions;
use crate::wire::projection::Method;
use crate::wire::repair::RepairsReport;
use crate::wire::report::Verdict;
use lsp_server::RequestId;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What is to be analysed, and how long it may take.
pub(super) struct Order {
    pub(super) uri: String,
    pub(super) source: String,
    pub(super) requested: RequestedOptions,
    pub(super) budgets: Budgets,
    /// For the verdict, and again for each question.
    pub(super) seconds: f64,
    /// Does the client show places that belong to a diagnostic?
    pub(super) with_run: bool,
}

/// A question about the text. Lines count from 1.
pub(super) enum Question {
    /// What holds on a line?
    Hover(u32),
    /// Which lines are lit?
    Tokens,
    /// What mends something between these lines?
    Actions((u32, u32)),
}

/// What the thread tells.
pub(super) enum Told {
    /// The diagnostics, once.
    Diagnostics(Vec<Value>),
    /// The answer to a request.
    Answer(RequestId, Value),
}

/// A thread that analyses.
pub(super) struct Analysis {
    questions: Sender<(RequestId, Question)>,
    stop: Stop,
}

impl Analysis {
    /// Starts it. It says what it finds by `tell`, and ends when the analysis is dropped.
    pub(super) fn start(order: Order, tell: impl Fn(Told) + Send + 'static) -> Analysis {
        let (questions, asked) = channel();
        let stop = Stop::default();
        let stopped = stop.clone();
        thread::spawn(move || analyse(&order, &stopped, &asked, &tell));
        Analysis { questions, stop }
    }

    /// Asks; the answer comes after those to earlier questions.
    pub(super) fn ask(&self, request: RequestId, question: Question) {
        // A thread that has ended was stopped, and its answers are not wanted any more.
        let _ = self.questions.send((request, question));
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn analyse(
    order: &Order,
    stop: &Stop,
    asked: &Receiver<(RequestId, Question)>,
    tell: &impl Fn(Told),
) {
    let (mut session, found) = Session::load(&order.source, &order.requested);
    let mut findings = Findings {
        uri: order.uri.clone(),
        text: Text::new(&order.source),
        read: report::diagnostics::diagnostics(&order.source, &found),
        report: None,
        statements: Vec::new(),
    };
    if session.program().is_some() || session.raw().is_some() {
        session.use_portfolio(&order.requested);
        let clock = Clock::with_stop(Some(order.seconds), stop.clone(), &mut session);
        session.start(Task::Projection(Method::Functional), order.budgets);
        clock.run(&mut session);
        findings.report = Some(report::report(&session));
        findings.statements = report::statements(&session);
    }
    if stop.is_stopped() {
        return;
    }
    tell(Told::Diagnostics(findings.diagnostics(order.with_run)));
    let mut analysed = Analysed { order, stop, session, findings, repairs: None };
    for (request, question) in asked {
        if stop.is_stopped() {
            return;
        }
        let answer = match question {
            Question::Tokens => analysed.findings.tokens(),
            Question::Hover(line) => analysed.hover(line),
            Question::Actions(lines) => analysed.actions(lines),
        };
        tell(Told::Answer(request, answer));
    }
}

/// A text with its verdict.
struct Analysed<'a> {
    order: &'a Order,
    stop: &'a Stop,
    session: Session,
    findings: Findings,
    /// Once they were looked for.
    repairs: Option<RepairsReport>,
}

impl Analysed<'_> {
    fn clock(&mut self) -> Clock {
        Clock::with_stop(Some(self.order.seconds), self.stop.clone(), &mut self.session)
    }

    /// What holds before the statements of a line: on failing runs, or always.
    fn hover(&mut self, line: u32) -> Value {
        let Some(program) = self.session.shared_program() else { return Value::Null };
        let Ok(statements) = statements_on(&program, line) else { return Value::Null };
        let clock = self.clock();
        let report = self.findings.report.as_ref();
        let lit = report.and_then(|report| report.projection.as_ref());
        let lit = lit.map(|projection| projection.lines.binary_search(&line).is_ok());
        let mut told = Vec::new();
        match (report.map(|report| report.verdict), lit) {
            (Some(Verdict::Safe), _) => {
                told.push("No run fails. Whenever a run is here:".to_string());
                let session = &mut self.session;
                let formulas = clock.during(|| {
                    let formula = |edge| report::invariant_at(session, edge);
                    statements.into_iter().map(formula).collect::<Option<Vec<_>>>()
                });
                for one in formulas.unwrap_or_default() {
                    let formula = match one.formula.as_str() {
                        "false" => "no run comes here",
                        "true" => "anything",
                        formula => formula,
                    };
                    if !told.iter().any(|known| known == formula) {
                        told.push(formula.to_string());
                    }
                }
            }
            (Some(Verdict::Unsafe), Some(true)) => {
                let session = &mut self.session;
                match clock.during(|| stores(session, line, None)) {
                    Ok(found) => {
                        let words = stores_words(&found.formula, &found.count);
                        told.push(format!(
                            "On a failing run. Failing runs come here with: {words}"
                        ));
                    }
                    Err(_) => told.push("On a failing run.".to_string()),
                }
            }
            (Some(Verdict::Unsafe), Some(false)) => {
                told.push("On no failing run.".to_string());
                told.extend(self.why(line, &clock));
            }
            _ => {
                let headline = self.findings.report.as_ref().map(words::headline);
                told.extend(headline.map(|headline| format!("{headline}.")));
            }
        }
        self.findings.hover(line, &told)
    }

    /// Why a line is innocent.
    fn why(&mut self, line: u32, clock: &Clock) -> Vec<String> {
        if self.session.start_comparison() {
            let mut comparison = self.session.comparison();
            clock.run(&mut comparison);
            if comparison.limit().is_some() {
                return Vec::new();
            }
        }
        let session = &mut self.session;
        let found = clock.during(|| why_line(session, line));
        let statements = found.map(|found| found.statements).unwrap_or_default();
        statements.into_iter().flat_map(|statement| statement.explanation).collect()
    }

    /// Edits that mend something; repairs of the failing run are looked for once.
    fn actions(&mut self, lines: (u32, u32)) -> Value {
        if self.repairs.is_none() && self.findings.can_be_repaired(lines) {
            let clock = self.clock();
            let (requested, budgets) = (&self.order.requested, self.order.budgets);
            let (hints, options) = (RepairHints::default(), RepairOptions::default());
            if let Some(mut search) = self.session.repair(requested, hints, options, budgets) {
                clock.run(&mut search);
                self.repairs = Some(repairs_report(&search));
            }
        }
        let offered = self.repairs.as_ref().filter(|_| self.findings.can_be_repaired(lines));
        json!(self.findings.actions(lines, offered))
    }
}
