//! What the page knows of the lab: what is asked for, the recording, the step, the selection, and
//! the answers to questions.

use super::recording::{Recording, WeightOf, Witness, WitnessOf};
use crate::ui::state::lookup::Lookup;
use crate::ui::state::model::Model;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::lab::{LabAnswer, LabOptions, LabReport, LabTask};
use crate::wire::permalink::LabPlace;
use crate::wire::protocol::Request;

/// Stepping quickly asks once, at the end, after so many milliseconds.
const REST: u32 = 60;

/// What the user does in the lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LabEvent {
    /// Build something else.
    Task(LabTask),
    /// Saturate another set; empty: the system's own.
    Set(String),
    /// Show another of the automata that were built.
    Automaton(usize),
    /// Select a transition, or none.
    Select(Option<u32>),
    /// Read the weight of a set; empty: of none.
    Ask(String),
    /// Read the weight of the runs from one set to another.
    Transfer(String, String),
    /// The step or the selection has come to rest: ask what there is to ask about it.
    Settled,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Lab {
    pub(crate) task: LabTask,
    /// As typed; empty: the system's own.
    pub(crate) set: String,
    pub(crate) recording: Option<Shared<Recording>>,
    pub(crate) automaton: usize,
    pub(crate) step: usize,
    /// A transition.
    pub(crate) selected: Option<u32>,
    /// The set whose weight is read; empty: none.
    pub(crate) question: String,
    /// Where the runs start whose weight is read, and where they end.
    pub(crate) transfer: (String, String),
    /// The recording, and how many work items it has done.
    pub(crate) work: Question<u64>,
    pub(super) witnesses: Lookup<WitnessOf, Witness>,
    pub(crate) weights: Lookup<WeightOf, Shared<LabAnswer>>,
    /// Where a link or an example wants to be, once there is a recording.
    pub(super) opens_at: Option<LabPlace>,
}

impl Lab {
    /// What is to be recorded.
    pub(crate) fn options(&self) -> LabOptions {
        let set = Some(self.set.trim().to_string())
            .filter(|set| !set.is_empty() && self.task.is_of_a_set());
        LabOptions { task: self.task, set, ..LabOptions::default() }
    }

    /// What was asked about the recording holds no longer.
    pub(super) fn forget_details(&mut self) {
        self.witnesses.forget();
        self.weights.forget();
    }

    /// As a link or an example has it.
    pub(super) fn open_at(&mut self, place: Option<LabPlace>) {
        let Some(place) = place else { return };
        (self.task, self.set) = (place.task, place.set.clone());
        (self.question, self.transfer) =
            (place.question.clone(), (place.from.clone(), place.to.clone()));
        self.opens_at = Some(place);
    }

    /// For a link.
    pub(super) fn place(&self) -> LabPlace {
        if let Some(place) = &self.opens_at {
            let (task, set) = (self.task, self.set.trim().to_string());
            return LabPlace { task, set, ..place.clone() };
        }
        let steps = self.recording.as_ref().map_or(0, |recording| recording.steps(self.automaton));
        LabPlace {
            task: self.task,
            set: self.set.trim().to_string(),
            automaton: self.automaton as u32,
            step: (self.step + 1 < steps).then_some(self.step as u32),
            transition: self.selected,
            question: self.question.clone(),
            from: self.transfer.0.clone(),
            to: self.transfer.1.clone(),
        }
    }

    /// Records anew, if that is to be.
    pub(super) fn record_anew(&mut self, model: &mut Model) {
        model.restart(&mut self.work);
        self.forget_details();
        self.record(model);
    }

    /// Asks for a recording, if one is due.
    pub(super) fn record(&mut self, model: &mut Model) {
        if self.work.is_due() && model.ready("lab") {
            let options = self.options();
            let id = model.send(Request::Lab { options });
            self.work.begin(id, 0);
        }
    }

    /// Asks what there is to ask about step and selection, once they rest.
    pub(super) fn rest(&self, model: &mut Model) {
        model.later("lab", "rest", REST, LabEvent::Settled);
    }

    /// A recording has arrived. It opens at its end, or where a link wants to be; the same one as
    /// before keeps its place.
    pub(crate) fn recorded(&mut self, report: LabReport) {
        let same = self.recording.as_ref().is_some_and(|old| old.report == report);
        if !same {
            let selected = self.recording.take().is_none().then_some(self.selected).flatten();
            self.automaton = if report.options.task == LabTask::Transducer {
                report.automata.len().saturating_sub(1)
            } else {
                0
            };
            let recording = Recording::new(report);
            // An unrolling opens at its first bound: there is less to see, and it is read first.
            self.step = match recording.report.bounds.is_empty() {
                true => recording.steps(self.automaton).saturating_sub(1),
                false => 0,
            };
            self.selected = selected;
            self.recording = Some(Shared::new(recording));
        }
        let Some(place) = self.opens_at.take() else { return };
        let Some(recording) = self.recording.clone() else { return };
        self.automaton =
            (place.automaton as usize).min(recording.report.automata.len().saturating_sub(1));
        let last = recording.steps(self.automaton).saturating_sub(1);
        self.step = place.step.map_or(last, |step| (step as usize).min(last));
        let count =
            recording.automaton(self.automaton).map_or(0, |automaton| automaton.transitions.len());
        self.selected = place.transition.filter(|transition| (*transition as usize) < count);
    }

    /// Shows another automaton of the same recording, at its end.
    pub(crate) fn show(&mut self, automaton: usize) {
        let Some(recording) =
            self.recording.as_ref().filter(|recording| automaton < recording.report.automata.len())
        else {
            return;
        };
        self.step = recording.steps(automaton).saturating_sub(1);
        (self.automaton, self.selected) = (automaton, None);
    }

    /// Is there no picture?
    pub(crate) fn is_empty(&self) -> bool {
        self.recording.as_ref().is_none_or(|recording| {
            recording.report.automata.is_empty() && recording.report.bounds.is_empty()
        })
    }

    /// What is to be read in the place of a picture, if there is none.
    pub(crate) fn in_place_of_picture(&self, broken: bool) -> Option<String> {
        match &self.recording {
            Some(_) if !self.is_empty() => None,
            _ if broken => Some("The program cannot be read: see its errors in the source.".into()),
            _ if self.work.is_busy() => Some("Recording…".into()),
            _ => Some(self.refusal().unwrap_or_else(|| "Nothing is recorded yet.".into())),
        }
    }

    /// Why nothing could be recorded. What is wrong with a set is told below the set's field.
    fn refusal(&self) -> Option<String> {
        let report = &self.recording.as_ref()?.report;
        let own = self.set.trim().is_empty() || !self.task.is_of_a_set();
        let problems = report.problems.iter().filter(|_| own);
        let sentences: Vec<String> = problems
            .map(|p| {
                if p.hint.is_empty() {
                    p.message.clone()
                } else {
                    format!("{}: {}", p.message, p.hint)
                }
            })
            .collect();
        Some(if sentences.is_empty() {
            "There is nothing to draw.".into()
        } else {
            sentences.join("\n")
        })
    }

    /// Is what is shown the answer to what is asked?
    pub(crate) fn is_settled(&self) -> bool {
        !self.work.is_busy() && (self.is_empty() || self.work.is_fresh())
    }

    /// The witness of the selected transition with the weight that it has now.
    pub(crate) fn witness(&self) -> Option<Witness> {
        self.witnesses.get(&self.witness_wanted()?).cloned()
    }

    /// Automaton, transition and step of the weight that is to be explained.
    fn witness_wanted(&self) -> Option<WitnessOf> {
        let (transition, recording) = (self.selected?, self.recording.as_ref()?);
        let (automaton, replay) = recording.replayed(self.automaton)?;
        Some((self.automaton, transition, replay.since(automaton, transition, self.step)?))
    }

    /// What the fields ask now.
    fn weight_wanted(&self) -> Option<WeightOf> {
        if self.task == LabTask::Transducer {
            let (from, to) = self.transfer.clone();
            let whole = !from.trim().is_empty() && !to.trim().is_empty();
            return whole.then_some(WeightOf::Runs { from, to });
        }
        let set = self.question.trim().to_string();
        let (automaton, step) = (self.automaton, self.step);
        (!set.is_empty()).then_some(WeightOf::Set { automaton, step, set })
    }

    /// Is the weight that is shown one of another set or step than the present one?
    pub(crate) fn reading(&self) -> bool {
        self.weight_wanted().is_some_and(|wanted| self.weights.get(&wanted).is_none())
    }

    /// The weight that was asked for: the present one, or else the latest.
    pub(crate) fn weight(&self) -> Option<(WeightOf, Shared<LabAnswer>)> {
        let wanted = self.weight_wanted();
        let known = wanted.and_then(|of| self.weights.get(&of).map(|told| (of, told.clone())));
        known.or_else(|| self.weights.latest().map(|(of, told)| (of.clone(), told.clone())))
    }

    /// Asks for the witness of the selected transition and for the weight that the field asks for.
    pub(super) fn ask_details(&mut self, model: &mut Model) {
        if !self.work.is_fresh() {
            return;
        }
        if let Some(of) = self.witness_wanted().filter(|of| self.witnesses.wants(of)) {
            let (automaton, transition, step) = (of.0 as u32, of.1, Some(of.2 as u32));
            let id = model.send(Request::LabWitness { automaton, transition, step });
            self.witnesses.begin(id, of);
        }
        let weight = self.weight_wanted().filter(|of| !self.is_empty() && self.weights.wants(of));
        let Some(of) = weight else { return };
        let id = model.send(match of.clone() {
            WeightOf::Runs { from, to } => Request::LabTransfer { from, to },
            WeightOf::Set { automaton, step, set } => {
                Request::LabWeight { automaton: automaton as u32, set, step: Some(step as u32) }
            }
        });
        self.weights.begin(id, of);
    }

    /// A witness has arrived.
    pub(super) fn told_witness(&mut self, id: u32, told: Witness) {
        self.witnesses.tell(id, told);
    }

    /// A weight has arrived.
    pub(super) fn told_weight(&mut self, id: u32, told: LabAnswer) {
        self.weights.tell(id, Shared::new(told));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::effect::Effect;
    use crate::wire::lab::{LabAutomaton, LabStep};

    /// A recording of so many steps that do nothing.
    fn recording(steps: usize) -> LabReport {
        let step =
            LabStep { looked_at: None, changes: Vec::new(), waiting: Vec::new(), waiting_count: 0 };
        let automaton =
            LabAutomaton { steps: vec![step; steps], complete: true, ..LabAutomaton::default() };
        LabReport {
            options: LabOptions::default(),
            problems: Vec::new(),
            rules: Vec::new(),
            weights: String::new(),
            weighted: false,
            set: String::new(),
            automata: vec![automaton],
            bounds: Vec::new(),
            notes: Vec::new(),
            limit: None,
        }
    }

    /// A lab whose recording has arrived.
    fn recorded(lab: &mut Lab, steps: usize) {
        lab.work.begin(1, 0);
        lab.work.tell(1);
        lab.recorded(recording(steps));
    }

    fn weights_asked(model: &mut Model) -> Vec<(u32, String)> {
        let effects = model.take_effects().into_iter();
        let asked = effects.filter_map(|effect| match effect {
            Effect::Send(id, Request::LabWeight { set, .. }, _) => Some((id, set)),
            _ => None,
        });
        asked.collect()
    }

    #[test]
    fn a_recording_opens_at_its_end_or_where_a_link_wants() {
        let mut lab = Lab::default();
        recorded(&mut lab, 4);
        assert_eq!((lab.step, lab.place().step), (3, None));
        let mut linked = Lab::default();
        linked.open_at(Some(LabPlace { step: Some(1), ..LabPlace::default() }));
        recorded(&mut linked, 4);
        assert_eq!((linked.step, linked.place().step), (1, Some(1)));
    }

    #[test]
    fn the_same_recording_keeps_its_step() {
        let mut lab = Lab::default();
        recorded(&mut lab, 4);
        lab.step = 2;
        recorded(&mut lab, 4);
        assert_eq!(lab.step, 2);
        recorded(&mut lab, 6);
        assert_eq!(lab.step, 5);
    }

    #[test]
    fn a_weight_is_asked_for_each_step_once_and_the_latest_one_stays_meanwhile() {
        let (mut lab, mut model) = (Lab::default(), Model::default());
        recorded(&mut lab, 4);
        lab.question = "<p, a>".into();
        lab.ask_details(&mut model);
        lab.ask_details(&mut model);
        let asked = weights_asked(&mut model);
        assert_eq!(asked, [(asked[0].0, "<p, a>".to_string())]);
        assert!(lab.reading() && lab.weight().is_none());
        lab.told_weight(asked[0].0, LabAnswer::default());
        assert!(!lab.reading());
        lab.step = 1;
        assert!(lab.reading() && lab.weight().is_some());
        lab.ask_details(&mut model);
        assert_eq!(weights_asked(&mut model).len(), 1);
    }
}
