//! The buttons of a timeline, whatever it steps through.

use super::icons::{Icon, icon};
use crate::ui::state::timeline::{Move, Speed};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) step: usize,
    /// Index of the last step.
    pub(crate) last: usize,
    /// Does a step lead on from the last one, to the beginning of a cycle?
    pub(crate) wraps: bool,
    pub(crate) playing: bool,
    pub(crate) speed: Speed,
    pub(crate) on_move: Callback<Move>,
    /// To the right of the buttons: the position, and what this is a timeline of.
    pub(crate) children: Html,
}

#[function_component(Controls)]
pub(crate) fn controls(props: &Props) -> Html {
    let (first, at_end) = (props.step == 0, props.step >= props.last);
    let button = |which: Move, image: Icon, name: &'static str, key: &'static str, off: bool| {
        let go = props.on_move.reform(move |_| which);
        let title = format!("{name} ({key})");
        html! {
            <button
                class="tool"
                onclick={go}
                disabled={off}
                aria-label={name}
                title={title}
                aria-keyshortcuts={shortcut(which)}
            >
                { icon(image) }<kbd aria-hidden="true" data-key={key}></kbd>
            </button>
        }
    };
    let play = if props.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    html! {
        <div class="controls" role="toolbar" aria-label="Steps">
            { button(Move::First, Icon::First, "First step", "Home", first) }
            { button(Move::Back, Icon::Back, "Step back", "←", first) }
            { button(Move::Play, play.0, play.1, "Space", props.last == 0 && !props.wraps) }
            { button(Move::Forward, Icon::Forward, "Step forward", "→", at_end && !props.wraps) }
            { button(Move::Last, Icon::Last, "Last step", "End", at_end) }
            { speeds(props) }
            { props.children.clone() }
        </div>
    }
}

/// How fast the run is played.
fn speeds(props: &Props) -> Html {
    let choose = props.on_move.reform(|event: Event| {
        let name = event.target_dyn_into::<HtmlSelectElement>().map(|list| list.value());
        Move::Speed(name.and_then(|name| Speed::named(&name)).unwrap_or_default())
    });
    html! {
        <select class="speed" aria-label="Speed of playing" title="Speed of playing"
            onchange={choose}>
            { for Speed::ALL.into_iter().map(|speed| html! {
                <option value={speed.name()} selected={speed == props.speed}>
                    { speed.name() }
                </option>
            }) }
        </select>
    }
}

fn shortcut(which: Move) -> &'static str {
    match which {
        Move::First => "Home",
        Move::Back => "ArrowLeft",
        Move::Forward => "ArrowRight",
        Move::Last => "End",
        Move::Play => "Space",
        Move::To(_) | Move::Speed(_) => "",
    }
}
