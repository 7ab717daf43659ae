//! Proofs of programs whose threads call themselves without end: what the interpreter reaches with
//! few frames is in the closed set, and nothing that fails is claimed to be safe.

use crate::analysed;
use crate::support::generate;
use crate::support::load::{in_dialect, program_with};
use crate::support::shrink::each;
use faultline::analysis::threads::closed_set::{Closed, ClosedSet, MOST_CONFIGURATIONS};
use faultline::analysis::threads::visible::Visible;
use faultline::lang::interpreter::{Machine, Outcome, SharedConfiguration};
use faultline::lang::model::Program;
use faultline::report::threads_report;
use faultline::session::{Budgets, SwitchBound, ThreadsOptions};
use faultline::wire::options::Dialect;
use faultline::wire::threads::ThreadsVerdict;
use std::collections::HashSet;

/// The search is for states with at most so many frames of each thread.
const FRAMES: usize = 4;
const MOST_STATES: usize = 15_000;

/// What an explicit search reaches.
#[derive(Default)]
struct Reached {
    fails: bool,
    visible: HashSet<Visible>,
}

/// Searches through all interleavings, breadth first. It stops at the first failure.
fn search(program: &Program) -> Reached {
    let machine = Machine::new(program);
    let mut found = Reached::default();
    let mut threads = vec![program.main_id()];
    threads.extend(&program.concurrency.threads);
    let has_main = program.procedure(program.main_id()).name == "main";
    let mut states: Vec<(SharedConfiguration, usize)> = Vec::new();
    let mut known: HashSet<(SharedConfiguration, usize)> = HashSet::new();
    for start in machine.starts(256).0 {
        let mut all = vec![vec![Some((start.frames.clone(), start.location))]];
        for procedure in &program.concurrency.threads {
            let begun = machine.thread_starts(*procedure, &start.globals, 256).0;
            let with = |one: &Vec<_>| {
                let with = |at: &faultline::lang::interpreter::Configuration| {
                    let thread = Some((at.frames.clone(), at.location));
                    one.iter().cloned().chain([thread]).collect::<Vec<_>>()
                };
                begun.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        for one in all {
            for running in 0..if has_main { 1 } else { threads.len() } {
                let shared =
                    SharedConfiguration { globals: start.globals.clone(), threads: one.clone() };
                states.push((shared, running));
            }
        }
    }
    known.extend(states.iter().cloned());
    let mut next = 0;
    while next < states.len() && !found.fails {
        let (shared, running) = states[next].clone();
        next += 1;
        found.fails |= machine.deadlock(&shared).is_some();
        let here = shared.of(running).expect("every thread runs");
        let mut after = Vec::new();
        if machine.can_switch(&here) {
            found.visible.insert(Visible::of(&shared));
            after.extend((0..threads.len()).map(|other| (shared.clone(), other)));
        }
        for transition in machine.successors(&here, 256).transitions {
            match transition.outcome {
                Outcome::Error(_) => found.fails = true,
                Outcome::Next(next) if next.frames.len() <= FRAMES => {
                    after.push((shared.with(running, next), running));
                }
                _ => {}
            }
        }
        for state in after {
            if states.len() < MOST_STATES && known.insert(state.clone()) {
                states.push(state);
            }
        }
    }
    found
}

/// A program whose helper calls itself, at its beginning or before its end.
fn recursive(source: &str, seed: u64) -> Option<String> {
    // A global that nothing reads is zero in the set, whatever it held before.
    let source = source.replace("//! globals = any\n", "").replace("//! globals = zero\n", "");
    let (before, helper) = source.split_once("bool helper(int i) {\n")?;
    let (call, at) = match seed % 4 {
        0 => ("if (*) { flag = helper(i); }", "bool flag;\n"),
        1 => ("if (*) { flag = helper(x); }", "bool flag;\n"),
        2 => ("if (q) { flag = helper(i); }", "bool flag;\n"),
        _ => ("if (!p) { helper(x); x = i; }", "bool flag;\n"),
    };
    let (declared, rest) = helper.split_once(at)?;
    let zero = "//! globals = zero\n";
    Some(format!("{zero}{before}bool helper(int i) {{\n{declared}{at}{call}\n{rest}"))
}

#[derive(Default)]
struct Shares {
    compared: u32,
    fail: u32,
    safe: u32,
    claimed: u32,
    by_callers: u32,
}

fn compare(source: &str, seed: u64, shares: &mut Shares) {
    let Some(source) = recursive(source, seed) else { return };
    let (program, _) = program_with(&source, &in_dialect(Dialect::Cimple));
    let reached = search(&program);
    let mut set = ClosedSet::unreduced(&program, None, MOST_CONFIGURATIONS);
    while set.answer().is_none() {
        set.step();
    }
    let mut session = analysed(
        &source,
        Dialect::Cimple,
        ThreadsOptions { switches: SwitchBound::Rising, at: None },
        Budgets::default(),
    );
    let report = threads_report(&mut session);
    shares.compared += 1;
    let mut reduced = ClosedSet::new(&program, None, MOST_CONFIGURATIONS);
    while reduced.answer().is_none() {
        reduced.step();
    }
    let holds = |set: &ClosedSet| matches!(set.answer(), Some(Closed::Holds(_)));
    assert_eq!(holds(&reduced), holds(&set), "partial order reduction changes it\n{source}");
    if reached.fails {
        shares.fail += 1;
        assert!(!matches!(set.answer(), Some(Closed::Holds(_))), "{source}");
        assert_ne!(report.verdict, ThreadsVerdict::Safe, "{source}");
        return;
    }
    if report.verdict == ThreadsVerdict::Unsafe {
        // With more frames, or more states, than were searched.
        assert!(!matches!(set.answer(), Some(Closed::Holds(_))), "{source}");
        return;
    }
    shares.safe += 1;
    shares.claimed += u32::from(report.verdict == ThreadsVerdict::Safe);
    if matches!(set.answer(), Some(Closed::Holds(_))) {
        let known: HashSet<Visible> = set.visible().collect();
        let missing = reached.visible.iter().find(|state| !known.contains(state));
        assert!(missing.is_none(), "{source}\n{missing:?}");
        shares.by_callers += u32::from(set.knows_callers_only());
    }
}

/// Whatever the interpreter reaches is in the set: the globals, and of every thread where it stands
/// and the values of its innermost frame.
#[test]
fn a_closed_set_by_callers_contains_what_runs_reach() {
    let mut shares = Shares::default();
    each(6000..6400, generate::threads, |seed, source| compare(source, seed, &mut shares));
    let Shares { compared, fail, safe, claimed, by_callers } = shares;
    let figures = format!(
        "{compared} compared: {fail} fail, {safe} safe so far, {claimed} claimed, {by_callers} \
         sets know callers only"
    );
    assert!(compared >= 150 && fail >= 40 && by_callers >= 20, "{figures}");
    assert!(claimed * 100 >= safe * 60, "{figures}");
}

/// A thread that calls itself for ever without a step that others see does not hide what it did
/// before.
#[test]
fn endless_calls_hide_nothing() {
    let answer = |calls: &str| {
        let source = format!(
            "//! bits = 3\n//! globals = zero\nint x;\nvoid deep() {{ {calls} }}\n\
             thread one {{ x = 1; deep(); x = 0; }}\nthread two {{ assert(x == 0); }}\n"
        );
        let (program, _) = program_with(&source, &in_dialect(Dialect::Cimple));
        let mut set = ClosedSet::new(&program, None, MOST_CONFIGURATIONS);
        while set.answer().is_none() {
            set.step();
        }
        set.answer()
    };
    for calls in ["deep();", "deep(); deep();", "if (*) { deep(); } deep();"] {
        assert!(!matches!(answer(calls), Some(Closed::Holds(_))), "{calls}");
    }
}

fn rising(source: &str) -> ThreadsVerdict {
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    threads_report(&mut analysed(source, Dialect::Cimple, asked, Budgets::default())).verdict
}

/// Where a return goes back to matters: what was called under the lock returns under the lock. That
/// is known from the globals at the call.
#[test]
fn returns_go_back_to_who_called() {
    let program = |check: &str| {
        format!(
            "//! bits = 3\n//! globals = zero\nint x;\nbool m;\n\
             void walk(int n) {{ if (*) {{ walk(n); }} }}\n\
             void work() {{ lock(m); x = 1; walk(1); {check} x = 0; unlock(m); walk(1); }}\n\
             thread one {{ while (*) {{ work(); }} }}\nthread two {{ while (*) {{ work(); }} }}\n"
        )
    };
    assert_eq!(rising(&program("assert(x == 1);")), ThreadsVerdict::Safe);
    assert_eq!(rising(&program("assert(x == 0);")), ThreadsVerdict::Unsafe);
}

/// A thread that a recursive procedure starts with its last statement is not lost.
#[test]
fn what_the_last_statement_starts_is_not_lost() {
    let source = "#include <pthread.h>\nint x;\npthread_t t;\n\
                  void *late(void *a) { x = 1; return 0; }\n\
                  void down(void) { if (__VERIFIER_nondet_int()) { down(); return; } \
                  pthread_create(&t, 0, late, 0); }\n\
                  int main(void) { down(); assert(x != CHECKED); return 0; }\n";
    let answer = |checked: &str| {
        let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
        let source = source.replace("CHECKED", checked);
        threads_report(&mut analysed(&source, Dialect::C, asked, Budgets::default())).verdict
    };
    assert_eq!(answer("1"), ThreadsVerdict::Unsafe);
    assert_eq!(answer("2"), ThreadsVerdict::Safe);
    let (program, _) = program_with(&source.replace("CHECKED", "1"), &in_dialect(Dialect::C));
    let mut set = ClosedSet::new(&program, None, MOST_CONFIGURATIONS);
    while set.answer().is_none() {
        set.step();
    }
    assert!(!matches!(set.answer(), Some(Closed::Holds(_))));
}

/// A bound that was given and hits a limit is decided by the proof.
#[test]
fn a_given_bound_is_decided_by_the_proof() {
    let source = "//! bits = 3\n//! globals = zero\nint x;\nbool a;\nbool b;\nbool c;\nbool d;\n\
                  void flip(bool l) { a = !a; if (*) { flip(!l); } b = l; }\n\
                  thread one { while (*) { c = !c; flip(a); } x = 1; }\n\
                  thread two { while (*) { d = !d; flip(b); } assert(x != 2); }\n";
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(12), at: None };
    let mut session = analysed(source, Dialect::Cimple, asked, Budgets::default());
    let report = threads_report(&mut session);
    assert_eq!((report.verdict, report.limit), (ThreadsVerdict::Safe, None));
    assert!(report.proof.is_some_and(|proof| proof.by_callers));
    let failing = source.replace("x != 2", "x != 1");
    let mut session = analysed(&failing, Dialect::Cimple, asked, Budgets::default());
    assert_eq!(threads_report(&mut session).verdict, ThreadsVerdict::Unsafe);
}
