//! The line in which a tab says its verdict, or how far its work is, with the buttons for it.

use crate::ui::state::said::{Ask, Said};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) said: Said,
    pub(crate) on_ask: Callback<Ask>,
}

#[function_component(SaidLine)]
pub(crate) fn said_line(props: &Props) -> Html {
    let said = &props.said;
    let button = |ask: Ask, text: &'static str| {
        let press = props.on_ask.reform(move |_: MouseEvent| ask);
        html! { <button class="link" onclick={press}>{ text }</button> }
    };
    html! {
        <p class="refinement-answer" role="status">
            if let Some((tone, verdict)) = &said.verdict {
                <b class={classes!("said", tone.class())}>{ verdict }</b>
            }
            if !said.told.is_empty() {
                <span class={classes!(said.verdict.is_some().then_some("quiet"))}>
                    { &said.told }
                </span>
            }
            if let Some((working, can_stop)) = &said.working {
                <span class="quiet working">{ working }</span>
                if *can_stop { { button(Ask::Stop, "Stop") } }
            }
            if said.more { { button(Ask::More, "Go on with ten times as much") } }
            if let Some(stale) = &said.stale { <span class="cut">{ stale }</span> }
            if !said.again.is_empty() { { button(Ask::Again, said.again) } }
        </p>
    }
}
