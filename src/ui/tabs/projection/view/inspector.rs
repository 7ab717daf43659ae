//! The right of the page: the selected statement, the values of the current step, and the stores
//! that reach the statement.

mod query;
mod why;

use super::affine::Equalities;
use super::through::ThroughButtons;
use crate::draw::words;
use crate::ui::frame::proof;
use crate::ui::frame::step_values::{Shown, values};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::projection::state::ProjectionEvent;
use crate::ui::tabs::projection::through::ThroughRun;
use crate::util::Limit;
use crate::wire::affine::AffineReport;
use crate::wire::graph::StatementView;
use crate::wire::protocol::Inspection;
use crate::wire::report::{Report, Verdict};
use crate::wire::stores::QueryAnswer;
use crate::wire::why_not::Why;
use yew::prelude::*;

/// What is inspected.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Statements that share the selected box or line; empty if nothing is selected.
    pub(crate) statements: Vec<StatementView>,
    /// The one of them that is shown.
    pub(crate) selected: Option<u32>,
    /// The selected line; 0 is none.
    pub(crate) line: u32,
    pub(crate) report: Option<Shared<Report>>,
    pub(crate) step: Option<usize>,
    /// What reaches the shown statement, once it is known, or that it could not be found out.
    pub(crate) inspection: Option<Option<Inspection>>,
    /// Is a reason to be given for the shown statement?
    pub(crate) innocent: bool,
    /// The reason, once it is known.
    pub(crate) why: Option<Result<Why, Option<Limit>>>,
    /// The latest query.
    pub(crate) query: Option<QueryAnswer>,
    pub(crate) through: Option<ThroughRun>,
    /// Is it a pushdown system without a program?
    pub(crate) raw: bool,
    /// The width of the program's integers.
    pub(crate) bits: u32,
    /// Which equalities are shown, if any are.
    pub(crate) equalities_of: Option<Option<u32>>,
    /// These equalities, once they are known.
    pub(crate) equalities: Option<Option<Shared<AffineReport>>>,
    pub(crate) on_event: Callback<ProjectionEvent>,
    pub(crate) on_statement: Callback<u32>,
    pub(crate) on_line: Callback<u32>,
    pub(crate) on_reach: Callback<Option<u32>>,
    pub(crate) on_alone: Callback<Option<String>>,
    /// The procedure of the selected statement, if it can start alone.
    pub(crate) procedure: Option<String>,
}

#[function_component(Inspector)]
pub(crate) fn inspector(props: &Props) -> Html {
    let selected = props.statements.iter().find(|s| Some(s.id) == props.selected);
    let title = if props.line > 0 { format!("Line {}", props.line) } else { "Inspector".into() };
    let raw = props.report.as_ref().is_some_and(|report| report.pushdown.is_some());
    let trace = props.report.as_ref().and_then(|r| r.trace.as_deref());
    let error = props.report.as_ref().and_then(|r| r.error.as_ref());
    html! {
        <section class="pane inspector" aria-label="Inspector">
            <div class="bar">
                <h2>{ title }</h2>
                <code class="statement-text">
                    { selected.map(|s| s.text.clone()).unwrap_or_default() }
                </code>
            </div>
            <div class="inspector-body">
                if let Some(statement) = selected { { about(statement, props) } }
                if props.innocent { { why::panel(props.why.as_ref(), &props.on_line) } }
                if let (Some(trace), Some(step)) = (trace, props.step) {
                    { values(&Shown { trace, step, line: props.line, error, raw }) }
                }
                if let Some(Some(inspection)) = &props.inspection {
                    if let Some(invariant) = &inspection.invariant {
                        { proof::invariant(invariant) }
                    } else {
                        { stores(inspection, props) }
                    }
                } else if props.inspection.is_some() && !props.raw {
                    <p class="quiet">
                        { "Which values reach this statement is not known: to find that out \
                            goes past the limits." }
                    </p>
                }
                if let (Some(statement), false) = (selected, props.raw) {
                    <Equalities location={statement.location} shown={props.equalities_of}
                        known={props.equalities.clone()} bits={props.bits}
                        on_show={props.on_event.reform(ProjectionEvent::Equalities)} />
                }
                if selected.is_none() && props.step.is_none() {
                    <p class="quiet">
                        { if raw {
                            "Select a rule or a box to see whether runs apply it."
                        } else {
                            "Select a line or a box to see what reaches it and what fails from it."
                        } }
                    </p>
                }
            </div>
        </section>
    }
}

fn about(statement: &StatementView, props: &Props) -> Html {
    let outcomes: Vec<&StatementView> = props
        .statements
        .iter()
        .filter(|s| s.location == statement.location && !s.outcome.is_empty())
        .collect();
    html! {
        <div class="about">
            { others(statement, props) }
            if outcomes.len() > 1 {
                <div class="segments" role="group" aria-label="Outcome">
                    { for outcomes.iter().map(|s| {
                        let (id, choose) = (s.id, props.on_statement.clone());
                        let on = s.id == statement.id;
                        html! {
                            <button
                                class={classes!("segment", on.then_some("on"))}
                                aria-pressed={on.to_string()}
                                onclick={move |_| choose.emit(id)}
                            >
                                { &s.outcome }
                            </button>
                        }
                    }) }
                </div>
            }
            { reach(statement, props) }
            { alone(props) }
            if let Some((tone, sentence)) = standing(statement, props.report.as_deref()) {
                <p class={classes!("standing", tone)}>
                    <span class="swatch" aria-hidden="true"></span>{ sentence }
                </p>
                if tone == "lit" {
                    <ThroughButtons
                        raw={props.report.as_ref().is_some_and(|report| report.pushdown.is_some())}
                        run={words::kind_of_run(props.report.as_ref().and_then(|report| report.options.reach))}
                        statement={statement.clone()}
                        through={props.through.clone()}
                        on_through={props.on_event.reform(|(statement, add)| ProjectionEvent::Through(statement, add))}
                    />
                }
            }
        </div>
    }
}

/// Where several statements start on one line, all of them.
fn others(statement: &StatementView, props: &Props) -> Html {
    let mut places: Vec<&StatementView> = Vec::new();
    for s in &props.statements {
        if !s.hidden && places.iter().all(|p| p.location != s.location) {
            places.push(s);
        }
    }
    if places.len() < 2 {
        return html! {};
    }
    html! {
        <div class="others" role="group" aria-label="Statements on this line">
            { for places.iter().map(|s| {
                let (id, choose) = (s.id, props.on_statement.clone());
                let on = s.location == statement.location;
                html! {
                    <button
                        class={classes!("link", on.then_some("on"))}
                        aria-pressed={on.to_string()}
                        onclick={move |_| choose.emit(id)}
                    >
                        { &s.text }
                    </button>
                }
            }) }
        </div>
    }
}

/// Lit or innocent, in words.
/// The button that asks for an input with which a run comes to the statement's line.
fn reach(statement: &StatementView, props: &Props) -> Html {
    let line = statement.line;
    let asked = props.report.as_ref().and_then(|report| report.options.reach);
    if props.raw || asked == Some(line) {
        return html! {};
    }
    let ask = props.on_reach.reform(move |_: MouseEvent| Some(line));
    html! {
        <button
            class="tool"
            onclick={ask}
            title="An input with which a run comes to this line, or the proof that none does"
        >
            { format!("How does a run come to line {line}?") }
        </button>
    }
}

/// The button that checks the statement's procedure alone.
fn alone(props: &Props) -> Html {
    let Some(name) = &props.procedure else { return html! {} };
    if props.report.as_ref().is_some_and(|report| report.options.function.as_ref() == Some(name)) {
        return html! {};
    }
    let start = name.clone();
    let ask = props.on_alone.reform(move |_: MouseEvent| Some(start.clone()));
    html! {
        <button
            class="tool"
            onclick={ask}
            title="Start with this procedure, with arguments of every value that makes sense"
        >
            { format!("Check {name} alone") }
        </button>
    }
}

/// What became of the statement.
fn standing(statement: &StatementView, report: Option<&Report>) -> Option<(&'static str, String)> {
    match report.and_then(|report| Some((report, report.options.reach?))) {
        Some((report, line)) => on_the_way(statement, report, line),
        None => fate(statement, report).map(|(tone, said)| (tone, said.to_string())),
    }
}

/// The same where the only question was whether a run comes to a line.
fn on_the_way(
    statement: &StatementView,
    report: &Report,
    line: u32,
) -> Option<(&'static str, String)> {
    Some(match (report.shown_verdict(), statement.lit, statement.reached) {
        (Verdict::Unknown, ..) => return None,
        (Verdict::Unsafe, ..) if report.projection.is_none() => return None,
        (_, _, false) => ("dim", "No run reaches it.".into()),
        (Verdict::Unsafe, true, _) => ("lit", format!("Lit: some run to line {line} executes it.")),
        (Verdict::Unsafe, false, _) => {
            ("dim", format!("Runs execute it, but none of them comes to line {line}."))
        }
        (Verdict::Safe, ..) => {
            ("plain", format!("Runs reach it, and none of them comes to line {line}."))
        }
    })
}

fn fate(
    statement: &StatementView,
    report: Option<&Report>,
) -> Option<(&'static str, &'static str)> {
    let report = report?;
    if report.pushdown.is_some() {
        return match report.verdict {
            Verdict::Unknown => None,
            _ if report.projection.is_none() => None,
            _ if statement.lit => Some(("lit", "Lit: it is applied on some run into the target.")),
            _ if statement.reached => {
                Some(("dim", "Runs apply it, but none of them gets to a target."))
            }
            _ => Some(("dim", "No run applies it.")),
        };
    }
    let over = report.projection.as_ref().is_some_and(|found| found.overestimate);
    match report.shown_verdict() {
        Verdict::Safe if !report.knows_what_is_reached() => None,
        Verdict::Safe if statement.lit && over => {
            Some(("plain", "Kept by the naive method, which keeps too much: no run fails."))
        }
        Verdict::Safe if statement.reached => {
            Some(("plain", "Runs reach it, and none of them fails."))
        }
        Verdict::Safe => Some(("dim", "No run reaches it.")),
        Verdict::Unsafe if report.projection.is_none() => None,
        Verdict::Unsafe if statement.lit && over => Some((
            "lit",
            "Kept by the naive method, which keeps too much: perhaps no failing run executes it.",
        )),
        Verdict::Unsafe if statement.lit => Some(("lit", "Lit: some failing run executes it.")),
        Verdict::Unsafe if statement.reached => {
            Some(("dim", "Innocent: runs execute it, but none of them fails."))
        }
        Verdict::Unsafe => Some(("dim", "Innocent: no run reaches it.")),
        Verdict::Unknown => None,
    }
}

fn stores(inspection: &Inspection, props: &Props) -> Html {
    let can_fail = props
        .report
        .as_ref()
        .is_some_and(|r| r.shown_verdict() == Verdict::Unsafe && r.projection.is_some());
    let reach = props.report.as_ref().and_then(|report| report.options.reach);
    html! {
        <>
            <h3>{ "Values possible here" }</h3>
            { formula(&inspection.reached, &inspection.reached_count) }
            if can_fail {
                <h3>{ reach.map_or_else(
                    || "Values that lead to the failure".to_string(),
                    |line| format!("What comes to line {line} from here"),
                ) }</h3>
                { formula(&inspection.failing, &inspection.failing_count) }
                <query::QueryField
                    run={words::kind_of_run(reach)}
                    statement={inspection.statement}
                    answer={props.query.clone()}
                    on_query={props.on_event.reform(ProjectionEvent::Query)}
                />
            }
        </>
    }
}

fn formula(text: &str, count: &str) -> Html {
    let (text, note) = match (text, count) {
        ("false", _) | (_, "0") => ("nothing".to_string(), String::new()),
        ("true", n) => ("any values".to_string(), stores_counted(n)),
        (text, n) => (text.to_string(), stores_counted(n)),
    };
    html! {
        <>
            <p class="formula">{ text }</p>
            if !note.is_empty() { <p class="quiet small">{ note }</p> }
        </>
    }
}

fn stores_counted(count: &str) -> String {
    match count.parse::<u64>() {
        Ok(n) => words::counted(n, "combination") + " of values",
        Err(_) => format!("{count} combinations of values"),
    }
}
