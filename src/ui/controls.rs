//! The buttons of a timeline, whatever it steps through.

use super::icons::{Icon, icon};
use yew::prelude::*;

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    First,
    Back,
    Forward,
    Last,
    To(usize),
    /// Starts or stops playing.
    Play,
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) step: usize,
    /// Index of the last step.
    pub(super) last: usize,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
    /// What stands behind the buttons: the position, and what this is a timeline of.
    pub(super) children: Html,
}

#[function_component(Controls)]
pub(super) fn controls(props: &Props) -> Html {
    let (first, at_end) = (props.step == 0, props.step >= props.last);
    let button = |which: Move, image: Icon, name: &'static str, key: &'static str, off: bool| {
        let go = props.on_move.reform(move |_| which);
        let title = format!("{name} ({key})");
        html! {
            <button class="tool" onclick={go} disabled={off} aria-label={name} title={title} aria-keyshortcuts={shortcut(which)}>
                { icon(image) }<kbd aria-hidden="true">{ key }</kbd>
            </button>
        }
    };
    let play = if props.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    html! {
        <div class="controls" role="toolbar" aria-label="Steps">
            { button(Move::First, Icon::First, "First step", "Home", first) }
            { button(Move::Back, Icon::Back, "Step back", "←", first) }
            { button(Move::Play, play.0, play.1, "Space", props.last == 0) }
            { button(Move::Forward, Icon::Forward, "Step forward", "→", at_end) }
            { button(Move::Last, Icon::Last, "Last step", "End", at_end) }
            { props.children.clone() }
        </div>
    }
}

fn shortcut(which: Move) -> &'static str {
    match which {
        Move::First => "Home",
        Move::Back => "ArrowLeft",
        Move::Forward => "ArrowRight",
        Move::Last => "End",
        Move::Play => "Space",
        Move::To(_) => "",
    }
}

/// So many steps before and after the current one are shown: a long timeline must not make a step
/// slow.
pub(super) const WINDOW: usize = 60;

/// Scrolls a timeline, and only it, so that the step stands in its middle.
pub(super) fn center(list: &NodeRef, step: usize) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    // Of a long timeline only a window is in the list.
    let position = if step > WINDOW { WINDOW + 1 } else { step };
    let Some(item) = list.children().item(position as u32) else { return };
    let (outer, inner) = (list.get_bounding_client_rect(), item.get_bounding_client_rect());
    let offset = inner.left() - outer.left() - (outer.width() - inner.width()) / 2.0;
    list.set_scroll_left(list.scroll_left() + offset as i32);
}
