//! What the refinement loop asks the worker for, and when.

use super::events::Shown;
use super::pair::{Wanted, side_ask};
use super::state::Refinement;
use super::{events::RefinementEvent, run::Progress};
use crate::ui::state::effect::Effect;
use crate::ui::state::model::Model;
use crate::ui::state::shared::Shared;
use crate::util::Budgets;
use crate::wire::graph::Graph;
use crate::wire::protocol::{Detail, Reply, ReplyMessage, Request};

/// The clock of a run, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;
/// The clock of each heuristic in a comparison.
const COMPARE_MILLIS: u64 = 10_000;
/// Decision-diagram nodes of each of two heuristics that are compared: the loop's own run needs
/// memory as well.
const SIDE_NODES: u64 = 3_000_000;
/// A run that takes longer, in milliseconds, shows its rounds as they come, also if the worker is
/// silent for long.
const LIVE: u32 = 200;
/// Stepping quickly asks once, at the end, after so many milliseconds.
const REST: u32 = 60;

impl Refinement {
    /// Asks for a run, if one is due.
    pub(super) fn refine(&mut self, model: &mut Model) {
        if self.work.is_due() && model.ready("refinement") {
            let (ask, budgets) = (self.ask.clone(), self.work.budgets(MILLIS));
            let id = model.send(Request::Refine { ask, budgets });
            self.begin(id);
        }
    }

    /// Something else is asked for. The comparison of all heuristics stays.
    pub(super) fn refine_anew(&mut self, model: &mut Model) {
        self.stop_all(model);
        model.restart(&mut self.work);
        let rows = self.rows.clone();
        self.invalidate_run();
        self.rows = rows;
        self.refine(model);
    }

    /// Ends what is on its way, where it is.
    pub(super) fn stop_all(&mut self, model: &mut Model) {
        model.stop(&mut self.work);
        model.stop(&mut self.comparison);
        self.pair.running().for_each(|work| model.stop(work));
    }

    /// Runs all heuristics, for the user.
    pub(super) fn compare(&mut self, model: &mut Model) {
        if model.worker.loaded && !self.comparison.is_busy() && !model.broken() {
            model.unasked = false;
            let (ask, budgets) = (self.ask.clone(), compare_budgets());
            let id = model.send(Request::Compare { ask, budgets });
            self.comparison.begin(id, ());
            self.compared = true;
            self.rows = Default::default();
        }
    }

    /// Asks for what is to be shown of a step, once the steps rest.
    pub(super) fn rest(&self, model: &mut Model) {
        model.later("refinement", "rest", REST, RefinementEvent::Settled);
    }

    /// Asks for the round and the abstract program, if they are to be shown.
    pub(super) fn ask_shown(&mut self, model: &mut Model) {
        if self.work.is_fresh() {
            let round = self.present_step().map(|step| step.round);
            if let Some(round) = round.filter(|round| self.read.wants(round)) {
                let id = model.send(Request::Round { round });
                self.read.begin(id, round);
            }
            let report = self.run.as_ref().and_then(|run| run.report.as_ref());
            let answered = report.is_some_and(|report| report.answer.is_some());
            if answered && self.shown() == Shown::Program && self.programs.wants(&()) {
                let id = model.send(Request::Abstracted);
                self.programs.begin(id, ());
            }
        }
        // The table of heuristics fills by itself, once.
        if self.work.is_fresh() && self.shown() == Shown::Heuristics && !self.compared {
            self.compare(model);
        }
        self.draw(model);
        self.ask_pair(model);
    }

    /// Has the picture laid out anew, if something else is folded than what is drawn.
    fn draw(&mut self, model: &mut Model) {
        let Some(view) = self.view() else { return };
        if let Some(graph) = self.folds.wants(&view) {
            let id = model.next_request();
            self.folds.begin(id, &view);
            model.effect(Effect::Aside(id, Request::Layout { graph }));
        }
    }

    /// A layout has arrived.
    fn drawn(&mut self, id: u32, graph: Graph, model: &mut Model) {
        self.folds.laid_out(id, graph);
        // Meanwhile something else may have been folded.
        self.draw(model);
    }

    /// Asks for two heuristics' runs and rounds, if they are to be compared.
    fn ask_pair(&mut self, model: &mut Model) {
        if !model.worker.loaded || !self.work.is_fresh() || model.shown != "refinement" {
            return;
        }
        for index in 0..self.pair.sides.len() {
            let Some(wanted) = self.pair.wants(index) else { continue };
            let side = index as u32;
            let id = match wanted {
                Wanted::Run(word) => {
                    let ask = side_ask(&self.ask, word);
                    let budgets = Budgets { max_nodes: SIDE_NODES, ..compare_budgets() };
                    model.send(Request::Side { side, ask, budgets })
                }
                Wanted::Round(round) => model.send(Request::SideRound { side, round }),
            };
            self.pair.begin(index, id, wanted);
        }
    }

    /// What the worker says; gives back what is not about the loop.
    pub(super) fn told(
        &mut self,
        message: ReplyMessage,
        model: &mut Model,
    ) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Cut if self.work.cut(id) => {}
            Reply::Progress { progress, detail: Detail::Rounds(rounds) } => {
                let stage = progress.stage;
                if self.progress(id, Progress { stage, millis, rounds }) {
                    self.show_progress();
                } else if !std::mem::replace(&mut self.looks_soon, true) {
                    model.later("refinement", "live", LIVE, RefinementEvent::Live);
                }
            }
            Reply::Side { report } => {
                let round = self.present_step().map(|step| step.round);
                self.pair.told(id, *report, millis, round);
                self.ask_shown(model);
            }
            Reply::Refined { report } => {
                if self.refined(id, *report, millis) {
                    model.playing = false;
                    self.ask_shown(model);
                }
            }
            Reply::Round { round } => {
                self.told_round(id, round.map(|round| *round));
                self.draw(model);
                // The step may have moved on meanwhile.
                self.rest(model);
            }
            Reply::Abstracted { program } => {
                self.programs.tell(id, Shared::new(program));
            }
            Reply::Compared { row } => self.compared(id, row, last),
            Reply::LaidOut { graph } if self.folds.is_asked(id) => self.drawn(id, graph, model),
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }
}

/// The budgets of each heuristic in a comparison.
fn compare_budgets() -> Budgets {
    Budgets { max_millis: Some(COMPARE_MILLIS), ..Budgets::default() }
}
