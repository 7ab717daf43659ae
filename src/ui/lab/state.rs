//! What the page knows of the lab: what is asked for, the recording, the step, the selection, and
//! the answers to questions. No effects.

use crate::draw::lab_replay::Replay;
use crate::draw::words;
use crate::report::lab::{LabAnswer, LabAutomaton, LabOptions, LabReport, LabTask, LabWitness};
use crate::ui::shared::Shared;
use crate::util::Limit;
use crate::wire::permalink::LabPlace;

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
    /// End the recording where it is.
    Stop,
    /// Record again.
    Again,
    /// The step or the selection has come to rest: ask what there is to ask about it.
    Settled,
}

/// A report with what is read off it often.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) report: LabReport,
    replays: Vec<Replay>,
}

impl Recording {
    pub(crate) fn new(report: LabReport) -> Recording {
        let replays = report.automata.iter().map(Replay::new).collect();
        Recording { report, replays }
    }

    /// One of the automata.
    pub(crate) fn automaton(&self, index: usize) -> Option<&LabAutomaton> {
        self.report.automata.get(index)
    }

    /// How many steps an automaton's recording has, the one that it starts from included.
    pub(crate) fn steps(&self, index: usize) -> usize {
        self.automaton(index).map_or(0, |automaton| automaton.steps.len())
    }

    /// An automaton with its replay.
    pub(crate) fn replayed(&self, index: usize) -> Option<(&LabAutomaton, &Replay)> {
        Some((self.report.automata.get(index)?, self.replays.get(index)?))
    }

    /// What a transition weighs after a step; `None` where it is not there yet.
    pub(crate) fn weight(&self, index: usize, transition: u32, step: usize) -> Option<&str> {
        let (automaton, replay) = self.replayed(index)?;
        replay.weight(automaton, transition, step)
    }
}

/// A witness, and what it is one of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownWitness {
    /// Automaton, transition, and the step that gave it the weight that is explained.
    of: (usize, u32, usize),
    /// What the worker said.
    pub(crate) told: Result<Shared<LabWitness>, Option<Limit>>,
}

/// The answer to a question, and what it is an answer to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownAnswer {
    /// The set, or where the runs start and end.
    pub(crate) to: Question,
    pub(crate) told: Shared<LabAnswer>,
}

/// What a weight is asked of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A set, in an automaton after a step.
    Weight { automaton: usize, step: usize, set: String },
    /// The runs from one set to another.
    Transfer { from: String, to: String },
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
    pub(crate) answer: Option<KnownAnswer>,
    known_witness: Option<KnownWitness>,
    /// The recording that is on its way, and how many work items it has done.
    pub(crate) asked: Option<(u32, u64)>,
    /// The witness that is on its way, and of what.
    asked_witness: Option<(u32, (usize, u32, usize))>,
    /// The answer that is on its way, and to what.
    asked_weight: Option<(u32, Question)>,
    /// Is the recording of the program as it is now, and does the worker still have it?
    pub(crate) fresh: bool,
    /// Where a link or an example wants to be, once there is a recording.
    pub(crate) place: Option<LabPlace>,
}

impl Lab {
    /// What is to be recorded.
    pub(crate) fn options(&self) -> LabOptions {
        let set = Some(self.set.trim().to_string())
            .filter(|set| !set.is_empty() && self.task != LabTask::Transducer);
        LabOptions { task: self.task, set, ..LabOptions::default() }
    }

    /// Another program: nothing of the old one is left.
    pub(crate) fn forget(&mut self) {
        *self = Lab { task: self.task, ..Lab::default() };
    }

    /// The program or its options have changed, or the worker is gone: what is shown stays until
    /// there is a new recording.
    pub(crate) fn invalidate(&mut self) {
        self.fresh = false;
        (self.asked, self.asked_witness, self.asked_weight) = (None, None, None);
        (self.answer, self.known_witness) = (None, None);
    }

    /// As a link or an example has it.
    pub(crate) fn restore(&mut self, place: LabPlace) {
        (self.task, self.set) = (place.task, place.set.clone());
        (self.question, self.transfer) =
            (place.question.clone(), (place.from.clone(), place.to.clone()));
        self.place = Some(place);
    }

    /// For a link.
    pub(crate) fn present(&self) -> LabPlace {
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

    /// A recording has arrived. It opens at its end, or where a link wants to be; the same one as
    /// before keeps its place.
    pub(crate) fn recorded(&mut self, report: LabReport) {
        (self.asked, self.fresh) = (None, true);
        let same = self.recording.as_ref().is_some_and(|old| old.report == report);
        if !same {
            let selected = self.recording.take().is_none().then_some(self.selected).flatten();
            self.automaton = if report.options.task == LabTask::Transducer {
                report.automata.len().saturating_sub(1)
            } else {
                0
            };
            let recording = Recording::new(report);
            self.step = recording.steps(self.automaton).saturating_sub(1);
            self.selected = selected;
            self.recording = Some(Shared::new(recording));
        }
        let Some(place) = self.place.take() else { return };
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
        self.recording.as_ref().is_none_or(|recording| recording.report.automata.is_empty())
    }

    /// Is what is shown a recording of the program before the last change?
    pub(crate) fn stale(&self) -> bool {
        !self.is_empty() && !self.fresh && self.asked.is_none()
    }

    /// What stands in the place of a picture, if there is none.
    pub(crate) fn said(&self, broken: bool) -> Option<String> {
        let recording =
            self.recording.as_ref().filter(|recording| !recording.report.automata.is_empty());
        match recording {
            Some(_) => None,
            _ if broken => Some("The program cannot be read: see the errors beside it.".into()),
            _ if self.asked.is_some() => Some("Recording…".into()),
            None => Some(self.refusal().unwrap_or_else(|| "Nothing is recorded yet.".into())),
        }
    }

    /// Why nothing could be recorded; what is wrong with a set stands beside the set.
    fn refusal(&self) -> Option<String> {
        let report = &self.recording.as_ref()?.report;
        let own = self.set.trim().is_empty() || self.task == LabTask::Transducer;
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

    /// What a recording that is on its way has done, in words; while a run is on it waits.
    pub(crate) fn progress(&self, running: bool) -> Option<String> {
        let (_, items) = self.asked?;
        if running {
            return Some("Waiting for the run to end…".into());
        }
        Some(if items == 0 {
            "Recording…".into()
        } else {
            format!("Recording… {}", words::counted(items, "step"))
        })
    }

    /// The witness of the selected transition with the weight that it has now.
    pub(crate) fn witness(&self) -> Option<KnownWitness> {
        self.known_witness.clone().filter(|known| Some(known.of) == self.wanted())
    }

    /// Automaton, transition and step of the weight that is to be explained.
    fn wanted(&self) -> Option<(usize, u32, usize)> {
        let (transition, recording) = (self.selected?, self.recording.as_ref()?);
        let (automaton, replay) = recording.replayed(self.automaton)?;
        Some((self.automaton, transition, replay.since(automaton, transition, self.step)?))
    }

    /// The witness to ask for under a request number, if one is wanted that is not known and not on
    /// its way: automaton, transition, step.
    pub(crate) fn witness_to_ask(&mut self, id: u32) -> Option<(u32, u32, u32)> {
        let wanted = self.wanted().filter(|_| self.fresh)?;
        let known = self.known_witness.as_ref().is_some_and(|known| known.of == wanted);
        if known || self.asked_witness.is_some() {
            return None;
        }
        self.asked_witness = Some((id, wanted));
        Some((wanted.0 as u32, wanted.1, wanted.2 as u32))
    }

    /// A witness has arrived.
    pub(crate) fn told_witness(
        &mut self,
        id: u32,
        witness: Option<LabWitness>,
        limit: Option<Limit>,
    ) {
        if let Some((_, of)) = self.asked_witness.take_if(|(asked, _)| *asked == id) {
            self.known_witness =
                Some(KnownWitness { of, told: witness.map(Shared::new).ok_or(limit) });
        }
    }

    /// What the fields ask now.
    fn asking(&self) -> Option<Question> {
        let whole = self.task == LabTask::Transducer;
        if whole {
            let (from, to) = &self.transfer;
            return (!from.trim().is_empty() && !to.trim().is_empty())
                .then(|| Question::Transfer { from: from.clone(), to: to.clone() });
        }
        let set = self.question.trim();
        (!set.is_empty()).then(|| Question::Weight {
            automaton: self.automaton,
            step: self.step,
            set: set.to_string(),
        })
    }

    /// The question to ask under a request number, if there is one that is not answered and not on
    /// its way.
    pub(crate) fn question_to_ask(&mut self, id: u32) -> Option<Question> {
        let wanted = self.asking().filter(|_| self.fresh && !self.is_empty())?;
        if self.answer.as_ref().is_some_and(|known| known.to == wanted)
            || self.asked_weight.is_some()
        {
            return None;
        }
        self.asked_weight = Some((id, wanted.clone()));
        Some(wanted)
    }

    /// An answer has arrived.
    pub(crate) fn told_weight(&mut self, id: u32, answer: LabAnswer) {
        if let Some((_, to)) = self.asked_weight.take_if(|(asked, _)| *asked == id) {
            self.answer = Some(KnownAnswer { to, told: Shared::new(answer) });
        }
    }

    /// Is the answer that is shown one to another question or step than the present one?
    pub(crate) fn reading(&self) -> bool {
        self.asking()
            .is_some_and(|wanted| self.answer.as_ref().is_none_or(|known| known.to != wanted))
    }
}
