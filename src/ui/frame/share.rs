//! Share: the link that restores program, options and step.

use super::dialog::Dialog;
use crate::draw::words::grouped;
use crate::wire::permalink::{PermalinkError, WARN_OVER};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The link, or why there is none.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) link: Result<AttrValue, PermalinkError>,
    /// Has the browser taken it to the clipboard?
    pub(crate) copied: bool,
    pub(crate) on_copy: Callback<()>,
    pub(crate) on_close: Callback<()>,
}

#[function_component(Share)]
pub(crate) fn share(props: &Props) -> Html {
    let content = match &props.link {
        Err(error) => html! { <p class="warning">{ format!("There is no link: {error}.") }</p> },
        Ok(link) => {
            let select = Callback::from(|event: FocusEvent| {
                event.target_unchecked_into::<HtmlInputElement>().select()
            });
            let copy = props.on_copy.reform(|_: MouseEvent| ());
            html! {
                <>
                    <p>
                        { "The link restores the program, the options and the step that you see. \
                            Nothing is stored anywhere else." }
                    </p>
                    <div class="copy">
                        <input
                            readonly=true
                            value={link.clone()}
                            onfocus={select}
                            aria-label="Link"
                        />
                        <button class="button primary" onclick={copy}>
                            { if props.copied { "Copied" } else { "Copy" } }
                        </button>
                    </div>
                    <p class="quiet small" role="status">
                        { length_note(link.chars().count(), props.copied) }
                    </p>
                    // The script that starts the page listens to it.
                    <p><button class="link" data-embed={link.clone()}>
                        { "Embed it in a page or in slides" }
                    </button></p>
                </>
            }
        }
    };
    html! { <Dialog title="Share" on_close={props.on_close.clone()}>{ content }</Dialog> }
}

fn length_note(length: usize, copied: bool) -> String {
    let characters = format!("{} characters", grouped(length as u64));
    if length > WARN_OVER {
        return format!(
            "{characters}: some mail and chat programs cut links over {}.",
            grouped(WARN_OVER as u64)
        );
    }
    if copied { format!("Copied, {characters}.") } else { characters }
}
