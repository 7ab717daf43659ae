//! post\* in the order of lengths: every part of every weight appears at the length of a shortest
//! run that has it.
//!
//! Source: Knuth 1977 ("A generalization of Dijkstra's algorithm") on the rules of post\* (Schwoon
//! 2002, Alg. 2).
//!
//! | notation | here |
//! | --- | --- |
//! | ⟨e, v⟩ | the frame was entered with e and has v now |
//! | rank of ⟨e, v⟩ | the least length of a run to any frame with entry e, and on from there to v |
//! | layer | a rank, and the part of a weight that is new at this rank |
//!
//! The search takes waiting parts in the order of ranks, and propagates only what is new. So:
//!
//! - An entry of a callee gets a rank when it is first seen: the caller's rank at the call plus the
//!   call's cost.
//! - A summary ⟨e, x⟩ that ends at rank g has the length g − (rank of e). The entries are kept by
//!   rank for that.
//! - The return site gets the caller's rank at the call, plus the call's cost, plus that length.
//!   The rank of e is at most its rank at this call, so the result is never below g. So no part
//!   comes too late, the first error that is taken out is a shortest one, and the search looks at
//!   no part that is further from the start than this error.
//!
//! **Through given statements** (Lal, Kidd, Reps, Touili 2007, Def. 9, for the language "all of
//! these in any order"): a search node has the set of the statements that were passed. A frame
//! knows this set at its entry and now. A part of a weight is dropped if another node that passed
//! more statements has it at no greater length.
//!
//! **Toward targets** (A\*: Hart, Nilsson, Raphael 1968): if only the first target is wanted, the
//! search takes waiting parts in the order of their rank plus the least remaining length
//! ([`Remaining`]). It drops parts that lead to no target. A rule reduces the remaining length by
//! at most its own length. So each node still sees its ranks in order.
//!
//! **Greedy** ([`RankedPostStarBuilder::greedy`]): if it only matters whether a target is reached,
//! all lengths are 0 and the search takes waiting parts in the order of the remaining length. There
//! is one rank, and one layer for all parts that arrive together.
//!
//! The search can require a run to make one more move ([`RankedPostStarBuilder::require`]), and it
//! can begin with calls that are pending below its first frame ([`RankedPostStarBuilder::below`]).

mod builder;
mod calls;
mod entry_sets;
mod frame;
mod remaining;

pub use builder::RankedPostStarBuilder;
pub use entry_sets::EntrySets;
pub use frame::{
    Caller, FrameMove, FramePosition, Layer, PendingCall, RankedFrame, RequiredMove, SearchGoal,
    SearchNode, Summary,
};

use super::system::{ControlLocation, Pds, StackSymbol};
use super::weights::Weights;
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;
use remaining::Remaining;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

struct Item<W> {
    node: SearchNode,
    priority: u32,
    settled: W,
    layers: Vec<Layer<W>>,
}

/// A waiting part, in the order in which the parts are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    /// The rank plus the least remaining length: the length of the shortest run that can come of
    /// it.
    length: u64,
    rank: u64,
    priority: u32,
    item: u32,
}

/// A search in progress; for systems with one control location.
pub struct RankedPostStar<D: Weights> {
    goal: SearchGoal,
    at_most: u64,
    priority: Vec<u32>,
    /// The move that a run must also make, with its bit.
    required: Option<(RequiredMove<D::Weight>, u32)>,
    greedy: bool,
    /// The remaining lengths until everything is passed, and those after that.
    remaining: Option<[Remaining; 2]>,
    frames: Vec<RankedFrame<D::Weight>>,
    frame_index: FxHashMap<(StackSymbol, u32), u32>,
    items: Vec<Item<D::Weight>>,
    index: FxHashMap<SearchNode, u32>,
    /// The parts that arrived and were not looked at yet.
    waiting: BTreeMap<Slot, D::Weight>,
    moment: u64,
    rank: u64,
    /// The node that the last step settled.
    latest: Option<u32>,
    found: Option<SearchNode>,
    cut: bool,
}

/// The only control location.
const P: ControlLocation = ControlLocation(0);

impl<D: EntrySets> RankedPostStar<D> {
    /// Notes that a way inside a frame is passed. A part of what was settled last leads to these
    /// weights at the end of the way.
    pub fn passes(&mut self, domain: &mut D, weight: D::Weight) -> Bounded<()> {
        let Some((RequiredMove { step: FrameMove::Within(_, to), .. }, bit)) = &self.required
        else {
            return Ok(());
        };
        let (to, bit) = (*to, *bit);
        let Some((node, rank)) = self.latest().map(|(node, layer)| (node, layer.rank)) else {
            return Ok(());
        };
        self.offer(
            domain,
            SearchNode { position: FramePosition::At(to), passed: node.passed | bit, ..node },
            to,
            rank,
            weight,
        )
    }

    /// A target with everything passed, once one was found. Its last layer is the shortest.
    pub fn found(&self) -> Option<SearchNode> {
        self.found
    }

    /// Is the search over, because it found a target or nothing is left?
    pub fn is_done(&self) -> bool {
        self.found.is_some() || self.waiting.is_empty()
    }

    /// Was some part left out because its run may be longer than `at_most`?
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// The search has looked at every run to a target that is shorter than this. In a greedy search
    /// the number means nothing.
    pub fn rank(&self) -> u64 {
        self.rank
    }

    /// What the search counts and what it looks for.
    pub fn goal(&self) -> &SearchGoal {
        &self.goal
    }

    /// The rank of the part that is taken out next.
    pub fn next_rank(&self) -> Option<u64> {
        self.waiting.first_key_value().map(|(slot, _)| slot.rank)
    }

    /// How many frames there are so far.
    pub fn frames(&self) -> u32 {
        self.frames.len() as u32
    }

    /// A frame by its number; 0 is the first.
    pub fn frame(&self, frame: u32) -> &RankedFrame<D::Weight> {
        &self.frames[frame as usize]
    }

    /// The number of the frames entered at this symbol with these statements passed.
    pub fn frame_of(&self, entry: StackSymbol, passed: u32) -> Option<u32> {
        self.frame_index.get(&(entry, passed)).copied()
    }

    /// The layers of a node, oldest and shortest first.
    pub fn layers(&self, node: SearchNode) -> &[Layer<D::Weight>] {
        self.index.get(&node).map_or(&[], |id| &self.items[*id as usize].layers)
    }

    /// The layer that the last step settled, if it was new.
    pub fn latest(&self) -> Option<(SearchNode, &Layer<D::Weight>)> {
        let item = &self.items[self.latest? as usize];
        Some((item.node, item.layers.last()?))
    }

    /// The layers of a node at one rank that are older than a moment.
    pub fn layers_at(&self, node: SearchNode, rank: u64, moment: u64) -> &[Layer<D::Weight>] {
        let layers = self.layers(node);
        let begin = layers.partition_point(|layer| layer.rank < rank);
        let end = layers.partition_point(|layer| layer.rank <= rank && layer.moment < moment);
        &layers[begin..end.max(begin)]
    }

    /// Takes out the nearest part. Does nothing once the search is done. After a limit the search
    /// must not be used further.
    pub fn step(&mut self, pds: &Pds, domain: &mut D) -> Bounded<()> {
        if self.found.is_some() {
            return Ok(());
        }
        self.latest = None;
        let Some((Slot { length, rank, item: id, .. }, arrived)) = self.waiting.pop_first() else {
            return Ok(());
        };
        self.rank = length;
        let Some(gained) = self.news(domain, id, arrived)? else { return Ok(()) };
        self.moment += 1;
        let layer = Layer { rank, moment: self.moment, gained };
        let item = &mut self.items[id as usize];
        item.settled = domain.combine(&item.settled, &layer.gained)?;
        item.layers.push(layer.clone());
        self.latest = Some(id);
        let node = item.node;
        match node.position {
            FramePosition::Start => self.begin(domain, node, layer),
            FramePosition::End => self.end(domain, node, &layer),
            FramePosition::At(symbol)
                if node.passed == self.goal.all && self.goal.is_target[symbol] =>
            {
                self.found = Some(node);
                Ok(())
            }
            FramePosition::At(symbol) => self.apply_rules(pds, domain, node, symbol, &layer),
        }
    }

    /// The part that no node had before that passed at least as much.
    fn news(&self, domain: &mut D, id: u32, arrived: D::Weight) -> Bounded<Option<D::Weight>> {
        let node = self.items[id as usize].node;
        let free = self.goal.all & !node.passed;
        let mut rest = arrived;
        let mut more = free;
        loop {
            if let Some(other) = self.index.get(&SearchNode { passed: node.passed | more, ..node })
            {
                rest = domain.beyond(&rest, &self.items[*other as usize].settled)?;
                if domain.is_zero(&rest) {
                    return Ok(None);
                }
            }
            if more == 0 {
                return Ok(Some(rest));
            }
            more = (more - 1) & free;
        }
    }

    /// The least length of a run to a target that continues from a node at this rank. Returns
    /// `None` if there is none.
    fn length(&self, node: SearchNode, rank: u64) -> Option<u64> {
        let Some([before, behind]) = &self.remaining else { return Some(rank) };
        let remaining = if node.passed == self.goal.all { behind } else { before };
        let entry = self.frames[node.frame as usize].entry;
        let further = match node.position {
            FramePosition::Start => remaining.at(entry),
            FramePosition::At(symbol) => remaining.at(symbol),
            FramePosition::End => remaining.left(entry),
        };
        let further = further?;
        Some(if self.greedy { further } else { rank.saturating_add(further) })
    }

    /// `at`: the symbol whose priority the node has.
    fn offer(
        &mut self,
        domain: &mut D,
        node: SearchNode,
        at: StackSymbol,
        rank: u64,
        weight: D::Weight,
    ) -> Bounded<()> {
        if domain.is_zero(&weight) {
            return Ok(());
        }
        let Some(length) = self.length(node, rank) else { return Ok(()) };
        if length > self.at_most {
            self.cut = true;
            return Ok(());
        }
        let id = match self.index.get(&node) {
            Some(id) => *id,
            None => {
                let priority = self.priority.get(at.0 as usize).copied().unwrap_or(0);
                self.items.push(Item {
                    node,
                    priority,
                    settled: domain.zero(),
                    layers: Vec::new(),
                });
                self.index.insert(node, self.items.len() as u32 - 1);
                self.items.len() as u32 - 1
            }
        };
        let slot = Slot { length, rank, priority: self.items[id as usize].priority, item: id };
        let arrived = match self.waiting.get(&slot) {
            Some(before) => domain.combine(before, &weight)?,
            None => weight,
        };
        self.waiting.insert(slot, arrived);
        Ok(())
    }
}

impl_roots!([D: Weights<Weight: Roots>] RankedPostStar<D> { items, frames, waiting, required });
impl_roots!([W: Roots] Item<W> { settled, layers });
