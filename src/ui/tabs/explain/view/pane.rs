//! The middle of the page for explanations: the levels of detail, the answer, and the control-flow
//! graph or the runs side by side.

use super::aligned::Aligned;
use super::levels::Levels;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::wire::explain::{Explanation, Level};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) found: Option<Shared<Explanation>>,
    pub(crate) level: Level,
    pub(crate) has: [bool; 4],
    pub(crate) counts: [usize; 4],
    pub(crate) side_by_side: bool,
    pub(crate) run: usize,
    pub(crate) sequence: usize,
    /// The row of the shown run that the step is at.
    pub(crate) row: Option<usize>,
    /// Is all told that was asked?
    pub(crate) explained: bool,
    /// What is to be read in the place of a picture.
    pub(crate) said: Option<String>,
    pub(crate) on_event: Callback<ExplainEvent>,
    pub(crate) on_line: Callback<u32>,
    /// The control-flow graph.
    pub(crate) children: Html,
}

#[function_component(ExplainPane)]
pub(crate) fn pane(props: &Props) -> Html {
    let picture = |name: &'static str, side: bool| {
        let on = props.side_by_side == side;
        let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::SideBySide(side));
        html! {
            <button
                class={classes!("segment", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={choose}
            >
                { name }
            </button>
        }
    };
    let nothing = props.said.is_some();
    let runs = if props.level <= Level::Run { "Two runs" } else { "Its run" };
    html! {
        <section
            class="pane explain-pane"
            aria-label="Explanation"
            data-explained={props.explained.to_string()}
        >
            if !nothing {
                <div class="explain-head">
                    <Levels
                        level={props.level}
                        has={props.has}
                        counts={props.counts}
                        on_event={props.on_event.clone()}
                    />
                    <div class="segments" role="group" aria-label="Picture">
                        { picture("Graph", false) }{ picture(runs, true) }
                    </div>
                </div>
            }
            <div class="explain-picture">
            if let Some(said) = &props.said {
                <div class="graph"><p class="lab-said quiet">{ said }</p></div>
            } else if props.side_by_side {
                <Aligned
                    found={props.found.clone()}
                    level={props.level}
                    run={props.run}
                    sequence={props.sequence}
                    row={props.row}
                    on_event={props.on_event.clone()}
                    on_line={props.on_line.clone()}
                />
            } else {
                { props.children.clone() }
            }
            </div>
        </section>
    }
}
