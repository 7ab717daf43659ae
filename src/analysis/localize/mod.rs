//! Causes of errors: what a failing run does that no correct run does (Ball, Naik, Rajamani 2003).
//!
//! | what | where |
//! | --- | --- |
//! | edges and vertices of the control-flow supergraph, lines of causes, halts | [`supergraph`] |
//! | the transitions of a failing run, state by state | [`trace`] |
//! | which transitions are correct, by backward path edges | [`correct`], `backward_path_edges` |
//! | the same by forward searches, without post\* of the whole program | [`forward_judgement`] |
//! | the correct run closest to the failing one | [`closest`] |
//! | programs that fail where another one is correct | [`correct_end_program`] |
//! | one failing run judged, by all of these together | [`judging`], [`correct_run`] |
//! | correct edges by a refined abstraction | [`refined`] |
//!
//! A run is *correct* for the assertion that a failing run violates if it reaches the same
//! assertion with its condition true. Some checks have no condition that could be true: an error
//! label, a call of `reach_error`, a statement that gives a variable a value that is stated as an
//! error. For them a run is correct if the program ends. A run that blocks, never ends, or fails
//! elsewhere is not correct.
//!
//! A *state* at a vertex is the globals and those locals of the frame that some later statement may
//! still read. Differs from the paper, which takes all variables in scope: a variable that no later
//! statement reads cannot matter, and it would make correct transitions look incorrect.

mod backward_path_edges;
pub mod closest;
pub mod correct;
pub mod correct_end_program;
pub mod correct_run;
pub mod forward_judgement;
pub mod judging;
pub mod refined;
pub mod supergraph;
pub mod trace;
