//! The values at a step of a run, for inspectors: the call stack with each frame's variables, and
//! what the statement changes.

use crate::draw::failure;
use crate::draw::memory::is_on_the_heap;
use crate::draw::steps::{FrameView, StepValue, StepView, Touched, elements, nearest, step_view};
use crate::draw::words::counted;
use crate::ui::frame::sentence::with_code;
use crate::wire::report::{ErrorReport, TraceEntry, Value};
use yew::prelude::*;

/// Arrays of at most so many elements are shown whole.
const WHOLE: usize = 8;
/// Elements of a longer array that its fold shows.
const UNFOLDED: usize = 512;
/// Elements in the first line of a longer array.
const FIRST: usize = 3;
/// Frames at either end of a deep stack that are shown.
const FRAMES: usize = 6;

/// A run, and what is to be shown of it.
pub(crate) struct Shown<'r> {
    pub(crate) trace: &'r [TraceEntry],
    /// The step of the timeline.
    pub(crate) step: usize,
    /// The line that is selected; 0 is none. If another line than the step's is selected, the
    /// values are those of that line.
    pub(crate) line: u32,
    /// The error that the run ends with.
    pub(crate) error: Option<&'r ErrorReport>,
    /// Is it a run of a pushdown system?
    pub(crate) raw: bool,
}

/// The values at a step, or at the step nearest to it that executes the selected line.
pub(crate) fn values(shown: &Shown) -> Html {
    let Shown { trace, step, line, error, raw } = *shown;
    let Some(entry) = trace.get(step) else { return html! {} };
    let other = line != 0 && line != entry.line;
    let at = if other { nearest(trace, step, |entry| entry.line == line) } else { Some(step) };
    let Some(at) = at else {
        return html! {
            <>
                <h3>{ format!("Line {line}") }</h3>
                <p class="quiet">
                    { if raw { "The run does not apply this rule." } else {
                        "The run that is shown does not execute this line."
                    } }
                </p>
            </>
        };
    };
    let place = trace.get(at).filter(|_| !raw).map(|entry| format!(" in {}", entry.procedure));
    html! {
        <>
            <h3 class="step-title">
                { format!("Step {} of {}", at + 1, trace.len()) }
                <span class="where">{ for place }</span>
            </h3>
            if other {
                <p class="quiet small nearest-step">
                    { format!("The values at line {line}, at the step nearest to step {}.", step + 1) }
                </p>
            }
            if let Some(error) = error.filter(|_| at + 1 == trace.len()) {
                { failing(error) }
            }
            { stack(&step_view(trace, at), raw) }
        </>
    }
}

/// What fails, with the values in it.
pub(crate) fn failing(error: &ErrorReport) -> Html {
    html! {
        <p class="standing lit failure">
            <span class="swatch" aria-hidden="true"></span>
            <span>{ with_code(&failure::sentence(error)) }</span>
        </p>
    }
}

/// The call stack, innermost frame first, the globals, and the objects of the heap.
pub(crate) fn stack(view: &StepView, raw: bool) -> Html {
    let Some((current, callers)) = view.frames.split_first() else { return html! {} };
    let nothing = view.globals.is_empty() && view.frames.iter().all(|f| f.values.is_empty());
    let changed = |rows: &[StepValue]| rows.iter().any(is_changed);
    let (objects, globals): (Vec<StepValue>, Vec<StepValue>) =
        view.globals.iter().cloned().partition(|value| is_on_the_heap(&value.name));
    let any = changed(&view.globals) || view.frames.iter().any(|frame| changed(&frame.values));
    html! {
        <div class="stack">
            if let Some(returned) = &view.returned {
                <p class="returns">
                    <code>{ &current.procedure }</code>{ " returns " }
                    <code class="changed-value">{ show(returned) }</code>
                </p>
            }
            if nothing { <p class="quiet">{ "No variable is in scope." }</p> }
            if !current.values.is_empty() {
                if !callers.is_empty() || !view.globals.is_empty() {
                    <h4>{ format!("Variables of {}", current.procedure) }</h4>
                }
                { table(&current.values) }
            }
            if !callers.is_empty() {
                <h4>{ "Called from" }</h4>
                { frames(callers) }
            }
            if !globals.is_empty() {
                if !raw && (!objects.is_empty() || view.frames.iter().any(|frame| !frame.values.is_empty())) {
                    <h4>{ "Globals" }</h4>
                }
                { table(&globals) }
            }
            if !objects.is_empty() {
                <h4>{ "Memory" }</h4>
                { table(&objects) }
            }
            if view.is_call && any {
                <p class="quiet small">{ "Changes are those of the whole call." }</p>
            }
        </div>
    }
}

/// The callers; of a deep stack those at either end.
fn frames(callers: &[FrameView]) -> Html {
    let left_out = callers.len().saturating_sub(2 * FRAMES);
    let (first, last) = match left_out {
        0 => (callers, &[][..]),
        _ => (&callers[..FRAMES], &callers[callers.len() - FRAMES..]),
    };
    html! {
        <>
            { for first.iter().enumerate().map(|(k, frame)| caller(frame, k == 0)) }
            if left_out > 0 {
                <p class="quiet small">{ format!("… {} …", counted(left_out as u64, "more call")) }</p>
            }
            { for last.iter().map(|frame| caller(frame, false)) }
        </>
    }
}

fn caller(frame: &FrameView, nearest: bool) -> Html {
    // What returns into it shows without a click.
    let open = nearest || frame.values.iter().any(is_changed);
    let key = format!("{} {}", frame.level, frame.procedure);
    let summary = html! {
        <>
            <b>{ &frame.procedure }</b>
            if frame.line > 0 { <span class="where">{ format!("line {}", frame.line) }</span> }
            <code>{ &frame.statement }</code>
        </>
    };
    if frame.values.is_empty() {
        return html! { <p class="frame" key={key}>{ summary }</p> };
    }
    html! {
        <details class="frame" key={key} open={open}>
            <summary>{ summary }</summary>
            { table(&frame.values) }
        </details>
    }
}

fn is_changed(value: &StepValue) -> bool {
    value.after.is_some() || value.touched.iter().any(|touched| touched.after.is_some())
}

/// Variables with their values, before the statement and after it.
pub(crate) fn table(rows: &[StepValue]) -> Html {
    html! {
        <table class="values">
            <caption class="visually-hidden">
                { "Values before the statement, and after it where they change" }
            </caption>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

/// A variable: its value before the statement, and after it where that changes it. An array also
/// has a row for each element that the statement reads or changes.
pub(crate) fn row(value: &StepValue) -> Html {
    let array = value.before.as_ref().filter(|before| is_array(before));
    if array.is_none() && value.touched.is_empty() {
        return line(&value.name, value.before.as_ref(), value.after.as_ref(), false);
    }
    html! {
        <>
            if let Some(array) = array { { array_row(&value.name, array, &value.touched) } }
            { for value.touched.iter().map(|touched| {
                line(&touched.place, touched.before.as_ref(), touched.after.as_ref(), true)
            }) }
        </>
    }
}

/// `x  3 → 4`.
fn line(name: &str, before: Option<&Value>, after: Option<&Value>, element: bool) -> Html {
    let class = classes!(after.map(|_| "changed"), element.then_some("element"));
    html! {
        <tr {class}>
            <th scope="row">{ member(name) }</th>
            <td>
                { for before.map(show) }
                if let Some(after) = after {
                    <span class="after">
                        if before.is_some() {
                            <span class="to" aria-label="becomes">{ " → " }</span>
                        }
                        { show(after) }
                    </span>
                }
            </td>
        </tr>
    }
}

/// The members of a struct stand below each other: their common beginning recedes.
fn member(name: &str) -> Html {
    match name.rsplit_once('.') {
        Some((whole, member)) => {
            html! { <><span class="whole">{ format!("{whole}.") }</span>{ member }</> }
        }
        None => html! { { name } },
    }
}

/// An array in one line; a long one folds, and shows its elements with their indices.
fn array_row(name: &str, array: &Value, touched: &[Touched]) -> Html {
    let all = elements(array);
    let cell = |(indices, value): &(Vec<u32>, &Value)| {
        let here = touched.iter().find(|touched| touched.indices == *indices);
        let class = here.map(|touched| if touched.after.is_some() { "written" } else { "read" });
        let title: String = indices.iter().map(|index| format!("[{index}]")).collect();
        html! { <span class={classes!("cell", class)} title={title}>{ value.brief() }</span> }
    };
    let first = |most: usize| all.iter().take(most).map(cell).collect::<Html>();
    let body = if all.len() <= WHOLE {
        html! { <span class="cells">{ first(WHOLE) }</span> }
    } else {
        html! {
            <details class="array">
                <summary><span class="cells">{ first(FIRST) }<span>{ "…" }</span></span></summary>
                <span class="cells all">{ for all.iter().take(UNFOLDED).map(|one| html! {
                    <span class="numbered">
                        <i>{ one.0.iter().map(u32::to_string).collect::<Vec<_>>().join(",") }</i>
                        { cell(one) }
                    </span>
                }) }</span>
                if all.len() > UNFOLDED {
                    <span class="quiet">{ format!("… {} more", all.len() - UNFOLDED) }</span>
                }
            </details>
        }
    };
    let text = array.text().map(|text| html! { <code class="text">{ text }</code> });
    html! {
        <tr class="array-row">
            <th scope="row">{ member(name) }<span class="whole">{ extent(array) }</span></th>
            <td>{ for text }{ body }</td>
        </tr>
    }
}

/// `[0..4]`: the indices of an array, for each dimension.
fn extent(array: &Value) -> String {
    match array {
        Value::List(items) => {
            let inner = items.first().map(extent).unwrap_or_default();
            format!("[0..{}]{inner}", items.len().saturating_sub(1))
        }
        _ => String::new(),
    }
}

/// Is it an array of the program? (The stack of a pushdown system is a list of names.)
fn is_array(value: &Value) -> bool {
    match value {
        Value::List(items) => {
            !items.is_empty() && items.iter().all(|item| !matches!(item, Value::Name(_)))
        }
        _ => false,
    }
}

pub(crate) fn show(value: &Value) -> String {
    match value {
        // A stack, its top first.
        Value::List(symbols) if !symbols.is_empty() && !is_array(value) => {
            symbols.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}
