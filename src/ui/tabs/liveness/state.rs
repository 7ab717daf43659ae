//! What the page knows of a question about whole runs: the question, its answer, the step.

use crate::draw::paint::{Marks, set_marks};
use crate::ui::state::model::Model;
use crate::ui::state::paint::{Paint, ascending};
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::util::Stage;
use crate::wire::liveness::{
    FormulaMistake, LassoReport, LivenessAnswer, LivenessAsk, LivenessFound, asked_in, is_fair_in,
};
use crate::wire::permalink::LivenessPlace;
use crate::wire::protocol::Request;
use crate::wire::report::TraceEntry;
use std::collections::BTreeSet;

/// The word of the tab.
pub(super) const WORD: &str = "liveness";
/// The clock of an analysis, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LivenessEvent {
    /// The formula in the field is this now.
    Draft(String),
    /// Ask about a formula, or whether every run ends.
    Kind(bool),
    /// Ask about fair runs only, or about all.
    Fair(bool),
    /// Ask what stands in the field.
    Ask,
    /// Show the automaton, or the control-flow graph again.
    Automaton(bool),
    /// Light up the cycle alone, or all violating runs.
    Cycle(bool),
    /// Go to a state of the run, by its column.
    Column(usize),
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) answer: LivenessAnswer,
    /// The run up to the end of its first round.
    pub(crate) trace: Vec<TraceEntry>,
    pub(crate) millis: u64,
}

impl Found {
    /// The answer in words, if the question was answered.
    pub(crate) fn found(&self) -> Option<&LivenessFound> {
        self.answer.found.as_deref()
    }

    /// The run that violates.
    pub(crate) fn lasso(&self) -> Option<&LassoReport> {
        self.found()?.lasso.as_ref()
    }

    /// The step at which the cycle begins; `None` if the run has none.
    pub(crate) fn cycle_at(&self) -> Option<usize> {
        let lasso = self.lasso().filter(|lasso| !lasso.cycle.is_empty())?;
        Some(lasso.prefix.len())
    }

    /// The column of the state before a step.
    pub(crate) fn column(&self, step: usize) -> Option<usize> {
        let states = &self.lasso()?.states;
        states.iter().rposition(|state| state.entry as usize <= step)
    }
}

/// All of it.
#[derive(Default)]
pub(crate) struct Liveness {
    /// The formula in the field.
    pub(crate) formula: String,
    /// Is it asked whether every run ends?
    pub(crate) is_termination: bool,
    /// Do only fair runs count, if the user or a link says so? Else the program's directives do.
    pub(super) fair: Option<bool>,
    /// Did the user, a link or an example ask? Else the program's directives do.
    is_chosen: bool,
    pub(crate) found: Option<Shared<Found>>,
    /// What can stand in a formula about the program, once it is known.
    pub(crate) atoms: Vec<String>,
    /// What was asked when the answer was given, or is asked now.
    pub(super) asked: Option<LivenessAsk>,
    pub(crate) paint: Shared<Paint>,
    pub(crate) marks: Shared<Marks>,
    pub(crate) step: usize,
    /// The state that was chosen in the table, where several stand before one statement.
    pub(super) column: Option<usize>,
    /// Is the automaton shown?
    pub(crate) automaton: bool,
    /// Is only the shown cycle lit, and not what all violating runs execute?
    pub(crate) cycle_only: bool,
    pub(crate) work: Question<(Stage, u64)>,
    /// Where a link or an example wants to be, once there is an answer.
    opens_at: Option<LivenessPlace>,
}

impl Liveness {
    /// What is asked: by the user, or by the program's directives, or else whether every run ends.
    fn ask_now(&mut self, source: &str) -> LivenessAsk {
        if !self.is_chosen {
            let asks = asked_in(source);
            let formula = asks.iter().find_map(|ask| match ask {
                LivenessAsk::Formula(formula) => Some(formula.clone()),
                LivenessAsk::Termination => None,
            });
            self.is_termination = matches!(asks.first(), None | Some(LivenessAsk::Termination));
            self.formula = formula.unwrap_or_default();
        }
        match self.is_termination {
            true => LivenessAsk::Termination,
            false => LivenessAsk::Formula(self.formula.clone()),
        }
    }

    /// Asks, if that is due and there is a question.
    pub(super) fn analyse(&mut self, model: &mut Model) {
        if !self.work.is_due() || !model.ready(WORD) {
            return;
        }
        let ask = self.ask_now(&model.source);
        if self.is_blank() {
            return;
        }
        self.asked = Some(ask.clone());
        let (fair, budgets) = (self.is_fair(&model.source), self.work.budgets(MILLIS));
        let id = model.send(Request::Liveness { ask, fair, budgets });
        self.work.begin(id, (Stage::Forward, 0));
    }

    /// Do only fair runs count?
    pub(crate) fn is_fair(&self, source: &str) -> bool {
        self.fair.unwrap_or_else(|| is_fair_in(source))
    }

    /// The user asks.
    pub(super) fn analyse_anew(&mut self, model: &mut Model) {
        model.restart(&mut self.work);
        self.analyse(model);
    }

    /// Something else stands in the field.
    pub(super) fn draft(&mut self, formula: String) {
        (self.formula, self.is_chosen) = (formula, true);
    }

    /// Asks about a formula, or whether every run ends.
    pub(super) fn choose(&mut self, is_termination: bool, model: &mut Model) {
        if self.is_termination == is_termination && self.is_chosen {
            return;
        }
        (self.is_termination, self.is_chosen) = (is_termination, true);
        if !self.is_blank() {
            self.analyse_anew(model);
        } else {
            // Nothing can be asked yet; the answer to the other question goes.
            model.restart(&mut self.work);
            (self.found, self.asked) = (None, None);
            self.redraw(model);
        }
    }

    /// Another program: its own directives ask.
    pub(super) fn forget_program(&mut self) {
        *self = Liveness::default();
    }

    /// As a link or an example has it.
    pub(super) fn open_at(&mut self, place: LivenessPlace) {
        if let Some(ask) = &place.ask {
            self.is_chosen = true;
            self.is_termination = *ask == LivenessAsk::Termination;
            if let LivenessAsk::Formula(formula) = ask {
                self.formula.clone_from(formula);
            }
        }
        (self.automaton, self.fair, self.cycle_only) = (place.automaton, place.fair, place.cycle);
        self.opens_at = Some(place);
    }

    /// For a link.
    pub(super) fn place(&self) -> LivenessPlace {
        let ask = self.is_chosen.then(|| match self.is_termination {
            true => LivenessAsk::Termination,
            false => LivenessAsk::Formula(self.formula.clone()),
        });
        let step = match &self.opens_at {
            Some(place) => place.step,
            None => {
                let first = self.found.as_ref().map_or(0, |found| first_step(found));
                (!self.trace().is_empty() && self.step != first).then_some(self.step as u32)
            }
        };
        let (fair, automaton, cycle) = (self.fair, self.automaton, self.cycle_only);
        LivenessPlace { ask, fair, step, automaton, cycle }
    }

    /// The answer that is shown.
    pub(crate) fn found(&self) -> Option<&LivenessFound> {
        self.found.as_ref()?.found()
    }

    /// The run that is shown; empty if there is none.
    pub(crate) fn trace(&self) -> &[TraceEntry] {
        self.found.as_ref().map(|found| found.trace.as_slice()).unwrap_or_default()
    }

    /// The mistake in the formula that stands in the field.
    pub(crate) fn mistake(&self) -> Option<&FormulaMistake> {
        let found = self.found.as_ref().filter(|_| !self.work.is_busy())?;
        let LivenessAsk::Formula(asked) = self.asked.as_ref()? else { return None };
        found.answer.mistake.as_ref().filter(|_| !self.is_termination && *asked == self.formula)
    }

    /// The column of the current state.
    pub(crate) fn column(&self) -> usize {
        let of_step = || self.found.as_ref()?.column(self.step);
        self.column.or_else(of_step).unwrap_or(0)
    }

    /// Box and statement of the current step.
    pub(crate) fn current(&self, model: &Model) -> Option<(u32, Option<u32>)> {
        let edge = self.trace().get(self.step)?.edge;
        Some((model.location(edge)?, edge))
    }

    /// The worker's answer. False if it was not waited for.
    pub(super) fn told(&mut self, id: u32, answer: LivenessAnswer, millis: u64) -> bool {
        if self.work.tell(id).is_none() {
            return false;
        }
        let lasso = answer.found.as_ref().and_then(|found| found.lasso.as_ref());
        let trace: Vec<TraceEntry> = lasso
            .map(|lasso| lasso.prefix.iter().chain(&lasso.cycle).cloned().collect())
            .unwrap_or_default();
        let is_same = self.trace() == trace.as_slice() && !trace.is_empty();
        self.atoms.clone_from(&answer.atoms);
        self.column = None;
        let found = Found { answer, trace, millis };
        if !is_same {
            self.step = first_step(&found);
        }
        if let Some(step) = self.opens_at.take().and_then(|place| place.step) {
            self.step = (step as usize).min(found.trace.len().saturating_sub(1));
        }
        self.found = Some(Shared::new(found));
        true
    }

    /// The worker is gone.
    pub(super) fn give_up(&mut self) {
        if self.work.give_up().is_some() {
            self.found = None;
        }
    }

    /// The answer, if what violating runs execute is known and lit. It is lit where the shown run
    /// has no cycle, too.
    pub(crate) fn lights_all(&self) -> Option<&LivenessFound> {
        let has_cycle = self.found.as_ref().is_some_and(|found| found.cycle_at().is_some());
        let is_shown = self.work.is_fresh() && !(self.cycle_only && has_cycle);
        self.found().filter(|found| is_shown && !found.violating.is_empty())
    }

    /// Paints what violating runs execute, or the cycle of the shown one (all of it, if it has
    /// none) on the source and in the picture.
    pub(super) fn redraw(&mut self, model: &Model) {
        let all = self.lights_all();
        let set: BTreeSet<u32> = match (all, &self.found) {
            (Some(found), _) => found.violating.iter().copied().collect(),
            (None, Some(found)) if self.work.is_fresh() => {
                let from = found.cycle_at().unwrap_or(0).min(found.trace.len());
                found.trace[from..].iter().filter_map(|entry| entry.edge).collect()
            }
            _ => BTreeSet::new(),
        };
        let lines = |wanted: bool| {
            let shown = model.statements.iter().filter(|one| !one.hidden);
            ascending(shown.filter(|one| set.contains(&one.id) == wanted).map(|one| one.line))
        };
        let mut paint = Paint { lit: lines(true), ..Paint::default() };
        if all.is_some() {
            paint.dim = lines(false);
            paint.dim.retain(|line| paint.lit.binary_search(line).is_err());
        }
        if *self.paint != paint {
            self.paint = Shared::new(paint);
        }
        let set = Some(set).filter(|set| !set.is_empty());
        let marks = model
            .present_picture()
            .map(|picture| set_marks(picture, &model.statements, set.as_ref()))
            .unwrap_or_default();
        if *self.marks != marks {
            self.marks = Shared::new(marks);
        }
    }

    /// Is there no formula to ask about?
    pub(super) fn is_blank(&self) -> bool {
        !self.is_termination && self.formula.trim().is_empty()
    }

    /// What was found answers another question now.
    pub(super) fn is_other(&self) -> bool {
        match &self.asked {
            Some(LivenessAsk::Formula(asked)) => self.is_termination || *asked != self.formula,
            Some(LivenessAsk::Termination) => !self.is_termination,
            None => true,
        }
    }
}

/// The step at which a run opens: where its cycle begins, or its last one.
fn first_step(found: &Found) -> usize {
    found.cycle_at().unwrap_or(found.trace.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::testing;
    use crate::wire::liveness::{LassoEnding, LivenessVerdict, StateReport};
    use crate::wire::permalink::Permalink;

    fn entry(line: u32) -> TraceEntry {
        TraceEntry { line, statement: format!("line {line}"), ..TraceEntry::default() }
    }

    /// Two statements to a cycle of two.
    fn violated() -> LivenessAnswer {
        let state = |entry| StateReport { line: 1, procedure: "main".into(), entry };
        let lasso = LassoReport {
            prefix: vec![entry(1), entry(2)],
            cycle: vec![entry(3), entry(4)],
            grows: Vec::new(),
            ends: LassoEnding::Cycle,
            states: [0, 1, 1, 2, 3].map(state).to_vec(),
            from: 3,
            table: Vec::new(),
        };
        let found = LivenessFound {
            verdict: LivenessVerdict::Violated,
            goes_on: false,
            headline: "Violated".into(),
            formula: Some("G p".into()),
            told: Vec::new(),
            figures: Vec::new(),
            options: testing::options(),
            lasso: Some(lasso),
            growth: String::new(),
            violating: Vec::new(),
            innocent: Vec::new(),
            automaton: None,
            json: "{}\n".into(),
        };
        LivenessAnswer { found: Some(Box::new(found)), ..LivenessAnswer::default() }
    }

    fn told(liveness: &mut Liveness, answer: LivenessAnswer) {
        liveness.work.begin(1, (Stage::Forward, 0));
        assert!(liveness.told(1, answer, 5));
    }

    #[test]
    fn a_program_asks_by_its_directives_until_somebody_else_does() {
        let mut liveness = Liveness::default();
        let formula = |text: &str| LivenessAsk::Formula(text.to_string());
        assert_eq!(liveness.ask_now("int x;"), LivenessAsk::Termination);
        assert_eq!(liveness.ask_now("//! ltl = G a\nint a;"), formula("G a"));
        assert_eq!(liveness.ask_now("//! terminates\n//! ltl = G a\n"), LivenessAsk::Termination);
        assert_eq!(liveness.formula, "G a", "it stands ready");
        liveness.is_termination = false;
        liveness.draft("F a".into());
        assert_eq!(liveness.ask_now("//! terminates\n"), formula("F a"));
    }

    #[test]
    fn a_run_opens_where_its_cycle_begins_and_each_step_has_its_column() {
        let mut liveness = Liveness::default();
        told(&mut liveness, violated());
        let found = liveness.found.clone().expect("an answer");
        assert_eq!((liveness.step, found.cycle_at()), (2, Some(2)));
        let columns = [0, 1, 2, 3].map(|step| found.column(step));
        assert_eq!(columns, [Some(0), Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn a_link_holds_the_question_and_the_step() {
        let mut liveness = Liveness::default();
        assert_eq!(liveness.place(), LivenessPlace::default());
        liveness.draft("G p".into());
        told(&mut liveness, violated());
        assert_eq!(liveness.place().step, None, "where the cycle begins");
        liveness.step = 1;
        let mut link = Permalink::default();
        link.put(WORD, &liveness.place());
        let place: LivenessPlace = link.place(WORD).expect("it can be read").expect("a place");
        let mut other = Liveness::default();
        other.open_at(place.clone());
        assert_eq!(other.place(), place, "also before the answer is there");
        told(&mut other, violated());
        assert_eq!((other.step, other.formula.as_str()), (1, "G p"));
    }

    #[test]
    fn a_run_without_a_cycle_is_among_all_violating_runs() {
        let mut liveness = Liveness { cycle_only: true, ..Liveness::default() };
        let lit = |liveness: &Liveness| liveness.lights_all().is_some();
        let mut answer = violated();
        if let Some(found) = &mut answer.found {
            found.violating = vec![0];
        }
        told(&mut liveness, answer.clone());
        assert!(!lit(&liveness), "the cycle alone");
        if let Some(lasso) = answer.found.as_mut().and_then(|found| found.lasso.as_mut()) {
            lasso.cycle.clear();
        }
        told(&mut liveness, answer);
        assert!(lit(&liveness), "there is no button that would show them");
    }

    #[test]
    fn a_mistake_is_that_of_the_text_in_the_field() {
        let mut liveness = Liveness::default();
        liveness.draft("G (".into());
        liveness.asked = Some(LivenessAsk::Formula("G (".into()));
        let mistake = FormulaMistake { message: "expected".into(), start: 3, end: 3 };
        told(&mut liveness, LivenessAnswer { mistake: Some(mistake), ..LivenessAnswer::default() });
        assert!(liveness.mistake().is_some() && !liveness.is_other());
        liveness.draft("G (p".into());
        assert!(liveness.mistake().is_none() && liveness.is_other());
    }
}
