//! Tests: inputs with the outputs that are expected.

use crate::compare::{Comparison, Difference, DifferenceKind, difference};
use crate::program::Program;
use faultline_c::machine::{End, Fault, Limit, Limits, Remark, Run};
use faultline_c::tree::PointId;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What the program reads.
    pub input: Vec<u8>,
    /// What it should print.
    pub expected: Vec<u8>,
    /// With which code it should end, if that counts.
    pub exit: Option<i32>,
}

/// How a test went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// It printed something else.
    Failed(Difference),
    /// It ended with another code.
    WrongExit(i32),
    /// It never ends, which is proved: a state came back.
    Endless,
    /// It does what no program may do.
    Fault(Fault),
    /// It was not at its end when the limit was reached.
    Limit(Limit),
}

/// A test that was run.
#[derive(Clone, Debug)]
pub struct Tested {
    /// How it went.
    pub outcome: Outcome,
    /// The statement to look at first: the one that printed the first wrong character, that should
    /// have printed more, that failed, or the loop that never ends.
    pub point: Option<PointId>,
    /// The first read of a variable that has no value, if there is one.
    pub no_value: Option<(Remark, PointId)>,
    /// The run.
    pub run: Run,
}

impl Tested {
    /// Is the output as expected?
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }
}

/// Runs one test.
pub fn test(program: &Program, test: &Test, by: Comparison, limits: Limits) -> Tested {
    let run = program.run(&test.input, limits);
    let (outcome, point) = judged(test, by, &run);
    let no_value =
        run.remarks.iter().find(|(remark, _)| matches!(remark, Remark::NoValue(_))).copied();
    Tested { outcome, point, no_value, run }
}

fn judged(test: &Test, by: Comparison, run: &Run) -> (Outcome, Option<PointId>) {
    match run.end {
        End::Fault(fault, point) => (Outcome::Fault(fault), Some(point)),
        End::Endless(point) => (Outcome::Endless, Some(point)),
        End::Limit(limit, point) => (Outcome::Limit(limit), Some(point)),
        End::Exited(code) => match difference(&run.output, &test.expected, by) {
            Some(found) => {
                let point = blamed(run, &found);
                (Outcome::Failed(found), point)
            }
            None if test.exit.is_some_and(|wanted| wanted != code) => {
                (Outcome::WrongExit(code), Some(run.last))
            }
            None => (Outcome::Passed, None),
        },
    }
}

/// Who printed the first wrong character, or who should have gone on.
fn blamed(run: &Run, found: &Difference) -> Option<PointId> {
    if let Some(point) = run.printed(found.at) {
        return Some(point);
    }
    let last = run.pieces.last().map(|piece| piece.point);
    // A missing end of line belongs to the last output; a missing value to who ended the run.
    if found.kind == DifferenceKind::WhiteSpace { last.or(Some(run.last)) } else { Some(run.last) }
}
