//! Affine relations.

use crate::encode::affine::Arithmetic;
use crate::report::affine::affine_report;
use crate::session::AffineSession;
use crate::wire::protocol::Reply;
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority};
use crate::worker::state::{Answer, State};
use std::rc::Rc;

const CLASS: Class = Class::new("affine", Priority::Question);
/// Most multiplications of numbers.
const OPERATIONS: u64 = 400_000_000;
/// Widths that numbers can have.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=64;

/// Which affine equalities always hold, of numbers modulo 2^`modulo` or without bounds.
pub(super) fn begin(state: &mut State, modulo: Option<u32>) -> Answer {
    let is_width = modulo.is_none_or(|width| WIDTHS.contains(&width));
    let Some(program) = state.program().filter(|_| is_width) else {
        return Answer::now(Reply::Affine { report: None });
    };
    let arithmetic = modulo.map_or(Arithmetic::Unbounded, Arithmetic::Modulo);
    let job = AffineSession::new(Rc::clone(&program), arithmetic, OPERATIONS);
    let options = state.session.options().clone();
    Answer::later(JobTask::new(CLASS, job, move |mut job, _, _| {
        let report = affine_report(&program, &options, &mut job);
        Finish::with([Reply::Affine { report: Some(report) }])
    }))
}
