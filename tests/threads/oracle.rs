//! The symbolic answers against the explicit search: least number of switches, length of the
//! shortest run, reachable globals.

use crate::analysed;
use crate::explicit::{Explored, Globals, explore};
use crate::support::generate;
use crate::support::load::{in_dialect, program_with};
use crate::support::shrink::each;
use faultline::lang::model::Program;
use faultline::session::{
    Budgets, Certainty, Outcome, SwitchBound, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::Dialect;
use std::collections::{BTreeMap, BTreeSet};

const BOUND: u32 = 4;

#[derive(Default)]
pub(crate) struct Shares {
    pub(crate) compared: u32,
    pub(crate) unsafe_ones: u32,
    need_a_switch: u32,
    need_three: u32,
    deadlocks: u32,
    shortest: u32,
    skipped: u32,
}

/// Compares the symbolic answer for one program with the explicit search.
pub(crate) fn compare(source: &str, dialect: Dialect, line: Option<u32>, shares: &mut Shares) {
    let (program, _) = program_with(source, &in_dialect(dialect));
    let Some(explored) = explore(&program, BOUND, BOUND as usize, line) else {
        shares.skipped += 1;
        return;
    };
    let mut session = analysed(
        source,
        dialect,
        ThreadsOptions { switches: SwitchBound::AtMost(BOUND), at: line },
        Budgets::default(),
    );
    let expected = [explored.error, explored.deadlock]
        .into_iter()
        .flatten()
        .map(|(switches, _)| switches)
        .min();
    shares.compared += 1;
    match expected {
        None => assert_eq!(
            session.outcome(),
            Outcome::Safe,
            "{source}\n{:?} {explored:?}",
            session.fault()
        ),
        Some(switches) => {
            assert_eq!(
                session.outcome(),
                Outcome::Unsafe,
                "{source}\n{:?} {:?}",
                session.fault(),
                explored.error
            );
            assert_eq!(
                session.switches(),
                Some(switches),
                "{source}\n{:?} {:?}",
                explored.error,
                explored.deadlock
            );
            let run = session.failing_run().expect("a run");
            assert_eq!(run.replay.switches, switches, "{source}");
            shares.unsafe_ones += 1;
            shares.need_a_switch += u32::from(switches > 0);
            shares.need_three += u32::from(switches >= 3);
            shares.deadlocks += u32::from(run.check.is_none());
            if session.certainty() == Certainty::Shortest {
                shares.shortest += 1;
                let least = if run.check.is_some() { explored.error } else { explored.deadlock };
                assert_eq!(Some((switches, run.length)), least, "{source}");
            }
        }
    }
    reached(source, &program, &mut session, &explored);
}

/// The globals that a reader knows, by the least number of switches that brings them about.
fn reached(source: &str, program: &Program, session: &mut ThreadsSession, explored: &Explored) {
    let shown = session.system().shown_globals();
    let places: Vec<usize> = program
        .globals()
        .enumerate()
        .filter(|(_, id)| shown.contains(id))
        .map(|(place, _)| place)
        .collect();
    let mut expected: BTreeMap<Globals, u32> = BTreeMap::new();
    for (globals, switches) in &explored.reached {
        let known: Globals = places.iter().map(|place| globals[*place].clone()).collect();
        let least = expected.entry(known).or_insert(*switches);
        *least = (*least).min(*switches);
    }
    // A tree that was not finished for the bound in force, as a proof ended it, knows less of that.
    for bound in 0..session.decided().map_or(0, |last| last + 1) {
        let (new, more, _) = session.reached(bound, 100_000).expect("no limit");
        assert!(!more);
        let new: BTreeSet<Globals> = new
            .into_iter()
            .map(|values| values.into_iter().map(|(_, bits)| bits).collect())
            .collect();
        let least: BTreeSet<Globals> = expected
            .iter()
            .filter(|(_, k)| **k == bound)
            .map(|(globals, _)| globals.clone())
            .collect();
        assert_eq!(new, least, "{source}\nwith {bound} switches");
    }
}

/// Seeds from 0; at least 300 programs, at least 30 % of which need a switch to fail.
#[test]
fn random_programs() {
    let mut shares = Shares::default();
    each(0..420, generate::threads, |seed, source| {
        let lines = source.lines().count() as u32;
        // Every third program is asked about a line: one in the middle of its last thread.
        let line = (seed % 3 == 0).then_some(lines - 1 - (seed % 4) as u32);
        compare(source, Dialect::Cimple, line, &mut shares);
    });
    let Shares { compared, unsafe_ones, need_a_switch, need_three, deadlocks, shortest, skipped } =
        shares;
    let figures = format!(
        "{compared} compared, {skipped} too large; {unsafe_ones} unsafe, {need_a_switch} of them need a switch, {need_three} three; \
         {deadlocks} deadlocks; {shortest} runs known to be shortest"
    );
    assert!(compared >= 300, "{figures}");
    assert!(need_a_switch * 100 >= compared * 30, "{figures}");
    assert!(shortest * 100 >= unsafe_ones * 90, "{figures}");
    assert!(need_three > 0 && deadlocks > 0 && unsafe_ones * 100 <= compared * 80, "{figures}");
}

/// Threads that are started, joined, and kept apart by mutexes.
#[test]
fn started_threads() {
    let mut shares = Shares::default();
    for (loops, locked, limit) in [
        (false, false, 1),
        (false, true, 1),
        (true, false, 2),
        (true, true, 2),
        (true, false, 1),
        (true, true, 3),
    ] {
        let (lock, unlock) = if locked {
            ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);")
        } else {
            ("", "")
        };
        let create = match loops {
            true => "for (int k = 0; k < 3; k++) pthread_create(&t, 0, worker, 0);".to_string(),
            false => "pthread_create(&t, 0, worker, 0); pthread_join(t, 0);".to_string(),
        };
        let source = format!(
            "//! bits = 3\n#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m;\nint n;\nvoid *worker(void *arg) {{\n  {lock}\n  int seen = n;\n  \
             n = seen + 1;\n  {unlock}\n  assert(n <= {limit});\n  return 0;\n}}\nint main() {{\n  pthread_t t;\n  {create}\n  return 0;\n}}\n"
        );
        compare(&source, Dialect::C, None, &mut shares);
    }
    assert_eq!(shares.compared, 6);
    assert!(shares.unsafe_ones >= 2 && shares.unsafe_ones <= 5);
}

/// Answers do not depend on when garbage is collected.
#[test]
fn collecting_after_every_step_changes_nothing() {
    each(0..12, generate::threads, |_, source| {
        let asked = ThreadsOptions { switches: SwitchBound::AtMost(2), at: None };
        let usual = analysed(source, Dialect::Cimple, asked, Budgets::default());
        let careful = analysed(
            source,
            Dialect::Cimple,
            asked,
            Budgets { collect_every_step: true, ..Budgets::default() },
        );
        assert_eq!(
            (usual.outcome(), usual.switches()),
            (careful.outcome(), careful.switches()),
            "{source}"
        );
        let lengths = [&usual, &careful].map(|session| session.failing_run().map(|run| run.length));
        assert_eq!(lengths[0], lengths[1], "{source}");
    });
}
