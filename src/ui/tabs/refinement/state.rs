//! What the page knows of the refinement loop: what it is asked for, the run, the step, the
//! selection, the rounds that were read.

use super::events::Shown;
use super::folds::Folds;
use super::pair::Pair;
use super::run::{Progress, Run};
use crate::draw::refinement::{RoundStep, nodes_of_line};
use crate::ui::state::lookup::Lookup;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::graph::Graph;
use crate::wire::permalink::RefinementPlace;
use crate::wire::refinement::{
    AbstractView, CegarPhase, CompareRow, PaperTable, RefinementAsk, RefinementReport, RoundView,
};

/// A run that takes longer, in milliseconds, shows its rounds as they come.
const LIVE_AFTER: u64 = 200;

/// A run that was shown when it was asked for again: if nothing else comes out, the page stays
/// where it is.
struct Kept {
    run: Shared<Run>,
    step: usize,
    selected: Option<u32>,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Refinement {
    pub(crate) ask: RefinementAsk,
    pub(crate) run: Option<Shared<Run>>,
    pub(crate) step: usize,
    /// The picture that was chosen; else the one that goes with the phase.
    chosen: Option<Shown>,
    /// A node of the DAG that is shown.
    pub(crate) selected: Option<u32>,
    /// The line whose nodes are marked; 0 is none.
    pub(crate) line: u32,
    pub(crate) folds: Folds,
    pub(super) read: Lookup<u32, Shared<RoundView>>,
    pub(super) programs: Lookup<(), Shared<AbstractView>>,
    pub(crate) rows: Shared<Vec<CompareRow>>,
    pub(crate) pair: Pair,
    /// What the paper prints of this example.
    pub(crate) paper: Option<Shared<PaperTable>>,
    /// The run of the loop.
    pub(crate) work: Question<Progress>,
    /// The comparison of all heuristics.
    pub(crate) comparison: Question<()>,
    /// Was it asked for, of this run?
    pub(super) compared: bool,
    /// A look at the rounds so far is due soon.
    pub(super) looks_soon: bool,
    opens_at: Option<RefinementPlace>,
    kept: Option<Kept>,
}

impl Refinement {
    /// Another program: nothing of the old one is left but what is asked for.
    pub(super) fn forget_run(&mut self) {
        let ask = RefinementAsk { predicates: Vec::new(), ..self.ask.clone() };
        let chosen = std::mem::take(&mut self.pair.chosen);
        *self = Refinement { ask, ..Refinement::default() };
        self.pair.chosen = chosen;
    }

    /// What is shown stays until there is a new run.
    pub(super) fn invalidate_run(&mut self) {
        self.work.invalidate();
        self.forget_comparison();
        self.read.lose_worker();
        self.programs.lose_worker();
    }

    /// What was compared with the run is no more.
    fn forget_comparison(&mut self) {
        self.comparison.invalidate();
        self.compared = false;
        self.rows = Shared::default();
        self.pair.invalidate();
    }

    /// The worker is another one now: what it knew of the run is gone.
    pub(super) fn forget_worker(&mut self) {
        self.give_up_run();
        self.work.lose_worker();
        self.comparison.invalidate();
        self.pair.invalidate();
        self.read.lose_worker();
        self.programs.lose_worker();
        self.folds.ask_again();
    }

    /// As a link or an example has it.
    pub(super) fn open_at(&mut self, place: RefinementPlace) {
        self.ask = place.ask.clone();
        self.folds.folded = place.folded.clone();
        self.pair.restore(&place.pair);
        self.opens_at = Some(place);
    }

    /// For a link.
    pub(super) fn place(&self) -> RefinementPlace {
        if let Some(place) = &self.opens_at {
            return RefinementPlace { ask: self.ask.clone(), ..place.clone() };
        }
        let step = self.run.as_ref().and_then(|run| run.steps.get(self.step));
        RefinementPlace {
            ask: self.ask.clone(),
            round: step.map_or(0, |step| step.round),
            phase: step.map(|step| step.phase),
            node: self.selected,
            picture: self.chosen,
            folded: self.folds.folded.clone(),
            pair: self.pair.present(),
        }
    }

    /// A run is on its way.
    pub(super) fn begin(&mut self, id: u32) {
        self.work.begin(id, Progress::default());
        if let Some(run) = self.run.as_ref().filter(|run| !run.live) {
            self.kept = Some(Kept { run: run.clone(), step: self.step, selected: self.selected });
        }
    }

    /// How far it is. True if the page is now to show that: at once where it shows nothing else, or
    /// else after a while.
    pub(super) fn progress(&mut self, id: u32, told: Progress) -> bool {
        let Some(progress) = self.work.progress(id) else { return false };
        *progress = told;
        self.run.as_ref().is_none_or(|run| run.live) || progress.millis > LIVE_AFTER
    }

    /// The rounds so far take the place of an older run. The timeline stays at its end, unless the
    /// user has gone somewhere else.
    pub(crate) fn show_progress(&mut self) {
        self.looks_soon = false;
        let Some(pending) = self.work.pending() else { return };
        let Progress { rounds, millis, .. } = &pending.progress;
        let run = Run { live: true, ..Run::new(None, rounds.clone(), *millis) };
        if run.steps.is_empty() {
            return;
        }
        let last = run.steps.len() - 1;
        let follows =
            self.run.as_ref().is_none_or(|old| !old.live || self.step + 1 >= old.steps.len());
        self.forget_rounds();
        if follows {
            (self.step, self.selected) = (last, None);
        }
        self.run = Some(Shared::new(run));
    }

    /// The worker's answer. False if it was not waited for.
    pub(crate) fn refined(&mut self, id: u32, mut report: RefinementReport, millis: u64) -> bool {
        let Some(pending) = self.work.tell(id) else { return false };
        let rounds = std::mem::take(&mut report.rounds);
        self.show_run(Run { stopped: pending.stopping, ..Run::new(Some(report), rounds, millis) });
        true
    }

    /// The worker did not answer Stop: what it told so far is shown.
    pub(super) fn give_up_run(&mut self) {
        if let Some(pending) = self.work.give_up() {
            let Progress { rounds, millis, .. } = pending.progress;
            let run = Run::new(None, rounds, millis);
            self.show_run(Run { stopped: pending.stopping, ..run });
        }
    }

    fn forget_rounds(&mut self) {
        self.read.forget();
        self.programs.forget();
        self.folds.forget_pictures();
    }

    fn show_run(&mut self, run: Run) {
        self.forget_rounds();
        let find = |round: u32, phase: Option<CegarPhase>| {
            let of_round = |step: &RoundStep| step.round == round;
            let exact =
                run.steps.iter().position(|step| of_round(step) && Some(step.phase) == phase);
            exact.or_else(|| run.steps.iter().position(of_round))
        };
        // The user has looked at a phase while the run went on.
        let watched = self.run.as_ref().filter(|old| old.live && self.step + 1 < old.steps.len());
        let watched = watched
            .and_then(|old| old.steps.get(self.step))
            .and_then(|step| find(step.round, Some(step.phase)));
        let asked = |run: &Run| run.report.as_ref().map(|report| report.ask.clone());
        let same = self
            .kept
            .take()
            .filter(|kept| kept.run.rounds == run.rounds && asked(&kept.run) == asked(&run));
        (self.step, self.selected) = match (watched, same) {
            (Some(step), _) => (step, None),
            (None, Some(kept)) => (kept.step, kept.selected),
            (None, None) => (opening(&run), None),
        };
        if let Some(place) = self.opens_at.take() {
            if let Some(step) = find(place.round, place.phase) {
                (self.step, self.selected) = (step, place.node);
            }
            self.chosen = place.picture;
        }
        self.run = Some(Shared::new(run));
    }

    /// The round that is shown, once it was read.
    pub(crate) fn view(&self) -> Option<Shared<RoundView>> {
        self.read.get(&self.present_step()?.round).cloned()
    }

    /// Its picture, with what is folded.
    pub(crate) fn picture(&self) -> Option<Shared<Graph>> {
        self.folds.picture(self.present_step()?.round)
    }

    /// Where the timeline is.
    pub(crate) fn present_step(&self) -> Option<&RoundStep> {
        self.run.as_ref()?.steps.get(self.step)
    }

    /// Goes to a step; the picture follows its phase, and the selection stays within its round, or
    /// on its line.
    pub(super) fn show_step(&mut self, step: usize) {
        let round = |this: &Refinement| this.present_step().map(|step| step.round);
        let old = round(self);
        self.step = step;
        if round(self) != old {
            self.selected = None;
            self.follow_line();
        }
        if self.chosen != Some(Shown::Heuristics) {
            self.chosen = None;
        }
    }

    /// Selects a node, or none; the other nodes of its line are marked.
    pub(crate) fn select(&mut self, node: Option<u32>) {
        self.selected = node;
        let found = self
            .view()
            .zip(node)
            .and_then(|(view, node)| view.nodes.iter().find(|n| n.node == node).map(|n| n.line));
        self.line = found.unwrap_or(0);
    }

    /// A line was chosen in the source: its nodes are marked, and the first one is selected.
    pub(super) fn mark_line(&mut self, line: u32) {
        self.line = line;
        if self.work.is_fresh() {
            self.follow_line();
        }
    }

    /// The selection stays on its line where it can; else it is the line's first node.
    fn follow_line(&mut self) {
        let Some(view) = self.view().filter(|_| self.line > 0) else { return };
        let here = nodes_of_line(&view, self.line);
        if self.selected.is_none_or(|selected| !here.contains(&selected)) {
            self.selected = here.first().copied();
        }
    }

    /// Folds or unfolds the frame of this name.
    pub(crate) fn fold(&mut self, key: Option<String>) {
        if let Some(key) = key {
            self.folds.toggle(key);
        }
    }

    /// Shows a picture, whatever the phase.
    pub(crate) fn show(&mut self, shown: Shown) {
        self.chosen = Some(shown);
    }

    /// What the picture shows.
    pub(crate) fn shown(&self) -> Shown {
        let of_phase = match self.present_step().map(|step| step.phase) {
            Some(CegarPhase::Abstract | CegarPhase::Check | CegarPhase::Prove) => Shown::Program,
            _ => Shown::Dag,
        };
        self.chosen.unwrap_or(of_phase)
    }

    /// The abstract program, once it was read.
    pub(crate) fn program(&self) -> Option<Shared<AbstractView>> {
        self.programs.get(&()).cloned()
    }

    /// A round has arrived, or there is none.
    pub(super) fn told_round(&mut self, id: u32, view: Option<RoundView>) {
        self.pair.told_round(id, view.as_ref());
        let Some(view) = view else {
            self.read.refuse(id);
            return;
        };
        if !self.read.waits_for(id) {
            return;
        }
        let gone = |selected: u32| view.nodes.iter().all(|node| node.node != selected);
        if self.selected.is_some_and(gone) {
            self.selected = None;
        }
        self.folds.read(&view);
        self.read.tell(id, Shared::new(view));
        if self.selected.is_none() {
            self.follow_line();
        }
    }

    /// A heuristic is through.
    pub(super) fn compared(&mut self, id: u32, row: Option<CompareRow>, done: bool) {
        if !self.comparison.waits_for(id) {
            return;
        }
        self.rows = Shared::new(self.rows.iter().cloned().chain(row).collect());
        if done {
            self.comparison.tell(id);
        }
    }
}

/// Where a run opens: where the last DAG has its interpolants, else at the end.
fn opening(run: &Run) -> usize {
    let interpolated = run.steps.iter().rposition(|step| step.phase == CegarPhase::Interpolate);
    interpolated.unwrap_or(run.steps.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::model::Model;
    use crate::util::Stage;
    use crate::wire::cegar::{PhaseReport, RoundReport};
    use crate::wire::refinement::Heuristic;

    fn round(number: u32) -> RoundReport {
        let phase = |phase| PhaseReport { phase, steps: 1, said: Vec::new() };
        RoundReport {
            round: number,
            predicates_added: 1,
            max_predicates: 1,
            bits: 1,
            rules_abstracted: 1,
            ranks: 1,
            dag_nodes: 3,
            dag_edges: 2,
            traces: 1,
            spurious: Some(true),
            proved: 0,
            phases: [CegarPhase::Check, CegarPhase::Interpolate, CegarPhase::Refine]
                .map(phase)
                .to_vec(),
            follows: None,
            followed: Vec::new(),
        }
    }

    fn report(rounds: u32) -> RefinementReport {
        RefinementReport {
            ask: RefinementAsk::default(),
            answer: None,
            rounds: (1..=rounds).map(round).collect(),
            problems: Vec::new(),
            predicates: 0,
            decided: None,
            said: Vec::new(),
        }
    }

    fn refined(refinement: &mut Refinement, rounds: u32) {
        refinement.begin(1);
        assert!(refinement.refined(1, report(rounds), 5));
    }

    #[test]
    fn a_run_opens_at_its_last_interpolants() {
        let mut refinement = Refinement::default();
        refined(&mut refinement, 2);
        let step = refinement.present_step().expect("it has steps");
        assert_eq!((step.round, step.phase), (2, CegarPhase::Interpolate));
    }

    #[test]
    fn the_same_run_again_stays_where_it_was() {
        let mut refinement = Refinement::default();
        refined(&mut refinement, 2);
        refinement.show_step(0);
        refined(&mut refinement, 2);
        assert_eq!(refinement.step, 0);
        refined(&mut refinement, 3);
        assert_ne!(refinement.step, 0);
    }

    #[test]
    fn rounds_appear_as_they_come_and_a_phase_that_is_looked_at_stays() {
        let mut refinement = Refinement::default();
        refinement.begin(1);
        let progress = |rounds: u32| Progress {
            stage: Stage::Check,
            millis: 1,
            rounds: (1..=rounds).map(round).collect(),
        };
        assert!(refinement.progress(1, progress(1)), "nothing else is shown");
        refinement.show_progress();
        assert_eq!(refinement.step, 2);
        refinement.show_step(0);
        assert!(refinement.progress(1, progress(2)));
        refinement.show_progress();
        assert_eq!(refinement.step, 0, "the user is looking at it");
        assert!(refinement.refined(1, report(2), 9));
        assert_eq!(refinement.step, 0);
    }

    #[test]
    fn rounds_of_a_stopped_run_stay() {
        let mut refinement = Refinement::default();
        refinement.begin(1);
        refinement.work.stop();
        let rounds = vec![round(1)];
        refinement.progress(1, Progress { stage: Stage::Check, millis: 1, rounds });
        refinement.forget_worker();
        let said = refinement.verdict(&Model::default());
        assert_eq!(said.headline, "Stopped");
        assert!(said.told.iter().any(|said| said.contains("had to be replaced")), "{said:?}");
        assert!(!refinement.work.is_due());
    }

    #[test]
    fn two_heuristics_run_one_request_each() {
        let mut refinement = Refinement::default();
        refinement.pair.choose(Heuristic::Weakest);
        refinement.pair.choose(Heuristic::Strongest);
        assert!(refinement.pair.wants(0).is_none(), "they are not shown yet");
        refinement.pair.shown = true;
        let wanted = refinement.pair.wants(1).expect("its run is not known");
        refinement.pair.begin(1, 8, wanted);
        assert!(refinement.pair.wants(1).is_none());
        refinement.pair.told(8, report(2), 5, None);
        assert_eq!(refinement.pair.sides[1].round, Some(2));
        assert_eq!(refinement.pair.running().count(), 0);
    }
}
