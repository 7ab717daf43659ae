//! The right of the page for the refinement loop: what the phase did, the selected node with its
//! interpolants in the order of implication, and what the round excluded.

use crate::draw::failure::sentence;
use crate::draw::refinement::{RoundStep, followed_in, named_first, nodes_of_line};
use crate::draw::words::{counted, grouped, limit_sentence};
use crate::ui::frame::sentence::with_code;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::refinement::events::RefinementEvent;
use crate::ui::tabs::refinement::run::{Run, said, summary, traces};
use crate::util::Limit;
use crate::wire::cegar::{FormulaReport, NodePlace, NodeReport, RoundReport};
use crate::wire::refinement::{AddedReport, CegarPhase, RoundView};
use crate::wire::report::{Report, Verdict};
use yew::prelude::*;

/// So many added predicates, and statements of a run, are listed.
const LISTED: usize = 60;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) run: Option<Shared<Run>>,
    pub(crate) step: usize,
    pub(crate) view: Option<Shared<RoundView>>,
    pub(crate) selected: Option<u32>,
    /// The line whose nodes are marked; 0 is none.
    pub(crate) line: u32,
    pub(crate) fresh: bool,
    pub(crate) on_event: Callback<RefinementEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(RefinementInspector)]
pub(crate) fn inspector(props: &Props) -> Html {
    let found = props
        .run
        .as_ref()
        .and_then(|run| Some((run, run.steps.get(props.step)?, run.round(props.step)?)));
    let Some((run, step, round)) = found else {
        return html! {
            <section class="pane inspector" aria-label="Inspector">
                <div class="bar"><h2>{ "Inspector" }</h2></div>
                <div class="inspector-body"><p class="quiet">
                { "After a run, this shows what each phase did, and the interpolants of the node \
                    that you select." }</p></div></section>
        };
    };
    let selected = props.view.as_ref().zip(props.selected);
    let node = selected.and_then(|(view, selected)| {
        view.nodes.iter().position(|node| node.node == selected).map(|at| (view, at))
    });
    html! {
        <section class="pane inspector refinement-inspector" aria-label="Inspector">
            <div class="bar">
                <h2>{ format!("Round {}: {}", step.round, step.phase) }</h2>
                <span class="statement-text">{ summary(round, step.phase) }</span>
            </div>
            <div class="inspector-body">
                { node.map(|(view, at)| selected_node(props, view, round, at, step.phase == CegarPhase::Dag)) }
                if let (None, Some(view), true) = (node, &props.view, props.line > 0) {
                    if !view.nodes.is_empty() {
                        <p class="no-node quiet">
                            { format!("No counterexample of this round passes line {}.", props.line) }
                        </p>
                    }
                }
                <h3>{ "This phase" }</h3>
                <p class="phase-told">
                    { said(round, step.phase, 1).unwrap_or_else(|| told(round, step.phase)) }
                </p>
                { follows(run, round) }
                { figures(round, step) }
                if node.is_none()
                    && round.dag_nodes > 0
                    && (CegarPhase::Dag..=CegarPhase::Refine).contains(&step.phase)
                {
                    <p class="quiet">
                        { "Select a node to see its interpolants: the strongest, the chosen one, \
                            the weakest." }
                    </p>
                }
                { excluded(props, round) }
                { ending(props, run, round) }
            </div>
        </section>
    }
}

fn told(round: &RoundReport, phase: CegarPhase) -> String {
    match phase {
        CegarPhase::Slice => {
            "Statements outside of the slice of the errors do anything to what they write, \
            from here on."
                .into()
        }
        CegarPhase::Abstract => format!(
            "{} got abstract rules; the others are as they were, for their predicates have not \
                changed.",
            counted(round.rules_abstracted, "statement"),
        ),
        CegarPhase::Check if round.follows.is_some() => {
            "The program was searched for a run into an error, with values for the followed \
            variables alone: any other variable may have any value whenever it is read."
                .into()
        }
        CegarPhase::Check => {
            "The abstract program was searched for runs into an error, the shortest first.".into()
        }
        CegarPhase::Dag if round.dag_nodes == 0 => "It was cut short.".into(),
        CegarPhase::Dag => format!(
            "All error traces of the abstract program as one DAG: {}, {}, {}.",
            counted(round.dag_nodes.into(), "node"),
            counted(round.dag_edges.into(), "edge"),
            traces(round.traces)
        ),
        CegarPhase::Interpolate => match round.spurious {
            Some(true) => "No trace can be executed: strongest interpolants run top-down, weakest \
                ones bottom-up, and the heuristic chooses between them."
                .into(),
            Some(false) => "Some trace can be executed: the program fails.".into(),
            None => "It was cut short.".into(),
        },
        CegarPhase::Verify => format!(
            "Every property that interpolants must keep was proved by a check of \
            its own: {} of them.",
            grouped(round.proved)
        ),
        CegarPhase::Refine if round.spurious == Some(false) => {
            "A concrete run with values was read off, and \
            the interpreter has executed it."
                .into()
        }
        CegarPhase::Refine if !round.followed.is_empty() => format!(
            "The trace was excluded: from the next round on, {} more {} followed.",
            round.followed.len(),
            if round.followed.len() == 1 { "variable is" } else { "variables are" }
        ),
        CegarPhase::Refine => format!(
            "The chosen interpolants became {}.",
            counted(round.predicates_added.into(), "new predicate")
        ),
        CegarPhase::Prove if round.follows.is_some() => {
            "No error is left. What the followed variables can be at each place is an inductive \
            invariant; that it holds of the program itself is proved by a check of its own."
                .into()
        }
        CegarPhase::Prove => {
            "No error is left. What the abstract program reaches means an inductive \
            invariant; it is proved by a check of its own."
                .into()
        }
        CegarPhase::Done => String::new(),
    }
}

/// Which variables the round follows, and which come next; nothing while predicates are used.
fn follows(run: &Run, round: &RoundReport) -> Html {
    if round.follows.is_none() && round.followed.is_empty() {
        return html! {};
    }
    let now = followed_in(&run.rounds, round.round);
    let told = match (round.follows, now.len()) {
        (None, _) => "Predicates have had their share.".to_string(),
        (Some(_), 0) => "This round follows no variable.".to_string(),
        (Some(_), _) => format!("This round follows {}.", named_first(&now)),
    };
    let next = match round.followed.len() {
        0 => String::new(),
        _ => format!(" From the next one on, also {}.", named_first(&round.followed)),
    };
    html! { <p class="followed">{ told + &next }</p> }
}

/// The numbers of the engine, on request.
fn figures(round: &RoundReport, step: &RoundStep) -> Html {
    let mut figures = Vec::new();
    match step.phase {
        CegarPhase::Abstract => {
            figures.push(format!("The abstract stores have {}.", counted(round.bits.into(), "bit")))
        }
        CegarPhase::Check => {
            figures.push(format!("The search went to a depth of {}.", counted(round.ranks, "rank")))
        }
        _ => {}
    }
    if step.steps > 0 {
        let steps = counted(step.steps, "step");
        figures.push(format!("This phase took {steps} on decision diagrams."));
    }
    if figures.is_empty() {
        return html! {};
    }
    html! {
        <details class="figures-fold">
            <summary>{ "What it took" }</summary>
            { for figures.into_iter().map(|figure| html! { <p>{ figure }</p> }) }
        </details>
    }
}

/// The three interpolants, each implying the next.
fn selected_node(
    props: &Props,
    view: &RoundView,
    round: &RoundReport,
    at: usize,
    bare: bool,
) -> Html {
    let node = &view.nodes[at];
    let clear = props.on_event.reform(|_: MouseEvent| RefinementEvent::Select(None));
    let on = view.traces.get(at).copied().unwrap_or(0);
    html! {
        <div class="selected-node" data-node={node.node.to_string()}>
            <p class="node-place">
                { place(props, node) }<button class="link" onclick={clear}>{ "clear" }</button>
            </p>
            if !node.statement.is_empty() { <p><code>{ &node.statement }</code></p> }
            if node.chosen.is_empty() {
                <p class="quiet">
                    { if bare { "It has no interpolants yet." } else if round.spurious.is_none() {
                        "Its interpolants were cut short."
                    } else { "Some trace is real: there \
                        are no interpolants between the start and the error." } }
                </p>
            } else if bare {
                <p class="quiet">{ "Its interpolants come with the next phase." }</p>
            } else {
                <ol class="implication" aria-label="Interpolants, each implying the next">
                    { interpolant(
                        "strongest",
                        "What holds here on the traces",
                        node.strongest.as_ref().map(std::slice::from_ref)
                    ) }
                    <li class="implies" aria-hidden="true">{ "⊨" }</li>
                    { interpolant("chosen", "What the heuristic chose", Some(&node.chosen)) }
                    <li class="implies" aria-hidden="true">{ "⊨" }</li>
                    { interpolant(
                        "weakest",
                        "What suffices to exclude the error",
                        node.weakest.as_ref().map(std::slice::from_ref)
                    ) }
                </ol>
            }
            if !node.needed {
                <p class="quiet small">
                    { "Lazy: what the abstract values say here implies it already, so it became no \
                        predicate." }
                </p>
            }
            <p class="on-traces">{ format!("On {} of {}.", grouped(on), traces(round.traces)) }</p>
            { siblings(props, view, node.node) }
        </div>
    }
}

/// Which of the line's nodes it is, and the way to the next one.
fn siblings(props: &Props, view: &RoundView, node: u32) -> Html {
    let here = nodes_of_line(view, props.line);
    let Some(at) = here.iter().position(|other| *other == node).filter(|_| here.len() > 1) else {
        return html! {};
    };
    let next = here[(at + 1) % here.len()];
    let go = props.on_event.reform(move |_: MouseEvent| RefinementEvent::Select(Some(next)));
    html! {
        <p class="siblings quiet">
            { format!("Node {} of {} on line {}. ", at + 1, here.len(), props.line) }
            <button class="link" onclick={go}>{ "next" }</button>
        </p>
    }
}

fn place(props: &Props, node: &NodeReport) -> Html {
    let line = node.line;
    let go = props.on_line.reform(move |_: MouseEvent| line);
    let link =
        html! { <button class="link line-link" onclick={go}>{ format!("line {line}") }</button> };
    match node.place {
        NodePlace::Start => html! { <b>{ "Start: before anything is executed" }</b> },
        NodePlace::Error => html! { <b>{ "Error: where all traces end" }</b> },
        NodePlace::Pivot => html! { <><b>{ "Pivot point of the call, " }</b>{ link }</> },
        NodePlace::Returned => html! { <b>{ format!("{} has returned", node.procedure) }</b> },
        NodePlace::Location => html! { <><b>{ format!("{}, ", node.procedure) }</b>{ link }</> },
    }
}

fn interpolant(
    name: &'static str,
    title: &'static str,
    formulas: Option<&[FormulaReport]>,
) -> Html {
    html! {
        <li class={classes!("interpolant", name)} data-interpolant={name}>
            <span class="name" {title}>{ name }</span>
            if let Some(formulas) = formulas {
                <div>{ for formulas.iter().map(|formula| html! {
                    <p class="formula">
                        { &formula.text }
                        if !formula.exact {
                            <span class="quiet small">
                                { " (a count: the formula is longer than can be read)" }
                            </span>
                        }
                    </p>
                }) }</div>
            } else { <p class="quiet">{ "not computed: “only chosen” is on" }</p> }
        </li>
    }
}

/// What the round excluded, and by which predicates.
fn excluded(props: &Props, round: &RoundReport) -> Html {
    if round.spurious != Some(true) || round.predicates_added == 0 {
        return html! {};
    }
    let added = props.view.as_ref().map(|view| view.added.as_slice()).unwrap_or_default();
    html! {
        <div class="excluded">
            <h3>{ "What this round excludes" }</h3>
            <p>
                { format!(
                    "{}, by {}{}",
                    traces(round.traces),
                    counted(round.predicates_added.into(), "new predicate"),
                    if added.is_empty() { "." } else { ":" }
                ) }
            </p>
            <ul class="added">
                { for added.iter().take(LISTED).map(|added| html! {
                    <li>
                        { where_added(props, added) }
                        <code class="formula">{ &added.formula.text }</code>
                    </li>
                }) }
                if added.len() > LISTED {
                    <li class="quiet">{ format!("and {} more", added.len() - LISTED) }</li>
                }
            </ul>
        </div>
    }
}

fn where_added(props: &Props, added: &AddedReport) -> Html {
    let line = added.line;
    let go = props.on_line.reform(move |_: MouseEvent| line);
    let text = match added.place {
        NodePlace::Pivot => format!("call, line {line}"),
        NodePlace::Returned => format!("end of {}", added.procedure),
        _ => format!("line {line}"),
    };
    html! { <button class="link line-link" onclick={go}>{ text }</button> }
}

/// Of the last round: how it ended.
fn ending(props: &Props, run: &Run, round: &RoundReport) -> Html {
    let report = run.report.as_ref().and_then(|report| report.answer.as_ref());
    let Some(report) =
        report.filter(|_| run.rounds.last().is_some_and(|last| last.round == round.round))
    else {
        return html! {};
    };
    let how = run.report.as_ref().and_then(|report| report.said.get(1));
    if let (Some(how), true) = (how, report.verdict != Verdict::Unknown) {
        return html! { <><h3>{ "How it ends" }</h3><p>{ how }</p></> };
    }
    match report.verdict {
        Verdict::Safe => html! { <><h3>{ "How it ends" }</h3><p>{ proof(report, round) }</p></> },
        Verdict::Unsafe => {
            let trace = report.trace.as_deref().unwrap_or_default();
            html! {
                <>
                    <h3>{ "A failing run, executed by the interpreter" }</h3>
                    if let Some(error) = &report.error {
                        <p>
                            { with_code(&format!("It ends in line {}. {}", error.line, sentence(error))) }
                        </p>
                    }
                    <ol class="real-run">
                        { for trace.iter().take(LISTED).map(|entry| {
                            let line = entry.line;
                            let go = props.on_line.reform(move |_: MouseEvent| line);
                            let values: Vec<String> = entry
                                .values
                                .0
                                .iter()
                                .map(|(name, value)| format!("{name} = {value}"))
                                .collect();
                            html! {
                                <li>
                                    <button class="link line-link" onclick={go}>
                                        { format!("line {line}") }
                                    </button>
                                    <code>{ &entry.statement }</code>
                                    <small class="quiet">{ values.join(", ") }</small>
                                </li>
                            }
                        }) }
                        if trace.len() > LISTED {
                            <li class="quiet">{ format!("and {} more", trace.len() - LISTED) }</li>
                        }
                    </ol>
                </>
            }
        }
        Verdict::Unknown => html! {
            <>
                <h3>{ "How it ends" }</h3>
                <p>{ report.fault.clone().unwrap_or_else(|| cut_short(run, report.limit)) }</p>
            </>
        },
    }
}

fn cut_short(run: &Run, limit: Option<Limit>) -> String {
    match limit {
        _ if run.stopped => "You have stopped it. The rounds so far are kept.".into(),
        Some(limit) => format!(
            "It ended early: {}. The rounds so far are kept; the button to go on is next to the \
                answer.",
            limit_sentence(limit)
        ),
        None => "A limit was hit. The rounds so far are kept.".into(),
    }
}

fn proof(report: &Report, round: &RoundReport) -> &'static str {
    match &report.proof {
        Some(proof) if proof.checked && round.follows.is_some() => {
            "No error is left. The invariant over the followed variables was proved of the program \
                by a check of its own."
        }
        Some(proof) if proof.checked => {
            "No error is left. The invariant over the predicates was proved by a check of its own."
        }
        _ => "No error is left. The check of the invariant ran into a limit.",
    }
}
