//! The correct run closest to a failing one, T.
//!
//! Let T = s₀ … sₙ be the statements of a failing run. A correct run is *closest* if, in this
//! order,
//!
//! 1. it shares the most transitions with T from the start on: the same statements in the same
//!    states;
//! 2. where it no longer shares them, and as long as it still executes T's statements, it picks the
//!    fewest values (of variables at the start, of choices, of a callee's locals) that differ from
//!    T's;
//! 3. it executes T's statements, one by one, for longest;
//! 4. it is shortest from there on.
//!
//! So inputs are the same as far as they can be, and the two runs part as late as they can. A state
//! is that of [`super`]: variables that no statement reads any more do not count.
//!
//! | what | where |
//! | --- | --- |
//! | the measure, computed for one correct run | [`closeness`] |
//! | a close run, found by the interpreter alone | [`discrepancy_search`] |
//! | the closest run, as a cheapest run of another program | [`alignment_program`] |
//! | the check of a claimed correct run by the interpreter | [`replay`] |
//!
//! Not in Ball, Naik, Rajamani 2003, who show the failing run alone; § 8 asks for more of the
//! correct ones.

pub mod alignment_program;
pub mod closeness;
pub mod discrepancy_search;
pub mod replay;

use crate::lang::interpreter::ConcreteRun;

/// A correct run, with the part that it shares with T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosestRun {
    /// Its steps; where the correct end is a check, the last one is the statement whose check
    /// holds.
    pub run: ConcreteRun,
    /// How many statements from the start on it executes in the same states as T; `None` if it
    /// starts in another one.
    pub shared: Option<usize>,
}
