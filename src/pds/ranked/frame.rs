//! The data of a search in the order of lengths ([`super::RankedPostStar`]): lengths and goals, and
//! for each frame its layers, summaries and callers.

use crate::bdd::{Roots, impl_roots};
use crate::pds::system::{RuleId, StackSymbol};
use rustc_hash::FxHashMap;

/// What a search counts and what it looks for, by rule id.
#[derive(Clone, Debug, Default)]
pub struct SearchGoal {
    /// The length of the rule.
    pub cost: Vec<u64>,
    /// The statements of the set that the rule executes, as bits.
    pub passes: Vec<u32>,
    /// All statements of the set. A run must have passed them.
    pub all: u32,
    /// By symbol: does the search end if it is on top and everything was passed?
    pub is_target: Vec<bool>,
}

/// A position in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FramePosition {
    /// The frame was just entered.
    Start,
    /// This symbol is on top.
    At(StackSymbol),
    /// The frame was left.
    End,
}

/// A node of the search: the position of a run, and the statements that it has passed. The search
/// keeps layers for each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchNode {
    /// The index of the frame.
    pub frame: u32,
    /// The position in the frame.
    pub position: FramePosition,
    /// The statements that were passed since the run began.
    pub passed: u32,
}

/// A part of a weight with its rank.
#[derive(Clone, Debug)]
pub struct Layer<W> {
    /// The length of a shortest run that has this part.
    pub rank: u64,
    /// The number of the layer in the whole search. A layer is derived only from layers with
    /// smaller numbers.
    pub moment: u64,
    /// The part that is new.
    pub gained: W,
}

/// A part of a callee's summary with its length.
#[derive(Clone, Debug)]
pub struct Summary<W> {
    /// What the run had passed when the callee ended.
    pub passed: u32,
    /// The length from the entry to the end.
    pub length: u64,
    /// The rank of the entry.
    pub entered: u64,
    /// The moment of the layer at the end.
    pub moment: u64,
    /// The relation of entries to ends.
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
    /// The symbol at which they start.
    pub entry: StackSymbol,
    /// What was passed before.
    pub passed: u32,
    /// The summaries of those that returned.
    pub summaries: Vec<Summary<W>>,
    /// Their callers.
    pub callers: Vec<Caller<W>>,
    pub(super) via: Option<RuleId>,
    /// The entries by rank.
    pub(super) entries: Vec<(u64, W)>,
    /// All entries.
    pub(super) known: W,
    /// By rank of entries: the summaries, and the callers that enter by some of these entries.
    pub(super) summaries_from: FxHashMap<u64, Vec<u32>>,
    pub(super) callers_into: FxHashMap<u64, Vec<u32>>,
    /// Callers, each with its entries that have no rank yet.
    pub(super) unranked: Vec<(u32, W)>,
}

impl<W> RankedFrame<W> {
    /// The entries by rank, in the order in which they were found. The first frame has rank 0 and
    /// no entries here.
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
    /// A rule. For a push rule: the move into the callee.
    Over(RuleId),
    /// For a push rule: the move from the callee's end to the symbol below.
    Back(RuleId),
    /// From one symbol to another one inside a frame. The caller that steps the search reports this
    /// move with [`super::RankedPostStar::passes`].
    Within(StackSymbol, StackSymbol),
}

/// A move that a run must make, with conditions on the weight before and behind it.
/// ([`SearchGoal::passes`] is about whole rules.)
#[derive(Clone, Debug)]
pub struct RequiredMove<W> {
    /// The move.
    pub step: FrameMove,
    /// What the weight must meet before the move ([`super::EntrySets::meet`]). For the return from
    /// a callee this is the callee's weight at its end.
    pub before: W,
    /// What the weight must meet behind the move. For the move into a callee this is the callee's
    /// start.
    pub after: W,
}

/// A call that is pending when a search begins. Frames are given by number.
#[derive(Clone, Debug)]
pub struct PendingCall<W> {
    /// The frame that is called.
    pub callee: u32,
    /// The push rule.
    pub rule: RuleId,
    /// The frame that called.
    pub caller: u32,
    /// The caller's weight at the call.
    pub weight: W,
}

impl_roots!([W: Roots] Layer<W> { gained });
impl_roots!([W: Roots] Summary<W> { weight });
impl_roots!([W: Roots] Caller<W> { layer });
impl_roots!([W: Roots] RankedFrame<W> { summaries, callers, entries, known, unranked });
impl_roots!([W: Roots] RequiredMove<W> { before, after });
