//! What holds in each state of the run: a row for each subformula, a column for each state, the
//! cycle bracketed.

use crate::ui::tabs::liveness::state::{Found, LivenessEvent};
use yew::prelude::*;

/// So many columns are shown at once, around the current one.
const COLUMNS: usize = 12;

/// The table of a run that violates a formula.
pub(super) fn table(found: &Found, now: usize, send: &Callback<LivenessEvent>) -> Html {
    let Some(lasso) = found.lasso().filter(|lasso| !lasso.table.is_empty()) else {
        return html! {};
    };
    let (count, from) = (lasso.states.len(), lasso.from as usize);
    let now = now.min(count.saturating_sub(1));
    let first = now.saturating_sub(COLUMNS / 2).min(count.saturating_sub(COLUMNS));
    let window = first..(first + COLUMNS).min(count);
    let prefix = window.end.min(from).saturating_sub(window.start);
    let cycle = window.len() - prefix;
    let class = |column: usize| {
        classes!((column == now).then_some("now"), (column == from).then_some("from"))
    };
    let round = if lasso.cycle.is_empty() { "stays" } else { "again and again \u{21bb}" };
    html! {
        <div class="truth scroll" tabindex="0" role="group" aria-label="What holds in each state">
            <table>
                <thead>
                    <tr class="parts">
                        <td></td>
                        if prefix > 0 {
                            <th scope="colgroup" colspan={prefix.to_string()}>
                                { part(first, "first") }
                            </th>
                        }
                        if cycle > 0 {
                            <th scope="colgroup" class="round" colspan={cycle.to_string()}>
                                { round }
                            </th>
                        }
                    </tr>
                    <tr>
                        <th scope="row" class="quiet">{ "before line" }</th>
                        { for window.clone().map(|column| {
                            let go = send.reform(move |_: MouseEvent| LivenessEvent::Column(column));
                            let current = (column == now).then_some("step");
                            html! {
                                <th scope="col" class={class(column)}>
                                    <button type="button" onclick={go} aria-current={current}>
                                        { lasso.states[column].line }
                                    </button>
                                </th>
                            }
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for lasso.table.iter().rev().map(|row| html! {
                        <tr>
                            <th scope="row" title={row.formula.clone()}>
                                <code>{ &row.formula }</code>
                            </th>
                            { for window.clone().map(|column| {
                                let holds = row.values.get(column).copied().unwrap_or(false);
                                let (text, word) =
                                    if holds { ("\u{2713}", "true") } else { ("\u{b7}", "false") };
                                html! {
                                    <td class={classes!(class(column), word)}>
                                        <span aria-hidden="true">{ text }</span>
                                        <span class="visually-hidden">{ word }</span>
                                    </td>
                                }
                            }) }
                        </tr>
                    }) }
                </tbody>
            </table>
            if window.len() < count {
                <p class="quiet small">
                    { format!("States {} to {} of {count}.", window.start + 1, window.end) }
                </p>
            }
        </div>
    }
}

/// What comes before the cycle; an ellipsis where it does not begin here.
fn part(first: usize, name: &str) -> String {
    if first == 0 { name.to_string() } else { "\u{2026}".to_string() }
}
