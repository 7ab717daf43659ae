//! Focus-statement sequences on random programs: each is kept by its run when everything else is deleted, every failing run is covered
//! by one, and none is left for Reduce to do.

use crate::generate;
use crate::generate::random::Random;
use faultline::analysis::focus::{FocusAnalysis, Question, focus_of_run};
use faultline::bdd::KernelLimits;
use faultline::lang::interpreter::{ConcreteRun, Configuration, Machine, Outcome, Replay, replay};
use faultline::lang::model::{EdgeId, Operation, Place, Program, VariableId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Programs looked at.
const PROGRAMS: u64 = 250;
const LIMITS: KernelLimits = KernelLimits { max_nodes: 300_000, max_steps: 3_000_000 };

/// The sequences of a program, if all of them could be found within small budgets.
fn sequences(program: &Rc<Program>) -> Option<FocusAnalysis> {
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 30 };
    let mut analysis = FocusAnalysis::new(Rc::clone(program), question, LIMITS).ok()?;
    for _ in 0..6_000 {
        match analysis.step() {
            Ok(true) => return Some(analysis),
            Ok(false) => {}
            Err(_) => return None,
        }
    }
    None
}

/// Executes what is kept of a run, read as straight-line assignments and assumptions over its frames' variables: does it come to the
/// same failure?
fn executes(program: &Program, run: &ConcreteRun, steps: &Replay, kept: &[bool]) -> bool {
    let machine = Machine::new(program);
    let mut before = machine.initial(&run.initial_globals, &run.initial_locals);
    for (k, step) in run.steps.iter().enumerate() {
        let last = k + 1 == run.steps.len();
        // The frame is there in any case; what it holds is that of the statements kept.
        let (edge, locals) = (program.edge(step.edge), step.locals.clone().unwrap_or_default());
        let after = match (kept[k], &edge.operation) {
            (true, _) => match machine.execute(&before, step.edge, &step.choices, &locals) {
                Outcome::Error(check) => return last && check == steps.failed_check,
                Outcome::Blocked => return false,
                Outcome::Next(after) => after,
            },
            (false, Operation::Call { .. }) => match without_arguments(&machine, &before, step.edge, &locals) {
                Some(after) => after,
                None => return false,
            },
            (false, _) => moved(program, &machine, &before, step.edge),
        };
        before = after;
    }
    false
}

/// The run goes on behind an edge, and nothing else happens; returns happen as always.
fn moved(program: &Program, machine: &Machine, before: &Configuration, edge: EdgeId) -> Configuration {
    let skip = program.edge_ids().find(|id| program.edge(*id).from == program.edge(edge).from);
    assert!(skip.is_some());
    // A copy of the program in which the edge does nothing.
    let mut silent = program.clone();
    let e = &mut silent.edges[edge.0 as usize];
    e.checks.clear();
    e.operation = Operation::Skip;
    let machine_of_silent = Machine::new(&silent);
    assert_eq!(machine.program().edges.len(), silent.edges.len());
    match machine_of_silent.execute(before, edge, &[], &Vec::new()) {
        Outcome::Next(after) => after,
        other => unreachable!("a step that does nothing: {other:?}"),
    }
}

/// Enters a callee whose parameters are zero.
fn without_arguments(
    machine: &Machine,
    before: &Configuration,
    edge: EdgeId,
    locals: &faultline::lang::interpreter::Assignment,
) -> Option<Configuration> {
    let mut silent = machine.program().clone();
    let e = &mut silent.edges[edge.0 as usize];
    e.checks.clear();
    if let Operation::Call { arguments, .. } = &mut e.operation {
        for argument in arguments {
            *argument = faultline::lang::model::Expression::Constant(0, argument.scalar());
        }
    }
    match Machine::new(&silent).execute(before, edge, &[], locals) {
        Outcome::Next(after) => Some(after),
        _ => None,
    }
}

/// A failing run by chance, if one comes up.
fn random_run(program: &Program, seed: u64) -> Option<ConcreteRun> {
    let mut random = Random::new(seed);
    let machine = Machine::new(program);
    let values = |random: &mut Random, id: VariableId| -> (VariableId, Vec<u64>) {
        let variable = program.variable(id);
        (id, (0..variable.elements()).map(|_| u64::from(random.below(256)) & variable.scalar.mask()).collect())
    };
    let open = |id: &VariableId| program.variable(*id).initial == faultline::lang::model::Initial::Any;
    let main = program.procedure(program.main_id());
    let initial_globals: Vec<_> = program.globals().filter(open).map(|id| values(&mut random, id)).collect();
    let initial_locals: Vec<_> = main.parameters.iter().chain(&main.locals).map(|id| values(&mut random, *id)).collect();
    let mut here = machine.initial(&initial_globals, &initial_locals);
    let mut steps = Vec::new();
    for _ in 0..80 {
        let mut next = machine.successors(&here, 64).transitions;
        if next.is_empty() {
            return None;
        }
        let picked = next.swap_remove(random.below(next.len() as u32) as usize);
        steps.push(picked.step);
        match picked.outcome {
            Outcome::Error(_) => return Some(ConcreteRun { initial_globals, initial_locals, steps }),
            Outcome::Next(after) => here = after,
            Outcome::Blocked => return None,
        }
    }
    None
}

/// Where a run starts: the values of globals and of the start's locals.
fn start(program: &Program, run: &ConcreteRun) -> BTreeMap<(VariableId, u32), u64> {
    let machine = Machine::new(program);
    let configuration = machine.initial(&run.initial_globals, &run.initial_locals);
    let main = program.procedure(program.main_id());
    let all = program.globals().chain(main.parameters.iter().copied()).chain(main.locals.iter().copied());
    let mut values = BTreeMap::new();
    for id in all {
        for (element, bits) in machine.values(&configuration, id).iter().enumerate() {
            values.insert((id, element as u32), *bits);
        }
    }
    values
}

fn shown_lines(program: &Program, run: &Replay, focus: &[bool]) -> BTreeSet<u32> {
    let last = focus.len() - 1;
    let kept = (0..focus.len()).filter(|k| focus[*k]);
    let edges = kept.map(|k| (k, program.edge(run.steps[k].edge)));
    edges.filter(|(k, edge)| edge.is_traced() || *k == last).map(|(_, edge)| edge.span.line).collect()
}

#[test]
fn sequences_keep_their_failure_cover_every_failing_run_and_are_reduced() {
    let (mut failing, mut listed, mut runs, mut dropped) = (0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let source = generate::program(seed);
        let program = Rc::new(crate::load(&source).expect("a good program"));
        let found = sequences(&program);
        let complete = found.as_ref().is_some_and(|analysis| analysis.is_complete());
        if let Some(analysis) = &found {
            failing += u32::from(!analysis.sequences().is_empty());
            for sequence in analysis.sequences() {
                listed += 1;
                let confirmed = sequence.confirmed.as_ref().unwrap_or_else(|| panic!("seed {seed}: a run\n{source}"));
                let again = replay(&program, &confirmed.run).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
                let focus = focus_of_run(&program, &again);
                let own: Vec<EdgeId> = (0..focus.focus.len()).filter(|k| focus.focus[*k]).map(|k| again.steps[k].edge).collect();
                assert_eq!(own, sequence.entries, "seed {seed}\n{source}");
                dropped += focus.focus.iter().filter(|kept| !**kept).count();
                assert!(executes(&program, &confirmed.run, &again, &focus.focus), "seed {seed}: {own:?}\n{source}");
            }
            reduced(&program, analysis, seed);
        }
        for try_ in 0..25 {
            let Some(run) = random_run(&program, seed * 100 + try_) else { continue };
            let again = replay(&program, &run).expect("the machine made it");
            let focus = focus_of_run(&program, &again);
            assert!(executes(&program, &run, &again, &focus.focus), "seed {seed}, run {try_}\n{source}");
            let Some(analysis) = found.as_ref().filter(|_| complete) else { continue };
            runs += 1;
            let values = start(&program, &run);
            let lines = shown_lines(&program, &again, &focus.focus);
            let covers = analysis.sequences().iter().any(|sequence| {
                let kept = sequence.entries.iter().zip(&sequence.shown).filter(|(_, shown)| **shown);
                let own: BTreeSet<u32> = kept.map(|(id, _)| program.edge(*id).span.line).collect();
                own.is_subset(&lines) && holds(analysis, sequence, &values)
            });
            assert!(covers, "seed {seed}, run {try_}: {lines:?}\n{source}");
        }
    }
    assert!(failing > 40 && listed > 60 && runs > 60 && dropped > 200, "{failing} {listed} {runs} {dropped}");
}

/// Do the assumptions over the start alone hold there?
fn holds(
    analysis: &FocusAnalysis,
    sequence: &faultline::analysis::focus::FocusSequence,
    values: &BTreeMap<(VariableId, u32), u64>,
) -> bool {
    let inputs = analysis.inputs_ref();
    let value = |level| {
        let (place, bit) = inputs.at_level(level).expect("a level in use");
        values.get(&place).is_some_and(|bits| bits >> bit & 1 == 1)
    };
    let of_start = |level| inputs.at_level(level).is_some_and(|((variable, _), _)| inputs.input(variable).is_none());
    let over_start = sequence.assumptions.iter().filter(|a| inputs.kernel.support(a.truth).into_iter().all(of_start));
    over_start.into_iter().all(|assumption| inputs.kernel.eval(assumption.truth, &value))
}

/// No constraint, with its place, is left in exactly one set with its negation in exactly one other.
fn reduced(program: &Program, analysis: &FocusAnalysis, seed: u64) {
    let left: Vec<BTreeSet<_>> = analysis
        .sequences()
        .iter()
        .filter(|sequence| sequence.same_as.is_none())
        .map(|s| s.assumptions.iter().filter(|a| !a.deleted).map(|a| (program.edge(a.edge).from, a.truth)).collect())
        .collect();
    for (k, set) in left.iter().enumerate() {
        for (place, truth) in set {
            let with = |of| (0..left.len()).filter(|j| left[*j].contains(&(*place, of))).collect::<Vec<_>>();
            let (own, negated) = (with(*truth), with(!*truth));
            assert!(!(own == [k] && negated.len() == 1 && negated[0] != k), "seed {seed}: something is left to reduce");
        }
    }
}

/// The oracle of deletion can tell: a run without a statement that matters does not fail.
#[test]
fn deleting_what_matters_is_noticed() {
    let source = "int x; void main() { x = 1; x = x + 1; assert(x != 2); }";
    let program = crate::load(source).expect("a good program");
    let places = program.edges.iter().filter(|e| matches!(&e.operation, Operation::Assign(l) if matches!(l[0].0, Place::Variable(_))));
    assert_eq!(places.count(), 2);
    let run = random_run(&program, 1).expect("it fails always");
    let again = replay(&program, &run).expect("it is a run");
    let all = vec![true; again.steps.len()];
    assert!(executes(&program, &run, &again, &all));
    let without: Vec<bool> = (0..all.len()).map(|k| k != 1).collect();
    assert!(!executes(&program, &run, &again, &without));
}
