//! Sentences with code in them.

use yew::prelude::*;

/// A sentence whose words between backquotes are code.
pub(crate) fn with_code(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(k, part)| {
        if k % 2 == 1 {
            html! { <code>{ part.to_string() }</code> }
        } else {
            html! { { part.to_string() } }
        }
    });
    html! { <>{ for parts }</> }
}
