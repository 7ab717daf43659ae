//! Tests as they are drawn: the tests with their results, and the reference in the place of the
//! inspector. The panes are functions and no components of their own: a component costs everybody's
//! first visit some kilobytes.

mod draft;
mod exercise;
mod forms;
mod hints;
mod reference;
mod results;
mod rules;
mod run;

use super::state::{Tests, TestsEvent};
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(tests: &Tests, view: &View) -> Panes {
    let send = view.on.sends::<TestsEvent>(tests.word());
    let is_busy = [&tests.running, &tests.explaining, &tests.comparing]
        .into_iter()
        .any(|asked| asked.work.is_busy());
    let picture = html! {
        <section class="pane graph-pane tests-pane" aria-label="Tests"
            data-settled={(!is_busy).to_string()}>
            { forms::bar(tests, view, &send) }
            <div class="tests-body">
                if let Some(doing) = &tests.doing { { exercise::told(tests, doing, view, &send) } }
                if let Some(draft) = &tests.draft { { draft::draft(tests, draft, &send) } }
                if let Some(found) = tests.report() {
                    { results::results(tests, found, view, &send) }
                }
                { forms::forms(tests, view, &send) }
            </div>
        </section>
    };
    let inspector = match &tests.stepping.run {
        Some(run) => run::run(tests, run, view, &send),
        None => match &tests.doing {
            Some(doing) => exercise::attempts(tests, doing, view, &send),
            None => reference::reference(tests, view, &send),
        },
    };
    Panes { picture, inspector, legend: Some(legend(tests)), ..Panes::default() }
}

/// What the paint on the source means.
fn legend(tests: &Tests) -> Html {
    let has_missed = tests.report().is_some_and(|found| !found.missed.is_empty());
    if tests.is_stale() || !has_missed {
        return html! {};
    }
    html! {
        <div class="legend" aria-label="Legend">
            <span><i class="key dim">{ "ab" }</i>{ "no test executes it" }</span>
        </div>
    }
}

/// A button that shows a line of the program.
fn line_button(line: u32, view: &View) -> Html {
    let show = view.on.line.clone();
    let show = Callback::from(move |event: MouseEvent| {
        // Not the row that it stands in.
        event.stop_propagation();
        show.emit(line);
    });
    html! {
        <button type="button" class="link line-link" onclick={show}>
            { format!("line {line}") }
        </button>
    }
}

/// Input, expected and printed text side by side, with the first wrong line marked.
fn texts(input: &str, expected: &str, got: &str, wrong: Option<u32>) -> Html {
    let block = |name: &'static str, text: &str, wrong: Option<u32>| {
        let mut lines: Vec<&str> = text.lines().collect();
        let at = wrong.map(|line| line as usize - 1);
        if at.is_some_and(|at| at >= lines.len()) {
            lines.push("(nothing)");
        }
        let at = at.map(|at| at.min(lines.len() - 1));
        html! {
            <figure>
                <figcaption>{ name }</figcaption>
                <pre tabindex="0" aria-label={name}>
                    { for lines.iter().enumerate().map(|(k, line)| if at == Some(k) {
                        html! { <mark>{ *line }{ "\n" }</mark> }
                    } else {
                        html! { <>{ *line }{ "\n" }</> }
                    }) }
                </pre>
            </figure>
        }
    };
    html! {
        <div class="outputs">
            { block("Input", input, None) }
            { block("Expected", expected, wrong) }
            { block("Printed", got, wrong) }
        </div>
    }
}
