//! The middle of the page for the refinement loop: what is asked for, the answer, and one of three
//! pictures. The DAG is a [`DagView`].

use super::ask::AskRow;
use super::dag_view::{DagView, Shows};
use super::heuristics::Heuristics;
use super::program::Program;
use super::side_by_side::SideBySide;
use crate::draw::refinement::followed_in;
use crate::draw::refinement_fold::frame_keys;
use crate::draw::words::counted;
use crate::ui::frame::zoom_bar::{Zoom, ZoomBar};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::refinement::events::{RefinementEvent, Shown};
use crate::ui::tabs::refinement::pair::Side;
use crate::ui::tabs::refinement::run::Run;
use crate::wire::cegar::NodePlace;
use crate::wire::graph::Graph;
use crate::wire::refinement::{
    AbstractView, CegarPhase, CompareRow, Heuristic, MOST_DRAWN, PaperTable, RefinementAsk,
    RoundView,
};
use std::collections::BTreeSet;
use web_sys::Element;
use yew::prelude::*;

/// What is drawn.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) ask: RefinementAsk,
    /// Does the program ask something of its runs?
    pub(crate) asks: bool,
    pub(crate) run: Option<Shared<Run>>,
    pub(crate) step: usize,
    pub(crate) shown: Shown,
    pub(crate) view: Option<Shared<RoundView>>,
    /// Its picture, and the frames that are folded there.
    pub(crate) picture: Option<Shared<Graph>>,
    pub(crate) folded: BTreeSet<String>,
    /// The line whose nodes are marked.
    pub(crate) line: u32,
    pub(crate) program: Option<Shared<AbstractView>>,
    pub(crate) rows: Shared<Vec<CompareRow>>,
    pub(crate) comparing: bool,
    /// What the paper prints of this example.
    pub(crate) paper: Option<Shared<PaperTable>>,
    /// The heuristics that are chosen to be compared, and their runs if they are shown.
    pub(crate) pair: Vec<Heuristic>,
    pub(crate) sides: Option<[Side; 2]>,
    pub(crate) selected: Option<u32>,
    /// Is a run on its way?
    pub(crate) busy: bool,
    /// What is to be read in the place of a picture.
    pub(crate) said: Option<String>,
    pub(crate) fresh: bool,
    pub(crate) on_event: Callback<RefinementEvent>,
    pub(crate) on_line: Callback<u32>,
}

pub(crate) struct RefinementPane {
    host: NodeRef,
    dag: Option<DagView>,
}

impl Component for RefinementPane {
    type Message = Zoom;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        RefinementPane { host: NodeRef::default(), dag: None }
    }

    fn update(&mut self, _: &Context<Self>, zoom: Zoom) -> bool {
        if let Some(dag) = &self.dag {
            dag.zoom(zoom);
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &Props) -> bool {
        if let Some(dag) = &self.dag {
            dag.show(shows(ctx.props()));
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let drawn = props.view.as_ref().is_some_and(|view| !view.graph.boxes.is_empty());
        let said = props.said.clone().or_else(|| match props.shown {
            Shown::Dag if !drawn => Some(no_picture(props)),
            Shown::Program if props.run.as_ref().is_some_and(|run| run.live) => Some(LATER.into()),
            Shown::Program => followed(props),
            _ => None,
        });
        let dag = props.shown == Shown::Dag && said.is_none();
        let settled = !props.busy && props.fresh && props.said.is_none();
        let round = props.view.as_ref().map(|view| view.round.to_string());
        let problems = props
            .run
            .as_ref()
            .and_then(|run| run.report.as_ref())
            .map(|report| report.problems.clone())
            .unwrap_or_default();
        html! {
            <section
                class="pane graph-pane refinement-pane"
                aria-label="Refinement"
                data-refined={settled.to_string()}
                data-round={round}
            >
                <div class="bar">
                    <div class="segments" role="group" aria-label="Picture">
                        { for Shown::ALL.into_iter().map(|shown| {
                            let on = props.shown == shown;
                            let choose = props.on_event.reform(move |_: MouseEvent| RefinementEvent::Show(shown));
                            html! {
                                <button
                                    class={classes!("segment", on.then_some("on"))}
                                    aria-pressed={on.to_string()}
                                    onclick={choose}
                                >
                                    { shown.name() }
                                </button>
                            }
                        }) }
                    </div>
                    <span class="spacer"></span>
                    if dag { <ZoomBar on_zoom={ctx.link().callback(|zoom: Zoom| zoom)} /> }
                </div>
                <AskRow ask={props.ask.clone()} asks={props.asks} {problems}
                    on_event={props.on_event.clone()}
                    beside={fold_all(props).filter(|_| dag).unwrap_or_default()} />
                <div class="graph">
                    if let (Some(said), true) = (&said, props.shown != Shown::Heuristics) {
                        <p class="lab-said quiet">{ said }</p>
                    }
                    if let (Shown::Heuristics, Some(sides)) = (props.shown, &props.sides) {
                        <SideBySide
                            chosen={props.pair.clone()}
                            sides={sides.clone()}
                            line={props.line}
                            on_event={props.on_event.clone()}
                        />
                    } else if props.shown == Shown::Heuristics {
                        <Heuristics
                            ask={props.ask.clone()}
                            rows={props.rows.clone()}
                            comparing={props.comparing}
                            paper={props.paper.clone()}
                            pair={props.pair.clone()}
                            fresh={props.fresh}
                            on_event={props.on_event.clone()}
                        />
                    } else if props.shown == Shown::Program && said.is_none() {
                        <Program
                            program={props.program.clone()}
                            round={present_round(props)}
                            last={props.run.as_ref().map_or(0, |run| run.rounds.len() as u32)}
                            line={props.line}
                            on_line={props.on_line.clone()}
                        />
                    }
                    <div
                        ref={self.host.clone()}
                        class={classes!("picture", (!dag).then_some("put-away"))}
                        tabindex={if dag { "0" } else { "-1" }}
                        role="application"
                        aria-label="Counterexample DAG: arrow keys up and down go from node to \
                            node, f folds or unfolds a procedure's frame, left and right step \
                            through the rounds, plus and minus zoom, 0 fits"
                    >
                    </div>
                </div>
                if dag { { legend(props) } }
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<Element>()) else { return };
        let props = ctx.props();
        let dag = DagView::new(host, "node", true, props.on_event.clone());
        dag.show(shows(props));
        self.dag = Some(dag);
    }
}

/// What the DAG's picture shows. While two other DAGs are compared it shows nothing: their arrows
/// would take their heads from this one.
fn shows(props: &Props) -> Shows {
    let drawn = props.sides.is_none() || props.shown != Shown::Heuristics;
    Shows {
        view: props.view.clone().filter(|_| drawn),
        picture: props.picture.clone().filter(|_| drawn),
        bare: is_bare(props),
        selected: props.selected,
        line: props.line,
    }
}

/// Before interpolation the nodes have nothing but their places.
fn is_bare(props: &Props) -> bool {
    let phase = props.run.as_ref().and_then(|run| run.steps.get(props.step)).map(|step| step.phase);
    phase == Some(CegarPhase::Dag)
}

fn present_round(props: &Props) -> u32 {
    props.run.as_ref().and_then(|run| run.steps.get(props.step)).map_or(0, |step| step.round)
}

/// While a run goes on, its rounds are told in numbers: reading formulas would cost steps that
/// count as its own.
const LATER: &str = "The loop is still at work. Its numbers are on the timeline; pictures follow \
    once it is over, or stopped.";

/// In a round that follows variables: what stands for the abstract program.
fn followed(props: &Props) -> Option<String> {
    let run = props.run.as_ref()?;
    let round = run.round(props.step).filter(|round| round.follows.is_some())?;
    let names = followed_in(&run.rounds, round.round);
    let named = if names.is_empty() { "no variable".into() } else { names.join(", ") };
    Some(format!(
        "This round uses no predicates. It is your program with values for some variables alone; any \
        other may have any value whenever it is read. It follows {named}."
    ))
}

/// Folds or unfolds all frames of procedures, if there are any.
fn fold_all(props: &Props) -> Option<Html> {
    let frames = frame_keys(props.view.as_ref()?).len();
    let folded = props.folded.len() == frames;
    let turn = props.on_event.reform(move |_: MouseEvent| RefinementEvent::FoldAll(!folded));
    let title = "Runs of a procedure that returns, as one box that says what they come to (f folds \
        the frame of the selected node)";
    (frames > 0).then(|| {
        html! {
            <button
                class="tool bare text fold-all"
                onclick={turn}
                {title}
                aria-pressed={folded.to_string()}
            >
                { if folded { "Unfold procedures" } else { "Fold procedures" } }
            </button>
        }
    })
}

/// Why there is no DAG.
fn no_picture(props: &Props) -> String {
    let Some(round) = props.run.as_ref().and_then(|run| run.round(props.step)) else {
        return "There is nothing to draw.".into();
    };
    if props.run.as_ref().is_some_and(|run| run.live) {
        return LATER.into();
    }
    if props.busy || (props.fresh && props.view.is_none()) {
        return "Reading the round…".into();
    }
    if !props.fresh {
        return "Run again to see this round.".into();
    }
    if round.dag_nodes as usize > MOST_DRAWN {
        return format!(
            "{}: more than a picture can show. Shallow DAGs, or fewer bits, make it smaller.",
            counted(round.dag_nodes.into(), "node")
        );
    }
    if let Some(own) = round.phases.last().and_then(|phase| phase.said.get(1)) {
        return own.clone();
    }
    match round.phases.last().map(|phase| phase.phase) {
        Some(CegarPhase::Prove | CegarPhase::Check) => {
            "No error is reached in this round: there are no counterexamples.".into()
        }
        _ => "This round was cut short before it had a DAG.".into(),
    }
}

/// What the shapes mean that are there.
fn legend(props: &Props) -> Html {
    let Some(view) = &props.view else { return html! {} };
    let has_pivot = view.nodes.iter().any(|node| node.place == NodePlace::Pivot);
    let parts = [
        (
            true,
            if is_bare(props) {
                "In each box: its line."
            } else {
                "In each box: line, interpolant."
            },
        ),
        (has_pivot, "Double sides: a call's pivot point."),
        (!frame_keys(view).is_empty(), "Dashed: into a callee that returns; its frame folds."),
        (props.line > 0, "Heavy outline: the line chosen in the source."),
    ];
    let told: Vec<&str> = parts.into_iter().filter(|(on, _)| *on).map(|(_, told)| told).collect();
    html! { <p class="dag-legend quiet small">{ told.join(" ") }</p> }
}
