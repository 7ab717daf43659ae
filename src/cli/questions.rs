//! Questions about the projection: which stores fail at a line (`--stores`, `--where`), and why a
//! line is innocent (`--why`).

use super::clock::Clock;
use super::diagnostics;
use super::text::Style;
use crate::draw::words;
use crate::draw::words::listed;
use crate::report::stores::{QueryError, conditions, statements_on, stores};
use crate::report::why_not::why_line;
use crate::session::{Job, Session, Task};
use crate::util::Limit;
use crate::wire::projection::Method;
use crate::wire::stores::StoresReport;
use crate::wire::why_not::{Reason, WhyReport};
use serde::Serialize;
use std::fmt::Write;

/// The questions.
#[derive(Debug, Default)]
pub(super) struct Questions {
    pub(super) stores: Option<u32>,
    pub(super) condition: Option<String>,
    pub(super) why: Option<u32>,
}

/// The answers, which become keys of the report.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answers {
    #[serde(skip_serializing_if = "Option::is_none")]
    stores: Option<StoresReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<WhyReport>,
    /// The limit because of which a question has no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    unanswered: Option<Limit>,
}

impl Questions {
    /// Is nothing asked?
    pub(super) fn is_empty(&self) -> bool {
        self.stores.is_none() && self.why.is_none()
    }

    /// Refuses bad questions, before anything is computed.
    pub(super) fn refuse(&self, session: &Session, task: Task, style: Style) -> Result<(), String> {
        let Some(program) = session.program() else { return Ok(()) };
        if (self.why.is_some() || self.stores.is_some()) && task == Task::Projection(Method::Naive)
        {
            return Err("faultline: --why and --stores ask about the exact projection; leave out --method naive\n".to_string());
        }
        for line in self.stores.into_iter().chain(self.why) {
            statements_on(program, line).map_err(|error| match error {
                QueryError::NoStatement(Some((nearest, text))) => {
                    format!("faultline: no statement starts on line {line}; the nearest is on line {nearest}: {text}\n")
                }
                _ => format!("faultline: no statement starts on line {line}: the program has none\n"),
            })?;
        }
        if let (Some(line), Some(condition)) = (self.stores, &self.condition)
            && let Ok(statements) = statements_on(program, line)
            && let Err(QueryError::Condition(diagnostic)) =
                conditions(program, &statements, condition)
        {
            return Err(diagnostics::render("--where", condition, &[diagnostic], style));
        }
        Ok(())
    }

    /// The answers, as far as the run got and the clock allows.
    pub(super) fn ask(&self, session: &mut Session, clock: &Clock) -> Answers {
        let mut answers = Answers::default();
        if let Some(line) = self.stores {
            answers.stores = answers.take(stores(session, line, self.condition.as_deref()));
        }
        if let Some(line) = self.why {
            answers.why = match compare(session, clock) {
                Ok(()) => answers.take(why_line(session, line)),
                Err(limit) => answers.take(Err(QueryError::Unknown(limit))),
            };
        }
        let asked = self.stores.is_some() || self.why.is_some();
        if asked && answers.is_empty() {
            answers.unanswered = answers.unanswered.or(session.limit());
        }
        answers
    }
}

/// Computes the naive projection, which two of the three reasons need.
fn compare(session: &mut Session, clock: &Clock) -> Result<(), Limit> {
    if !session.start_comparison() {
        return Ok(());
    }
    let mut comparison = session.comparison();
    clock.run(&mut comparison);
    comparison.limit().map_or(Ok(()), Err)
}

impl Answers {
    fn take<T>(&mut self, answer: Result<T, QueryError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(QueryError::Unknown(limit)) => {
                self.unanswered = Some(limit);
                None
            }
            Err(_) => None,
        }
    }

    fn is_empty(&self) -> bool {
        self.stores.is_none() && self.why.is_none()
    }

    /// The answers as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        if let Some(stores) = &self.stores {
            let _ = writeln!(
                out,
                "\nStores with which failing runs come to line {}: {}",
                stores.line,
                shown(&stores.formula, &stores.count)
            );
            if stores.statements.len() > 1 {
                for one in &stores.statements {
                    let _ = writeln!(
                        out,
                        "  {}: {}",
                        titled(&one.statement, &one.outcome),
                        shown(&one.formula, &one.count)
                    );
                }
            }
            match (&stores.condition, stores.possible, &stores.example) {
                (Some(condition), Some(true), Some(example)) => {
                    let _ = writeln!(
                        out,
                        "`{condition}` can hold there on a failing run: {}",
                        listed(&example.0)
                    );
                }
                (Some(condition), Some(false), _) => {
                    let _ = writeln!(out, "`{condition}` never holds there on a failing run.");
                }
                _ => {}
            }
        }
        if let Some(why) = &self.why {
            let _ = writeln!(
                out,
                "\nWhy line {} is {}",
                why.line,
                if why.reason == Reason::Lit { "lit" } else { "innocent" }
            );
            for one in &why.statements {
                let _ = writeln!(out, "  {}", titled(&one.statement, &one.outcome));
                for sentence in &one.explanation {
                    let _ = writeln!(out, "    {sentence}");
                }
            }
        }
        if let Some(limit) = self.unanswered {
            let _ = writeln!(out, "\nNot answered: {}.", words::limit_sentence(limit));
        }
        out
    }
}

fn titled(statement: &str, outcome: &str) -> String {
    if outcome.is_empty() { statement.to_string() } else { format!("{statement}: {outcome}") }
}

fn shown(formula: &str, count: &str) -> String {
    match (formula, count) {
        (_, "0") => "none".to_string(),
        ("true", count) => format!("any of {count}"),
        (formula, "1") => format!("{formula} (1 store)"),
        (formula, count) => format!("{formula} ({count} stores)"),
    }
}
