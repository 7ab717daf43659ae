//! The passing run that is closest to a failing one, as data.

use crate::report::executed::{Executed, value};
use crate::wire::closest::{ClosestRun, PartsAt, RunWay};
use crate::wire::testing::TestReport;
use crate::wire::value::Values;
use faultline_testing::closest::{Closest, Parting, Way, closest};
use faultline_testing::program::Program;
use faultline_testing::suite::{Test, Tested};

/// Adds to each report of a test that fails the passing run that is closest to its run.
pub(super) fn tell(
    reports: &mut [TestReport],
    program: &Program,
    (tests, tested): (&[Test], &[Tested]),
    stop: &dyn Fn() -> bool,
) {
    let found = closest(program, tests, tested, stop);
    for (report, found) in reports.iter_mut().zip(found) {
        report.closest = found.map(|found| told(program, tests, found));
    }
}

fn told(program: &Program, tests: &[Test], found: Closest) -> ClosestRun {
    ClosestRun {
        test: tests.get(found.test).map(|test| test.name.clone()).unwrap_or_default(),
        distance: found.distance,
        same_statements: found.whole && found.distance == Some(0),
        parts_at: found.parting.and_then(|parting| parts(program, parting)),
        only_here: found.only,
    }
}

fn parts(program: &Program, parting: Parting) -> Option<PartsAt> {
    let tree = program.tree()?;
    let text = Executed { source: &program.text, tree };
    let way = |way: Way| {
        let name = |(id, text): (faultline_c::tree::VariableId, String)| {
            (tree.variables[id.index()].name.clone(), value(Some(text)))
        };
        RunWay {
            outcome: way.held,
            next: way.next.map(|next| text.line(next)),
            values: Values(way.values.into_iter().map(name).collect()),
        }
    };
    Some(PartsAt {
        line: text.line(parting.point),
        condition: text.statement(parting.point),
        after: parting.after,
        failing: way(parting.failing),
        passing: way(parting.passing),
    })
}
