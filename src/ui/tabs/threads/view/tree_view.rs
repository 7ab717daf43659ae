//! How the answer was found: the Qadeer-Rehof tree, and the threads' interfaces, each with its
//! size.

use crate::draw::thread_tree::{COLUMN, ROW, tree_places};
use crate::draw::words::{counted, grouped};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::threads::state::{Found, Picked, ThreadsEvent, thread};
use crate::wire::report::Values;
use crate::wire::threads::{
    InterfaceReport, ThreadsFound, ThreadsReport, ThreadsVerdict, TreeNode,
};
use yew::prelude::*;

/// Of larger trees only so many nodes are drawn.
const MOST_DRAWN: usize = 600;
/// A node's box, in pixels.
const WIDTH: f64 = COLUMN - 34.0;
const HEIGHT: f64 = ROW - 8.0;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Option<Shared<Found>>,
    /// What the other method built.
    pub(crate) other: Option<Shared<ThreadsFound>>,
    pub(crate) picked: Picked,
    pub(crate) on_event: Callback<ThreadsEvent>,
}

#[function_component(TreeView)]
pub(crate) fn tree_view(props: &Props) -> Html {
    let Some(report) = props.found.as_ref().and_then(|found| found.report.as_ref().ok()) else {
        return html! {};
    };
    html! {
        <div class="panel tree-panel">
            { agreement(props, report) }
            { interfaces(report, or(&report.interfaces, props.other.as_ref().map(|other| &other.interfaces))) }
            { tree(props, report) }
            if props.other.is_none() && report.tree.is_empty() && report.interfaces.is_empty() {
                <p class="quiet">{ "Nothing was built for this answer." }</p>
            }
        </div>
    }
}

fn tree(props: &Props, report: &ThreadsReport) -> Html {
    let all = or(&report.tree, props.other.as_ref().map(|other| &other.tree));
    if all.is_empty() {
        return html! {};
    }
    let nodes = &all[..all.len().min(MOST_DRAWN)];
    let cut = report.tree_cut
        || nodes.len() < all.len()
        || props.other.as_ref().is_some_and(|other| other.tree_cut);
    let (places, width, height) = tree_places(nodes);
    let parent = |node: &TreeNode| {
        node.parent.and_then(|parent| nodes.iter().position(|other| other.number == parent))
    };
    html! {
        <>
            <h3>{ "Tree of contexts (Qadeer, Rehof)" }</h3>
            <p class="quiet small">{ format!("{}{}. From left to right one context each: who ran, \
                and the globals that it changed. A node that is crossed out was met before; \
                nothing grows there.",
                counted(all.len() as u64, "node"), if cut { ", not all drawn" } else { "" }) }</p>
            <div class="scroll">
                <div
                    class="tree"
                    role="group"
                    aria-label="Tree of contexts"
                    style={format!("width: {width:.0}px; height: {height:.0}px")}
                >
                    <svg
                        width={format!("{width:.0}")}
                        height={format!("{height:.0}")}
                        aria-hidden="true"
                    >
                        { for nodes
                            .iter()
                            .enumerate()
                            .filter_map(|(k, node)| parent(node).map(|parent| (k, node, parent)))
                            .map(|(k, node, parent)| {
                            let (a, b) = (places[parent], places[k]);
                            let (x, to) = (a.x + WIDTH, b.x);
                            let mid = (x + to) / 2.0;
                            html! {
                                <path
                                    key={k}
                                    class={classes!(node.fails.then_some("fails"))}
                                    d={format!("M{x:.1},{:.1} C{mid:.1},{:.1} {mid:.1},{:.1} \
                                        {to:.1},{:.1}", a.y, a.y, b.y, b.y)}
                                />
                            }
                        }) }
                    </svg>
                    { for nodes.iter().enumerate().map(|(k, node)| {
                        let on = props.picked == Picked::Node(node.number);
                        let number = node.number;
                        let pick = props
                            .on_event
                            .reform(move |_: MouseEvent| ThreadsEvent::Node((!on).then_some(number)));
                        let class = classes!(
                            "tree-node",
                            on.then_some("on"),
                            node.fails.then_some("fails"),
                            node.same_as.is_some().then_some("met")
                        );
                        let place = format!("left: {:.1}px; top: {:.1}px; width: {WIDTH:.0}px; \
                            height: {HEIGHT:.0}px", places[k].x, places[k].y - HEIGHT / 2.0);
                        html! {
                            <button
                                key={k}
                                {class}
                                style={place}
                                onclick={pick}
                                aria-pressed={on.to_string()}
                                data-node={number.to_string()}
                                title={told(report, node)}
                            >
                                <span class="who">{ who(report, node) }</span>
                                <code>
                                    { short(&node.globals, parent(node).map(|parent| &nodes[parent])) }
                                </code>
                            </button>
                        }
                    }) }
                </div>
            </div>
        </>
    }
}

/// Who ran.
pub(crate) fn who(report: &ThreadsReport, node: &TreeNode) -> String {
    node.thread.map_or("start".to_string(), |number| thread(report, number))
}

/// What a node is, in a sentence.
pub(crate) fn told(report: &ThreadsReport, node: &TreeNode) -> String {
    let met = node
        .same_as
        .map(|other| format!(" The same as node {other}: nothing grows here."))
        .unwrap_or_default();
    let fails = if node.fails { " A context that begins here fails." } else { "" };
    let after = match node.thread {
        Some(number) => format!(
            "After {}, the last of them {}: {}.",
            counted(node.context.into(), "context"),
            thread(report, number),
            long(&node.globals)
        ),
        None => "The start: all initial values together.".to_string(),
    };
    format!(
        "{after} {} in the automata of the stacks.{met}{fails}",
        counted(node.size.into(), "transition")
    )
}

/// What its context has changed, where that can be seen; else all of it.
fn short(values: &Values, before: Option<&TreeNode>) -> String {
    let old = |name: &str| {
        before
            .and_then(|node| node.globals.0.iter().find(|(other, _)| other == name))
            .map(|(_, value)| value)
    };
    let known = before.is_some_and(|node| !node.globals.0.is_empty());
    let told = values.0.iter().filter(|(name, value)| !known || old(name) != Some(value));
    let told: Vec<String> = told.map(|(name, value)| format!("{name} = {value}")).collect();
    match told.is_empty() {
        false => told.join(", "),
        true if known => "globals as before".into(),
        true => "all initial values".into(),
    }
}

fn long(values: &Values) -> String {
    if values.0.is_empty() {
        "no globals".into()
    } else {
        values
            .0
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Those of the method that was asked for, else those of the other one.
fn or<'a, T>(own: &'a [T], other: Option<&'a Vec<T>>) -> &'a [T] {
    if own.is_empty() { other.map(Vec::as_slice).unwrap_or_default() } else { own }
}

/// Whether both methods say the same.
fn agreement(props: &Props, report: &ThreadsReport) -> Html {
    let said = match props.other.as_ref() {
        None => "The other method is still at it.",
        Some(other) if !other.over => {
            "The other method did not come to its end within a few seconds; what it built so far \
                is below."
        }
        Some(other)
            if report.verdict != ThreadsVerdict::Unknown && other.switches == report.switches =>
        {
            "Both methods come to the same answer."
        }
        Some(_) if report.verdict == ThreadsVerdict::Unknown => {
            "The other method came to an end: choose it above to see its answer."
        }
        Some(_) => {
            "The two methods contradict each other: a defect of Faultline. Please report the \
                program."
        }
    };
    html! { <p class="quiet" role="status">{ said }</p> }
}

fn interfaces(report: &ThreadsReport, all: &[InterfaceReport]) -> Html {
    if all.is_empty() {
        return html! {};
    }
    html! {
        <>
            <h3>{ "Interfaces of the threads" }</h3>
            <p class="quiet small">
                { "What a thread does in so many contexts of its own, as one relation between the \
                    globals at their beginnings and ends. No tree is needed; the number of states \
                    does not depend on the globals." }
            </p>
            <div class="scroll"><table class="figures interfaces">
                <thead>
                    <tr>
                        <th scope="col">{ "Thread" }</th>
                        <th scope="col">{ "Contexts" }</th>
                        <th scope="col">{ "Transducer states" }</th>
                        <th scope="col">{ "BDD nodes" }</th>
                    </tr>
                </thead>
                <tbody>{ for all.iter().map(|interface| html! {
                    <tr>
                        <th scope="row">{ thread(report, interface.thread) }</th>
                        <td class="number">{ interface.visits }</td>
                        <td class="number">{ grouped(interface.transducer_states.into()) }</td>
                        <td class="number">{ grouped(interface.nodes) }</td></tr>
                }) }</tbody>
            </table></div>
        </>
    }
}
