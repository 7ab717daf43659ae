//! Icons as inline SVG: fonts may lack media glyphs.

use yew::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    First,
    Back,
    Play,
    Pause,
    Forward,
    Last,
    Plus,
    Minus,
    Sun,
    Moon,
    Help,
    Close,
    Chevron,
    Stop,
    Check,
    Search,
    Folded,
    Up,
    Down,
    Present,
}

/// 16 × 16, in the text's colour, hidden from screen readers (the button has the name).
pub(crate) fn icon(which: Icon) -> Html {
    let (fill, path) = match which {
        Icon::First => (true, "M3 3h2v10H3z M13 3v10L6 8z"),
        Icon::Back => (true, "M11.5 3v10L4.5 8z"),
        Icon::Play => (true, "M4.5 2.5v11L13 8z"),
        Icon::Pause => (true, "M4 3h3v10H4z M9 3h3v10H9z"),
        Icon::Forward => (true, "M4.5 3v10l7-5z"),
        Icon::Last => (true, "M11 3h2v10h-2z M3 3v10l7-5z"),
        Icon::Plus => (false, "M8 3.5v9 M3.5 8h9"),
        Icon::Minus => (false, "M3.5 8h9"),
        Icon::Sun => (
            false,
            "M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6 M8 1.2v1.6 M8 13.2v1.6 M1.2 8h1.6 \
                M13.2 8h1.6 M3.2 3.2l1.1 1.1 M11.7 11.7l1.1 1.1 M3.2 12.8l1.1-1.1 M11.7 \
                4.3l1.1-1.1",
        ),
        Icon::Moon => (false, "M13.4 9.7A5.8 5.8 0 0 1 6.3 2.6a5.8 5.8 0 1 0 7.1 7.1z"),
        Icon::Help => (false, "M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.9-1.1 1.7 M8 12.4v.2"),
        Icon::Close => (false, "M4 4l8 8 M12 4l-8 8"),
        Icon::Chevron => (false, "M4.5 6.5L8 10l3.5-3.5"),
        Icon::Stop => (true, "M4 4h8v8H4z"),
        Icon::Search => {
            (false, "M7 2.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4 M10.2 10.2l3.3 3.3")
        }
        Icon::Folded => (
            false,
            "M3.5 3.5h9 M3.5 12.5h9 M8 5.2v5.6 M6.2 6.8L8 5.2l1.8 1.6 M6.2 9.2L8 10.8l1.8-1.6",
        ),
        Icon::Up => (false, "M4.5 9.5L8 6l3.5 3.5"),
        Icon::Down => (false, "M4.5 6.5L8 10l3.5-3.5"),
        Icon::Present => {
            (false, "M2.5 6V3.5H5.5 M13.5 6V3.5H10.5 M2.5 10v2.5H5.5 M13.5 10v2.5H10.5")
        }
        Icon::Check => (false, "M3.5 8.5l3 3 6-7"),
    };
    let (fill, stroke) = if fill { ("currentColor", "none") } else { ("none", "currentColor") };
    html! {
        <svg
            class="icon"
            viewBox="0 0 16 16"
            width="16"
            height="16"
            aria-hidden="true"
            {fill}
            {stroke}
            stroke-width="1.6"
            stroke-linecap="round"
            stroke-linejoin="round"
        >
            <path d={path} />
        </svg>
    }
}

/// The product's mark: a fault line.
pub(crate) fn logo() -> Html {
    html! {
        <svg class="logo-mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path
                d="M2 14 L8 9 L11 12 L18 4"
                fill="none"
                stroke="var(--lit)"
                stroke-width="2.4"
                stroke-linecap="round"
                stroke-linejoin="round"
            />
        </svg>
    }
}
