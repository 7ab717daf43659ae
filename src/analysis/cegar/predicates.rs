//! Localized predicates: for every point of the program a list of predicates that only grows
//! (thesis, 4.1, 7.2; Henzinger, Jhala, Majumdar, McMillan 2004).
//!
//! A predicate at a point may mention the signature of the nodes there ([`super::dag`]): the store
//! now, the store with which the frame was entered ([`Copy::Entry`](crate::encode::Copy::Entry) of
//! the tracked cells), and at a pivot also the callee's parameters.

use crate::bdd::{Bdd, impl_roots};
use crate::lang::model::{EdgeId, LocationId, ProcedureId};
use std::collections::BTreeMap;

/// A point of the program, where predicates are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramPoint {
    /// A location of the program.
    Location(LocationId),
    /// Between caller and callee of this call edge.
    Pivot(EdgeId),
    /// Behind a procedure's pop: ε.
    Returned(ProcedureId),
}

/// One predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its meaning.
    pub formula: Bdd,
    /// The round whose interpolant it is, from 1 on; 0 if it was given from outside.
    pub round: u32,
}

/// The lists of all points.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    at: BTreeMap<ProgramPoint, Vec<Predicate>>,
}

impl Predicates {
    /// Adds a predicate, unless it is constant or the list has it or its complement. Was it added?
    pub fn add(&mut self, point: ProgramPoint, formula: Bdd, round: u32) -> bool {
        if formula.is_constant() {
            return false;
        }
        let list = self.at.entry(point).or_default();
        if list.iter().any(|known| known.formula == formula || known.formula == !formula) {
            return false;
        }
        list.push(Predicate { formula, round });
        true
    }

    /// The list of a point, oldest first: the k-th predicate is the meaning of the k-th abstract
    /// bit there.
    pub fn at(&self, point: ProgramPoint) -> &[Predicate] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    /// All points with predicates, in order.
    pub fn points(&self) -> impl Iterator<Item = (ProgramPoint, &[Predicate])> {
        self.at.iter().map(|(point, list)| (*point, list.as_slice()))
    }

    /// The length of the longest list: so many abstract bits suffice (thesis, 7.1).
    pub fn longest(&self) -> usize {
        self.at.values().map(Vec::len).max().unwrap_or(0)
    }

    /// Predicates of all points.
    pub fn count(&self) -> usize {
        self.at.values().map(Vec::len).sum()
    }
}

impl_roots!(Predicates { at });
impl_roots!(Predicate { formula });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::{KernelLimits, Manager, Var};

    #[test]
    fn constants_doubles_and_complements_are_left_out() {
        let mut kernel = Manager::new(2, KernelLimits::NONE).unwrap();
        let (a, b) = (kernel.var(Var(0)).unwrap(), kernel.var(Var(1)).unwrap());
        let point = ProgramPoint::Location(LocationId(3));
        let mut predicates = Predicates::default();
        assert!(predicates.add(point, a, 1) && predicates.add(point, b, 2));
        for formula in [Bdd::TRUE, Bdd::FALSE, a, !a, !b] {
            assert!(!predicates.add(point, formula, 3));
        }
        assert!(predicates.add(ProgramPoint::Returned(ProcedureId(0)), !a, 3));
        assert_eq!((predicates.longest(), predicates.count()), (2, 3));
        assert_eq!(predicates.at(point).iter().map(|p| p.round).collect::<Vec<_>>(), [1, 2]);
    }
}
