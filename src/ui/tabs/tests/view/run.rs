//! The step of a test's run: its values, what was printed so far, and what is left to read.

use crate::ui::frame::step_values::{Shown, values};
use crate::ui::tabs::tests::state::{Tests, TestsEvent};
use crate::ui::view::View;
use crate::wire::testing::ExecutedRun;
use yew::prelude::*;

/// In the place of the inspector.
pub(super) fn run(
    tests: &Tests,
    run: &ExecutedRun,
    view: &View,
    send: &Callback<TestsEvent>,
) -> Html {
    let step = tests.stepping.step;
    let line = view.model.selection.line;
    let shown = Shown { trace: &run.trace, step, line, error: None, raw: false };
    let leave = send.reform(|_: MouseEvent| TestsEvent::LeaveRun);
    html! {
        <section class="pane inspector test-run" aria-label="Step of the run">
            <div class="bar">
                <h2>{ format!("Run of {}", tests.stepping.name) }</h2>
                <button type="button" class="tool text" onclick={leave}>{ "Leave the run" }</button>
            </div>
            <div class="inspector-body">
                { texts(run, step) }
                { values(&shown) }
            </div>
        </section>
    }
}

/// What was read and printed before the step, and what is left to read.
fn texts(run: &ExecutedRun, step: usize) -> Html {
    let so_far = run.text.get(step).copied().unwrap_or_default();
    let next = run.text.get(step + 1).map_or(so_far.printed, |next| next.printed);
    let (read, left) = parts(&run.input, so_far.read);
    let (printed, rest) = parts(&run.output, so_far.printed);
    let (new, _) = parts(rest, next.saturating_sub(so_far.printed));
    html! {
        <>
            <h3>{ "Printed so far" }</h3>
            <pre class="so-far" tabindex="0" aria-label="Printed so far">
                { printed }<ins>{ new }</ins>
            </pre>
            if !run.input.is_empty() {
                <h3>{ "Left to read" }</h3>
                <pre class="so-far" tabindex="0" aria-label="Left to read">
                    <del>{ read }</del>{ left }
                </pre>
            }
        </>
    }
}

/// The text before and behind a byte.
fn parts(text: &str, at: u32) -> (&str, &str) {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.split_at(at)
}
