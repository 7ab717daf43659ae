//! The failing run as the forward judgement sees it: where each transition leads, and which calls
//! are pending there.

use crate::analysis::localize::supergraph::SuperEdge;
use crate::analysis::localize::trace::Transition;
use crate::encode::Valuation;
use crate::lang::model::{EdgeId, LocationId, Operation, Program};

/// A call that the failing run has entered and not yet left.
pub(super) struct PendingCaller {
    pub(super) call: EdgeId,
    /// The caller's state before the call.
    pub(super) before: Valuation,
    /// The pending call of the caller's own frame, as an index into [`Trail::callers`]; `None`: the
    /// caller is the first frame.
    pub(super) below: Option<usize>,
    /// The number of calls that are pending, this one included.
    depth: usize,
}

/// A configuration of the failing run without its state.
#[derive(Clone, Copy)]
pub(super) struct RunPosition {
    pub(super) location: LocationId,
    /// The innermost pending call, as an index into [`Trail::callers`]; `None`: the first frame.
    pub(super) caller: Option<usize>,
}

/// The transitions of a failing run with the position behind each of them.
pub(super) struct Trail {
    pub(super) transitions: Vec<Transition>,
    /// By transition: the position behind it.
    pub(super) positions: Vec<RunPosition>,
    pub(super) callers: Vec<PendingCaller>,
}

impl Trail {
    /// Follows the run's calls and returns.
    pub(super) fn new(program: &Program, transitions: &[Transition]) -> Trail {
        let (mut callers, mut positions) = (Vec::<PendingCaller>::new(), Vec::new());
        let mut caller: Option<usize> = None;
        for transition in transitions {
            let edge = program.edge(transition.edge.edge());
            let mut location = edge.to;
            match (transition.edge, &edge.operation) {
                (SuperEdge::Enter(call), Operation::Call { callee, .. }) => {
                    location = program.procedure(*callee).entry;
                    callers.push(PendingCaller {
                        call,
                        before: transition.before.clone(),
                        below: caller,
                        depth: 1 + caller.map_or(0, |number| callers[number].depth),
                    });
                    caller = Some(callers.len() - 1);
                }
                (SuperEdge::Return(_), _) => {
                    caller = caller.and_then(|number| callers[number].below)
                }
                _ => {}
            }
            positions.push(RunPosition { location, caller });
        }
        Trail { transitions: transitions.to_vec(), positions, callers }
    }

    /// The first of the transitions that lead to the position behind the `k`-th one from the same
    /// frame, looking back only as long as `is_open` holds of a transition.
    pub(super) fn passage_start(&self, k: usize, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        let caller = self.positions[k].caller;
        let depth = |caller: Option<usize>| caller.map_or(0, |number| self.callers[number].depth);
        let mut start = None;
        for j in (0..=k).rev().take_while(|j| is_open(*j)) {
            let before = j.checked_sub(1).and_then(|before| self.positions[before].caller);
            if depth(before) < depth(caller) {
                break;
            }
            // A return site is no location of the program, so a passage cannot start there.
            if before == caller && !matches!(self.transitions[j].edge, SuperEdge::Onward(_)) {
                start = Some(j);
            }
        }
        start
    }

    /// Is the `k`-th transition the step from a return site that the transition before it led to?
    pub(super) fn continues_return(&self, k: usize) -> bool {
        matches!(self.transitions[k].edge, SuperEdge::Onward(_))
            && k > 0
            && matches!(self.transitions[k - 1].edge, SuperEdge::Return(_))
    }
}
