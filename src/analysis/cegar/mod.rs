//! Counterexample-guided abstraction refinement of symbolic pushdown systems by Craig interpolation (thesis, chapters 4 to 8).
//!
//! | part | where |
//! | --- | --- |
//! | predicates by point; abstract bits | [`predicates`], [`bits`] |
//! | existential abstraction | [`abstraction`], [`abstract_program`] |
//! | model checking the abstract program | [`search`] |
//! | all error traces of a round, as one DAG | [`dag`] |

pub mod abstract_program;
pub mod abstraction;
pub mod bits;
pub mod dag;
pub mod extraction;
pub mod predicates;
pub mod search;
