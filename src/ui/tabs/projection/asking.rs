//! Questions about the selected statement: when the worker is asked, and what becomes of its
//! answer.

use super::state::{Projection, WORD, is_innocent};
use crate::ui::state::model::Model;
use crate::ui::state::shared::Shared;
use crate::wire::protocol::{Reply, ReplyMessage, Request};

fn has_projection(model: &Model) -> bool {
    model.inspectable().is_some_and(|answer| answer.report.projection.is_some())
}

impl Projection {
    /// Asks what is to be shown of the selected statement, one question after the other. While
    /// another tab is shown, the worker's time is that tab's.
    pub(super) fn inspect(&mut self, model: &mut Model) {
        self.ask_equalities(model);
        let Some(statement) = model.selection.statement.filter(|_| model.shown == WORD) else {
            return;
        };
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
            let id = model.send(Request::Naive);
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
            Reply::Naive { cross } => {
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
