//! Reasons and the naive projection beside the exact one: worked off in slices, as runs are.

use super::driver::Driver;
use crate::report;
use crate::report::stores::QueryError;
use crate::session::Session;
use crate::util::Limit;
use crate::wire::protocol::Reply;

/// A naive projection in progress, and who waits for it.
pub(super) struct Beside {
    id: u32,
    /// The statement whose reason was asked for.
    statement: Option<u32>,
}

impl Driver {
    /// Answers why a statement is innocent, or begins the naive projection that the answer needs;
    /// true if slices are now to be worked off.
    pub(super) fn explain(
        &mut self,
        id: u32,
        statement: Option<u32>,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let was_busy = self.is_busy();
        let (Some(session), None) = (&mut self.session, &self.run) else { return false };
        self.beside = None;
        let unreached = statement.is_some_and(|s| {
            session.executed().is_some_and(|executed| executed.get(s as usize) == Some(&false))
        });
        if unreached || !session.explains() {
            answer(session, id, statement, post);
            return false;
        }
        match session.start_beside() {
            Ok(true) => {
                self.beside = Some(Beside { id, statement });
                !was_busy
            }
            Ok(false) => {
                tell(session, id, statement, post);
                false
            }
            Err(limit) => {
                refuse(id, statement, limit, post);
                false
            }
        }
    }

    /// Works on the naive projection for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_beside(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let (Some(session), Some(Beside { id, statement })) = (&mut self.session, &self.beside)
        else {
            return false;
        };
        let (id, statement, start) = (*id, *statement, clock());
        loop {
            match session.step_beside() {
                Ok(false) if clock() - start > slice => return true,
                Ok(false) => {}
                Ok(true) => {
                    self.beside = None;
                    tell(session, id, statement, post);
                    return false;
                }
                Err(limit) => {
                    self.beside = None;
                    refuse(id, statement, limit, post);
                    return false;
                }
            }
        }
    }
}

/// What the naive projection keeps besides, and the reason that was asked for.
fn tell(session: &mut Session, id: u32, statement: Option<u32>, post: &mut dyn FnMut(Reply)) {
    post(Reply::Beside { id, cross: report::why_not::only_naive(session) });
    answer(session, id, statement, post);
}

fn answer(session: &mut Session, id: u32, statement: Option<u32>, post: &mut dyn FnMut(Reply)) {
    let Some(statement) = statement else { return };
    let (why, limit) = match report::why_not::why(session, statement) {
        Ok(why) => (Some(why), None),
        Err(QueryError::Unknown(limit)) => (None, Some(limit)),
        Err(_) => (None, None),
    };
    post(Reply::Why { id, why, limit });
}

fn refuse(id: u32, statement: Option<u32>, limit: Limit, post: &mut dyn FnMut(Reply)) {
    post(Reply::Beside { id, cross: None });
    if statement.is_some() {
        post(Reply::Why { id, why: None, limit: Some(limit) });
    }
}
