//! The entries of a run's trace: each statement with the values before it, and what it did.

use crate::lang::interpreter::{Assignment, Observed, Written};
use crate::lang::model::{Edge, EdgeId, Operation, Program, StatementKind, VariableId};
use crate::lang::rooms::Slot;
use crate::lang::shared::SharedCall;
use crate::report::values::{is_bookkeeping, member, scalar_of, store, value_of};
use crate::wire::report::TraceEntry;
use crate::wire::step::{Change, Element};
use std::collections::{BTreeMap, BTreeSet};

/// A step of a run, as the interpreter executed it.
pub(in crate::report) struct Step<'r> {
    /// Whose.
    pub(in crate::report) thread: u32,
    /// The variables in scope before it.
    pub(in crate::report) store: &'r Assignment,
    /// What it did.
    pub(in crate::report) observed: &'r Observed,
    /// Is it an entry of the trace?
    pub(in crate::report) shown: bool,
}

/// The trace of a run. What steps that are no entries do belongs to the entry before them, and what
/// they read to the one after them.
pub(in crate::report) fn trace<'r>(
    program: &Program,
    steps: impl IntoIterator<Item = Step<'r>>,
) -> Vec<TraceEntry> {
    let listed = program.scopes.iter().flat_map(|scope| &scope.variables).copied().collect();
    let mut trace = Trace { program, listed, entries: Vec::new(), threads: BTreeMap::new() };
    for step in steps {
        trace.step(&step);
    }
    for thread in std::mem::take(&mut trace.threads).into_values() {
        trace.close(thread.entry);
    }
    trace.entries
}

struct Trace<'p> {
    program: &'p Program,
    /// The variables of the source. Those that the front end made are in no scope.
    listed: BTreeSet<VariableId>,
    entries: Vec<TraceEntry>,
    threads: BTreeMap<u32, Thread>,
}

/// What is known of a thread.
#[derive(Default)]
struct Thread {
    /// The pending calls, outermost first.
    calls: Vec<EdgeId>,
    /// Read since the last entry.
    reads: Vec<(VariableId, u32)>,
    entry: Option<Open>,
}

/// An entry that is not complete yet.
struct Open {
    /// Which.
    index: usize,
    /// The calls that were pending, outermost first, and the statement.
    edges: Vec<EdgeId>,
    /// The innermost frame that has been there since the entry's statement.
    frame: u32,
    /// Has another thread run since? Then globals that the rest of the statement writes are no
    /// change of this entry: they change later.
    interrupted: bool,
    /// By frame, variable and element: the value before the statement, and the latest.
    written: BTreeMap<(Option<u32>, VariableId, u32), (u64, u64)>,
}

impl Trace<'_> {
    fn step(&mut self, step: &Step<'_>) {
        let Observed { edge: id, depth, .. } = *step.observed;
        let edge = self.program.edge(id);
        let mut thread = self.threads.remove(&step.thread).unwrap_or_default();
        let others = self.threads.values_mut().filter_map(|other| other.entry.as_mut());
        others.for_each(|open| open.interrupted = true);
        thread.calls.truncate(depth as usize);
        thread.reads.extend(&step.observed.reads);
        if step.shown {
            self.close(thread.entry.take());
            let reads = std::mem::take(&mut thread.reads);
            let edges = thread.calls.iter().copied().chain([id]).collect();
            let index = self.entries.len();
            let pending = thread.calls.iter().rev().copied();
            let told = self.program.told(id, pending);
            self.entries.push(entry(self.program, step, told, &reads));
            thread.entry = Some(Open {
                index,
                edges,
                frame: depth,
                interrupted: false,
                written: BTreeMap::new(),
            });
        }
        if let Some(open) = &mut thread.entry {
            open.frame = open.frame.min(depth);
            let made_up =
                edge.kind == StatementKind::Hidden && matches!(edge.operation, Operation::Havoc(_));
            for written in &step.observed.writes {
                if !made_up || open.knows(self.program, written.frame, written.variable) {
                    open.write(written);
                }
            }
            let own = open.edges.len() as u32 == depth + 1 && open.frame == depth;
            if let Some(bits) = step.observed.returned.filter(|_| own) {
                let result = self.program.procedure(self.program.owner(id)).result;
                self.entries[open.index].returned =
                    result.map(|id| value_of(self.program, id, &[bits]));
            }
            for result in &step.observed.results {
                open.frame = open.frame.min(result.frame.unwrap_or(open.frame));
                open.write(result);
            }
        }
        if matches!(edge.operation, Operation::Call { .. }) {
            thread.calls.push(id);
        }
        self.threads.insert(step.thread, thread);
    }

    /// Writes what an entry's statement changed into the entry.
    fn close(&mut self, open: Option<Open>) {
        let Some(open) = open else { return };
        let depth = open.edges.len() as u32 - 1;
        let changes = open
            .written
            .iter()
            .map(|((frame, id, element), (before, after))| {
                let known = open.knows(self.program, *frame, *id).then_some(*before);
                let after_it = scalar_of(self.program, *id, *after);
                let change = Change {
                    element: named(self.program, *id, *element),
                    before: known.map(|before| scalar_of(self.program, *id, before)),
                    character: after_it.is_of_characters(),
                    after: after_it,
                    frame: frame.map(|frame| depth - frame),
                };
                let listed = self.listed.contains(id) && !is_bookkeeping(self.program, *id);
                (change, listed && known != Some(*after))
            })
            .filter_map(|(change, shown)| shown.then_some(change))
            .collect();
        self.entries[open.index].changes = changes;
    }
}

impl Open {
    fn write(&mut self, written: &Written) {
        match written.frame {
            Some(frame) if frame > self.frame => return,
            None if self.interrupted => return,
            _ => {}
        }
        let key = (written.frame, written.variable, written.element);
        self.written
            .entry(key)
            .and_modify(|(_, after)| *after = written.after)
            .or_insert((written.before, written.after));
    }

    /// Is the variable in scope at the statement, or at the pending call of its frame?
    fn knows(&self, program: &Program, frame: Option<u32>, id: VariableId) -> bool {
        let Some(frame) = frame else { return true };
        let edge = self.edges.get(frame as usize).map(|edge| program.edge(*edge));
        edge.is_some_and(|edge| program.scope(edge.scope).variables.contains(&id))
    }
}

/// A statement as in the source, with its outcome: `if (x > 0): true`; of a `for`: `i <= n: true`.
pub(super) fn text(edge: &Edge) -> String {
    with_outcome(&edge.text, edge)
}

fn with_outcome(text: &str, edge: &Edge) -> String {
    match edge.outcome.as_str() {
        "" => text.to_string(),
        outcome => format!("{text}: {outcome}"),
    }
}

fn entry(
    program: &Program,
    step: &Step<'_>,
    told: Option<&SharedCall>,
    reads: &[(VariableId, u32)],
) -> TraceEntry {
    let id = step.observed.edge;
    let edge = program.edge(id);
    let (values, globals) = store(program, step.store);
    let mut reads: Vec<Element> = reads
        .iter()
        .filter(|(id, _)| program.variable(*id).has_name())
        .map(|(id, element)| named(program, *id, *element))
        .collect();
    reads.dedup();
    let of_characters = values.0.iter().filter(|(_, value)| value.is_of_characters());
    let characters = of_characters.map(|(name, _)| name.clone()).collect();
    TraceEntry {
        line: told.map_or(edge.span.line, |call| call.span.line),
        procedure: program.procedure(program.owner(id)).name.clone(),
        thread: step.thread,
        statement: told.map_or_else(|| text(edge), |call| with_outcome(&call.text, edge)),
        outcome: edge.outcome.clone(),
        values,
        reads,
        globals,
        characters,
        library: told.is_some(),
        depth: step.observed.depth,
        edge: Some(id.0),
        ..TraceEntry::default()
    }
}

/// An element by its name and indices; a scalar has none.
pub(in crate::report) fn named(program: &Program, id: VariableId, element: u32) -> Element {
    let variable = program.variable(id);
    let (inner, indices) = (variable.inner(), variable.indices(element));
    if let Some(slot) = program.memory.slot(id, element / inner) {
        return in_memory(program, id, slot, &indices[1..]);
    }
    let written =
        |indices: &[u32]| -> String { indices.iter().map(|index| format!("[{index}]")).collect() };
    // `ps[1].x` is element 1 of `ps.x`.
    let name = &variable.name;
    let outer = program.members.get(&id).map_or(name.len(), |length| *length as usize);
    let (array, member) = name.split_at_checked(outer).unwrap_or((name, ""));
    let (first, rest) = indices.split_at(match member {
        "" => indices.len(),
        _ => indices.len().min(1),
    });
    let place = format!("{array}{}{member}{}", written(first), written(rest));
    Element { place, variable: name.clone(), indices }
}

/// An element of memory by the object that stands there.
fn in_memory(program: &Program, id: VariableId, slot: &Slot, inner: &[u32]) -> Element {
    let part = member(program, id);
    let (variable, indices) = match slot.element.filter(|_| part.is_empty()) {
        Some(element) => (slot.object.clone(), vec![element]),
        None => (format!("{}{part}", slot.place()), inner.to_vec()),
    };
    let written: String = indices.iter().map(|index| format!("[{index}]")).collect();
    Element { place: format!("{variable}{written}"), variable, indices }
}
