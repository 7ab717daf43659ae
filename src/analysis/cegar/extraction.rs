//! The counterexample DAG, read off the breadth-first layers of the abstract program (thesis, 4.2,
//! 5.1).
//!
//! Backward from every failing check, layer by layer: a node is a layer with the abstract states in
//! it from which the bottom is reached, an edge an abstract rule between two of those. Ranks only
//! fall, so that recursion is unrolled as far as some run unrolls it, and everything ends.
//!
//! - Ranks are counted from the entry of the frame. In the *main part* frames are told apart by the
//!   rank at which they can first be entered: a frame enters those that can first be entered later
//!   than itself, wherever it calls them, so that all ways into a failing frame are there at once.
//! - A *body* is made for what a call needs of its callee's summaries (pairs of entry and end of
//!   one length); its ranks are counted from the entry. Calls that need the same share it.
//! - Then *joins* are widened: a place that several branches reach has a shortest one, and
//!   breadth-first ranks leave out the others. Every abstract transition along the control flow
//!   from a layer to a node that is there is added as well, as long as the DAG stays one. A body's
//!   callees stay shorter than itself.
//! - At last nodes of one place with the same future become one, and so do bodies that look alike.

mod merging;

use super::abstract_program::AbstractProgram;
use super::dag::{CounterexampleDag, DagError, DagPoint};
use super::predicates::ProgramPoint;
use super::search::AbstractSearch;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, RuleRole, symbol};
use crate::lang::model::{EdgeId, LocationId, ProcedureId};
use crate::pds::{self, Key, Right, RuleId, StackSymbol};
use crate::util::{Bounded, Limit};
use merging::merge;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most nodes of a DAG before those with the same future are merged; more is [`Limit::Nodes`].
const MOST_NODES: usize = 50_000;

/// Widening joins may make a DAG so many times as large.
const WIDER: usize = 4;

/// By rank.
type Layers = Rc<BTreeMap<u64, Bdd>>;

/// A node before merging. Edges lead to greater ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    /// Main part: the rank at which the frame can first be entered. Bodies: 0.
    entered: u64,
    rank: u64,
    frame: u32,
    point: DagPoint,
}

/// A node's part of its layer, and its edges; a target of `None` is the bottom.
#[derive(Clone, Debug)]
struct Draft {
    /// The abstract states on error paths: entry bits and bits now. Of a pivot, its bits (now).
    states: Bdd,
    outgoing: BTreeSet<(StepKind, Option<Spot>)>,
}

/// As [`Action`], before instances are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StepKind {
    Execute(EdgeId),
    Fail(EdgeId, usize),
    Push(EdgeId),
    Enter,
    Return(usize),
    Pop,
}

/// The main part (no `goal`), or a body.
#[derive(Clone, Debug)]
struct DraftPart {
    /// What is needed of the summaries, of this length, of this frame.
    goal: Option<(u32, Bdd, u64)>,
    nodes: BTreeMap<Spot, Draft>,
    waiting: BTreeSet<Spot>,
}

/// An extraction in progress.
pub struct Extraction {
    parts: Vec<DraftPart>,
    bodies: BTreeMap<(u32, Bdd), usize>,
    /// By frame and the rank at which it can first be entered.
    absolute: BTreeMap<(u32, u64, pds::Point), Layers>,
    /// Of all frames together.
    relative: BTreeMap<(u32, pds::Point), Layers>,
    summaries: BTreeMap<u32, Layers>,
    nodes: usize,
    /// Once ranks are done: nodes whose joins are still to be widened, and how many nodes there may
    /// be.
    joins: Option<(BTreeSet<(usize, Spot)>, usize)>,
}

/// A DAG, with what the abstract program knows at its nodes.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The DAG.
    pub dag: CounterexampleDag,
    /// By node: the abstract bits ([`super::bits::AbstractCopy::Now`]) of the states on error
    /// paths.
    pub states: Vec<Bdd>,
    /// By node: where its predicates are kept.
    pub points: Vec<Option<ProgramPoint>>,
}

impl Extraction {
    /// Starts at every failing check that the search reached.
    pub fn new(program: &mut AbstractProgram, search: &AbstractSearch) -> Bounded<Extraction> {
        let main = DraftPart { goal: None, nodes: BTreeMap::new(), waiting: BTreeSet::new() };
        let mut extraction = Extraction {
            parts: vec![main],
            bodies: BTreeMap::new(),
            absolute: BTreeMap::new(),
            relative: BTreeMap::new(),
            summaries: BTreeMap::new(),
            nodes: 0,
            joins: None,
        };
        let last = search.last_rank();
        let mut failures: Vec<(u32, Spot, Bdd, StepKind)> = Vec::new();
        for site in program.system.errors.clone() {
            let from = program.program.edge(site.edge).from;
            let rules = program.system.pds.to_head(CONTROL, site.symbol).to_vec();
            for frame in 0..search.ranked.frames() {
                for (entered, _) in entries_of(search, frame) {
                    let layers = extraction.layers(
                        program,
                        search,
                        (0, frame, entered),
                        pds::Point::At(symbol(from)),
                    )?;
                    for (&rank, &layer) in layers.range(..=last.saturating_sub(entered)) {
                        for rule in &rules {
                            let failing = program.before_step(layer, *rule, Bdd::TRUE)?;
                            let spot =
                                Spot { entered, rank, frame, point: DagPoint::Location(from) };
                            if !failing.is_false() {
                                failures.push((
                                    depth_of(search, frame),
                                    spot,
                                    failing,
                                    StepKind::Fail(site.edge, site.check),
                                ));
                            }
                        }
                    }
                }
            }
        }
        // Where the search stopped early, few calls on the stack are preferred (thesis, 8.1.2).
        let fewest =
            if last == u64::MAX { None } else { failures.iter().map(|(depth, ..)| *depth).min() };
        for (depth, spot, failing, kind) in failures {
            if fewest.is_none_or(|fewest| depth == fewest) {
                extraction.link(program, 0, spot, failing, kind, None)?;
            }
        }
        Ok(extraction)
    }

    /// Looks at what leads to one node. It is over once this gives true.
    pub fn step(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
    ) -> Bounded<bool> {
        let waiting = self.parts.iter().position(|part| !part.waiting.is_empty());
        let Some((part, spot)) =
            waiting.and_then(|part| Some((part, self.parts[part].waiting.pop_last()?)))
        else {
            return self.widen_next(program, search);
        };
        let DagPoint::Location(location) = spot.point else { return Ok(false) };
        let states = self.parts[part].nodes[&spot].states;
        self.over_steps(program, search, part, spot, location, states)?;
        self.over_calls(program, search, part, spot, location, states)?;
        if part == 0 {
            self.over_entries(program, search, spot, location, states)?;
        }
        Ok(false)
    }

    /// Widens the joins of one node; true once there is none left.
    fn widen_next(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
    ) -> Bounded<bool> {
        let Some((waiting, most)) = &mut self.joins else {
            let spots = |(part, draft): (usize, &DraftPart)| {
                draft.nodes.keys().map(move |spot| (part, *spot)).collect::<Vec<_>>()
            };
            let all = self.parts.iter().enumerate().flat_map(spots).collect();
            self.joins = Some((all, WIDER * self.nodes + WIDER));
            return Ok(false);
        };
        if self.nodes > *most {
            return Ok(true);
        }
        let Some((part, spot)) = waiting.pop_last() else { return Ok(true) };
        let DagPoint::Location(location) = spot.point else { return Ok(false) };
        let states = self.parts[part].nodes[&spot].states;
        let position = |program: &AbstractProgram, location: LocationId| {
            program.system.priority[location.0 as usize]
        };
        for rule in program.system.pds.to_head(CONTROL, symbol(location)).to_vec() {
            let (RuleRole::Execute(edge), Right::Step(_)) =
                (program.system.role(rule), program.system.pds.rule(rule).right)
            else {
                continue;
            };
            let from = program.program.edge(edge).from;
            if position(program, from) >= position(program, location) {
                continue;
            }
            let layers = self.layers(
                program,
                search,
                (part, spot.frame, spot.entered),
                pds::Point::At(symbol(from)),
            )?;
            for (&rank, &layer) in layers.range(spot.rank..) {
                let before = program.before_step(layer, rule, states)?;
                let source = Spot { rank, point: DagPoint::Location(from), ..spot };
                self.link(program, part, source, before, StepKind::Execute(edge), Some(spot))?;
            }
        }
        for rule in program.system.pds.with_below(symbol(location)).to_vec() {
            let (RuleRole::Execute(edge), Right::Push(top, _)) =
                (program.system.role(rule), program.system.pds.rule(rule).right)
            else {
                continue;
            };
            let from = program.program.edge(edge).from;
            let (Some(callee), true) = (
                search.ranked.frame_of(top, 0),
                position(program, from) < position(program, location),
            ) else {
                continue;
            };
            let layers = self.layers(
                program,
                search,
                (part, spot.frame, spot.entered),
                pds::Point::At(symbol(from)),
            )?;
            let summaries = self.summaries(program, search, callee)?;
            let longest = self.parts[part].goal.map_or(u64::MAX, |(_, _, length)| length);
            for (&rank, &layer) in layers.iter() {
                for (&length, &summary) in
                    summaries.range(..longest).filter(|(length, _)| rank + 1 + **length > spot.rank)
                {
                    let (before, needed) = program.before_call(layer, rule, summary, states)?;
                    if before.is_false() {
                        continue;
                    }
                    let body = self.body(program, search, callee, needed, length)?;
                    let at = (spot.entered, rank, spot.frame);
                    self.link_over_pivot(
                        program,
                        part,
                        at,
                        rule,
                        edge,
                        before,
                        StepKind::Return(body),
                        spot,
                    )?;
                }
            }
        }
        Ok(false)
    }

    /// Is there a way between two nodes of a part?
    fn reaches(&self, part: usize, from: Spot, to: Spot) -> bool {
        let nodes = &self.parts[part].nodes;
        let (mut seen, mut pending) = (BTreeSet::from([from]), vec![from]);
        while let Some(spot) = pending.pop() {
            if spot == to {
                return true;
            }
            let next = nodes
                .get(&spot)
                .into_iter()
                .flat_map(|draft| &draft.outgoing)
                .filter_map(|(_, to)| *to);
            pending.extend(next.filter(|spot| seen.insert(*spot)));
        }
        false
    }

    /// An edge from these states (if any) to a node that is there; while joins are widened only if
    /// it closes no cycle.
    fn link(
        &mut self,
        program: &mut AbstractProgram,
        part: usize,
        from: Spot,
        states: Bdd,
        kind: StepKind,
        to: Option<Spot>,
    ) -> Bounded<()> {
        if states.is_false() {
            return Ok(());
        }
        let known = self.parts[part].nodes.get(&from);
        if self.joins.is_some() {
            let is_new = known.is_none_or(|known| !known.outgoing.contains(&(kind, to)));
            let closes = |to: Spot| known.is_some() && self.reaches(part, to, from);
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
        let here = &mut self.parts[part];
        let node = here
            .nodes
            .entry(from)
            .or_insert(Draft { states: Bdd::FALSE, outgoing: BTreeSet::new() });
        let all = program.domain.kernel.or(node.states, states)?;
        let grew = node.outgoing.insert((kind, to)) || all != node.states;
        node.states = all;
        if grew && matches!(from.point, DagPoint::Location(_)) {
            here.waiting.insert(from);
            if let Some((waiting, _)) = &mut self.joins {
                waiting.insert((part, from));
            }
        }
        Ok(())
    }

    fn over_steps(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        part: usize,
        spot: Spot,
        location: LocationId,
        states: Bdd,
    ) -> Bounded<()> {
        for rule in program.system.pds.to_head(CONTROL, symbol(location)).to_vec() {
            let (RuleRole::Execute(edge), Right::Step(_)) =
                (program.system.role(rule), program.system.pds.rule(rule).right)
            else {
                continue;
            };
            let from = program.program.edge(edge).from;
            let layers = self.layers(
                program,
                search,
                (part, spot.frame, spot.entered),
                pds::Point::At(symbol(from)),
            )?;
            let Some(layer) = spot.rank.checked_sub(1).and_then(|rank| layers.get(&rank)) else {
                continue;
            };
            let before = program.before_step(*layer, rule, states)?;
            let source = Spot { rank: spot.rank - 1, point: DagPoint::Location(from), ..spot };
            self.link(program, part, source, before, StepKind::Execute(edge), Some(spot))?;
        }
        Ok(())
    }

    fn over_calls(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        part: usize,
        spot: Spot,
        location: LocationId,
        states: Bdd,
    ) -> Bounded<()> {
        for rule in program.system.pds.with_below(symbol(location)).to_vec() {
            let (RuleRole::Execute(edge), Right::Push(top, _)) =
                (program.system.role(rule), program.system.pds.rule(rule).right)
            else {
                continue;
            };
            let Some(callee) = search.ranked.frame_of(top, 0) else { continue };
            let from = program.program.edge(edge).from;
            let layers = self.layers(
                program,
                search,
                (part, spot.frame, spot.entered),
                pds::Point::At(symbol(from)),
            )?;
            let summaries = self.summaries(program, search, callee)?;
            let longest = self.parts[part].goal.map_or(u64::MAX, |(_, _, length)| length);
            for (&rank, &layer) in layers.range(..spot.rank.saturating_sub(1)) {
                let length = spot.rank - 1 - rank;
                let Some(summary) = summaries.get(&length).filter(|_| length < longest) else {
                    continue;
                };
                let (before, needed) = program.before_call(layer, rule, *summary, states)?;
                if before.is_false() {
                    continue;
                }
                let body = self.body(program, search, callee, needed, length)?;
                self.link_over_pivot(
                    program,
                    part,
                    (spot.entered, rank, spot.frame),
                    rule,
                    edge,
                    before,
                    StepKind::Return(body),
                    spot,
                )?;
            }
        }
        Ok(())
    }

    /// Main part: who enters the frame here, if this is its entry?
    fn over_entries(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        spot: Spot,
        location: LocationId,
        states: Bdd,
    ) -> Bounded<()> {
        if search.ranked.frame(spot.frame).entry != symbol(location) {
            return Ok(());
        }
        let entered = program.forget_entry(states)?;
        for caller in &search.ranked.frame(spot.frame).callers {
            let RuleRole::Execute(edge) = program.system.role(caller.rule) else { continue };
            for (rank, entries) in entries_of(search, caller.key.frame) {
                let Some(since) =
                    caller.layer.rank.checked_sub(rank).filter(|_| rank < spot.entered)
                else {
                    continue;
                };
                let layer = program.domain.kernel.and(caller.layer.gained, entries)?;
                let before = program.before_entry(layer, caller.rule, entered)?;
                if !before.is_false() {
                    let at = (rank, since, caller.key.frame);
                    self.link_over_pivot(
                        program,
                        0,
                        at,
                        caller.rule,
                        edge,
                        before,
                        StepKind::Enter,
                        spot,
                    )?;
                }
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "two edges with the pivot between them")]
    fn link_over_pivot(
        &mut self,
        program: &mut AbstractProgram,
        part: usize,
        (entered, rank, frame): (u64, u64, u32),
        rule: RuleId,
        edge: EdgeId,
        before: Bdd,
        kind: StepKind,
        to: Spot,
    ) -> Bounded<()> {
        let pivot = Spot { entered, rank, frame, point: DagPoint::Pivot(edge) };
        let call = Spot {
            entered,
            rank,
            frame,
            point: DagPoint::Location(program.program.edge(edge).from),
        };
        let pushed = program.pushed(before, rule)?;
        self.link(program, part, pivot, pushed, kind, Some(to))?;
        self.link(program, part, call, before, StepKind::Push(edge), Some(pivot))
    }

    /// The body for what is needed of a callee's summaries.
    fn body(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        frame: u32,
        needed: Bdd,
        length: u64,
    ) -> Bounded<usize> {
        if let Some(known) = self.bodies.get(&(frame, needed)) {
            return Ok(*known);
        }
        let part = self.parts.len();
        self.bodies.insert((frame, needed), part);
        self.parts.push(DraftPart {
            goal: Some((frame, needed, length)),
            nodes: BTreeMap::new(),
            waiting: BTreeSet::new(),
        });
        let procedure = procedure_of(program, search.ranked.frame(frame).entry);
        let exit = program.program.procedure(procedure).exit;
        let bottom = Spot { entered: 0, rank: length, frame, point: DagPoint::Returned };
        let states = program.forget_entry(needed)?;
        self.parts[part].nodes.insert(bottom, Draft { states, outgoing: BTreeSet::new() });
        let layers =
            self.layers(program, search, (part, frame, 0), pds::Point::At(symbol(exit)))?;
        let Some(layer) = length.checked_sub(1).and_then(|rank| layers.get(&rank)) else {
            return Ok(part);
        };
        for rule in program.system.pds.from_head(CONTROL, symbol(exit)).to_vec() {
            let before = program.before_step(*layer, rule, needed)?;
            let source =
                Spot { entered: 0, rank: length - 1, frame, point: DagPoint::Location(exit) };
            self.link(program, part, source, before, StepKind::Pop, Some(bottom))?;
        }
        Ok(part)
    }

    /// The layers of a place, by rank: in the main part of the frames that can first be entered at
    /// one rank, in bodies of all.
    fn layers(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        (part, frame, entered): (usize, u32, u64),
        point: pds::Point,
    ) -> Bounded<Layers> {
        let main = self.parts[part].goal.is_none();
        let known = if main {
            self.absolute.get(&(frame, entered, point))
        } else {
            self.relative.get(&(frame, point))
        };
        if let Some(known) = known {
            return Ok(Rc::clone(known));
        }
        let mut layers: BTreeMap<u64, Bdd> = BTreeMap::new();
        for layer in search.ranked.layers(Key { frame, point, passed: 0 }) {
            for (rank, entries) in
                entries_of(search, frame).into_iter().filter(|(rank, _)| !main || *rank == entered)
            {
                let here = program.domain.kernel.and(layer.gained, entries)?;
                if let Some(since) = layer.rank.checked_sub(rank) {
                    add(program, &mut layers, since, here)?;
                }
            }
        }
        let layers = Rc::new(layers);
        if main {
            self.absolute.insert((frame, entered, point), Rc::clone(&layers));
        } else {
            self.relative.insert((frame, point), Rc::clone(&layers));
        }
        Ok(layers)
    }

    /// A frame's summaries, by length.
    fn summaries(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
        frame: u32,
    ) -> Bounded<Layers> {
        if let Some(known) = self.summaries.get(&frame) {
            return Ok(Rc::clone(known));
        }
        let mut by_length: BTreeMap<u64, Bdd> = BTreeMap::new();
        for summary in &search.ranked.frame(frame).summaries {
            add(program, &mut by_length, summary.length, summary.weight)?;
        }
        let by_length = Rc::new(by_length);
        self.summaries.insert(frame, Rc::clone(&by_length));
        Ok(by_length)
    }

    /// How many nodes there are so far.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Merges what has the same future, and numbers what is left. `None` if no failing check was
    /// reached.
    pub fn finish(
        self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
    ) -> Bounded<Option<Result<Extracted, DagError>>> {
        if self.parts[0].nodes.is_empty() {
            return Ok(None);
        }
        merge(program, search, &self.parts).map(Some)
    }
}

impl_roots!(Extraction { parts, absolute, relative, summaries });
impl_roots!(DraftPart { goal, nodes });
impl_roots!(Draft { states });
impl_roots!(Extracted { states });

/// The entries of a frame by the rank at which they are first made; the start procedure's are not
/// told apart.
fn entries_of(search: &AbstractSearch, frame: u32) -> Vec<(u64, Bdd)> {
    match search.ranked.frame(frame).entries() {
        [] => vec![(0, Bdd::TRUE)],
        entries => entries.to_vec(),
    }
}

/// The least number of calls below a frame.
fn depth_of(search: &AbstractSearch, frame: u32) -> u32 {
    let mut depth: BTreeMap<u32, u32> = BTreeMap::from([(0, 0)]);
    loop {
        let mut changed = false;
        for one in 0..search.ranked.frames() {
            let callers = search
                .ranked
                .frame(one)
                .callers
                .iter()
                .filter_map(|caller| depth.get(&caller.key.frame))
                .min();
            let Some(least) = callers.map(|least| least + 1) else { continue };
            if depth.get(&one).is_none_or(|known| least < *known) {
                depth.insert(one, least);
                changed = true;
            }
        }
        if !changed {
            return depth.get(&frame).copied().unwrap_or(0);
        }
    }
}

fn add(
    program: &mut AbstractProgram,
    layers: &mut BTreeMap<u64, Bdd>,
    rank: u64,
    states: Bdd,
) -> Bounded<()> {
    if !states.is_false() {
        let layer = layers.entry(rank).or_insert(Bdd::FALSE);
        *layer = program.domain.kernel.or(*layer, states)?;
    }
    Ok(())
}

fn procedure_of(program: &AbstractProgram, entry: StackSymbol) -> ProcedureId {
    program.program.location(LocationId(entry.0)).procedure
}
