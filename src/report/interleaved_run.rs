//! An interleaved run: the entries of its trace, its contexts, and the parts of statements that a
//! context switch divides.

use crate::lang::interpreter::Access;
use crate::lang::model::{EdgeId, Program, VariableId};
use crate::report::race::race_of;
use crate::report::steps::{self, Step, named};
use crate::report::values::{is_bookkeeping, scalar_of, values};
use crate::session::InterleavedFailure;
use crate::wire::report::{TraceEntry, Values};
use crate::wire::threads::{ContextReport, PartReport};
use std::collections::BTreeMap;

/// A run as it is shown.
pub(super) struct ShownRun {
    pub(super) contexts: Vec<ContextReport>,
    pub(super) trace: Vec<TraceEntry>,
    pub(super) parts: Vec<PartReport>,
    /// Of a data race: the entry of the first access.
    pub(super) paused: Option<u32>,
}

/// An entry of the trace.
struct Shown {
    /// The edge of the statement, if this is not its last part.
    goes_on: Option<EdgeId>,
    /// If it is a part.
    part: Option<Part>,
}

/// What a part of a statement does to the globals.
#[derive(Default)]
struct Part {
    reads: Vec<Access>,
    writes: Vec<Access>,
    earlier: Vec<Access>,
}

/// A statement of a thread that is under way.
#[derive(Default)]
struct Open {
    /// What it has read in the present context, and the last step that read something.
    reads: Vec<Access>,
    last: usize,
    /// What it has read in each earlier context, with the last step there.
    earlier: Vec<(usize, Vec<Access>)>,
}

/// The run, with the values of these globals. `number`: the number of a thread in the report.
pub(super) fn interleaved_run(
    program: &Program,
    run: &InterleavedFailure,
    globals: &[VariableId],
    number: &dyn Fn(usize) -> u32,
) -> ShownRun {
    let entries = entries(program, run, globals);
    let steps = run.replay.steps.iter().zip(&run.replay.observed).enumerate();
    let mut trace = steps::trace(
        program,
        steps.map(|(k, (step, observed))| Step {
            thread: number(run.run.steps[k].0),
            store: &step.store,
            observed,
            shown: entries.contains_key(&k),
        }),
    );
    let mut parts = Vec::new();
    for (step, (entry, shown)) in trace.iter_mut().zip(entries.values()).enumerate() {
        // The rest of a shared procedure's step is told as the call, as the step is.
        if let Some(statement) = shown.goes_on.filter(|id| !program.is_shared(*id)) {
            let edge = program.edge(statement);
            entry.line = edge.span.line;
            entry.statement.clone_from(&edge.text);
            entry.edge = Some(statement.0);
        }
        if let Some(part) = &shown.part {
            let values = |accesses: &[Access]| values_of(program, accesses);
            parts.push(PartReport {
                step: step as u32,
                reads: values(&part.reads),
                writes: values(&part.writes),
                earlier: values(&part.earlier),
            });
        }
    }
    let paused = race_of(run).and_then(|race| entries.keys().position(|k| *k == race.at));
    let contexts = contexts(program, run, globals, &entries, number);
    ShownRun { contexts, trace, parts, paused: paused.map(|at| at as u32) }
}

/// The steps that are shown: statements, and the reads of a statement if the thread is switched
/// away from before it goes on with it.
fn entries(
    program: &Program,
    run: &InterleavedFailure,
    shown: &[VariableId],
) -> BTreeMap<usize, Shown> {
    let steps = &run.replay.steps;
    let is_told = |id: &VariableId| shown.contains(id) && !is_bookkeeping(program, *id);
    let seen = |accesses: &[Access]| -> Vec<Access> {
        accesses.iter().filter(|access| is_told(&access.variable)).copied().collect()
    };
    let fails = |k: usize| run.fails_at(k);
    let mut entries = BTreeMap::new();
    let mut open: BTreeMap<usize, Open> = BTreeMap::new();
    for (k, step) in steps.iter().enumerate() {
        let thread = run.run.steps[k].0;
        if let Some((before, _)) = k.checked_sub(1).map(|before| &run.run.steps[before])
            && *before != thread
            && let Some(left) = open.get_mut(before).filter(|left| !left.reads.is_empty())
        {
            left.earlier.push((left.last, std::mem::take(&mut left.reads)));
        }
        let reads = seen(&run.replay.reads[k]);
        if !program.edge(step.edge).is_traced() && !fails(k) {
            if !reads.is_empty() {
                let open = open.entry(thread).or_default();
                open.last = k;
                open.reads.extend(reads);
            }
            continue;
        }
        let Open { reads: mut known, earlier, .. } = open.remove(&thread).unwrap_or_default();
        known.extend(reads);
        let divided = !earlier.is_empty();
        let mut before: Vec<Access> = Vec::new();
        for (at, reads) in earlier {
            let part = Part { reads: reads.clone(), earlier: before.clone(), ..Part::default() };
            before.extend(reads);
            entries.insert(at, Shown { goes_on: Some(step.edge), part: Some(part) });
        }
        let written = run.replay.observed[k].writes.iter().filter(|one| one.frame.is_none());
        let written: Vec<Access> = written
            .map(|one| Access { variable: one.variable, element: one.element, bits: one.after })
            .collect();
        let writes = seen(&written);
        let part = divided.then_some(Part { reads: known, writes, earlier: before });
        // Of a race only the access is known: its statement is the one that goes on from there.
        let goes_on = race_of(run).and_then(|_| statement_after(program, step.edge));
        entries.insert(k, Shown { goes_on, part });
    }
    entries
}

/// The statement that a step which is no statement belongs to: the first one behind it on its line.
pub(super) fn statement_after(program: &Program, part: EdgeId) -> Option<EdgeId> {
    let mut seen = vec![part];
    let mut next = 0;
    while let Some(edge) = seen.get(next).map(|id| program.edge(*id)) {
        if edge.is_traced() {
            return (next > 0).then(|| seen[next]);
        }
        let follows = |id: &EdgeId| {
            let other = program.edge(*id);
            other.from == edge.to && other.span.line == edge.span.line
        };
        let more: Vec<EdgeId> = program.edge_ids().filter(follows).collect();
        for id in more {
            if !seen.contains(&id) {
                seen.push(id);
            }
        }
        next += 1;
    }
    None
}

fn values_of(program: &Program, accesses: &[Access]) -> Values {
    let one = |access: &Access| {
        let place = named(program, access.variable, access.element).place;
        (place, scalar_of(program, access.variable, access.bits))
    };
    Values(accesses.iter().map(one).collect())
}

fn contexts(
    program: &Program,
    run: &InterleavedFailure,
    shown: &[VariableId],
    entries: &BTreeMap<usize, Shown>,
    number: &dyn Fn(usize) -> u32,
) -> Vec<ContextReport> {
    let globals: Vec<VariableId> = program.globals().collect();
    let words = |store: &[Vec<u64>]| -> Values {
        let known = globals.iter().zip(store).filter(|(id, _)| shown.contains(id));
        values(program, &known.map(|(id, bits)| (*id, bits.clone())).collect::<Vec<_>>())
    };
    let context = |thread: usize, step: u32, globals: Values| ContextReport {
        thread: number(thread),
        from_step: step,
        to_step: step,
        globals,
    };
    let mut contexts: Vec<ContextReport> = Vec::new();
    let (mut count, mut running) = (0, None);
    if let (Some((thread, _)), Some(start)) = (run.run.steps.first(), run.replay.globals.first())
        && *thread != run.run.first
    {
        // The first thread leaves the stage at once.
        contexts.push(context(run.run.first, 0, words(start)));
    }
    for (k, (thread, _)) in run.run.steps.iter().enumerate() {
        if running != Some(*thread) {
            running = Some(*thread);
            contexts.push(context(*thread, count, words(&run.replay.globals[k])));
        }
        count += u32::from(entries.contains_key(&k));
        if let Some(last) = contexts.last_mut() {
            last.to_step = count;
        }
    }
    contexts
}
