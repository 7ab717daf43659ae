//! The product's answer, through its façade.

use crate::support::load::{in_dialect, session_with};
use faultline::session::{Budgets, Job, ThreadsOptions, ThreadsSession};
use faultline::wire::options::Dialect;
use std::rc::Rc;

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
