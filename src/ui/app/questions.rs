//! Questions about the selected statement: why it is innocent, and whether a condition can hold
//! there; and the naive projection beside the exact one.

use super::App;
use crate::report::stores::QueryAnswer;
use crate::report::why_not::Why;
use crate::ui::model::Activity;
use crate::util::Limit;
use crate::wire::graph::StatementView;
use crate::wire::protocol::Request;
use crate::wire::report::{Report, Verdict};

/// What the worker is asked now.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Request and statement whose reason is looked for. One at a time, so that they do not queue.
    why: Option<(u32, u32)>,
    /// The request for the naive projection alone.
    beside: Option<u32>,
    /// The latest query's request.
    query: Option<u32>,
}

impl Asked {
    /// Is the worker perhaps busy with an answer?
    fn busy(&self) -> bool {
        self.why.is_some() || self.beside.is_some() || self.query.is_some()
    }
}

impl App {
    fn answers(&self) -> bool {
        self.model.fresh().is_some_and(|a| a.inspectable && a.report.projection.is_some())
            && self.model.activity == Activity::Idle
    }

    /// Is a reason to be given for this statement?
    pub(in crate::ui) fn innocent(&self, statement: &StatementView) -> bool {
        let known = |v: Verdict| v == Verdict::Unsafe || v == Verdict::Safe;
        let asked = |report: &Report| {
            report.projection.is_some() && report.pushdown.is_none() && known(report.verdict)
        };
        self.model.fresh().is_some_and(|a| asked(&a.report)) && !statement.lit && !statement.hidden
    }

    /// Asks why the selected statement is innocent, if it is.
    pub(super) fn ask_why(&mut self) {
        let Some(statement) = self.model.selection.statement.and_then(|s| self.model.statement(s))
        else {
            return;
        };
        let id = statement.id;
        let wanted = self.innocent(statement)
            && self.answers()
            && !self.model.answers.whys.contains_key(&id);
        if !wanted || self.asked.why.is_some() {
            return;
        }
        let request = self.next_request();
        self.asked.why = Some((request, id));
        self.send(request, Request::Why { statement: id });
    }

    pub(super) fn told_why(&mut self, id: u32, why: Option<Why>, limit: Option<Limit>) {
        let Some((_, statement)) = self.asked.why.take_if(|(asked, _)| *asked == id) else {
            return;
        };
        self.model.answers.whys.insert(statement, why.ok_or(limit));
        // The selection may have moved on meanwhile.
        self.ask_why();
        self.ask_beside();
    }

    /// Shows or hides what only the naive projection keeps.
    pub(super) fn toggle_beside(&mut self) {
        self.model.answers.beside = !self.model.answers.beside;
        self.ask_beside();
        self.model.repaint();
    }

    /// Asks for the naive projection, if it is to be shown and not known.
    pub(super) fn ask_beside(&mut self) {
        let wanted = self.model.answers.beside && self.model.answers.cross.is_none();
        if wanted && self.answers() && !self.asked.busy() {
            let id = self.next_request();
            self.asked.beside = Some(id);
            self.send(id, Request::Beside);
        }
    }

    pub(super) fn told_beside(&mut self, id: u32, cross: Option<Vec<u32>>) {
        let asked = self.asked.beside.take_if(|asked| *asked == id).is_some()
            || self.asked.why.is_some_and(|(why, _)| why == id);
        if asked {
            self.model.answers.cross = cross;
            self.model.repaint();
        }
    }

    /// Asks whether a condition can hold at the selected statement on a failing run.
    pub(super) fn ask_query(&mut self, condition: String) {
        let Some(statement) = self.model.selection.statement.filter(|_| self.answers()) else {
            return;
        };
        if condition.trim().is_empty() {
            self.model.answers.query = None;
            return;
        }
        let id = self.next_request();
        self.asked.query = Some(id);
        self.send(id, Request::Query { statement, condition });
    }

    pub(super) fn told_query(&mut self, id: u32, answer: QueryAnswer) {
        if self.asked.query.take_if(|asked| *asked == id).is_some() {
            self.model.answers.query = Some(answer);
        }
    }

    pub(super) fn send(&self, id: u32, request: Request) {
        if let Some(engine) = &self.engine {
            engine.send(id, request);
        }
    }
}
