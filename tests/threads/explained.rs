//! The explanation of failing interleavings: the statements of failing runs thread by thread,
//! against a search of every interleaving; the closest correct schedule, against an enumeration of
//! all runs; and programs whose explanation is known by thought.

use crate::analysed;
use crate::interfaces::explicit;
use crate::support::generate;
use crate::support::load::{example, in_dialect, program, program_with};
use crate::support::shrink::each;
use faultline::analysis::interfaces::{ContextMark, Interfaces};
use faultline::analysis::threads::ThreadSystem;
use faultline::analysis::threads::closest_schedule::{Closest, ClosestSchedule};
use faultline::analysis::threads::failing_statements::{ByThread, FailingStatements};
use faultline::bdd::KernelLimits;
use faultline::lang::interpreter::{
    ConcreteStep, InterleavedRun, Machine, Outcome, SharedConfiguration,
};
use faultline::lang::model::{EdgeId, LocationId};
use faultline::report::{threads_explained, threads_report};
use faultline::session::{
    Budgets, Correct, Job, SwitchBound, ThreadsExplanation, ThreadsOptions, ThreadsSession,
};
use faultline::util::Limit;
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::threads::{ThreadsExplained, ThreadsReport};
use std::collections::BTreeSet;
use std::rc::Rc;

const MOST: u32 = 3;

fn pairs(found: &ByThread) -> BTreeSet<(usize, EdgeId)> {
    let of = |(thread, edges): (usize, &Vec<bool>)| {
        let lit = edges.iter().enumerate().filter(|(_, lit)| **lit);
        lit.map(|(edge, _)| (thread, EdgeId(edge as u32))).collect::<Vec<_>>()
    };
    found.iter().enumerate().flat_map(of).collect()
}

/// Compares one program: how many bounds have failing runs, and whether interfaces were compared.
fn compare(source: &str, symbolic: bool) -> Option<u32> {
    let system = Rc::new(ThreadSystem::new(&program(source), MOST));
    let expected = explicit::explore(&system, MOST, 40_000)?;
    let mut failing = 0;
    for most in 0..=MOST {
        let expected = &expected.by_thread[most as usize];
        failing += u32::from(!expected.is_empty());
        let mut search = FailingStatements::new(Rc::clone(&system), None, None, most);
        while search.answer().is_none() {
            search.step();
        }
        let found = search.answer().expect("it is over").as_ref().expect("it is small");
        assert_eq!(&pairs(found), expected, "explicit, {most} switches\n{source}");
    }
    if symbolic {
        let (system, mark) = ((*system).clone(), ContextMark::Statement);
        let mut interfaces = Interfaces::new(system, None, MOST, mark, KernelLimits::NONE)
            .expect("no limit")
            .exhaustive();
        interfaces.raise(MOST);
        interfaces.run().expect("no limit");
        for most in 0..=MOST {
            let found = interfaces.projection_by_thread(most).expect("no limit");
            let expected = &expected.by_thread[most as usize];
            assert_eq!(&pairs(&found), expected, "interfaces, {most} switches\n{source}");
        }
    }
    Some(failing)
}

#[test]
fn statements_of_failing_runs_are_those_of_every_interleaving() {
    let (mut compared, mut failing) = (0, 0);
    each(0..260, generate::threads, |seed, source| {
        if let Some(bounds) = compare(source, seed % 6 == 0) {
            compared += 1;
            failing += u32::from(bounds > 0);
        }
    });
    assert!(compared >= 200 && failing >= 100, "{compared} compared, {failing} fail");
}

/// The explanation of a program that fails.
fn explained(source: &str, dialect: Dialect, race: bool) -> (ThreadsReport, ThreadsExplained) {
    let mut requested = RequestedOptions { ..in_dialect(dialect) };
    requested.checks = requested.checks.map(|mut checks| {
        checks.race = race;
        checks
    });
    let (program, mut options) = program_with(source, &requested);
    options.checks.race |= race;
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let mut session = ThreadsSession::new(program, &options, asked, Budgets::default());
    session.run();
    let mut job = ThreadsExplanation::new(&session).expect("it fails");
    job.run();
    let report = threads_report(&mut session);
    let explained = threads_explained(&session, &job, &report);
    assert_eq!(explained.fault, None, "{source}");
    (report, explained)
}

/// By thread, its lines.
fn lines(report: &ThreadsReport, explained: &ThreadsExplained) -> Vec<(String, Vec<u32>)> {
    let of = |one: &faultline::wire::threads::ThreadStatements| {
        let mut lines: Vec<u32> = one.statements.iter().map(|lit| lit.line).collect();
        lines.dedup();
        (report.threads[one.thread as usize].name.clone(), lines)
    };
    explained.statements.iter().map(of).collect()
}

/// Either thread must not be interrupted between its reading and its writing.
#[test]
fn of_two_deposits_the_first_must_go_on() {
    let source = example("threads-deposits.c");
    let (report, explained) = explained(&source, Dialect::C, false);
    let names: Vec<String> = lines(&report, &explained).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["main", "deposit 1", "deposit 2"]);
    let correct = explained.correct.expect("a correct schedule");
    assert_eq!((explained.bound, correct.switches), (4, 3));
    assert!(explained.told.starts_with("If deposit 1 went on with line 8, `balance++`"));
    let threads: Vec<u32> = correct.contexts.iter().map(|context| context.thread).collect();
    assert_eq!(threads, [0, 1, 2, 0], "one after the other, and then main looks");
}

/// The condition is: main may look at it before the other thread fails.
#[test]
fn what_no_failing_run_executes_is_not_lit() {
    let source = "//! globals = zero\nint x;\nvoid main() {\n  x = 1;\n  if (x == 2) {\n    x = 3;\n  }\n  \
                  x = 4;\n}\nthread other {\n  assert(x != 1);\n  x = 7;\n}\n";
    let (report, explained) = explained(source, Dialect::Cimple, false);
    let expected = [("main".to_string(), vec![4, 5]), ("other".to_string(), vec![11])];
    assert_eq!(lines(&report, &explained), expected);
    assert!(explained.told.starts_with("If main went on with line 5"), "{}", explained.told);
}

#[test]
fn a_deadlock_has_both_threads_and_a_correct_schedule() {
    let source = example("threads-philosophers.c");
    let (report, explained) = explained(&source, Dialect::C, false);
    assert_eq!(lines(&report, &explained).len(), 3);
    let correct = explained.correct.expect("a correct schedule");
    assert!(!correct.trace.is_empty());
    assert!(explained.told.starts_with("If plato went on with line 12"), "{}", explained.told);
}

#[test]
fn of_a_race_both_accesses_take_part() {
    let source = example("threads-race.c");
    let (report, explained) = explained(&source, Dialect::C, true);
    assert!(report.race.is_some());
    let lit = lines(&report, &explained);
    for (line, thread) in [(18, "main"), (10, "producer")] {
        let of = lit.iter().find(|(name, _)| name == thread).expect("it takes part");
        assert!(of.1.contains(&line), "{thread}: {:?}", of.1);
    }
    assert!(explained.correct.is_none());
}

/// Its steps hand on a token, so no other order of them runs to the end.
#[test]
fn where_every_schedule_fails_that_is_said() {
    let source = example("threads-three-switches.cimple");
    let (_, explained) = explained(&source, Dialect::Cimple, false);
    assert_eq!((explained.correct, explained.correct_limit), (None, None));
    assert!(explained.told.contains("no schedule comes to an end without an error"));
}

/// Every thread goes round for ever, so no run comes to its end.
#[test]
fn a_limit_is_said() {
    let source = example("threads-ticket-lock-torn.cimple");
    let (_, explained) = explained(&source, Dialect::Cimple, false);
    assert_eq!((explained.limit, explained.correct_limit), (None, Some(Limit::Steps)));
}

/// A Stop leaves what is known.
#[test]
fn a_stop_leaves_the_rest_open() {
    let source = example("threads-ticket-lock-torn.cimple");
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let session = analysed(&source, Dialect::Cimple, asked, Budgets::default());
    let mut job = ThreadsExplanation::new(&session).expect("it fails");
    job.step();
    job.stop(Limit::Time);
    assert_eq!(job.statements(), Some(&Err(Limit::Time)));
    assert!(matches!(job.correct(), Some(Correct::Unknown(Limit::Time))));
    assert!(job.step(), "it is over");
}

/// Every run with the failing run's start and inputs, one after the other.
struct Enumeration<'p> {
    machine: Machine<'p>,
    failing: InterleavedRun,
    has_main: bool,
    inputs: Vec<Vec<(LocationId, ConcreteStep)>>,
    /// The best correct run: minus the steps in common, switches, steps.
    best: Option<(i64, u32, usize)>,
    looked: usize,
    too_large: bool,
}

/// What is known at one place of a run.
#[derive(Clone)]
struct Place {
    state: SharedConfiguration,
    running: usize,
    used: Vec<usize>,
    taken: Vec<usize>,
    switches: u32,
}

impl Enumeration<'_> {
    fn is_end(&self, state: &SharedConfiguration) -> bool {
        let still = |thread: usize| {
            let here = state.of(thread).expect("all run from the start");
            self.machine.thread_has_ended(&here) || self.machine.waits(&here).is_some()
        };
        (0..state.threads.len()).all(still)
    }

    fn go(&mut self, at: &Place) {
        self.looked += 1;
        if self.looked > 60_000 || at.taken.len() > 60 {
            self.too_large = true;
            return;
        }
        if self.machine.deadlock(&at.state).is_some() {
            return;
        }
        if self.is_end(&at.state) {
            let failing = self.failing.steps.iter().map(|(thread, _)| thread);
            let common = failing.zip(&at.taken).take_while(|(one, other)| one == other).count();
            let rank = (-(common as i64), at.switches, at.taken.len());
            self.best = Some(self.best.map_or(rank, |best| best.min(rank)));
        }
        let begins = at.taken.is_empty();
        let stays = at.state.of(at.running).expect("it runs");
        let may_switch = self.machine.can_switch(&stays) || begins && !self.has_main;
        for thread in 0..at.state.threads.len() {
            if thread != at.running && !may_switch {
                continue;
            }
            let here = at.state.of(thread).expect("all run from the start");
            let found = self.machine.successors(&here, 64);
            assert!(found.complete);
            let many = found.transitions.len() > 1;
            let input = self.inputs[thread]
                .get(at.used[thread])
                .filter(|(place, _)| many && *place == here.location);
            let own = found
                .transitions
                .iter()
                .find(|one| input.is_some_and(|(_, step)| *step == one.step));
            let uses = input.is_some();
            let chosen: Vec<_> = match own {
                Some(own) => vec![own.clone()],
                None => found.transitions.clone(),
            };
            for one in chosen {
                let Outcome::Next(next) = one.outcome else { continue };
                let mut to = at.clone();
                to.state = to.state.with(thread, next);
                to.used[thread] += usize::from(uses);
                to.switches += u32::from(thread != at.running && (self.has_main || !begins));
                to.running = thread;
                to.taken.push(thread);
                self.go(&to);
                if self.too_large {
                    return;
                }
            }
        }
    }
}

/// Compares the closest schedule of one failing program; `None` if it is too large.
fn closest(source: &str) -> Option<bool> {
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(MOST), at: None };
    let session = analysed(source, Dialect::Cimple, asked, Budgets::default());
    let failing = session.failing_run()?.run.clone();
    let program = session.program();
    let machine = Machine::new(program);
    let globals = machine.initial(&failing.initial_globals, &Vec::new()).globals;
    let threads = failing.threads.iter().map(|thread| {
        let start = machine.thread_start(thread.procedure, globals.clone(), &thread.locals);
        Some((start.frames, start.location))
    });
    let state = SharedConfiguration { globals: globals.clone(), threads: threads.collect() };
    let count = failing.threads.len();
    let mut inputs = vec![Vec::new(); count];
    let mut walked = state.clone();
    for (thread, step) in &failing.steps {
        let here = walked.of(*thread).expect("it runs");
        if machine.successors(&here, 64).transitions.len() > 1 {
            inputs[*thread].push((here.location, step.clone()));
        }
        let locals = step.locals.clone().unwrap_or_default();
        if let Outcome::Next(next) = machine.execute(&here, step.edge, &step.choices, &locals) {
            walked = walked.with(*thread, next);
        }
    }
    let has_main = program.procedure(program.main_id()).name == "main";
    let first = failing.first;
    let mut all = Enumeration {
        machine,
        failing: failing.clone(),
        has_main,
        inputs,
        best: None,
        looked: 0,
        too_large: false,
    };
    all.go(&Place { state, running: first, used: vec![0; count], taken: Vec::new(), switches: 0 });
    if all.too_large {
        return None;
    }
    let mut search = ClosestSchedule::new(Rc::new(program.clone()), &failing, 1_000_000);
    while !search.step() {}
    match search.answer().expect("it is over") {
        Closest::Found(found) => {
            let mut switches = 0;
            let mut running = found.run.first;
            for (thread, _) in &found.run.steps {
                switches += u32::from(*thread != running);
                running = *thread;
            }
            let rank = (-(found.common as i64), switches, found.run.steps.len());
            assert_eq!(all.best, Some(rank), "{source}");
            Some(true)
        }
        Closest::Never => {
            assert_eq!(all.best, None, "{source}");
            Some(false)
        }
        Closest::Unknown(limit) => panic!("{limit:?}\n{source}"),
    }
}

#[test]
fn the_closest_schedule_is_the_best_of_all_runs() {
    let (mut found, mut never) = (0, 0);
    each(0..250, generate::threads, |_, source| match closest(source) {
        Some(true) => found += 1,
        Some(false) => never += 1,
        None => {}
    });
    assert!(found >= 40 && never >= 10, "{found} found, {never} have none");
}

/// On larger programs what is shown is replayed, and nothing contradicts it.
#[test]
fn explanations_of_random_programs_have_no_fault() {
    let (mut failing, mut correct) = (0, 0);
    each(400..520, generate::threads, |_, source| {
        let asked = ThreadsOptions { switches: SwitchBound::AtMost(MOST), at: None };
        let session = analysed(source, Dialect::Cimple, asked, Budgets::default());
        let Some(mut job) = ThreadsExplanation::new(&session) else { return };
        job.run();
        assert_eq!(job.fault(), None, "{source}");
        assert!(matches!(job.statements(), Some(Ok(_))), "{source}");
        failing += 1;
        correct += u32::from(matches!(job.correct(), Some(Correct::Run(..))));
    });
    assert!(failing >= 40 && correct >= 20, "{failing} fail, {correct} have a correct schedule");
}
