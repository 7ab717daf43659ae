//! What the page knows of the refinement loop: what it is asked for, the run, the step, the selection, the rounds that were read. No effects.

use crate::ui::shared::Shared;
use crate::view::cegar::RoundReport;
use crate::view::permalink::RefinementPlace;
use crate::view::protocol::Budgets;
use crate::view::refinement::{AbstractView, CompareRow, RefinementAsk, RefinementReport, RoundStep, RoundView, timeline};
use std::collections::BTreeMap;

/// The clock of a run, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;
/// The clock of each heuristic in a comparison.
const COMPARE_MILLIS: u64 = 10_000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefinementEvent {
    /// Run with other options.
    Ask(RefinementAsk),
    /// Show another picture.
    Show(Shown),
    /// Select a node of the DAG, or none.
    Select(Option<u32>),
    /// End the run, or the comparison, where it is.
    Stop,
    /// Run again.
    Again,
    /// Run again with ten times the budgets.
    More,
    /// Run all heuristics.
    Compare,
    /// The step has come to rest: ask for what is to be shown of it.
    Settled,
}

/// What the picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The counterexample DAG of the round.
    #[default]
    Dag,
    /// The predicates of each place, and statements beside their abstraction.
    Program,
    /// All heuristics on this program.
    Heuristics,
}

impl Shown {
    pub(crate) const ALL: [Shown; 3] = [Shown::Dag, Shown::Program, Shown::Heuristics];

    /// What its button says.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shown::Dag => "Counterexamples",
            Shown::Program => "Abstract program",
            Shown::Heuristics => "Heuristics",
        }
    }

    /// What links call it.
    fn word(self) -> &'static str {
        match self {
            Shown::Dag => "dag",
            Shown::Program => "program",
            Shown::Heuristics => "heuristics",
        }
    }
}

/// A run that is over, or that was given up.
#[derive(Debug)]
pub(crate) struct Run {
    /// The worker's answer; `None` if it was given up.
    pub(crate) report: Option<RefinementReport>,
    pub(crate) rounds: Vec<RoundReport>,
    pub(crate) steps: Vec<RoundStep>,
    pub(crate) millis: u64,
}

impl Run {
    fn new(report: Option<RefinementReport>, rounds: Vec<RoundReport>, millis: u64) -> Run {
        Run { report, steps: timeline(&rounds), rounds, millis }
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
    pub(crate) rounds: Vec<RoundReport>,
    pub(crate) millis: u64,
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
    read: BTreeMap<u32, Shared<RoundView>>,
    pub(crate) program: Option<Shared<AbstractView>>,
    pub(crate) rows: Shared<Vec<CompareRow>>,
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

    /// Ten times as much.
    pub(crate) fn go_on(&mut self) {
        self.scale = Some(self.scale.unwrap_or(1).saturating_mul(10));
    }

    /// Another program: nothing of the old one is left but what is asked for.
    pub(crate) fn forget(&mut self) {
        let ask = RefinementAsk { predicates: Vec::new(), ..self.ask.clone() };
        *self = Refinement { ask, ..Refinement::default() };
    }

    /// The program or its options have changed: what is shown stays until there is a new run.
    pub(crate) fn invalidate(&mut self) {
        (self.fresh, self.gone, self.halted) = (false, false, false);
        (self.asked, self.asked_round, self.asked_program, self.comparing) = (None, None, None, None);
        self.rows = Shared::default();
    }

    /// The worker is another one now.
    pub(crate) fn lose_worker(&mut self) {
        let (gone, halted, rows) = (self.fresh || self.gone || self.asked.is_some(), self.halted, self.rows.clone());
        self.invalidate();
        (self.gone, self.halted, self.rows) = (gone, halted, rows);
    }

    /// As a link or an example has it.
    pub(crate) fn restore(&mut self, place: RefinementPlace) {
        self.ask = place.ask.clone();
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
        }
    }

    /// A run is on its way.
    pub(crate) fn begin(&mut self, id: u32) {
        (self.gone, self.halted) = (false, false);
        self.asked = Some(Asked { id, ..Asked::default() });
    }

    /// How far it is. False if the number is not its.
    pub(crate) fn progress(&mut self, id: u32, phase: String, rounds: Vec<RoundReport>, millis: u64) -> bool {
        match &mut self.asked {
            Some(asked) if asked.id == id => {
                (asked.phase, asked.rounds, asked.millis) = (phase, rounds, millis);
                true
            }
            _ => false,
        }
    }

    /// The worker's answer. False if it was not waited for.
    pub(crate) fn refined(&mut self, id: u32, mut report: RefinementReport, millis: u64) -> bool {
        if self.asked.as_ref().is_none_or(|asked| asked.id != id) {
            return false;
        }
        (self.asked, self.fresh) = (None, true);
        let rounds = std::mem::take(&mut report.rounds);
        self.show_run(Run::new(Some(report), rounds, millis));
        true
    }

    /// The worker did not answer Stop: what it told so far is shown.
    pub(crate) fn give_up(&mut self) {
        if let Some(asked) = self.asked.take() {
            self.show_run(Run::new(None, asked.rounds, asked.millis));
        }
        self.comparing = None;
        (self.fresh, self.gone, self.halted) = (false, true, true);
    }

    fn show_run(&mut self, run: Run) {
        let same = self.run.as_ref().is_some_and(|old| {
            let asked = |run: &Run| run.report.as_ref().map(|report| report.ask.clone());
            old.rounds == run.rounds && asked(old) == asked(&run)
        });
        self.read.clear();
        (self.asked_round, self.asked_program, self.program) = (None, None, None);
        if !same {
            self.selected = None;
            self.step = opening(&run);
        }
        if let Some(place) = self.place.take() {
            let of_round = |step: &RoundStep| step.round == place.round;
            let exact = run.steps.iter().position(|step| of_round(step) && step.phase == place.phase);
            if let Some(step) = exact.or_else(|| run.steps.iter().position(of_round)) {
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

    /// Where the timeline stands.
    pub(crate) fn present_step(&self) -> Option<&RoundStep> {
        self.run.as_ref()?.steps.get(self.step)
    }

    /// Goes to a step; the picture follows its phase, and the selection stays within its round.
    pub(crate) fn go_to(&mut self, step: usize) {
        let round = |this: &Refinement| this.present_step().map(|step| step.round);
        let old = round(self);
        self.step = step;
        if round(self) != old {
            self.selected = None;
        }
        if self.chosen != Some(Shown::Heuristics) {
            self.chosen = None;
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

    /// The round to ask for under a request number, if one is wanted that is not read and not on its way.
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
        let Some((_, round)) = self.asked_round.take_if(|(asked, _)| *asked == id) else { return };
        if let Some(view) = view {
            if self.selected.is_some_and(|selected| view.nodes.iter().all(|node| node.node != selected)) {
                self.selected = None;
            }
            self.read.insert(round, Shared::new(view));
        }
    }

    /// Is the abstract program to be asked for under this number?
    pub(crate) fn program_to_ask(&mut self, id: u32) -> bool {
        let answered = self.run.as_ref().is_some_and(|run| run.report.as_ref().is_some_and(|report| report.answer.is_some()));
        let wanted = self.fresh && answered && self.shown() == Shown::Program && self.program.is_none() && self.asked_program.is_none();
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

    /// Is the worker perhaps busy for the loop?
    pub(crate) fn busy(&self) -> bool {
        self.asked.is_some() || self.asked_round.is_some() || self.asked_program.is_some() || self.comparing.is_some()
    }

    /// Why what is shown is not the answer to what is asked now.
    pub(crate) fn stale(&self) -> Option<&'static str> {
        match (self.run.is_some() && !self.fresh && self.asked.is_none(), self.gone) {
            (false, _) => None,
            (true, true) => Some("The worker had to be replaced: only the numbers of this run are left."),
            (true, false) => Some("The program has changed since this run."),
        }
    }

    /// What stands in the place of a run, if there is none.
    pub(crate) fn said(&self, broken: bool) -> Option<String> {
        let report = self.run.as_ref().and_then(|run| run.report.as_ref());
        match report {
            _ if self.run.is_none() && broken => Some("The program cannot be read: see the errors beside it.".into()),
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
