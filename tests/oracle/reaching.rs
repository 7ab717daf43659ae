//! "Does a run come to this line?" against the explicit search, for every line of random programs.

use crate::explicit::{Settings, explore};
use crate::support::generate;
use crate::support::shrink::each;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::error_kind::ErrorKind;
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeMap;

#[test]
fn lines_are_reached_as_the_explicit_search_reaches_them() {
    let mut asked = [0, 0];
    each(7000..7120, generate::sequential, |seed, source| {
        let requested =
            RequestedOptions { dialect: Some(Dialect::Cimple), ..RequestedOptions::default() };
        let Some(program) = faultline::lang::load(source, &requested).program else { return };
        let settings = Settings { error: None, cap: 6000, keep_dead: true };
        let Some(oracle) = explore(&program, settings) else { return };
        // A run comes to a line if it comes to a statement that starts there.
        let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
        for id in program.edge_ids() {
            let line = program.edge(id).span.line;
            if program.stands_at(id, line) {
                *lines.entry(line).or_default() |= !oracle.arriving[id.0 as usize].is_empty();
            }
        }
        for (line, is_reached) in lines {
            let requested = RequestedOptions { reach: Some(line), ..requested.clone() };
            let (mut session, found) = Session::load(source, &requested);
            assert!(session.program().is_some(), "seed {seed}: {found:?}");
            session.start(Task::Check, Budgets::default());
            session.run();
            let expected = if is_reached { Outcome::Unsafe } else { Outcome::Safe };
            assert_eq!(session.outcome(), expected, "seed {seed}, line {line}\n{source}");
            if let Some(run) = session.failing_run() {
                assert_eq!((run.check.kind, run.check.line), (ErrorKind::Reached, line));
            }
            asked[usize::from(is_reached)] += 1;
        }
    });
    assert!(asked[0] >= 100 && asked[1] >= 500, "{asked:?}");
}
