//! Makes the nodes and edges of a draft: a call over its pivot, and the body of a callee that
//! returns.

use super::draft::{Draft, DraftAction, DraftId, Goal};
use super::layers::{Call, Explored, LayerCache, Layers, Step};
use crate::analysis::cegar::dag::DagPoint;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, symbol};
use crate::lang::model::LocationId;
use crate::pds::FramePosition;
use crate::util::Bounded;

/// A draft, and the layers that were read for it.
pub(super) struct Construction {
    pub(super) draft: Draft,
    layers: LayerCache,
}

impl Construction {
    /// An empty draft.
    pub(super) fn new() -> Construction {
        Construction { draft: Draft::new(), layers: LayerCache::default() }
    }

    /// The layers of a location in the frame of a node.
    pub(super) fn layers(
        &mut self,
        explored: &mut Explored<'_>,
        part: usize,
        of: DraftId,
        location: LocationId,
    ) -> Bounded<Layers> {
        let point = FramePosition::At(symbol(location));
        match self.draft.parts[part].goal {
            None => self.layers.of_entry(explored, (of.frame, of.entered), point),
            Some(_) => self.layers.of_all_entries(explored, of.frame, point),
        }
    }

    /// The summaries of a frame, by length.
    pub(super) fn summaries(&mut self, explored: &mut Explored<'_>, frame: u32) -> Bounded<Layers> {
        self.layers.summaries(explored, frame)
    }

    /// Adds an edge from these states, if there are any, to a node that is there.
    pub(super) fn link(
        &mut self,
        explored: &mut Explored<'_>,
        part: usize,
        from: DraftId,
        states: Bdd,
        edge: (DraftAction, Option<DraftId>),
    ) -> Bounded<()> {
        self.draft.link(&mut explored.program.domain.kernel, part, from, states, edge)
    }

    /// Adds the two edges of a call: from the states `before` at `source`, over the pivot, by
    /// `action` to `to`.
    pub(super) fn link_call(
        &mut self,
        explored: &mut Explored<'_>,
        part: usize,
        (call, source, before): (Step, DraftId, Bdd),
        action: DraftAction,
        to: DraftId,
    ) -> Bounded<()> {
        let pivot = DraftId { point: DagPoint::Pivot(call.edge), ..source };
        let pushed = explored.program.pushed(before, call.rule)?;
        self.link(explored, part, pivot, pushed, (action, Some(to)))?;
        self.link(explored, part, source, before, (DraftAction::Push(call.edge), Some(pivot)))
    }

    /// Links a call that returns to the node `to`: from a layer of its location, given with its
    /// rank, by a summary, given with its length.
    pub(super) fn link_return(
        &mut self,
        explored: &mut Explored<'_>,
        (part, to): (usize, DraftId),
        Call { step, callee }: Call,
        (rank, layer): (u64, Bdd),
        (length, summary): (u64, Bdd),
    ) -> Bounded<()> {
        let states = self.draft.states(part, to);
        let (before, needed) = explored.program.before_call(layer, step.rule, summary, states)?;
        if before.is_false() {
            return Ok(());
        }
        let body = self.body(explored, Goal { frame: callee, needed, length })?;
        let source = DraftId { rank, point: DagPoint::Location(step.from), ..to };
        self.link_call(explored, part, (step, source, before), DraftAction::Return(body), to)
    }

    /// The body for what is needed of a callee's summaries; makes its bottom and the edges into it
    /// the first time.
    pub(super) fn body(&mut self, explored: &mut Explored<'_>, goal: Goal) -> Bounded<usize> {
        if let Some(known) = self.draft.body(goal) {
            return Ok(known);
        }
        let Goal { frame, needed, length } = goal;
        let procedure =
            explored.program.procedure_entered(explored.search.ranked.frame(frame).entry);
        let exit = explored.program.program.procedure(procedure).exit;
        let bottom = DraftId { entered: 0, rank: length, frame, point: DagPoint::Returned };
        let states = explored.program.forget_entry(needed)?;
        let part = self.draft.add_body(goal, bottom, states);
        let layers = self.layers(explored, part, bottom, exit)?;
        let Some(last) = length.checked_sub(1) else { return Ok(part) };
        let Some(layer) = layers.get(&last) else { return Ok(part) };
        for rule in explored.program.system.pds.from_head(CONTROL, symbol(exit)).to_vec() {
            let before = explored.program.before_step(*layer, rule, needed)?;
            let source = DraftId { rank: last, point: DagPoint::Location(exit), ..bottom };
            self.link(explored, part, source, before, (DraftAction::Pop, Some(bottom)))?;
        }
        Ok(part)
    }
}

impl_roots!(Construction { draft, layers });
