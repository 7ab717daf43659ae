//! What a step of a run shows, against the interpreter's own states: the call stack with the values
//! before each statement, and what is changed after it.

use crate::support::generate;
use crate::support::load::session_with;
use crate::support::shrink::each;
use faultline::draw::steps::{StepValue, StepView, elements, step_view};
use faultline::lang::interpreter::{Configuration, Machine, Outcome};
use faultline::lang::model::{EdgeId, Program, VariableId};
use faultline::report::{trace, value_of};
use faultline::session::{Budgets, Job, Outcome as Verdict, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::report::{TraceEntry, Value};

/// The run, as the interpreter executes it: the state before each step, and the state that the
/// step's edge alone leads to, before anything returns. (Of the last step, which fails: the same
/// state.)
struct Executed<'p> {
    machine: Machine<'p>,
    edges: Vec<EdgeId>,
    before: Vec<Configuration>,
    behind: Vec<Configuration>,
}

fn execute<'p>(program: &'p Program, session: &Session) -> Executed<'p> {
    let run = &session.failing_run().expect("it fails").run;
    let machine = Machine::new(program);
    let mut now = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut executed =
        Executed { machine, edges: Vec::new(), before: Vec::new(), behind: Vec::new() };
    for step in &run.steps {
        let locals = step.locals.clone().unwrap_or_default();
        let machine = &executed.machine;
        let behind = match machine.execute_edge(&now, step.edge, &step.choices, &locals) {
            Outcome::Next(behind) => behind,
            _ => now.clone(),
        };
        let next = match machine.execute(&now, step.edge, &step.choices, &locals) {
            Outcome::Next(next) => next,
            _ => now.clone(),
        };
        executed.edges.push(step.edge);
        executed.before.push(std::mem::replace(&mut now, next));
        executed.behind.push(behind);
    }
    executed
}

/// The variables in scope at an edge that no later one hides: globals, or locals.
fn visible(program: &Program, edge: EdgeId, globals: bool) -> Vec<VariableId> {
    let scope = &program.scope(program.edge(edge).scope).variables;
    let name = |id: &VariableId| &program.variable(*id).name;
    let hidden = |(k, id): (usize, &VariableId)| scope[k + 1..].iter().any(|o| name(o) == name(id));
    let seen = scope.iter().enumerate().filter(|one| !hidden(*one)).map(|(_, id)| *id);
    seen.filter(|id| program.variable(*id).owner.is_none() == globals).collect()
}

/// The value of a variable in a frame of a configuration.
fn read(machine: &Machine, configuration: &Configuration, frame: usize, id: VariableId) -> Value {
    let mut inner = configuration.clone();
    inner.frames.truncate(frame + 1);
    value_of(machine.program(), id, machine.values(&inner, id))
}

fn row<'v>(rows: &'v [StepValue], name: &str) -> &'v StepValue {
    rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no row {name}: {rows:#?}"))
}

/// The value of a row after the statement.
fn after(row: &StepValue) -> Value {
    let mut value = row.after.clone().or(row.before.clone()).expect("a value");
    for touched in &row.touched {
        if let Some(after) = &touched.after {
            set(&mut value, &touched.indices, after.clone());
        }
    }
    value
}

fn set(value: &mut Value, indices: &[u32], to: Value) {
    match (value, indices) {
        (value, []) => *value = to,
        (Value::List(items), [first, rest @ ..]) => set(&mut items[*first as usize], rest, to),
        (value, _) => panic!("{value} has no element {indices:?}"),
    }
}

/// Is everything that the step shows of the state before its statement in the interpreter's state?
fn compare_before(executed: &Executed, at: usize, view: &StepView) {
    let (machine, state) = (&executed.machine, &executed.before[at]);
    let program = machine.program();
    assert_eq!(view.frames.len(), state.frames.len(), "the stack is as deep");
    for (up, frame) in view.frames.iter().enumerate() {
        let level = state.frames.len() - 1 - up;
        let edge = match up {
            0 => executed.edges[at],
            _ => state.frames[level + 1].call.expect("a call made the frame above"),
        };
        assert_eq!(frame.procedure, program.procedure(state.frames[level].procedure).name);
        assert_eq!(frame.line, program.edge(edge).span.line);
        for id in visible(program, edge, false) {
            let shown = row(&frame.values, &program.variable(id).name);
            assert_eq!(shown.before, Some(read(machine, state, level, id)), "{}", shown.name);
        }
    }
    for id in visible(program, executed.edges[at], true) {
        let shown = row(&view.globals, &program.variable(id).name);
        assert_eq!(shown.before, Some(read(machine, state, 0, id)), "{}", shown.name);
        let seen = shown.touched.iter().filter_map(|t| Some((&t.indices, t.before.as_ref()?)));
        let all = elements(shown.before.as_ref().expect("a global has a value"));
        assert!(seen.into_iter().all(|(at, value)| all.contains(&(at.clone(), value))));
    }
}

/// Is everything that the step shows after its statement in the interpreter's state before the
/// entry `next`?
fn compare_after(executed: &Executed, at: usize, next: usize, view: &StepView) {
    let (machine, state) = (&executed.machine, &executed.before[next]);
    let program = machine.program();
    let stays = executed.before[at..=next].iter().map(|state| state.frames.len()).min();
    let stays = stays.expect("at least two states");
    for (up, frame) in view.frames.iter().enumerate() {
        let level = executed.before[at].frames.len() - 1 - up;
        let edge = match up {
            0 => executed.edges[at],
            _ => executed.before[at].frames[level + 1].call.expect("a call"),
        };
        for id in visible(program, edge, false) {
            let shown = after(row(&frame.values, &program.variable(id).name));
            if level < stays {
                assert_eq!(shown, read(machine, state, level, id), "{}", program.variable(id).name);
            } else if up == 0 && !view.is_call {
                // The frame is gone with this statement: as the statement left it.
                let behind = &executed.behind[at];
                assert_eq!(shown, read(machine, behind, level, id), "the last statement");
            }
        }
    }
    for id in visible(program, executed.edges[at], true) {
        let shown = after(row(&view.globals, &program.variable(id).name));
        assert_eq!(shown, read(machine, state, 0, id), "{}", program.variable(id).name);
    }
}

/// Steps, steps inside calls, and calls that return.
#[derive(Default)]
struct Compared {
    steps: u32,
    deep: u32,
    calls: u32,
    returned: u32,
}

fn compare(program: &Program, session: &Session, compared: &mut Compared) {
    let run = session.failing_run().expect("it fails");
    let shown: Vec<TraceEntry> = trace(program, run);
    let executed = execute(program, session);
    let last = executed.edges.len() - 1;
    let places: Vec<usize> =
        (0..=last).filter(|k| *k == last || program.edge(executed.edges[*k]).is_traced()).collect();
    assert_eq!(places.len(), shown.len());
    for (step, at) in places.iter().enumerate() {
        let view = step_view(&shown, step);
        compare_before(&executed, *at, &view);
        compared.steps += 1;
        compared.deep += u32::from(view.frames.len() > 2);
        compared.returned += u32::from(view.returned.is_some());
        let depth = shown[step].depth;
        let behind = |k: &usize| !view.is_call || shown[*k].depth <= depth;
        match (step + 1..shown.len()).find(behind) {
            Some(next) => {
                compare_after(&executed, *at, places[next], &view);
                compared.calls += u32::from(view.is_call);
            }
            None => {
                let rows = view.frames.iter().flat_map(|f| &f.values).chain(&view.globals);
                assert!(rows.into_iter().all(|row| row.after.is_none()), "nothing follows");
            }
        }
    }
}

#[test]
fn every_step_shows_the_interpreters_states() {
    let mut compared = Compared::default();
    each(91_000..91_160, generate::sequential, |_, source| {
        let mut session = session_with(source, &RequestedOptions::default());
        session.start(Task::Check, Budgets::default());
        while !session.step() {}
        if session.outcome() != Verdict::Unsafe {
            return;
        }
        let program = session.shared_program().expect("it is a program");
        compare(&program, &session, &mut compared);
    });
    let Compared { steps, deep, calls, returned } = compared;
    assert!(
        steps >= 500 && deep >= 20 && calls >= 50 && returned >= 10,
        "{steps} steps, {deep} in deep calls, {calls} calls, {returned} returned values"
    );
}

#[test]
fn recursion_shows_the_variables_of_each_call() {
    let source = "int fact(int n) {\n  int r;\n  if (n <= 1) return 1;\n  r = n * fact(n - 1);\n  \
        return r;\n}\nvoid main() {\n  int s = fact(3);\n  assert(s != 6);\n}\n";
    let mut session = session_with(source, &RequestedOptions::default());
    session.start(Task::Check, Budgets::default());
    while !session.step() {}
    let program = session.shared_program().expect("it is a program");
    let shown = trace(&program, session.failing_run().expect("it fails"));
    let at = shown.iter().position(|entry| entry.statement == "return 1").expect("it returns 1");
    let view = step_view(&shown, at);
    let frames: Vec<_> = view.frames.iter().map(|f| (f.procedure.as_str(), f.line)).collect();
    assert_eq!(frames, [("fact", 3), ("fact", 4), ("fact", 4), ("main", 8)]);
    let n = |frame: usize| row(&view.frames[frame].values, "n").before.clone();
    assert_eq!([n(0), n(1), n(2)], [1, 2, 3].map(|n| Some(Value::Number(n))));
    assert_eq!(view.returned, Some(Value::Number(1)));
    let end = shown.iter().rposition(|entry| entry.statement == "return r").expect("it returns r");
    let view = step_view(&shown, end);
    let s = row(&view.frames[1].values, "s");
    assert_eq!((&s.before, &s.after), (&None, &Some(Value::Number(6))), "what main receives");
    // The call itself says the same.
    let call = shown.iter().position(|entry| entry.line == 8).expect("the call");
    let view = step_view(&shown, call);
    assert!(view.is_call);
    assert_eq!(row(&view.frames[0].values, "s").after, Some(Value::Number(6)));
}
