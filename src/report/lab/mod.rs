//! Reports of the pushdown lab.
//!
//! A [`LabReport`](crate::wire::lab::LabReport) holds one automaton for each saturation: its
//! picture, laid out once for the automaton as it is at the end, and the steps that lead there. The
//! changes of steps 0 to k give the automaton after step k. So the page needs no further question
//! to show it, and no box moves.

mod answers;
mod record;
mod words;

pub use answers::{lab_transfer, lab_weight, lab_witness, problems};
pub use record::{MOST_DRAWN, lab_report};
