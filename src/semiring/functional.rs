//! Functional weights λz. a ⊗ z ⊗ b (Lal, Kidd, Reps, Touili 2007, § 4).
//!
//! They distribute over the semiring's ⊕, so path problems over them can be solved, but they are no
//! semiring: the combine of two of them need not have this form.

use super::Semiring;
use crate::util::Bounded;

/// λz. `before` ⊗ z ⊗ `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionalWeight<W> {
    /// The weight that runs first.
    pub before: W,
    /// The weight that runs last.
    pub after: W,
}

impl<W> FunctionalWeight<W> {
    /// W(z).
    pub fn apply<S: Semiring<Weight = W>>(&self, semiring: &mut S, z: &W) -> Bounded<W> {
        let left = semiring.extend(&self.before, z)?;
        semiring.extend(&left, &self.after)
    }

    /// W1 ⊗ W2 = W2 ∘ W1. `inner` is applied first and ends up inside.
    pub fn around<S: Semiring<Weight = W>>(
        &self,
        semiring: &mut S,
        inner: &FunctionalWeight<W>,
    ) -> Bounded<FunctionalWeight<W>> {
        let before = semiring.extend(&self.before, &inner.before)?;
        let after = semiring.extend(&inner.after, &self.after)?;
        Ok(FunctionalWeight { before, after })
    }
}
