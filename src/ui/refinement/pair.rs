//! Two heuristics beside each other: which, and what the worker has told of their runs. No effects.

use super::state::Run;
use crate::ui::shared::Shared;
use crate::wire::refinement::{HEURISTICS, RefinementAsk, RefinementReport, RoundView};
use std::collections::BTreeMap;

/// Two of them, or fewer.
#[derive(Default)]
pub(crate) struct Pair {
    /// Their words; the one that was chosen first stands left.
    pub(crate) chosen: Vec<&'static str>,
    /// Are they shown, instead of the table?
    pub(crate) shown: bool,
    pub(crate) sides: [Side; 2],
}

/// A run with one of them.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Side {
    pub(crate) run: Option<Shared<Run>>,
    asked: Option<u32>,
    /// The round that is shown.
    pub(crate) round: Option<u32>,
    asked_round: Option<(u32, u32)>,
    read: BTreeMap<u32, Shared<RoundView>>,
}

/// What a side is to ask the worker for.
pub(crate) enum Wanted {
    /// A run with this heuristic.
    Run(&'static str),
    /// A round.
    Round(u32),
}

/// A heuristic's own word.
pub(super) fn word_of(word: &str) -> Option<&'static str> {
    HEURISTICS.into_iter().map(|(known, _, _)| known).find(|known| *known == word)
}

impl Pair {
    /// Chooses a heuristic, in the place of the one that was chosen first if there are two; or
    /// gives it up.
    pub(crate) fn choose(&mut self, word: &'static str) {
        match self.chosen.iter().position(|chosen| *chosen == word) {
            Some(at) => {
                self.chosen.remove(at);
            }
            None => {
                if self.chosen.len() > 1 {
                    self.chosen.remove(0);
                }
                self.chosen.push(word);
            }
        }
        self.invalidate();
    }

    /// Another heuristic on one side.
    pub(crate) fn put(&mut self, side: usize, word: &'static str) {
        if let (Some(chosen), Some(there)) = (self.chosen.get_mut(side), self.sides.get_mut(side)) {
            *chosen = word;
            *there = Side::default();
        }
    }

    /// As a link has it.
    pub(crate) fn restore(&mut self, words: &[String]) {
        self.chosen = words.iter().filter_map(|word| word_of(word)).take(2).collect();
        self.shown = self.chosen.len() == 2;
    }

    /// For a link.
    pub(crate) fn present(&self) -> Vec<String> {
        let words = || self.chosen.iter().map(|word| word.to_string()).collect();
        if self.shown { words() } else { Vec::new() }
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

    /// What a side wants under a request number; it counts as asked then.
    pub(crate) fn wants(&mut self, side: usize, id: u32) -> Option<Wanted> {
        let word = *self.chosen.get(side).filter(|_| self.shown && self.chosen.len() == 2)?;
        let side = self.sides.get_mut(side)?;
        if side.asked.is_some() || side.asked_round.is_some() {
            return None;
        }
        if side.run.is_none() {
            side.asked = Some(id);
            return Some(Wanted::Run(word));
        }
        let round = side.round.filter(|round| !side.read.contains_key(round))?;
        side.asked_round = Some((id, round));
        Some(Wanted::Round(round))
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
        let Some(side) = self.sides.iter_mut().find(|side| side.asked == Some(id)) else { return };
        let rounds = std::mem::take(&mut report.rounds);
        let drawn =
            |number: &u32| rounds.iter().any(|round| round.round == *number && round.dag_nodes > 0);
        let last = rounds.iter().rev().find(|round| round.dag_nodes > 0).map(|round| round.round);
        (side.asked, side.round) = (None, round.filter(drawn).or(last));
        side.run = Some(Shared::new(Run::new(Some(report), rounds, millis)));
    }

    /// A round was read, or there is none.
    pub(crate) fn told_round(&mut self, id: u32, view: Option<&RoundView>) {
        let Some(side) = self
            .sides
            .iter_mut()
            .find(|side| side.asked_round.is_some_and(|(asked, _)| asked == id))
        else {
            return;
        };
        let Some((_, round)) = side.asked_round.take() else { return };
        match view {
            Some(view) => {
                side.read.insert(round, Shared::new(view.clone()));
            }
            None => side.round = side.round.filter(|shown| *shown != round),
        }
    }

    /// The runs that are on their way.
    pub(crate) fn running(&self) -> impl Iterator<Item = u32> {
        self.sides.iter().filter_map(|side| side.asked)
    }
}

impl Side {
    /// Is its run on its way?
    pub(crate) fn is_running(&self) -> bool {
        self.asked.is_some()
    }

    /// The round that is shown, once it was read.
    pub(crate) fn view(&self) -> Option<Shared<RoundView>> {
        self.read.get(&self.round?).cloned()
    }
}

/// What a side is asked for: the options of the page, with its own heuristic.
pub(crate) fn side_ask(ask: &RefinementAsk, word: &str) -> RefinementAsk {
    RefinementAsk { interpolants: word.to_string(), terse: true, ..ask.clone() }
}
