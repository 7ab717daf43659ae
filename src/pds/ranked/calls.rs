//! How a search in the order of lengths applies rules, calls and returns.

use super::entry_sets::EntrySets;
use super::frame::{
    Caller, FrameMove, FramePosition, Layer, RankedFrame, RequiredMove, SearchNode, Summary,
};
use super::{P, RankedPostStar};
use crate::pds::system::{Pds, Right, RuleId, StackSymbol};
use crate::util::Bounded;
use std::collections::BTreeSet;

impl<D: EntrySets> RankedPostStar<D> {
    /// Begins a frame that was entered: its entries get a rank, and callers that waited for that
    /// continue.
    pub(super) fn begin(
        &mut self,
        domain: &mut D,
        node: SearchNode,
        layer: Layer<D::Weight>,
    ) -> Bounded<()> {
        let frame = &mut self.frames[node.frame as usize];
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
        self.offer(
            domain,
            SearchNode { position: FramePosition::At(entry), ..node },
            entry,
            layer.rank,
            layer.gained,
        )
    }

    /// Applies all rules with this symbol on top to a layer.
    pub(super) fn apply_rules(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        node: SearchNode,
        symbol: StackSymbol,
        layer: &Layer<D::Weight>,
    ) -> Bounded<()> {
        for &id in pds.from_head(P, symbol) {
            self.apply(pds, domain, node, id, layer, None)?;
            let required = self.required.clone().filter(|(required, bit)| {
                required.step == FrameMove::Over(id) && node.passed & bit == 0
            });
            if let Some((required, bit)) = required {
                let gained = domain.meet(&layer.gained, &required.before)?;
                if !domain.is_zero(&gained) {
                    self.apply(
                        pds,
                        domain,
                        node,
                        id,
                        &Layer { gained, ..layer.clone() },
                        Some((&required.after, bit)),
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Applies one rule. `along`: if the rule is the required move, what must be met behind it, and
    /// the bit of the move.
    fn apply(
        &mut self,
        pds: &Pds,
        domain: &mut D,
        node: SearchNode,
        id: RuleId,
        layer: &Layer<D::Weight>,
        along: Option<(&D::Weight, u32)>,
    ) -> Bounded<()> {
        let rank = layer.rank + self.goal.cost[id];
        let passed = node.passed | self.goal.passes[id] | along.map_or(0, |(_, bit)| bit);
        let rule = pds.rule(id);
        let mut weight = match rule.right {
            Right::Pop | Right::Step(_) => domain.after(&layer.gained, id)?,
            Right::Push(..) => domain.starts(&layer.gained, id)?,
        };
        if let Some((after, _)) = along {
            weight = domain.meet(&weight, after)?;
        }
        match rule.right {
            Right::Pop => self.offer(
                domain,
                SearchNode { position: FramePosition::End, passed, ..node },
                rule.symbol,
                rank,
                weight,
            ),
            Right::Step(top) => self.offer(
                domain,
                SearchNode { position: FramePosition::At(top), passed, ..node },
                top,
                rank,
                weight,
            ),
            Right::Push(top, below) => {
                let caller = Caller { node, rule: id, below, layer: layer.clone() };
                self.call(domain, caller, (top, passed), rank, weight)
            }
        }
    }

    /// Applies a call with the callee's starts. `top` is the callee's first symbol, `passed` what
    /// was passed before.
    fn call(
        &mut self,
        domain: &mut D,
        caller: Caller<D::Weight>,
        (top, passed): (StackSymbol, u32),
        rank: u64,
        starts: D::Weight,
    ) -> Bounded<()> {
        if domain.is_zero(&starts) {
            return Ok(());
        }
        let frame = self.frame_for(domain, caller.rule, top, passed);
        let number = self.frames[frame as usize].callers.len() as u32;
        let (ranks, unranked) = self.ranks_of(domain, frame, caller.rule, &starts)?;
        if !domain.is_zero(&unranked) {
            self.frames[frame as usize].unranked.push((number, unranked));
        }
        for entered in ranks {
            let callee = &mut self.frames[frame as usize];
            callee.callers_into.entry(entered).or_default().push(number);
            for k in callee.summaries_from.get(&entered).cloned().unwrap_or_default() {
                let summary = self.frames[frame as usize].summaries[k as usize].clone();
                self.resume(domain, &caller, &summary)?;
            }
        }
        self.frames[frame as usize].callers.push(caller);
        let start = SearchNode { frame, position: FramePosition::Start, passed };
        self.offer(domain, start, top, rank, starts)
    }

    /// The ranks of these starts of a callee, as entries, and those entries that have none yet.
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

    /// Ends a callee that returned: it gets one summary for each rank of its entries, and its
    /// callers continue.
    pub(super) fn end(
        &mut self,
        domain: &mut D,
        node: SearchNode,
        layer: &Layer<D::Weight>,
    ) -> Bounded<()> {
        let mut rest = layer.gained.clone();
        // The entries that were made last are the likeliest ones.
        for k in (0..self.frames[node.frame as usize].entries.len()).rev() {
            if domain.is_zero(&rest) {
                break;
            }
            let (entered, at_rank) = &self.frames[node.frame as usize].entries[k];
            let entered = *entered;
            let weight = domain.meet(&rest, at_rank)?;
            if domain.is_zero(&weight) {
                continue;
            }
            rest = domain.beyond(&rest, at_rank)?;
            let length = layer.rank - entered;
            let summary =
                Summary { passed: node.passed, length, entered, moment: layer.moment, weight };
            let frame = &mut self.frames[node.frame as usize];
            frame.summaries_from.entry(entered).or_default().push(frame.summaries.len() as u32);
            frame.summaries.push(summary.clone());
            for c in frame.callers_into.get(&entered).cloned().unwrap_or_default() {
                let caller = self.frames[node.frame as usize].callers[c as usize].clone();
                self.resume(domain, &caller, &summary)?;
            }
        }
        Ok(())
    }

    fn resume(
        &mut self,
        domain: &mut D,
        caller: &Caller<D::Weight>,
        summary: &Summary<D::Weight>,
    ) -> Bounded<()> {
        self.go_on(domain, caller, summary, None)?;
        let is_this = |(required, bit): &(RequiredMove<_>, u32)| {
            required.step == FrameMove::Back(caller.rule) && summary.passed & bit == 0
        };
        let Some((required, bit)) = self.required.clone().filter(is_this) else { return Ok(()) };
        let weight = domain.meet(&summary.weight, &required.before)?;
        match domain.is_zero(&weight) {
            true => Ok(()),
            false => self.go_on(
                domain,
                caller,
                &Summary { weight, ..summary.clone() },
                Some((&required.after, bit)),
            ),
        }
    }

    /// Continues in a caller. `along` as above.
    fn go_on(
        &mut self,
        domain: &mut D,
        caller: &Caller<D::Weight>,
        summary: &Summary<D::Weight>,
        along: Option<(&D::Weight, u32)>,
    ) -> Bounded<()> {
        let rank = caller.layer.rank + self.goal.cost[caller.rule] + summary.length;
        let passed = summary.passed | along.map_or(0, |(_, bit)| bit);
        let node = SearchNode { position: FramePosition::At(caller.below), passed, ..caller.node };
        let Some(length) = self.length(node, rank) else { return Ok(()) };
        if length > self.at_most {
            self.cut = true;
            return Ok(());
        }
        let mut weight = domain.return_after(&caller.layer.gained, caller.rule, &summary.weight)?;
        if let Some((after, _)) = along {
            weight = domain.meet(&weight, after)?;
        }
        self.offer(domain, node, caller.below, rank, weight)
    }
}
