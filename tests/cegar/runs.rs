//! Runs of the loop.

use crate::support::load::golden;
use crate::support::load::program_with;
use faultline::analysis::cegar::round::Ending;
use faultline::session::{Budgets, CegarSession, Job, Outcome};
use faultline::wire::options::{EffectiveOptions, RequestedOptions};
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Heuristic;

/// The text of a figure's program.
pub fn figure(name: &str) -> String {
    golden(&format!("cegar/{name}.cimple"))
}

/// A loop that has not begun.
pub fn set_up(
    source: &str,
    bits: Option<u32>,
    options: CegarOptions,
    budgets: Budgets,
) -> (CegarSession, EffectiveOptions) {
    let (program, read) =
        program_with(source, &RequestedOptions { bits, ..RequestedOptions::default() });
    (CegarSession::new(program, read.error, options, budgets), read)
}

/// A run to the end; every property of every round's interpolants was checked.
pub fn run(source: &str, bits: Option<u32>, heuristic: Heuristic) -> CegarSession {
    let options = CegarOptions { explain: true, ..CegarOptions::pure(heuristic) };
    let (mut session, _) = set_up(source, bits, options, Budgets::default());
    session.run();
    assert_eq!(session.fault(), None);
    session
}

/// Refinements, and the most predicates at a point, of a run that proved its program safe with an
/// invariant that was checked.
pub fn proved(source: &str, bits: Option<u32>, heuristic: Heuristic) -> (usize, usize) {
    let session = run(source, bits, heuristic);
    assert_eq!(session.outcome(), Outcome::Safe, "{heuristic:?}");
    let cegar = session.cegar().expect("it was set up");
    assert_eq!(cegar.ending(), Some(Ending::Safe(Ok(()))), "{heuristic:?}");
    (cegar.refinements(), cegar.abstract_program().predicates.longest())
}
