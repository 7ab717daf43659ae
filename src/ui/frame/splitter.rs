//! A separator between two panes, moved by pointer or keys.

use web_sys::{Element, KeyboardEvent, PointerEvent};
use yew::prelude::*;

/// Which way it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grows {
    /// The pane on its left is measured.
    Right,
    /// The pane on its right is measured.
    Left,
    /// The pane below it is measured.
    Up,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) name: AttrValue,
    pub(crate) grows: Grows,
    /// Pixels of the measured pane.
    pub(crate) value: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
    pub(crate) on_change: Callback<i32>,
}

#[function_component(Splitter)]
pub(crate) fn splitter(props: &Props) -> Html {
    // Where the drag began: pointer and value.
    let drag = use_mut_ref(|| None::<(i32, i32)>);
    let (grows, value, least, most) = (props.grows, props.value, props.least, props.most);
    let at = move |event: &PointerEvent| {
        if grows == Grows::Up { event.client_y() } else { event.client_x() }
    };
    let begin = {
        let drag = drag.clone();
        Callback::from(move |event: PointerEvent| {
            event.prevent_default();
            let target: Element = event.target_unchecked_into();
            let _ = target.set_pointer_capture(event.pointer_id());
            *drag.borrow_mut() = Some((at(&event), value));
        })
    };
    let go = {
        let (drag, emit) = (drag.clone(), props.on_change.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some((start, before)) = *drag.borrow() {
                let travelled = at(&event) - start;
                let grown = if grows == Grows::Right { travelled } else { -travelled };
                emit.emit((before + grown).clamp(least, most));
            }
        })
    };
    let end = Callback::from(move |_: PointerEvent| *drag.borrow_mut() = None);
    let emit = props.on_change.clone();
    let key = Callback::from(move |event: KeyboardEvent| {
        let delta = match (event.key().as_str(), grows) {
            ("ArrowRight", Grows::Right) | ("ArrowLeft", Grows::Left) | ("ArrowUp", Grows::Up) => {
                16
            }
            ("ArrowLeft", Grows::Right)
            | ("ArrowRight", Grows::Left)
            | ("ArrowDown", Grows::Up) => -16,
            ("Home", _) => least - value,
            ("End", _) => most - value,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        emit.emit((value + delta).clamp(least, most));
    });
    let orientation = if grows == Grows::Up { "horizontal" } else { "vertical" };
    html! {
        <div
            class={classes!("splitter", orientation)}
            role="separator"
            tabindex="0"
            aria-label={props.name.clone()}
            aria-orientation={orientation}
            aria-valuenow={value.to_string()}
            aria-valuemin={least.to_string()}
            aria-valuemax={most.to_string()}
            onpointerdown={begin}
            onpointermove={go}
            onpointerup={end.clone()}
            onpointercancel={end}
            onkeydown={key}
        >
        </div>
    }
}
