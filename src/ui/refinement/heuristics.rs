//! All heuristics on the current program, one row each.

use super::state::RefinementEvent;
use crate::ui::shared::Shared;
use crate::view::refinement::{CompareRow, HEURISTICS, RefinementAsk};
use crate::view::report::Verdict;
use crate::view::words::{duration, grouped, limit_sentence};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) ask: RefinementAsk,
    pub(super) rows: Shared<Vec<CompareRow>>,
    pub(super) comparing: bool,
    pub(super) on_event: Callback<RefinementEvent>,
}

#[function_component(Heuristics)]
pub(super) fn heuristics(props: &Props) -> Html {
    let compare = props.on_event.reform(|_: MouseEvent| RefinementEvent::Compare);
    let stop = props.on_event.reform(|_: MouseEvent| RefinementEvent::Stop);
    html! {
        <div class="panel heuristics" data-compared={(!props.comparing && !props.rows.is_empty()).to_string()}>
            <p class="quiet">{ "The same loop with each way to choose interpolants, the other options as above. Each has ten seconds and the usual budgets of its own." }</p>
            <p>
                if props.comparing {
                    <button class="button stop" onclick={stop}>{ "Stop" }</button><span class="quiet" role="status">{ format!("  {} of {}…", props.rows.len(), HEURISTICS.len()) }</span>
                } else {
                    <button class="button primary" onclick={compare}>{ if props.rows.is_empty() { "Compare all six" } else { "Compare again" } }</button>
                }
            </p>
            <div class="scroll">
            <table class="figures">
                <thead><tr>
                    <th scope="col">{ "Interpolants" }</th><th scope="col">{ "Verdict" }</th><th scope="col">{ "Refinements" }</th>
                    <th scope="col" title="Predicates of all places">{ "Predicates" }</th><th scope="col" title="Most predicates at one place: the bits of the abstract program">{ "at a place" }</th>
                    <th scope="col" title="Nodes of the largest counterexample DAG">{ "Largest DAG" }</th><th scope="col">{ "BDD steps" }</th><th scope="col">{ "Time" }</th>
                </tr></thead>
                <tbody>{ for HEURISTICS.into_iter().map(|(word, name, what)| row(props, word, name, what)) }</tbody>
            </table>
            </div>
            <p class="quiet small">{ "A name runs the loop with it. Where a limit was hit, the numbers are those so far." }</p>
        </div>
    }
}

fn row(props: &Props, word: &'static str, name: &'static str, what: &'static str) -> Html {
    let ask = RefinementAsk { interpolants: word.to_string(), ..props.ask.clone() };
    let adopt = props.on_event.reform(move |_: MouseEvent| RefinementEvent::Ask(ask.clone()));
    let on = word == props.ask.interpolants;
    let found = props.rows.iter().find(|row| row.interpolants == word);
    let number = |of: fn(&CompareRow) -> u64| html! { <td class="number">{ found.map(|row| grouped(of(row))) }</td> };
    html! {
        <tr key={word} data-heuristic={word} class={classes!(on.then_some("on"))}>
            <th scope="row"><button class="link" onclick={adopt} title={what}>{ name }</button>if on { <span class="quiet small">{ " (shown)" }</span> }</th>
            <td>{ found.map(verdict) }</td>
            { number(|row| row.refinements.into()) }
            { number(|row| row.predicates) }
            { number(|row| row.most.into()) }
            { number(|row| row.nodes.into()) }
            { number(|row| row.steps) }
            <td class="number">{ found.map(|row| duration(row.millis)) }</td>
        </tr>
    }
}

fn verdict(row: &CompareRow) -> Html {
    let (class, text) = match row.verdict {
        Verdict::Safe => ("safe", "safe".to_string()),
        Verdict::Unsafe => ("unsafe", "can fail".to_string()),
        Verdict::Unknown => ("unknown", row.limit.map_or("unknown".to_string(), |limit| format!("unknown: {}", limit_sentence(limit)))),
    };
    html! { <span class={classes!("said", class)}>{ text }</span> }
}
