//! The right of the page: the values at the step, and what a round leaves on the stack.

use crate::ui::frame::step_values::{Shown, values};
use crate::ui::tabs::liveness::state::{Found, Liveness};
use crate::ui::view::View;
use crate::wire::liveness::{GrownCall, LassoReport, LivenessVerdict};
use yew::prelude::*;

/// What is inspected.
pub(super) fn inspector(liveness: &Liveness, view: &View) -> Html {
    let found = liveness.found.as_deref();
    let selected = view.model.selection.line;
    let title = if selected > 0 { format!("Line {selected}") } else { "Inspector".into() };
    let lasso = found.and_then(|found| Some((found, found.lasso()?)));
    html! {
        <section class="pane inspector liveness-inspector" aria-label="Inspector">
            <div class="bar"><h2>{ title }</h2></div>
            <div class="inspector-body">
                if let Some(said) = of_line(liveness, view) {
                    <p class="standing dim">
                        <span class="swatch" aria-hidden="true"></span><span>{ said }</span>
                    </p>
                }
                if let Some((found, lasso)) = lasso {
                    { round(found, lasso, view) }
                    { values(&Shown {
                        trace: liveness.trace(),
                        step: liveness.step,
                        line: selected,
                        error: None,
                        raw: false,
                    }) }
                } else {
                    <p class="quiet">{ without_a_run(liveness) }</p>
                }
            </div>
        </section>
    }
}

/// Why the statements of the selected line are on no violating run, if they are on none.
fn of_line(liveness: &Liveness, view: &View) -> Option<&'static str> {
    let found = liveness.lights_all()?;
    let (line, statements) = (view.model.selection.line, &view.model.statements);
    let mut here = statements.iter().filter(|one| one.line == line && !one.hidden).peekable();
    here.peek()?;
    let (mut violating, mut innocent) = (false, false);
    for one in here {
        violating |= found.violating.contains(&one.id);
        innocent |= found.innocent.contains(&one.id);
    }
    match (violating, innocent) {
        (true, _) => None,
        (_, true) => Some("Runs pass this line, and none of them violates what is asked."),
        _ => Some("No run reaches this line."),
    }
}

fn without_a_run(liveness: &Liveness) -> &'static str {
    match liveness.found().map(|found| found.verdict) {
        Some(LivenessVerdict::Holds) if liveness.work.is_fresh() => {
            "No run violates it, so there is none to step through."
        }
        Some(LivenessVerdict::Unknown) if liveness.work.is_fresh() => {
            "A limit was hit before an answer was found."
        }
        _ => "A run that violates what is asked, and its values.",
    }
}

/// What a round does to the stack.
fn round(found: &Found, lasso: &LassoReport, view: &View) -> Html {
    let growth = found.found().map(|found| found.growth.as_str()).unwrap_or_default();
    html! {
        <div class="round-told">
            <p class="standing lit">
                <span class="swatch" aria-hidden="true"></span>
                <span>{ format!("{growth}.") }</span>
            </p>
            if !lasso.grows.is_empty() { { growing(found, &lasso.grows, view) } }
        </div>
    }
}

/// The stack, the newest call on top, with the part that each round adds.
fn growing(found: &Found, grows: &[GrownCall], view: &View) -> Html {
    let begins = found.cycle_at().and_then(|at| found.trace.get(at));
    let bottom = begins.map(|entry| entry.procedure.clone()).unwrap_or_default();
    let calls = |newest: bool| {
        grows.iter().rev().map(move |call| {
            let line = call.line;
            let go = view.on.line.reform(move |_: MouseEvent| line);
            html! {
                <li class={classes!(newest.then_some("newest"))}>
                    <code>{ &call.statement }</code>
                    <button class="link line-link" onclick={go}>{ format!("line {line}") }</button>
                </li>
            }
        })
    };
    html! {
        <figure class="growing">
            <ol aria-label="The stack, newest call first">
                <li class="above" aria-label="and so on">{ "⋮" }</li>
                { for calls(true) }
                { for calls(false) }
                <li class="bottom">
                    <code>{ bottom }</code><span class="quiet">{ "where the cycle begins" }</span>
                </li>
            </ol>
            <figcaption class="quiet small">{ "The marked part is added in each round." }</figcaption>
        </figure>
    }
}
