//! Liveness: automata against the formulas by definition, answers against an explicit product over
//! configurations, lassos and verdicts of hand-made programs.
#![allow(unreachable_pub, missing_docs, clippy::unwrap_used)]

#[path = "../support/allocator.rs"]
mod allocator;
mod automata;
mod early;
mod explicit;
mod formulas;
mod handmade;
mod oracle;
mod programs;
#[path = "../support/random.rs"]
#[allow(dead_code)]
mod random;
mod raw;
mod refined;
mod unrolled;

use faultline::lang::model::Program;
use faultline::report::liveness::liveness_report;
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessSession};
use faultline::wire::liveness::LivenessReport;
use faultline::wire::options::RequestedOptions;
use std::rc::Rc;

/// A program and its options.
fn load(source: &str) -> (Rc<Program>, faultline::wire::options::EffectiveOptions) {
    let loaded = faultline::lang::load(source, &RequestedOptions::default());
    let program = loaded.program.unwrap_or_else(|| panic!("{:?}\n{source}", loaded.diagnostics));
    (Rc::new(program), loaded.options)
}

/// The answer to a question about a program, where all runs count.
fn answer(source: &str, question: &LivenessQuestion, budgets: Budgets) -> LivenessReport {
    answer_of(source, question, false, budgets)
}

/// The same, where only fair runs may count.
fn answer_of(
    source: &str,
    question: &LivenessQuestion,
    fair: bool,
    budgets: Budgets,
) -> LivenessReport {
    let (program, options) = load(source);
    let program_of = Rc::clone(&program);
    let session = LivenessSession::new(program_of, source, &options, question, fair, budgets, None);
    let mut session = session.unwrap_or_else(|refusal| panic!("{refusal:?}\n{source}"));
    session.run();
    liveness_report(&program, &options, &session)
}
