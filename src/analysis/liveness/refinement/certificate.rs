//! The proof that a product has no accepting run, from the abstraction that has none.
//!
//! The search of the abstract product has left a ranking ([`crate::analysis::liveness::ranking`]).
//! The meaning of its sets under the predicates is a ranking of the product's own heads. Here it is
//! checked of the product, edge by edge, with the relations of `encode`: along no edge the rank
//! grows, and into an accepting head it falls. That what a whole call does is what the abstraction
//! says of it, is the proof of the abstraction's invariant, which comes before.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::bits::AbstractCopy;
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::invariant::Invariant;
use crate::analysis::liveness::product::{Accepts, Product};
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{Cell, Copy, Layout, ProgramDomain, Valuation};
use crate::lang::model::{EdgeId, LocationId, Operation, VariableId};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The ranking of an abstract product, in the kernel that searched it.
pub struct AbstractRanking<'a> {
    /// Where its diagrams are.
    pub domain: &'a mut ProgramDomain,
    /// What was left at the beginning of each round, by location, and at last nothing.
    pub rounds: &'a [Vec<Bdd>],
    /// By procedure: the number of its frames, whose bits are the predicates.
    pub words: &'a [VariableId],
}

/// The check of a ranking of the product's heads, in progress.
pub struct Certificate {
    /// Over the abstract bits, by round and location.
    abstract_rounds: Vec<Vec<Bdd>>,
    /// Over the program's variables: so many rounds are known.
    rounds: Vec<Vec<Bdd>>,
    invariant: Option<Invariant>,
    next: u32,
}

impl_roots!(Certificate { abstract_rounds, rounds, invariant });

impl Certificate {
    /// Takes over a ranking into the kernel of the abstraction. The diagrams of both kernels must
    /// be kept meanwhile; nothing is collected.
    pub fn new(
        ranking: AbstractRanking<'_>,
        product: &Product,
        abstracted: &mut AbstractProgram,
    ) -> Bounded<Certificate> {
        let AbstractRanking { domain, rounds, words } = ranking;
        let locations = product.program.locations.len();
        let mut known = FxHashMap::default();
        let mut abstract_rounds = Vec::new();
        for round in rounds {
            let mut taken = Vec::new();
            for (at, set) in (0..).map(LocationId).zip(round).take(locations) {
                let word = words[product.program.location(at).procedure];
                taken.push(take_over(domain, abstracted, word, *set, &mut known)?);
            }
            abstract_rounds.push(taken);
        }
        Ok(Certificate { abstract_rounds, rounds: Vec::new(), invariant: None, next: 0 })
    }

    /// Says what the calls of the product do.
    pub fn set_invariant(&mut self, invariant: Option<Invariant>) {
        self.invariant = invariant;
    }

    /// Does a bounded piece of work. Returns whether the ranking is one, once that is known.
    pub fn step(
        &mut self,
        abstracted: &mut AbstractProgram,
        product: &Product,
    ) -> Bounded<Option<bool>> {
        if let Some(round) = self.abstract_rounds.get(self.rounds.len()) {
            let mut meant = Vec::new();
            for (at, bits) in (0..).map(LocationId).zip(round) {
                meant.push(match bits.is_false() {
                    true => Bdd::FALSE,
                    false => abstracted.meaning(ProgramPoint::Location(at), *bits)?,
                });
            }
            self.rounds.push(meant);
            return Ok(None);
        }
        if self.next as usize == product.program.edges.len() {
            return Ok(Some(self.starts_inside(abstracted, product)?));
        }
        let id = EdgeId(self.next);
        self.next += 1;
        let is_kept = self.keeps(abstracted, product, id)?;
        Ok((!is_kept).then_some(false))
    }

    fn starts_inside(&self, abstracted: &mut AbstractProgram, product: &Product) -> Bounded<bool> {
        let AbstractProgram { domain, relations, program, .. } = abstracted;
        let main = product.program.main_id();
        let initial = relations.initial(domain, program)?;
        let same = relations.entered(domain, main)?;
        let initial = domain.kernel.and(initial, same)?;
        let entry = product.program.procedure(main).entry;
        domain.kernel.is_subset(initial, self.rounds[0][entry.0 as usize])
    }

    /// Does the ranking hold along an edge?
    fn keeps(
        &self,
        abstracted: &mut AbstractProgram,
        product: &Product,
        id: EdgeId,
    ) -> Bounded<bool> {
        let program = Rc::clone(&abstracted.program);
        let edge = product.program.edge(id);
        for round in 0..self.rounds.len() - 1 {
            let AbstractProgram { domain, relations, .. } = &mut *abstracted;
            let from = edge.from.0 as usize;
            let (here, below) = (self.rounds[round][from], self.rounds[round + 1][from]);
            let leaving = domain.kernel.difference(here, below)?;
            if leaving.is_false() {
                continue;
            }
            let Operation::Call { callee, .. } = edge.operation else {
                let step = relations.step(domain, &program, id, None)?;
                let after = step.after(&mut domain.kernel, leaving)?;
                if !self.falls(abstracted, product, round, after, edge.to)? {
                    return Ok(false);
                }
                continue;
            };
            let call = relations.call(domain, &program, id)?;
            let pivot = call.push_after(&mut domain.kernel, leaving)?;
            let entered = call.enter_after(&mut domain.kernel, pivot)?;
            let same = relations.entered(domain, callee)?;
            let entered = domain.kernel.and(entered, same)?;
            let called = product.program.procedure(callee);
            let invariant = self.invariant.as_ref();
            let exit = invariant.map_or(Bdd::FALSE, |invariant| invariant.at(called.exit));
            let returned = relations.popped(domain, callee, exit)?;
            let effect = call.effect(&mut domain.kernel, returned)?;
            let after = call.return_after(&mut domain.kernel, pivot, effect)?;
            let entry = called.entry;
            if !self.falls(abstracted, product, round, entered, entry)?
                || !self.falls(abstracted, product, round, after, edge.to)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Do these successors of heads of this rank have a rank that is not greater, and a lesser one
    /// where they accept?
    fn falls(
        &self,
        abstracted: &mut AbstractProgram,
        product: &Product,
        round: usize,
        after: Bdd,
        to: LocationId,
    ) -> Bounded<bool> {
        if after.is_false() {
            return Ok(true);
        }
        let AbstractProgram { domain, .. } = abstracted;
        let same = self.rounds[round][to.0 as usize];
        let accepting = accepting(domain, product, to)?;
        let accepting = domain.kernel.and(same, accepting)?;
        let kernel = &mut domain.kernel;
        let wrong = kernel.or(self.rounds[round + 1][to.0 as usize], accepting)?;
        Ok(kernel.is_subset(after, self.rounds[0][to.0 as usize])?
            && kernel.disjoint(after, wrong)?)
    }
}

/// The stores that accept at a place.
fn accepting(domain: &mut ProgramDomain, product: &Product, at: LocationId) -> Bounded<Bdd> {
    let (variable, values): (_, &[u64]) = match product.accepts[at] {
        Accepts::None => return Ok(Bdd::FALSE),
        Accepts::All => return Ok(Bdd::TRUE),
        Accepts::ByState => (product.state, &product.accepting),
        Accepts::ByCall => (product.passed, &[1]),
    };
    let Some(variable) = variable else {
        return Ok(Bdd::constant(product.accepts[at] == Accepts::ByState));
    };
    let cell = Cell { variable, element: 0 };
    let mut any = Bdd::FALSE;
    for value in values {
        let mut store = Valuation::default();
        store.0.insert(cell, *value);
        let one = domain.fixed([&cell], Copy::Now, &store)?;
        any = domain.kernel.or(any, one)?;
    }
    Ok(any)
}

/// A set of frames, by their number, as a set of abstract bits ([`AbstractCopy::Now`]).
fn take_over(
    from: &mut ProgramDomain,
    to: &mut AbstractProgram,
    word: VariableId,
    set: Bdd,
    known: &mut FxHashMap<(VariableId, Bdd), Bdd>,
) -> Bounded<Bdd> {
    if set.is_constant() {
        return Ok(set);
    }
    if let Some(found) = known.get(&(word, set)) {
        return Ok(*found);
    }
    let level = from.kernel.support(set).first().copied().ok_or(Limit::Nodes)?;
    let [high, low] = [true, false].map(|value| from.kernel.cofactor(set, &[(level, value)]));
    let high = take_over(from, to, word, high?, known)?;
    let low = take_over(from, to, word, low?, known)?;
    let found = match bit_of(&from.layout, word, level) {
        Some(bit) => {
            let level = to.bits.level(bit, AbstractCopy::Now)?;
            let kernel = &mut to.domain.kernel;
            let bit = kernel.var(level)?;
            kernel.ite(bit, high, low)?
        }
        // What else a frame knows is no predicate.
        None => to.domain.kernel.or(high, low)?,
    };
    known.insert((word, set), found);
    Ok(found)
}

/// Which bit of the number now is this?
fn bit_of(layout: &Layout, word: VariableId, level: crate::bdd::Var) -> Option<usize> {
    let cell = Cell { variable: word, element: 0 };
    layout.cell(cell, Copy::Now).into_iter().position(|known| known == level)
}
