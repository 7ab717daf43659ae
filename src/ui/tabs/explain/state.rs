//! What the page knows of an explanation: what is asked for, the answer, the level of detail, the
//! failing run, the sequence, the step.

use crate::draw::levels::{LevelRow, blames_everything, rows};
use crate::draw::paint::{Marks, set_marks};
use crate::ui::state::model::Model;
use crate::ui::state::paint::{Paint, ascending};
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::util::Stage;
use crate::wire::explain::{ExplainAsk, Explanation, Level, SequenceView};
use crate::wire::graph::{Graph, StatementView};
use crate::wire::localize::{Cause, CauseReport, Variant};
use crate::wire::permalink::ExplainPlace;
use crate::wire::protocol::Request;
use crate::wire::report::TraceEntry;
use std::collections::BTreeSet;

/// The clock of an explanation, in milliseconds, unless more was asked for.
const MILLIS: u64 = 7_000;
/// The same if a link or an example names a place in it, which a slow machine shall find as well.
const MILLIS_TO_PLACE: u64 = 28_000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExplainEvent {
    /// Explain something else.
    Other(ExplainAsk),
    /// Another level of detail.
    Level(Level),
    /// The runs side by side, or the control-flow graph.
    SideBySide(bool),
    /// Another failing run.
    Run(usize),
    /// Another sequence.
    Sequence(usize),
    /// Assumptions over this input only, or no longer.
    Input(String),
    /// Assumptions over all inputs.
    AllInputs,
    /// A row of the failing run, where it is compared with a correct one.
    Row(usize),
    /// Apply this repair to the program.
    Apply(usize),
}

/// How far an explanation is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The stage that is worked on.
    pub(crate) stage: Stage,
    pub(crate) millis: u64,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Explain {
    pub(crate) ask: ExplainAsk,
    pub(crate) found: Option<Shared<Explanation>>,
    /// The same as JSON.
    pub(super) json: String,
    pub(crate) millis: u64,
    pub(crate) work: Question<Progress>,
    pub(crate) level: Level,
    pub(crate) side_by_side: bool,
    pub(crate) run: usize,
    pub(crate) sequence: usize,
    /// Of the level's rows; `None`: the last.
    pub(super) step: Option<usize>,
    /// Names; empty: all.
    pub(crate) inputs: BTreeSet<String>,
    /// The rows of the level.
    pub(crate) rows: Shared<Vec<LevelRow>>,
    pub(crate) paint: Shared<Paint>,
    pub(crate) marks: Shared<Marks>,
    /// Does a link or an example name a place in the next explanation?
    pub(super) has_place: bool,
}

impl Explain {
    /// Asks for an explanation, if one is due.
    pub(super) fn explain(&mut self, model: &mut Model) {
        if self.work.is_due() && model.ready("explain") {
            let millis = match std::mem::take(&mut self.has_place) {
                true => MILLIS_TO_PLACE,
                false => MILLIS,
            };
            let (ask, budgets) = (self.ask.clone(), self.work.budgets(millis));
            let id = model.send(Request::Explain { ask, budgets });
            self.work.begin(id, Progress { stage: Stage::Causes, millis: 0 });
        }
    }

    /// Something else is asked for.
    pub(super) fn explain_anew(&mut self, model: &mut Model) {
        model.restart(&mut self.work);
        self.explain(model);
    }

    /// As a link or an example has it.
    pub(super) fn open_at(&mut self, place: ExplainPlace) {
        (self.ask, self.level, self.side_by_side) = (place.ask, place.level, place.side_by_side);
        (self.run, self.sequence) = (place.run as usize, place.sequence as usize);
        self.step = place.step.map(|step| step as usize);
        self.has_place = self.step.is_some() || self.level != Level::default();
        self.inputs = place.inputs.into_iter().collect();
    }

    /// For a link.
    pub(super) fn place(&self) -> ExplainPlace {
        ExplainPlace {
            ask: self.ask.clone(),
            level: self.level,
            run: self.run as u32,
            sequence: self.sequence as u32,
            step: self.step.filter(|step| step + 1 < self.rows.len()).map(|step| step as u32),
            side_by_side: self.side_by_side,
            inputs: self.inputs.iter().cloned().collect(),
        }
    }

    /// A stage is over. False if nothing waits for it.
    pub(crate) fn told(
        &mut self,
        id: u32,
        explanation: Explanation,
        done: bool,
        millis: u64,
    ) -> bool {
        let awaited = match done {
            true => self.work.tell(id).is_some(),
            false => self.work.tell_part(id),
        };
        if !awaited {
            return false;
        }
        let last = |count: usize| count.saturating_sub(1);
        // Until the search for causes has ended, a link's run may still come.
        if done || explanation.ended.is_some() {
            self.run = self.run.min(last(explanation.causes.len()));
        }
        if done {
            self.sequence = self.sequence.min(last(explanation.sequences.len()));
            let known: Vec<String> = explanation.inputs().into_iter().map(str::to_string).collect();
            self.inputs.retain(|name| known.contains(name));
        }
        self.millis = millis;
        self.found = Some(Shared::new(explanation));
        true
    }

    /// The failing run that is shown, with its cause.
    pub(crate) fn cause(&self) -> Option<&CauseReport> {
        self.found.as_ref()?.causes.get(self.run)
    }

    /// Its cause by the variant that is asked for.
    pub(crate) fn blamed(&self) -> Option<&Cause> {
        let cause = self.cause()?;
        Some(match self.ask.variant {
            Variant::Edges => &cause.by_edges,
            Variant::Transitions => &cause.by_transitions,
        })
    }

    /// The sequence that is shown.
    pub(crate) fn sequence(&self) -> Option<&SequenceView> {
        self.found.as_ref()?.sequences.get(self.sequence)
    }

    /// The levels that have something to show.
    pub(crate) fn has(&self, level: Level) -> bool {
        !rows(level, self.cause(), self.sequence()).is_empty()
    }

    /// How many lines a level leaves in full ink.
    pub(crate) fn lines(&self, level: Level, statements: &[StatementView]) -> usize {
        match level {
            Level::Program => {
                ascending(statements.iter().filter(|s| !s.hidden).map(|s| s.line)).len()
            }
            _ => ascending(rows(level, self.cause(), self.sequence()).iter().map(|row| row.line))
                .len(),
        }
    }

    /// The run that the level's rows lie on.
    pub(crate) fn trace(&self) -> &[TraceEntry] {
        match self.shown_level() {
            Level::Program | Level::Run => self.cause().map_or(&[], |cause| &cause.trace),
            Level::Focus | Level::Nest => self.sequence().map_or(&[], |sequence| &sequence.run),
        }
    }

    /// The level that is shown: the chosen one, or as near to it as there is something.
    pub(crate) fn shown_level(&self) -> Level {
        let below = Level::ALL.into_iter().rev().filter(|level| *level <= self.level);
        below.into_iter().find(|level| self.has(*level)).unwrap_or(self.level.min(Level::Run))
    }

    /// Where the timeline is.
    pub(crate) fn step(&self) -> usize {
        let last = self.rows.len().saturating_sub(1);
        self.step.map_or(last, |step| step.min(last))
    }

    /// The statement of the step.
    pub(crate) fn row(&self) -> Option<&LevelRow> {
        self.rows.get(self.step()).filter(|_| self.work.is_fresh())
    }

    /// Another level: the step stays at its statement, if the level has it.
    pub(crate) fn show_level(&mut self, level: Level) {
        let here = self.row().and_then(|row| row.edge);
        let at_end = self.step() + 1 == self.rows.len();
        self.level = level;
        let found = rows(self.shown_level(), self.cause(), self.sequence());
        self.step =
            found.iter().rposition(|row| row.edge == here && here.is_some()).filter(|_| !at_end);
    }

    /// Another failing run.
    pub(crate) fn show_run(&mut self, run: usize) {
        (self.run, self.step, self.level) = (run, None, self.level.min(Level::Run));
    }

    /// Another sequence, at least as closely as sequences are looked at.
    pub(crate) fn show_sequence(&mut self, sequence: usize) {
        (self.sequence, self.step, self.level) = (sequence, None, self.level.max(Level::Focus));
    }

    /// The next (or the previous) failing run or sequence, whichever the level is about; `None` at
    /// the ends.
    pub(super) fn neighbor(&self, by: i32) -> Option<ExplainEvent> {
        let found = self.found.as_ref()?;
        let (at, count) = match self.shown_level() {
            Level::Program | Level::Run => (self.run, found.causes.len()),
            Level::Focus | Level::Nest => (self.sequence, found.sequences.len()),
        };
        let to = at.checked_add_signed(by as isize).filter(|to| *to < count)?;
        Some(if self.shown_level() <= Level::Run {
            ExplainEvent::Run(to)
        } else {
            ExplainEvent::Sequence(to)
        })
    }

    /// Only assumptions over these inputs, or all again.
    pub(crate) fn toggle_input(&mut self, name: String) {
        if !self.inputs.remove(&name) {
            self.inputs.insert(name);
        }
    }

    /// Is an assumption of a sequence to be shown?
    pub(crate) fn wanted(
        inputs: &BTreeSet<String>,
        sequence: &SequenceView,
        assumption: usize,
    ) -> bool {
        let about = sequence.about.get(assumption).map_or(&[][..], |names| &names[..]);
        let picked = sequence.picked.get(assumption) == Some(&true);
        inputs.is_empty() || (!picked && about.iter().all(|name| inputs.contains(name)))
    }

    /// Lines and boxes as the level paints them.
    pub(super) fn paint_level(&mut self, statements: &[StatementView], picture: Option<&Graph>) {
        let level = self.shown_level();
        let fresh = self.work.is_fresh();
        self.rows = Shared::new(if fresh {
            rows(level, self.cause(), self.sequence())
        } else {
            Vec::new()
        });
        let bright: Option<BTreeSet<u32>> = (level > Level::Program && !self.rows.is_empty())
            .then(|| self.rows.iter().filter_map(|row| row.edge).collect());
        let mut paint = Paint::default();
        if let Some(bright) = &bright {
            paint.lit = ascending(self.rows.iter().map(|row| row.line));
            let all = ascending(
                statements.iter().filter(|s| !s.hidden && !bright.contains(&s.id)).map(|s| s.line),
            );
            paint.dim = all.into_iter().filter(|line| !paint.lit.contains(line)).collect();
        }
        if let Some(last) = self.rows.last() {
            // The failing statement is on every level but, perhaps, the last.
            let fails = match level {
                Level::Nest => self
                    .sequence()
                    .and_then(|sequence| sequence.report.statements.last())
                    .map_or(0, |s| s.line),
                _ => last.line,
            };
            paint.fails =
                if self.sequence().is_some_and(|s| level >= Level::Focus && !s.report.feasible) {
                    0
                } else {
                    fails
                };
        }
        if let Some(blamed) =
            self.blamed().filter(|_| fresh && !self.cause().is_some_and(blames_everything))
        {
            paint.causes = blamed.lines.clone();
        }
        if *self.paint != paint {
            self.paint = Shared::new(paint);
        }
        let marks = picture
            .map(|picture| set_marks(picture, statements, bright.as_ref()))
            .unwrap_or_default();
        if *self.marks != marks {
            self.marks = Shared::new(marks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation() -> Explanation {
        Explanation::nothing(ExplainAsk::default(), String::new())
    }

    #[test]
    fn stages_are_told_one_by_one_and_an_older_explanation_is_dropped() {
        let mut explain = Explain::default();
        explain.work.begin(2, Progress::default());
        assert!(!explain.told(1, explanation(), true, 1));
        assert!(explain.told(2, explanation(), false, 1));
        assert!(explain.work.is_fresh() && explain.work.is_busy());
        assert!(explain.told(2, explanation(), true, 2));
        assert!(explain.work.is_fresh() && !explain.work.is_busy());
        assert!(!explain.told(2, explanation(), true, 3));
    }

    #[test]
    fn a_link_restores_the_level_and_what_is_chosen() {
        let place = ExplainPlace {
            level: Level::Nest,
            run: 1,
            sequence: 2,
            side_by_side: true,
            inputs: vec!["n".into()],
            ..ExplainPlace::default()
        };
        let mut explain = Explain::default();
        explain.open_at(place.clone());
        assert_eq!(explain.place(), place);
    }

    #[test]
    fn without_sequences_the_nearest_level_is_shown() {
        let mut explain = Explain::default();
        explain.show_level(Level::Nest);
        assert_eq!(explain.shown_level(), Level::Run);
        assert!(explain.neighbor(1).is_none());
    }

    #[test]
    fn inputs_are_toggled() {
        let mut explain = Explain::default();
        explain.toggle_input("n".into());
        assert!(explain.inputs.contains("n"));
        explain.toggle_input("n".into());
        assert!(explain.inputs.is_empty());
    }
}
