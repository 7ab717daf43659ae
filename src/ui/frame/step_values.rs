//! The values at a step of a run, for inspectors.

use crate::draw::steps::{StepValue, is_call, step_values};
use crate::wire::report::{TraceEntry, Value};
use yew::prelude::*;

/// The values at a step, and what its statement changes.
pub(crate) fn values(trace: &[TraceEntry], step: usize, raw: bool) -> Html {
    let rows = step_values(trace, step);
    let after_call = is_call(trace, step) && rows.iter().any(|r| r.after.is_some());
    let place = trace.get(step).filter(|_| !raw).map(|e| format!(" in {}", e.procedure));
    html! {
        <>
            <h3>
                { format!("Step {} of {}", step + 1, trace.len()) }
                <span class="where">{ for place }</span>
            </h3>
            if rows.is_empty() { <p class="quiet">{ "No variable is in scope." }</p> }
            else {
                <table class="values">
                    <caption class="visually-hidden">
                        { "Values before the statement, and after it where they change" }
                    </caption>
                    <tbody>{ for rows.iter().map(row) }</tbody>
                </table>
            }
            if after_call { <p class="quiet small">{ "Changes are those of the whole call." }</p> }
        </>
    }
}

/// A variable: its value before the statement, and after it where that changes it.
pub(crate) fn row(value: &StepValue) -> Html {
    match &value.after {
        Some(after) => html! {
            <tr class="changed">
                <th scope="row">{ &value.name }</th>
                <td>
                    { show(&value.before) }
                    <span class="to" aria-label="becomes">{ " → " }</span>
                    { show(after) }
                </td>
            </tr>
        },
        None => {
            html! { <tr><th scope="row">{ &value.name }</th><td>{ show(&value.before) }</td></tr> }
        }
    }
}

fn show(value: &Value) -> String {
    match value {
        // A stack, its top first.
        Value::List(symbols)
            if symbols.iter().all(|symbol| matches!(symbol, Value::Name(_)))
                && !symbols.is_empty() =>
        {
            symbols.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}
