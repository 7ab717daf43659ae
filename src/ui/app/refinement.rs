//! The refinement loop's effects: what it asks the worker for, and when.

use super::{App, Msg};
use crate::draw::refinement_fold::{frame_of_cluster, frame_of_node};
use crate::report::cegar::RoundReport;
use crate::ui::analysis::Analysis;
use crate::ui::refinement::{RefinementEvent, SideEvent, Wanted, side_ask};
use crate::wire::graph::Graph;
use crate::wire::protocol::{Reply, Request};
use gloo::timers::callback::Timeout;
use yew::Context;

/// A run that takes longer, in milliseconds, shows its rounds as they come, also if the worker is
/// silent for long.
const LIVE: u32 = 200;
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
                refinement.select(selected);
                let line = refinement.line;
                if line > 0 {
                    self.model.select_line(line);
                    self.reveal();
                }
            }
            RefinementEvent::Fold(node) => {
                let key = refinement.view().and_then(|view| frame_of_node(&view, node));
                refinement.fold(key);
                self.ask_refinement();
            }
            RefinementEvent::FoldFrame(cluster) => {
                let key = refinement.view().and_then(|view| frame_of_cluster(&view, cluster));
                refinement.fold(key);
                self.ask_refinement();
            }
            RefinementEvent::FoldAll(folded) => {
                if let Some(view) = refinement.view() {
                    refinement.folds.all(&view, folded);
                }
                self.ask_refinement();
            }
            RefinementEvent::Choose(word) => refinement.pair.choose(word),
            RefinementEvent::Pair(shown) => {
                refinement.pair.shown = shown && refinement.pair.chosen.len() == 2;
                self.ask_refinement();
            }
            RefinementEvent::Side(side, SideEvent::Heuristic(word)) => {
                refinement.pair.put(side, word);
                self.ask_refinement();
            }
            RefinementEvent::Side(side, SideEvent::Round(round)) => {
                refinement.pair.show_round(side, round);
                self.ask_refinement();
            }
            RefinementEvent::Live => {
                self.pending_live = None;
                refinement.show_progress();
            }
            RefinementEvent::Stop => self.stop_refining(),
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
        self.stop_refining();
        let rows = self.model.refinement.rows.clone();
        self.model.refinement.invalidate();
        self.model.refinement.rows = rows;
        self.refine(ctx);
    }

    /// Asks for a run, if the loop is shown and there is a program that it was not run on.
    pub(super) fn refine(&mut self, ctx: &Context<Self>) {
        let refinement = &self.model.refinement;
        let idle = !refinement.fresh && refinement.asked.is_none() && !refinement.halted;
        if self.analysis != Analysis::Refinement
            || !idle
            || self.model.source.trim().is_empty()
            || !self.heard
            || self.model.broken()
        {
            return;
        }
        if !self.loaded {
            self.load(ctx);
            return;
        }
        let (ask, budgets) = (refinement.ask.clone(), refinement.budgets());
        let id = self.next_request();
        self.model.refinement.begin(id);
        self.send(id, Request::Refine { ask, budgets });
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
        self.send(id, Request::Compare { ask, budgets });
    }

    /// What the worker says of the loop.
    pub(super) fn refinement_progress(
        &mut self,
        ctx: &Context<Self>,
        id: u32,
        phase: String,
        rounds: Vec<RoundReport>,
        millis: u64,
    ) {
        let refinement = &mut self.model.refinement;
        if refinement.progress(id, phase, rounds, millis) {
            refinement.show_progress();
        } else if self.pending_live.is_none() {
            let link = ctx.link().clone();
            self.pending_live = Some(Timeout::new(LIVE, move || {
                link.send_message(Msg::Refinement(RefinementEvent::Live))
            }));
        }
    }

    /// What the worker answers.
    pub(super) fn refinement_reply(
        &mut self,
        ctx: &Context<Self>,
        id: u32,
        last: bool,
        millis: u64,
        reply: Reply,
    ) {
        let refinement = &mut self.model.refinement;
        match reply {
            Reply::Side { report } => {
                let round = refinement.present_step().map(|step| step.round);
                refinement.pair.told(id, *report, millis, round);
                self.ask_refinement();
            }
            Reply::Refined { report } => {
                let awaited = refinement.refined(id, *report, millis);
                self.after_refinement(awaited);
            }
            Reply::Round { round } => {
                refinement.told_round(id, round.map(|round| *round));
                self.draw_counterexamples();
                // The step may have moved on meanwhile.
                self.refinement_soon(ctx);
            }
            Reply::Abstracted { program } => refinement.told_program(id, program),
            Reply::Compared { row } => refinement.compared(id, row, last),
            _ => {}
        }
    }

    /// An answer has arrived, perhaps one that nobody waits for any more.
    fn after_refinement(&mut self, awaited: bool) {
        if awaited {
            self.player = None;
            self.pending_live = None;
            self.ask_refinement();
        }
    }

    /// Ends what is on its way, where it is.
    pub(super) fn stop_refining(&mut self) {
        let Some(id) = self.model.refinement.stopping() else { return };
        self.halt(id);
        for id in
            self.model.refinement.pair.running().filter(|other| *other != id).collect::<Vec<_>>()
        {
            self.halt(id);
        }
    }

    /// These requests get no answer any more; the rounds so far stay.
    pub(super) fn refinement_lost(&mut self, unanswered: &[u32]) {
        let refinement = &mut self.model.refinement;
        if refinement.waiting().is_some_and(|id| unanswered.contains(&id)) {
            self.pending_live = None;
            refinement.give_up();
        }
    }

    fn refinement_soon(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.pending_round = Some(Timeout::new(REST, move || {
            link.send_message(Msg::Refinement(RefinementEvent::Settled))
        }));
    }

    /// Asks for the round and the abstract program, if they are to be shown.
    pub(super) fn ask_refinement(&mut self) {
        let id = self.next_request();
        if let Some(round) = self.model.refinement.round_to_ask(id) {
            self.send(id, Request::Round { round });
        }
        let id = self.next_request();
        if self.model.refinement.program_to_ask(id) {
            self.send(id, Request::Abstracted);
        }
        self.draw_counterexamples();
        self.ask_pair();
    }

    /// Has the picture laid out anew, if something else is folded than what is drawn.
    fn draw_counterexamples(&mut self) {
        let id = self.next_request();
        let refinement = &mut self.model.refinement;
        let Some(view) = refinement.view() else { return };
        if let (Some(graph), Some(engine)) = (refinement.folds.wants(id, &view), &self.engine) {
            engine.send_aside(id, Request::Layout { graph });
        }
    }

    /// A layout has arrived.
    pub(super) fn refinement_drawn(&mut self, id: u32, graph: Graph) {
        if self.model.refinement.folds.laid_out(id, graph) {
            // Meanwhile something else may have been folded.
            self.draw_counterexamples();
        }
    }

    /// Asks for two heuristics' runs and rounds, if they are to be shown beside each other.
    fn ask_pair(&mut self) {
        let refinement = &self.model.refinement;
        if !self.loaded || !refinement.fresh || self.analysis != Analysis::Refinement {
            return;
        }
        for side in 0..2 {
            let id = self.next_request();
            let refinement = &mut self.model.refinement;
            let request = match refinement.pair.wants(side, id) {
                Some(Wanted::Run(word)) => {
                    let (ask, budgets) =
                        (side_ask(&refinement.ask, word), refinement.side_budgets());
                    Request::Side { side: side as u32, ask, budgets }
                }
                Some(Wanted::Round(round)) => Request::SideRound { side: side as u32, round },
                None => continue,
            };
            self.send(id, request);
        }
    }
}
