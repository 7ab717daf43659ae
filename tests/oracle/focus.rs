//! Focus-statement sequences on random programs: each is kept by its run when everything else is
//! deleted, every failing run is covered by one, and none is left for Reduce to do.

use crate::slices::is_straight;
use crate::support::Random;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::focus::{FocusAnalysis, Input, Inputs, Question, focus_of_run};
use faultline::bdd::{Bdd, KernelLimits, Var};
use faultline::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Outcome, Replay, replay,
};
use faultline::lang::model::{ChoiceId, EdgeId, Initial, Operation, Place, Program, VariableId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Programs looked at.
const PROGRAMS: u64 = 250;
const LIMITS: KernelLimits = KernelLimits { max_nodes: 300_000, max_steps: 3_000_000 };

/// The sequences of a program, if all of them could be found within small budgets; some variables
/// may be left uninterpreted.
pub fn sequences(program: &Rc<Program>, uninterpreted: Vec<VariableId>) -> Option<FocusAnalysis> {
    let question = Question { error_line: None, uninterpreted, most: 30 };
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

/// Executes what is kept of a run, read as straight-line assignments and assumptions over its
/// frames' variables: does it come to the same failure?
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
            (false, Operation::Call { .. }) => {
                match without_arguments(&machine, &before, step.edge, &locals) {
                    Some(after) => after,
                    None => return false,
                }
            }
            (false, _) => moved(program, &machine, &before, step.edge),
        };
        before = after;
    }
    false
}

/// The run goes on behind an edge, and nothing else happens; returns happen as always.
fn moved(
    program: &Program,
    machine: &Machine,
    before: &Configuration,
    edge: EdgeId,
) -> Configuration {
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
pub fn random_run(program: &Program, seed: u64) -> Option<ConcreteRun> {
    let mut random = Random::new(seed);
    let machine = Machine::new(program);
    let values = |random: &mut Random, id: VariableId| -> (VariableId, Vec<u64>) {
        let variable = program.variable(id);
        (
            id,
            (0..variable.elements())
                .map(|_| u64::from(random.among(256)) & variable.scalar.mask())
                .collect(),
        )
    };
    let open =
        |id: &VariableId| program.variable(*id).initial == faultline::lang::model::Initial::Any;
    let main = program.procedure(program.main_id());
    let initial_globals: Vec<_> =
        program.globals().filter(open).map(|id| values(&mut random, id)).collect();
    let initial_locals: Vec<_> =
        main.parameters.iter().chain(&main.locals).map(|id| values(&mut random, *id)).collect();
    let mut here = machine.initial(&initial_globals, &initial_locals);
    let mut steps = Vec::new();
    for _ in 0..80 {
        let mut next = machine.successors(&here, 64).transitions;
        if next.is_empty() {
            return None;
        }
        let picked = next.swap_remove(random.among(next.len() as u32) as usize);
        steps.push(picked.step);
        match picked.outcome {
            Outcome::Error(_) => {
                return Some(ConcreteRun { initial_globals, initial_locals, steps });
            }
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
    let all =
        program.globals().chain(main.parameters.iter().copied()).chain(main.locals.iter().copied());
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
    edges
        .filter(|(k, edge)| edge.is_traced() || *k == last)
        .map(|(_, edge)| edge.span.line)
        .collect()
}

/// What a run picks at its focus statements, under the names that assumptions have for it.
fn picks(program: &Program, run: &ConcreteRun, focus: &[bool]) -> BTreeMap<Input, Vec<u64>> {
    let machine = Machine::new(program);
    let mut here = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut left = focus.iter().filter(|kept| **kept).count() as u32;
    let mut found = BTreeMap::new();
    for (step, kept) in run.steps.iter().zip(focus) {
        left -= u32::from(*kept);
        let (edge, arbitrary) = (program.edge(step.edge), step.locals.clone().unwrap_or_default());
        let Outcome::Next(mut after) =
            machine.execute_edge(&here, step.edge, &step.choices, &arbitrary)
        else {
            choices(step, left, &mut found);
            break;
        };
        if *kept {
            choices(step, left, &mut found);
            let picked: Vec<(VariableId, Input)> = match &edge.operation {
                Operation::Havoc(list) => {
                    list.iter().map(|id| (*id, Input::Havoc(*id, left))).collect()
                }
                Operation::Call { callee, .. } => program
                    .procedure(*callee)
                    .locals
                    .iter()
                    .map(|id| (*id, Input::Local(*id, left)))
                    .collect(),
                _ => Vec::new(),
            };
            found.extend(
                picked.into_iter().map(|(id, input)| (input, machine.values(&after, id).to_vec())),
            );
        }
        while machine.return_once(&mut after).is_some() {}
        here = after;
    }
    found
}

fn choices(step: &ConcreteStep, ordinal: u32, found: &mut BTreeMap<Input, Vec<u64>>) {
    let numbered = (0u32..).zip(&step.choices);
    found.extend(
        numbered.map(|(k, bits)| (Input::Choice(step.edge, ChoiceId(k), ordinal), vec![*bits])),
    );
}

/// A failing run as the sequences should say it.
pub struct Failing {
    pub own: Vec<EdgeId>,
    pub lines: BTreeSet<u32>,
    start: BTreeMap<(VariableId, u32), u64>,
    picks: BTreeMap<Input, Vec<u64>>,
}

impl Failing {
    fn new(program: &Rc<Program>, run: &ConcreteRun) -> (Failing, Replay, Vec<bool>) {
        let again = replay(program, run).expect("the machine made it");
        let focus = focus_of_run(program, &again).focus;
        (Failing::with(program, run, &again, &focus), again, focus)
    }

    /// With these focus statements.
    pub fn with(program: &Program, run: &ConcreteRun, again: &Replay, focus: &[bool]) -> Failing {
        let own = (0..focus.len()).filter(|k| focus[*k]).map(|k| again.steps[k].edge).collect();
        let lines = shown_lines(program, again, focus);
        Failing { own, lines, start: start(program, run), picks: picks(program, run, focus) }
    }

    /// Does a formula over the start and what the run picks hold?
    pub fn fulfils(&self, inputs: &Inputs, f: Bdd) -> bool {
        inputs.kernel.eval(f, &|level| {
            let ((variable, element), bit) = inputs.at_level(level).expect("a level in use");
            let bits = match inputs.input(variable) {
                None => self.start.get(&(variable, element)).copied(),
                Some(input) => {
                    self.picks.get(&input).and_then(|values| values.get(element as usize)).copied()
                }
            };
            bits.is_some_and(|bits| bits >> bit & 1 == 1)
        })
    }
}

/// Of each sequence: everything that it assumes, what that says of the start alone, and its lines.
pub fn assumed(program: &Program, analysis: &mut FocusAnalysis) -> Vec<(Bdd, Bdd, BTreeSet<u32>)> {
    let mut all = Vec::new();
    for sequence in analysis.sequences().to_vec() {
        let inputs = analysis.inputs();
        let truths: Vec<Bdd> =
            sequence.assumptions.iter().map(|assumption| assumption.truth).collect();
        let whole = inputs.kernel.and_all(&truths).expect("no limit");
        let support = inputs.kernel.support(whole);
        let is_picked = |level: &Var| {
            inputs
                .at_level(*level)
                .is_some_and(|((variable, _), _)| inputs.input(variable).is_some())
        };
        let picked: Vec<Var> = support.into_iter().filter(is_picked).collect();
        let picked = inputs.kernel.var_set(&picked);
        let of_start = inputs.kernel.exists(whole, picked).expect("no limit");
        let shown = sequence.entries.iter().zip(&sequence.shown).filter(|(_, shown)| **shown);
        all.push((whole, of_start, shown.map(|(id, _)| program.edge(*id).span.line).collect()));
    }
    all
}

#[derive(Debug, Default)]
struct Tally {
    failing: u32,
    feasible: u32,
    infeasible: u32,
    runs: u32,
    /// Runs whose own sequence is listed, and that fulfil all of its assumptions.
    exact: u32,
    dropped: usize,
    /// Stores that fulfil what sequences assume, and that were found to fail.
    suffice: u32,
}

/// What a sequence promises, and what all of them together do.
fn judge(
    program: &Rc<Program>,
    analysis: &mut FocusAnalysis,
    place: &str,
    tally: &mut Tally,
) -> Vec<(Bdd, Bdd, BTreeSet<u32>)> {
    let assumed = assumed(program, analysis);
    tally.failing += u32::from(!analysis.sequences().is_empty());
    for (sequence, (whole, ..)) in analysis.sequences().iter().zip(&assumed) {
        let Some(confirmed) = &sequence.confirmed else {
            assert!(
                !sequence.is_feasible() && whole.is_false(),
                "what can hold has a run, {place}"
            );
            tally.infeasible += 1;
            continue;
        };
        tally.feasible += 1;
        let (failing, again, focus) = Failing::new(program, &confirmed.run);
        assert_eq!(failing.own, sequence.entries, "{place}");
        assert!(
            failing.fulfils(analysis.inputs_ref(), *whole),
            "its run does not fulfil what it assumes, {place}"
        );
        tally.dropped += focus.iter().filter(|kept| !**kept).count();
        assert!(executes(program, &confirmed.run, &again, &focus), "{:?}, {place}", failing.own);
    }
    assumed
}

/// A store that the program may start with and that fulfils a formula, by chance.
fn start_within(
    program: &Program,
    analysis: &mut FocusAnalysis,
    mut f: Bdd,
    random: &mut Random,
) -> (Assignment, Assignment) {
    let inputs = analysis.inputs();
    let mut fixed: BTreeMap<(VariableId, u32), (u64, u64)> = BTreeMap::new();
    for level in inputs.kernel.support(f) {
        let variable = inputs.kernel.var(level).expect("no limit");
        let wish = if random.among(2) == 0 { variable } else { !variable };
        let both = inputs.kernel.and(f, wish).expect("no limit");
        f = if both.is_false() { f } else { both };
        let truth = inputs.kernel.is_subset(f, variable).expect("no limit");
        let (place, bit) = inputs.at_level(level).expect("a level in use");
        let (mask, bits) = fixed.entry(place).or_default();
        *mask |= 1 << bit;
        *bits |= u64::from(truth) << bit;
    }
    let mut values = |id: VariableId| {
        let variable = program.variable(id);
        let value = |element| {
            let (mask, bits) = fixed.get(&(id, element)).copied().unwrap_or_default();
            (u64::from(random.among(256)) & !mask | bits) & variable.scalar.mask()
        };
        (id, (0..variable.elements()).map(value).collect())
    };
    let main = program.procedure(program.main_id());
    let open = |id: &VariableId| program.variable(*id).initial == Initial::Any;
    let globals = program.globals().filter(open).map(&mut values).collect();
    (globals, main.parameters.iter().chain(&main.locals).copied().map(&mut values).collect())
}

/// Does some run from here violate this check? `None` if there is too much to look at.
fn may_violate(
    program: &Program,
    start: &(Assignment, Assignment),
    error: (EdgeId, usize),
) -> Option<bool> {
    let machine = Machine::new(program);
    let mut seen = std::collections::HashSet::new();
    let mut waiting = vec![machine.initial(&start.0, &start.1)];
    while let Some(here) = waiting.pop() {
        if !seen.insert(here.clone()) {
            continue;
        }
        let next = machine.successors(&here, 300);
        if !next.complete || seen.len() > 3_000 {
            return None;
        }
        for transition in next.transitions {
            match transition.outcome {
                Outcome::Error(check) if (transition.step.edge, check) == error => {
                    return Some(true);
                }
                Outcome::Next(after) => waiting.push(after),
                Outcome::Error(_) | Outcome::Blocked => {}
            }
        }
    }
    Some(false)
}

/// Whatever store fulfils what a sequence assumes has a failing run: nothing that decides was left
/// out. (Not where a loop that does not matter may never end.)
fn suffices(
    program: &Program,
    analysis: &mut FocusAnalysis,
    assumed: &[(Bdd, Bdd, BTreeSet<u32>)],
    random: &mut Random,
    place: &str,
) -> u32 {
    let mut judged = 0;
    for (sequence, (_, of_start, _)) in analysis.sequences().to_vec().iter().zip(assumed) {
        let Some(confirmed) = &sequence.confirmed else { continue };
        let error =
            (*sequence.entries.last().expect("it has its error"), confirmed.replay.failed_check);
        for _ in 0..4 {
            let start = start_within(program, analysis, *of_start, random);
            let Some(fails) = may_violate(program, &start, error) else { continue };
            judged += 1;
            assert!(fails, "{:?} says nothing of {start:?}: {place}", sequence.lines);
        }
    }
    judged
}

/// Is a failing run said by some feasible sequence? By its own one, all of whose assumptions it
/// fulfils; or by one with fewer lines that assumes no more of the start.
fn is_covered(
    failing: &Failing,
    analysis: &FocusAnalysis,
    assumed: &[(Bdd, Bdd, BTreeSet<u32>)],
    tally: &mut Tally,
) -> bool {
    let inputs = analysis.inputs_ref();
    let feasible =
        || analysis.sequences().iter().zip(assumed).filter(|(sequence, _)| sequence.is_feasible());
    let exact = feasible().any(|(sequence, (whole, ..))| {
        sequence.entries == failing.own && failing.fulfils(inputs, *whole)
    });
    tally.exact += u32::from(exact);
    exact
        || feasible().any(|(_, (_, of_start, lines))| {
            lines.is_subset(&failing.lines) && failing.fulfils(inputs, *of_start)
        })
}

#[test]
fn sequences_keep_their_failure_cover_every_failing_run_and_are_reduced() {
    let mut tally = Tally::default();
    each(0..PROGRAMS, generate::sequential, |seed, source| {
        let program = Rc::new(crate::load(source).expect("a good program"));
        let mut found = sequences(&program, Vec::new());
        let place = format!("seed {seed}\n{source}");
        let mut all = Vec::new();
        if let Some(analysis) = &mut found {
            all = judge(&program, analysis, &place, &mut tally);
            if is_straight(&program) {
                tally.suffice += suffices(&program, analysis, &all, &mut Random::new(seed), &place);
            }
            reduced(&program, analysis, seed);
        }
        for try_ in 0..25 {
            let Some(run) = random_run(&program, seed * 100 + try_) else { continue };
            let (failing, again, focus) = Failing::new(&program, &run);
            assert!(executes(&program, &run, &again, &focus), "run {try_}, {place}");
            let Some(analysis) = found.as_ref().filter(|analysis| analysis.is_complete()) else {
                continue;
            };
            tally.runs += 1;
            assert!(
                is_covered(&failing, analysis, &all, &mut tally),
                "run {try_}: {:?}, {place}",
                failing.lines
            );
        }
    });
    assert!(tally.failing > 40 && tally.feasible > 60 && tally.infeasible == 0, "{tally:?}");
    assert!(
        tally.runs > 60 && tally.exact > 20 && tally.dropped > 200 && tally.suffice > 40,
        "{tally:?}"
    );
}

/// Variables left uninterpreted: a sequence is called feasible iff some failing run has it. Those
/// that are not assume what cannot hold, and every failing run is still said by one that is.
#[test]
fn uninterpreted_variables_make_sequences_that_no_run_has() {
    let mut tally = Tally::default();
    each(0..PROGRAMS, generate::sequential, |seed, source| {
        let program = Rc::new(crate::load(source).expect("a good program"));
        let mut random = Random::new(seed);
        let named: Vec<VariableId> = (0..program.variables.len() as u32)
            .map(VariableId)
            .filter(|id| {
                !program.variable(*id).name.is_empty() && !program.variable(*id).is_array()
            })
            .collect();
        if named.is_empty() {
            return;
        }
        let left_aside = (0..2).map(|_| named[random.among(named.len() as u32) as usize]).collect();
        let Some(mut analysis) = sequences(&program, left_aside) else { return };
        let place = format!("seed {seed}\n{source}");
        let all = judge(&program, &mut analysis, &place, &mut tally);
        reduced(&program, &analysis, seed);
        for try_ in 0..25 {
            let Some(run) =
                random_run(&program, seed * 100 + try_).filter(|_| analysis.is_complete())
            else {
                continue;
            };
            let (failing, ..) = Failing::new(&program, &run);
            tally.runs += 1;
            assert!(
                is_covered(&failing, &analysis, &all, &mut tally),
                "run {try_}: {:?}, {place}",
                failing.lines
            );
        }
    });
    assert!(
        tally.feasible > 40 && tally.infeasible > 20 && tally.runs > 40 && tally.exact > 15,
        "{tally:?}"
    );
}

/// Of the feasible sequences: no constraint, with its place, is left in exactly one set with its
/// negation in exactly one other.
fn reduced(program: &Program, analysis: &FocusAnalysis, seed: u64) {
    let left: Vec<BTreeSet<_>> = analysis
        .sequences()
        .iter()
        .filter(|sequence| sequence.is_feasible() && sequence.same_as.is_none())
        .map(|s| {
            s.assumptions
                .iter()
                .filter(|a| !a.deleted)
                .map(|a| (program.edge(a.edge).from, a.truth))
                .collect()
        })
        .collect();
    for (k, set) in left.iter().enumerate() {
        for (place, truth) in set {
            let with = |of| {
                (0..left.len()).filter(|j| left[*j].contains(&(*place, of))).collect::<Vec<_>>()
            };
            let (own, negated) = (with(*truth), with(!*truth));
            assert!(
                !(own == [k] && negated.len() == 1 && negated[0] != k),
                "seed {seed}: something is left to reduce"
            );
        }
    }
}

/// The oracle of deletion can tell: a run without a statement that matters does not fail.
#[test]
fn deleting_what_matters_is_noticed() {
    let source = "int x; void main() { x = 1; x = x + 1; assert(x != 2); }";
    let program = crate::load(source).expect("a good program");
    let places = program.edges.iter().filter(
        |e| matches!(&e.operation, Operation::Assign(l) if matches!(l[0].0, Place::Variable(_))),
    );
    assert_eq!(places.count(), 2);
    let run = random_run(&program, 1).expect("it fails always");
    let again = replay(&program, &run).expect("it is a run");
    let all = vec![true; again.steps.len()];
    assert!(executes(&program, &run, &again, &all));
    let without: Vec<bool> = (0..all.len()).map(|k| k != 1).collect();
    assert!(!executes(&program, &run, &again, &without));
}
