//! Exercises: one that a person does, and one that is being made.

use super::state::{Tests, TestsEvent, WORD};
use crate::ui::state::effect::Effect;
use crate::ui::state::model::Model;
use crate::wire::exercise::{
    Attempt, Exercise, ExerciseFile, ExerciseRecord, FILE_ENDING, HiddenTest, MOST_ATTEMPTS,
    output_hash,
};
use crate::wire::testing::{
    ComparedAnswer, Equivalence, TestResult, TestText, TestVerdict, TestView,
};
use std::collections::BTreeSet;

/// What is done with an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExerciseEvent {
    /// Show the texts of this row, a hidden test.
    Reveal(usize),
    /// Show the line to look at first.
    Where,
    /// Show the input on which the program and the solution differ.
    Difference,
    /// Put the program of this attempt into the editor.
    Bring(usize),
    /// It is no exercise any more.
    Leave,
    /// What the browser kept of it.
    Recalled(String),
    /// Begin to make one, or give that up.
    Draft(bool),
    /// Its name is this now.
    Title(String),
    /// Its statement is this now.
    Statement(String),
    /// The program to begin with is this now.
    Start(String),
    /// The test of this row is hidden, or no longer.
    Hide(usize),
    /// The present program goes along as a solution, or no longer.
    Solution,
    /// It is made: the page shows it as students see it.
    Make,
    /// Give it to the user as a file.
    Save,
}

/// An exercise that a person does.
#[derive(Default)]
pub(crate) struct Doing {
    pub(crate) exercise: Exercise,
    pub(crate) record: ExerciseRecord,
    /// Was the browser asked for what it keeps?
    is_recalled: bool,
    /// The rows of hidden tests whose texts are shown.
    pub(crate) revealed: BTreeSet<usize>,
    /// Is the line to look at first shown?
    pub(crate) shows_place: bool,
    /// Is the input shown on which program and solution differ?
    pub(crate) shows_difference: bool,
}

impl Doing {
    pub(super) fn new(exercise: Exercise) -> Doing {
        Doing { exercise, ..Doing::default() }
    }

    /// Another run of the tests begins without hints.
    pub(super) fn close_hints(&mut self) {
        self.revealed.clear();
        (self.shows_place, self.shows_difference) = (false, false);
    }

    fn name(&self) -> String {
        format!("exercise.{}", self.exercise.key())
    }
}

/// An exercise that is being made of the present program, which is its solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) statement: String,
    pub(crate) start: String,
    /// Rows of tests that are hidden.
    pub(crate) hidden: BTreeSet<usize>,
    /// Does the solution go along?
    pub(crate) with_solution: bool,
}

/// What students begin with, unless somebody writes something else.
const START: &str = "#include <stdio.h>\n\nint main(void)\n{\n    return 0;\n}\n";

impl Tests {
    /// The program that the present one is compared with.
    pub(super) fn solution(&self) -> &str {
        self.doing.as_ref().map_or(&self.reference, |doing| &doing.exercise.reference)
    }

    /// Asks the browser for what it keeps of the exercise, once.
    pub(super) fn recall(&mut self, model: &mut Model) {
        let Some(doing) = self.doing.as_mut().filter(|doing| !doing.is_recalled) else { return };
        doing.is_recalled = true;
        let event = |text| {
            let recalled = ExerciseEvent::Recalled(text);
            Box::new(TestsEvent::Exercise(recalled)) as Box<dyn std::any::Any>
        };
        model.effect(Effect::Recall { name: doing.name(), tab: WORD, event });
    }

    fn remember(&self, model: &mut Model) {
        let Some(doing) = &self.doing else { return };
        let text = serde_json::to_string(&doing.record).unwrap_or_default();
        model.effect(Effect::Remember { name: doing.name(), text });
    }

    /// A hint of an exercise was opened.
    pub(super) fn hint(&mut self, model: &mut Model) {
        if let Some(doing) = &mut self.doing {
            doing.record.hints += 1;
            self.remember(model);
        }
    }

    /// The tests were run: another attempt, unless it is the same program.
    pub(super) fn mark(&mut self, model: &mut Model) {
        let Some(found) = self.report() else { return };
        let (passed, of) = (passing(&found.tests), found.tests.len() as u32);
        let Some(doing) = &mut self.doing else { return };
        let source = model.source.clone();
        let record = &mut doing.record;
        // The program to begin with is nobody's attempt.
        let is_own = source != doing.exercise.start;
        if is_own && record.attempts.last().is_none_or(|last| last.source != source) {
            record.attempts.push(Attempt { source, passed, of, hints: record.hints });
            if record.attempts.len() > MOST_ATTEMPTS {
                record.attempts.remove(0);
            }
        }
        self.remember(model);
    }

    /// Is a program that passes all tests of an exercise to be compared with the solution?
    pub(super) fn has_to_agree(&self) -> bool {
        let is_known = self.compared.is_some() && !self.is_comparison_stale();
        self.doing.is_some() && self.has_solved() && !self.solution().trim().is_empty() && !is_known
    }

    /// Is the exercise done: do all tests pass, and is no difference from the solution known or
    /// being looked for?
    pub(crate) fn is_done(&self) -> bool {
        let Some(doing) = &self.doing else { return false };
        let passes = !self.is_stale()
            && self.report().is_some_and(|found| found.verdict == TestVerdict::Passes);
        let agrees = doing.exercise.reference.trim().is_empty()
            || match self.compared.as_deref().filter(|_| !self.is_comparison_stale()) {
                Some(ComparedAnswer::Report(found)) => found.verdict != Equivalence::Different,
                _ => false,
            };
        passes && agrees
    }

    /// Are the texts of a row not to be seen?
    pub(crate) fn is_veiled(&self, row: usize, test: &TestView) -> bool {
        let revealed = |doing: &Doing| doing.revealed.contains(&row);
        test.hidden && !self.doing.as_ref().is_some_and(revealed)
    }

    /// Can an exercise be made: are there tests, and does the present program pass all of them?
    pub(crate) fn has_solved(&self) -> bool {
        let passes = |found: &crate::wire::testing::TestsView| {
            found.verdict == TestVerdict::Passes && !found.tests.is_empty()
        };
        !self.is_stale() && self.report().is_some_and(passes)
    }

    /// What the user does.
    pub(super) fn exercise_event(&mut self, event: ExerciseEvent, model: &mut Model) {
        match event {
            ExerciseEvent::Reveal(row) => self.open_hint(model, |doing| {
                doing.revealed.insert(row);
            }),
            ExerciseEvent::Where => self.open_hint(model, |doing| doing.shows_place = true),
            ExerciseEvent::Difference => {
                self.open_hint(model, |doing| doing.shows_difference = true);
            }
            ExerciseEvent::Bring(at) => {
                let attempt = self.doing.as_ref().and_then(|doing| doing.record.attempts.get(at));
                if let Some(attempt) = attempt {
                    model.effect(Effect::Edit(attempt.source.clone()));
                }
            }
            ExerciseEvent::Leave => self.doing = None,
            ExerciseEvent::Recalled(text) => {
                if let (Some(doing), Ok(record)) = (&mut self.doing, serde_json::from_str(&text)) {
                    doing.record = record;
                }
            }
            ExerciseEvent::Draft(on) => {
                self.draft = on.then(|| Draft { start: START.into(), ..Draft::default() });
            }
            ExerciseEvent::Title(text) => self.change_draft(|draft| draft.title = text),
            ExerciseEvent::Statement(text) => self.change_draft(|draft| draft.statement = text),
            ExerciseEvent::Start(text) => self.change_draft(|draft| draft.start = text),
            ExerciseEvent::Hide(row) => self.change_draft(|draft| {
                if !draft.hidden.remove(&row) {
                    draft.hidden.insert(row);
                }
            }),
            ExerciseEvent::Solution => {
                self.change_draft(|draft| draft.with_solution = !draft.with_solution);
            }
            ExerciseEvent::Make => self.make(model),
            ExerciseEvent::Save => {
                let Some(doing) = &self.doing else { return };
                let (name, text) =
                    (doing.exercise.title.clone(), ExerciseFile::written(self.place()));
                model.effect(Effect::SaveFile {
                    name: format!("{}{FILE_ENDING}", stem(&name)),
                    text,
                });
            }
        }
    }

    fn open_hint(&mut self, model: &mut Model, open: impl FnOnce(&mut Doing)) {
        if let Some(doing) = &mut self.doing {
            open(doing);
            self.hint(model);
        }
    }

    fn change_draft(&mut self, change: impl FnOnce(&mut Draft)) {
        if let Some(draft) = &mut self.draft {
            change(draft);
        }
    }

    /// Makes an exercise of the draft. The program to begin with takes the place of the solution,
    /// as an edit that can be undone.
    fn make(&mut self, model: &mut Model) {
        let Some(draft) = self.draft.take_if(|draft| !draft.title.trim().is_empty()) else {
            return;
        };
        let rows = self.report().map(|found| found.tests.clone()).unwrap_or_default();
        let (mut public, mut hidden) = (Vec::new(), Vec::new());
        for (row, test) in rows.into_iter().enumerate() {
            let TestView { name, input, expected, got, .. } = test;
            match draft.hidden.contains(&row) {
                true => hidden.push(HiddenTest { name, input, output: output_hash(&got) }),
                false => public.push(TestText { name, input, expected }),
            }
        }
        public.retain(|test| !test.is_blank());
        let exercise = Exercise {
            title: draft.title.trim().to_string(),
            statement: draft.statement.trim().to_string(),
            start: draft.start.clone(),
            hidden,
            reference: if draft.with_solution { model.source.clone() } else { String::new() },
        };
        self.forget_program();
        (self.tests, self.reference) = (public, String::new());
        self.doing = Some(Doing::new(exercise));
        model.effect(Effect::Edit(draft.start));
    }
}

/// How many of these tests pass.
pub(crate) fn passing(tests: &[TestView]) -> u32 {
    tests.iter().filter(|test| test.result == TestResult::Passed).count() as u32
}

/// A title as the name of a file.
fn stem(title: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = title.chars().map(word).take(60).collect();
    name.trim_matches('-').to_string()
}
