//! The known runs of a failing program: those that checks have found, and their neighbours, which
//! differ in one picked value. Edited programs are tried on them.

use super::trials::{Bench, End, Trial};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{ErrorKind, Program};

/// The most known runs that an edited program is tried on, of those that fail and of those that do
/// not.
const MOST_TRIALS: usize = 40;
/// The most neighbours of a known run that are executed.
const MOST_NEIGHBOURS: usize = 600;

/// The result of trying an edited program on the known runs.
pub(super) enum Tried {
    /// One of them still meets the same error.
    Refuted,
    /// One of them does not end any more, although some runs of the program itself end.
    Endless,
    /// None of them meets the same error. If one meets another error, this is the last such error:
    /// line and kind.
    Open(Option<(u32, ErrorKind)>),
}

/// The known runs.
pub(super) struct KnownRuns {
    /// The error that is to be repaired: line and kind.
    error: (u32, ErrorKind),
    /// All runs on which edits are tried. A run that refuted an edit moves to the front.
    trials: Vec<Trial>,
    /// The runs among them that fail in the program itself.
    failing: Vec<Trial>,
    /// The runs that checks have found, in the order in which they were found.
    found: Vec<Trial>,
    /// Does a known run of the program itself come to its end?
    some_end: bool,
    /// Were the neighbours of the first run executed?
    explored: bool,
}

impl KnownRuns {
    /// One failing run of the program.
    pub(super) fn new(program: &Program, run: &ConcreteRun, error: (u32, ErrorKind)) -> KnownRuns {
        let first = Trial::of(program, run);
        KnownRuns {
            error,
            trials: vec![first.clone()],
            failing: Vec::new(),
            found: vec![first],
            some_end: false,
            explored: false,
        }
    }

    /// The failing run that was found first.
    pub(super) fn first(&self) -> &Trial {
        &self.found[0]
    }

    /// The runs that fail in the program itself.
    pub(super) fn failing(&self) -> &[Trial] {
        &self.failing
    }

    /// The runs that checks have found, the oldest first.
    pub(super) fn found(&self) -> &[Trial] {
        &self.found
    }

    /// Does a known run of the program itself come to its end? Then an edit that makes a known run
    /// endless is no repair.
    pub(super) fn some_end(&self) -> bool {
        self.some_end
    }

    /// Executes the neighbours of some runs in the program itself. It keeps some that fail there
    /// and some that do not, to try edits on both. Returns the groups of runs whose neighbours come
    /// next.
    pub(super) fn explore(
        &mut self,
        program: &Program,
        numbers: &[i128],
        from: &[Trial],
    ) -> Vec<Vec<Trial>> {
        let bench = Bench::new(program);
        let (mut failing, mut passing) = (Vec::new(), Vec::new());
        for trial in from.iter().flat_map(|run| spread(run.neighbours(numbers), MOST_NEIGHBOURS)) {
            match bench.run(&trial) {
                End::Fails(line, kind) if (line, kind) == self.error => failing.push(trial),
                End::Fails(..) | End::Unfinished => {}
                end @ (End::Passes | End::Blocked) => {
                    self.some_end |= end == End::Passes;
                    passing.push(trial);
                }
            }
        }
        let mut next = Vec::new();
        let mut most = MOST_TRIALS / 4;
        if !self.explored {
            self.explored = true;
            self.failing.push(self.first().clone());
            // The next neighbours differ in two values, starting from runs that fail and from runs
            // that do not.
            next.push(spread(failing.clone(), 4));
            next.extend(spread(passing.clone(), 6).into_iter().map(|trial| vec![trial]));
            most = MOST_TRIALS;
        }
        let failing = spread(failing, most);
        self.trials.extend(failing.iter().cloned());
        self.failing.extend(failing);
        self.trials.extend(spread(passing, most));
        next
    }

    /// Executes an edited program on all of them, until one refutes it.
    pub(super) fn try_on(&mut self, edited: &Program) -> Tried {
        let mut other = None;
        let bench = Bench::new(edited);
        for k in 0..self.trials.len() {
            match bench.run(&self.trials[k]) {
                End::Fails(line, kind) if (line, kind) == self.error => {
                    // A run that refuted one edit is likely to refute the next one.
                    self.trials.swap(k, k / 2);
                    return Tried::Refuted;
                }
                End::Fails(line, kind) => other = Some((line, kind)),
                End::Unfinished if self.some_end => return Tried::Endless,
                End::Passes | End::Blocked | End::Unfinished => {}
            }
        }
        Tried::Open(other)
    }

    /// Adds the failing run of an edited program that a check of this program has found.
    pub(super) fn add(&mut self, program: &Program, edited: &Program, run: &ConcreteRun) {
        let trial = Trial::of(edited, run);
        let (line, kind) = self.error;
        if Bench::new(program).run(&trial) == End::Fails(line, kind) {
            self.failing.push(trial.clone());
        }
        self.found.push(trial.clone());
        self.trials.push(trial);
    }
}

/// At most so many of the items, evenly spread.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let stride = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(stride).collect()
}
