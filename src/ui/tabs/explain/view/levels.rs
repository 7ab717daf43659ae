//! The four levels of detail as one zoom: program, failing run, focus sequence, NEST.

use crate::draw::words::counted;
use crate::ui::tabs::explain::state::ExplainEvent;
use crate::wire::explain::Level;
use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) level: Level,
    /// By level: has it something to show?
    pub(crate) has: [bool; 4],
    /// By level: lines that stay in full ink.
    pub(crate) counts: [usize; 4],
    pub(crate) on_event: Callback<ExplainEvent>,
}

/// What a level shows, for its tooltip.
fn told(level: Level) -> &'static str {
    match level {
        Level::Program => "The whole program",
        Level::Run => "What one failing run passes",
        Level::Focus => {
            "The statements that made a failing run fail: without the others it fails all the same"
        }
        Level::Nest => {
            "The neighborhood of error statements: the innermost block that all ways to fail of \
                this kind have in common"
        }
    }
}

#[function_component(Levels)]
pub(crate) fn levels(props: &Props) -> Html {
    let host = use_node_ref();
    let (shown, has, emit, holder) =
        (props.level as usize, props.has, props.on_event.clone(), host.clone());
    let key = Callback::from(move |event: KeyboardEvent| {
        // The one with the focus: what is shown may be a key behind.
        let button = event.target_dyn_into::<web_sys::Element>();
        let pressed = button.and_then(|button| button.get_attribute("data-level"));
        let is_pressed = |level: &Level| Some(level.name()) == pressed.as_deref();
        let at = Level::ALL.iter().position(is_pressed).unwrap_or(shown);
        let forward = (at + 1..4).find(|n| has[*n]);
        let back = (0..at).rev().find(|n| has[*n]);
        let to = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => forward,
            "ArrowLeft" | "ArrowUp" => back,
            "Home" => has.iter().position(|has| *has),
            "End" => has.iter().rposition(|has| *has),
            _ => return,
        };
        // Not a step of the timeline.
        event.prevent_default();
        event.stop_propagation();
        let Some(to) = to else { return };
        emit.emit(ExplainEvent::Level(Level::ALL[to]));
        let button =
            holder.cast::<web_sys::Element>().and_then(|host| host.children().item(to as u32));
        if let Some(button) =
            button.and_then(|button| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(button).ok())
        {
            let _ = button.focus();
        }
    });
    let most = props.counts.iter().copied().max().unwrap_or(0).max(1);
    let levels = Level::ALL.into_iter().enumerate().map(|(n, level)| {
        let on = props.level == level;
        let choose = props.on_event.reform(move |_: MouseEvent| ExplainEvent::Level(level));
        let width = format!("width:{}%", (props.counts[n] * 100).div_ceil(most));
        html! {
            <button
                class={classes!("level", on.then_some("on"))}
                role="radio"
                aria-checked={on.to_string()}
                tabindex={if on { "0" } else { "-1" }}
                disabled={!props.has[n]}
                onclick={choose}
                title={format!("{} ({})", told(level), n + 1)}
                aria-keyshortcuts={(n + 1).to_string()}
                data-level={level.name()}
            >
                <span class="level-name">{ level.name() }</span>
                <span class="level-count">
                    { if props.has[n] { counted(props.counts[n] as u64, "line") } else { "none".into() } }
                </span>
                <i class="level-bar" aria-hidden="true"><i style={width}></i></i>
            </button>
        }
    });
    html! {
        <div
            ref={host}
            class="levels"
            role="radiogroup"
            aria-label="Level of detail"
            onkeydown={key}
        >
            { for levels }
        </div>
    }
}
