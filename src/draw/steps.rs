//! What a step of a run shows: the call stack with the variables of each frame, what the statement
//! changes, and the elements of arrays that it touches. A run says for each statement what is in
//! scope and what changes; the rest follows from that.

use crate::wire::report::{TraceEntry, Value};
use crate::wire::step::Change;

/// A variable at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepValue {
    /// As in the source.
    pub name: String,
    /// Before the statement; `None` if it comes into scope with it.
    pub before: Option<Value>,
    /// After it, where that differs. Of an array, see `touched`.
    pub after: Option<Value>,
    /// Of an array: the elements that the statement reads or changes.
    pub touched: Vec<Touched>,
}

/// An element of an array that a statement reads or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// As in the source: `a[3]`.
    pub place: String,
    /// One for each dimension.
    pub indices: Vec<u32>,
    /// Before the statement; `None` if the array comes into scope with it.
    pub before: Option<Value>,
    /// After it, if it differs.
    pub after: Option<Value>,
}

/// An active call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView {
    /// The procedure.
    pub procedure: String,
    /// The line where it is: of the statement, or of the call that is pending.
    pub line: u32,
    /// The statement, or the call that is pending.
    pub statement: String,
    /// Frames below it.
    pub level: u32,
    /// Its parameters and locals that are in scope.
    pub values: Vec<StepValue>,
}

/// What a step shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepView {
    /// The active calls, innermost first.
    pub frames: Vec<FrameView>,
    /// The globals in scope.
    pub globals: Vec<StepValue>,
    /// What the procedure returns with this statement.
    pub returned: Option<Value>,
    /// Is the statement a call whose body follows? Then the changes are those of the whole call.
    pub is_call: bool,
}

/// What is to be shown at `trace[step]`. Empty if there is no such step.
pub fn step_view(trace: &[TraceEntry], step: usize) -> StepView {
    let Some(entry) = trace.get(step) else { return StepView::default() };
    let mut frames = frames(trace, step);
    let mut globals = rows(&entry.values.0[..globals_of(entry)]);
    for change in changes(trace, step) {
        let rows = match change.frame {
            None => Some(&mut globals),
            Some(up) => frames.get_mut(up as usize).map(|frame| &mut frame.values),
        };
        rows.into_iter().for_each(|rows| put(rows, &change));
    }
    for read in entry.reads.iter().filter(|read| !read.indices.is_empty()) {
        let own = frames.first_mut().into_iter().flat_map(|frame| frame.values.iter_mut());
        let mut rows = own.chain(&mut globals);
        let Some(row) = rows.find(|row| row.name == read.variable) else { continue };
        if row.touched.iter().all(|touched| touched.indices != read.indices) {
            let before = row.before.as_ref().and_then(|array| element(array, &read.indices));
            row.touched.push(Touched {
                place: read.place.clone(),
                indices: read.indices.clone(),
                before: before.cloned(),
                after: None,
            });
        }
    }
    StepView { frames, globals, returned: entry.returned.clone(), is_call: is_call(trace, step) }
}

/// The active calls, innermost first. The frame of a call that is pending has the values of when it
/// was made: nothing changes them until it returns.
fn frames(trace: &[TraceEntry], step: usize) -> Vec<FrameView> {
    let entry = &trace[step];
    let mut frames = vec![frame(entry)];
    let mut level = entry.depth;
    for below in trace[..step].iter().rev().filter(|below| below.thread == entry.thread) {
        if level == 0 {
            break;
        }
        if below.depth < level {
            // A call that is no statement of the source has no entry.
            for missing in (below.depth + 1..level).rev() {
                frames.push(FrameView {
                    procedure: "…".to_string(),
                    line: 0,
                    statement: String::new(),
                    level: missing,
                    values: Vec::new(),
                });
            }
            frames.push(frame(below));
            level = below.depth;
        }
    }
    frames
}

fn frame(entry: &TraceEntry) -> FrameView {
    FrameView {
        procedure: entry.procedure.clone(),
        line: entry.line,
        statement: entry.statement.clone(),
        level: entry.depth,
        values: rows(&entry.values.0[globals_of(entry)..]),
    }
}

fn globals_of(entry: &TraceEntry) -> usize {
    (entry.globals as usize).min(entry.values.0.len())
}

fn rows(values: &[(String, Value)]) -> Vec<StepValue> {
    let row = |(name, value): &(String, Value)| StepValue {
        name: name.clone(),
        before: Some(value.clone()),
        after: None,
        touched: Vec::new(),
    };
    values.iter().map(row).collect()
}

/// Adds a change to the variable that it is about.
fn put(rows: &mut Vec<StepValue>, change: &Change) {
    let at = rows.iter().position(|row| row.name == change.element.variable);
    let at = at.unwrap_or_else(|| {
        let name = change.element.variable.clone();
        rows.push(StepValue { name, before: None, after: None, touched: Vec::new() });
        rows.len() - 1
    });
    if change.element.indices.is_empty() {
        rows[at].before = change.before.clone();
        rows[at].after = Some(change.after.clone());
    } else {
        rows[at].touched.push(Touched {
            place: change.element.place.clone(),
            indices: change.element.indices.clone(),
            before: change.before.clone(),
            after: Some(change.after.clone()),
        });
    }
}

/// What the statement at `trace[step]` changes. Of a call whose body follows: what the whole call
/// changes, if it returns.
pub fn changes(trace: &[TraceEntry], step: usize) -> Vec<Change> {
    let Some(entry) = trace.get(step) else { return Vec::new() };
    let mut net = entry.changes.clone();
    if !is_call(trace, step) {
        return net;
    }
    let mut returned = false;
    for inner in trace[step + 1..].iter().filter(|inner| inner.thread == entry.thread) {
        if inner.depth <= entry.depth {
            returned = true;
            break;
        }
        for change in &inner.changes {
            // Frames above the caller's are gone when the call returns; those below are not its
            // own.
            let frame = match change.frame {
                None => None,
                Some(up) if inner.depth >= up && inner.depth - up <= entry.depth => {
                    returned = true;
                    Some(entry.depth - (inner.depth - up))
                }
                Some(_) => continue,
            };
            add(&mut net, Change { frame, ..change.clone() });
        }
    }
    net.retain(|change| returned && change.before.as_ref() != Some(&change.after));
    net
}

fn add(net: &mut Vec<Change>, change: Change) {
    let same = |known: &&mut Change| known.frame == change.frame && known.element == change.element;
    match net.iter_mut().find(same) {
        Some(known) => known.after = change.after,
        None => net.push(change),
    }
}

/// Is the step a call whose body is shown?
pub fn is_call(trace: &[TraceEntry], step: usize) -> bool {
    let Some(entry) = trace.get(step) else { return false };
    let next = trace[step + 1..].iter().find(|next| next.thread == entry.thread);
    next.is_some_and(|next| next.depth > entry.depth)
}

/// What each statement did: the parameters and locals of the call that it makes, what it returns,
/// and what it changes.
pub fn effects(trace: &[TraceEntry]) -> Vec<String> {
    let effect = |(step, entry): (usize, &TraceEntry)| {
        let mut told = Vec::new();
        if is_call(trace, step)
            && let Some(callee) = trace.get(step + 1)
        {
            let own = callee.values.0.iter().skip(callee.globals as usize);
            told.extend(own.map(|(name, value)| format!("{name} = {value}")));
        }
        told.extend(entry.returned.iter().map(|value| format!("returns {value}")));
        let change = |change: &Change| format!("{} = {}", change.element.place, change.after);
        told.extend(entry.changes.iter().map(change));
        told.join(", ")
    };
    trace.iter().enumerate().map(effect).collect()
}

/// The step nearest to this one that is about something; of two, the earlier one.
pub fn nearest(
    trace: &[TraceEntry],
    step: usize,
    about: impl Fn(&TraceEntry) -> bool,
) -> Option<usize> {
    let before = trace.iter().take(step + 1).rposition(&about);
    let after = trace.iter().skip(step + 1).position(&about).map(|k| step + 1 + k);
    match (before, after) {
        (Some(before), Some(after)) if after - step < step - before => Some(after),
        (before, after) => before.or(after),
    }
}

/// An element of an array.
pub fn element<'v>(array: &'v Value, indices: &[u32]) -> Option<&'v Value> {
    indices.iter().try_fold(array, |value, index| match value {
        Value::List(items) => items.get(*index as usize),
        _ => None,
    })
}

/// The elements of an array one by one, with their indices.
pub fn elements(array: &Value) -> Vec<(Vec<u32>, &Value)> {
    let Value::List(items) = array else { return vec![(Vec::new(), array)] };
    let mut all = Vec::new();
    for (index, item) in (0..).zip(items) {
        for (inner, value) in elements(item) {
            all.push(([vec![index], inner].concat(), value));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::report::Values;
    use crate::wire::step::Element;

    fn number(n: i128) -> Value {
        Value::Number(n)
    }

    /// A step with a global `x` and a local `n`.
    fn entry(
        procedure: &str,
        depth: u32,
        (x, n): (i128, i128),
        changes: Vec<Change>,
    ) -> TraceEntry {
        let list = Value::List([1, 2, 3].map(number).to_vec());
        TraceEntry {
            procedure: procedure.into(),
            line: 10 + depth,
            values: Values(vec![
                ("x".into(), number(x)),
                ("a".into(), list),
                ("n".into(), number(n)),
            ]),
            globals: 2,
            depth,
            changes,
            ..TraceEntry::default()
        }
    }

    fn change(name: &str, frame: Option<u32>, before: i128, after: i128) -> Change {
        Change {
            element: Element { place: name.into(), variable: name.into(), indices: Vec::new() },
            before: Some(number(before)),
            after: number(after),
            frame,
            character: false,
        }
    }

    /// `main` calls `f`, which calls `f`; both add to x, and the inner one's result goes into the
    /// outer one's n.
    fn run() -> Vec<TraceEntry> {
        vec![
            entry("main", 0, (0, 5), Vec::new()),
            entry("f", 1, (0, 6), vec![change("x", None, 0, 1)]),
            entry("f", 1, (1, 6), Vec::new()),
            entry("f", 2, (1, 7), vec![change("x", None, 1, 2), change("n", Some(1), 6, 9)]),
            TraceEntry {
                returned: Some(number(3)),
                ..entry("f", 1, (2, 9), vec![change("n", Some(1), 5, 3)])
            },
            entry("main", 0, (2, 3), Vec::new()),
        ]
    }

    #[test]
    fn the_stack_has_the_frames_of_pending_calls() {
        let view = step_view(&run(), 3);
        let frames: Vec<_> =
            view.frames.iter().map(|frame| (frame.procedure.as_str(), frame.line)).collect();
        assert_eq!(frames, [("f", 12), ("f", 11), ("main", 10)]);
        let n: Vec<_> = view.frames.iter().map(|frame| frame.values[0].before.clone()).collect();
        assert_eq!(n, [Some(number(7)), Some(number(6)), Some(number(5))]);
        assert_eq!(view.frames[1].values[0].after, Some(number(9)), "the caller gets the result");
        assert_eq!(view.globals[0].after, Some(number(2)));
        assert_eq!(step_view(&run(), 9), StepView::default());
    }

    #[test]
    fn a_return_says_its_value_and_what_its_caller_gets() {
        let view = step_view(&run(), 4);
        assert_eq!(view.returned, Some(number(3)));
        assert_eq!(view.frames[1].values[0].after, Some(number(3)));
        assert_eq!(view.frames[0].values[0].after, None);
    }

    #[test]
    fn a_call_changes_what_its_body_changes() {
        let all = |step: usize| {
            let changes = changes(&run(), step);
            let told = |c: &Change| (c.element.place.clone(), c.frame, c.after.clone());
            changes.iter().map(told).collect::<Vec<_>>()
        };
        let x = |after: i128| ("x".to_string(), None, number(after));
        assert_eq!(all(0), [x(2), ("n".to_string(), Some(0), number(3))]);
        assert_eq!(all(2), [x(2), ("n".to_string(), Some(0), number(9))]);
        assert_eq!(all(1), [x(1)]);
        let open = &run()[..3];
        assert!(!is_call(open, 2) && is_call(&run(), 2) && is_call(&run(), 0));
        assert_eq!(changes(&run()[..4], 0), [], "it does not return");
    }

    #[test]
    fn arrays_say_which_elements_matter() {
        let element = |index| Element {
            place: format!("a[{index}]"),
            variable: "a".into(),
            indices: vec![index],
        };
        let mut step = entry("main", 0, (0, 5), Vec::new());
        step.reads = vec![element(0), element(2)];
        step.changes = vec![Change {
            element: element(2),
            before: Some(number(3)),
            after: number(8),
            frame: None,
            character: false,
        }];
        let view = step_view(&[step], 0);
        let touched: Vec<_> = view.globals[1]
            .touched
            .iter()
            .map(|t| (t.place.as_str(), t.before.clone(), t.after.clone()))
            .collect();
        assert_eq!(
            touched,
            [("a[2]", Some(number(3)), Some(number(8))), ("a[0]", Some(number(1)), None)]
        );
    }

    #[test]
    fn a_variable_that_is_declared_has_no_value_before() {
        let mut declared = change("k", Some(0), 0, 4);
        declared.before = None;
        let view = step_view(&[entry("main", 0, (0, 5), vec![declared])], 0);
        let row = &view.frames[0].values[1];
        assert_eq!((row.name.as_str(), &row.before, &row.after), ("k", &None, &Some(number(4))));
    }

    #[test]
    fn the_nearest_step_is_found_on_either_side() {
        let trace = run();
        let main = |entry: &TraceEntry| entry.procedure == "main";
        assert_eq!(nearest(&trace, 1, main), Some(0));
        assert_eq!(nearest(&trace, 4, main), Some(5));
        assert_eq!(nearest(&trace, 5, main), Some(5));
        assert_eq!(nearest(&trace, 2, |entry| entry.depth == 7), None);
    }

    #[test]
    fn elements_of_two_dimensions_have_two_indices() {
        let row = |a, b| Value::List(vec![number(a), number(b)]);
        let matrix = Value::List(vec![row(1, 2), row(3, 4)]);
        let all: Vec<_> = elements(&matrix).into_iter().map(|(at, v)| (at, v.clone())).collect();
        assert_eq!(all[2], (vec![1, 0], number(3)));
        assert_eq!(element(&matrix, &[1, 0]), Some(&number(3)));
        assert_eq!(element(&matrix, &[2, 0]), None);
    }
}
