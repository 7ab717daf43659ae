//! The layers of the search, read with ranks that are counted from the entry of a frame, and the
//! steps and calls that lead from one to another.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::search::AbstractSearch;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, RuleRole, symbol};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::{FramePosition, Right, RuleId, SearchNode};
use crate::util::Bounded;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Abstract states, or summaries, by rank.
pub(super) type Layers = Rc<BTreeMap<u64, Bdd>>;

/// The abstract program, and the finished search over it.
pub(super) struct Explored<'a> {
    pub(super) program: &'a mut AbstractProgram,
    pub(super) search: &'a AbstractSearch,
}

/// A step of the program: its rule, its edge, and the location that it leaves.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) rule: RuleId,
    pub(super) edge: EdgeId,
    pub(super) from: LocationId,
}

/// A call of the program: as a step, and the frame of its callee.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) step: Step,
    pub(super) callee: u32,
}

impl Explored<'_> {
    /// The steps that lead to a location.
    pub(super) fn steps_to(&self, location: LocationId) -> Vec<Step> {
        let pds = &self.program.system.pds;
        let rules = pds.to_head(CONTROL, symbol(location)).iter();
        let steps = rules.filter(|rule| matches!(pds.rule(**rule).right, Right::Step(_)));
        steps.filter_map(|rule| self.step(*rule)).collect()
    }

    /// The calls that return to a location.
    pub(super) fn calls_back_to(&self, location: LocationId) -> Vec<Call> {
        let pds = &self.program.system.pds;
        let call = |rule: &RuleId| {
            let Right::Push(top, _) = pds.rule(*rule).right else { return None };
            let callee = self.search.ranked.frame_of(top, 0)?;
            Some(Call { step: self.step(*rule)?, callee })
        };
        pds.with_below(symbol(location)).iter().filter_map(call).collect()
    }

    /// The step of a rule, if it executes an edge.
    pub(super) fn step(&self, rule: RuleId) -> Option<Step> {
        let RuleRole::Execute(edge) = self.program.system.role(rule) else { return None };
        Some(Step { rule, edge, from: self.program.program.edge(edge).from })
    }

    /// The entries of a frame by the rank at which they are first made. The entries of the start
    /// procedure are not told apart.
    pub(super) fn entries(&self, frame: u32) -> Vec<(u64, Bdd)> {
        match self.search.ranked.frame(frame).entries() {
            [] => vec![(0, Bdd::TRUE)],
            entries => entries.to_vec(),
        }
    }

    /// The least number of calls below a frame.
    pub(super) fn depth(&self, frame: u32) -> u32 {
        let ranked = &self.search.ranked;
        let mut depth: BTreeMap<u32, u32> = BTreeMap::from([(0, 0)]);
        loop {
            let mut changed = false;
            for one in 0..ranked.frames() {
                let callers = ranked
                    .frame(one)
                    .callers
                    .iter()
                    .filter_map(|caller| depth.get(&caller.node.frame))
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

    /// The layers of a point in a frame, cut down to the entries that are wanted.
    fn layers(
        &mut self,
        frame: u32,
        point: FramePosition,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Bounded<Layers> {
        let mut layers: BTreeMap<u64, Bdd> = BTreeMap::new();
        for layer in self.search.ranked.layers(SearchNode { frame, position: point, passed: 0 }) {
            for (rank, entries) in self.entries(frame) {
                if !is_wanted(rank) {
                    continue;
                }
                let here = self.program.domain.kernel.and(layer.gained, entries)?;
                if let Some(since) = layer.rank.checked_sub(rank) {
                    self.add(&mut layers, since, here)?;
                }
            }
        }
        Ok(Rc::new(layers))
    }

    fn summaries(&mut self, frame: u32) -> Bounded<Layers> {
        let mut by_length: BTreeMap<u64, Bdd> = BTreeMap::new();
        for summary in &self.search.ranked.frame(frame).summaries {
            self.add(&mut by_length, summary.length, summary.weight)?;
        }
        Ok(Rc::new(by_length))
    }

    fn add(&mut self, layers: &mut BTreeMap<u64, Bdd>, rank: u64, states: Bdd) -> Bounded<()> {
        if !states.is_false() {
            let layer = layers.entry(rank).or_insert(Bdd::FALSE);
            *layer = self.program.domain.kernel.or(*layer, states)?;
        }
        Ok(())
    }
}

/// Layers that were read before.
#[derive(Default)]
pub(super) struct LayerCache {
    /// For the main part: by frame and by the rank at which the frame can first be entered.
    absolute: BTreeMap<(u32, u64, FramePosition), Layers>,
    /// For bodies: by frame, for all of its entries together.
    relative: BTreeMap<(u32, FramePosition), Layers>,
    summaries: BTreeMap<u32, Layers>,
}

impl LayerCache {
    /// For the main part: the layers of a point in a frame, of the entries that can first be made
    /// at the rank `entered`.
    pub(super) fn of_entry(
        &mut self,
        explored: &mut Explored<'_>,
        (frame, entered): (u32, u64),
        point: FramePosition,
    ) -> Bounded<Layers> {
        if let Some(known) = self.absolute.get(&(frame, entered, point)) {
            return Ok(Rc::clone(known));
        }
        let layers = explored.layers(frame, point, |rank| rank == entered)?;
        self.absolute.insert((frame, entered, point), Rc::clone(&layers));
        Ok(layers)
    }

    /// For bodies: the layers of a point in a frame, of all its entries together.
    pub(super) fn of_all_entries(
        &mut self,
        explored: &mut Explored<'_>,
        frame: u32,
        point: FramePosition,
    ) -> Bounded<Layers> {
        if let Some(known) = self.relative.get(&(frame, point)) {
            return Ok(Rc::clone(known));
        }
        let layers = explored.layers(frame, point, |_| true)?;
        self.relative.insert((frame, point), Rc::clone(&layers));
        Ok(layers)
    }

    /// The summaries of a frame, by length.
    pub(super) fn summaries(&mut self, explored: &mut Explored<'_>, frame: u32) -> Bounded<Layers> {
        if let Some(known) = self.summaries.get(&frame) {
            return Ok(Rc::clone(known));
        }
        let summaries = explored.summaries(frame)?;
        self.summaries.insert(frame, Rc::clone(&summaries));
        Ok(summaries)
    }
}

impl_roots!(LayerCache { absolute, relative, summaries });
