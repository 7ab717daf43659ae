//! The buttons that zoom a picture.

use super::icons::{Icon, icon};
use yew::prelude::*;

/// What a button does to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zoom {
    /// Smaller, around the middle.
    Out,
    /// All of it, however small its labels become.
    Whole,
    /// Larger, around the middle.
    In,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) on_zoom: Callback<Zoom>,
    /// Other buttons of the picture, in front.
    #[prop_or_default]
    pub(crate) before: Html,
    /// And behind.
    #[prop_or_default]
    pub(crate) after: Html,
}

#[function_component(ZoomBar)]
pub(crate) fn zoom_bar(props: &Props) -> Html {
    let zoom = |zoom: Zoom| props.on_zoom.reform(move |_: MouseEvent| zoom);
    html! {
        <div class="zoom" role="toolbar" aria-label="Picture">
            { props.before.clone() }
            <button class="tool bare" onclick={zoom(Zoom::Out)} aria-label="Zoom out"
                title="Zoom out (−)">
                { icon(Icon::Minus) }
            </button>
            <button class="tool bare text" onclick={zoom(Zoom::Whole)}
                title="Fit the whole picture (0)">
                { "Fit" }
            </button>
            <button class="tool bare" onclick={zoom(Zoom::In)} aria-label="Zoom in"
                title="Zoom in (+)">
                { icon(Icon::Plus) }
            </button>
            { props.after.clone() }
        </div>
    }
}
