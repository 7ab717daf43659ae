//! Counterexample-guided abstraction refinement of symbolic pushdown systems by Craig interpolation (thesis, chapters 4 to 6).
//!
//! | part | where |
//! | --- | --- |
//! | all error traces of a round, as one DAG | [`dag`] |
//! | every property of interpolants, proved apart | [`check`] |
//! | a concrete run of a DAG that has a real trace | [`concrete_trace`] |
//! | strongest, weakest and chosen interpolants; is the DAG spurious? | [`interpolant`], [`heuristic`] |

pub mod check;
pub mod concrete_trace;
pub mod dag;
mod dag_builder;
pub mod heuristic;
pub mod interpolant;
