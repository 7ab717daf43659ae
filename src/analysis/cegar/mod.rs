//! Counterexample-guided abstraction refinement of symbolic pushdown systems by Craig interpolation (thesis, chapters 4 to 6).
//!
//! | part | where |
//! | --- | --- |
//! | all error traces of a round, as one DAG | [`dag`] |
//! | strongest, weakest and chosen interpolants; is the DAG spurious? | [`interpolant`], [`heuristic`] |

pub mod dag;
pub mod heuristic;
pub mod interpolant;
