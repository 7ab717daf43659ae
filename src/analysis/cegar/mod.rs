//! Counterexample-guided abstraction refinement of symbolic pushdown systems by Craig interpolation
//! (thesis, chapters 4 to 8).
//!
//! | part | where |
//! | --- | --- |
//! | predicates by point; abstract bits | [`predicates`], [`bits`] |
//! | existential abstraction | [`abstraction`], [`abstract_program`], [`sampling`] |
//! | model checking the abstract program | [`search`]; its exact error projection: [`projection`] |
//! | the abstract program as a program model | [`as_program`] |
//! | all error traces of a round, as one DAG | [`dag`]; read off the search by [`extraction`] |
//! | every property of interpolants, proved apart | [`check`] |
//! | a concrete run of a DAG that has a real trace | [`concrete_trace`] |
//! | the loop, its options, rounds and phases | [`refinement`], [`round`]; slicing first: [`mod@sliced`] |
//! | strongest, weakest and chosen interpolants; is the DAG spurious? | [`interpolant`], [`heuristic`]; of the slice alone: [`outline`] |

pub mod abstract_program;
pub mod abstraction;
pub mod as_program;
pub mod bits;
pub mod check;
pub mod concrete_trace;
pub mod dag;
mod dag_builder;
pub mod extraction;
pub mod heuristic;
pub mod interpolant;
pub mod outline;
pub mod predicates;
pub mod projection;
pub mod refinement;
pub mod round;
pub mod sampling;
pub mod search;
pub mod sliced;
