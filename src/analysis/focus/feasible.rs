//! Can all constraints of a sequence hold? Their conjunction, partitioned into conjuncts over
//! disjoint sets of scalars.
//!
//! Comparisons come in groups; in a program for aircraft, for example, one group compares altitudes
//! and another one compares distances. The bits of all scalars are interleaved, so the size of one
//! diagram for several groups is about the product of their sizes. Conjuncts that share no scalar
//! need no common diagram: the conjunction is satisfiable iff each conjunct is, and its projection
//! to some scalars is given by the conjuncts over them. So nothing is approximated.

use super::inputs::Inputs;
use crate::bdd::{Bdd, impl_roots};
use crate::lang::model::{BinaryOperator, Expression, UnaryOperator, VariableId};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A diagram, and the numbers of the scalars that it mentions, ascending.
#[derive(Clone, Debug)]
struct Conjunct {
    truth: Bdd,
    over: Rc<[u32]>,
}

/// A conjunction of diagrams. No two of them mention the same scalar, and none of them is true. If
/// one is false, it is the only one.
#[derive(Clone, Debug, Default)]
pub(super) struct Conjunction {
    conjuncts: Vec<Conjunct>,
}

impl Conjunction {
    /// Is the conjunction unsatisfiable?
    pub(super) fn is_false(&self) -> bool {
        self.conjuncts.iter().any(|conjunct| conjunct.truth.is_false())
    }

    /// Adds `f` to the conjunction.
    pub(super) fn and(&mut self, inputs: &mut Inputs, f: Bdd) -> Bounded<()> {
        if f.is_true() || self.is_false() {
            return Ok(());
        }
        let over = inputs.places_of(f);
        let (met, mut apart): (Vec<Conjunct>, Vec<Conjunct>) = std::mem::take(&mut self.conjuncts)
            .into_iter()
            .partition(|conjunct| meet(&conjunct.over, &over));
        let mut joined = Conjunct { truth: f, over };
        for conjunct in met {
            joined.truth = inputs.kernel.and(joined.truth, conjunct.truth)?;
            joined.over = union(&joined.over, &conjunct.over);
        }
        if joined.truth.is_false() {
            apart.clear();
        }
        apart.push(joined);
        self.conjuncts = apart;
        Ok(())
    }

    /// Adds an expression of type bool, whose diagram is `truth`. If the expression is a
    /// conjunction, its parts are added one by one.
    pub(super) fn and_expression(
        &mut self,
        inputs: &mut Inputs,
        e: &Expression,
        truth: Bdd,
    ) -> Bounded<()> {
        let mut parts = Vec::new();
        conjuncts(e, &mut parts);
        if let [_] = parts[..] {
            return self.and(inputs, truth);
        }
        for (part, wanted) in parts {
            let part = inputs.truth(part)?;
            self.and(inputs, if wanted { part } else { !part })?;
        }
        Ok(())
    }

    /// Does `f` hold wherever this does?
    pub(super) fn implies(&self, inputs: &mut Inputs, f: Bdd) -> Bounded<bool> {
        if f.is_true() || self.is_false() {
            return Ok(true);
        }
        let over = inputs.places_of(f);
        let mut left = !f;
        for conjunct in self.conjuncts.iter().filter(|conjunct| meet(&conjunct.over, &over)) {
            if conjunct.truth == f {
                return Ok(true);
            }
            left = inputs.kernel.and(left, conjunct.truth)?;
            if left.is_false() {
                return Ok(true);
            }
        }
        Ok(left.is_false())
    }

    /// Does the other hold wherever this does?
    pub(super) fn implies_all(&self, inputs: &mut Inputs, other: &Conjunction) -> Bounded<bool> {
        for conjunct in &other.conjuncts {
            if !self.implies(inputs, conjunct.truth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The conjunction as a statement about the store with which the program starts: it holds of a
    /// store if some values of the inputs that are picked later satisfy it.
    pub(super) fn of_the_start(&self, inputs: &mut Inputs) -> Bounded<Conjunction> {
        let mut start = Conjunction::default();
        for conjunct in &self.conjuncts {
            let truth = inputs.of_the_start(conjunct.truth)?;
            start.and(inputs, truth)?;
        }
        Ok(start)
    }

    /// One model, if the conjunction can hold: the values of the elements that it mentions. All
    /// others are 0.
    pub(super) fn model(&self, inputs: &Inputs) -> FxHashMap<(VariableId, u32), u64> {
        self.conjuncts.iter().flat_map(|conjunct| inputs.model(conjunct.truth)).collect()
    }
}

impl_roots!(Conjunction { conjuncts });
impl_roots!(Conjunct { truth });

/// Splits a bool into the expressions that must hold each by itself, with the truth value that each
/// must have.
fn conjuncts<'a>(e: &'a Expression, into: &mut Vec<(&'a Expression, bool)>) {
    let mut waiting = vec![(e, true)];
    while let Some((e, wanted)) = waiting.pop() {
        match e {
            Expression::Unary(UnaryOperator::Not, inner) => waiting.push((inner, !wanted)),
            Expression::Binary(BinaryOperator::And, a, b) if wanted && a.scalar().boolean => {
                waiting.extend([(&**b, wanted), (&**a, wanted)])
            }
            Expression::Binary(BinaryOperator::Or, a, b) if !wanted && a.scalar().boolean => {
                waiting.extend([(&**b, wanted), (&**a, wanted)])
            }
            _ => into.push((e, wanted)),
        }
    }
}

/// Do two ascending lists have something in common?
fn meet(a: &[u32], b: &[u32]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => a.next(),
            std::cmp::Ordering::Greater => b.next(),
            std::cmp::Ordering::Equal => return true,
        };
    }
    false
}

fn union(a: &[u32], b: &[u32]) -> Rc<[u32]> {
    let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
