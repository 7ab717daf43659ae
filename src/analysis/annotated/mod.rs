//! Approximations of V_n, the stores with which failing runs pass a statement n (Lal, Kidd, Reps,
//! Touili 2007, § 5.2).
//!
//! The product shows the exact set, by outer contexts
//! ([`super::error_projection::ErrorProjection::failing_at`]). The paper has no such way and gives
//! one approximation from below ([`witnesses`]) and one from above ([`triples`]); here they are for
//! comparison.

pub mod triples;
pub mod witnesses;
