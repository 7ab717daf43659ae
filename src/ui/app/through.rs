//! Runs through chosen statements: asking the worker, and showing what it says.

use super::App;
use crate::ui::model::Activity;
use crate::ui::shared::Shared;
use crate::ui::through::{MOST, ThroughRun};
use crate::wire::protocol::Request;
use crate::wire::report::{Report, ThroughReport};
use yew::Context;

impl App {
    /// The run through a statement, alone or besides those chosen before.
    pub(super) fn through_statement(&mut self, statement: u32, add: bool) {
        if self.model.statement(statement).is_some_and(|s| s.lit) {
            self.through(vec![statement], add);
        }
    }

    /// The run through a box: any of its statements will do.
    pub(super) fn through_box(&mut self, location: u32, add: bool) {
        let Some(node) = self.model.graph.boxes.iter().find(|b| b.id == location) else { return };
        let lit: Vec<u32> = node
            .statements
            .iter()
            .copied()
            .filter(|id| self.model.statement(*id).is_some_and(|s| s.lit))
            .collect();
        if !lit.is_empty() {
            self.through(lit, add);
        }
    }

    fn through(&mut self, set: Vec<u32>, add: bool) {
        let mut sets = match &self.model.through {
            Some(through) if add => through.sets.clone(),
            _ => Vec::new(),
        };
        if !sets.contains(&set) {
            sets.push(set);
        }
        if sets.len() <= MOST {
            self.ask_through(sets, None);
        }
    }

    /// Asks the worker; `step`: where to go in the run.
    pub(super) fn ask_through(&mut self, sets: Vec<Vec<u32>>, step: Option<usize>) {
        let possible =
            self.model.fresh().is_some_and(|a| a.inspectable && a.report.trace.is_some());
        if !possible || self.model.activity != Activity::Idle {
            return;
        }
        if step.is_none() && self.model.through.as_ref().is_some_and(|through| through.sets == sets)
        {
            return;
        }
        self.player = None;
        let id = self.next_request();
        // The run shown so far stays until the answer is here.
        let shown = self.model.through.take().and_then(|through| through.shown);
        self.model.through = Some(ThroughRun { shown, ..ThroughRun::new(sets.clone(), id, step) });
        if let Some(engine) = &self.engine {
            engine.send(id, Request::Through { sets });
        }
    }

    /// The worker's answer.
    pub(super) fn through_answered(
        &mut self,
        ctx: &Context<Self>,
        id: u32,
        answer: Option<ThroughReport>,
    ) {
        let Some(report) = self.model.fresh().map(|a| a.report.clone()) else { return };
        let Some(through) = self.model.through.as_mut().filter(|through| through.asked == Some(id))
        else {
            return;
        };
        through.answered(&report, answer);
        let wanted = through.step.take();
        let set = through.sets.last().cloned().unwrap_or_default();
        let here = |edge: Option<u32>| edge.is_some_and(|edge| set.contains(&edge));
        let step = wanted.or_else(|| self.model.trace().iter().position(|entry| here(entry.edge)));
        self.show_step(ctx, step);
    }

    /// Back to the shortest of all failing runs.
    pub(super) fn leave_through(&mut self, ctx: &Context<Self>) {
        let Some(through) = self.model.through.take() else { return };
        self.player = None;
        if let (Some(_), Some(engine)) = (through.asked, &self.engine) {
            let id = self.request + 1;
            self.request = id;
            engine.send(id, Request::Through { sets: Vec::new() });
        }
        self.show_step(ctx, None);
    }

    /// The run was made a shortest one while it was shown.
    pub(super) fn improved(&mut self, ctx: &Context<Self>, report: Report) {
        let at_end = self.model.step.is_none_or(|step| step + 1 == self.model.trace().len());
        let Some(answer) = self.model.answer.as_mut().filter(|answer| !answer.stale) else {
            return;
        };
        let same = answer.report.trace == report.trace;
        answer.report = Shared::new(report);
        if self.model.through.is_none() && !same {
            let step = self.model.step.filter(|_| !at_end);
            self.show_step(ctx, step);
        }
    }

    /// Goes to a step of the run that is shown now; by default to its end.
    fn show_step(&mut self, ctx: &Context<Self>, step: Option<usize>) {
        let last = self.model.trace().len().saturating_sub(1);
        self.model.run_changed();
        self.model.go_to(step.unwrap_or(last));
        self.reveal();
        self.follow();
        self.inspect_soon(ctx);
    }
}
