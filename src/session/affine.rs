//! Affine relations of a loaded program, in small steps.

use super::Job;
use crate::analysis::affine::{AffineAnalysis, Equality};
use crate::analysis::affine_threads::AffineThreads;
use crate::analysis::threads::ThreadSystem;
use crate::encode::affine::Arithmetic;
use crate::lang::model::{LocationId, Program, VariableId};
use crate::semiring::affine::{Modular, Rationals};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use std::rc::Rc;

/// An affine-relation analysis over either kind of numbers.
pub struct AffineSession {
    analysis: Bounded<Analysis>,
    arithmetic: Arithmetic,
    switches: Option<u32>,
    /// Is the analysis complete?
    is_complete: bool,
}

enum Analysis {
    Unbounded(AffineAnalysis<Rationals>),
    Modulo(AffineAnalysis<Modular>),
    ThreadsUnbounded(AffineThreads<Rationals>),
    ThreadsModulo(AffineThreads<Modular>),
}

/// The bound for a program with threads, if no bound is given.
const DEFAULT_SWITCHES: u32 = 2;

/// The greatest bound.
const MOST_SWITCHES: u32 = 10;

impl Job for AffineSession {
    // Not inlined into the worker's queue: most visits need none of it.
    #[inline(never)]
    fn step(&mut self) -> bool {
        if self.is_over() {
            return true;
        }
        let stepped = match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.step(),
            Ok(Analysis::Modulo(analysis)) => analysis.step(),
            Ok(Analysis::ThreadsUnbounded(analysis)) => analysis.step(),
            Ok(Analysis::ThreadsModulo(analysis)) => analysis.step(),
            Err(_) => return true,
        };
        match stepped {
            Ok(is_complete) => self.is_complete = is_complete,
            Err(limit) => self.analysis = Err(limit),
        }
        self.is_over()
    }

    /// The equalities hold only after a complete analysis, so nothing is kept.
    fn stop(&mut self, limit: Limit) {
        if !self.is_over() {
            self.analysis = Err(limit);
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.analysis.as_ref().err().copied()
    }

    fn progress(&self) -> Progress {
        let stage = if self.is_over() { Stage::Done } else { Stage::Affine };
        Progress { stage, steps: self.operations(), ..Progress::default() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.set_alarm(alarm),
            Ok(Analysis::Modulo(analysis)) => analysis.set_alarm(alarm),
            Ok(Analysis::ThreadsUnbounded(analysis)) => analysis.set_alarm(alarm),
            Ok(Analysis::ThreadsModulo(analysis)) => analysis.set_alarm(alarm),
            Err(_) => {}
        }
    }
}

impl AffineSession {
    /// Prepares the analysis. A program with threads is analysed within two context switches.
    /// `most_operations`: the most multiplications of numbers.
    pub fn new(
        program: Rc<Program>,
        arithmetic: Arithmetic,
        most_operations: u64,
    ) -> AffineSession {
        AffineSession::within(program, arithmetic, None, most_operations)
    }

    /// The same with a given bound on context switches (at most ten). A program without threads
    /// needs none.
    pub fn within(
        program: Rc<Program>,
        arithmetic: Arithmetic,
        switches: Option<u32>,
        most_operations: u64,
    ) -> AffineSession {
        if program.concurrency.has_threads() {
            let switches = switches.unwrap_or(DEFAULT_SWITCHES).min(MOST_SWITCHES);
            let system = ThreadSystem::new(&program, switches);
            let enough = system.enough_for.is_none_or(|most| switches <= most);
            let analysis = match arithmetic {
                _ if !enough => Err(Limit::Threads),
                Arithmetic::Unbounded => {
                    AffineThreads::new(system, switches, arithmetic, Rationals, most_operations)
                        .map(Analysis::ThreadsUnbounded)
                }
                Arithmetic::Modulo(width) => AffineThreads::new(
                    system,
                    switches,
                    arithmetic,
                    Modular::new(width),
                    most_operations,
                )
                .map(Analysis::ThreadsModulo),
            };
            let switches = Some(switches);
            return AffineSession { analysis, arithmetic, switches, is_complete: false };
        }
        let analysis = match arithmetic {
            Arithmetic::Unbounded => {
                AffineAnalysis::new(program, arithmetic, Rationals, most_operations)
                    .map(Analysis::Unbounded)
            }
            Arithmetic::Modulo(width) => {
                AffineAnalysis::new(program, arithmetic, Modular::new(width), most_operations)
                    .map(Analysis::Modulo)
            }
        };
        AffineSession { analysis, arithmetic, switches: None, is_complete: false }
    }

    fn is_over(&self) -> bool {
        self.is_complete || self.analysis.is_err()
    }

    /// The most context switches of the runs that the answer is about, if there are threads.
    pub fn switches(&self) -> Option<u32> {
        self.switches
    }

    /// The numbers for which the equalities hold.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// May more equalities hold than were found? Ask only once the analysis is over.
    pub fn is_approximate(&mut self) -> Bounded<bool> {
        match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.is_approximate(),
            Ok(Analysis::Modulo(analysis)) => analysis.is_approximate(),
            // The analysis intersects hulls, so its answer is approximate.
            Ok(Analysis::ThreadsUnbounded(_) | Analysis::ThreadsModulo(_)) => Ok(true),
            Err(limit) => Err(*limit),
        }
    }

    /// A basis of the equalities among `variables` at a location. Returns `None` if no run reaches
    /// it. Ask only once the analysis is over.
    pub fn equalities_at(
        &mut self,
        location: LocationId,
        variables: &[VariableId],
    ) -> Bounded<Option<Vec<Equality>>> {
        match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.equalities_at(location, variables),
            Ok(Analysis::Modulo(analysis)) => analysis.equalities_at(location, variables),
            Ok(Analysis::ThreadsUnbounded(analysis)) => analysis.equalities_at(location, variables),
            Ok(Analysis::ThreadsModulo(analysis)) => analysis.equalities_at(location, variables),
            Err(limit) => Err(*limit),
        }
    }

    /// The number of multiplications so far.
    pub fn operations(&self) -> u64 {
        match &self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.operations(),
            Ok(Analysis::Modulo(analysis)) => analysis.operations(),
            Ok(Analysis::ThreadsUnbounded(analysis)) => analysis.operations(),
            Ok(Analysis::ThreadsModulo(analysis)) => analysis.operations(),
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn session(source: &str) -> AffineSession {
        let loaded = crate::lang::load(source, &RequestedOptions::default());
        let program = Rc::new(loaded.program.expect("a program"));
        AffineSession::new(program, Arithmetic::Unbounded, 1_000_000)
    }

    const LOOP: &str =
        "int a; int b;\nvoid main() {\n while (a < 5) {\n  a = a + 1;\n  b = b + 2;\n }\n}\n";
    const THREADS: &str = "int a;\nvoid main() {\n a = 2;\n}\nthread other {\n a = a + 1;\n}\n";

    #[test]
    fn it_is_done_at_the_end_and_a_late_stop_takes_nothing_away() {
        for source in [LOOP, THREADS] {
            let mut session = session(source);
            assert_eq!(session.progress().stage, Stage::Affine);
            session.run();
            assert_eq!((session.progress().stage, session.limit()), (Stage::Done, None));
            let operations = session.operations();
            session.stop(Limit::Time);
            assert!(session.step());
            assert_eq!((session.limit(), session.operations()), (None, operations));
        }
    }

    #[test]
    fn the_alarm_ends_it_within_a_step() {
        for source in [LOOP, THREADS] {
            let mut session = session(source);
            let alarm = Arc::new(AtomicBool::new(false));
            session.set_alarm(Alarm::of_flag(Arc::clone(&alarm)));
            assert!(!session.step());
            alarm.store(true, Ordering::Relaxed);
            session.run();
            assert_eq!(
                (session.progress().stage, session.limit()),
                (Stage::Done, Some(Limit::Time))
            );
        }
    }
}
