//! Links a node to its predecessors by rank: over steps, over calls that return, and, from the
//! entry of a frame, to the calls that enter it.

use super::construction::Construction;
use super::draft::{DraftAction, DraftId};
use super::layers::Explored;
use crate::analysis::cegar::dag::DagPoint;
use crate::encode::symbol;
use crate::lang::model::LocationId;
use crate::util::Bounded;

/// Links steps into a node at a location: their sources are one rank lower.
pub(super) fn over_steps(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    (part, id): (usize, DraftId),
    location: LocationId,
) -> Bounded<()> {
    let states = construction.draft.states(part, id);
    for step in explored.steps_to(location) {
        let layers = construction.layers(explored, part, id, step.from)?;
        let Some(rank) = id.rank.checked_sub(1) else { continue };
        let Some(layer) = layers.get(&rank) else { continue };
        let before = explored.program.before_step(*layer, step.rule, states)?;
        let source = DraftId { rank, point: DagPoint::Location(step.from), ..id };
        let edge = (DraftAction::Execute(step.edge), Some(id));
        construction.link(explored, part, source, before, edge)?;
    }
    Ok(())
}

/// Links calls that return to a node at a location: the call is earlier by the length of the
/// summary and one.
pub(super) fn over_calls(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    (part, id): (usize, DraftId),
    location: LocationId,
) -> Bounded<()> {
    for call in explored.calls_back_to(location) {
        let layers = construction.layers(explored, part, id, call.step.from)?;
        let summaries = construction.summaries(explored, call.callee)?;
        let longest = construction.draft.parts[part].longest_callee();
        for (&rank, &layer) in layers.range(..id.rank.saturating_sub(1)) {
            let length = id.rank - 1 - rank;
            if let Some(summary) = summaries.get(&length).filter(|_| length < longest) {
                let summary = (length, *summary);
                construction.link_return(explored, (part, id), call, (rank, layer), summary)?;
            }
        }
    }
    Ok(())
}

/// Links the calls that enter the frame of a node of the main part, if the node is at the frame's
/// entry.
pub(super) fn over_entries(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    id: DraftId,
    location: LocationId,
) -> Bounded<()> {
    let search = explored.search;
    if search.ranked.frame(id.frame).entry != symbol(location) {
        return Ok(());
    }
    let states = construction.draft.states(0, id);
    let entered = explored.program.forget_entry(states)?;
    for caller in &search.ranked.frame(id.frame).callers {
        let Some(step) = explored.step(caller.rule) else { continue };
        for (rank, entries) in explored.entries(caller.node.frame) {
            if rank >= id.entered {
                continue;
            }
            let Some(since) = caller.layer.rank.checked_sub(rank) else { continue };
            let layer = explored.program.domain.kernel.and(caller.layer.gained, entries)?;
            let before = explored.program.before_entry(layer, caller.rule, entered)?;
            if before.is_false() {
                continue;
            }
            let source = DraftId {
                entered: rank,
                rank: since,
                frame: caller.node.frame,
                point: DagPoint::Location(step.from),
            };
            let call = (step, source, before);
            construction.link_call(explored, 0, call, DraftAction::Enter, id)?;
        }
    }
    Ok(())
}
