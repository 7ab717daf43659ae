//! The refinement loop's effects: what it asks the worker for, and when.

use super::runs::PATIENCE;
use super::{App, Msg};
use crate::ui::analysis::Analysis;
use crate::ui::model::Activity;
use crate::ui::refinement::RefinementEvent;
use crate::view::protocol::{Reply, Request};
use gloo::timers::callback::Timeout;
use yew::Context;

/// Stepping quickly asks once, at the end, after so many milliseconds.
const REST: u32 = 60;

impl App {
    /// Something happened on the page of the loop.
    pub(super) fn refinement_event(&mut self, ctx: &Context<Self>, event: RefinementEvent) {
        let refinement = &mut self.model.refinement;
        match event {
            RefinementEvent::Ask(ask) => {
                if ask != refinement.ask {
                    refinement.ask = ask;
                    self.refine_anew(ctx);
                }
            }
            RefinementEvent::Show(shown) => {
                refinement.show(shown);
                self.refinement_soon(ctx);
            }
            RefinementEvent::Select(selected) => {
                refinement.selected = selected;
                let line =
                    refinement.view().zip(selected).and_then(|(view, node)| view.nodes.iter().find(|n| n.node == node).map(|n| n.line));
                if let Some(line) = line.filter(|line| *line > 0) {
                    self.model.select_line(line);
                    self.reveal();
                }
            }
            RefinementEvent::Stop => self.stop_refining(ctx),
            RefinementEvent::Again => self.refine_anew(ctx),
            RefinementEvent::More => {
                refinement.go_on();
                self.refine_anew(ctx);
            }
            RefinementEvent::Compare => self.compare(),
            RefinementEvent::Settled => self.ask_refinement(),
        }
    }

    /// Goes to a phase of a round.
    pub(in crate::ui) fn go_to_refinement_step(&mut self, ctx: &Context<Self>, step: usize) {
        self.model.refinement.go_to(step);
        self.refinement_soon(ctx);
    }

    /// Something else is asked for.
    fn refine_anew(&mut self, ctx: &Context<Self>) {
        self.player = None;
        self.stop_refining(ctx);
        self.pending_halt = None;
        let rows = self.model.refinement.rows.clone();
        self.model.refinement.invalidate();
        self.model.refinement.rows = rows;
        self.refine(ctx);
    }

    /// Asks for a run, if the loop is shown and there is a program that it was not run on.
    pub(super) fn refine(&mut self, ctx: &Context<Self>) {
        let refinement = &self.model.refinement;
        let idle = !refinement.fresh && refinement.asked.is_none() && !refinement.halted;
        if self.analysis != Analysis::Refinement || !idle || self.model.source.trim().is_empty() || !self.heard || self.model.broken() {
            return;
        }
        if !self.loaded {
            self.load(ctx);
            return;
        }
        let (ask, budgets) = (refinement.ask.clone(), refinement.budgets());
        let id = self.next_request();
        self.model.refinement.begin(id);
        self.send(&Request::Refine { id, ask, budgets });
    }

    /// Runs all heuristics.
    fn compare(&mut self) {
        let refinement = &self.model.refinement;
        if !self.loaded || refinement.comparing.is_some() || self.model.broken() {
            return;
        }
        let (ask, budgets) = (refinement.ask.clone(), refinement.compare_budgets());
        let id = self.next_request();
        self.model.refinement.comparing = Some(id);
        self.model.refinement.rows = Default::default();
        self.send(&Request::Compare { id, ask, budgets });
    }

    /// What the worker says of the loop.
    pub(super) fn refinement_reply(&mut self, ctx: &Context<Self>, reply: Reply) {
        let refinement = &mut self.model.refinement;
        match reply {
            Reply::Refining { id, phase, rounds, millis, .. } => {
                refinement.progress(id, phase, rounds, millis);
            }
            Reply::Refined { id, report, millis } => {
                let awaited = refinement.refined(id, *report, millis);
                self.after_refinement(awaited);
            }
            Reply::Round { id, round } => {
                refinement.told_round(id, round.map(|round| *round));
                // The step may have moved on meanwhile.
                self.refinement_soon(ctx);
            }
            Reply::Abstracted { id, program } => refinement.told_program(id, program),
            Reply::Compared { id, row, done } => {
                refinement.compared(id, row, done);
                if done {
                    self.pending_halt = None;
                }
            }
            _ => {}
        }
    }

    /// An answer has arrived, perhaps one that nobody waits for any more.
    fn after_refinement(&mut self, awaited: bool) {
        if awaited {
            self.player = None;
            self.pending_halt = None;
            self.ask_refinement();
        }
    }

    /// Ends what is on its way, where it is.
    pub(super) fn stop_refining(&mut self, ctx: &Context<Self>) {
        let refinement = &self.model.refinement;
        let Some(id) = refinement.asked.as_ref().map(|asked| asked.id).or(refinement.comparing) else { return };
        self.send(&Request::Stop { id });
        let link = ctx.link().clone();
        self.pending_halt = Some(Timeout::new(PATIENCE, move || link.send_message(Msg::Overdue(id))));
    }

    /// The worker did not answer Stop: the spare one takes over, the rounds so far stay. False if it is not the loop that waits.
    pub(super) fn refinement_overdue(&mut self, id: u32) -> bool {
        let refinement = &mut self.model.refinement;
        if refinement.asked.as_ref().map(|asked| asked.id).or(refinement.comparing) != Some(id) {
            return false;
        }
        refinement.give_up();
        self.replace_worker();
        // A run that went on beside it has lost its worker as well.
        if let Activity::Running(progress) = &self.model.activity {
            let millis = progress.elapsed(js_sys::Date::now());
            self.model.activity = Activity::Idle;
            if let Some(answer) = self.model.abandoned(millis, self.budgets) {
                self.model.answered(answer, None);
            }
        }
        true
    }

    fn refinement_soon(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.pending_round = Some(Timeout::new(REST, move || link.send_message(Msg::Refinement(RefinementEvent::Settled))));
    }

    /// Asks for the round and the abstract program, if they are to be shown.
    pub(super) fn ask_refinement(&mut self) {
        let id = self.next_request();
        if let Some(round) = self.model.refinement.round_to_ask(id) {
            self.send(&Request::Round { id, round });
        }
        let id = self.next_request();
        if self.model.refinement.program_to_ask(id) {
            self.send(&Request::Abstracted { id });
        }
    }
}
