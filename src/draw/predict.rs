//! "What is `sum` after this statement?": the question that a step of a run asks whoever predicts
//! values, and whether an answer is right.

use super::steps::{StepValue, step_view};
use crate::wire::report::{TraceEntry, Value};

/// What is asked at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The variable or element that the statement changes.
    pub name: String,
    /// Its value after it.
    pub value: Value,
}

/// The question of a step: about the first single value that the statement changes, of the
/// innermost call before globals. `None` where it changes none, and at calls, whose changes are
/// those of the whole call.
pub fn question(trace: &[TraceEntry], step: usize) -> Option<Question> {
    let view = step_view(trace, step);
    if view.is_call {
        return None;
    }
    let own = view.frames.first().into_iter().flat_map(|frame| &frame.values);
    own.chain(&view.globals).find_map(changed)
}

fn changed(row: &StepValue) -> Option<Question> {
    let element = |value: &&Value| !matches!(value, Value::List(_));
    let whole = row.after.as_ref().filter(element).map(|after| (&row.name, after));
    let mut parts = row.touched.iter();
    let part = || parts.find_map(|part| Some((&part.place, part.after.as_ref().filter(element)?)));
    let (name, value) = whole.or_else(part)?;
    Some(Question { name: name.clone(), value: value.clone() })
}

/// Is this what a person would write for the value? A number for a number, `'a'` or 97 for a
/// character, `true` or 1 for a truth value, a name for a name.
pub fn is_right(given: &str, value: &Value) -> bool {
    let given = given.trim();
    let number = given.parse::<i128>().ok();
    match value {
        Value::Number(n) => number == Some(*n),
        Value::Character(n) => number == Some(*n) || given == value.brief(),
        Value::Truth(b) => given == b.to_string() || number == Some(i128::from(*b)),
        Value::Decimal(text) => given.parse::<f64>().is_ok_and(|given| text.parse() == Ok(given)),
        Value::Name(name) => given == name,
        Value::List(_) => given == value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Budgets, Job, Session, Task};
    use crate::wire::options::RequestedOptions;

    #[test]
    fn a_step_asks_for_what_its_statement_changes() {
        let source = "int x, a[3];\nvoid main() {\n  x = 2;\n  a[x] = x + 1;\n  if (x > 1)\n    \
                      assert(a[2] == 0);\n}\n";
        let (mut session, _) = Session::load(source, &RequestedOptions::default());
        session.start(Task::Check, Budgets::default());
        session.run();
        let report = crate::report::report(&session);
        let trace = report.trace.expect("it fails");
        let asked: Vec<Option<(String, String)>> = (0..trace.len())
            .map(|step| question(&trace, step).map(|found| (found.name, found.value.to_string())))
            .collect();
        let of = |name: &str, value: &str| Some((name.to_string(), value.to_string()));
        assert_eq!(asked, [of("x", "2"), of("a[2]", "3"), None, None]);
    }

    #[test]
    fn answers_are_read_as_people_write_them() {
        assert!(is_right(" -3 ", &Value::Number(-3)) && !is_right("3", &Value::Number(-3)));
        assert!(is_right("97", &Value::Character(97)) && is_right("'a'", &Value::Character(97)));
        assert!(is_right("true", &Value::Truth(true)) && is_right("0", &Value::Truth(false)));
        assert!(is_right("2.50", &Value::Decimal("2.5".into())));
        assert!(is_right("&x", &Value::Name("&x".into())));
        assert!(!is_right("", &Value::Number(0)));
    }
}
