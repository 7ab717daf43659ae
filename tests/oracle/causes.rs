//! Causes against explicit correct transitions: every transition of the explicit system is a stack
//! symbol of its own, so "it is on a correct run" reads: some configuration with it on top is
//! reached, and a correct end is reached from there.

mod transitions;

use crate::load;
use crate::pushdown::{Control, Meeting, Right, State, Symbol, System, poststar, prestar};
use crate::steps::{Outcome, Steps, Valuation};
use crate::stores::Liveness;
use crate::support::generate;
use crate::support::interner::Interner;
use crate::support::shrink::each;
use faultline::analysis::localize::closest::ClosestRun;
use faultline::analysis::localize::closest::alignment_program::AlignmentProgram;
use faultline::analysis::localize::closest::closeness::FailingRun;
use faultline::analysis::localize::closest::discrepancy_search::DiscrepancySearch;
use faultline::analysis::localize::closest::replay::replay_correct;
use faultline::analysis::localize::correct_end_program::END_LINE;
use faultline::analysis::localize::forward_judgement::{ForwardJudgement, Judgement};
use faultline::analysis::localize::supergraph::SuperEdge;
use faultline::analysis::localize::trace::Transition;
use faultline::analysis::reach::Reach;
use faultline::analysis::shortest_run::{Shortest, ShortestRun};
use faultline::bdd::KernelLimits;
use faultline::lang::interpreter::{
    ConcreteRun, Configuration, Machine, Outcome as Executed, replay,
};
use faultline::lang::model::*;
use faultline::session::{
    Budgets, Ending, Job, LocalizeOptions, LocalizeSession, LocalizedTrace, Outcome as Verdict,
    Session,
};
use faultline::wire::localize::Variant;
use faultline::wire::options::RequestedOptions;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use transitions::*;

#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    traces: u32,
    edges_differ: u32,
    transitions_differ_more: u32,
    /// Correct transitions and incorrect ones, of traces.
    correct: u32,
    incorrect: u32,
    incorrect_returns: u32,
    later_rounds: u32,
    no_cause: u32,
    program_ends: u32,
    /// Failing runs with a correct one beside them; the statements that they share; and those that
    /// are certain to part as late as can be.
    closest: u32,
    shared: u32,
    parted_last: u32,
    /// Failing runs with a correct one that the interpreter alone finds; which is the closest;
    /// which is known to be.
    close: u32,
    close_is_closest: u32,
    close_is_proved: u32,
    /// Transitions of failing runs that looks ahead decide by themselves, of callees, and those
    /// that stay open.
    ahead: u32,
    ahead_inside: u32,
    ahead_open: u32,
}

fn target(source: &str) -> Option<u32> {
    source.lines().position(|line| line.ends_with("// target")).map(|line| line as u32 + 1)
}

fn localized(source: &str, variant: Variant) -> LocalizeSession {
    localized_with(
        source,
        LocalizeOptions { variant, max_traces: 4, ..LocalizeOptions::default() },
        Budgets::default(),
    )
}

fn localized_with(source: &str, options: LocalizeOptions, budgets: Budgets) -> LocalizeSession {
    let requested = RequestedOptions { error: target(source), ..RequestedOptions::default() };
    let (session, _) = Session::load(source, &requested);
    let mut localization = session.localize(options, budgets).expect("a good program");
    localization.run();
    assert_eq!(localization.fault(), None, "{source}");
    localization
}

/// One failing run; false if the oracle gave up.
fn compare_trace(
    program: &Program,
    trace: &LocalizedTrace,
    halts: &BTreeSet<SuperEdge>,
    place: &str,
    tally: &mut Tally,
) -> bool {
    let failing = trace.run.entries.last().expect("a run has a last statement").edge;
    let check =
        replay(program, &trace.run.run).expect("it is a run of the program itself").failed_check;
    let never = matches!(program.edge(failing).checks[check].condition, Expression::Constant(0, _));
    let end = if never { End::Program } else { End::At(failing, check) };
    let halted = faultline::analysis::localize::supergraph::halted(program, halts);
    // What halts make dead is no part of a state; the steps themselves are those of the whole
    // program.
    let liveness = Liveness::new(&halted);
    let mut system = Transitions {
        steps: Steps::new(program, liveness),
        modes: Interner::default(),
        heads: Interner::default(),
        end,
        halts,
    };
    let Some(correct) = correct(&mut system, 150_000) else { return false };
    let edges: BTreeSet<SuperEdge> = correct.iter().filter_map(edge_of).collect();
    let keys = keys(&mut system, &trace.run.run);
    assert_eq!(keys.len(), trace.transitions.len(), "{place}");
    // project(T) \ project(C) and project(T \ C), in the oracle's own terms.
    let by_edges: BTreeSet<SuperEdge> =
        keys.iter().map(|(edge, _)| *edge).filter(|edge| !edges.contains(edge)).collect();
    let by_transitions: BTreeSet<SuperEdge> =
        keys.iter().filter(|(_, key)| !correct.contains(key)).map(|(edge, _)| *edge).collect();
    assert_eq!(
        Variant::ALL.map(|variant| trace.causes(variant)),
        [by_edges, by_transitions],
        "{place}"
    );
    for (judged, (edge, key)) in trace.transitions.iter().zip(keys) {
        let what = format!(
            "{edge:?}, line {}, `{}`: {place}",
            program.edge(edge.edge()).span.line,
            program.edge(edge.edge()).text
        );
        assert_eq!(judged.transition.edge, edge, "{what}");
        assert_eq!(judged.edge_is_correct, edges.contains(&edge), "an edge: {what}");
        assert_eq!(judged.is_correct, correct.contains(&key), "a transition: {what}");
        tally.correct += u32::from(judged.is_correct);
        tally.incorrect += u32::from(!judged.is_correct);
        tally.incorrect_returns +=
            u32::from(!judged.is_correct && matches!(edge, SuperEdge::Return(_)));
    }
    closest(&mut system, &halted, trace, &correct, place, tally);
    measured(&mut system, &halted, (failing, check), trace, &correct, place, tally);
    look_ahead(halted, (failing, check), trace, place, tally);
    let [by_edges, by_transitions] = Variant::ALL.map(|variant| trace.causes(variant));
    assert!(by_edges.is_disjoint(&edges), "a cause lies on a correct run: {place}");
    assert!(by_edges.is_subset(&by_transitions), "{place}");
    tally.traces += 1;
    tally.edges_differ += u32::from(!by_edges.is_empty());
    tally.transitions_differ_more += u32::from(by_edges != by_transitions);
    tally.program_ends += u32::from(never);
    true
}

/// Looks ahead alone, without post\*: what they decide is what the explicit system said of the
/// trace.
fn look_ahead(
    halted: Program,
    (failing, check): (EdgeId, usize),
    trace: &LocalizedTrace,
    place: &str,
    tally: &mut Tally,
) {
    let limits = KernelLimits { max_nodes: 2_000_000, max_steps: 20_000_000 };
    let error_line = place.split_once('\n').and_then(|(_, source)| target(source));
    let mut reach = Reach::new(Rc::new(halted), error_line, limits).expect("no limit");
    let transitions: Vec<Transition> =
        trace.transitions.iter().map(|judged| judged.transition.clone()).collect();
    let mut ahead = ForwardJudgement::new(&reach.program, failing, check, &transitions);
    let looked = loop {
        if let Some(looked) = ahead.step(&mut reach).expect("no limit") {
            break looked;
        }
    };
    let Judgement::Decided(decided) = looked else {
        tally.ahead_open += transitions.len() as u32;
        return;
    };
    let judged: Vec<(bool, bool)> = trace
        .transitions
        .iter()
        .map(|judged| (judged.edge_is_correct, judged.is_correct))
        .collect();
    assert_eq!(decided, judged, "looked ahead of: {place}");
    let inside = |transition: &&Transition| {
        reach.program.owner(transition.edge.edge()) != reach.program.main_id()
    };
    tally.ahead += decided.len() as u32;
    tally.ahead_inside += transitions.iter().filter(inside).count() as u32;
}

/// The correct run that is shown: there is one iff any run is correct; all of its transitions are
/// correct; and from one statement further on with the failing run, no run comes to the correct
/// end, by a search through all that may follow.
fn closest(
    system: &mut Transitions,
    halted: &Program,
    trace: &LocalizedTrace,
    correct: &FxHashSet<Key>,
    place: &str,
    tally: &mut Tally,
) {
    let found = trace.correct.as_ref().unwrap_or_else(|limit| panic!("{limit:?}: {place}"));
    assert_eq!(found.is_none(), correct.is_empty(), "is some run correct? {place}");
    let Some(found) = found else { return };
    let mut run = found.run.clone();
    run.steps.truncate(run.steps.len() - usize::from(found.passes_check));
    let on_correct = keys(system, &run);
    for (edge, key) in &on_correct {
        assert!(correct.contains(key), "{edge:?} of the correct run: {place}");
    }
    let failing = &trace.run.run;
    tally.closest += 1;
    // What both share, in the oracle's terms.
    let shared = found.shared.unwrap_or(0);
    let prefix =
        |run: &ConcreteRun| ConcreteRun { steps: run.steps[..shared].to_vec(), ..run.clone() };
    assert_eq!(keys(system, &prefix(failing)), keys(system, &prefix(&run)), "{place}");
    tally.shared += shared as u32;
    let machine = Machine::new(halted);
    let mut here = machine.initial(&failing.initial_globals, &failing.initial_locals);
    for step in &failing.steps[..found.shared.map_or(0, |shared| shared + 1)] {
        match machine.execute(
            &here,
            step.edge,
            &step.choices,
            step.locals.as_ref().unwrap_or(&Vec::new()),
        ) {
            Executed::Next(next) => here = next,
            _ => return,
        }
    }
    if let Some(possible) = comes_to_the_end(system, &machine, here, 3_000) {
        assert!(
            !possible,
            "the failing run can still be left later than after {:?} statements: {place}",
            found.shared
        );
        tally.parted_last += 1;
    }
}

/// A cheapest run of the program that is asked for the closest one, of all runs and without what is
/// known of a close one, costs what the run that is shown costs by the interpreter. A run found
/// close by the interpreter alone is a correct run by the explicit system; none is cheaper than the
/// closest; and where it is said to be the closest, it is as cheap.
fn measured(
    system: &mut Transitions,
    halted: &Program,
    (failing, check): (EdgeId, usize),
    trace: &LocalizedTrace,
    correct: &FxHashSet<Key>,
    place: &str,
    tally: &mut Tally,
) {
    let run = Rc::new(FailingRun::new(halted, &trace.run.run, check).expect("it is a failing run"));
    let question =
        AlignmentProgram::new(halted, Rc::clone(&run), None).expect("it is short enough");
    let limits = KernelLimits { max_nodes: 2_000_000, max_steps: 20_000_000 };
    let mut reach =
        Reach::new(Rc::clone(&question.program), Some(END_LINE), limits).expect("no limit");
    let mut search = ShortestRun::with_costs(&mut reach, &question.costs, None).expect("no limit");
    let found = loop {
        if let Some(found) = search.step(&mut reach).expect("no limit") {
            break found;
        }
    };
    let least = matches!(found, Shortest::Run(_)).then(|| search.rank());
    let machine = Machine::new(halted);
    let cost = |of: &ConcreteRun, end: usize| {
        run.closest_end(&machine, of, &[end]).map(|(_, closeness)| run.cost(&closeness))
    };
    let shown = trace.correct.as_ref().expect("no limit").as_ref();
    let shown_cost = shown.map(|shown| {
        cost(&shown.run, shown.run.steps.len() - usize::from(shown.passes_check))
            .expect("it is a run")
    });
    assert_eq!(
        (shown_cost, shown.map(|shown| shown.closest)),
        (least, least.map(|_| Ok(()))),
        "the run that is shown: {place}"
    );
    let mut close = DiscrepancySearch::new(halted, Rc::clone(&run), 20_000);
    while !close.step(halted) {}
    let Some(found) = close.found() else { return };
    let passes = run.end().is_some();
    let of = &found.run;
    let end = of.steps.len() - usize::from(passes);
    let close_cost = cost(of, end).expect("it is a run");
    assert_eq!(close_cost, run.cost(&found.closeness), "{place}");
    assert!(least.is_some_and(|least| least <= close_cost), "{least:?} {close_cost}: {place}");
    let prefix = ConcreteRun { steps: of.steps[..end].to_vec(), ..of.clone() };
    let claimed = ClosestRun { run: of.clone(), shared: found.closeness.shared };
    assert!(
        replay_correct(halted, &claimed, passes.then_some((failing, check))).is_some(),
        "{place}"
    );
    for (edge, key) in keys(system, &prefix) {
        assert!(correct.contains(&key), "{edge:?} of the close run: {place}");
    }
    let statements = trace.transitions.iter().filter(|judged| {
        matches!(judged.transition.edge, SuperEdge::Step(_) | SuperEdge::Enter(_))
    });
    let first_wrong = statements.map(|judged| judged.is_correct).position(|is_correct| !is_correct);
    let is_closest = close.is_closest(halted, first_wrong);
    assert!(
        !is_closest || least == Some(close_cost),
        "{least:?} {close_cost} {:?}: {place}",
        found.closeness
    );
    tally.close += 1;
    tally.close_is_closest += u32::from(least == Some(close_cost));
    tally.close_is_proved += u32::from(is_closest);
}

/// Does some run from here come to the correct end? `None` if there is too much to look at.
fn comes_to_the_end(
    system: &Transitions,
    machine: &Machine,
    start: Configuration,
    cap: usize,
) -> Option<bool> {
    let mut seen = FxHashSet::default();
    let mut waiting = vec![start];
    while let Some(configuration) = waiting.pop() {
        if !seen.insert(configuration.clone()) {
            continue;
        }
        match system.end {
            End::At(edge, check) if machine.program().edge(edge).from == configuration.location => {
                if !machine.program().edge(edge).choices.is_empty() {
                    return None;
                }
                let checks = &machine.program().edge(edge).checks[..=check];
                // Assumed instead of checked, they let the run go on.
                if checks.iter().all(|check| holds(machine, &configuration, check)) {
                    return Some(true);
                }
            }
            End::Program if machine.has_ended(&configuration) => return Some(true),
            _ => {}
        }
        let next = machine.successors(&configuration, 300);
        if !next.complete || seen.len() > cap || configuration.frames.len() > 20 {
            return None;
        }
        waiting.extend(next.transitions.into_iter().filter_map(
            |transition| match transition.outcome {
                Executed::Next(next) => Some(next),
                _ => None,
            },
        ));
    }
    Some(false)
}

fn holds(machine: &Machine, configuration: &Configuration, check: &Check) -> bool {
    machine.evaluate(configuration, &check.condition, &[]) == 1
}

fn compare(seed: u64, source: &str, variant: Variant, tally: &mut Tally) {
    // A few random programs have literals that do not fit.
    let Ok(program) = load(source) else { return };
    let localization = localized(source, variant);
    let place = format!("seed {seed}, {variant:?}\n{source}");
    let ending = localization.ending().expect("it is over");
    assert!(!matches!(ending, Ending::Limit(_) | Ending::Trusted), "{ending:?}: {place}");
    assert_eq!(
        localization.outcome() == Verdict::Safe,
        localization.traces().is_empty(),
        "{place}"
    );
    let mut halts = BTreeSet::new();
    let mut whole = true;
    for (round, trace) in localization.traces().iter().enumerate() {
        whole &= compare_trace(&program, trace, &halts, &place, tally);
        let causes = trace.causes(variant);
        assert!(
            trace.transitions.iter().all(|judged| !halts.contains(&judged.transition.edge)),
            "a halt is passed: {place}"
        );
        assert_eq!(
            causes.is_empty(),
            round + 1 == localization.traces().len() && ending == Ending::NoCause,
            "{place}"
        );
        halts.extend(causes);
        tally.later_rounds += u32::from(round > 0);
    }
    tally.no_cause += u32::from(ending == Ending::NoCause);
    tally.programs += u32::from(whole && !localization.traces().is_empty());
}

#[test]
fn correct_transitions_are_those_of_the_explicit_system() {
    let mut tally = Tally::default();
    each(12_000..12_560, generate::sequential, |seed, source| {
        compare(seed, source, Variant::Edges, &mut tally);
    });
    each(12_600..12_760, generate::sequential, |seed, source| {
        compare(seed, source, Variant::Transitions, &mut tally);
    });
    assert!(tally.programs >= 300 && tally.later_rounds >= 15 && tally.no_cause >= 30, "{tally:?}");
    assert!(tally.edges_differ >= 100 && tally.transitions_differ_more >= 100, "{tally:?}");
    assert!(tally.closest >= 200 && tally.parted_last >= 100 && tally.shared >= 500, "{tally:?}");
    assert!(
        tally.close >= 200
            && tally.close + 2 >= tally.closest
            && tally.close_is_closest > tally.close_is_proved
            && tally.close_is_proved * 5 >= tally.close_is_closest * 4,
        "{tally:?}"
    );
    assert!(
        tally.incorrect_returns >= 50 && tally.correct >= 1000 && tally.incorrect >= 1000,
        "{tally:?}"
    );
    assert!(tally.ahead >= 1000 && tally.ahead_inside >= 100, "{tally:?}");
}

/// Where correct is what a run of the refined abstraction does: it allows all that the program
/// does, so no cause lies on a correct run of the program either.
#[test]
fn causes_on_refined_abstractions_lie_on_no_correct_run() {
    let (mut judged, mut blamed, mut fewer) = (0, 0, 0);
    each(12_000..12_140, generate::sequential, |seed, source| {
        let Ok(program) = load(source) else { return };
        let options =
            LocalizeOptions { refined: true, max_traces: 2, ..LocalizeOptions::default() };
        let budgets = Budgets { max_steps: 3_000_000, ..Budgets::default() };
        let found = localized_with(source, options, budgets);
        let mut halts = BTreeSet::new();
        for trace in found.traces().iter().filter(|trace| trace.judged) {
            let failing = trace.run.entries.last().expect("a run has a last statement").edge;
            let check = replay(&program, &trace.run.run)
                .expect("it is a run of the program itself")
                .failed_check;
            let never =
                matches!(program.edge(failing).checks[check].condition, Expression::Constant(0, _));
            let end = if never { End::Program } else { End::At(failing, check) };
            let halted = faultline::analysis::localize::supergraph::halted(&program, &halts);
            let steps = Steps::new(&program, Liveness::new(&halted));
            let mut system = Transitions {
                steps,
                modes: Interner::default(),
                heads: Interner::default(),
                end,
                halts: &halts,
            };
            let Some(correct) = correct(&mut system, 150_000) else { break };
            let edges: BTreeSet<SuperEdge> = correct.iter().filter_map(edge_of).collect();
            let causes = trace.causes(Variant::Edges);
            assert!(causes.is_disjoint(&edges), "seed {seed}: {causes:?}\n{source}");
            let of_run: BTreeSet<SuperEdge> =
                trace.transitions.iter().map(|judged| judged.transition.edge).collect();
            judged += 1;
            blamed += u32::from(!causes.is_empty());
            fewer += u32::from(causes.len() < of_run.difference(&edges).count());
            halts.extend(causes);
        }
    });
    assert!(
        judged >= 40 && blamed >= 15 && fewer < judged,
        "{judged} runs, {blamed} with a cause, {fewer} with fewer than the program has"
    );
}
