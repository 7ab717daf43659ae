//! Sequentializable tensor products: tuples of weights that can be combined without losing which
//! weights belong together (Lal, Touili, Kidd, Reps 2007, Defs 13 and 15).

use super::Semiring;
use crate::util::Bounded;

/// The n-th sequentializable tensor product of a domain, itself a domain. For weights w and w' of
/// the base, and t of the product:
///
/// 1. ⊙(w1, …, wn) ⊗ ⊙(w1', …, wn') = ⊙(w1 ⊗ w1', …, wn ⊗ wn');
/// 2. detensor(⊙(w1, …, wn)) = w1 ⊗ … ⊗ wn;
/// 3. detensor(t1 ⊕ t2) = detensor(t1) ⊕ detensor(t2).
///
/// Tuples with a componentwise ⊕ do not satisfy the third law: their sum has terms of w1 from one
/// tuple and w2 from another. The product is transposable (TSTP): w1ᵀ ⊗ w2ᵀ = (w2 ⊗ w1)ᵀ, (wᵀ)ᵀ =
/// w, and [`Tensors::transposed_detensor`] of ⊙(w1, …, wn) is w1 ⊗ w2ᵀ ⊗ w3 ⊗ ….
pub trait Tensors: Semiring {
    /// The domain of the factors.
    type Base: Semiring;
    /// n.
    fn factors(&self) -> usize;
    /// The domain of the factors.
    fn base(&mut self) -> &mut Self::Base;
    /// ⊙ of n weights. If there are fewer, the rest are 1.
    fn tensor(&mut self, weights: &[<Self::Base as Semiring>::Weight]) -> Bounded<Self::Weight>;
    /// The factors, extended in order.
    fn detensor(&mut self, tensor: &Self::Weight) -> Bounded<<Self::Base as Semiring>::Weight>;
    /// wᵀ.
    fn transpose(
        &mut self,
        weight: &<Self::Base as Semiring>::Weight,
    ) -> Bounded<<Self::Base as Semiring>::Weight>;
    /// The factors, extended in order, every second one transposed.
    fn transposed_detensor(
        &mut self,
        tensor: &Self::Weight,
    ) -> Bounded<<Self::Base as Semiring>::Weight>;
}
