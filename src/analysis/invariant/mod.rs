//! Inductive invariants: the proof of a verdict "safe".
//!
//! A set of stores per location is not inductive across returns, as a return would mix up callers.
//! So an invariant has, for each location n of a procedure, a relation R_n between the globals and
//! parameters with which the frame was entered and the globals and locals now:
//!
//! * at the start, R_entry(main) holds of every initial store, entry and now being the same;
//! * every statement n → m keeps it: R_n ∧ statement ⊨ R_m;
//! * R_call ∧ push ⊨ R_entry(callee), where entry and now are the same;
//! * R_call ∧ push ∧ R_exit(callee) ∧ merge ⊨ R_return;
//! * R_n ∧ ¬assertion is empty, for every enabled error.
//!
//! [`Invariant::of`] reads one off a complete post\*: the weights there are such relations.
//! [`check`] proves the obligations again from the program and the relations alone. It substitutes
//! values into R_m (weakest preconditions), while post\* computes images of sparse effects.
//! `tests/oracle/proof` turns them into CNF with a second bit-blaster and asks a SAT solver.
//!
//! Where a variable is stored with fewer bits than it has, a relation says nothing of the others: a
//! statement must also write only values that the stored bits tell apart, and no procedure may read
//! such a local before it has written it. So the proof does not trust the ranges that post\* used.
//!
//! Relations may be weaker than the reached stores (dead locals may have any value). The
//! obligations are about the program's own statements.

pub mod check;
pub mod proving;
pub(in crate::analysis) mod weakest;

use super::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{Cell, Copy, ProgramDomain, symbol};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::util::Bounded;

/// R_n for every location n: diagrams over the entry copies ([`Copy::Entry`]) of the tracked cells
/// and over [`Copy::Now`]. A cell that is not tracked has its value from the entry in every R_n,
/// and the diagrams do not state this.
#[derive(Clone, Debug)]
pub struct Invariant {
    at: Vec<Bdd>,
    tracked: Vec<Vec<Cell>>,
}

impl Invariant {
    /// The invariant that a complete post\* holds.
    pub fn of(reach: &mut Reach) -> Bounded<Invariant> {
        let mut at = Vec::new();
        for location in (0..reach.program.locations.len() as u32).map(LocationId) {
            let mut relation = Bdd::FALSE;
            for (_, transition) in reach.at(symbol(location)) {
                let weight = *reach.poststar.automaton().weight(transition);
                relation = reach.domain.kernel.or(relation, weight)?;
            }
            at.push(relation);
        }
        let tracked = reach.domain.frames.iter().map(|frame| frame.tracked.clone()).collect();
        Ok(Invariant { at, tracked })
    }

    /// An invariant from relations by location, with the tracked globals and parameters by
    /// procedure.
    pub fn new(at: Vec<Bdd>, tracked: Vec<Vec<Cell>>) -> Invariant {
        Invariant { at, tracked }
    }

    /// R_n: the entry copies of the procedure's tracked cells, and the store now. False if no
    /// run reaches the location.
    pub fn at(&self, location: LocationId) -> Bdd {
        self.at.get(location.0 as usize).copied().unwrap_or(Bdd::FALSE)
    }

    /// R_n with every bit of the cells that it is about (see [`ProgramDomain::in_full`]).
    pub fn in_full(
        &self,
        domain: &mut ProgramDomain,
        program: &Program,
        location: LocationId,
    ) -> Bounded<Bdd> {
        let tracked = self.tracked(program.location(location).procedure);
        let relation = domain.in_full(self.at(location), Copy::Entry, tracked, |_| true)?;
        domain.stores_in_full(program, location, relation)
    }

    /// The same invariant with every bit of the cells that it is about.
    pub fn whole(&self, domain: &mut ProgramDomain, program: &Program) -> Bounded<Invariant> {
        let locations = (0..self.at.len() as u32).map(LocationId);
        let at = locations.map(|location| self.in_full(domain, program, location));
        Ok(Invariant { at: at.collect::<Bounded<_>>()?, tracked: self.tracked.clone() })
    }

    /// The globals and parameters that may differ from what they were at the frame's entry.
    pub fn tracked(&self, procedure: ProcedureId) -> &[Cell] {
        self.tracked.get(procedure.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The stores at a location over [`Copy::Now`], for all values at the entry.
    pub fn stores(&self, reach: &mut Reach, location: LocationId) -> Bounded<Bdd> {
        let procedure = reach.program.location(location).procedure;
        let entry = reach.domain.layout.cells_levels(self.tracked(procedure), Copy::Entry);
        let entry = reach.domain.kernel.var_set(&entry);
        reach.domain.kernel.exists(self.at(location), entry)
    }
}

impl_roots!(Invariant { at });
