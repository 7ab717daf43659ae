//! The interleaved run as swim lanes: time runs down, each thread has a column, a switch crosses
//! from one to another.

use crate::draw::lanes::{LaneRow, LaneValue, Lanes};
use crate::draw::words::counted;
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::Move;
use crate::ui::tabs::threads::state::{Found, ThreadsEvent};
use crate::wire::threads::ThreadsFound;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) lanes: Shared<Lanes>,
    pub(crate) found: Shared<Found>,
    /// With the explanation of the run.
    pub(crate) other: Option<Shared<ThreadsFound>>,
    pub(crate) step: usize,
    pub(crate) on_move: Callback<Move>,
    pub(crate) on_event: Callback<ThreadsEvent>,
}

#[function_component(LanesView)]
pub(crate) fn lanes_view(props: &Props) -> Html {
    let host = use_node_ref();
    let holder = host.clone();
    use_effect_with((props.step, props.lanes.clone()), move |_| reveal(&holder));
    let lanes = &props.lanes;
    let count = lanes.lanes.len();
    let least = format!("min-width: {}px", 46 + 128 * count.max(1));
    let columns =
        format!("grid-template-columns: 46px repeat({}, minmax(128px, 1fr))", count.max(1));
    html! {
        <div
            ref={host}
            class="lanes"
            role="group"
            aria-label="Interleaved run, a lane for each thread"
        >
            <div class="lanes-head" style={format!("{columns}; {least}")} aria-hidden="true">
                <span></span>
                { for lanes.lanes.iter().map(|lane| html! {
                    <b key={lane.thread}>{ &lane.name }</b>
                }) }
            </div>
            <ol class="lanes-rows" style={least}>
                { for lanes.rows.iter().enumerate().map(|(k, row)| html! {
                    <Row
                        key={k}
                        row={row.clone()}
                        lanes={lanes.clone()}
                        found={props.found.clone()}
                        columns={columns.clone()}
                        current={matches!(row, LaneRow::Step { step, .. } if *step == props.step)}
                        on_move={props.on_move.clone()}
                        on_event={props.on_event.clone()}
                    />
                }) }
            </ol>
            if !lanes.idle.is_empty() {
                <p class="quiet small lanes-idle">
                    { format!("Not running here: {}.", lanes.idle.join(", ")) }
                </p>
            }
            { for props.other.as_ref().map(|other| {
                Html::from_html_unchecked(other.explained.clone().into())
            }) }
        </div>
    }
}

/// Scrolls the lanes, and only them, so that the current row can be seen.
fn reveal(host: &NodeRef) {
    let Some(host) = host.cast::<Element>() else { return };
    let Ok(Some(row)) = host.query_selector(".lane-step.current") else { return };
    let (outer, inner) = (host.get_bounding_client_rect(), row.get_bounding_client_rect());
    let (above, below) = (inner.top() - outer.top() - 64.0, inner.bottom() - outer.bottom() + 40.0);
    if above < 0.0 || below > 0.0 {
        let by = if above < 0.0 { above } else { below };
        host.set_scroll_top(host.scroll_top() + by as i32);
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    row: LaneRow,
    lanes: Shared<Lanes>,
    found: Shared<Found>,
    columns: String,
    current: bool,
    on_move: Callback<Move>,
    on_event: Callback<ThreadsEvent>,
}

#[function_component(Row)]
fn row(props: &RowProps) -> Html {
    let name =
        |lane: usize| props.lanes.lanes.get(lane).map(|lane| lane.name.clone()).unwrap_or_default();
    let count = props.lanes.lanes.len();
    let rails = |active: Option<usize>| {
        (0..count).map(move |lane| {
            html! {
                <i
                    class={classes!("rail", (active == Some(lane)).then_some("active"))}
                    style={format!("grid-column: {}", lane + 2)}
                >
                </i>
            }
        })
    };
    match &props.row {
        LaneRow::Context { context, from, to, globals } => {
            let label = match from {
                Some(from) => format!("Switch {context}: {} → {}", name(*from), name(*to)),
                None => format!("{} begins", name(*to)),
            };
            html! {
                <li
                    class="lane-row lane-switch"
                    style={props.columns.clone()}
                    data-switch={context.to_string()}
                >
                    { for rails(None) }
                    if let Some(from) = from { { crossing(*from, *to) } }
                    <span
                        class="switch-told"
                        style={format!("grid-column: 2 / span {}", count.max(1))}
                    >
                        <b>{ label }</b>{ for globals.iter().map(global) }
                    </span>
                </li>
            }
        }
        LaneRow::Step { step, lane, fails, part } => {
            let Some(entry) = props.found.entry(*step) else { return html! {} };
            let to = *step;
            let races = props.found.report.as_ref().is_ok_and(|report| report.race.is_some());
            let word = if races { "data race" } else { "fails here" };
            let go = props.on_move.reform(move |_: MouseEvent| Move::To(to));
            let class =
                classes!("lane-step", props.current.then_some("current"), fails.then_some("fails"));
            let does = part.as_ref().map(|part| format!(" {part}")).unwrap_or_default();
            let spoken = format!(
                "Step {}, {}, line {}: {}{does} {}",
                step + 1,
                name(*lane),
                entry.line,
                entry.statement,
                if *fails { word } else { "" }
            );
            html! {
                <li class="lane-row" style={props.columns.clone()}>
                    <span class="lane-line" aria-hidden="true">{ entry.line }</span>
                    { for rails(Some(*lane)) }
                    <button
                        {class}
                        style={format!("grid-column: {}", lane + 2)}
                        onclick={go}
                        aria-current={props.current.then_some("step")}
                        aria-label={spoken}
                        data-step={step.to_string()}
                        data-thread={name(*lane)}
                    >
                        <i class="stop" aria-hidden="true"></i>
                        <code style={format!("padding-left: {}px", entry.depth.min(6) * 10)}>
                            { &entry.statement }
                        </code>
                        // The name of the button holds what it shows, blanks included.
                        { " " }
                        if let Some(part) = part { <span class="lane-part">{ part }</span> }
                        { " " }
                        if *fails { <span class="fails-here">{ word }</span> }
                    </button>
                </li>
            }
        }
        LaneRow::Fold { context, lane, steps } => {
            let which = *context;
            let unfold = props.on_event.reform(move |_: MouseEvent| ThreadsEvent::Fold(which));
            html! {
                <li class="lane-row" style={props.columns.clone()}>
                    { for rails(Some(*lane)) }
                    <button
                        class="lane-fold link"
                        style={format!("grid-column: {}", lane + 2)}
                        onclick={unfold}
                    >
                        { format!("{} more", counted(*steps as u64, "step")) }
                    </button>
                </li>
            }
        }
        LaneRow::Blocked { lane, line, statement } => html! {
            <li class="lane-row" style={props.columns.clone()}>
                <span class="lane-line" aria-hidden="true">{ line }</span>
                { for rails(None) }
                <span class="lane-blocked" style={format!("grid-column: {}", lane + 2)}>
                    { "waits for ever: " }<code>{ statement }</code>
                </span>
            </li>
        },
    }
}

fn global(value: &LaneValue) -> Html {
    html! {
        <span class={classes!("lane-value", value.changed.then_some("changed"))}>
            <code>{ format!("{} = {}", value.name, value.value) }</code>
        </span>
    }
}

/// From the rail of one lane down to the rail of another.
fn crossing(from: usize, to: usize) -> Html {
    let (left, right) = (from.min(to), from.max(to));
    // Stretched over the columns between: the stroke keeps its width.
    let path = if from < to { "M0,0 C0,26 100,4 100,30" } else { "M100,0 C100,26 0,4 0,30" };
    html! {
        <svg
            class="crossing"
            style={format!("grid-column: {} / {}", left + 2, right + 2)}
            viewBox="0 0 100 30"
            preserveAspectRatio="none"
            aria-hidden="true"
        >
            <path d={path} vector-effect="non-scaling-stroke" />
        </svg>
    }
}
