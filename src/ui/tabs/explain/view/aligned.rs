//! A failing run and the correct run that is closest to it (or a close one), row by row; of a
//! sequence, its run with the focus statements in full ink.

use crate::draw::levels::{AlignedRow, aligned, blames_everything};
use crate::draw::steps::{changes, is_call};
use crate::draw::words::{counted, limit_sentence};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::wire::explain::{Explanation, Level};
use crate::wire::localize::{CauseReport, Variant};
use crate::wire::report::TraceEntry;
use crate::wire::step::Change;
use web_sys::Element;
use yew::prelude::*;

/// So many rows are drawn at most.
const MOST: usize = 400;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Option<Shared<Explanation>>,
    pub(crate) level: Level,
    pub(crate) run: usize,
    pub(crate) sequence: usize,
    /// The row of the run that the step is at.
    pub(crate) row: Option<usize>,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(Aligned)]
pub(crate) fn aligned_runs(props: &Props) -> Html {
    let host = use_node_ref();
    let holder = host.clone();
    use_effect_with((props.row, props.level, props.run, props.sequence), move |_| reveal(&holder));
    let Some(found) = &props.found else { return html! {} };
    let table = match props.level {
        Level::Program | Level::Run => {
            found.causes.get(props.run).map(|cause| side_by_side(props, found, cause))
        }
        Level::Focus | Level::Nest => found.sequences.get(props.sequence).map(|sequence| {
            if sequence.run.is_empty() {
                return html! {
                    <p class="lab-said quiet">
                        { "No run has this sequence: it is there only because variables were left \
                            uninterpreted." }
                    </p>
                };
            }
            let kept: Vec<usize> = (0..sequence.rows.len())
                .filter(|k| props.level == Level::Focus || sequence.report.statements[*k].nest)
                .map(|k| sequence.rows[k] as usize)
                .collect();
            single(props, &sequence.run, &kept)
        }),
    };
    html! {
        <div ref={host} class="runs" tabindex="0" role="region" aria-label="Runs">
            { for table }
        </div>
    }
}

/// Scrolls the step's row into view, and only within the list.
fn reveal(host: &NodeRef) {
    let Some(host) = host.cast::<Element>() else { return };
    let Ok(Some(row)) = host.query_selector(".now") else { return };
    let (outer, inner) = (host.get_bounding_client_rect(), row.get_bounding_client_rect());
    if inner.top() < outer.top() + 40.0 || inner.bottom() > outer.bottom() {
        let offset = inner.top() - outer.top() - outer.height() / 2.0;
        host.set_scroll_top(host.scroll_top() + offset as i32);
    }
}

fn side_by_side(props: &Props, found: &Explanation, cause: &CauseReport) -> Html {
    let blamed = match found.ask.variant {
        Variant::Edges => &cause.by_edges,
        Variant::Transitions => &cause.by_transitions,
    };
    let compared = cause.correct.as_deref().zip(cause.alignment.as_ref());
    let correct = compared.map_or(&[][..], |(correct, _)| correct);
    let rows =
        aligned(&cause.trace, correct, compared.map_or(&[][..], |(_, alignment)| &alignment.pairs));
    let values = rows.iter().position(|row| !row.differ.is_empty());
    let part = rows.iter().position(|row| !row.together).filter(|_| compared.is_some());
    // Said once, where it begins: first other values on the same way, then another way.
    let differ = values.filter(|at| part.is_none_or(|part| *at < part));
    let heading = |text: &'static str| {
        html! {
            <tr class="part" key={text}>
                <th colspan="2" scope="colgroup"><span>{ text }</span></th>
            </tr>
        }
    };
    let everything = blames_everything(cause);
    let is_cause = |entry: &TraceEntry| {
        !everything && entry.edge.is_some_and(|edge| blamed.edges.contains(&edge))
    };
    let row = |(k, row): (usize, &AlignedRow)| {
        let here = row.failing.is_some() && row.failing == props.row;
        let caused = row.failing.is_some_and(|at| is_cause(&cause.trace[at]));
        let fails = row.failing.is_some_and(|at| at + 1 == cause.trace.len());
        let class = classes!(
            here.then_some("now"),
            (!row.together).then_some("apart"),
            caused.then_some("caused"),
            fails.then_some("fails")
        );
        let marks = html! {
            <>
                if caused { <span class="mark cause-mark">{ "cause" }</span> }
                if fails { <span class="mark fails-here">{ "fails here" }</span> }
            </>
        };
        let last = row.correct.is_some_and(|at| at + 1 == correct.len());
        let passes = html! { if last { <span class="mark passes">{ "passes" }</span> } };
        html! {
            <>
                if differ == Some(k) { { heading("from here on values differ") } }
                if part == Some(k) { { heading("here they part") } }
                <tr {class} key={k} aria-current={here.then_some("step")}>
                    { cell(props, &cause.trace, row.failing, &row.differ, marks, true) }
                    if compared.is_some() {
                        { cell(props, correct, row.correct, &row.differ, passes, false) }
                    }
                </tr>
            </>
        }
    };
    let shared = compared.map_or(0, |(_, alignment)| alignment.pairs.len());
    let caption = match cause.closest {
        Some(false) => "The failing run, and a correct run close to it, row by row",
        _ => "The failing run, and the correct run closest to it, row by row",
    };
    html! {
        <>
            <table class={classes!("aligned", compared.is_none().then_some("alone"))}>
                <caption class="visually-hidden">{ caption }</caption>
                <thead>
                    <tr>
                        <th scope="col">
                            <b class="said unsafe">{ "Fails" }</b>
                            { format!(" · {}", counted(cause.trace.len() as u64, "step")) }
                        </th>
                    if compared.is_some() {
                        <th scope="col">
                            <b class="said safe">{ "Correct" }</b>
                            { format!(" · {}, {shared} in common", counted(correct.len() as u64, "step")) }
                        </th>
                    }</tr></thead>
                <tbody>{ for rows.iter().take(MOST).enumerate().map(row) }</tbody>
            </table>
            if rows.len() > MOST {
                <p class="quiet small">
                    { format!("{} more rows are not drawn.", rows.len() - MOST) }
                </p>
            }
            if compared.is_none() { <p class="quiet small">{ no_correct_run(cause) }</p> }
            if let Some(limit) = cause.correct_limit.filter(|_| compared.is_some()) {
                <p class="quiet small">
                    { format!("This is a close correct run; another one may be closer: {}", limit_sentence(limit)) }
                </p>
            }
        </>
    }
}

fn no_correct_run(cause: &CauseReport) -> String {
    match cause.correct_limit {
        Some(limit) => {
            format!("There is no correct run to compare it with: {}", limit_sentence(limit))
        }
        None => "There is no correct run to compare it with: without the causes of earlier runs, \
            no run is correct."
            .to_string(),
    }
}

/// The run of a sequence: what is left out recedes.
fn single(props: &Props, run: &[TraceEntry], kept: &[usize]) -> Html {
    let row = |k: usize| {
        let (here, keep) = (props.row == Some(k), kept.contains(&k));
        let class =
            classes!(here.then_some("now"), (!keep).then_some("receding"), keep.then_some("kept"));
        let fails = k + 1 == run.len();
        let marks = html! { if fails { <span class="mark fails-here">{ "fails here" }</span> } };
        html! {
            <tr {class} key={k} aria-current={here.then_some("step")}>
                { cell(props, run, Some(k), &[], marks, keep) }
            </tr>
        }
    };
    html! {
        <>
            <table class="aligned alone">
                <caption class="visually-hidden">
                    { "A run that has this sequence; its other statements recede" }
                </caption>
                <thead>
                    <tr>
                        <th scope="col">
                            <b class="said unsafe">{ "Fails" }</b>
                            { format!(" · {}, {} of them in full ink", counted(run.len() as u64, "step"), kept.len()) }
                        </th>
                    </tr>
                </thead>
                <tbody>{ for (0..run.len().min(MOST)).map(row) }</tbody>
            </table>
            if run.len() > MOST {
                <p class="quiet small">
                    { format!("{} more rows are not drawn.", run.len() - MOST) }
                </p>
            }
        </>
    }
}

/// A statement of a run, with the values that it changes, and those that are not the same in both
/// runs.
fn cell(
    props: &Props,
    run: &[TraceEntry],
    at: Option<usize>,
    differ: &[String],
    marks: Html,
    steps: bool,
) -> Html {
    let Some((at, entry)) = at.and_then(|at| Some((at, run.get(at)?))) else {
        return html! { <td class="none"></td> };
    };
    let (line, go_line, go_row) = (entry.line, props.on_line.clone(), props.on_event.clone());
    let go =
        Callback::from(
            move |_: MouseEvent| {
                if steps { go_row.emit(ExplainEvent::Row(at)) } else { go_line.emit(line) }
            },
        );
    let changed = changes(run, at);
    let values: Vec<_> = entry.values.0.iter().filter(|(name, _)| differ.contains(name)).collect();
    let indent = format!("--depth:{}", entry.depth.min(6));
    let change = |change: &Change| {
        let before = change.before.as_ref().map(|before| format!(" {before} →"));
        html! {
            <span class="changed-value">
                { format!("{}{} {}", change.element.place, before.unwrap_or_default(), change.after) }
            </span>
        }
    };
    html! {
        <td>
            <button
                class="run-row"
                style={indent}
                onclick={go}
                title={format!("line {line}, {}", entry.procedure)}
            >
                <span class="line">{ line }</span>
                <code>{ &entry.statement }</code>
                { marks }
            </button>
            if !changed.is_empty() || !values.is_empty() {
                <p class="row-values">
                    { for values.into_iter().map(|(name, value)| html! {
                        <span class="differing-value" title="Not the same in the other run">
                            { format!("{name} = {value}") }
                        </span>
                    }) }
                    { for changed.iter().map(change) }
                    if is_call(run, at) && !changed.is_empty() {
                        <span class="quiet">{ "by the whole call" }</span>
                    }
                </p>
            }
        </td>
    }
}
