//! What the worker can be asked for: one file for each kind of request, and the one list of them.

mod affine;
pub(super) mod bounded;
mod explain;
mod harness;
mod lab;
mod liveness;
mod questions;
mod refinement;
pub(super) mod run;
mod testing;
mod threads;

use super::state::{Answer, State};
use crate::wire::protocol::Request;

/// What each request asks for.
pub(super) fn answer(request: Request, state: &mut State) -> Answer {
    match request {
        Request::Inspect { statement } => questions::inspect(state, statement),
        Request::Query { statement, condition } => questions::query(state, statement, &condition),
        Request::Witness { file_name, creation_time } => {
            questions::witness(state, file_name, creation_time)
        }
        Request::Harness { file_name, failure, bounded, is_input } => {
            harness::answer(state, &file_name, failure, bounded.as_deref(), is_input)
        }
        Request::Invariants => questions::invariants(state),
        Request::Why { statement } => questions::explain(state, Some(statement)),
        Request::Naive => questions::explain(state, None),
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
        Request::Liveness { ask, fair, budgets } => liveness::begin(state, &ask, fair, budgets),
        Request::Explain { ask, budgets } => explain::begin(ask, budgets),
        Request::Tests { ask } => testing::tests(ask),
        Request::Execute { ask } => testing::execute(&ask),
        Request::Equivalent { ask } => testing::equivalent(ask),
        // The driver itself answers these.
        Request::Stop | Request::Load { .. } | Request::Run { .. } | Request::Layout { .. } => {
            Answer::dropped()
        }
    }
}
