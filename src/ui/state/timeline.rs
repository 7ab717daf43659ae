//! The timeline at the bottom of the page, whatever it steps through: where it is, where a move
//! leads, which part of it is drawn.

use crate::draw::labels::shortened;
use crate::wire::report::TraceEntry;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// So many steps before and after the current one are drawn: a long timeline must not make a step
/// slow.
pub(crate) const WINDOW: usize = 60;

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    First,
    Back,
    Forward,
    Last,
    To(usize),
    /// Starts or stops playing.
    Play,
    /// Plays at another speed from now on.
    Speed(Speed),
}

/// How fast a timeline is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Speed {
    Half,
    #[default]
    Usual,
    Double,
    Fourfold,
}

impl Speed {
    /// From slow to fast.
    pub(crate) const ALL: [Speed; 4] = [Speed::Half, Speed::Usual, Speed::Double, Speed::Fourfold];

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Speed::Half => "½×",
            Speed::Usual => "1×",
            Speed::Double => "2×",
            Speed::Fourfold => "4×",
        }
    }

    /// The speed of this name.
    pub(crate) fn named(name: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.name() == name)
    }

    /// Milliseconds for each step.
    pub(crate) fn millis(self) -> u32 {
        match self {
            Speed::Half => 1_800,
            Speed::Usual => 900,
            Speed::Double => 450,
            Speed::Fourfold => 225,
        }
    }
}

/// A timeline; it has at least one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// The current step.
    pub(crate) step: usize,
    /// How many there are.
    pub(crate) count: usize,
    /// What it is a timeline of.
    pub(crate) name: String,
    /// What the list of steps is called; empty: after the name.
    pub(crate) list: String,
    /// A class of its own for the style sheet.
    pub(crate) class: &'static str,
    /// Where the step is: in bold, and what follows.
    pub(crate) position: (String, String),
    /// What is to be said of the whole.
    pub(crate) note: String,
    /// What a step is called where some are not drawn.
    pub(crate) noun: &'static str,
    /// Does it still grow?
    pub(crate) live: bool,
    /// Behind the last step it goes on at this one.
    pub(crate) wraps_to: Option<usize>,
    /// Steps that are one entry, unless the current step is one of them: back and forward go past
    /// them. Ascending.
    pub(crate) folds: Vec<Range<usize>>,
}

/// An entry of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// A step.
    Step(usize),
    /// Steps that are folded.
    Fold(Range<usize>),
}

/// The steps inside of procedures of the C library, call by call. A run that ends there shows how.
pub(crate) fn folds(trace: &[TraceEntry]) -> Vec<Range<usize>> {
    let mut folds: Vec<Range<usize>> = Vec::new();
    for (step, _) in trace.iter().enumerate().filter(|(_, entry)| entry.library) {
        match folds.last_mut() {
            Some(fold) if fold.end == step => fold.end += 1,
            _ => folds.push(step..step + 1),
        }
    }
    folds.retain(|fold| fold.len() > 1 && fold.end < trace.len());
    folds
}

impl Timeline {
    /// The step that a move leads to.
    pub(crate) fn after(&self, to: Move) -> usize {
        let last = self.last();
        match to {
            Move::First => 0,
            Move::Back => {
                let before = self.step.saturating_sub(1);
                self.folded(before).map_or(before, |fold| fold.start.saturating_sub(1))
            }
            Move::Forward if self.step == last => self.wraps_to.unwrap_or(last),
            Move::Forward => {
                let next = (self.step + 1).min(last);
                self.folded(next).map_or(next, |fold| fold.end)
            }
            Move::To(step) => step.min(last),
            Move::Last | Move::Play => last,
            Move::Speed(_) => self.step,
        }
    }

    /// The fold that hides a step.
    fn folded(&self, step: usize) -> Option<&Range<usize>> {
        let hides = |fold: &&Range<usize>| fold.contains(&step) && !fold.contains(&self.step);
        self.folds.iter().find(hides)
    }

    /// The entries that are drawn.
    pub(crate) fn drawn(&self) -> Vec<Drawn> {
        let mut drawn = Vec::new();
        for step in self.window() {
            let entry = match self.folded(step) {
                Some(fold) => Drawn::Fold(fold.clone()),
                None => Drawn::Step(step),
            };
            if drawn.last() != Some(&entry) {
                drawn.push(entry);
            }
        }
        drawn
    }

    /// Index of the last step.
    pub(crate) fn last(&self) -> usize {
        self.count.saturating_sub(1)
    }

    /// The steps that are drawn.
    pub(crate) fn window(&self) -> Range<usize> {
        self.step.saturating_sub(WINDOW)..(self.step + WINDOW + 1).min(self.count)
    }

    /// Where the current step is in what is drawn, an entry for what is left out before it counted.
    pub(crate) fn position_drawn(&self) -> usize {
        let own = self.drawn().iter().position(|drawn| *drawn == Drawn::Step(self.step));
        own.unwrap_or_default() + usize::from(self.window().start > 0)
    }
}

/// So many characters of a statement are seen in any card.
const ROOM: usize = 28;

/// A step as it is drawn. Empty texts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What counts it.
    pub(crate) number: String,
    /// Its procedure, thread or configuration; `None` where steps have none.
    pub(crate) place: Option<String>,
    /// Its line, or what it is about.
    pub(crate) line: String,
    /// What it changes, by class and text.
    pub(crate) counts: Vec<(&'static str, String)>,
    /// What is to be noticed, by class and text.
    pub(crate) marks: Vec<(&'static str, &'static str)>,
    /// The statement.
    pub(crate) text: String,
    /// Calls that are open, where calls are shown.
    pub(crate) depth: Option<u32>,
    /// The whole of it, where the pointer rests.
    pub(crate) title: String,
    /// Classes for the style sheet.
    pub(crate) classes: Vec<&'static str>,
    /// The class of a step that begins a part of the timeline.
    pub(crate) begins: Option<&'static str>,
}

impl Entry {
    /// A statement of a run.
    pub(crate) fn of(entry: &TraceEntry, step: usize, fails: bool) -> Entry {
        Entry {
            number: (step + 1).to_string(),
            place: Some(entry.procedure.clone()),
            line: format!("line {}", entry.line),
            marks: fails.then_some(("fails-here", "fails here")).into_iter().collect(),
            // What a card cuts off is the end of a condition, never its outcome.
            text: shortened(&entry.statement, &entry.outcome, ROOM),
            depth: Some(entry.depth),
            title: format!("line {}: {}", entry.line, entry.statement),
            classes: fails.then_some("fails").into_iter().collect(),
            ..Entry::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(step: usize, count: usize) -> Timeline {
        Timeline { step, count, ..Timeline::default() }
    }

    #[test]
    fn moves_stay_on_the_timeline() {
        assert_eq!(at(3, 10).after(Move::First), 0);
        assert_eq!(at(3, 10).after(Move::Back), 2);
        assert_eq!(at(0, 10).after(Move::Back), 0);
        assert_eq!(at(3, 10).after(Move::Forward), 4);
        assert_eq!(at(9, 10).after(Move::Forward), 9);
        assert_eq!(at(3, 10).after(Move::Last), 9);
        assert_eq!(at(3, 10).after(Move::To(40)), 9);
        assert_eq!(at(0, 1).after(Move::Forward), 0);
        assert_eq!(at(3, 10).after(Move::Speed(Speed::Double)), 3);
    }

    #[test]
    fn the_steps_inside_of_a_procedure_of_the_library_are_one_entry() {
        let inside = |library| TraceEntry { library, ..TraceEntry::default() };
        let trace = [false, false, true, true, true, false, true, false, true, true].map(inside);
        let folded = folds(&trace);
        assert_eq!(folded.len(), 1, "one step is shown, and so is how a run ends");
        assert_eq!(folded[0], 2..5);
        let timeline = |step| Timeline { folds: folds(&trace), ..at(step, 10) };
        assert_eq!((timeline(1).after(Move::Forward), timeline(5).after(Move::Back)), (5, 1));
        assert_eq!(timeline(1).drawn()[1..4], [Drawn::Step(1), Drawn::Fold(2..5), Drawn::Step(5)]);
        assert_eq!(timeline(5).position_drawn(), 3);
        // Who is inside goes step by step.
        assert_eq!((timeline(3).after(Move::Forward), timeline(3).after(Move::Back)), (4, 2));
        assert_eq!(timeline(3).drawn().len(), 10);
        assert_eq!(timeline(1).after(Move::To(3)), 3);
    }

    #[test]
    fn a_cycle_is_gone_round_forward_only() {
        let round = |step, to| Timeline { wraps_to: Some(7), ..at(step, 10) }.after(to);
        assert_eq!(round(9, Move::Forward), 7);
        assert_eq!(round(8, Move::Forward), 9);
        assert_eq!((round(7, Move::Back), round(9, Move::Last)), (6, 9));
    }

    #[test]
    fn speeds_have_names_and_halve_the_time() {
        for pair in Speed::ALL.windows(2) {
            assert_eq!(pair[0].millis(), 2 * pair[1].millis());
        }
        assert!(Speed::ALL.iter().all(|speed| Speed::named(speed.name()) == Some(*speed)));
        assert_eq!(Speed::named("3×"), None);
    }

    #[test]
    fn a_long_timeline_is_drawn_in_part() {
        assert_eq!(at(0, 5).window(), 0..5);
        assert_eq!(at(0, 500).window(), 0..61);
        assert_eq!(at(100, 500).window(), 40..161);
        assert_eq!(at(499, 500).window(), 439..500);
    }

    #[test]
    fn the_current_step_is_found_in_what_is_drawn() {
        // Behind the entry "40 steps before" come the steps from 40 on.
        let timeline = at(100, 500);
        assert_eq!(timeline.position_drawn(), 1 + timeline.step - timeline.window().start);
        assert_eq!(at(60, 500).position_drawn(), 60);
    }
}
