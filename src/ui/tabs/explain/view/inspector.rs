//! The right of the page for explanations: the cause, the ways to fail, suspicious statements,
//! suggested repairs, and the values of the step.

use super::causes::Causes;
use super::repairs::Repairs;
use super::sequences::Sequences;
use super::suspects::Suspects;
use crate::ui::frame::step_values::{Shown, values};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::util::Stage;
use crate::wire::explain::{ExplainAsk, Explanation, Level};
use std::collections::BTreeSet;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Option<Shared<Explanation>>,
    pub(crate) ask: ExplainAsk,
    pub(crate) level: Level,
    pub(crate) run: usize,
    pub(crate) sequence: usize,
    /// The row of the shown run that the step is at.
    pub(crate) row: Option<usize>,
    /// The selected line; 0 is none.
    pub(crate) line: u32,
    pub(crate) inputs: BTreeSet<String>,
    pub(crate) fresh: bool,
    /// The stage that is worked on.
    pub(crate) working: Option<Stage>,
    pub(crate) slice: Option<Vec<u32>>,
    /// In an embedded page nothing is edited.
    pub(crate) read_only: bool,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(ExplainInspector)]
pub(crate) fn inspector(props: &Props) -> Html {
    let Some(found) = props
        .found
        .as_ref()
        .filter(|found| !found.causes.is_empty() || !found.sequences.is_empty())
    else {
        return html! {
            <section class="pane inspector" aria-label="Inspector">
                <div class="bar"><h2>{ "Why it fails" }</h2></div>
                <div class="inspector-body"><p class="quiet">
                { "This tab explains a program that fails: what its failing runs do that no \
                    correct run does, which statements made them fail, for which inputs, and edits \
                    that mend it." }
                </p></div></section>
        };
    };
    let working = |stage| props.working == Some(stage);
    let shown = match props.level {
        Level::Program | Level::Run => {
            found.causes.get(props.run).map(|cause| (&cause.trace, Some(&cause.error)))
        }
        Level::Focus | Level::Nest => {
            found.sequences.get(props.sequence).map(|sequence| (&sequence.run, None))
        }
    };
    let causes = html! {
        <Causes
            found={found.clone()}
            ask={props.ask.clone()}
            level={props.level}
            run={props.run}
            slice={props.slice.clone()}
            on_event={props.on_event.clone()}
            on_line={props.on_line.clone()}
        />
    };
    let sequences = html! {
        <Sequences
            found={found.clone()}
            ask={props.ask.clone()}
            level={props.level}
            sequence={props.sequence}
            inputs={props.inputs.clone()}
            working={working(Stage::Sequences)}
            on_event={props.on_event.clone()}
            on_line={props.on_line.clone()}
        />
    };
    let suspects = html! {
        <Suspects
            suspects={found.suspects.clone()}
            working={working(Stage::Suspects)}
            several={found.causes.len() > 1}
            on_line={props.on_line.clone()}
        />
    };
    let repairs = html! {
        <Repairs
            repairs={found.repairs.clone()}
            working={working(Stage::Repairs)}
            read_only={props.read_only || !props.fresh}
            on_event={props.on_event.clone()}
            on_line={props.on_line.clone()}
        />
    };
    let step = html! {
        if let (Some((trace, error)), Some(step)) = (shown, props.row) {
            <section class="explain-section" aria-label="Values">
                { values(&Shown { trace, step, line: props.line, error, raw: false }) }
            </section>
        }
    };
    // What the level is about comes first.
    let parts = match props.level {
        Level::Program | Level::Run => [
            ("causes", causes),
            ("suspects", suspects),
            ("repairs", repairs),
            ("sequences", sequences),
            ("step", step),
        ],
        Level::Focus | Level::Nest => [
            ("sequences", sequences),
            ("suspects", suspects),
            ("repairs", repairs),
            ("causes", causes),
            ("step", step),
        ],
    };
    html! {
        <section class="pane inspector explain-inspector" aria-label="Inspector">
            <div class="bar"><h2>{ "Why it fails" }</h2></div>
            <div class="inspector-body">
                { for parts.into_iter().map(|(name, part)| html! {
                    <div class="explain-part" key={name}>{ part }</div>
                }) }
            </div>
        </section>
    }
}
