//! post\* in the order of lengths: every part of every weight appears at the length of a shortest
//! run that has it.
//!
//! Knuth 1977 ("A generalization of Dijkstra's algorithm") on the rules of post\* (Schwoon 2002,
//! Alg. 2). What waits is taken in the order of its rank, and only what is *new* of it goes on: a
//! layer (rank, new part). The rank of ⟨e, v⟩, "the frame was entered with e and has v now", is the
//! least length of a run to any frame with entry e, and on from there to v. So
//!
//! - a callee's entry has the rank of its caller at the call plus the call's cost, at first sight;
//! - a summary ⟨e, x⟩ that ends at rank g has the length g − (rank of e): the entries are kept by
//!   rank for that;
//! - the return site has the caller's rank at the call + the call's cost + that length. As the rank
//!   of e is at most that of this call of it, this is never below g: nothing comes too late, and
//!   the first error that is taken out is a shortest one. Only what is no further from the start
//!   than the error is ever looked at.
//!
//! Runs *through* given statements (Lal, Kidd, Reps, Touili 2007, Def. 9, for the language "all of
//! these in any order"): the set of those passed so far stands beside the stack, as a control
//! location would; a frame knows it as of its entry and as of now. Who has passed more at no
//! greater length needs nothing of who has passed less: that part is dropped.
//!
//! Where only the first target is asked for, what waits is taken in the order of its rank + what
//! remains at least ([`Remaining`]), and what leads to no target is dropped (A*: Hart, Nilsson,
//! Raphael 1968). Each key still sees its ranks in order, since what remains never sinks by more
//! than a rule's length over a rule; so all that is said of ranks above holds for each key.
//!
//! Where it only matters whether a target is reached, all lengths are 0 and what waits is taken in
//! the order of what remains ([`RankedPostStar::be_greedy`]): one rank, one layer for whatever
//! arrives together. A run can be asked to take one transition instead of a whole rule
//! ([`RankedPostStar::require`]), and to begin with calls pending below its first frame
//! ([`RankedPostStar::below`]).

use super::domain::{Domain, Plain};
use super::ranked_frame::{
    Caller, Key, Layer, Mark, Measure, PendingCall, Point, RankedFrame, Summary, Way,
};
use super::remaining::Remaining;
use super::system::{ControlLocation, Pds, Right, RuleId, StackSymbol};
use crate::bdd::{Roots, impl_roots};
use crate::semiring::Boolean;
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A domain that can tell by which entry a frame was entered.
pub trait Entered: Domain {
    /// As [`Domain::enter`], but never more than what enters.
    fn starts(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// The entries among the starts of a callee of this push rule, in a form that [`Self::meet`]
    /// takes beside starts and summaries of the same callee.
    fn entries(&mut self, rule: RuleId, starts: &Self::Weight) -> Bounded<Self::Weight>;
    /// The part of `weight` whose frame was entered by one of `entries`.
    fn meet(&mut self, weight: &Self::Weight, entries: &Self::Weight) -> Bounded<Self::Weight>;
    /// Exactly what `weight` has beyond `old`.
    fn beyond(&mut self, weight: &Self::Weight, old: &Self::Weight) -> Bounded<Self::Weight>;
}

/// Without data there is one entry.
impl Entered for Plain<Boolean> {
    fn starts(&mut self, weight: &bool, _rule: RuleId) -> Bounded<bool> {
        Ok(*weight)
    }
    fn entries(&mut self, _rule: RuleId, starts: &bool) -> Bounded<bool> {
        Ok(*starts)
    }
    fn meet(&mut self, weight: &bool, entries: &bool) -> Bounded<bool> {
        Ok(*weight && *entries)
    }
    fn beyond(&mut self, weight: &bool, old: &bool) -> Bounded<bool> {
        Ok(*weight && !*old)
    }
}

struct Item<W> {
    key: Key,
    priority: u32,
    settled: W,
    layers: Vec<Layer<W>>,
}

/// In which order what waits is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    /// Rank and what remains at least: the length of the shortest run that can come of it.
    length: u64,
    rank: u64,
    priority: u32,
    item: u32,
}

/// A search in progress; for systems with one control location.
pub struct RankedPostStar<D: Domain> {
    measure: Measure,
    at_most: u64,
    priority: Vec<u32>,
    /// What must be taken besides, with its bit.
    mark: Option<(Mark<D::Weight>, u32)>,
    greedy: bool,
    /// What remains until everything is passed, and behind that.
    remaining: Option<[Remaining; 2]>,
    frames: Vec<RankedFrame<D::Weight>>,
    frame_index: FxHashMap<(StackSymbol, u32), u32>,
    items: Vec<Item<D::Weight>>,
    index: FxHashMap<Key, u32>,
    /// What arrived and was not looked at yet.
    waiting: BTreeMap<Slot, D::Weight>,
    moment: u64,
    rank: u64,
    /// What the last step settled.
    latest: Option<u32>,
    found: Option<Key>,
    cut: bool,
}

/// The only control location.
const P: ControlLocation = ControlLocation(0);

impl<D: Entered> RankedPostStar<D> {
    /// Starts with one frame at `entry`, at rank 0. Nothing longer than `at_most` is looked at.
    /// `priority` as in [`PostStar`](super::PostStar), among equal ranks.
    pub fn new(
        domain: &mut D,
        entry: StackSymbol,
        weight: D::Weight,
        measure: Measure,
        at_most: u64,
        priority: Vec<u32>,
    ) -> Bounded<RankedPostStar<D>> {
        let first = RankedFrame::new(entry, 0, None, domain.zero());
        let mut search = RankedPostStar {
            measure,
            at_most,
            priority,
            mark: None,
            greedy: false,
            remaining: None,
            frames: vec![first],
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
        search.offer(domain, Key { frame: 0, point: Point::Start, passed: 0 }, entry, 0, weight)?;
        Ok(search)
    }

    /// Looks where a target is near first. To be said before the first step, and only where nothing
    /// but the first target is asked for.
    pub fn head_for_targets(&mut self, pds: &Pds) {
        let targets = (0..).zip(&self.measure.is_target).filter(|(_, is_target)| **is_target);
        let targets: Vec<StackSymbol> = targets.map(|(number, _)| StackSymbol(number)).collect();
        self.head_for(pds, &targets);
    }

    /// The same toward symbols at which the search need not end: whoever steps it sees what was
    /// settled there ([`Self::latest`]).
    pub fn head_for(&mut self, pds: &Pds, targets: &[StackSymbol]) {
        let ones = vec![1; self.measure.cost.len()];
        let cost = if self.greedy { &ones } else { &self.measure.cost };
        let targets: Vec<(StackSymbol, u64)> = targets.iter().map(|symbol| (*symbol, 0)).collect();
        let behind = Remaining::toward(pds, cost, &targets);
        let before = match &self.mark {
            None => behind.clone(),
            Some((mark, _)) => {
                let over = |rule: RuleId, further: Option<u64>| {
                    further.map(|further| {
                        (pds.rule(rule).symbol, cost[rule.0 as usize].saturating_add(further))
                    })
                };
                let way = match mark.way {
                    Way::Within(from, to) => behind.at(to).map(|further| (from, further)),
                    Way::Back(rule) => match pds.rule(rule).right {
                        Right::Push(_, below) => behind.at(below).map(|further| (below, further)),
                        _ => None,
                    },
                    Way::Over(rule) => match pds.rule(rule).right {
                        Right::Push(top, _) | Right::Step(top) => over(rule, behind.at(top)),
                        Right::Pop => over(rule, behind.left(pds.rule(rule).symbol)),
                    },
                };
                Remaining::toward(pds, cost, way.as_slice())
            }
        };
        self.remaining = Some([before, behind]);
    }

    /// Goes where a target is near, however long the run.
    pub fn be_greedy(&mut self) {
        self.greedy = true;
        self.measure.cost.fill(0);
    }

    /// A way inside a frame is passed: with a part of what was settled last come these weights at
    /// its end.
    pub fn passes(&mut self, domain: &mut D, weight: D::Weight) -> Bounded<()> {
        let Some((Mark { way: Way::Within(_, to), .. }, bit)) = &self.mark else { return Ok(()) };
        let (to, bit) = (*to, *bit);
        let Some((key, rank)) = self.latest().map(|(key, layer)| (key, layer.rank)) else {
            return Ok(());
        };
        self.offer(
            domain,
            Key { point: Point::At(to), passed: key.passed | bit, ..key },
            to,
            rank,
            weight,
        )
    }

    /// Runs must go this way as well. To be said once, before [`Self::head_for`] and before the
    /// first step.
    pub fn require(&mut self, mark: Mark<D::Weight>) {
        let bit = 1 << self.measure.all.count_ones();
        self.measure.all |= bit;
        self.mark = Some((mark, bit));
    }

    /// Calls are pending below the first frame. `frames`: of those with the numbers 1, 2, … a
    /// symbol of each one's procedure. `any`: meets every entry. To be said before the first step.
    pub fn below(
        &mut self,
        frames: &[StackSymbol],
        calls: Vec<PendingCall<D::Weight>>,
        pds: &Pds,
        any: &D::Weight,
    ) {
        for symbol in frames {
            self.frames.push(RankedFrame::new(*symbol, 0, None, any.clone()));
        }
        for PendingCall { callee, rule, caller, weight } in calls {
            let frame = &mut self.frames[callee as usize];
            if frame.entries.is_empty() {
                frame.known = any.clone();
                frame.entries.push((0, any.clone()));
            }
            frame.callers_into.entry(0).or_default().push(frame.callers.len() as u32);
            let key = Key { frame: caller, point: Point::At(pds.rule(rule).symbol), passed: 0 };
            frame.callers.push(Caller {
                key,
                rule,
                layer: Layer { rank: 0, moment: 0, gained: weight },
            });
        }
    }

    /// A target with everything passed, once one was found; its last layer is the shortest.
    pub fn found(&self) -> Option<Key> {
        self.found
    }

    /// Is the search over: a target found, or nothing left?
    pub fn is_done(&self) -> bool {
        self.found.is_some() || self.waiting.is_empty()
    }

    /// Was anything left out because it may be longer than `at_most`?
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// Every run to a target that is shorter than this was looked at; nothing of the kind once
    /// [`Self::be_greedy`] was said.
    pub fn rank(&self) -> u64 {
        self.rank
    }

    /// What was counted and watched.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The rank of what is taken out next.
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

    /// The layers of a key, oldest and shortest first.
    pub fn layers(&self, key: Key) -> &[Layer<D::Weight>] {
        self.index.get(&key).map_or(&[], |id| &self.items[*id as usize].layers)
    }

    /// What the last step settled, if it was new.
    pub fn latest(&self) -> Option<(Key, &Layer<D::Weight>)> {
        let item = &self.items[self.latest? as usize];
        Some((item.key, item.layers.last()?))
    }

    /// The layers of a key at one rank, from before a moment.
    pub fn layers_at(&self, key: Key, rank: u64, moment: u64) -> &[Layer<D::Weight>] {
        let layers = self.layers(key);
        let begin = layers.partition_point(|layer| layer.rank < rank);
        let end = layers.partition_point(|layer| layer.rank <= rank && layer.moment < moment);
        &layers[begin..end.max(begin)]
    }

    /// Takes out what is nearest. Does nothing once done. After a limit the search must not be used
    /// further.
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
        let key = item.key;
        match key.point {
            Point::Start => self.begin(domain, key, layer),
            Point::End => self.end(pds, domain, key, &layer),
            Point::At(symbol)
                if key.passed == self.measure.all && self.measure.is_target[symbol.0 as usize] =>
            {
                self.found = Some(key);
                Ok(())
            }
            Point::At(symbol) => self.apply_rules(pds, domain, key, symbol, &layer),
        }
    }

    /// What nobody had before who passed at least as much.
    fn news(&self, domain: &mut D, id: u32, arrived: D::Weight) -> Bounded<Option<D::Weight>> {
        let key = self.items[id as usize].key;
        let free = self.measure.all & !key.passed;
        let mut rest = arrived;
        let mut more = free;
        loop {
            if let Some(other) = self.index.get(&Key { passed: key.passed | more, ..key }) {
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

    fn begin(&mut self, domain: &mut D, key: Key, layer: Layer<D::Weight>) -> Bounded<()> {
        let frame = &mut self.frames[key.frame as usize];
        if let Some(rule) = frame.via {
            let entries = domain.entries(rule, &layer.gained)?;
            frame.known = domain.combine(&frame.known, &entries)?;
            let mut unranked = Vec::new();
            for (caller, waiting) in std::mem::take(&mut frame.unranked) {
                let here = domain.meet(&waiting, &entries)?;
                if !domain.is_zero(&here) {
                    frame.callers_into.entry(layer.rank).or_default().push(caller);
                }
                let waiting = domain.beyond(&waiting, &entries)?;
                if !domain.is_zero(&waiting) {
                    unranked.push((caller, waiting));
                }
            }
            frame.unranked = unranked;
            frame.entries.push((layer.rank, entries));
        }
        let entry = frame.entry;
        self.offer(domain, Key { point: Point::At(entry), ..key }, entry, layer.rank, layer.gained)
    }

    fn apply_rules(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        key: Key,
        symbol: StackSymbol,
        layer: &Layer<D::Weight>,
    ) -> Bounded<()> {
        for &id in pds.from_head(P, symbol) {
            self.apply(pds, domain, key, id, layer, None)?;
            let mark = self
                .mark
                .clone()
                .filter(|(mark, bit)| mark.way == Way::Over(id) && key.passed & bit == 0);
            if let Some((mark, bit)) = mark {
                let gained = domain.meet(&layer.gained, &mark.before)?;
                if !domain.is_zero(&gained) {
                    self.apply(
                        pds,
                        domain,
                        key,
                        id,
                        &Layer { gained, ..layer.clone() },
                        Some((&mark.after, bit)),
                    )?;
                }
            }
        }
        Ok(())
    }

    /// One rule; `marked`: what must be met behind it, and what is passed with that.
    fn apply(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        key: Key,
        id: RuleId,
        layer: &Layer<D::Weight>,
        marked: Option<(&D::Weight, u32)>,
    ) -> Bounded<()> {
        let rank = layer.rank + self.measure.cost[id.0 as usize];
        let passed =
            key.passed | self.measure.passes[id.0 as usize] | marked.map_or(0, |(_, bit)| bit);
        let rule = pds.rule(id);
        let mut weight = match rule.right {
            Right::Pop | Right::Step(_) => domain.after(&layer.gained, id)?,
            Right::Push(..) => domain.starts(&layer.gained, id)?,
        };
        if let Some((after, _)) = marked {
            weight = domain.meet(&weight, after)?;
        }
        match rule.right {
            Right::Pop => self.offer(
                domain,
                Key { point: Point::End, passed, ..key },
                rule.symbol,
                rank,
                weight,
            ),
            Right::Step(top) => {
                self.offer(domain, Key { point: Point::At(top), passed, ..key }, top, rank, weight)
            }
            Right::Push(top, below) => {
                let starts = weight;
                if domain.is_zero(&starts) {
                    return Ok(());
                }
                let frame = self.frame_for(domain, id, top, passed);
                let caller = Caller { key, rule: id, layer: layer.clone() };
                let number = self.frames[frame as usize].callers.len() as u32;
                let (ranks, unranked) = self.ranks_of(domain, frame, id, &starts)?;
                if !domain.is_zero(&unranked) {
                    self.frames[frame as usize].unranked.push((number, unranked));
                }
                for entered in ranks {
                    let callee = &mut self.frames[frame as usize];
                    callee.callers_into.entry(entered).or_default().push(number);
                    for k in callee.summaries_from.get(&entered).cloned().unwrap_or_default() {
                        let summary = self.frames[frame as usize].summaries[k as usize].clone();
                        self.resume(domain, &caller, below, &summary)?;
                    }
                }
                self.frames[frame as usize].callers.push(caller);
                self.offer(domain, Key { frame, point: Point::Start, passed }, top, rank, starts)
            }
        }
    }

    /// The ranks that these starts of a callee have as entries, and those entries that have none
    /// yet.
    fn ranks_of(
        &self,
        domain: &mut D,
        frame: u32,
        rule: RuleId,
        starts: &D::Weight,
    ) -> Bounded<(BTreeSet<u64>, D::Weight)> {
        let frame = &self.frames[frame as usize];
        let mut rest = domain.entries(rule, starts)?;
        let unranked = domain.beyond(&rest, &frame.known)?;
        let mut ranks = BTreeSet::new();
        rest = domain.meet(&rest, &frame.known)?;
        for (entered, at_rank) in frame.entries.iter().rev() {
            if domain.is_zero(&rest) {
                break;
            }
            let here = domain.meet(&rest, at_rank)?;
            if !domain.is_zero(&here) {
                ranks.insert(*entered);
                rest = domain.beyond(&rest, at_rank)?;
            }
        }
        Ok((ranks, unranked))
    }

    fn frame_for(&mut self, domain: &D, via: RuleId, entry: StackSymbol, passed: u32) -> u32 {
        let frames = &mut self.frames;
        *self.frame_index.entry((entry, passed)).or_insert_with(|| {
            frames.push(RankedFrame::new(entry, passed, Some(via), domain.zero()));
            frames.len() as u32 - 1
        })
    }

    /// A callee returned: one summary for each rank of its entries, and its callers go on.
    fn end(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        key: Key,
        layer: &Layer<D::Weight>,
    ) -> Bounded<()> {
        let mut rest = layer.gained.clone();
        // The entries made last are the likeliest.
        for k in (0..self.frames[key.frame as usize].entries.len()).rev() {
            if domain.is_zero(&rest) {
                break;
            }
            let (entered, at_rank) = &self.frames[key.frame as usize].entries[k];
            let entered = *entered;
            let weight = domain.meet(&rest, at_rank)?;
            if domain.is_zero(&weight) {
                continue;
            }
            rest = domain.beyond(&rest, at_rank)?;
            let length = layer.rank - entered;
            let summary =
                Summary { passed: key.passed, length, entered, moment: layer.moment, weight };
            let frame = &mut self.frames[key.frame as usize];
            frame.summaries_from.entry(entered).or_default().push(frame.summaries.len() as u32);
            frame.summaries.push(summary.clone());
            for c in frame.callers_into.get(&entered).cloned().unwrap_or_default() {
                let caller = self.frames[key.frame as usize].callers[c as usize].clone();
                let Right::Push(_, below) = pds.rule(caller.rule).right else {
                    unreachable!("only push rules call")
                };
                self.resume(domain, &caller, below, &summary)?;
            }
        }
        Ok(())
    }

    fn resume(
        &mut self,
        domain: &mut D,
        caller: &Caller<D::Weight>,
        below: StackSymbol,
        summary: &Summary<D::Weight>,
    ) -> Bounded<()> {
        self.go_on(domain, caller, below, summary, None)?;
        let is_marked = |(mark, bit): &(Mark<_>, u32)| {
            mark.way == Way::Back(caller.rule) && summary.passed & bit == 0
        };
        let Some((mark, bit)) = self.mark.clone().filter(is_marked) else { return Ok(()) };
        let weight = domain.meet(&summary.weight, &mark.before)?;
        match domain.is_zero(&weight) {
            true => Ok(()),
            false => self.go_on(
                domain,
                caller,
                below,
                &Summary { weight, ..summary.clone() },
                Some((&mark.after, bit)),
            ),
        }
    }

    /// On in a caller; `marked` as above.
    fn go_on(
        &mut self,
        domain: &mut D,
        caller: &Caller<D::Weight>,
        below: StackSymbol,
        summary: &Summary<D::Weight>,
        marked: Option<(&D::Weight, u32)>,
    ) -> Bounded<()> {
        let rank = caller.layer.rank + self.measure.cost[caller.rule.0 as usize] + summary.length;
        let passed = summary.passed | marked.map_or(0, |(_, bit)| bit);
        let key = Key { point: Point::At(below), passed, ..caller.key };
        let Some(length) = self.length(key, rank) else { return Ok(()) };
        if length > self.at_most {
            self.cut = true;
            return Ok(());
        }
        let mut weight = domain.return_after(&caller.layer.gained, caller.rule, &summary.weight)?;
        if let Some((after, _)) = marked {
            weight = domain.meet(&weight, after)?;
        }
        self.offer(domain, key, below, rank, weight)
    }

    /// The least length of a run to a target that goes on from a key at this rank; `None` if there
    /// is none.
    fn length(&self, key: Key, rank: u64) -> Option<u64> {
        let Some([before, behind]) = &self.remaining else { return Some(rank) };
        let remaining = if key.passed == self.measure.all { behind } else { before };
        let entry = self.frames[key.frame as usize].entry;
        let further = match key.point {
            Point::Start => remaining.at(entry),
            Point::At(symbol) => remaining.at(symbol),
            Point::End => remaining.left(entry),
        };
        let further = further?;
        Some(if self.greedy { further } else { rank.saturating_add(further) })
    }

    /// `at`: the symbol whose priority the key has.
    fn offer(
        &mut self,
        domain: &mut D,
        key: Key,
        at: StackSymbol,
        rank: u64,
        weight: D::Weight,
    ) -> Bounded<()> {
        if domain.is_zero(&weight) {
            return Ok(());
        }
        let Some(length) = self.length(key, rank) else { return Ok(()) };
        if length > self.at_most {
            self.cut = true;
            return Ok(());
        }
        let id = match self.index.get(&key) {
            Some(id) => *id,
            None => {
                let priority = self.priority.get(at.0 as usize).copied().unwrap_or(0);
                self.items.push(Item { key, priority, settled: domain.zero(), layers: Vec::new() });
                self.index.insert(key, self.items.len() as u32 - 1);
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

impl_roots!([D: Domain<Weight: Roots>] RankedPostStar<D> { items, frames, waiting, mark });
impl_roots!([W: Roots] Item<W> { settled, layers });
