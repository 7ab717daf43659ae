//! What a step of the failing run does to the values.

use crate::wire::report::{TraceEntry, Value};

/// A variable at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepValue {
    /// As in the source.
    pub name: String,
    /// Before the statement.
    pub before: Value,
    /// After it, where that differs.
    pub after: Option<Value>,
}

/// All variables in scope at `trace[step]`, and what the statement changes. After a call means
/// after its return; where the run never returns to the same activation, nothing is known to have
/// changed.
pub fn step_values(trace: &[TraceEntry], step: usize) -> Vec<StepValue> {
    let Some(entry) = trace.get(step) else { return Vec::new() };
    let next =
        trace[step + 1..].iter().find(|e| e.depth <= entry.depth && e.thread == entry.thread);
    let next = next.filter(|e| e.depth == entry.depth && e.procedure == entry.procedure);
    let after = |name: &str| {
        next.and_then(|e| e.values.0.iter().rev().find(|(n, _)| n == name)).map(|(_, v)| v)
    };
    let value = |(name, before): &(String, Value)| StepValue {
        name: name.clone(),
        before: before.clone(),
        after: after(name).filter(|v| *v != before).cloned(),
    };
    entry.values.0.iter().map(value).collect()
}

/// Is the step a call whose body is shown (so that "after" means after its return)?
pub fn is_call(trace: &[TraceEntry], step: usize) -> bool {
    matches!((trace.get(step), trace.get(step + 1)), (Some(entry), Some(next)) if next.depth > entry.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::report::Values;

    fn entry(procedure: &str, depth: u32, x: i128) -> TraceEntry {
        TraceEntry {
            line: 1,
            procedure: procedure.into(),
            thread: 0,
            statement: String::new(),
            values: Values(vec![
                ("x".into(), Value::Number(x)),
                ("same".into(), Value::Truth(true)),
            ]),
            depth,
            edge: None,
        }
    }

    #[test]
    fn changes_show_at_the_statement_that_makes_them() {
        let trace = [
            entry("main", 0, 0),
            entry("main", 0, 1),
            entry("f", 1, 7),
            entry("f", 1, 8),
            entry("main", 0, 3),
        ];
        let after = |step: usize| step_values(&trace, step)[0].after.clone();
        assert_eq!(after(0), Some(Value::Number(1)));
        assert_eq!(after(1), Some(Value::Number(3)), "over the whole call");
        assert_eq!(after(2), Some(Value::Number(8)));
        assert_eq!(after(3), None, "the last statement of f: another activation follows");
        assert_eq!(after(4), None, "the last step");
        assert_eq!(step_values(&trace, 9), []);
        assert!(is_call(&trace, 1) && !is_call(&trace, 0) && !is_call(&trace, 4));
        assert_eq!(step_values(&trace, 0)[1].after, None);
    }
}
