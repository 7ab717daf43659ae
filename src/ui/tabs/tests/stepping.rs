//! The run of a test, statement by statement.

use super::state::{Tests, WORD};
use crate::ui::state::model::Model;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::wire::permalink::TestRunPlace;
use crate::wire::protocol::Request;
use crate::wire::testing::{ExecuteRequest, ExecutedRun, TestResult, TestView};
use crate::wire::trace::TraceEntry;

/// The run of a test that is stepped through.
#[derive(Default)]
pub(crate) struct Stepping {
    pub(crate) work: Question<()>,
    /// The test's name.
    pub(crate) name: String,
    /// Does the test pass, and what is the first wrong byte of its output?
    passes: bool,
    until: Option<u32>,
    pub(crate) run: Option<Shared<ExecutedRun>>,
    pub(super) row: usize,
    pub(super) step: usize,
    /// The step of a link.
    wanted: Option<usize>,
}

impl Stepping {
    /// The statements; none where no run is shown.
    pub(super) fn trace(&self) -> &[TraceEntry] {
        self.run.as_ref().map_or(&[], |run| &run.trace)
    }

    /// Where the timeline is.
    pub(super) fn timeline(&self) -> Option<Timeline> {
        let (count, step) = (self.trace().len(), self.step);
        let entry = self.trace().get(step)?;
        let whole = self.run.as_ref().is_some_and(|run| run.whole);
        let note = match (whole, self.until) {
            (false, _) => "the last steps of a long run",
            (true, Some(_)) => "up to the first wrong character",
            (true, None) => "as a machine executes it",
        };
        Some(Timeline {
            step,
            count,
            name: format!("Run of {}", self.name),
            position: (
                format!("Step {} of {count}", step + 1),
                format!("{}, line {}", entry.procedure, entry.line),
            ),
            note: note.into(),
            noun: "step",
            ..Timeline::default()
        })
    }

    /// A step of it. The last one of a failed test stands out.
    pub(super) fn entry(&self, step: usize) -> Option<Entry> {
        let entry = self.trace().get(step)?;
        let fails = !self.passes && step + 1 == self.trace().len();
        let mut drawn = Entry::of(entry, step, fails);
        drawn.marks.iter_mut().for_each(|(_, text)| *text = "goes wrong");
        Some(drawn)
    }

    pub(super) fn line(&self) -> u32 {
        self.trace().get(self.step).map_or(0, |entry| entry.line)
    }
}

impl Tests {
    /// Asks for the run of a row, to step through it.
    pub(super) fn step_through(&mut self, row: usize, model: &mut Model) {
        let Some(test) = self.report().and_then(|found| found.tests.get(row)).cloned() else {
            return;
        };
        if self.is_stale() || !model.ready_for_text(WORD) {
            return;
        }
        (model.playing, model.unasked) = (false, false);
        let passes = test.result == TestResult::Passed;
        let (name, until) = (test.name, test.wrong_byte);
        let (source, input) = (model.source.clone(), test.input);
        let ask = ExecuteRequest { source, input, until };
        let id = model.send(Request::Execute { ask: Box::new(ask) });
        self.stepping = Stepping { name, passes, until, row, ..Stepping::default() };
        self.stepping.work.begin(id, ());
    }

    /// The worker's answer: the run goes to where it is wrong. False if it was not waited for.
    pub(super) fn told_run(&mut self, id: u32, run: Option<ExecutedRun>) -> bool {
        let awaited = self.stepping.work.tell(id).is_some();
        if awaited {
            let last = run.as_ref().map_or(0, |run| run.trace.len().saturating_sub(1));
            self.stepping.step = self.stepping.wanted.take().unwrap_or(last).min(last);
            self.stepping.run = run.filter(|run| !run.trace.is_empty()).map(Shared::new);
        }
        awaited
    }

    /// Shows the run that a link shows, now that the tests were run.
    pub(super) fn follow_link(&mut self, model: &mut Model) {
        let Some(TestRunPlace { row, step }) = self.linked.take() else { return };
        self.step_through(row as usize, model);
        if self.stepping.work.is_busy() {
            self.row = Some(row as usize);
            self.stepping.wanted = Some(step as usize);
        }
    }

    /// No run is shown any more.
    pub(super) fn leave_run(&mut self) {
        self.stepping = Stepping::default();
    }

    /// The test whose row is open, as it was run.
    pub(super) fn open_test(&self) -> Option<&TestView> {
        self.report()?.tests.get(self.row?)
    }
}
