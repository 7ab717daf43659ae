//! Two heuristics, compared: of each its answer, its rounds, and the counterexamples of one
//! of them. A line chosen in the source is marked in both.

use super::dag_view::{DagView, Shows};
use crate::draw::refinement::short_place;
use crate::draw::words::{counted, duration, limit_sentence};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::refinement::events::{RefinementEvent, SideEvent};
use crate::ui::tabs::refinement::pair::Side;
use crate::ui::tabs::refinement::run::{summary, traces};
use crate::wire::cegar::RoundReport;
use crate::wire::graph::Graph;
use crate::wire::refinement::{CegarPhase, Heuristic, MOST_DRAWN};
use crate::wire::report::Verdict;
use web_sys::{Element, HtmlSelectElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Two of them.
    pub(crate) chosen: Vec<Heuristic>,
    pub(crate) sides: [Side; 2],
    /// The line whose nodes are marked.
    pub(crate) line: u32,
    pub(crate) on_event: Callback<RefinementEvent>,
}

#[function_component(SideBySide)]
pub(crate) fn side_by_side(props: &Props) -> Html {
    let back = props.on_event.reform(|_: MouseEvent| RefinementEvent::Pair(false));
    let stop = props.on_event.reform(|_: MouseEvent| RefinementEvent::Stop);
    let settled = props
        .sides
        .iter()
        .all(|side| side.run.is_some() && (side.round.is_none() || side.view().is_some()));
    let runs = props.sides.iter().all(|side| side.run.is_some());
    let busy = props.sides.iter().any(Side::is_running);
    html! {
        <div class="panel pair" data-settled={settled.to_string()}>
            <p class="pair-head">
                <button class="link" onclick={back}>{ "Back to the table" }</button>
                if !runs && busy {
                    <span class="quiet" role="status">{ "Refining…" }</span>
                    <button class="link" onclick={stop}>{ "Stop" }</button>
                } else if !runs {
                    <span class="quiet" role="status">
                        { "The loop has to be run again to see them." }
                    </span>
                }
            </p>
            <div class="pair-sides">
                { for props.chosen.iter().zip(&props.sides).enumerate().map(|(index, (heuristic, side))| html! {
                    <Column
                        key={index}
                        {index}
                        heuristic={*heuristic}
                        side={side.clone()}
                        line={props.line}
                        on_event={props.on_event.clone()}
                    />
                }) }
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct ColumnProps {
    index: usize,
    heuristic: Heuristic,
    side: Side,
    line: u32,
    on_event: Callback<RefinementEvent>,
}

enum ColumnMsg {
    Select(Option<u32>),
}

struct Column {
    host: NodeRef,
    dag: Option<DagView>,
    /// The picture of the round that is shown, shared so that a step does not build it anew.
    picture: Option<Shared<Graph>>,
    selected: Option<u32>,
}

impl Component for Column {
    type Message = ColumnMsg;
    type Properties = ColumnProps;

    fn create(ctx: &Context<Self>) -> Self {
        Column {
            host: NodeRef::default(),
            dag: None,
            picture: picture(&ctx.props().side),
            selected: None,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: ColumnMsg) -> bool {
        let ColumnMsg::Select(selected) = msg;
        self.selected = selected;
        self.show(ctx.props());
        true
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ColumnProps) -> bool {
        let new = ctx.props();
        if old.side.view() != new.side.view() {
            (self.picture, self.selected) = (picture(&new.side), None);
        }
        self.show(new);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let ColumnProps { index, heuristic, side, on_event, .. } = ctx.props();
        let index = *index;
        let name = if index == 0 { "Left" } else { "Right" };
        let emit = on_event.clone();
        let choose = Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Some(heuristic) = Heuristic::from_word(&select.value()) {
                emit.emit(RefinementEvent::Side(index, SideEvent::Heuristic(heuristic)));
            }
        });
        let drawn = side.view().is_some_and(|view| !view.graph.boxes.is_empty());
        html! {
            <section
                class="pair-side"
                aria-label={format!("{name}: {heuristic}")}
                data-side={index.to_string()}
            >
                <p class="pair-answer">
                    <select
                        class="method"
                        aria-label={format!("{name}: interpolants")}
                        onchange={choose}
                    >
                        { for Heuristic::ALL.into_iter().map(|other| {
                            let ((name, what), selected) = (other.told(), other == *heuristic);
                            let value = other.word();
                            html! { <option {value} {selected} title={what}>{ name }</option> }
                        }) }
                    </select>{ answer(side) }</p>
                { rounds(index, side, on_event) }
                <div class="pair-picture">
                    if !drawn { <p class="lab-said quiet">{ no_picture(side) }</p> }
                    <div
                        ref={self.host.clone()}
                        class={classes!("picture", (!drawn).then_some("put-away"))}
                        tabindex={if drawn { "0" } else { "-1" }}
                        role="application"
                        aria-label={format!("{name} counterexamples: arrow keys up and down go \
                            from node to node")}
                    >
                    </div>
                </div>
                <p class="pair-node small" aria-live="polite">{ self.told(side) }</p>
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<Element>()) else { return };
        let name = if ctx.props().index == 0 { "left" } else { "right" };
        let select = ctx.link().batch_callback(|event: RefinementEvent| match event {
            RefinementEvent::Select(selected) => Some(ColumnMsg::Select(selected)),
            _ => None,
        });
        self.dag = Some(DagView::new(host, name, false, select));
        self.show(ctx.props());
    }
}

impl Column {
    fn show(&self, props: &ColumnProps) {
        if let Some(dag) = &self.dag {
            let (view, picture, selected) =
                (props.side.view(), self.picture.clone(), self.selected);
            dag.show(Shows { view, picture, bare: false, selected, line: props.line });
        }
    }

    /// What the selected node says.
    fn told(&self, side: &Side) -> Html {
        let view = side.view();
        let node = view
            .as_ref()
            .zip(self.selected)
            .and_then(|(view, selected)| view.nodes.iter().find(|node| node.node == selected));
        match node {
            None => {
                html! {
                    <span class="quiet">
                        { "Select a node to read its chosen interpolant in full." }
                    </span>
                }
            }
            Some(node) if node.readable.is_empty() => {
                html! {
                    <span class="quiet">
                        { format!("{}: it has no interpolant.", short_place(node)) }
                    </span>
                }
            }
            Some(node) => {
                html! {
                    <>
                        <span class="quiet">{ format!("{}: ", short_place(node)) }</span>
                        <code class="formula">{ &node.readable }</code>
                    </>
                }
            }
        }
    }
}

fn picture(side: &Side) -> Option<Shared<Graph>> {
    side.view().map(|view| Shared::new(view.graph.clone()))
}

fn answer(side: &Side) -> Html {
    let Some(run) = &side.run else { return html! { <span class="quiet">{ "…" }</span> } };
    let report = run.report.as_ref().and_then(|report| report.answer.as_ref());
    let (class, said) = match report.map(|report| report.verdict) {
        Some(Verdict::Safe) => ("safe", "Safe".to_string()),
        Some(Verdict::Unsafe) => ("unsafe", "Can fail".to_string()),
        _ => (
            "unknown",
            report.and_then(|report| report.limit).map_or("No answer".into(), |limit| {
                format!("No answer: {}", limit_sentence(limit))
            }),
        ),
    };
    let most = run.rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0);
    let (refinements, most) =
        (counted(run.refinements() as u64, "refinement"), counted(most.into(), "predicate"));
    html! {
        <>
            <b class={classes!("said", class)}>{ said }</b>
            <span class="quiet">
                { format!("{refinements}, at most {most} at a place, {}", duration(run.millis)) }
            </span>
        </>
    }
}

/// Its rounds; those with counterexamples can be shown.
fn rounds(index: usize, side: &Side, on_event: &Callback<RefinementEvent>) -> Html {
    let rounds = side.run.as_ref().map(|run| run.rounds.as_slice()).unwrap_or_default();
    html! {
        <ol class="pair-rounds" aria-label="Rounds">
            { for rounds.iter().map(|round| {
                let (number, on) = (round.round, side.round == Some(round.round));
                let show = on_event.reform(move |_: MouseEvent| RefinementEvent::Side(index, SideEvent::Round(number)));
                html! {
                    <li key={number}>
                        <button
                            class={classes!("pair-round", on.then_some("on"))}
                            aria-pressed={on.to_string()}
                            onclick={show}
                            disabled={round.dag_nodes == 0}
                            title={told(round)}
                            aria-label={format!("Round {number}: {}", told(round))}
                        >
                            <b>{ number }</b><span>{ short(round) }</span>
                        </button>
                    </li>
                }
            }) }
        </ol>
    }
}

/// "13 nodes, 2 traces, +8 predicates"; "no error".
fn told(round: &RoundReport) -> String {
    if round.dag_nodes == 0 {
        return "no error".into();
    }
    format!(
        "{}, {}, {}",
        counted(round.dag_nodes.into(), "node"),
        traces(round.traces),
        summary(round, CegarPhase::Refine)
    )
}

/// "13 nodes, +8"; "no error".
fn short(round: &RoundReport) -> String {
    match (round.dag_nodes, round.predicates_added) {
        (0, _) => "no error".into(),
        (nodes, 0) => counted(nodes.into(), "node"),
        (nodes, added) => format!("{}, +{added}", counted(nodes.into(), "node")),
    }
}

fn no_picture(side: &Side) -> String {
    let Some(run) = &side.run else {
        return if side.is_running() { "Refining…".into() } else { String::new() };
    };
    let round = side.round.and_then(|number| run.rounds.iter().find(|round| round.round == number));
    match round {
        None => "It needs no refinement: there are no counterexamples.".into(),
        Some(round) if round.dag_nodes as usize > MOST_DRAWN => {
            format!("{}: more than a picture can show.", counted(round.dag_nodes.into(), "node"))
        }
        Some(_) => "Reading the round…".into(),
    }
}
