//! A transition's witness as a readable derivation: a tree whose nodes are transitions. What occurs
//! several times is spelled out once.

use super::question::replayed;
use crate::draw::lab_replay::spoken;
use crate::draw::words;
use crate::ui::tabs::lab::recording::{Recording, Witness};
use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::lab::{LabAutomaton, LabCause, LabWitness};
use yew::prelude::*;

/// So many rows are shown, so deep.
const ROWS: usize = 120;
const DEEPEST: usize = 14;

/// One line of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    depth: usize,
    /// Index into the witness's nodes.
    node: usize,
    /// Was it spelled out before?
    again: bool,
}

/// The tree from its root, each node spelled out where it occurs first; and whether that is all of
/// it.
fn lines(witness: &LabWitness) -> (Vec<Line>, bool) {
    let mut spelled = vec![false; witness.nodes.len()];
    let mut open = vec![(0usize, 0usize)];
    let mut out = Vec::new();
    let mut whole = true;
    while let Some((node, depth)) = open.pop() {
        let Some(content) = witness.nodes.get(node) else { continue };
        if out.len() == ROWS || depth > DEEPEST {
            whole = false;
            continue;
        }
        let premises: Vec<usize> = content
            .derivations
            .iter()
            .flat_map(|d| d.premises.iter().map(|p| *p as usize))
            .collect();
        let again = std::mem::replace(&mut spelled[node], true) && !premises.is_empty();
        out.push(Line { depth, node, again });
        if !again {
            open.extend(premises.into_iter().rev().map(|premise| (premise, depth + 1)));
        }
    }
    (out, whole)
}

/// The panel of the selected transition.
pub(crate) fn panel(
    known: Option<&Witness>,
    recording: &Recording,
    automaton: &LabAutomaton,
    on_event: &Callback<LabEvent>,
) -> Html {
    let witness = match known {
        None => return html! { <p class="quiet">{ "Looking for its derivation…" }</p> },
        Some(Err(Some(limit))) => {
            return html! {
                <p class="quiet">
                    { format!("Its derivation is not known: {}.", words::limit_sentence(*limit)) }
                </p>
            };
        }
        Some(Err(None)) => {
            return html! { <p class="quiet">{ "It is not there at this step." }</p> };
        }
        Some(Ok(witness)) => witness,
    };
    let (rows, whole) = lines(witness);
    html! {
        <>
            <ul class="witness" aria-label="Derivation">
                { for rows.iter().map(|line| row(line, witness, recording, automaton, on_event)) }
                if !whole {
                    <li class="quiet">
                        { "The rest is left out: click a transition to see what is below it." }
                    </li>
                }
            </ul>
            { for witness.notes.iter().map(|note| html! { <p class="quiet small">{ note }</p> }) }
            if let Some(run) = &witness.run { { replayed(run, recording.report.weighted) } }
        </>
    }
}

fn row(
    line: &Line,
    witness: &LabWitness,
    recording: &Recording,
    automaton: &LabAutomaton,
    on_event: &Callback<LabEvent>,
) -> Html {
    let Some(node) = witness.nodes.get(line.node) else { return html! {} };
    let Some(transition) = automaton.transitions.get(node.transition as usize) else {
        return html! {};
    };
    let id = node.transition;
    let select = on_event.reform(move |_: MouseEvent| LabEvent::Select(Some(id)));
    let style = format!("--depth:{}", line.depth);
    html! {
        <li class={classes!((line.depth > 0).then_some("premise"))} {style}>
            <span class="visually-hidden">{ format!("level {}: ", line.depth + 1) }</span>
            <button class="link transition" onclick={select}>
                { spoken(automaton, transition) }
            </button>
            if recording.report.weighted {
                <span class="weight">{ format!(" · {}", node.weight) }</span>
            }
            if line.again { <span class="quiet small">{ " as above" }</span> }
            else {
                { for node.derivations.iter().map(|derivation| {
                    let rule = derivation.rule.and_then(|rule| recording.report.rules.get(rule as usize));
                    html! {
                        <span class="by">
                            { by(derivation.cause) }
                            if let Some(rule) = rule { { " " }<code>{ &rule.text }</code> }
                        </span>
                    }
                }) }
            }
        </li>
    }
}

/// How a derivation comes to its part of the weight.
fn by(cause: LabCause) -> &'static str {
    match cause {
        LabCause::Given => "given",
        LabCause::Rule => "by",
        LabCause::Pop => "by the pop",
        LabCause::Entry => "entered by",
        LabCause::Below => "left below by",
        LabCause::Return => "returned to after",
        LabCause::Push => "by the push",
    }
}
