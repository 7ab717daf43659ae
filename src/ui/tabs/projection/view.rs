//! The projection as it is drawn.

mod affine;
mod findings;
mod inspector;
mod through;
mod verdict;

use super::state::{Projection, ProjectionEvent};
use crate::ui::frame::graph_pane::GraphPane;
use crate::ui::frame::slice;
use crate::ui::tab::Tab;
use crate::ui::view::{Beside, Handlers, Panes, View};
use crate::wire::graph::StatementView;
use crate::wire::options::Dialect;
use crate::wire::report::Report;
use inspector::Inspector;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(projection: &Projection, view: &View) -> Panes {
    let model = view.model;
    if model.is_bounded {
        return Panes {
            picture: no_picture(),
            inspector: inspector(projection, view),
            ..Panes::default()
        };
    }
    let title = if model.dialect().is_raw() { "Heads and rules" } else { "Control flow" };
    let picture = html! {
        <GraphPane {title} graph={model.graph.clone()} picture={model.picture.clone()}
            folding={model.folding.clone()} marks={projection.marks.clone()}
            fails={projection.failing_location(model)} current={projection.current(model)}
            selected={model.selection.locations.clone()} cross={projection.crossing_boxes(model)}
            on_event={view.on.graph.clone()} />
    };
    let report = model.fresh().map(|answer| &*answer.report);
    let kept = model.inspectable().map(|answer| &*answer.report);
    Panes {
        picture,
        beside: Beside {
            offers: report.map(|report| offers(report, view.on)).unwrap_or_default(),
            lead: report.map(|report| findings::lead(report, view.on)).unwrap_or_default(),
            findings: report
                .map(|report| findings::view(projection, report, view.on))
                .unwrap_or_default(),
            found: report.map(findings::told).unwrap_or_default(),
            proof: kept.map(|report| verdict::witness(report, view.on)).unwrap_or_default(),
        },
        inspector: inspector(projection, view),
        legend: Some(legend(projection, view)),
        note: note(projection, view),
    }
}

/// In the place of a picture, where only the bounded engine reads the program.
fn no_picture() -> Html {
    html! {
        <section class="pane graph-pane" aria-label="Control flow">
            <div class="bar"><h2>{ "Control flow" }</h2></div>
            <p class="no-picture">
                { "The answer beside the program is about all of it. Only the picture is missing: \
                   what draws it does not know everything that the program does." }
            </p>
        </section>
    }
}

/// Other options to try.
fn offers(report: &Report, on: &Handlers) -> Html {
    html! {
        <>
            { verdict::widths(report, on) }
            { verdict::objects(report, on) }
            if report.options.function.is_some() {
                <button class="button" onclick={on.alone.reform(|_: MouseEvent| None)}>
                    { "Start as the program says" }
                </button>
            }
            if report.options.reach.is_some() {
                <button class="button" onclick={on.reach.reform(|_: MouseEvent| None)}>
                    { "Ask again whether it can fail" }
                </button>
            }
        </>
    }
}

fn inspector(projection: &Projection, view: &View) -> Html {
    let (model, questions) = (view.model, &projection.questions);
    let chosen = &model.selection;
    let here = |s: &&StatementView| {
        chosen.locations.contains(&s.location) || Some(s.id) == chosen.statement
    };
    let statements = model.statements.iter().filter(here).cloned().collect::<Vec<_>>();
    let inspection = chosen.statement.and_then(|s| questions.inspections.get(&s)).cloned();
    let (innocent, why) = projection.why(model);
    let equalities = projection.equalities_of.and_then(|of| questions.equalities.get(&of)).cloned();
    html! {
        <Inspector {statements} selected={chosen.statement} line={chosen.line}
            report={projection.shown(model).cloned()} step={projection.step}
            through={projection.through.clone()} raw={model.dialect().is_raw()}
            bits={model.effective.as_ref().map_or(4, |options| options.bits)}
            equalities_of={projection.equalities_of} {equalities}
            {inspection} {innocent} {why}
            query={questions.queries.latest().map(|(_, answer)| answer.clone())}
            on_event={view.on.sends::<ProjectionEvent>(projection.word())}
            on_statement={view.on.statement.clone()} on_line={view.on.line.clone()}
            on_reach={view.on.reach.clone()} on_alone={view.on.alone.clone()}
            procedure={startable(view)} />
    }
}

/// The procedure of the selected statement, if it is one of C that can start alone.
fn startable(view: &View) -> Option<String> {
    let model = view.model;
    let statement = model.statement(model.selection.statement?)?;
    let here = model.graph.boxes.iter().find(|one| one.id == statement.location)?;
    let name = &model.graph.clusters.get(here.cluster as usize)?.name;
    let is_alone = model.dialect() == Dialect::C && name != "main";
    is_alone.then(|| name.clone())
}

/// Which chosen statements the run goes through, and the way back.
fn note(projection: &Projection, view: &View) -> Html {
    let Some(through) = &projection.through else { return html! {} };
    let looking = through.question.is_busy().then_some("quiet");
    let leave = view
        .on
        .sends::<ProjectionEvent>(projection.word())
        .reform(|_: MouseEvent| ProjectionEvent::LeaveThrough);
    html! {
        <>
            <span class={classes!("run-note", "through-note", looking)} role="status">
                { through.headline() }
            </span>
            <button class="tool" onclick={leave}>{ "Back to the shortest" }</button>
        </>
    }
}

/// What the paint on the source means.
fn legend(projection: &Projection, view: &View) -> Html {
    let model = view.model;
    if model.paint.lit.is_empty() {
        return html! {};
    }
    let raw = model.dialect().is_raw();
    let found = model.fresh().and_then(|answer| answer.report.projection.as_ref());
    let over = found.is_some_and(|found| found.overestimate);
    let reach = model.fresh().and_then(|answer| answer.report.options.reach);
    html! {
        <div class="legend" aria-label="Legend">
            <span>
                <i class="key lit"></i>
                { match (raw, over, reach) {
                    (true, ..) => "on a run into the target".to_string(),
                    (_, _, Some(line)) => format!("on a run to line {line}"),
                    (false, true, None) => "perhaps on a failing run (naive)".to_string(),
                    (false, false, None) => "on a failing run".to_string(),
                } }
            </span>
            if !model.paint.dim.is_empty() {
                <span>
                    <i class="key dim">{ "ab" }</i>
                    { if raw || reach.is_some() { "on none" } else { "innocent" } }
                </span>
            }
            <span><i class="key current"></i>{ "step" }</span>
            if model.selection.line != 0 {
                <span><i class="key selected"></i>{ "selected" }</span>
            }
            if !raw { { compare(projection, view) } }
            { slice::switch(model.fresh(), view.slice_shown, view.on.toggle_slice.clone()) }
        </div>
    }
}

/// The toggle for what only the naive projection keeps.
fn compare(projection: &Projection, view: &View) -> Html {
    let on = projection.compared;
    let naive = projection.questions.naive.get(&()).and_then(Option::as_deref).filter(|_| on);
    let told = match naive {
        Some([]) => ": nothing more".to_string(),
        Some([_]) => ": 1 more statement".to_string(),
        Some(naive) => format!(": {} more statements", naive.len()),
        None => String::new(),
    };
    let toggle = view
        .on
        .sends::<ProjectionEvent>(projection.word())
        .reform(|_: MouseEvent| ProjectionEvent::Compare);
    html! {
        <button
            class={classes!("comparison", on.then_some("on"))}
            aria-pressed={on.to_string()}
            onclick={toggle}
            title="A simpler projection, called naive, forgets which call a run came from. The \
                statements that only it keeps are hatched: they are innocent."
        >
            <i class="key cross"></i>{ "if callers were mixed up" }{ told }
        </button>
    }
}
