//! Widens the joins of a node: links every abstract transition along the control flow that leads
//! into it, whatever its length.
//!
//! Several branches lead to a join. The ranks of a breadth-first search keep only those of the
//! shortest one.

use super::construction::Construction;
use super::draft::{DraftAction, DraftId};
use super::layers::Explored;
use crate::analysis::cegar::dag::DagPoint;
use crate::lang::model::LocationId;
use crate::util::Bounded;

/// Links steps from layers of at least the node's own rank.
pub(super) fn over_steps(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    (part, id): (usize, DraftId),
    location: LocationId,
) -> Bounded<()> {
    let states = construction.draft.states(part, id);
    for step in explored.steps_to(location) {
        if !is_forward(explored, step.from, location) {
            continue;
        }
        let layers = construction.layers(explored, part, id, step.from)?;
        for (&rank, &layer) in layers.range(id.rank..) {
            let before = explored.program.before_step(layer, step.rule, states)?;
            let source = DraftId { rank, point: DagPoint::Location(step.from), ..id };
            let edge = (DraftAction::Execute(step.edge), Some(id));
            construction.link(explored, part, source, before, edge)?;
        }
    }
    Ok(())
}

/// Links calls that return to the node later than by its own rank.
pub(super) fn over_calls(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    (part, id): (usize, DraftId),
    location: LocationId,
) -> Bounded<()> {
    for call in explored.calls_back_to(location) {
        if !is_forward(explored, call.step.from, location) {
            continue;
        }
        let layers = construction.layers(explored, part, id, call.step.from)?;
        let summaries = construction.summaries(explored, call.callee)?;
        let longest = construction.draft.parts[part].longest_callee();
        for (&rank, &layer) in layers.iter() {
            for (&length, &summary) in summaries.range(..longest) {
                if rank + 1 + length > id.rank {
                    let summary = (length, summary);
                    construction.link_return(explored, (part, id), call, (rank, layer), summary)?;
                }
            }
        }
    }
    Ok(())
}

/// Does the control flow lead forward from one location to the other?
fn is_forward(explored: &Explored<'_>, from: LocationId, to: LocationId) -> bool {
    let position = |location: LocationId| explored.program.system.priority[location];
    position(from) < position(to)
}
