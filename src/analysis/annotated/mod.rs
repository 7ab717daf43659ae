//! Approximations of V_n, the stores with which failing runs pass a statement n (Lal, Kidd, Reps,
//! Touili 2007, § 5.2).
//!
//! The exact set is read off the product of post\* and pre\* by outer contexts
//! ([`super::error_projection::ErrorProjection::failing_at`]). The paper does not compute this set.
//! It gives an approximation from below ([`witnesses`]) and one from above ([`triples`]); they are
//! here for comparison.

pub mod triples;
pub mod witnesses;
