//! The refinement loop on the corpus: on every sequential program each heuristic gives `check`'s
//! verdict where both decide.

use crate::index::cases;
use faultline::analysis::cegar::round::Ending;
use faultline::session::{Budgets, CegarSession, Job, Outcome, Session, Task};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Heuristic;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// Steps of the kernel for each question; the table in `docs/measurements.md` has more.
const STEPS: u64 = 200_000;

/// What one heuristic decided, what it left open, and how many obligations of its interpolants were
/// proved.
#[derive(Default, Debug)]
struct Tally {
    safe: u32,
    failing: u32,
    undecided: u32,
    proved: u64,
}

fn compare(
    name: &str,
    source: &str,
    requested: &RequestedOptions,
    tallies: &mut BTreeMap<Heuristic, Tally>,
) -> bool {
    let (mut session, _) = Session::load(source, requested);
    let Some(program) = session.program().cloned() else { return false };
    let budgets = Budgets { max_nodes: 1_000_000, max_steps: STEPS, ..Budgets::default() };
    session.start(Task::Check, budgets);
    session.run();
    let expected = session.outcome();
    if !matches!(expected, Outcome::Safe | Outcome::Unsafe) {
        return false;
    }
    let program = Rc::new(program);
    for heuristic in Heuristic::ALL {
        let options = CegarOptions::pure(heuristic);
        let mut session = CegarSession::new(Rc::clone(&program), None, options, budgets);
        session.run();
        assert_eq!(session.fault(), None, "{name}, {heuristic:?}");
        let tally = tallies.entry(heuristic).or_default();
        tally.proved += session.rounds().iter().map(|round| round.proved).sum::<u64>();
        match session.outcome() {
            Outcome::Unknown(_) => tally.undecided += 1,
            found => {
                assert_eq!(found, expected, "{name}, {heuristic:?}");
                match session.cegar().and_then(|cegar| cegar.ending()) {
                    Some(Ending::Safe(Ok(()))) => tally.safe += 1,
                    // The limit was met while the invariant was proved.
                    Some(Ending::Safe(Err(_))) => tally.undecided += 1,
                    _ => tally.failing += 1,
                }
            }
        }
    }
    true
}

/// The known answers hold with each suite's own errors; what is known unsafe is run with every
/// check on, as in [`crate::c`].
pub(crate) fn every_heuristic_gives_the_verdict_of_check(folder: &Path) {
    let mut tallies = BTreeMap::new();
    let mut compared = 0;
    for case in cases(folder, "c/index.tsv").iter().filter(|case| case.name.starts_with("c/seq/")) {
        let all = case.known == "unsafe";
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            bits: Some(32),
            checks: Some(Checks {
                bounds: all,
                division: all,
                overflow: all,
                shift: all,
                ..Checks::NONE
            }),
            ..RequestedOptions::default()
        };
        compared += u32::from(compare(&case.name, &case.source, &requested, &mut tallies));
    }
    for case in cases(folder, "bp/index.tsv") {
        let requested = RequestedOptions {
            dialect: Some(Dialect::BooleanProgram),
            ..RequestedOptions::default()
        };
        compared += u32::from(compare(&case.name, &case.source, &requested, &mut tallies));
    }
    assert!(compared >= 150, "{compared}");
    for (heuristic, tally) in &tallies {
        let decided = tally.safe + tally.failing;
        assert!(
            tally.safe >= 80 && tally.failing >= 50 && decided >= 6 * tally.undecided,
            "{heuristic:?}: {tally:?}"
        );
        assert!(tally.proved >= 5_000, "{heuristic:?}: {tally:?}");
    }
}
