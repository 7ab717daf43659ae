//! Makes the report of a session with threads.

use crate::analysis::threads::{Begins, ThreadInstance};
use crate::encode::Cell;
use crate::lang::model::{Program, VariableId};
use crate::report::deadlock::{blocked, deadlock};
use crate::report::failure::of_check;
use crate::report::interleaved_run::interleaved_run;
use crate::report::notes::unchecked_of_threads;
use crate::report::race::{race, race_error, race_of};
use crate::report::thread_numbers::{matters, number};
use crate::report::values::values;
use crate::session::{Certainty, InterleavedFailure, Job, Outcome, SwitchBound, ThreadsSession};
use crate::util::order::sort_by_key;
use crate::wire::report::{Analysis, ErrorReport, Statistics, Values};
use crate::wire::threads::{
    BlockedReport, InterfaceReport, ProofReport, ReachableReport, ThreadReport, ThreadsFound,
    ThreadsReport, ThreadsVerdict, TreeNode,
};

/// The most nodes of the tree in a report, and the most valuations that became reachable with one
/// more switch.
const MOST_NODES: usize = 400;
const MOST_VALUATIONS: usize = 64;

/// The report of a run that is over.
pub fn threads_report(session: &mut ThreadsSession) -> ThreadsReport {
    let decided = session.decided();
    let bounds = decided.map_or(0, |bound| bound + 1);
    let shown = session.system().shown_globals();
    let mut reachable = Vec::new();
    for bound in 0..bounds {
        let Ok((new, more, count)) = session.reached(bound, MOST_VALUATIONS) else { break };
        let new = new.iter().map(|bindings| values(&session.system().program, bindings)).collect();
        reachable.push(ReachableReport { bound, count: count.short(), new, more });
    }
    let (peak_nodes, steps, bytes) = session.statistics();
    let outcome = session.outcome();
    let run = session.failing_run();
    let numbered = |thread: usize| number(session, thread);
    let drawn = run.map(|run| interleaved_run(session.program(), run, &shown, &numbered));
    let (tree, tree_cut) = tree(session, &shown);
    ThreadsReport {
        analysis: Analysis::Threads,
        verdict: match outcome {
            Outcome::Safe if matches!(session.proof(), Some(Ok(_))) => ThreadsVerdict::Safe,
            Outcome::Safe => ThreadsVerdict::NoErrorWithinBound,
            Outcome::Unsafe => ThreadsVerdict::Unsafe,
            Outcome::Unknown(_) | Outcome::Fault => ThreadsVerdict::Unknown,
        },
        bound: match session.asked().switches {
            SwitchBound::AtMost(most) => most,
            SwitchBound::Rising => decided.unwrap_or(0),
        },
        raised: session.raised(),
        converged: session.converged(),
        proof: session.proof().map(|proof| ProofReport {
            configurations: proof.ok().map(|proof| proof.configurations),
            by_callers: proof.is_ok_and(|proof| proof.by_callers),
            limit: proof.err(),
        }),
        method: session.method(),
        limit: session.limit(),
        fault: if outcome == Outcome::Fault { session.fault().map(str::to_string) } else { None },
        options: session.options().clone(),
        width: session.options().width(),
        unchecked: match outcome {
            Outcome::Safe => unchecked_of_threads(session.program(), session.options()),
            _ => Vec::new(),
        },
        threads: threads(session),
        no_error_up_to: session.no_error_up_to(),
        switches: run.and(session.switches()),
        error: run.map(|run| failure(session, run)),
        blocked: run.map_or(Vec::new(), |run| waiting(session, run)),
        race: run.zip(drawn.as_ref()).and_then(|(run, drawn)| {
            let race_at = drawn.paused?;
            Some(race(session.program(), race_of(run)?, race_at))
        }),
        parts: drawn.as_ref().map_or(Vec::new(), |drawn| drawn.parts.clone()),
        contexts: drawn.as_ref().map(|drawn| drawn.contexts.clone()),
        trace: drawn.map(|drawn| drawn.trace),
        next: Vec::new(),
        shortest: run.map(|_| session.certainty() == Certainty::Shortest),
        at: session.asked().at,
        reachable,
        tree,
        tree_cut,
        interfaces: interfaces(session),
        first_switch: first_switch(session),
        explanation: None,
        statistics: Statistics { peak_nodes, steps, bytes },
    }
}

/// The description of how the answer was found, without the answer: the tree of one method, or the
/// interfaces of the other.
pub fn threads_found(session: &ThreadsSession) -> ThreadsFound {
    let shown = session.system().shown_globals();
    let (tree, tree_cut) = tree(session, &shown);
    let over = !matches!(session.outcome(), Outcome::Unknown(_) | Outcome::Fault);
    ThreadsFound {
        tree,
        tree_cut,
        interfaces: interfaces(session),
        switches: session.switches(),
        over,
        ..ThreadsFound::default()
    }
}

fn interfaces(session: &ThreadsSession) -> Vec<InterfaceReport> {
    let mut all = Vec::new();
    for size in session.interfaces() {
        for (thread, (context, nodes)) in size
            .threads
            .iter()
            .flat_map(|thread| size.nodes.iter().enumerate().map(move |known| (thread, known)))
        {
            // A context that no schedule has reached has no interface.
            if *nodes > 0 {
                all.push(InterfaceReport {
                    thread: number(session, *thread),
                    visits: context as u32 + 1,
                    transducer_states: size.states,
                    nodes: *nodes,
                });
            }
        }
    }
    sort_by_key(&mut all, |one| (one.thread, one.visits));
    all
}

/// The lines of the places at which a first switch can lead to an error.
fn first_switch(session: &ThreadsSession) -> Option<Vec<u32>> {
    let program = session.program();
    let found = session.first_switches()?;
    let line = |edge: &crate::lang::model::Edge| {
        (edge.is_statement() && found.contains(&edge.from)).then_some(edge.span.line)
    };
    let mut lines: Vec<u32> = program.edges.iter().filter_map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    Some(lines)
}

fn threads(session: &ThreadsSession) -> Vec<ThreadReport> {
    let one = |thread: &ThreadInstance| ThreadReport {
        name: thread.name.clone(),
        line: session.program().procedure(thread.procedure).span.line,
        at_start: thread.begins == Begins::AtStart,
    };
    session.system().threads.iter().filter(|thread| matters(session, thread)).map(one).collect()
}

/// The threads that wait for ever, by their numbers in the report.
fn waiting(session: &ThreadsSession, run: &InterleavedFailure) -> Vec<BlockedReport> {
    let numbered =
        |one: BlockedReport| BlockedReport { thread: number(session, one.thread as usize), ..one };
    blocked(session.program(), run).into_iter().map(numbered).collect()
}

fn failure(session: &ThreadsSession, run: &InterleavedFailure) -> ErrorReport {
    let name = |thread: usize| session.system().threads[thread].name.clone();
    error_of(session.program(), run, name)
}

/// The error that a run ends with; `name` names threads.
pub(super) fn error_of(
    program: &Program,
    run: &InterleavedFailure,
    name: impl Fn(usize) -> String,
) -> ErrorReport {
    if let Some(race) = race_of(run) {
        return race_error(program, run, race, name);
    }
    let (Some(check), Some(at), Some((thread, last))) =
        (&run.check, &run.replay.before_last, run.run.steps.last())
    else {
        return deadlock(program, run, name);
    };
    let own = run.replay.steps.iter().zip(&run.run.steps).filter(|(_, (of, _))| of == thread);
    let steps: Vec<_> = own.map(|(step, _)| step.into()).collect();
    of_check(program, check, (at, &last.choices), &steps)
}

/// The tree, as deep as it is whole; were nodes left out?
fn tree(session: &ThreadsSession, shown: &[VariableId]) -> (Vec<TreeNode>, bool) {
    let deepest = session.decided().unwrap_or(0);
    let Some(tree) = session.tree() else { return (Vec::new(), false) };
    let program = &session.system().program;
    let fails = |id: usize| tree.failures().iter().any(|failure| failure.node == id);
    let one = |(id, node): (usize, &crate::analysis::threads::qadeer_rehof::Node)| {
        let globals = node.valuation.as_ref().map_or(Values::default(), |valuation| {
            let of = |id: &VariableId| {
                let elements = 0..program.variable(*id).elements();
                (
                    *id,
                    elements
                        .map(|element| valuation.get(Cell { variable: *id, element }))
                        .collect(),
                )
            };
            values(program, &shown.iter().map(of).collect::<Vec<_>>())
        });
        TreeNode {
            number: id as u32,
            parent: node.parent.map(|parent| parent as u32),
            context: node.depth,
            thread: node.thread.map(|thread| number(session, thread)),
            globals,
            size: tree.size(id),
            same_as: node.same_as.map(|same| same as u32),
            fails: fails(id),
        }
    };
    let whole = || tree.nodes().iter().enumerate().filter(|(_, node)| node.depth <= deepest);
    (whole().take(MOST_NODES).map(one).collect(), whole().count() > MOST_NODES)
}
