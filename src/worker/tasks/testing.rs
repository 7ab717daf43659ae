//! Tests of a program, and its comparison with a reference. Each is one step, whose length the
//! engine bounds; it looks at the clock between the runs of changes and inputs.

use crate::report::testing_answer::{compared_answer, executed, tests_answer};
use crate::wire::protocol::Reply;
use crate::wire::testing::{EquivalentRequest, ExecuteRequest, TestsRequest};
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};

/// Milliseconds of one request.
const MILLIS: u64 = 30_000;

const TESTS: Class = Class { beside_run: 1, ..Class::new("tests", Priority::Analysis) };
const REFERENCE: Class = Class { beside_run: 1, ..Class::new("reference", Priority::Analysis) };

/// Runs tests.
pub(super) fn tests(ask: Box<TestsRequest>) -> Answer {
    let work =
        move |stop: &dyn Fn() -> bool| Reply::Tested { answer: Box::new(tests_answer(&ask, stop)) };
    Answer::later(OneStep { class: TESTS, work: Some(Box::new(work)), reply: None })
}

/// Executes a program on an input.
pub(super) fn execute(ask: &ExecuteRequest) -> Answer {
    Answer::now(Reply::Executed { run: Box::new(executed(ask)) })
}

/// Compares with a reference.
pub(super) fn equivalent(ask: Box<EquivalentRequest>) -> Answer {
    let work = move |stop: &dyn Fn() -> bool| Reply::Equated {
        answer: Box::new(compared_answer(&ask, stop)),
    };
    Answer::later(OneStep { class: REFERENCE, work: Some(Box::new(work)), reply: None })
}

/// What makes the reply. It asks its argument whether to stop.
type Work = Box<dyn FnOnce(&dyn Fn() -> bool) -> Reply>;

struct OneStep {
    class: Class,
    work: Option<Work>,
    reply: Option<Reply>,
}

impl Task<State> for OneStep {
    fn class(&self) -> Class {
        self.class
    }

    fn step(&mut self, state: &mut State) -> Step {
        let alarm = state.alarm.clone();
        if let Some(work) = self.work.take() {
            self.reply = Some(work(&|| alarm.look(0).is_some()));
        }
        Step::Over
    }

    fn stop(&mut self, _: &mut State) {}

    fn max_millis(&self) -> Option<u64> {
        Some(MILLIS)
    }

    fn finish(self: Box<Self>, _: &mut State, _: u64) -> Finish<State> {
        Finish::with(self.reply)
    }
}
