//! Programs with threads: own programs whose least numbers of switches are known by thought,
//! reports, and the comparison with an explicit search through all interleavings.
#![allow(unreachable_pub, missing_docs)]

mod c_programs;
mod command;
mod explicit;
mod golden;
mod interfaces;
mod opinions;
mod oracle;
mod parts;
mod reports;
mod rising;
mod sequential;
#[path = "../support/mod.rs"]
mod support;
mod twins;

use faultline::session::{Budgets, Job, ThreadsOptions, ThreadsSession};
use faultline::wire::options::Dialect;
use std::rc::Rc;
use support::load::{in_dialect, session_with};

/// An analysis of a source text, run to its end.
pub fn analysed(
    source: &str,
    dialect: Dialect,
    asked: ThreadsOptions,
    budgets: Budgets,
) -> ThreadsSession {
    let session = session_with(source, &in_dialect(dialect));
    let program = Rc::new(session.program().expect("a program").clone());
    let mut threads = ThreadsSession::new(program, session.options(), asked, budgets);
    threads.run();
    threads
}
