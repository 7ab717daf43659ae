//! Shortest failing runs, overall and through statements, against explicit lengths.

use crate::explicit::{Settings, explore, shortest_lengths, shortest_through_both};
use crate::load;
use crate::loops;
use crate::narrow;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::lang::model::EdgeId;
use faultline::session::{Budgets, Certainty, Job, Outcome, ReplayedRun, Session, Sought, Task};
use faultline::util::Narrow;
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;

/// Programs (safe ones included) whose lengths are compared.
const ENOUGH: u32 = 300;

/// The line of the only error that counts, if the program marks one.
pub fn target(source: &str) -> Option<u32> {
    source.lines().position(|line| line.ends_with("// target")).map(|line| line as u32 + 1)
}

pub fn projected(source: &str, budgets: Budgets) -> Session {
    let requested = RequestedOptions { error: target(source), ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(Method::Functional), budgets);
    session.run();
    session
}

/// As the report counts: the entries of the trace.
pub fn length(session: &Session, run: &ReplayedRun) -> u64 {
    faultline::report::trace(session.program().expect("a program"), run).len() as u64
}

/// The length of a shortest failing run through these sets; `None` if there is none.
fn through(session: &mut Session, sets: Vec<Vec<EdgeId>>, what: &str) -> Option<u64> {
    assert!(session.seek_through(sets.clone()), "{what}");
    session.run();
    assert_eq!(session.fault(), None, "{what}");
    match &session.through().expect("the search is over").answer {
        Sought::Run(run) => {
            assert!(
                sets.iter().all(|set| run.entries.iter().any(|entry| set.contains(&entry.edge))),
                "{what}"
            );
            Some(length(session, run))
        }
        Sought::None(_) => None,
        Sought::Unknown(limit) => panic!("{limit:?}: {what}"),
    }
}

/// Through every edge that some failing run executes, and overall.
#[test]
fn lengths_are_least_through_every_statement() {
    let (mut compared, mut lengths, mut longer) = (0, 0, 0);
    each(0..420, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let settings = Settings { error: target(source), cap: 60_000, ..Settings::default() };
        let Some(oracle) = shortest_lengths(&program, settings) else { return };
        let mut session = projected(source, Budgets::default());
        compared += 1;
        let overall = session.failing_run().map(|run| length(&session, run));
        assert_eq!(overall, oracle.overall, "seed {seed}\n{source}");
        if session.outcome() == Outcome::Safe {
            return;
        }
        assert_eq!(session.certainty(), Certainty::Shortest, "seed {seed}\n{source}");
        for edge in program.edge_ids() {
            let what =
                format!("seed {seed}, edge {} `{}`\n{source}", edge.0, program.edge(edge).text);
            let found = through(&mut session, vec![vec![edge]], &what);
            assert_eq!(found, oracle.through[edge.0 as usize], "{what}");
            lengths += u32::from(found.is_some());
            longer += u32::from(found > overall);
        }
        assert_eq!(
            session.failing_run().map(|run| length(&session, run)),
            overall,
            "what was found before stays"
        );
    });
    assert!(
        compared >= ENOUGH && lengths > 1500 && longer > 200,
        "{compared} programs, {lengths} lengths, {longer} longer"
    );
}

/// Through two statements, in whichever order, or not at all.
#[test]
fn lengths_are_least_through_two_statements() {
    let (mut some, mut none, mut checked) = (0, 0, 0);
    each(0..260, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let settings = Settings { error: target(source), cap: 30_000, ..Settings::default() };
        let Some(oracle) = explore(&program, settings).filter(|oracle| oracle.is_unsafe) else {
            return;
        };
        let lit: Vec<EdgeId> =
            program.edge_ids().filter(|edge| oracle.projection[edge.0 as usize]).collect();
        let mut pairs = vec![
            (0, lit.len() - 1),
            (lit.len() / 3, 2 * lit.len() / 3),
            (lit.len() / 2, lit.len() - 1),
        ];
        // Two ways out of one location: they often exclude each other.
        let ways =
            (1..lit.len()).filter(|k| program.edge(lit[*k]).from == program.edge(lit[k - 1]).from);
        pairs.extend(ways.map(|k| (k - 1, k)).take(4));
        let mut session = projected(source, Budgets::default());
        for (a, b) in pairs {
            let (Some(a), Some(b)) = (lit.get(a), lit.get(b)) else { continue };
            let what = format!("seed {seed}, edges {} and {}\n{source}", a.0, b.0);
            let Some(expected) = shortest_through_both(&program, settings, [&[*a], &[*b]]) else {
                continue;
            };
            assert_eq!(through(&mut session, vec![vec![*a], vec![*b]], &what), expected, "{what}");
            checked += 1;
            *(if expected.is_some() { &mut some } else { &mut none }) += 1;
        }
    });
    assert!(
        checked >= 200 && some >= 100 && none >= 10,
        "{checked} pairs, {some} with a run, {none} without"
    );
}

/// Garbage collection after every step, with what was freed poisoned, changes no length.
#[test]
fn collecting_during_a_search_changes_nothing() {
    let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
    let mut compared = 0;
    each(3000..3025, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let settings = Settings { error: target(source), cap: 20_000, ..Settings::default() };
        let Some(oracle) = shortest_lengths(&program, settings) else { return };
        let mut session = projected(source, budgets);
        assert_eq!(
            session.failing_run().map(|run| length(&session, run)),
            oracle.overall,
            "seed {seed}\n{source}"
        );
        let lit = program.edge_ids().filter(|edge| oracle.through[edge.0 as usize].is_some());
        for edge in lit.step_by(3) {
            let what = format!("seed {seed}, edge {}\n{source}", edge.0);
            assert_eq!(
                through(&mut session, vec![vec![edge]], &what),
                oracle.through[edge.0 as usize],
                "{what}"
            );
            compared += 1;
        }
    });
    assert!(compared >= 15, "{compared}");
}

/// Whether variables are stored with all of their bits or with as few as tell their values apart,
/// lengths are the same, overall and through statements.
#[test]
fn narrow_variables_change_no_length() {
    let (mut compared, mut narrowed) = (0, 0);
    let make = |seed| if seed % 2 == 0 { loops::program(seed) } else { generate::sequential(seed) };
    each(3200..3320, make, |seed, source| {
        let program = load(source).expect("a good program");
        let settings = Settings { error: target(source), cap: 20_000, ..Settings::default() };
        let Some(oracle) = shortest_lengths(&program, settings) else { return };
        compared += 1;
        narrowed += u32::from(narrow::partial(&program) > 0);
        for narrow in [Narrow::Never, Narrow::Saving(1)] {
            let mut session = projected(source, Budgets { narrow, ..Budgets::default() });
            let what = format!("{narrow:?}, seed {seed}\n{source}");
            let overall = session.failing_run().map(|run| length(&session, run));
            assert_eq!(overall, oracle.overall, "{what}");
            for edge in program.edge_ids().step_by(3).filter(|_| overall.is_some()) {
                let found = through(&mut session, vec![vec![edge]], &what);
                assert_eq!(found, oracle.through[edge.0 as usize], "{what}");
            }
        }
    });
    assert!(compared >= 50 && narrowed >= 20, "{narrowed} of {compared}");
}
