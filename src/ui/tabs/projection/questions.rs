//! Questions about the selected statement: which stores reach it, why it is innocent, whether a
//! condition can hold there, which equalities hold; and the naive projection, for comparison.

use super::state::Projection;
use crate::ui::state::lookup::Lookup;
use crate::ui::state::model::Model;
use crate::ui::state::shared::Shared;
use crate::util::Limit;
use crate::wire::affine::AffineReport;
use crate::wire::graph::StatementView;
use crate::wire::protocol::{Inspection, Reply, ReplyMessage, Request};
use crate::wire::report::Verdict;
use crate::wire::stores::QueryAnswer;
use crate::wire::why_not::Why;

/// What was answered about statements.
#[derive(Default)]
pub(crate) struct Questions {
    /// The stores that reach a statement; `None`: nothing is known of them.
    pub(crate) inspections: Lookup<u32, Option<Inspection>>,
    /// Why a statement is innocent, or which limit kept the answer.
    pub(crate) whys: Lookup<u32, Result<Why, Option<Limit>>>,
    /// Can a condition hold at a statement?
    pub(crate) queries: Lookup<(u32, String), QueryAnswer>,
    /// Statements that only the naive projection keeps; `None`: a limit was hit.
    pub(crate) naive: Lookup<(), Option<Vec<u32>>>,
    /// Affine equalities, modulo 2^w or over the integers; `None`: nothing could be asked.
    pub(crate) equalities: Lookup<Option<u32>, Option<Shared<AffineReport>>>,
}

impl Questions {
    /// Nothing that is known holds any more.
    pub(super) fn forget(&mut self) {
        *self = Questions::default();
    }

    /// The worker is gone, or reads the program anew.
    pub(super) fn lose_worker(&mut self) {
        self.inspections.lose_worker();
        self.whys.lose_worker();
        self.queries.lose_worker();
        self.naive.lose_worker();
        self.equalities.forget();
    }

    /// Is the worker perhaps busy with an answer that needs the projection?
    fn compares(&self) -> bool {
        self.whys.is_busy() || self.naive.is_busy() || self.queries.is_busy()
    }
}

/// Is a reason to be given why this statement is innocent?
pub(super) fn is_innocent(statement: &StatementView, model: &Model) -> bool {
    let told = model.fresh().is_some_and(|answer| {
        let report = &answer.report;
        let known = matches!(report.verdict, Verdict::Unsafe | Verdict::Safe);
        known && report.projection.is_some() && report.pushdown.is_none()
    });
    told && !statement.lit && !statement.hidden
}

fn has_projection(model: &Model) -> bool {
    model.inspectable().is_some_and(|answer| answer.report.projection.is_some())
}

impl Projection {
    /// Asks what is to be shown of the selected statement, one question after the other.
    pub(super) fn inspect(&mut self, model: &mut Model) {
        self.ask_equalities(model);
        let Some(statement) = model.selection.statement else { return };
        if model.inspectable().is_none() || self.questions.inspections.is_busy() {
            return;
        }
        if self.questions.inspections.wants(&statement) {
            let id = model.send(Request::Inspect { statement });
            self.questions.inspections.begin(id, statement);
        } else {
            self.ask_why(model);
            self.ask_naive(model);
        }
    }

    /// Asks why the selected statement is innocent, if it is.
    fn ask_why(&mut self, model: &mut Model) {
        let selected = model.selection.statement.and_then(|s| model.statement(s));
        let Some(statement) = selected.filter(|s| is_innocent(s, model)).map(|s| s.id) else {
            return;
        };
        if has_projection(model) && self.questions.whys.wants(&statement) {
            let id = model.send(Request::Why { statement });
            self.questions.whys.begin(id, statement);
        }
    }

    /// Asks for the naive projection, if it is to be shown and not known.
    pub(super) fn ask_naive(&mut self, model: &mut Model) {
        let wanted = self.compared && self.questions.naive.wants(&());
        if wanted && has_projection(model) && !self.questions.compares() {
            let id = model.send(Request::Beside);
            self.questions.naive.begin(id, ());
        }
    }

    /// Asks whether a condition can hold at the selected statement on a failing run.
    pub(super) fn ask_query(&mut self, condition: String, model: &mut Model) {
        let Some(statement) = model.selection.statement.filter(|_| has_projection(model)) else {
            return;
        };
        if condition.trim().is_empty() {
            self.questions.queries.forget();
            return;
        }
        let key = (statement, condition.clone());
        let id = model.send(Request::Query { statement, condition });
        self.questions.queries.begin(id, key);
    }

    /// Asks for the equalities that are to be shown, if the worker can be asked.
    pub(super) fn ask_equalities(&mut self, model: &mut Model) {
        let Some(modulo) = self.equalities_of.filter(|_| model.is_idle()) else { return };
        if self.questions.equalities.wants(&modulo) {
            let id = model.send(Request::Affine { modulo });
            self.questions.equalities.begin(id, modulo);
        }
    }

    /// Takes an answer; gives back what is none.
    pub(super) fn told(
        &mut self,
        message: ReplyMessage,
        model: &mut Model,
    ) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        let questions = &mut self.questions;
        match reply {
            Reply::Inspected { inspection } => {
                questions.inspections.tell(id, inspection);
                // The selection may have moved on meanwhile.
                self.inspect(model);
            }
            Reply::Why { why, limit } => {
                questions.whys.tell(id, why.ok_or(limit));
                self.ask_why(model);
                self.ask_naive(model);
            }
            Reply::Beside { cross } => {
                let asked = questions.naive.tell(id, cross.clone()).is_some();
                // A reason that needs the naive projection brings it along.
                if asked || questions.whys.waits_for(id) {
                    questions.naive.learn((), cross);
                    self.repaint_lines(model);
                }
            }
            Reply::Queried { answer } => {
                questions.queries.tell(id, answer);
            }
            Reply::Affine { report } => {
                questions.equalities.tell(id, report.map(Shared::new));
                // Other numbers may be wanted by now.
                self.ask_equalities(model);
            }
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }
}
