//! The options of a search in the order of lengths, before it starts.

use super::frame::{
    Caller, FrameMove, FramePosition, Layer, PendingCall, RankedFrame, RequiredMove, SearchGoal,
    SearchNode,
};
use super::remaining::Remaining;
use super::{EntrySets, RankedPostStar};
use crate::pds::system::{Pds, Right, Rule, RuleId, StackSymbol};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The direction in which a search looks first.
enum Heading {
    /// It looks wherever the shortest runs lead.
    Nowhere,
    /// It looks where a target is near.
    Targets,
    /// It looks where one of these symbols is near.
    Symbols(Vec<StackSymbol>),
}

/// The calls that are pending below the first frame.
struct Below<W> {
    /// By frame, from number 1 on: a symbol of its procedure.
    frames: Vec<StackSymbol>,
    calls: Vec<PendingCall<W>>,
    /// A weight that meets every entry.
    any: W,
}

/// A search that has not started; [`Self::start`] starts it.
pub struct RankedPostStarBuilder<W> {
    entry: StackSymbol,
    weight: W,
    goal: SearchGoal,
    at_most: u64,
    priority: Vec<u32>,
    required: Option<RequiredMove<W>>,
    is_greedy: bool,
    heading: Heading,
    below: Option<Below<W>>,
}

impl<W: Clone> RankedPostStarBuilder<W> {
    /// A search from one frame at `entry`, at rank 0.
    pub fn new(entry: StackSymbol, weight: W, goal: SearchGoal) -> RankedPostStarBuilder<W> {
        RankedPostStarBuilder {
            entry,
            weight,
            goal,
            at_most: u64::MAX,
            priority: Vec::new(),
            required: None,
            is_greedy: false,
            heading: Heading::Nowhere,
            below: None,
        }
    }

    /// Limits the length of runs. Default: there is no limit.
    pub fn at_most(mut self, length: u64) -> Self {
        self.at_most = length;
        self
    }

    /// The order among equal ranks, as in [`PostStar`](crate::pds::PostStar). Default: the oldest
    /// first.
    pub fn priority(mut self, priority: Vec<u32>) -> Self {
        self.priority = priority;
        self
    }

    /// Looks first where a target is near. For searches that ask only for the first target.
    pub fn toward_targets(mut self) -> Self {
        self.heading = Heading::Targets;
        self
    }

    /// Looks first where one of these symbols is near. The search does not end there.
    /// [`RankedPostStar::latest`] gives what the last step settled.
    pub fn toward(mut self, symbols: &[StackSymbol]) -> Self {
        self.heading = Heading::Symbols(symbols.to_vec());
        self
    }

    /// Ignores lengths: the search goes where a target is near, however long the run is.
    pub fn greedy(mut self) -> Self {
        self.is_greedy = true;
        self
    }

    /// Requires runs to make this move, in addition to the goal's rules.
    pub fn require(mut self, required: RequiredMove<W>) -> Self {
        self.required = Some(required);
        self
    }

    /// Adds calls that are pending below the first frame. `frames`: for each of the frames 1, 2, …
    /// a symbol of its procedure. `any`: a weight that meets every entry.
    pub fn below(mut self, frames: &[StackSymbol], calls: Vec<PendingCall<W>>, any: W) -> Self {
        self.below = Some(Below { frames: frames.to_vec(), calls, any });
        self
    }

    /// Starts the search.
    pub fn start<D: EntrySets<Weight = W>>(
        self,
        pds: &Pds,
        domain: &mut D,
    ) -> Bounded<RankedPostStar<D>> {
        let mut search = RankedPostStar {
            goal: self.goal,
            at_most: self.at_most,
            priority: self.priority,
            required: None,
            greedy: self.is_greedy,
            remaining: None,
            frames: vec![RankedFrame::new(self.entry, 0, None, domain.zero())],
            frame_index: FxHashMap::default(),
            items: Vec::new(),
            index: FxHashMap::default(),
            waiting: BTreeMap::new(),
            moment: 0,
            rank: 0,
            latest: None,
            found: None,
            cut: false,
        };
        // The start is offered before the search knows what remains. It is taken out first in any
        // case.
        let start = SearchNode { frame: 0, position: FramePosition::Start, passed: 0 };
        search.offer(domain, start, self.entry, 0, self.weight)?;
        if let Some(below) = self.below {
            pending(pds, below, &mut search.frames);
        }
        let targets = match self.heading {
            Heading::Nowhere => None,
            Heading::Targets => Some(targets(&search.goal)),
            Heading::Symbols(symbols) => Some(symbols),
        };
        let ones = vec![1; search.goal.cost.len()];
        let cost = if self.is_greedy { &ones } else { &search.goal.cost };
        search.remaining =
            targets.map(|targets| remaining(pds, cost, &targets, self.required.as_ref()));
        if self.is_greedy {
            search.goal.cost.fill(0);
        }
        search.required = self.required.map(|required| {
            let bit = 1 << search.goal.all.count_ones();
            search.goal.all |= bit;
            (required, bit)
        });
        Ok(search)
    }
}

/// Adds the frames below the first one, and the calls that are pending there.
fn pending<W: Clone>(pds: &Pds, below: Below<W>, frames: &mut Vec<RankedFrame<W>>) {
    let any = below.any;
    for symbol in below.frames {
        frames.push(RankedFrame::new(symbol, 0, None, any.clone()));
    }
    for PendingCall { callee, rule, caller, weight } in below.calls {
        let Rule { symbol, right: Right::Push(_, below), .. } = pds.rule(rule) else { continue };
        let frame = &mut frames[callee as usize];
        if frame.entries.is_empty() {
            frame.known = any.clone();
            frame.entries.push((0, any.clone()));
        }
        frame.callers_into.entry(0).or_default().push(frame.callers.len() as u32);
        let node = SearchNode { frame: caller, position: FramePosition::At(symbol), passed: 0 };
        let layer = Layer { rank: 0, moment: 0, gained: weight };
        frame.callers.push(Caller { node, rule, below, layer });
    }
}

fn targets(goal: &SearchGoal) -> Vec<StackSymbol> {
    let targets = (0..).zip(&goal.is_target).filter(|(_, is_target)| **is_target);
    targets.map(|(number, _)| StackSymbol(number)).collect()
}

/// What remains until everything is passed, and what remains after that.
fn remaining<W>(
    pds: &Pds,
    cost: &[u64],
    targets: &[StackSymbol],
    required: Option<&RequiredMove<W>>,
) -> [Remaining; 2] {
    let targets: Vec<(StackSymbol, u64)> = targets.iter().map(|symbol| (*symbol, 0)).collect();
    let behind = Remaining::toward(pds, cost, &targets);
    let Some(required) = required else { return [behind.clone(), behind] };
    let over = |rule: RuleId, further: Option<u64>| {
        further.map(|further| (pds.rule(rule).symbol, cost[rule].saturating_add(further)))
    };
    let step = match required.step {
        FrameMove::Within(from, to) => behind.at(to).map(|further| (from, further)),
        FrameMove::Back(rule) => match pds.rule(rule).right {
            Right::Push(_, below) => behind.at(below).map(|further| (below, further)),
            _ => None,
        },
        FrameMove::Over(rule) => match pds.rule(rule).right {
            Right::Push(top, _) | Right::Step(top) => over(rule, behind.at(top)),
            Right::Pop => over(rule, behind.left(pds.rule(rule).symbol)),
        },
    };
    [Remaining::toward(pds, cost, step.as_slice()), behind]
}
