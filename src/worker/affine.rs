//! Affine relations, worked off in slices, as runs are.

use super::driver::Driver;
use crate::encode::affine::Arithmetic;
use crate::report::affine::affine_report;
use crate::session::{AffineSession, Job};
use crate::wire::protocol::Reply;
use std::rc::Rc;

/// Most multiplications of numbers.
const OPERATIONS: u64 = 400_000_000;
/// Widths that numbers can have.
const WIDTHS: std::ops::RangeInclusive<u32> = 1..=64;

/// An analysis in progress, and who waits for it.
pub(super) struct Affine {
    id: u32,
    session: AffineSession,
}

impl Driver {
    /// Begins an analysis; true if slices are now to be worked off.
    pub(super) fn relate(
        &mut self,
        id: u32,
        modulo: Option<u32>,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let was_busy = self.affine.take().is_some() || self.is_busy();
        let program = self.session.as_ref().and_then(|session| session.program());
        let Some(program) = program.filter(|_| modulo.is_none_or(|width| WIDTHS.contains(&width)))
        else {
            post(Reply::Affine { id, report: None });
            return false;
        };
        let arithmetic = modulo.map_or(Arithmetic::Unbounded, Arithmetic::Modulo);
        self.affine = Some(Affine {
            id,
            session: AffineSession::new(Rc::new(program.clone()), arithmetic, OPERATIONS),
        });
        !was_busy
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_affine(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let (Some(session), Some(affine)) = (&self.session, &mut self.affine) else { return false };
        let start = clock();
        while !affine.session.step() {
            if clock() - start > slice {
                return true;
            }
        }
        let report = session
            .program()
            .map(|program| affine_report(program, session.options(), &mut affine.session));
        post(Reply::Affine { id: affine.id, report });
        self.affine = None;
        false
    }
}
