//! The buttons that ask for a failing run through the selected statement.

use crate::draw::words::capitalised;
use crate::ui::tabs::projection::through::{MOST, ThroughRun};
use crate::wire::graph::StatementView;
use yew::prelude::*;

/// Buttons of the selected statement.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Is it a rule of a raw pushdown system?
    pub(crate) raw: bool,
    /// What its runs are: "failing run".
    pub(crate) run: String,
    pub(crate) statement: StatementView,
    pub(crate) through: Option<ThroughRun>,
    /// Statement, and whether it is added to those chosen before.
    pub(crate) on_through: Callback<(u32, bool)>,
}

#[function_component(ThroughButtons)]
pub(crate) fn buttons(props: &Props) -> Html {
    let id = props.statement.id;
    let chosen = props.through.as_ref().map_or(0, |through| through.sets.len());
    let alone = props.on_through.reform(move |_| (id, false));
    let added = props.on_through.reform(move |_| (id, true));
    html! {
        <div class="through" role="group" aria-label="Failing run through this statement">
            <button class="tool" onclick={alone} aria-keyshortcuts="Enter">
                { if props.raw {
                    "Run by this rule".to_string()
                } else {
                    format!("{} through here", capitalised(&props.run))
                } }
                <kbd aria-hidden="true">{ "Enter" }</kbd>
            </button>
            if chosen > 0 && chosen < MOST {
                <button class="tool" onclick={added} aria-keyshortcuts="Shift+Enter">
                    { if props.raw { "And by this rule" } else { "And through here" } }
                    <kbd aria-hidden="true">{ "⇧ Enter" }</kbd>
                </button>
            }
        </div>
    }
}
