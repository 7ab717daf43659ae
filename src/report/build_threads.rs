//! Makes the report of a session with threads.

use crate::analysis::threads::{Begins, QadeerRehof};
use crate::encode::Cell;
use crate::lang::model::{Program, VariableId};
use crate::report::deadlock::{blocked, deadlock};
use crate::report::failure::of_check;
use crate::report::steps::{self, Step};
use crate::report::values::values;
use crate::session::{Certainty, InterleavedFailure, Job, Outcome, ThreadsSession};
use crate::wire::report::{Analysis, ErrorReport, Statistics, TraceEntry, Values};
use crate::wire::threads::{
    ContextReport, InterfaceReport, ReachableReport, ThreadReport, ThreadsFound, ThreadsReport,
    ThreadsVerdict, TreeNode,
};

/// The most nodes of the tree in a report, and the most valuations that became reachable with one
/// more switch.
const MOST_NODES: usize = 400;
const MOST_VALUATIONS: usize = 64;

/// The report of a run that is over.
pub fn threads_report(session: &mut ThreadsSession) -> ThreadsReport {
    let bounds = session.bound().map_or(0, |bound| bound + 1);
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
    let (tree, tree_cut) = session
        .tree()
        .map_or((Vec::new(), false), |tree| nodes(&session.system().program, tree, &shown));
    ThreadsReport {
        analysis: Analysis::Threads,
        verdict: match outcome {
            Outcome::Safe => ThreadsVerdict::NoErrorWithinBound,
            Outcome::Unsafe => ThreadsVerdict::Unsafe,
            Outcome::Unknown(_) | Outcome::Fault => ThreadsVerdict::Unknown,
        },
        bound: session.asked().switches,
        method: session.method(),
        limit: session.limit(),
        fault: if outcome == Outcome::Fault { session.fault().map(str::to_string) } else { None },
        options: session.options().clone(),
        width: session.options().width(),
        threads: threads(session),
        no_error_up_to: session.no_error_up_to(),
        switches: run.and(session.switches()),
        error: run.map(|run| failure(session, run)),
        blocked: run.map_or(Vec::new(), |run| blocked(session.program(), run)),
        contexts: run.map(|run| contexts(session, run, &shown)),
        trace: run.map(|run| trace(session.program(), run)),
        shortest: run.map(|_| session.certainty() == Certainty::Shortest),
        at: session.asked().at,
        reachable,
        tree,
        tree_cut,
        interfaces: interfaces(session),
        first_switch: first_switch(session),
        statistics: Statistics { peak_nodes, steps, bytes },
    }
}

/// The description of how the answer was found, without the answer: the tree of one method, or the
/// interfaces of the other.
pub fn threads_found(session: &ThreadsSession) -> ThreadsFound {
    let shown = session.system().shown_globals();
    let (tree, tree_cut) = session
        .tree()
        .map_or((Vec::new(), false), |tree| nodes(&session.system().program, tree, &shown));
    let over = !matches!(session.outcome(), Outcome::Unknown(_) | Outcome::Fault);
    ThreadsFound {
        tree,
        tree_cut,
        interfaces: interfaces(session),
        switches: session.switches(),
        over,
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
                    thread: *thread as u32,
                    visits: context as u32 + 1,
                    transducer_states: size.states,
                    nodes: *nodes,
                });
            }
        }
    }
    all.sort_by_key(|one| (one.thread, one.visits));
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
    let one = |thread: &crate::analysis::threads::ThreadInstance| ThreadReport {
        name: thread.name.clone(),
        line: session.program().procedure(thread.procedure).span.line,
        at_start: thread.begins == Begins::AtStart,
    };
    session.system().threads.iter().map(one).collect()
}

fn failure(session: &ThreadsSession, run: &InterleavedFailure) -> ErrorReport {
    let program = session.program();
    let name = |thread: usize| session.system().threads[thread].name.clone();
    let (Some(check), Some(at), Some((thread, last))) =
        (&run.check, &run.replay.before_last, run.run.steps.last())
    else {
        return deadlock(program, run, name);
    };
    let own = run.replay.steps.iter().zip(&run.run.steps).filter(|(_, (of, _))| of == thread);
    let steps: Vec<_> = own.map(|(step, _)| step.into()).collect();
    of_check(program, check, (at, &last.choices), &steps)
}

/// Which steps of a run are entries of its trace?
fn traced(program: &Program, run: &InterleavedFailure) -> Vec<bool> {
    let last = run.replay.steps.len().saturating_sub(1);
    let fails = run.check.is_some();
    let shown = |(k, step): (usize, &crate::lang::interpreter::Replayed)| {
        fails && k == last || program.edge(step.edge).is_traced()
    };
    run.replay.steps.iter().enumerate().map(shown).collect()
}

fn trace(program: &Program, run: &InterleavedFailure) -> Vec<TraceEntry> {
    let shown = traced(program, run);
    let steps = run.replay.steps.iter().zip(&run.replay.observed).enumerate();
    steps::trace(
        program,
        steps.map(|(k, (step, observed))| Step {
            thread: run.run.steps[k].0 as u32,
            store: &step.store,
            observed,
            shown: shown[k],
        }),
    )
}

fn contexts(
    session: &ThreadsSession,
    run: &InterleavedFailure,
    shown: &[VariableId],
) -> Vec<ContextReport> {
    let program = session.program();
    let globals: Vec<VariableId> = program.globals().collect();
    let words = |store: &[Vec<u64>]| -> Values {
        let known = globals.iter().zip(store).filter(|(id, _)| shown.contains(id));
        values(program, &known.map(|(id, bits)| (*id, bits.clone())).collect::<Vec<_>>())
    };
    let traced = traced(program, run);
    let mut contexts: Vec<ContextReport> = Vec::new();
    let (mut entries, mut running) = (0, None);
    if let (Some((thread, _)), Some(start)) = (run.run.steps.first(), run.replay.globals.first())
        && *thread != run.run.first
    {
        // The first thread stops at once.
        contexts.push(ContextReport {
            thread: run.run.first as u32,
            from_step: 0,
            to_step: 0,
            globals: words(start),
        });
    }
    for (k, (thread, _)) in run.run.steps.iter().enumerate() {
        if running != Some(*thread) {
            running = Some(*thread);
            let globals = words(&run.replay.globals[k]);
            contexts.push(ContextReport {
                thread: *thread as u32,
                from_step: entries,
                to_step: entries,
                globals,
            });
        }
        entries += u32::from(traced[k]);
        if let Some(last) = contexts.last_mut() {
            last.to_step = entries;
        }
    }
    contexts
}

fn nodes(program: &Program, tree: &QadeerRehof, shown: &[VariableId]) -> (Vec<TreeNode>, bool) {
    let fails = |number: usize| tree.failures().iter().any(|failure| failure.node == number);
    let one = |(number, node): (usize, &crate::analysis::threads::qadeer_rehof::Node)| {
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
            number: number as u32,
            parent: node.parent.map(|parent| parent as u32),
            context: node.depth,
            thread: node.thread.map(|thread| thread as u32),
            globals,
            size: tree.size(number),
            same_as: node.same_as.map(|same| same as u32),
            fails: fails(number),
        }
    };
    let all = tree.nodes();
    (all.iter().enumerate().take(MOST_NODES).map(one).collect(), all.len() > MOST_NODES)
}
