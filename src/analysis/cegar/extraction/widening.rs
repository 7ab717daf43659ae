//! Widens the joins of a node: links every abstract transition along the control flow that leads
//! into it, whatever its length.
//!
//! Several branches lead to a join. The ranks of a breadth-first search keep only those of the
//! shortest one.

use super::construction::{Call, Construction};
use super::draft::{DraftAction, DraftId, Goal};
use super::layers::Explored;
use crate::analysis::cegar::dag::DagPoint;
use crate::encode::{CONTROL, RuleRole, symbol};
use crate::lang::model::LocationId;
use crate::pds::Right;
use crate::util::Bounded;

/// Links steps from layers of at least the node's own rank.
pub(super) fn over_steps(
    construction: &mut Construction,
    explored: &mut Explored<'_>,
    (part, id): (usize, DraftId),
    location: LocationId,
) -> Bounded<()> {
    let states = construction.draft.states(part, id);
    for rule in explored.program.system.pds.to_head(CONTROL, symbol(location)).to_vec() {
        let (RuleRole::Execute(edge), Right::Step(_)) =
            (explored.program.system.role(rule), explored.program.system.pds.rule(rule).right)
        else {
            continue;
        };
        let from = explored.program.program.edge(edge).from;
        if !is_forward(explored, from, location) {
            continue;
        }
        let layers = construction.layers(explored, part, id, from)?;
        for (&rank, &layer) in layers.range(id.rank..) {
            let before = explored.program.before_step(layer, rule, states)?;
            let source = DraftId { rank, point: DagPoint::Location(from), ..id };
            let edge = (DraftAction::Execute(edge), Some(id));
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
    let states = construction.draft.states(part, id);
    for rule in explored.program.system.pds.with_below(symbol(location)).to_vec() {
        let (RuleRole::Execute(edge), Right::Push(top, _)) =
            (explored.program.system.role(rule), explored.program.system.pds.rule(rule).right)
        else {
            continue;
        };
        let from = explored.program.program.edge(edge).from;
        let Some(callee) = explored.search.ranked.frame_of(top, 0) else { continue };
        if !is_forward(explored, from, location) {
            continue;
        }
        let layers = construction.layers(explored, part, id, from)?;
        let summaries = construction.summaries(explored, callee)?;
        let longest = construction.draft.parts[part].longest_callee();
        for (&rank, &layer) in layers.iter() {
            for (&length, &summary) in summaries.range(..longest) {
                if rank + 1 + length <= id.rank {
                    continue;
                }
                let (before, needed) =
                    explored.program.before_call(layer, rule, summary, states)?;
                if before.is_false() {
                    continue;
                }
                let body = construction.body(explored, Goal { frame: callee, needed, length })?;
                let source = DraftId { rank, point: DagPoint::Location(from), ..id };
                let call = (Call { rule, edge }, source, before);
                construction.link_call(explored, part, call, DraftAction::Return(body), id)?;
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
