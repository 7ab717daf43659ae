//! Expressions that are watched along a run: the value at the step, and a curve over all steps.

use super::{App, predict};
use crate::draw::watch::{number, read, value};
use crate::ui::frame::icons::{Icon, icon};
use crate::wire::trace::TraceEntry;
use std::fmt::Write;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Width and height of a curve, in pixels.
const SIZE: (f64, f64) = (120.0, 22.0);
/// The most points of a curve: of longer runs, every so many steps.
const MOST_POINTS: usize = 400;

/// The panel; nothing where the tab that is shown steps through no run with values.
pub(super) fn panel(app: &App) -> Html {
    let model = &app.state.model;
    let Some((trace, step)) = app.state.tab().trace(model) else { return html! {} };
    let watch = app.handlers.watch.clone();
    let key = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            let field: HtmlInputElement = event.target_unchecked_into();
            watch.emit(field.value());
            field.set_value("");
        }
    });
    html! {
        <section class="watch" aria-label="Watched expressions">
            { predict::panel(app) }
            if !model.watches.is_empty() {
                <ul>
                    { for model.watches.iter().enumerate().map(|(k, text)| {
                        row(app, k, text, (trace, step))
                    }) }
                </ul>
            }
            <input type="text" class="code-field" aria-label="Watch an expression along the run"
                placeholder="Watch a[i] - a[i - 1], Enter" spellcheck="false" autocomplete="off"
                autocapitalize="off" onkeydown={key} />
        </section>
    }
}

fn row(app: &App, k: usize, text: &str, (trace, step): (&[TraceEntry], usize)) -> Html {
    let found = read(text);
    let now = match &found {
        Err(why) => html! { <span class="watch-wrong">{ why }</span> },
        Ok(watch) => match trace.get(step).and_then(|entry| value(watch, entry)) {
            Some(value) => html! { <code class="watch-value">{ value.to_string() }</code> },
            None => html! { <span class="quiet">{ "no value here" }</span> },
        },
    };
    let at =
        |entry: &TraceEntry| found.as_ref().ok().and_then(|watch| number(&value(watch, entry)?));
    let points: Vec<Option<i128>> = trace.iter().map(at).collect();
    let remove = app.handlers.unwatch.reform(move |_: MouseEvent| k);
    html! {
        <li>
            <code class="watch-text">{ text }</code>
            { now }
            { curve(&points, step) }
            <button type="button" class="tool bare" aria-label={format!("Watch {text} no longer")}
                onclick={remove}>{ icon(Icon::Close) }</button>
        </li>
    }
}

/// The values over the steps, with the present step. Nothing where there are no two numbers.
fn curve(points: &[Option<i128>], step: usize) -> Html {
    let known = || points.iter().flatten().copied();
    let (Some(least), Some(most)) = (known().min(), known().max()) else { return html! {} };
    if known().count() < 2 {
        return html! {};
    }
    let (width, height) = SIZE;
    let x = |k: usize| 2.0 + (width - 4.0) * k as f64 / (points.len() - 1).max(1) as f64;
    let span = (most - least).max(1) as f64;
    let y = |n: i128| height - 3.0 - (height - 6.0) * (n - least) as f64 / span;
    let (mut path, mut pen_down) = (String::new(), false);
    let stride = points.len().div_ceil(MOST_POINTS);
    for (k, point) in points.iter().enumerate().step_by(stride) {
        if let Some(number) = point {
            let _ =
                write!(path, "{}{:.1} {:.1}", if pen_down { "L" } else { "M" }, x(k), y(*number));
        }
        pen_down = point.is_some();
    }
    let here = points.get(step).copied().flatten();
    html! {
        <svg class="watch-curve" width={width.to_string()} height={height.to_string()} role="img"
            aria-label={format!("from {least} to {most} over the run")}>
            <path d={path} />
            if let Some(number) = here {
                <circle cx={format!("{:.1}", x(step))} cy={format!("{:.1}", y(number))} r="2.6" />
            }
        </svg>
    }
}
