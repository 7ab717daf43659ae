//! Liveness: formulas of linear temporal logic, and termination, on recursive programs.
//!
//! The negation of the formula becomes a Büchi automaton ([`automaton`]); program and automaton
//! become one program ([`product`]); in its graph of heads a search looks for a reachable head that
//! repeats and accepts ([`heads`]: Schwoon 2002, ch. 3; Esparza, Hansel, Rossmanith, Schwoon 2000;
//! Emerson and Lei 1986). If there is one, two probes give a concrete prefix and a concrete cycle
//! ([`probe`]), which the interpreter replays ([`lasso`]). If there is none, the rounds of the
//! search are a ranking, which is checked apart ([`ranking`]). Runs that violate the formula in
//! finitely many steps and end are found earlier, as failing runs are ([`bad_prefix`]). If some run
//! violates the formula, the statements of all such runs are an error projection ([`violating`]).
//! On request the product is abstracted and refined instead of searched itself ([`refinement`]: the
//! thesis, 8.2). A pushdown system without a program is asked as one ([`raw_program`]).
//!
//! A state of a run is what stands before a statement, at a procedure's entry or at its end
//! ([`places`]). A run that ends stays in its last state for ever. A run that an assumption blocks
//! does not count. On request only fair runs count ([`fairness`]).

pub mod atoms;
pub mod automaton;
pub mod bad_prefix;
pub mod fairness;
pub mod formula;
pub mod heads;
pub mod lasso;
mod names;
pub mod parser;
pub mod places;
pub mod probe;
pub mod product;
pub mod ranking;
pub mod raw_program;
mod raw_terms;
pub mod refinement;
mod tokens;
pub mod violating;
pub mod word;
