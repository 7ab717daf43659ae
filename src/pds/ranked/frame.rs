//! What a search in the order of lengths ([`super::RankedPostStar`]) counts, and what it keeps:
//! layers, summaries, callers, by frame.

use crate::bdd::{Roots, impl_roots};
use crate::pds::system::{RuleId, StackSymbol};
use rustc_hash::FxHashMap;

/// What a search counts and looks for, by rule id.
#[derive(Clone, Debug, Default)]
pub struct SearchGoal {
    /// Length of the rule.
    pub cost: Vec<u64>,
    /// The statements of the set that the rule executes, as bits.
    pub passes: Vec<u32>,
    /// All statements of the set: what a run must have passed.
    pub all: u32,
    /// By symbol: with it on top and everything passed, the search ends.
    pub is_target: Vec<bool>,
}

/// Where in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FramePosition {
    /// Just entered.
    Start,
    /// This symbol on top.
    At(StackSymbol),
    /// Left.
    End,
}

/// A node of the search: where a run is, and what it has passed. The search keeps layers for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchNode {
    /// Index into the frames.
    pub frame: u32,
    /// Where.
    pub position: FramePosition,
    /// What was passed since the run began.
    pub passed: u32,
}

/// A part of a weight with its rank.
#[derive(Clone, Debug)]
pub struct Layer<W> {
    /// Length of a shortest run that has it.
    pub rank: u64,
    /// Counts layers through the whole search; whatever a layer was derived from has earlier
    /// moments.
    pub moment: u64,
    /// What is new.
    pub gained: W,
}

/// A part of a callee's summary with its length.
#[derive(Clone, Debug)]
pub struct Summary<W> {
    /// What was passed when it ended, since the run began.
    pub passed: u32,
    /// From the entry to the end.
    pub length: u64,
    /// Where the entry is ranked.
    pub entered: u64,
    /// Of the layer at the end.
    pub moment: u64,
    /// Entries and ends.
    pub weight: W,
}

/// A caller's layer at a call.
#[derive(Clone, Debug)]
pub struct Caller<W> {
    /// The caller.
    pub node: SearchNode,
    /// The call.
    pub rule: RuleId,
    /// Its return site.
    pub below: StackSymbol,
    /// The layer.
    pub layer: Layer<W>,
}

/// All activations of a procedure that were entered with the same statements passed.
#[derive(Clone, Debug)]
pub struct RankedFrame<W> {
    /// Where they start.
    pub entry: StackSymbol,
    /// Passed before.
    pub passed: u32,
    /// What returned from them.
    pub summaries: Vec<Summary<W>>,
    /// Who called them.
    pub callers: Vec<Caller<W>>,
    pub(super) via: Option<RuleId>,
    /// Entries by rank.
    pub(super) entries: Vec<(u64, W)>,
    /// All of them.
    pub(super) known: W,
    /// By the rank of their entries: summaries, and callers that enter by some of those.
    pub(super) summaries_from: FxHashMap<u64, Vec<u32>>,
    pub(super) callers_into: FxHashMap<u64, Vec<u32>>,
    /// Callers with those of their entries that have no rank yet.
    pub(super) unranked: Vec<(u32, W)>,
}

impl<W> RankedFrame<W> {
    /// Its entries by rank, in the order in which they were found. None for the first frame, whose
    /// rank is 0.
    pub fn entries(&self) -> &[(u64, W)] {
        &self.entries
    }

    pub(super) fn new(
        entry: StackSymbol,
        passed: u32,
        via: Option<RuleId>,
        zero: W,
    ) -> RankedFrame<W> {
        RankedFrame {
            entry,
            passed,
            summaries: Vec::new(),
            callers: Vec::new(),
            via,
            entries: Vec::new(),
            known: zero,
            summaries_from: FxHashMap::default(),
            callers_into: FxHashMap::default(),
            unranked: Vec::new(),
        }
    }
}

/// A move inside a frame or between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameMove {
    /// A rule; of a push rule, into the callee.
    Over(RuleId),
    /// Of a push rule: from the callee's end to the symbol below.
    Back(RuleId),
    /// From one symbol to another one inside a frame. The caller that steps the
    /// search reports it: [`super::RankedPostStar::passes`].
    Within(StackSymbol, StackSymbol),
}

/// A move that a run must make, and what its weight must meet before and behind it.
/// ([`SearchGoal::passes`] speaks of whole rules.)
#[derive(Clone, Debug)]
pub struct RequiredMove<W> {
    /// The move.
    pub step: FrameMove,
    /// What the weight must meet before ([`super::EntrySets::meet`]): of a way back, the callee's
    /// at its end.
    pub before: W,
    /// What the weight must meet behind it; of a way into a callee, its start.
    pub after: W,
}

/// A call that is pending when a search begins, by numbers of frames.
#[derive(Clone, Debug)]
pub struct PendingCall<W> {
    /// The frame that is called.
    pub callee: u32,
    /// The push rule.
    pub rule: RuleId,
    /// The frame that called.
    pub caller: u32,
    /// What is known of the caller at the call.
    pub weight: W,
}

impl_roots!([W: Roots] Layer<W> { gained });
impl_roots!([W: Roots] Summary<W> { weight });
impl_roots!([W: Roots] Caller<W> { layer });
impl_roots!([W: Roots] RankedFrame<W> { summaries, callers, entries, known, unranked });
impl_roots!([W: Roots] RequiredMove<W> { before, after });
