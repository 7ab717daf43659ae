//! A modal dialog: the browser's own, so that focus stays inside and Esc closes it.

use super::icons::{Icon, icon};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) title: AttrValue,
    #[prop_or_default]
    pub(crate) class: Classes,
    pub(crate) on_close: Callback<()>,
    pub(crate) children: Html,
}

/// Open as long as it is rendered.
#[function_component(Dialog)]
pub(crate) fn dialog(props: &Props) -> Html {
    let node = use_node_ref();
    let host = node.clone();
    use_effect_with((), move |()| {
        if let Some(dialog) = host.cast::<HtmlDialogElement>() {
            // It fails only if it is open already.
            let _ = dialog.show_modal();
        }
    });
    let close = props.on_close.reform(|_: MouseEvent| ());
    let closed = props.on_close.reform(|_: Event| ());
    let (outside, own) = (props.on_close.clone(), node.clone());
    let clicked = Callback::from(move |event: MouseEvent| {
        // Only a click on the backdrop has the dialog itself as its target.
        if own.get().is_some_and(|dialog| {
            event
                .target()
                .is_some_and(|target| AsRef::<web_sys::EventTarget>::as_ref(&*dialog) == &target)
        }) {
            outside.emit(());
        }
    });
    html! {
        <dialog
            ref={node}
            class={props.class.clone()}
            aria-label={props.title.clone()}
            onclose={closed}
            onclick={clicked}
        >
            <div class="dialog-body">
                <header class="dialog-head">
                    <h2>{ &props.title }</h2>
                    <button
                        class="tool bare"
                        aria-label="Close"
                        title="Close (Esc)"
                        onclick={close}
                    >
                        { icon(Icon::Close) }
                    </button>
                </header>
                { props.children.clone() }
            </div>
        </dialog>
    }
}
