//! Choosing the statements that the failing run is to go through.

use super::state::Projection;
use super::through::{MOST, ThroughRun};
use crate::ui::state::model::Model;
use crate::ui::state::shared::Shared;
use crate::ui::tab::Tab;
use crate::wire::protocol::Request;
use crate::wire::report::{Report, ThroughReport};

impl Projection {
    /// The run through a statement, alone or with those chosen before.
    pub(super) fn through_statement(&mut self, statement: u32, add: bool, model: &mut Model) {
        if model.statement(statement).is_some_and(|s| s.lit) {
            self.choose(vec![statement], add, model);
        }
    }

    /// The run through a box: any of its statements will do.
    pub(super) fn through_box(&mut self, location: u32, add: bool, model: &mut Model) {
        let Some(node) = model.graph.boxes.iter().find(|b| b.id == location) else { return };
        let lit = |id: &u32| model.statement(*id).is_some_and(|s| s.lit);
        let set: Vec<u32> = node.statements.iter().copied().filter(lit).collect();
        if !set.is_empty() {
            self.choose(set, add, model);
        }
    }

    fn choose(&mut self, set: Vec<u32>, add: bool, model: &mut Model) {
        let mut sets = match &self.through {
            Some(through) if add => through.sets.clone(),
            _ => Vec::new(),
        };
        if !sets.contains(&set) {
            sets.push(set);
        }
        let there = self.through.as_ref().is_some_and(|through| through.sets == sets);
        if sets.len() <= MOST && !there {
            self.ask_through(sets, None, model);
        }
    }

    /// Asks the worker; `step`: where to go in the run.
    pub(super) fn ask_through(
        &mut self,
        sets: Vec<Vec<u32>>,
        step: Option<usize>,
        model: &mut Model,
    ) {
        if model.inspectable().is_none_or(|answer| answer.report.trace.is_none()) {
            return;
        }
        model.playing = false;
        let id = model.send(Request::Through { sets: sets.clone() });
        // The run shown so far stays until the answer is here.
        let shown = self.through.take().and_then(|through| through.shown);
        let mut through = ThroughRun { sets, shown, step, ..ThroughRun::default() };
        through.question.begin(id, ());
        self.through = Some(through);
    }

    /// The worker's answer.
    pub(super) fn told_through(
        &mut self,
        id: u32,
        answer: Option<ThroughReport>,
        model: &mut Model,
    ) {
        let Some(report) = model.fresh().map(|fresh| fresh.report.clone()) else { return };
        let Some(through) = &mut self.through else { return };
        if through.question.tell(id).is_none() {
            return;
        }
        through.shown = answer.as_ref().filter(|answer| answer.trace.is_some()).map(|answer| {
            let (trace, error) = (answer.trace.clone(), answer.error.clone());
            Shared::new(Report { trace, error, ..(*report).clone() })
        });
        let is_run = through.shown.is_some();
        through.answer = answer;
        let wanted = through.step.take();
        if !is_run {
            // There is no run to go to: what is selected stays.
            self.repaint(model);
            let last = self.trace(model).len().saturating_sub(1);
            self.step = self.step.map(|step| step.min(last));
            return;
        }
        let set = through.sets.last().cloned().unwrap_or_default();
        let here = |edge: Option<u32>| edge.is_some_and(|edge| set.contains(&edge));
        let step = wanted.or_else(|| self.trace(model).iter().position(|entry| here(entry.edge)));
        self.show_run(step, model);
    }

    /// Back to the shortest of all failing runs.
    pub(super) fn leave_through(&mut self, model: &mut Model) {
        let Some(through) = self.through.take() else { return };
        model.playing = false;
        if through.question.is_busy() {
            model.send(Request::Through { sets: Vec::new() });
        }
        self.show_run(None, model);
    }

    /// The run was made a shortest one while it was shown.
    pub(super) fn improved(&mut self, report: Report, model: &mut Model) {
        let at_end = self.step.is_none_or(|step| step + 1 == self.trace(model).len());
        let Some(answer) = model.answer.as_mut().filter(|_| model.run.is_fresh()) else { return };
        let same = answer.report.trace == report.trace;
        answer.report = Shared::new(report);
        if self.through.is_none() && !same {
            let step = self.step.filter(|_| !at_end);
            self.show_run(step, model);
        }
    }
}
