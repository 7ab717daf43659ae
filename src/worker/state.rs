//! What the worker knows: the program, the answers about it, and what finished jobs leave for later
//! questions.

use super::queue::Task;
use crate::lang::model::Program;
use crate::session::{Job, Session};
use crate::util::{Alarm, Stage};
use crate::wire::options::RequestedOptions;
use crate::wire::protocol::Reply;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::rc::Rc;

/// The worker's knowledge of one program.
pub(super) struct State {
    /// Check and projection.
    pub(super) session: Session,
    /// The program's text.
    pub(super) source: String,
    /// What it was loaded with.
    pub(super) requested: RequestedOptions,
    /// What finished jobs have left: at most one value of each type.
    kept: HashMap<TypeId, Box<dyn Any>>,
    /// What the operations of all jobs look at.
    pub(super) alarm: Alarm,
}

/// What becomes of a request.
pub(super) enum Answer {
    /// It is answered at once. Without a reply it is dropped.
    Now(Vec<Reply>),
    /// It is work for the queue.
    Later(Box<dyn Task<State>>),
}

impl Answer {
    /// This reply at once.
    pub(super) fn now(reply: Reply) -> Answer {
        Answer::Now(vec![reply])
    }

    /// Work for the queue.
    pub(super) fn later(task: impl Task<State> + 'static) -> Answer {
        Answer::Later(Box::new(task))
    }

    /// No answer: the request does not fit to what the worker knows now.
    pub(super) fn dropped() -> Answer {
        Answer::Now(Vec::new())
    }
}

impl State {
    pub(super) fn new(
        mut session: Session,
        source: String,
        requested: RequestedOptions,
        alarm: Alarm,
    ) -> State {
        session.set_alarm(alarm.clone());
        State { session, source, requested, kept: HashMap::new(), alarm }
    }

    /// The session, unless a run is on.
    pub(super) fn settled(&mut self) -> Option<&mut Session> {
        let stage = self.session.stage();
        let is_settled =
            matches!(stage, Stage::Idle | Stage::Shortest | Stage::Wider | Stage::Done);
        is_settled.then_some(&mut self.session)
    }

    /// The program; `None` if a pushdown system was loaded, or what cannot be read.
    pub(super) fn program(&self) -> Option<Rc<Program>> {
        self.session.shared_program()
    }

    /// Keeps a value for later questions, in the place of an older one of its type.
    pub(super) fn keep<T: Any>(&mut self, value: T) {
        self.kept.insert(TypeId::of::<T>(), Box::new(value));
    }

    /// The value of this type that was kept.
    pub(super) fn kept<T: Any>(&mut self) -> Option<&mut T> {
        self.kept.get_mut(&TypeId::of::<T>())?.downcast_mut()
    }

    /// Takes the value of this type, if one was kept.
    pub(super) fn take<T: Any>(&mut self) -> Option<T> {
        Some(*self.kept.remove(&TypeId::of::<T>())?.downcast().ok()?)
    }
}
