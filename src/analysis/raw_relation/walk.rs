//! Reads a shortest run off pre\*, forwards. Each rule leads to a configuration and a store from
//! which the rest of the run needs exactly the remaining length.

use super::{LONGEST_RUN, Lengths, RelationReach, RelationRun};
use crate::analysis::raw_reach::RawPhase;
use crate::bdd::Bdd;
use crate::encode::RawRole;
use crate::lang::raw::replay::Configuration;
use crate::lang::raw::transformer::Store;
use crate::lang::raw::{StateId, SymbolId};
use crate::pds::{ControlLocation, Right, StackSymbol, State};
use crate::semiring::{PathCost, Semiring};
use crate::util::Bounded;
use rustc_hash::FxHashMap;

/// A run that is being read.
pub(super) struct Walk {
    at: ControlLocation,
    /// The stack, bottom first. Each symbol has, by state of the pre\* automaton, the weight of
    /// reading the stack from this symbol down to acceptance.
    stack: Vec<(StackSymbol, FxHashMap<State, Lengths>)>,
    store: Store,
    left: PathCost,
    run: Option<RelationRun>,
}

impl RelationReach {
    /// Begins to read a run. `pairs` relates the stores before and after the shortest runs, which
    /// need `left`.
    pub(super) fn begin_walk(&mut self, left: PathCost, pairs: Bdd) -> Bounded<()> {
        if left.weight > LONGEST_RUN as u64 {
            self.too_long = true;
            return Ok(());
        }
        let starts = self.costs.semiring.relations.kernel.exists(pairs, self.news)?;
        let Some(store) = self.stores.pick(&self.costs.semiring.relations.kernel, starts, false)
        else {
            return Ok(());
        };
        let first = self.question.first;
        let mut stack = Vec::new();
        for symbol in first.1.iter().rev() {
            self.put(&mut stack, *symbol)?;
        }
        self.walk = Some(Walk { at: first.0, stack, store, left, run: None });
        Ok(())
    }

    /// Pushes a symbol.
    fn put(
        &mut self,
        stack: &mut Vec<(StackSymbol, FxHashMap<State, Lengths>)>,
        symbol: StackSymbol,
    ) -> Bounded<()> {
        let mut above: FxHashMap<State, Lengths> = FxHashMap::default();
        for (transition, weight) in
            self.pre.automaton().transitions().iter().zip(self.pre.automaton().weights())
        {
            if transition.symbol != Some(symbol) {
                continue;
            }
            let rest = match stack.last() {
                Some((_, below)) => below.get(&transition.to),
                None => self.pre.automaton().is_final(transition.to).then_some(&self.costs_one),
            };
            let Some(rest) = rest else { continue };
            let whole = self.costs.semiring.extend(weight, rest)?;
            let sum = match above.get(&transition.from) {
                Some(old) => self.costs.semiring.combine(old, &whole)?,
                None => whole,
            };
            above.insert(transition.from, sum);
        }
        stack.push((symbol, above));
        Ok(())
    }

    /// Goes on by one rule of the question, to a place from which exactly the remaining length is
    /// needed.
    pub(super) fn walk_on(&mut self) -> Bounded<()> {
        let Some(mut walk) = self.walk.take() else { return Ok(()) };
        if walk.at == self.question.last.0 {
            if let Some(mut run) = walk.run {
                run.stores.push(walk.store);
                self.run = Some(run);
            }
            self.phase = self.after_walk()?;
            return Ok(());
        }
        let Some((top, _)) = walk.stack.pop() else { return self.lost() };
        let rules = self.question.pds.from_head(walk.at, top).to_vec();
        for id in rules {
            let rule = self.question.pds.rule(id);
            let cost = match self.costs.weights[id].first() {
                Some((Some(cost), _)) => *cost,
                _ => continue,
            };
            let Some((weight, length)) = walk
                .left
                .weight
                .checked_sub(cost.weight)
                .zip(walk.left.length.checked_sub(cost.length))
            else {
                continue;
            };
            let left = PathCost { weight, length };
            let height = walk.stack.len();
            match rule.right {
                Right::Pop => {}
                Right::Step(symbol) => self.put(&mut walk.stack, symbol)?,
                Right::Push(symbol, below) => {
                    self.put(&mut walk.stack, below)?;
                    self.put(&mut walk.stack, symbol)?;
                }
            }
            if let Some(store) =
                self.next_store(&walk, id.0 as usize, State::from(rule.to), left)?
            {
                self.note_step(&mut walk, id.0 as usize, rule.to, store);
                walk.left = left;
                self.walk = Some(walk);
                return Ok(());
            }
            walk.stack.truncate(height);
        }
        self.lost()
    }

    /// A store after a rule of the question from which exactly `left` is needed.
    fn next_store(
        &mut self,
        walk: &Walk,
        rule: usize,
        to: State,
        left: PathCost,
    ) -> Bounded<Option<Store>> {
        let Some(lengths) = walk.stack.last().and_then(|(_, above)| above.get(&to)) else {
            return Ok(None);
        };
        let Some((_, pairs)) = lengths.iter().find(|(cost, _)| *cost == Some(left)) else {
            return Ok(None);
        };
        let Some((_, relation)) = self.costs.weights[rule].first() else { return Ok(None) };
        let kernel = &mut self.costs.semiring.relations.kernel;
        let behind = kernel.cofactor(*relation, &self.stores.before(&walk.store))?;
        let from = kernel.exists(*pairs, self.news)?;
        let from = kernel.rename(from, self.old_to_new)?;
        let both = kernel.and(behind, from)?;
        Ok(self.stores.pick(kernel, both, true))
    }

    fn note_step(&self, walk: &mut Walk, rule: usize, to: ControlLocation, store: Store) {
        let before = std::mem::replace(&mut walk.store, store);
        if let (RawRole::Own(own), Some(run)) = (self.question.roles[rule], &mut walk.run) {
            run.rules.push(own);
            run.stores.push(before);
        }
        walk.at = to;
        if walk.run.is_none() && self.question.is_own(to) {
            // The symbol at the bottom is only a marker.
            let stack = walk.stack.iter().skip(1).map(|(symbol, _)| SymbolId(symbol.0)).collect();
            let start = Configuration { state: StateId(to.0), stack };
            walk.run = Some(RelationRun { start, rules: Vec::new(), stores: Vec::new() });
        }
    }

    fn lost(&mut self) -> Bounded<()> {
        self.fault = Some("a run could not be followed".to_string());
        self.phase = RawPhase::Done;
        Ok(())
    }
}
