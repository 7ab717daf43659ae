//! Is the run that the product shows a run of the program? Followed on explicit stores, without the
//! product's interpreter: a set of configurations that fit everything the run has said so far.

use crate::steps::{Outcome, Steps, Valuation};
use crate::stores::{Layout, Liveness};
use faultline::lang::model::*;
use faultline::session::{ReplayedEntry, ReplayedRun};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    location: LocationId,
    globals: Valuation,
    locals: Valuation,
    pending: Vec<(EdgeId, Valuation)>,
}

/// Does some run of the program execute exactly these edges, with these values before each, and
/// fail the last one's check?
pub fn replays(program: &Program, run: &ReplayedRun, error: Option<u32>) -> bool {
    let mut steps = Steps::new(program, Liveness::new(program));
    let mut current = BTreeSet::new();
    let main = program.main_id();
    let entry = program.procedure(main).entry;
    let (Some(frames), Some(globals)) = (steps.frames(main, entry, &[]), steps.initial_globals())
    else {
        return false;
    };
    for locals in frames {
        for globals in &globals {
            current.insert(leave(
                &mut steps,
                Configuration { location: entry, globals: *globals, locals, pending: Vec::new() },
            ));
        }
    }
    for (number, step) in run.entries.iter().enumerate() {
        current.retain(|configuration| fits(&steps, configuration, step));
        let is_last = number + 1 == run.entries.len();
        let mut next = BTreeSet::new();
        for configuration in current {
            let Some(outcomes) =
                steps.next(configuration.location, configuration.globals, configuration.locals)
            else {
                return false;
            };
            for (_, outcome) in outcomes.into_iter().filter(|(edge, _)| *edge == step.edge) {
                let edge = program.edge(step.edge);
                let mut after = configuration.clone();
                match outcome {
                    Outcome::Fails(check) => {
                        let check = &edge.checks[check];
                        let same = check.line == run.check.line
                            && check.kind == run.check.kind
                            && check.message == run.check.message;
                        if is_last && same && error.is_none_or(|line| line == check.line) {
                            return true;
                        }
                        continue;
                    }
                    Outcome::Goes(globals, locals) => {
                        after = Configuration { location: edge.to, globals, locals, ..after };
                    }
                    Outcome::Calls(frame) => {
                        let Operation::Call { callee, .. } = &edge.operation else {
                            unreachable!("only calls call")
                        };
                        after
                            .pending
                            .push((step.edge, steps.pending(step.edge, configuration.locals)));
                        after = Configuration {
                            location: program.procedure(*callee).entry,
                            locals: frame,
                            ..after
                        };
                    }
                }
                next.insert(leave(&mut steps, after));
            }
        }
        current = next;
    }
    false
}

/// Returns while a callee's exit is reached.
fn leave(steps: &mut Steps, mut configuration: Configuration) -> Configuration {
    let program = steps.program;
    loop {
        let procedure = program.location(configuration.location).procedure;
        if configuration.location != program.procedure(procedure).exit {
            return configuration;
        }
        let Some((call, pending)) = configuration.pending.pop() else { return configuration };
        let value = steps.returned(procedure, configuration.locals);
        let (globals, locals) = steps.resume(call, configuration.globals, pending, value);
        configuration = Configuration {
            location: program.edge(call).to,
            globals,
            locals,
            pending: configuration.pending,
        };
    }
}

/// Is this where the run stands, with its values? Dead locals are not remembered here, so any value
/// of theirs will do.
fn fits(steps: &Steps, configuration: &Configuration, step: &ReplayedEntry) -> bool {
    let layout: &Layout = &steps.layout;
    let same_value = |variable: VariableId, values: &[u64]| {
        let place = layout.place(variable);
        let slots = if place.global {
            steps.globals.value(configuration.globals)
        } else {
            steps.locals.value(configuration.locals)
        };
        let dead = !place.global && !steps.liveness.live(configuration.location, variable);
        dead || slots[place.base..place.base + place.length] == *values
    };
    configuration.location == steps.program.edge(step.edge).from
        && configuration.pending.len() == step.depth as usize
        && step.values.iter().all(|(variable, values)| same_value(*variable, values))
}
