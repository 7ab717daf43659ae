//! The DAG under construction: nodes and edges between layers of the search, before merging.
//!
//! Invariant: every part is acyclic. While layers are linked by rank, every edge leads to a node
//! with a higher rank or to another frame that is entered later. While joins are widened,
//! [`Draft::link`] refuses an edge that would close a cycle.

use crate::analysis::cegar::dag::DagPoint;
use crate::bdd::{Bdd, Manager, impl_roots};
use crate::lang::model::EdgeId;
use crate::util::{Bounded, Limit};
use std::collections::{BTreeMap, BTreeSet};

/// Most nodes of a draft; more is [`Limit::Nodes`].
const MOST_NODES: usize = 50_000;

/// While joins are widened, a draft may become this many times as large.
const WIDER: usize = 4;

/// Names a node of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DraftId {
    /// Main part: the rank at which the frame can first be entered. Bodies: 0.
    pub(super) entered: u64,
    /// The rank of the layer, counted from the entry of the frame.
    pub(super) rank: u64,
    /// The frame of the search.
    pub(super) frame: u32,
    /// The point of the program.
    pub(super) point: DagPoint,
}

/// A node: the part of its layer that lies on error paths, and its edges.
#[derive(Clone, Debug)]
pub(super) struct DraftNode {
    /// The abstract states on error paths: entry bits and bits now. Of a pivot, its bits (now).
    pub(super) states: Bdd,
    /// The edges; a target of `None` is the bottom of the main part.
    pub(super) outgoing: BTreeSet<(DraftAction, Option<DraftId>)>,
}

/// An [`Action`](crate::analysis::cegar::dag::Action) before instances are numbered: a return names
/// the part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DraftAction {
    Execute(EdgeId),
    Fail(EdgeId, usize),
    Push(EdgeId),
    Enter,
    Return(usize),
    Pop,
}

/// The summaries that a body is for: those of one frame and one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) frame: u32,
    /// The summaries that some call needs.
    pub(super) needed: Bdd,
    pub(super) length: u64,
}

/// The main part (which has no goal), or a body.
#[derive(Clone, Debug)]
pub(super) struct DraftPart {
    pub(super) goal: Option<Goal>,
    pub(super) nodes: BTreeMap<DraftId, DraftNode>,
    /// Nodes whose predecessors are still to be found.
    waiting: BTreeSet<DraftId>,
}

impl DraftPart {
    fn new(goal: Option<Goal>) -> DraftPart {
        DraftPart { goal, nodes: BTreeMap::new(), waiting: BTreeSet::new() }
    }

    /// Summaries of callees must be shorter than this.
    pub(super) fn longest_callee(&self) -> u64 {
        self.goal.map_or(u64::MAX, |goal| goal.length)
    }

    /// Is there a way from one node to another?
    fn reaches(&self, from: DraftId, to: DraftId) -> bool {
        let (mut seen, mut pending) = (BTreeSet::from([from]), vec![from]);
        while let Some(id) = pending.pop() {
            if id == to {
                return true;
            }
            let next = self
                .nodes
                .get(&id)
                .into_iter()
                .flat_map(|node| &node.outgoing)
                .filter_map(|(_, to)| *to);
            pending.extend(next.filter(|id| seen.insert(*id)));
        }
        false
    }
}

/// Nodes whose joins are still to be widened.
#[derive(Clone, Debug)]
struct Widening {
    waiting: BTreeSet<(usize, DraftId)>,
    most_nodes: usize,
}

/// All parts of a DAG under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The main part, then the bodies in the order in which calls needed them.
    pub(super) parts: Vec<DraftPart>,
    /// By frame and needed summaries: the part of the body.
    bodies: BTreeMap<(u32, Bdd), usize>,
    nodes: usize,
    /// Set once all nodes are linked by rank.
    widening: Option<Widening>,
}

impl Draft {
    /// An empty main part.
    pub(super) fn new() -> Draft {
        let parts = vec![DraftPart::new(None)];
        Draft { parts, bodies: BTreeMap::new(), nodes: 0, widening: None }
    }

    /// The abstract states of a node that is there.
    pub(super) fn states(&self, part: usize, id: DraftId) -> Bdd {
        self.parts[part].nodes[&id].states
    }

    /// The body for what is needed of a frame's summaries, if there is one already.
    pub(super) fn body(&self, goal: Goal) -> Option<usize> {
        self.bodies.get(&(goal.frame, goal.needed)).copied()
    }

    /// Adds a body with its bottom, whose abstract states are `states`.
    pub(super) fn add_body(&mut self, goal: Goal, bottom: DraftId, states: Bdd) -> usize {
        let part = self.parts.len();
        self.bodies.insert((goal.frame, goal.needed), part);
        let mut body = DraftPart::new(Some(goal));
        body.nodes.insert(bottom, DraftNode { states, outgoing: BTreeSet::new() });
        self.parts.push(body);
        part
    }

    /// Adds an edge from these states, if there are any, to a node that is there. While joins are
    /// widened, an edge that would close a cycle is left out.
    pub(super) fn link(
        &mut self,
        kernel: &mut Manager,
        part: usize,
        from: DraftId,
        states: Bdd,
        (action, to): (DraftAction, Option<DraftId>),
    ) -> Bounded<()> {
        if states.is_false() {
            return Ok(());
        }
        let here = &mut self.parts[part];
        let known = here.nodes.get(&from);
        if self.widening.is_some() {
            let is_new = known.is_none_or(|known| !known.outgoing.contains(&(action, to)));
            let closes = |to: DraftId| known.is_some() && here.reaches(to, from);
            if is_new && to.is_some_and(closes) {
                return Ok(());
            }
        }
        if known.is_none() {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                return Err(Limit::Nodes);
            }
        }
        let node = here
            .nodes
            .entry(from)
            .or_insert(DraftNode { states: Bdd::FALSE, outgoing: BTreeSet::new() });
        let all = kernel.or(node.states, states)?;
        let grew = node.outgoing.insert((action, to)) || all != node.states;
        node.states = all;
        if grew && matches!(from.point, DagPoint::Location(_)) {
            here.waiting.insert(from);
            if let Some(widening) = &mut self.widening {
                widening.waiting.insert((part, from));
            }
        }
        Ok(())
    }

    /// The next node whose predecessors are to be found: the greatest of the first part that has
    /// one.
    pub(super) fn next_to_link(&mut self) -> Option<(usize, DraftId)> {
        let part = self.parts.iter().position(|part| !part.waiting.is_empty())?;
        Some((part, self.parts[part].waiting.pop_last()?))
    }

    /// Begins to widen joins, unless that has begun. Returns whether it began now.
    pub(super) fn begin_widening(&mut self) -> bool {
        if self.widening.is_some() {
            return false;
        }
        let ids = |(part, draft): (usize, &DraftPart)| {
            draft.nodes.keys().map(move |id| (part, *id)).collect::<Vec<_>>()
        };
        let waiting = self.parts.iter().enumerate().flat_map(ids).collect();
        self.widening = Some(Widening { waiting, most_nodes: WIDER * self.nodes + WIDER });
        true
    }

    /// The next node whose joins are to be widened; `None` if there is none left, or if the draft
    /// has grown too much.
    pub(super) fn next_to_widen(&mut self) -> Option<(usize, DraftId)> {
        let widening = self.widening.as_mut()?;
        if self.nodes > widening.most_nodes {
            return None;
        }
        widening.waiting.pop_last()
    }
}

impl_roots!(Draft { parts });
impl_roots!(DraftPart { goal, nodes });
impl_roots!(DraftNode { states });
impl_roots!(Goal { needed });
