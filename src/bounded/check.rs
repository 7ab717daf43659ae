//! The question: is there a failing run within k rounds of each loop and k nested calls? The bound
//! grows until a run is found, nothing is cut off any more, or a limit is hit.

use crate::circuit::{Lit, TRUE};
use crate::engine::Engine;
use crate::failure::{Checks, Cut, Failure, Limit, Obligation};
use crate::input::{self, Given};
use crate::only_run::only_run;
use crate::proof;
use crate::solver::{Answer, Clock};
use faultline_c::code::{Code, Op};
use faultline_c::machine::{End, Limits, Machine};
use faultline_c::tree::{PointId, Tree};
use std::rc::Rc;

/// A failing run: executed, not only computed.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is wrong.
    pub failure: Failure,
    /// Where.
    pub point: PointId,
    /// What the program reads, and what was chosen.
    pub given: Given,
    /// Does all that is read stand there? Else it fails since the input ends early, or since
    /// something stands there that is no number.
    pub complete: bool,
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Some runs fail: one for each place and kind, the first is the nearest.
    Fails(Vec<Found>),
    /// No run fails, whatever it reads: nothing was cut off, and the refutation was checked.
    Safe,
    /// The program has one run only. It was executed, and does not fail.
    Executed,
    /// Neither.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was hit.
    Limit(Limit),
    /// Up to the bound no run fails; there are longer ones.
    Bound(Cut, PointId),
    /// A run was computed that does not fail when it is executed: something on its way was taken
    /// for any value.
    NotConfirmed(Failure, PointId),
    /// The refutation could not be checked.
    Proof,
}

/// An answer with its figures.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found out.
    pub verdict: Verdict,
    /// No run fails within so many rounds of each loop; 0 if not even one was decided.
    pub bound: u32,
    /// Nodes of the circuit.
    pub nodes: usize,
    /// Clauses that the solver learnt.
    pub conflicts: u64,
}

/// The largest bound that is tried.
pub const LARGEST_BOUND: u32 = 256;

/// Conflicts of a question that only makes an answer nicer.
const NICER: u64 = 20_000;

/// The machine at the start of a run that was found.
pub fn replay<'p>(tree: &'p Tree, code: &'p Code, checks: Checks, given: &'p Given) -> Machine<'p> {
    let mut machine = Machine::new(tree, code, &given.text, Limits::default());
    machine.choose(&given.choices, !checks.initialised);
    machine
}

/// Does the program itself say what an error is, or use verifiers' names?
pub fn states_errors(code: &Code) -> bool {
    code.ops.iter().any(|op| matches!(op, Op::Assert | Op::Assume | Op::Choose(..)))
}

/// What is looked for if nobody says it: reads without a value where the program states no error.
pub fn default_checks(code: &Code) -> Checks {
    let initialised = !states_errors(code);
    Checks { bounds: true, division: true, overflow: true, shift: true, initialised }
}

/// Decides the question for bounds 1, 2, 4, … up to `most`. `stop` says whether the time is up;
/// `progress` hears the bound that begins.
pub fn check(
    tree: &Tree,
    code: &Code,
    checks: Checks,
    most: u32,
    stop: Rc<dyn Fn() -> bool>,
    progress: &mut dyn FnMut(u32),
) -> Outcome {
    if let Some(verdict) = only_run(tree, code, checks) {
        return Outcome { verdict, bound: 0, nodes: 0, conflicts: 0 };
    }
    let clock: Clock = stop;
    let mut engine = Engine::new(tree, code, checks, clock.clone());
    let mut bound = 0;
    let mut rounds = 1;
    let verdict = loop {
        progress(rounds);
        match attempt(&mut engine, rounds) {
            Ok(Step::Decided(verdict)) => break verdict,
            Ok(Step::Longer(cut, point)) => {
                bound = rounds;
                if rounds >= most {
                    break Verdict::Unknown(Reason::Bound(cut, point));
                }
                rounds = (rounds * 2).min(most);
            }
            Err(limit) => break Verdict::Unknown(Reason::Limit(limit)),
        }
    };
    Outcome { verdict, bound, nodes: engine.circuit.size(), conflicts: engine.solver.conflicts() }
}

/// What came of a bound.
pub(crate) enum Step {
    Decided(Verdict),
    /// No run fails within the bound, but some are cut off.
    Longer(Cut, PointId),
}

pub(crate) fn attempt(engine: &mut Engine<'_>, rounds: u32) -> Result<Step, Limit> {
    engine.explore(rounds)?;
    let obligations = std::mem::take(&mut engine.obligations);
    let list: Vec<Lit> = obligations.iter().map(|one| one.condition).collect();
    let bad = engine.circuit.any(&list);
    match engine.solver.solve(&engine.circuit, &[bad], u64::MAX) {
        Answer::Stopped => Err(Limit::Time),
        Answer::Satisfiable => Ok(Step::Decided(failing(engine, &obligations))),
        Answer::Unsatisfiable => {
            for (condition, cut, point) in std::mem::take(&mut engine.cuts) {
                match engine.solver.solve(&engine.circuit, &[condition], u64::MAX) {
                    Answer::Satisfiable => return Ok(Step::Longer(cut, point)),
                    Answer::Unsatisfiable => {}
                    Answer::Stopped => return Err(Limit::Time),
                }
            }
            Ok(Step::Decided(proved(engine, bad)))
        }
    }
}

/// No run fails; the checker reads why.
fn proved(engine: &Engine<'_>, bad: Lit) -> Verdict {
    if bad.constant() == Some(false) {
        return Verdict::Safe;
    }
    let clock = engine.clock.clone();
    let Some((clauses, learnt, list)) = engine.solver.proof(&[bad]) else {
        return Verdict::Unknown(Reason::Proof);
    };
    match proof::check(clauses, learnt, &list, &*clock) {
        Some(true) => Verdict::Safe,
        Some(false) => Verdict::Unknown(Reason::Proof),
        None => Verdict::Unknown(Reason::Limit(Limit::Time)),
    }
}

/// For each place and kind a run, small inputs first; those that do not fail when they are executed
/// are left out.
fn failing(engine: &mut Engine<'_>, obligations: &[Obligation]) -> Verdict {
    let mut groups: Vec<(Failure, PointId, Vec<&Obligation>)> = Vec::new();
    for one in obligations {
        match groups.iter_mut().find(|(f, p, _)| (*f, *p) == (one.failure, one.point)) {
            Some((.., list)) => list.push(one),
            None => groups.push((one.failure, one.point, vec![one])),
        }
    }
    let mut found = Vec::new();
    let mut unconfirmed = None;
    for (failure, point, list) in groups {
        match nearest(engine, failure, point, &list) {
            Some(Ok(run)) => found.push(run),
            Some(Err(())) => unconfirmed = unconfirmed.or(Some((failure, point))),
            None => {}
        }
    }
    if !found.is_empty() {
        return Verdict::Fails(found);
    }
    match unconfirmed {
        Some((failure, point)) => Verdict::Unknown(Reason::NotConfirmed(failure, point)),
        None => Verdict::Unknown(Reason::Limit(Limit::Time)),
    }
}

/// The nearest failing run at a place; `Err` if none that was computed fails when it is executed.
fn nearest(
    engine: &mut Engine<'_>,
    failure: Failure,
    point: PointId,
    list: &[&Obligation],
) -> Option<Result<Found, ()>> {
    let mut wrong = false;
    for complete in [true, false] {
        for one in list {
            let missing = engine.circuit.or(one.input.ended, one.input.stuck);
            let whole = if complete { !missing } else { missing };
            for within in [9, 100, 10_000, 1_000_000, u64::MAX] {
                let small = if within == u64::MAX {
                    TRUE
                } else {
                    input::small(&mut engine.circuit, &one.input.events, within)
                };
                let most = if within == u64::MAX { u64::MAX } else { NICER };
                let all = [one.condition, whole, small];
                if engine.solver.solve(&engine.circuit, &all, most) != Answer::Satisfiable {
                    continue;
                }
                let given = input::given(&engine.circuit, &engine.solver, &one.input.events);
                if confirmed(engine, &given, failure, point) {
                    return Some(Ok(Found { failure, point, given, complete }));
                }
                wrong = true;
            }
        }
    }
    wrong.then_some(Err(()))
}

/// Does the run fail there when it is executed?
fn confirmed(engine: &Engine<'_>, given: &Given, failure: Failure, point: PointId) -> bool {
    let mut machine = replay(engine.tree, engine.code, engine.checks, given);
    machine.go(u64::MAX);
    let run = machine.finish();
    match (failure, run.end) {
        (Failure::Fault(wanted), End::Fault(fault, at)) => wanted == fault && at == point,
        (Failure::Fault(_), _) => false,
        _ => run.remarks.iter().any(|(remark, at)| failure.is(*remark) && *at == point),
    }
}
