//! A failing run as a test.

use crate::report;
use crate::wire::harness::BoundedRun;
use crate::wire::protocol::Reply;
use crate::worker::state::{Answer, State};

/// The C file of a failing run, and what it reads.
pub(super) fn answer(
    state: &mut State,
    file: &str,
    failure: u32,
    bounded: Option<&BoundedRun>,
    is_input: bool,
) -> Answer {
    let answer = match bounded {
        Some(run) => report::bounded_harness(&state.source, run, file),
        None => match state.settled() {
            Some(session) => report::harness(session, failure as usize, file),
            None => return Answer::dropped(),
        },
    };
    Answer::now(Reply::Harness { answer: Box::new(answer), is_input })
}
