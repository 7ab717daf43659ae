//! Requests in, replies out. A request is answered at once, or it becomes a task of the queue; the
//! one list of what does which is [`answer`].

use super::queue::{Post, Queue, post_all};
use super::state::{Answer, State};
use super::{affine, explain, lab, questions, refinement, run, threads};
use crate::draw::layout::layout;
use crate::lang::diagnostic::Severity;
use crate::report;
use crate::report::diagnostics::diagnostics;
use crate::session::Session;
use crate::wire::options::RequestedOptions;
use crate::wire::protocol::{Reply, ReplyMessage, Request, RequestMessage};

/// The worker's state and its work.
pub(super) struct Driver {
    /// `None` until a program was sent.
    state: Option<State>,
    queue: Queue<State>,
    /// Is a slice due?
    is_due: bool,
}

impl Driver {
    pub(super) fn new() -> Driver {
        Driver { state: None, queue: Queue::new(), is_due: false }
    }

    /// Takes a request; true if slices are to be worked off from now on (none is due yet).
    pub(super) fn handle(&mut self, message: RequestMessage, now: f64, post: Post<'_>) -> bool {
        let RequestMessage { id, request } = message;
        match (request, &mut self.state) {
            (Request::Stop, Some(state)) => self.queue.stop(id, state, now, post),
            (Request::Load { source, options }, _) => {
                self.load(id, &source, options, true, post);
            }
            (Request::Run { source, options, budgets, method }, _) => {
                if let Some(state) = self.load(id, &source, options, false, post) {
                    let task = run::begin(state, budgets, method);
                    self.queue.add(id, task, post);
                }
            }
            (Request::Layout { mut graph }, _) => {
                layout(&mut graph);
                post_all(id, vec![Reply::LaidOut { graph }], true, 0, post);
            }
            (request, Some(state)) => match answer(request, state) {
                Answer::Now(replies) => post_all(id, replies, true, 0, post),
                Answer::Later(task) => self.queue.add(id, task, post),
            },
            (_, None) => post_all(id, Vec::new(), true, 0, post),
        }
        let is_new = !self.is_due && !self.queue.is_empty();
        self.is_due |= is_new;
        is_new
    }

    /// Works for one slice; true if there is more to do.
    pub(super) fn slice(&mut self, clock: impl Fn() -> f64, post: Post<'_>) -> bool {
        let state = self.state.as_mut();
        self.is_due = state.is_some_and(|state| self.queue.slice(state, &clock, post));
        self.is_due
    }

    /// Reads a program, which ends all work on the one before. `None` if it cannot be run. The
    /// answer is the last one where nothing is to be run.
    fn load(
        &mut self,
        id: u32,
        source: &str,
        requested: RequestedOptions,
        is_last: bool,
        post: Post<'_>,
    ) -> Option<&mut State> {
        self.queue.clear(post);
        let (session, found) = Session::load(source, &requested);
        let is_broken = found.iter().any(|found| found.severity == Severity::Error);
        let reply = Reply::Loaded {
            diagnostics: diagnostics(source, &found),
            options: session.options().clone(),
            graph: report::graph(&session),
            statements: report::statements(&session),
        };
        post(ReplyMessage { id, last: is_last || is_broken, millis: 0, reply });
        let state = self.state.insert(State::new(session, requested));
        (!is_broken).then_some(state)
    }
}

/// What each request asks for.
fn answer(request: Request, state: &mut State) -> Answer {
    match request {
        Request::Inspect { statement } => questions::inspect(state, statement),
        Request::Query { statement, condition } => questions::query(state, statement, &condition),
        Request::Witness { file_name, creation_time } => {
            questions::witness(state, file_name, creation_time)
        }
        Request::Why { statement } => questions::explain(state, Some(statement)),
        Request::Beside => questions::explain(state, None),
        Request::Through { sets } => run::through(state, &sets),
        Request::Affine { modulo } => affine::begin(state, modulo),
        Request::Lab { options } => lab::begin(state, options),
        Request::LabWeight { automaton, set, step } => lab::weight(state, automaton, &set, step),
        Request::LabWitness { automaton, transition, step } => {
            lab::witness(state, automaton, transition, step)
        }
        Request::LabTransfer { from, to } => lab::transfer(state, &from, &to),
        Request::Refine { ask, budgets } => refinement::begin(state, None, ask, budgets),
        Request::Side { side, ask, budgets } => refinement::begin(state, Some(side), ask, budgets),
        Request::Round { round } => refinement::round(state, None, round),
        Request::SideRound { side, round } => refinement::round(state, Some(side), round),
        Request::Abstracted => refinement::abstracted(state),
        Request::Compare { ask, budgets } => refinement::compare(state, ask, budgets),
        Request::Threads { ask, budgets } => threads::begin(state, &ask, budgets),
        Request::Explain { ask, budgets } => explain::begin(state, ask, budgets),
        // The driver itself answers these.
        Request::Stop | Request::Load { .. } | Request::Run { .. } | Request::Layout { .. } => {
            Answer::dropped()
        }
    }
}
