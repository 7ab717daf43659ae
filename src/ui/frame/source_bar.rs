//! Above the source: what the program is called, its language, and the ways to files and to other
//! programs.

use super::files;
use super::icons::{Icon, icon};
use crate::wire::options::Dialect;
use web_sys::{File, HtmlSelectElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) name: Option<String>,
    /// The one that was asked for, if any.
    pub(crate) requested: Option<Dialect>,
    pub(crate) guessed: Dialect,
    /// Is there no program yet?
    pub(crate) blank: bool,
    pub(crate) read_only: bool,
    pub(crate) input: NodeRef,
    pub(crate) on_dialect: Callback<Option<Dialect>>,
    pub(crate) on_open: Callback<()>,
    pub(crate) on_file: Callback<File>,
}

#[function_component(SourceBar)]
pub(crate) fn source_bar(props: &Props) -> Html {
    let select = use_node_ref();
    let chosen = props.requested.map_or("", Dialect::extension);
    let shown = select.clone();
    // What the user has once chosen no longer follows the options' attributes.
    use_effect(move || {
        if let Some(select) = shown.cast::<HtmlSelectElement>() {
            select.set_value(chosen);
        }
    });
    let emit = props.on_dialect.clone();
    let changed = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        emit.emit(Dialect::of_extension(&select.value()));
    });
    let guess = match (props.requested, props.blank) {
        (Some(_), _) => "Guess from the text".to_string(),
        (None, true) => "Any language".to_string(),
        (None, false) => format!("{}, guessed", props.guessed.name()),
    };
    let open = props.on_open.reform(|_: MouseEvent| ());
    html! {
        <div class="bar source-bar">
            // The script of the page's head listens to these (`static/delivery/start_page.js`).
            <h2 title={props.name.clone()}><button data-desk="programs" disabled={props.read_only}>
                { props.name.clone().unwrap_or_else(|| "Program".into()) }{ icon(Icon::Chevron) }
            </button></h2>
            if props.read_only {
                <span>{ props.requested.unwrap_or(props.guessed).name() }</span>
            } else {
                <span class="dialect">
                    <select
                        ref={select}
                        aria-label="Language of the program"
                        title="Language of the program"
                        onchange={changed}
                    >
                    <option value="">{ guess }</option>
                    { for Dialect::ALL.into_iter().map(|dialect| html! {
                        <option value={dialect.extension()}>{ dialect.name() }</option>
                    }) }
                </select>{ icon(Icon::Chevron) }</span>
                <span class="spacer"></span>
                <button
                    class="tool bare open-file"
                    data-desk="open"
                    onclick={open}
                    title="Open a program from a file (Ctrl+O), or drop one onto the page"
                    aria-keyshortcuts="Control+O"
                >
                    { "Open…" }
                </button>
                <button class="tool bare open-file" data-desk="save"
                    title="Save the program as a file (Ctrl+S)" aria-keyshortcuts="Control+S">
                    { "Save" }
                </button>
                { files::chooser(&props.input, &props.on_file) }
            }
        </div>
    }
}
