//! V_n from above, by triples of weights (Lal, Kidd, Reps, Touili 2007, § 5.2).
//!
//! The functional automaton Apost\* ⊙ Apre\* reads a configuration with n on top, from the top
//! down. Each of its states has a triple (w3, w4, w5): the way from the start to the configuration,
//! the way on to the target, and both together. A transition with the functional weight λz. w1 ⊗ z
//! ⊗ w2 becomes
//!
//! g(w1, w2) = λ(w3, w4, w5). SP(w1 ⊗ w3, w4 ⊗ w2, w1 ⊗ w5 ⊗ w2), where SP(a, b, c) = (a, b, c) if
//! c ≠ 0, and (0, 0, 0) otherwise,
//!
//! and triples are combined component by component. Let (a, b, c) be the least solution at the
//! final states. Com(a, b) = Rng(a) ∩ Dom(b) then contains V_n. It may be larger, as g does not
//! distribute: stores that arrive in one calling context may be joined with stores that fail in
//! another.
//!
//! Differs from the paper in how the same solution is computed. The third component does not depend
//! on the others, and is the path summary of § 4. It says which transitions SP lets through; over
//! those the first two components are joins over all paths of distributive transformers. Only their
//! Rng and Dom are needed. So they are computed as sets, from the bottom of the stack upwards:
//! `Frames::entries` with which a frame is entered, and `Frames::ends` with which it can be left so
//! that its callers fail.
//!
//! Callers' locals (which the paper leaves out) are those at the call where the third component
//! returns; the second component forgets them, as it does not know its caller (Lal,
//! Touili, Kidd, Reps 2007, App. B, adapted).
//!
//! As in [`crate::analysis::chop`] statements are edges: the top transition's forward weight begins
//! with the edge. Once the target is reached in a frame, the stack below it has no influence on the
//! way there, and the third component is the set of entries that lead there.

use crate::analysis::error_projection::ErrorProjection;
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::symbol;
use crate::lang::model::{EdgeId, LocationId, ProcedureId};
use crate::pds::{ForwardWeights, Right, RuleId, State};
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::{BTreeMap, BTreeSet};

/// The state of pre\*'s automaton in a state of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PrestarState {
    /// The run has left the frame; it reaches the target later.
    Left,
    /// The run has reached the target.
    Target,
}

/// A state of the product.
type Node = (State, PrestarState);

/// A call that is pending below a frame: a transition of post\*.
#[derive(Clone, Copy)]
struct Call {
    callee: State,
    caller: State,
    rule: RuleId,
    at_call: Bdd,
    /// The location at which the call returns.
    site: LocationId,
    procedure: ProcedureId,
}

/// The triples of one statement.
#[derive(Default)]
struct Frames {
    /// The third component: for [`PrestarState::Left`] what the frame is entered and left with, as
    /// a summary; for [`PrestarState::Target`] the entries (over now).
    whole: BTreeMap<Node, Bdd>,
    /// Transitions that SP lets through: index of the call, from, to.
    live: BTreeSet<(usize, PrestarState, PrestarState)>,
    /// By node: the stores with which live transitions from a final state enter the frame, tracked
    /// cells over entry and constant ones over now.
    entries: BTreeMap<Node, Bdd>,
    /// By state: the stores with which a frame can be left so that live transitions reach a final
    /// state, in the form of [`crate::encode::ProgramDomain::leaving_context`].
    ends: BTreeMap<State, Bdd>,
}

/// Returns stores (over [`crate::encode::Copy::Now`]) before an edge, with every failing store
/// among them. It needs the exact `projection`, by outer contexts, after its contexts are known
/// (see [`ErrorProjection::failing_at`]).
pub fn failing_at(reach: &mut Reach, projection: &ErrorProjection, edge: EdgeId) -> Bounded<Bdd> {
    let procedure = reach.program.owner(edge);
    let arriving = reach.remembered_at(reach.program.edge(edge).from)?;
    let to_end = projection.to_end(reach, edge, None)?;
    let to_target = projection.failing_in_frame(reach, edge)?;
    let calls = calls(reach);
    let mut frames = Frames::default();
    for (state, arriving) in &arriving {
        if let Some(to_end) = to_end {
            let whole = reach.domain.meet(procedure, *arriving, to_end)?;
            grow(reach, &mut frames.whole, (*state, PrestarState::Left), whole)?;
        }
        let failing = reach.domain.kernel.and(*arriving, to_target)?;
        let entered = reach.domain.entry_of(procedure, failing)?;
        grow(reach, &mut frames.whole, (*state, PrestarState::Target), entered)?;
    }
    let seeds: BTreeSet<Node> = inserted(frames.whole.keys().copied());
    frames.find_live(reach, projection, &calls)?;
    frames.find_entries(reach, &calls)?;
    frames.find_ends(reach, projection, &calls)?;
    let (mut range, mut domain) = (Bdd::FALSE, Bdd::FALSE);
    for (state, arriving) in arriving {
        for ahead in [PrestarState::Left, PrestarState::Target] {
            let Some(entries) = frames
                .entries
                .get(&(state, ahead))
                .copied()
                .filter(|_| seeds.contains(&(state, ahead)))
            else {
                continue;
            };
            let brought = reach.domain.kernel.and(arriving, entries)?;
            let brought = reach.domain.forget_entry(procedure, brought)?;
            range = reach.domain.kernel.or(range, brought)?;
            let failing = match (ahead, to_end, frames.ends.get(&state)) {
                (PrestarState::Target, ..) => to_target,
                (PrestarState::Left, Some(to_end), Some(ends)) => {
                    reach.domain.fails_outside(procedure, to_end, *ends)?
                }
                (PrestarState::Left, ..) => Bdd::FALSE,
            };
            domain = reach.domain.kernel.or(domain, failing)?;
        }
    }
    reach.domain.kernel.and(range, domain)
}

impl Frames {
    /// The third component at every state, and the transitions through which it goes.
    fn find_live(
        &mut self,
        reach: &mut Reach,
        projection: &ErrorProjection,
        calls: &[Call],
    ) -> Bounded<()> {
        let mut waiting: BTreeSet<Node> = inserted(self.whole.keys().copied());
        while let Some(node) = waiting.pop_first() {
            let whole = self.whole[&node];
            for (index, call) in calls.iter().enumerate().filter(|(_, call)| call.callee == node.0)
            {
                for (ahead, result) in call.below(reach, projection, node.1, whole)? {
                    if result.is_false() {
                        continue;
                    }
                    self.live.insert((index, node.1, ahead));
                    if grow(reach, &mut self.whole, (call.caller, ahead), result)? {
                        waiting.insert((call.caller, ahead));
                    }
                }
            }
        }
        Ok(())
    }

    fn find_entries(&mut self, reach: &mut Reach, calls: &[Call]) -> Bounded<()> {
        let first = (reach.start(), PrestarState::Target);
        self.entries.insert(first, Bdd::TRUE);
        let mut waiting = BTreeSet::from([first]);
        while let Some((caller, ahead)) = waiting.pop_first() {
            let entries = self.entries[&(caller, ahead)];
            for (index, from, to) in self.live.iter().copied() {
                let call = calls[index];
                if (call.caller, to) != (caller, ahead) {
                    continue;
                }
                let at_call = reach.domain.kernel.and(call.at_call, entries)?;
                let entered = reach.domain.as_entries(call.rule, at_call)?;
                if grow(reach, &mut self.entries, (call.callee, from), entered)? {
                    waiting.insert((call.callee, from));
                }
            }
        }
        Ok(())
    }

    fn find_ends(
        &mut self,
        reach: &mut Reach,
        projection: &ErrorProjection,
        calls: &[Call],
    ) -> Bounded<()> {
        // Only states that lead to a final state count; these have entries.
        let live: Vec<_> = self
            .live
            .iter()
            .copied()
            .filter(|(index, _, to)| self.entries.contains_key(&(calls[*index].caller, *to)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(index, _, to) in live.iter().filter(|(_, from, _)| *from == PrestarState::Left) {
                let call = calls[index];
                let at_return = match to {
                    PrestarState::Target => projection.target_from(reach, call.site)?,
                    PrestarState::Left => {
                        match (projection.end_from(call.site), self.ends.get(&call.caller)) {
                            (Some(to_end), Some(ends)) => {
                                reach.domain.fails_outside(call.procedure, to_end, *ends)?
                            }
                            _ => Bdd::FALSE,
                        }
                    }
                };
                let ends = reach.domain.leaving_context(call.rule, call.procedure, at_return)?;
                let old = self.ends.get(&call.callee).copied().unwrap_or(Bdd::FALSE);
                let new = reach.domain.kernel.or(old, ends)?;
                if new != old {
                    self.ends.insert(call.callee, new);
                    changed = true;
                }
            }
        }
        Ok(())
    }
}

impl Call {
    /// Returns W(whole) for each transition of the product over this call, from a state with
    /// `ahead`.
    fn below(
        self,
        reach: &mut Reach,
        projection: &ErrorProjection,
        ahead: PrestarState,
        whole: Bdd,
    ) -> Bounded<Vec<(PrestarState, Bdd)>> {
        if ahead == PrestarState::Target {
            let before = reach.domain.before_entry(self.rule, whole)?;
            let before = reach.domain.kernel.and(self.at_call, before)?;
            return Ok(vec![(
                PrestarState::Target,
                reach.domain.entry_of(self.procedure, before)?,
            )]);
        }
        let returned = reach.domain.return_after(&self.at_call, self.rule, &whole)?;
        let mut below = Vec::new();
        if let Some(to_end) = projection.end_from(self.site) {
            below.push((PrestarState::Left, reach.domain.meet(self.procedure, returned, to_end)?));
        }
        let failing = projection.target_from(reach, self.site)?;
        let failing = reach.domain.kernel.and(returned, failing)?;
        below.push((PrestarState::Target, reach.domain.entry_of(self.procedure, failing)?));
        Ok(below)
    }
}

/// Every pending call that post\* knows.
fn calls(reach: &Reach) -> Vec<Call> {
    let automaton = reach.poststar.automaton();
    let call = |(id, transition): (usize, &crate::pds::Transition)| {
        let rule = transition.via?;
        let Right::Push(_, below) = reach.system.pds.rule(rule).right else { return None };
        let site = LocationId(below.0);
        assert_eq!(symbol(site), below);
        let procedure = reach.program.location(site).procedure;
        let at_call = *automaton.weight(id as u32);
        Some(Call {
            callee: transition.from,
            caller: transition.to,
            rule,
            at_call,
            site,
            procedure,
        })
    };
    automaton.transitions().iter().enumerate().filter_map(call).collect()
}

/// Adds to a node's set. Returns whether the set has grown.
fn grow(
    reach: &mut Reach,
    sets: &mut BTreeMap<Node, Bdd>,
    node: Node,
    gained: Bdd,
) -> Bounded<bool> {
    let old = sets.get(&node).copied().unwrap_or(Bdd::FALSE);
    let new = reach.domain.kernel.or(old, gained)?;
    if new == old {
        return Ok(false);
    }
    sets.insert(node, new);
    Ok(true)
}
