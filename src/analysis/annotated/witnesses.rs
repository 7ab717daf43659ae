//! V_n from below: the stores that witnesses bring to the statements on them (Lal, Kidd, Reps,
//! Touili 2007, §§ 5.1, 5.2).
//!
//! A witness is a failing run. Let it execute a statement n, and split it there into σ1 and σ2.
//! Then Com(pval(σ1), pval(σ2)) is part of V_n, and n is in the error projection without a query.
//! Differs from the paper: a witness is concrete (executed by the interpreter, with every choice
//! made), so that Com is one store for each time that n is executed.

use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{Cell, Copy, Valuation};
use crate::lang::interpreter::Assignment;
use crate::lang::model::EdgeId;
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

/// The stores of all witnesses. They are values, not diagrams, so a collection of garbage does not
/// concern them.
#[derive(Clone, Debug, Default)]
pub struct Witnesses {
    /// By edge: values of the variables in scope before it.
    stores: BTreeMap<EdgeId, BTreeSet<Assignment>>,
    count: usize,
}

impl Witnesses {
    /// Adds a failing run: its edges in order, with the values of the variables in scope before
    /// each, as bit patterns by element.
    pub fn add(&mut self, run: impl IntoIterator<Item = (EdgeId, Assignment)>) {
        self.count += 1;
        for (edge, store) in run {
            self.stores.entry(edge).or_default().insert(store);
        }
    }

    /// Failing runs added.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Does a witness execute the edge? Then it is in the error projection.
    pub fn is_lit(&self, edge: EdgeId) -> bool {
        self.stores.contains_key(&edge)
    }

    /// The stores before an edge on witnesses, over the variables in scope there.
    pub fn stores(&self, edge: EdgeId) -> impl Iterator<Item = &Assignment> {
        self.stores.get(&edge).into_iter().flatten()
    }

    /// The same as a diagram over [`Copy::Now`], in which variables out of scope have any value.
    /// Each store in it agrees in scope with one in V_n.
    pub fn failing_at(&self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let mut failing = Bdd::FALSE;
        for store in self.stores(edge) {
            let mut values = Valuation::default();
            for (variable, elements) in store {
                let cells = (0u32..).map(|element| Cell { variable: *variable, element });
                values.0.extend(cells.zip(elements.iter().copied()));
            }
            let cells: Vec<Cell> = values.0.keys().copied().collect();
            let here = reach.domain.fixed(&cells, Copy::Now, &values)?;
            failing = reach.domain.kernel.or(failing, here)?;
        }
        Ok(failing)
    }
}
