//! A failing run as waypoints: values that the program does not determine, branches taken, calls,
//! results, and the target.

use super::{Places, text};
use crate::lang::interpreter::{Machine, Outcome};
use crate::lang::model::{EdgeId, Expression, Operation, Scalar, StatementKind, VariableId};
use crate::session::{ReplayedEntry, ReplayedRun};
use std::collections::BTreeSet;
use std::fmt::Write;

/// One segment for each waypoint, in the order of the run.
pub(super) fn content(places: &Places, run: &ReplayedRun) -> String {
    let program = places.program;
    let machine = Machine::new(program);
    let mut configuration = machine.initial(&run.run.initial_globals, &run.run.initial_locals);
    let mut writer = Writer::new(places);
    let last = run.entries.len().saturating_sub(1);
    for (k, (entry, step)) in run.entries.iter().zip(&run.run.steps).enumerate() {
        let edge = program.edge(entry.edge);
        writer.leave_frames(entry.depth as usize + 1);
        if edge.kind != StatementKind::Hidden || k == last {
            writer.assume(entry);
        }
        if k == last {
            writer.waypoint("target", edge.span.start, entry.edge, None);
            break;
        }
        if edge.kind == StatementKind::Condition {
            let outcome = edge.outcome.strip_prefix("case ").unwrap_or(&edge.outcome);
            let constraint = Some((outcome, "c_expression"));
            writer.waypoint("branching", edge.span.start, entry.edge, constraint);
        }
        writer.execute(entry.edge, |value| {
            let bits = machine.evaluate(&configuration, value, &step.choices);
            number(value.scalar(), bits)
        });
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        match machine.execute(&configuration, entry.edge, &step.choices, locals) {
            Outcome::Next(next) => configuration = next,
            Outcome::Blocked | Outcome::Error(_) => break,
        }
    }
    writer.out
}

/// Writes the waypoints of a run, step by step.
struct Writer<'a> {
    places: &'a Places<'a>,
    out: String,
    /// By pending call: the variables whose values follow from earlier waypoints.
    frames: Vec<BTreeSet<VariableId>>,
    /// The globals whose values follow from earlier waypoints.
    globals: BTreeSet<VariableId>,
    /// The pending calls, the innermost last.
    calls: Vec<EdgeId>,
    /// By frame: the result that its procedure has assigned so far.
    results: Vec<Option<String>>,
}

impl Writer<'_> {
    fn new<'a>(places: &'a Places<'a>) -> Writer<'a> {
        Writer {
            places,
            out: String::new(),
            frames: vec![BTreeSet::new()],
            globals: BTreeSet::new(),
            calls: Vec::new(),
            results: vec![None],
        }
    }

    /// Ends the frames above this many, with the results of their procedures.
    fn leave_frames(&mut self, depth: usize) {
        while self.frames.len() > depth {
            self.frames.pop();
            let (call, result) = (self.calls.pop(), self.results.pop().flatten());
            if let (Some(call), Some(result)) = (call, result) {
                let at = self.places.closing(self.places.program.edge(call).span);
                let value = format!("\\result == {result}");
                self.waypoint("function_return", at, call, Some((&value, "acsl_expression")));
            }
        }
    }

    /// Gives the values of the visible variables that do not follow from earlier waypoints.
    fn assume(&mut self, entry: &ReplayedEntry) {
        let program = self.places.program;
        let hidden = |k: usize, id: VariableId| {
            entry.values[k + 1..].iter().any(|(later, _)| program.hides(*later, id))
        };
        let mut said = Vec::new();
        let named = entry.values.iter().enumerate().filter(|(k, (id, _))| !hidden(*k, *id));
        for (_, (id, values)) in named {
            if self.known(*id).insert(*id) {
                said.extend(equalities(self.places, *id, values));
            }
        }
        if !said.is_empty() {
            let (at, value) = (program.edge(entry.edge).span.start, said.join(" && "));
            self.waypoint("assumption", at, entry.edge, Some((&value, "c_expression")));
        }
    }

    /// The set of known variables to which a variable belongs: the globals, or those of its frame.
    fn known(&mut self, id: VariableId) -> &mut BTreeSet<VariableId> {
        match self.places.program.variable(id).owner {
            None => &mut self.globals,
            Some(_) => self.frames.last_mut().unwrap_or(&mut self.globals),
        }
    }

    /// Notes that a statement wrote a variable, perhaps a value that it picked (`any`).
    fn written(&mut self, id: VariableId, any: bool) {
        let is_array = self.places.program.variable(id).is_array();
        let known = self.known(id);
        if any {
            known.remove(&id);
        } else if !is_array {
            known.insert(id);
        }
    }

    /// Follows a statement; `evaluate` gives the text of a value before it.
    fn execute(&mut self, id: EdgeId, evaluate: impl Fn(&Expression) -> Option<String>) {
        let program = self.places.program;
        let edge = program.edge(id);
        let chosen = !edge.choices.is_empty();
        match &edge.operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(list) => {
                let result = program.procedure(program.owner(id)).result;
                for (place, value) in list {
                    self.written(place.variable(), chosen);
                    if Some(place.variable()) == result
                        && let Some(slot) = self.results.last_mut()
                    {
                        *slot = evaluate(value);
                    }
                }
            }
            Operation::Havoc(variables) => {
                variables.iter().for_each(|variable| self.written(*variable, true))
            }
            Operation::Call { callee, result, .. } => {
                if let Some(result) = result {
                    self.written(*result, false);
                }
                let at = self.places.closing(edge.span);
                self.waypoint("function_enter", at, id, None);
                let parameters = program.procedure(*callee).parameters.iter().copied();
                // Arguments that contain choices are given again at the callee's first statement.
                self.frames.push(if chosen { BTreeSet::new() } else { parameters.collect() });
                self.calls.push(id);
                self.results.push(None);
            }
        }
    }

    fn waypoint(&mut self, kind: &str, byte: u32, edge: EdgeId, constraint: Option<(&str, &str)>) {
        let out = &mut self.out;
        let _ = writeln!(out, "  - segment:");
        let _ = writeln!(out, "    - waypoint:");
        let _ = writeln!(out, "        type: {kind}");
        let _ = writeln!(out, "        action: follow");
        out.push_str(&self.places.location(byte, edge, 8));
        if let Some((value, format)) = constraint {
            let _ = writeln!(out, "        constraint:");
            let _ = writeln!(out, "          value: {}", text(value));
            let _ = writeln!(out, "          format: {format}");
        }
    }
}

fn equalities(places: &Places, id: VariableId, values: &[u64]) -> Vec<String> {
    let variable = places.program.variable(id);
    let element = |k: usize| {
        let indices = variable.indices(k as u32).into_iter().map(|index| format!("[{index}]"));
        format!("{}{}", variable.name, indices.collect::<String>())
    };
    values
        .iter()
        .enumerate()
        .map(|(k, bits)| match number(variable.scalar, *bits) {
            Some(number) => format!("{} == {number}", element(k)),
            // What is not a number differs from itself.
            None => format!("{0} != {0}", element(k)),
        })
        .collect()
}

/// A value in C; `None` if it is "not a number".
fn number(scalar: Scalar, bits: u64) -> Option<String> {
    if !scalar.floating {
        let number = scalar.number(bits);
        return Some(if scalar.boolean { i128::from(number != 0) } else { number }.to_string());
    }
    let shown = scalar.show(bits);
    (shown != "NaN").then(|| shown.replace("inf", "1.0 / 0.0"))
}
