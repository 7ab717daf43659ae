//! Where the error is: causes by correct traces, focus-statement sequences, suspicious statements,
//! repairs, and the explanation that the page makes of them. What must come out of the papers'
//! figures is stated from the papers.
#![allow(unreachable_pub, missing_docs)]

mod causes;
mod edits;
mod explain;
mod focus;
mod repair;
mod students;
#[path = "../support/mod.rs"]
mod support;
mod suspects;
