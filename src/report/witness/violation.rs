//! A failing run as waypoints: values that the program does not determine, branches taken, calls,
//! results, and the target.

use super::{Places, text};
use crate::lang::interpreter::{Machine, Outcome};
use crate::lang::model::{EdgeId, Operation, StatementKind, VariableId};
use crate::session::ReplayedRun;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One segment for each waypoint, in the order of the run.
pub(super) fn content(places: &Places, run: &ReplayedRun) -> String {
    let program = places.program;
    let mut out = String::new();
    // The results of callees, from a second execution of the run: by step, innermost first.
    let machine = Machine::new(program);
    let mut configuration = machine.initial(&run.run.initial_globals, &run.run.initial_locals);
    // The variables whose values follow from earlier waypoints, by pending call, and the globals
    // among them.
    let mut frames: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new()];
    let mut globals: BTreeSet<VariableId> = BTreeSet::new();
    let mut calls: Vec<EdgeId> = Vec::new();
    let mut results: Vec<Option<String>> = vec![None];
    let last = run.entries.len().saturating_sub(1);
    for (k, (entry, step)) in run.entries.iter().zip(&run.run.steps).enumerate() {
        let edge = program.edge(entry.edge);
        // Frames that ended before this step.
        while frames.len() > entry.depth as usize + 1 {
            frames.pop();
            let (call, result) = (calls.pop(), results.pop().flatten());
            if let (Some(call), Some(result)) = (call, result) {
                let at = places.closing(program.edge(call).span);
                waypoint(
                    &mut out,
                    places,
                    "function_return",
                    at,
                    call,
                    Some((&format!("\\result == {result}"), "acsl_expression")),
                );
            }
        }
        let visible = edge.kind != StatementKind::Hidden || k == last;
        if visible {
            let hidden = |k: usize, id: VariableId| {
                entry.values[k + 1..].iter().any(|(later, _)| program.hides(*later, id))
            };
            let mut said = Vec::new();
            let named = entry.values.iter().enumerate().filter(|(k, (id, _))| !hidden(*k, *id));
            for (_, (id, values)) in named {
                let known = if program.variable(*id).owner.is_none() {
                    &mut globals
                } else {
                    frames.last_mut().unwrap_or(&mut globals)
                };
                if known.insert(*id) {
                    said.extend(equalities(places, *id, values));
                }
            }
            if !said.is_empty() {
                waypoint(
                    &mut out,
                    places,
                    "assumption",
                    edge.span.start,
                    entry.edge,
                    Some((&said.join(" && "), "c_expression")),
                );
            }
        }
        if k == last {
            waypoint(&mut out, places, "target", edge.span.start, entry.edge, None);
            break;
        }
        if edge.kind == StatementKind::Condition {
            let outcome = edge.outcome.strip_prefix("case ").unwrap_or(&edge.outcome);
            waypoint(
                &mut out,
                places,
                "branching",
                edge.span.start,
                entry.edge,
                Some((outcome, "c_expression")),
            );
        }
        let chosen = !edge.choices.is_empty();
        let mut written = |id: VariableId, any: bool| {
            let known = if program.variable(id).owner.is_none() {
                &mut globals
            } else {
                frames.last_mut().unwrap_or(&mut globals)
            };
            if any {
                known.remove(&id);
            } else if !program.variable(id).is_array() {
                known.insert(id);
            }
        };
        match &edge.operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(list) => {
                let result = program.procedure(program.owner(entry.edge)).result;
                for (place, value) in list {
                    written(place.variable(), chosen);
                    if Some(place.variable()) == result
                        && let Some(slot) = results.last_mut()
                    {
                        let bits = machine.evaluate(&configuration, value, &step.choices);
                        *slot = Some(number(value.scalar().boolean, value.scalar().number(bits)));
                    }
                }
            }
            Operation::Havoc(variables) => {
                variables.iter().for_each(|variable| written(*variable, true))
            }
            Operation::Call { callee, result, .. } => {
                if let Some(result) = result {
                    written(*result, false);
                }
                let at = places.closing(edge.span);
                waypoint(&mut out, places, "function_enter", at, entry.edge, None);
                let parameters = program.procedure(*callee).parameters.iter().copied();
                // Arguments that contain choices are given again at the callee's first statement.
                frames.push(if chosen { BTreeSet::new() } else { parameters.collect() });
                calls.push(entry.edge);
                results.push(None);
            }
        }
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        match machine.execute(&configuration, entry.edge, &step.choices, locals) {
            Outcome::Next(next) => configuration = next,
            Outcome::Blocked | Outcome::Error(_) => break,
        }
    }
    out
}

fn equalities(places: &Places, id: VariableId, values: &[u64]) -> Vec<String> {
    let variable = places.program.variable(id);
    let value = |bits: u64| number(variable.scalar.boolean, variable.scalar.number(bits));
    let element = |k: usize| match variable.dimensions[..] {
        [] => variable.name.clone(),
        [_] => format!("{}[{k}]", variable.name),
        [_, columns, ..] => format!(
            "{}[{}][{}]",
            variable.name,
            k / columns.max(1) as usize,
            k % columns.max(1) as usize
        ),
    };
    values
        .iter()
        .enumerate()
        .map(|(k, bits)| format!("{} == {}", element(k), value(*bits)))
        .collect()
}

/// A value in C.
fn number(boolean: bool, number: i128) -> String {
    if boolean { i128::from(number != 0).to_string() } else { number.to_string() }
}

fn waypoint(
    out: &mut String,
    places: &Places,
    kind: &str,
    byte: u32,
    edge: EdgeId,
    constraint: Option<(&str, &str)>,
) {
    let _ = writeln!(out, "  - segment:");
    let _ = writeln!(out, "    - waypoint:");
    let _ = writeln!(out, "        type: {kind}");
    let _ = writeln!(out, "        action: follow");
    out.push_str(&places.location(byte, edge, 8));
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "        constraint:");
        let _ = writeln!(out, "          value: {}", text(value));
        let _ = writeln!(out, "          format: {format}");
    }
}
