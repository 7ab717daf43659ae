//! All heuristics on the current program, compared with each other and with the paper. Two of
//! them can be chosen to see their pictures.

use crate::draw::heuristics_csv::heuristics_csv;
use crate::draw::words::{duration, grouped, limit_sentence};
use crate::ui::frame::browser;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::refinement::events::RefinementEvent;
use crate::wire::refinement::{
    CegarOptions, CompareRow, Heuristic, PaperRow, PaperTable, RefinementAsk,
};
use crate::wire::report::Verdict;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) ask: RefinementAsk,
    pub(crate) rows: Shared<Vec<CompareRow>>,
    pub(crate) comparing: bool,
    /// What the paper prints of this example.
    pub(crate) paper: Option<Shared<PaperTable>>,
    /// The heuristics that are chosen to be compared.
    pub(crate) pair: Vec<Heuristic>,
    /// Can two of them be run?
    pub(crate) fresh: bool,
    pub(crate) on_event: Callback<RefinementEvent>,
}

#[function_component(Heuristics)]
pub(crate) fn heuristics(props: &Props) -> Html {
    let compare = props.on_event.reform(|_: MouseEvent| RefinementEvent::Compare);
    let stop = props.on_event.reform(|_: MouseEvent| RefinementEvent::Stop);
    let pair = props.on_event.reform(|_: MouseEvent| RefinementEvent::Pair(true));
    let two = props.pair.len() == 2 && props.fresh;
    html! {
        <div
            class="panel heuristics"
            data-compared={(!props.comparing && !props.rows.is_empty()).to_string()}
        >
            <p class="quiet">
                { "This runs the same loop with each way to choose interpolants; the other options \
                    are as above. Each run may take ten seconds and has its own budgets." }
            </p>
            <p class="heuristics-do">
                if props.comparing {
                    <button class="button stop" onclick={stop}>{ "Stop" }</button>
                    <span class="quiet" role="status">
                        { format!("{} of {}…", props.rows.len(), Heuristic::ALL.len()) }
                    </span>
                } else {
                    <button class="button primary" onclick={compare}>
                        { if props.rows.is_empty() { "Compare all six" } else { "Compare again" } }
                    </button>
                }
                <button class="button" onclick={pair} disabled={!two}>{ "Show these two" }</button>
                if !props.comparing && !props.rows.is_empty() {
                    <button
                        class="button"
                        onclick={save(props)}
                        title="The table as comma-separated values, for a spreadsheet or a script"
                    >
                        { "Save as CSV" }
                    </button>
                }
                if !two { <span class="quiet small">{ match props.pair.len() {
                    0 => "Tick two of them to see their counterexamples.",
                    1 => "Tick one more.",
                    _ => "The loop has to be run first.",
                } }</span> }
            </p>
            <div class="table-host">
            <table class="figures">
                <thead><tr>
                    <th scope="col"><span class="visually-hidden">{ "Chosen" }</span></th>
                    <th scope="col">{ "Interpolants" }</th><th scope="col">{ "Verdict" }</th>
                    <th scope="col" title="Rounds that added predicates">
                        { "Refine\u{ad}ments" }
                    </th>
                    <th
                        scope="col"
                        title="Most predicates at one place: the bits of the abstract program"
                    >
                        { "Predicates at a place" }
                    </th>
                    <th scope="col" title="Predicates of all places">{ "in all" }</th>
                    <th scope="col" title="Nodes of the largest counterexample DAG">
                        { "DAG nodes" }
                    </th>
                    <th scope="col" title="Decision-diagram operations that were not in the cache">
                        { "Engine steps" }
                    </th>
                    <th scope="col">{ "Time" }</th>
                </tr></thead>
                <tbody>
                    { for Heuristic::ALL.into_iter().map(|heuristic| row(props, heuristic)) }
                </tbody>
            </table>
            </div>
            if let Some(paper) = &props.paper {
                <p class="paper-note small">
                    <b>{ format!("Thesis, {}: ", paper.figure) }</b>
                    { "its numbers are below ours; one cycle is one refinement. " }
                    { &paper.note }
                </p>
            }
            <p class="quiet small">
                { "A click on a name runs the loop with it. DAG nodes are those of the largest \
                    round. If a run hit a limit, its numbers count what it did until then." }
            </p>
        </div>
    }
}

/// Gives the user the table as a file.
fn save(props: &Props) -> Callback<MouseEvent> {
    let (rows, paper) = (props.rows.clone(), props.paper.clone());
    Callback::from(move |_| {
        let text = heuristics_csv(&rows, paper.as_deref());
        browser::download("heuristics.csv", "text/csv", &text);
    })
}

fn row(props: &Props, heuristic: Heuristic) -> Html {
    let (name, what) = heuristic.told();
    let options = CegarOptions { heuristic, ..props.ask.options };
    let ask = RefinementAsk { options, ..props.ask.clone() };
    let adopt = props.on_event.reform(move |_: MouseEvent| RefinementEvent::Other(ask.clone()));
    let choose = props.on_event.reform(move |_: Event| RefinementEvent::Choose(heuristic));
    let on = heuristic == props.ask.options.heuristic;
    let found = props.rows.iter().find(|row| row.interpolants == heuristic);
    let paper = props
        .paper
        .as_ref()
        .and_then(|paper| paper.rows.iter().find(|row| row.interpolants == heuristic));
    let number =
        |label: &'static str, of: fn(&CompareRow) -> u64, said: Option<fn(&PaperRow) -> u32>| {
            let printed = paper.zip(said).map(|(paper, said)| grouped(said(paper).into()));
            cell(label, found.map(|row| grouped(of(row))), printed)
        };
    let printed_time = paper.and_then(|paper| paper.millis).map(in_paper);
    html! {
        <tr key={heuristic.word()} data-heuristic={heuristic.word()} class={classes!(on.then_some("on"))}>
            <td class="choose">
                <input
                    type="checkbox"
                    checked={props.pair.contains(&heuristic)}
                    onchange={choose}
                    aria-label={format!("Compare {name}")}
                />
            </td>
            <th scope="row">
                <button class="link" onclick={adopt} title={what}>{ name }</button>
                if on { <span class="quiet small">{ " (shown)" }</span> }
            </th>
            <td data-label="Verdict">{ found.map(verdict) }</td>
            { number("Refinements", |row| row.refinements.into(), Some(|row| row.refinements)) }
            { number("Predicates at a place", |row| row.most.into(), Some(|row| row.most)) }
            { number("in all", |row| row.predicates, None) }
            { number("DAG nodes", |row| row.nodes.into(), None) }
            { number("Engine steps", |row| row.steps, None) }
            { cell("Time", found.map(|row| duration(row.millis)), printed_time) }
        </tr>
    }
}

/// A number of ours, and the paper's below it.
fn cell(label: &'static str, ours: Option<String>, paper: Option<String>) -> Html {
    html! {
        <td class="number" data-label={label}>
            { ours.map(|ours| html! { <span class="ours">{ ours }</span> }) }
            { paper.map(|paper| html! {
                <small class="paper">{ format!("thesis {paper}") }</small>
            }) }
        </td>
    }
}

/// As the paper writes times: `0.15 s`, `15 s`.
fn in_paper(millis: u64) -> String {
    let (whole, part) = (millis / 1_000, millis % 1_000);
    match part {
        0 => format!("{whole} s"),
        part => format!("{whole}.{} s", format!("{part:03}").trim_end_matches('0')),
    }
}

fn verdict(row: &CompareRow) -> Html {
    let (class, text) = match row.verdict {
        Verdict::Safe => ("safe", "safe".to_string()),
        Verdict::Unsafe => ("unsafe", "can fail".to_string()),
        Verdict::Unknown => (
            "unknown",
            row.limit.map_or("unknown".to_string(), |limit| {
                format!("unknown: {}", limit_sentence(limit))
            }),
        ),
    };
    html! { <span class={classes!("said", class)}>{ text }</span> }
}
