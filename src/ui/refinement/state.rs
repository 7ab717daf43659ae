//! What the page knows of the refinement loop: what it is asked for, the run, the step, the
//! selection, the rounds that were read. No effects.

use super::events::Shown;
use super::folds::Folds;
use super::pair::Pair;
use crate::report::cegar::RoundReport;
use crate::ui::shared::Shared;
use crate::wire::graph::Graph;
use crate::wire::permalink::RefinementPlace;
use crate::wire::protocol::Budgets;
use crate::wire::refinement::{
    AbstractView, CompareRow, PaperTable, RefinementAsk, RefinementReport, RoundStep, RoundView,
    nodes_of_line, timeline,
};
use std::collections::BTreeMap;

/// The clock of a run, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;
/// The clock of each heuristic in a comparison.
const COMPARE_MILLIS: u64 = 10_000;
/// Decision-diagram nodes of each of two heuristics beside each other: they live beside the loop's
/// own.
const SIDE_NODES: u64 = 3_000_000;
/// A run that takes longer, in milliseconds, shows its rounds as they come.
const LIVE_AFTER: u64 = 200;

/// A run that is over, or that was given up.
#[derive(Debug)]
pub(crate) struct Run {
    /// The worker's answer; `None` if it was given up.
    pub(crate) report: Option<RefinementReport>,
    pub(crate) rounds: Vec<RoundReport>,
    pub(crate) steps: Vec<RoundStep>,
    pub(crate) millis: u64,
    /// The user has ended it.
    pub(crate) stopped: bool,
    /// It is still on its way: these are the rounds so far.
    pub(crate) live: bool,
}

impl Run {
    pub(super) fn new(
        report: Option<RefinementReport>,
        rounds: Vec<RoundReport>,
        millis: u64,
    ) -> Run {
        Run { report, steps: timeline(&rounds), rounds, millis, stopped: false, live: false }
    }

    /// The round of a step.
    pub(crate) fn round(&self, step: usize) -> Option<&RoundReport> {
        let number = self.steps.get(step)?.round;
        self.rounds.iter().find(|round| round.round == number)
    }

    /// Refinements that were made.
    pub(crate) fn refinements(&self) -> usize {
        self.rounds.iter().filter(|round| round.predicates_added > 0).count()
    }
}

/// A run that is on its way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    pub(crate) id: u32,
    pub(crate) phase: String,
    pub(crate) millis: u64,
    /// Stop was pressed.
    pub(crate) stopping: bool,
    /// The rounds so far.
    rounds: Vec<RoundReport>,
}

impl Asked {
    /// The round that it is at; 0 is none.
    pub(super) fn round(&self) -> usize {
        self.rounds.len()
    }
}

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
    read: BTreeMap<u32, Shared<RoundView>>,
    pub(crate) program: Option<Shared<AbstractView>>,
    pub(crate) rows: Shared<Vec<CompareRow>>,
    pub(crate) pair: Pair,
    /// What the paper prints of this example.
    pub(crate) paper: Option<Shared<PaperTable>>,
    pub(crate) asked: Option<Asked>,
    asked_round: Option<(u32, u32)>,
    asked_program: Option<u32>,
    /// The comparison that is on its way.
    pub(crate) comparing: Option<u32>,
    /// Ten times the usual budgets, or a hundred times.
    scale: Option<u64>,
    /// Is the run of the program as it is now, and does the worker still have it?
    pub(crate) fresh: bool,
    /// The worker was replaced: what it knew of the run is gone.
    gone: bool,
    /// It was stopped: nothing is run again until somebody asks.
    pub(crate) halted: bool,
    place: Option<RefinementPlace>,
    kept: Option<Kept>,
}

impl Refinement {
    /// The budgets of the next run.
    pub(crate) fn budgets(&self) -> Budgets {
        let (scale, usual) = (self.scale.unwrap_or(1), Budgets::default());
        Budgets {
            max_nodes: usual.max_nodes.saturating_mul(scale),
            max_steps: usual.max_steps.saturating_mul(scale),
            max_millis: Some(MILLIS.saturating_mul(scale)),
        }
    }

    /// The budgets of each heuristic in a comparison.
    pub(crate) fn compare_budgets(&self) -> Budgets {
        Budgets { max_millis: Some(COMPARE_MILLIS), ..Budgets::default() }
    }

    /// The budgets of each of two heuristics beside each other.
    pub(crate) fn side_budgets(&self) -> Budgets {
        Budgets { max_nodes: SIDE_NODES, ..self.compare_budgets() }
    }

    /// Ten times as much.
    pub(crate) fn go_on(&mut self) {
        self.scale = Some(self.scale.unwrap_or(1).saturating_mul(10));
    }

    /// Another program: nothing of the old one is left but what is asked for.
    pub(crate) fn forget(&mut self) {
        let ask = RefinementAsk { predicates: Vec::new(), ..self.ask.clone() };
        let chosen = std::mem::take(&mut self.pair.chosen);
        *self = Refinement { ask, ..Refinement::default() };
        self.pair.chosen = chosen;
    }

    /// The program or its options have changed: what is shown stays until there is a new run.
    pub(crate) fn invalidate(&mut self) {
        (self.fresh, self.gone, self.halted) = (false, false, false);
        (self.asked, self.asked_round, self.asked_program, self.comparing) =
            (None, None, None, None);
        self.rows = Shared::default();
        self.pair.invalidate();
    }

    /// The worker is another one now.
    pub(crate) fn lose_worker(&mut self) {
        let (gone, halted, rows) =
            (self.fresh || self.gone || self.asked.is_some(), self.halted, self.rows.clone());
        self.invalidate();
        (self.gone, self.halted, self.rows) = (gone, halted, rows);
        self.folds.ask_again();
    }

    /// As a link or an example has it.
    pub(crate) fn restore(&mut self, place: RefinementPlace) {
        self.ask = place.ask.clone();
        self.folds.folded = place.folded.clone();
        self.pair.restore(&place.pair);
        self.place = Some(place);
    }

    /// For a link.
    pub(crate) fn present(&self) -> RefinementPlace {
        let step = self.run.as_ref().and_then(|run| run.steps.get(self.step));
        RefinementPlace {
            ask: self.ask.clone(),
            round: step.map_or(0, |step| step.round),
            phase: step.map_or(String::new(), |step| step.phase.clone()),
            node: self.selected,
            picture: self.chosen.map_or(String::new(), |shown| shown.word().to_string()),
            folded: self.folds.folded.clone(),
            pair: self.pair.present(),
        }
    }

    /// A run is on its way.
    pub(crate) fn begin(&mut self, id: u32) {
        (self.gone, self.halted) = (false, false);
        self.asked = Some(Asked { id, ..Asked::default() });
        if let Some(run) = self.run.as_ref().filter(|run| !run.live) {
            self.kept = Some(Kept { run: run.clone(), step: self.step, selected: self.selected });
        }
    }

    /// How far it is. True if the page is now to show that: at once where it shows nothing else, or
    /// else after a while.
    pub(crate) fn progress(
        &mut self,
        id: u32,
        phase: String,
        rounds: Vec<RoundReport>,
        millis: u64,
    ) -> bool {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.id == id) else { return false };
        (asked.phase, asked.rounds, asked.millis) = (phase, rounds, millis);
        self.run.as_ref().is_none_or(|run| run.live) || millis > LIVE_AFTER
    }

    /// The rounds so far take the place of an older run. The timeline stays at its end, unless the
    /// user has gone somewhere else.
    pub(crate) fn show_progress(&mut self) {
        let Some(asked) = &self.asked else { return };
        let run = Run { live: true, ..Run::new(None, asked.rounds.clone(), asked.millis) };
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
        let Some(asked) = self.asked.take_if(|asked| asked.id == id) else { return false };
        self.fresh = true;
        let rounds = std::mem::take(&mut report.rounds);
        self.show_run(Run { stopped: asked.stopping, ..Run::new(Some(report), rounds, millis) });
        true
    }

    /// Stop was pressed: which request is that for?
    pub(crate) fn stopping(&mut self) -> Option<u32> {
        if let Some(asked) = &mut self.asked {
            asked.stopping = true;
        }
        self.waiting()
    }

    /// The run, or the comparison, that is on its way.
    pub(crate) fn waiting(&self) -> Option<u32> {
        self.asked.as_ref().map(|asked| asked.id).or(self.comparing).or(self.pair.running().next())
    }

    /// The worker did not answer Stop: what it told so far is shown.
    pub(crate) fn give_up(&mut self) {
        if let Some(asked) = self.asked.take() {
            self.show_run(Run {
                stopped: asked.stopping,
                ..Run::new(None, asked.rounds, asked.millis)
            });
        }
        self.comparing = None;
        self.pair.invalidate();
        (self.fresh, self.gone, self.halted) = (false, true, true);
    }

    fn forget_rounds(&mut self) {
        self.read.clear();
        self.folds.forget_pictures();
        (self.asked_round, self.asked_program, self.program) = (None, None, None);
    }

    fn show_run(&mut self, run: Run) {
        self.forget_rounds();
        let find = |round: u32, phase: &str| {
            let of_round = |step: &RoundStep| step.round == round;
            let exact = run.steps.iter().position(|step| of_round(step) && step.phase == phase);
            exact.or_else(|| run.steps.iter().position(of_round))
        };
        // Somebody has looked at a phase while the run went on.
        let watched = self.run.as_ref().filter(|old| old.live && self.step + 1 < old.steps.len());
        let watched = watched
            .and_then(|old| old.steps.get(self.step))
            .and_then(|step| find(step.round, &step.phase));
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
        if let Some(place) = self.place.take() {
            if let Some(step) = find(place.round, &place.phase) {
                (self.step, self.selected) = (step, place.node);
            }
            self.chosen = Shown::ALL.into_iter().find(|shown| shown.word() == place.picture);
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

    /// Where the timeline stands.
    pub(crate) fn present_step(&self) -> Option<&RoundStep> {
        self.run.as_ref()?.steps.get(self.step)
    }

    /// Goes to a step; the picture follows its phase, and the selection stays within its round, or
    /// on its line.
    pub(crate) fn go_to(&mut self, step: usize) {
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
    pub(crate) fn select_line(&mut self, line: u32) {
        self.line = line;
        if self.fresh {
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
        let of_phase = match self.present_step().map(|step| step.phase.as_str()) {
            Some("abstract" | "check" | "prove") => Shown::Program,
            _ => Shown::Dag,
        };
        self.chosen.unwrap_or(of_phase)
    }

    /// The round to ask for under a request number, if one is wanted that is not read and not on
    /// its way.
    pub(crate) fn round_to_ask(&mut self, id: u32) -> Option<u32> {
        let round = self.present_step().filter(|_| self.fresh)?.round;
        if self.read.contains_key(&round) || self.asked_round.is_some() {
            return None;
        }
        self.asked_round = Some((id, round));
        Some(round)
    }

    /// A round has arrived.
    pub(crate) fn told_round(&mut self, id: u32, view: Option<RoundView>) {
        self.pair.told_round(id, view.as_ref());
        let Some((_, round)) = self.asked_round.take_if(|(asked, _)| *asked == id) else { return };
        if let Some(view) = view {
            if self
                .selected
                .is_some_and(|selected| view.nodes.iter().all(|node| node.node != selected))
            {
                self.selected = None;
            }
            self.folds.read(&view);
            self.read.insert(round, Shared::new(view));
            if self.selected.is_none() {
                self.follow_line();
            }
        }
    }

    /// Is the abstract program to be asked for under this number?
    pub(crate) fn program_to_ask(&mut self, id: u32) -> bool {
        let answered = self
            .run
            .as_ref()
            .is_some_and(|run| run.report.as_ref().is_some_and(|report| report.answer.is_some()));
        let wanted = self.fresh
            && answered
            && self.shown() == Shown::Program
            && self.program.is_none()
            && self.asked_program.is_none();
        if wanted {
            self.asked_program = Some(id);
        }
        wanted
    }

    /// The abstract program has arrived.
    pub(crate) fn told_program(&mut self, id: u32, program: AbstractView) {
        if self.asked_program.take_if(|asked| *asked == id).is_some() {
            self.program = Some(Shared::new(program));
        }
    }

    /// A heuristic is through.
    pub(crate) fn compared(&mut self, id: u32, row: Option<CompareRow>, done: bool) {
        if self.comparing != Some(id) {
            return;
        }
        self.rows = Shared::new(self.rows.iter().cloned().chain(row).collect());
        if done {
            self.comparing = None;
        }
    }

    /// Why what is shown is not the answer to what is asked now.
    pub(crate) fn stale(&self) -> Option<&'static str> {
        match (self.run.is_some() && !self.fresh && self.asked.is_none(), self.gone) {
            (false, _) => None,
            (true, true) => {
                Some("The worker had to be replaced: only the numbers of this run are left.")
            }
            (true, false) => Some("The program has changed since this run."),
        }
    }

    /// What stands in the place of a run, if there is none.
    pub(crate) fn said(&self, broken: bool) -> Option<String> {
        let report = self.run.as_ref().and_then(|run| run.report.as_ref());
        match report {
            _ if self.run.is_none() && broken => {
                Some("The program cannot be read: see the errors beside it.".into())
            }
            _ if self.run.is_none() && self.asked.is_some() => Some("Refining…".into()),
            None if self.run.is_none() => Some("Nothing was run yet.".into()),
            Some(report) if report.answer.is_none() => Some(report.problems.join("\n")),
            _ => None,
        }
    }
}

/// Where a run opens: where the last DAG has its interpolants, else at the end.
fn opening(run: &Run) -> usize {
    let interpolated = run.steps.iter().rposition(|step| step.phase == "interpolate");
    interpolated.unwrap_or(run.steps.len().saturating_sub(1))
}
