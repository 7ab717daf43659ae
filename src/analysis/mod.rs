//! The analyses.
//!
//! | analysis | where | source |
//! | --- | --- | --- |
//! | which stores are reached, does an error occur | [`reach`] | post\* |
//! | a concrete failing run | [`counterexample`] | read off post\*'s history, replayed by the interpreter |
//! | the interpreter executes what was found | [`replay`] | |
//! | a failing run, tried with wider integers | [`widened`], [`path_program`] | |
//! | a shortest one, also through given statements | [`shortest_run`] | Knuth 1977; Lal, Kidd, Reps, Touili 2007, Def. 9 |
//! | why nothing fails, and its proof | [`invariant`] | read off post\*, checked by weakest preconditions |
//! | programs of which only distances between variables matter | [`distances`] | Emerson, Sistla 1996 |
//! | every statement on a failing run | [`error_projection`] | Lal, Kidd, Reps, Touili 2007 |
//! | which stores fail at a statement, from below and from above | [`annotated`] | the same, § 5.2 |
//! | the same, asked statement by statement | [`chop`] | the same, § 4 |
//! | the slice of the errors | [`mod@slice`] | Horwitz, Reps, Binkley 1990 |
//! | reachability and projection of raw pushdown systems | [`raw_reach`] | Schwoon 2002; Lal, Kidd, Reps, Touili 2007, Def. 8 |
//! | loops that no run leaves, conditions that are constant | [`noticed`] | read off post\* |
//! | a saturation, step by step, with witnesses | [`recorded`] | Reps, Schwoon, Jha, Melski 2005, § 3.2 |
//! | abstraction and refinement by interpolants | [`cegar`] | the thesis, chapters 4 to 6 |
//! | focus-statement sequences, Reduce and NEST | [`focus`] | Error Explanation by Focus-Statement Sequences |
//! | what a failing run does that no correct run does | [`localize`] | Ball, Naik, Rajamani 2003 |
//! | edits that may mend a failing program | [`repair`] | after both of the last two |
//! | statements by what their best mutant does on known runs | [`suspects`] | Moon, Kim, Kim, Yoo 2014; Papadakis, Le Traon 2015 |
//! | programs with threads under a bound on context switches | [`threads`] | Lal, Touili, Kidd, Reps 2007 |
//! | affine equalities under such a bound | [`affine_threads`] | the same, § 4.2.1, App. B.2 |
//! | the same, by interfaces of threads | [`interfaces`] | the same, § 5 to 7, App. B |
//! | formulas of linear temporal logic, and termination | [`liveness`] | Schwoon 2002, ch. 3; the thesis, 8.2 |
//! | why a statement is on no failing run | [`why_not`] | the same, § 2 |

pub mod affine;
pub mod affine_threads;
pub mod annotated;
mod backward;
pub mod budgets;
pub mod cegar;
pub mod chop;
pub mod counterexample;
pub mod distances;
pub mod early;
mod entered;
pub mod error_projection;
pub mod execution;
pub mod focus;
pub mod interfaces;
mod interner;
pub mod invariant;
pub mod liveness;
pub mod localize;
pub mod noticed;
pub mod path_program;
pub mod raw_analysis;
pub mod raw_reach;
pub mod raw_relation;
pub mod raw_total;
pub mod reach;
pub mod recorded;
mod remembered;
pub mod repair;
pub mod replay;
pub mod shortest_run;
pub mod slice;
pub mod suspects;
pub mod thread_search;
pub mod threads;
pub mod why_not;
pub mod widened;
