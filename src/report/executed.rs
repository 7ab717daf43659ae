//! A run of the machine that executes C, as the page and the command line step through it.

use crate::wire::step::{Change, Element};
use crate::wire::trace::TraceEntry;
use crate::wire::value::{Value, Values};
use faultline_c::machine::Machine;
use faultline_c::tree::{PointId, Tree, VariableId};

/// Statements of a run that are told; of a longer one the last.
pub(super) const MOST_STEPS: usize = 2000;

/// What the words of a run are read from.
pub(super) struct Executed<'p> {
    pub(super) source: &'p str,
    pub(super) tree: &'p Tree,
}

impl Executed<'_> {
    /// The statements of a run up to the one after which `is_over` holds, or to its end, each with
    /// what `beside` makes of the machine before it. `start` gives the machine at its start: the
    /// run is executed twice, first to count its statements, and then to tell the last
    /// [`MOST_STEPS`].
    pub(super) fn trace<'p, T>(
        &self,
        start: &dyn Fn() -> Machine<'p>,
        is_over: &dyn Fn(&Machine<'p>) -> bool,
        beside: impl Fn(&Self, &Machine<'p>) -> T,
    ) -> Vec<(TraceEntry, T)> {
        let mut machine = start();
        let ended = loop {
            let ended = machine.go(machine.points() + 1);
            if ended || is_over(&machine) {
                break ended;
            }
        };
        // What holds after a statement is known when the next one begins.
        let last = machine.points() - u64::from(!ended);
        let mut machine = start();
        machine.go(last.saturating_sub(MOST_STEPS as u64) + 1);
        let mut list = vec![(self.entry(&machine), beside(self, &machine))];
        while machine.points() < last && !machine.go(machine.points() + 1) {
            list.push((self.entry(&machine), beside(self, &machine)));
        }
        for k in 1..list.len() {
            let changes = changes(&list[k - 1].0, &list[k].0);
            list[k - 1].0.changes = changes;
        }
        list
    }

    /// 1-based.
    pub(super) fn line(&self, point: PointId) -> u32 {
        self.tree.points.get(point.index()).map_or(1, |point| point.span.line.max(1))
    }

    /// As in the source, or its line where it comes from a macro.
    pub(super) fn statement(&self, point: PointId) -> String {
        let Some(point) = self.tree.points.get(point.index()) else { return String::new() };
        let line = || {
            let line = self.source.lines().nth(point.span.line.saturating_sub(1) as usize);
            line.unwrap_or_default().trim()
        };
        let text = match self.source.get(point.span.start as usize..point.span.end as usize) {
            Some(text) if !point.span.foreign => text.lines().next().unwrap_or_default().trim(),
            _ => line(),
        };
        text.trim_end_matches(['{', ' ']).to_string()
    }

    /// The statement that the machine is about to execute.
    fn entry(&self, machine: &Machine<'_>) -> TraceEntry {
        let point = machine.point();
        let frames = machine.frames();
        let name = |id: VariableId| self.tree.variables[id.index()].name.clone();
        let mut values = Vec::new();
        for global in machine.global_variables() {
            values.push((name(global.variable), value(global.value)));
        }
        let globals = values.len() as u32;
        for local in frames.last().map_or(&[][..], |frame| &frame.variables) {
            if let Some(text) = &local.value {
                values.push((name(local.variable), value(Some(text.clone()))));
            }
        }
        let procedure = self.tree.points.get(point.index()).map(|point| point.procedure);
        TraceEntry {
            line: self.line(point),
            procedure: procedure
                .map(|id| self.tree.procedures[id.index()].name.clone())
                .unwrap_or_default(),
            statement: self.statement(point),
            values: Values(values),
            globals,
            depth: frames.len().saturating_sub(1) as u32,
            ..TraceEntry::default()
        }
    }
}

/// A value in C's notation.
pub(super) fn value(text: Option<String>) -> Value {
    let Some(text) = text else { return Value::Name("?".into()) };
    match text.parse() {
        Ok(number) => Value::Number(number),
        Err(_) if text.parse::<f64>().is_ok() => {
            Value::Decimal(if text.contains(['.', 'e', 'N', 'i']) { text } else { text + ".0" })
        }
        Err(_) => Value::Name(text),
    }
}

/// What a statement changed, as far as the next one is of the same call.
fn changes(before: &TraceEntry, after: &TraceEntry) -> Vec<Change> {
    if before.depth != after.depth || before.procedure != after.procedure {
        return Vec::new();
    }
    let mut list = Vec::new();
    for (k, (name, new)) in after.values.0.iter().enumerate() {
        let old = before.values.0.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        if old != Some(new) {
            list.push(Change {
                element: Element {
                    place: name.clone(),
                    variable: name.clone(),
                    indices: Vec::new(),
                },
                before: old.cloned(),
                after: new.clone(),
                frame: (k as u32 >= after.globals).then_some(0),
                character: false,
            });
        }
    }
    list
}
