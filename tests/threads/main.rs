//! Programs with threads: own programs whose least numbers of switches are known by thought,
//! reports, and the comparison with an explicit search through all interleavings.
#![allow(unreachable_pub, missing_docs)]

#[path = "../support/allocator.rs"]
mod allocator;
mod analysis;
mod c_programs;
mod command;
mod convergence;
mod explained;
mod explicit;
mod golden;
mod interfaces;
mod opinions;
mod oracle;
mod parts;
mod pointers;
mod posix;
mod races;
mod recursion;
mod reports;
mod rising;
mod schedules;
mod sequential;
#[path = "../support/mod.rs"]
mod support;
mod twins;

pub use analysis::analysed;
