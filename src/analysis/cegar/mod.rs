//! Counterexample-guided abstraction refinement of symbolic pushdown systems by Craig interpolation
//! (thesis: *Counterexample-guided abstraction refinement for symbolic pushdown systems*, chapters
//! 4 to 8).
//!
//! | part | where |
//! | --- | --- |
//! | predicates by point of the program; the abstract bits for them | [`predicates`], [`bits`] |
//! | existential abstraction of the rules | [`abstraction`], [`abstract_program`], [`sampling`] |
//! | model checking the abstract program; its exact error projection | [`search`], [`projection`] |
//! | the abstract program as a program model | [`as_program`] |
//! | all error traces of a round as one DAG, and how it is read off the search | [`dag`], [`extraction`], [`extracted`] |
//! | interpolants of a DAG: strongest, weakest, chosen; is the DAG spurious? | [`interpolants`], [`interpolation`], [`heuristic`] |
//! | strongest interpolants of the slice of the errors alone | [`sliced_interpolants`], [`mod@sliced`] |
//! | nodes that need no predicate | [`lazy`] |
//! | rounds that follow whole variables, once predicates have had their share | `following` |
//! | every property of interpolants, proved apart | [`check`] |
//! | a concrete run of a DAG that has a real trace | [`concrete_trace`] |
//! | the loop, its phases, options and rounds | [`refinement`], [`round`] |

pub mod abstract_program;
pub mod abstraction;
pub mod as_program;
pub mod bits;
pub mod check;
mod chosen;
pub mod concrete;
pub mod concrete_trace;
pub mod dag;
pub mod dag_builder;
pub mod extracted;
pub mod extraction;
pub(in crate::analysis) mod following;
pub mod heuristic;
pub mod interpolants;
pub mod interpolation;
pub mod lazy;
pub mod predicates;
pub mod projection;
pub mod refinement;
pub mod round;
pub mod sampling;
pub mod search;
pub mod sliced;
pub mod sliced_interpolants;
mod strongest;
