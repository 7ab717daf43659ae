//! Two heuristics that are compared: which, and what the worker has told of their runs.

use super::run::Run;
use crate::ui::state::lookup::Lookup;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::refinement::{
    CegarOptions, Heuristic, RefinementAsk, RefinementReport, RoundView,
};

/// Two of them, or fewer.
#[derive(Default)]
pub(crate) struct Pair {
    /// The one that was chosen first is on the left.
    pub(crate) chosen: Vec<Heuristic>,
    /// Are they shown, instead of the table?
    pub(crate) shown: bool,
    pub(crate) sides: [Side; 2],
}

/// A run with one of them.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Side {
    pub(crate) run: Option<Shared<Run>>,
    work: Question<()>,
    /// The round that is shown.
    pub(crate) round: Option<u32>,
    read: Lookup<u32, Shared<RoundView>>,
}

/// What a side is to ask the worker for.
pub(crate) enum Wanted {
    /// A run with this heuristic.
    Run(Heuristic),
    /// A round.
    Round(u32),
}

impl Pair {
    /// Chooses a heuristic, in the place of the one that was chosen first if there are two; or
    /// gives it up.
    pub(crate) fn choose(&mut self, heuristic: Heuristic) {
        match self.chosen.iter().position(|chosen| *chosen == heuristic) {
            Some(at) => {
                self.chosen.remove(at);
            }
            None => {
                if self.chosen.len() > 1 {
                    self.chosen.remove(0);
                }
                self.chosen.push(heuristic);
            }
        }
        self.invalidate();
    }

    /// Another heuristic on one side.
    pub(crate) fn put(&mut self, side: usize, heuristic: Heuristic) {
        if let (Some(chosen), Some(there)) = (self.chosen.get_mut(side), self.sides.get_mut(side)) {
            *chosen = heuristic;
            *there = Side::default();
        }
    }

    /// As a link has it.
    pub(crate) fn restore(&mut self, heuristics: &[Heuristic]) {
        self.chosen = heuristics.iter().copied().take(2).collect();
        self.shown = self.chosen.len() == 2;
    }

    /// For a link.
    pub(crate) fn present(&self) -> Vec<Heuristic> {
        if self.shown { self.chosen.clone() } else { Vec::new() }
    }

    /// Another program, other options or another worker: the runs are no more.
    pub(crate) fn invalidate(&mut self) {
        self.sides = Default::default();
    }

    /// Shows another round.
    pub(crate) fn show_round(&mut self, side: usize, round: u32) {
        if let Some(side) = self.sides.get_mut(side) {
            side.round = Some(round);
        }
    }

    /// What a side is to ask the worker for now.
    pub(super) fn wants(&self, side: usize) -> Option<Wanted> {
        let heuristic = *self.chosen.get(side).filter(|_| self.shown && self.chosen.len() == 2)?;
        let side = self.sides.get(side)?;
        if side.is_busy() {
            return None;
        }
        if side.run.is_none() {
            return Some(Wanted::Run(heuristic));
        }
        Some(Wanted::Round(side.round.filter(|round| side.read.wants(round))?))
    }

    /// A side has asked for it.
    pub(super) fn begin(&mut self, side: usize, id: u32, wanted: Wanted) {
        let Some(side) = self.sides.get_mut(side) else { return };
        match wanted {
            Wanted::Run(_) => side.work.begin(id, ()),
            Wanted::Round(round) => side.read.begin(id, round),
        }
    }

    /// A run is over. It shows the round that was looked at, or else its last one with
    /// counterexamples.
    pub(crate) fn told(
        &mut self,
        id: u32,
        mut report: RefinementReport,
        millis: u64,
        round: Option<u32>,
    ) {
        let Some(side) = self.sides.iter_mut().find(|side| side.work.waits_for(id)) else {
            return;
        };
        side.work.tell(id);
        let rounds = std::mem::take(&mut report.rounds);
        let drawn =
            |number: &u32| rounds.iter().any(|round| round.round == *number && round.dag_nodes > 0);
        let last = rounds.iter().rev().find(|round| round.dag_nodes > 0).map(|round| round.round);
        side.round = round.filter(drawn).or(last);
        side.run = Some(Shared::new(Run::new(Some(report), rounds, millis)));
    }

    /// A round was read, or there is none.
    pub(crate) fn told_round(&mut self, id: u32, view: Option<&RoundView>) {
        for side in &mut self.sides {
            match view {
                Some(view) => {
                    side.read.tell(id, Shared::new(view.clone()));
                }
                None => {
                    let refused = side.read.refuse(id);
                    side.round = side.round.filter(|shown| Some(*shown) != refused);
                }
            }
        }
    }

    /// The runs that are on their way.
    pub(super) fn running(&mut self) -> impl Iterator<Item = &mut Question<()>> {
        self.sides.iter_mut().map(|side| &mut side.work).filter(|work| work.is_busy())
    }
}

impl Side {
    /// Is its run on its way?
    pub(crate) fn is_running(&self) -> bool {
        self.work.is_busy()
    }

    fn is_busy(&self) -> bool {
        self.work.is_busy() || self.read.is_busy()
    }

    /// The round that is shown, once it was read.
    pub(crate) fn view(&self) -> Option<Shared<RoundView>> {
        self.read.get(&self.round?).cloned()
    }
}

/// What a side is asked for: the options of the page, with its own heuristic.
pub(crate) fn side_ask(ask: &RefinementAsk, heuristic: Heuristic) -> RefinementAsk {
    let options = CegarOptions { heuristic, follow: false, ..ask.options };
    RefinementAsk { options, terse: true, ..ask.clone() }
}
