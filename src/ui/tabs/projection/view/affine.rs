//! Affine equalities in the inspector: what always holds at the selected statement, over the
//! integers or modulo 2^w, computed on request.

use crate::draw::words::affine_holds_for;
use crate::draw::words::limit_sentence;
use crate::ui::state::shared::Shared;
use crate::wire::affine::AffineReport;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The selected statement's location.
    pub(crate) location: u32,
    /// w, or the integers; `None`: no equalities are shown.
    pub(crate) shown: Option<Option<u32>>,
    /// Those, once they are known; inside, `None`: nothing could be asked.
    pub(crate) known: Option<Option<Shared<AffineReport>>>,
    /// The width of the program's integers.
    pub(crate) bits: u32,
    pub(crate) on_show: Callback<Option<Option<u32>>>,
}

#[function_component(Equalities)]
pub(crate) fn equalities(props: &Props) -> Html {
    let choice = |what: Option<u32>, name: String, title: &'static str| {
        let on = props.shown == Some(what);
        let show = props.on_show.reform(move |_: MouseEvent| if on { None } else { Some(what) });
        html! {
            <button
                class={classes!("segment", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={show}
                {title}
            >
                { name }
            </button>
        }
    };
    html! {
        <div class="affine">
            <h3>{ "Equalities here" }</h3>
            <div class="segments" role="group" aria-label="Numbers of the equalities">
                { choice(None, "integers".into(), "For integers that never wrap") }
                { choice(Some(props.bits), format!("modulo 2^{}", props.bits), "For integers that \
                    wrap, as the program's do") }
            </div>
            <div role="status" aria-live="polite">{ told(props) }</div>
        </div>
    }
}

fn told(props: &Props) -> Html {
    if props.shown.is_none() {
        return html! {};
    }
    let report = match &props.known {
        None => return html! { <p class="quiet">{ "Looking for them…" }</p> },
        Some(None) => return html! { <p class="quiet">{ "There is no program to look at." }</p> },
        Some(Some(report)) => report,
    };
    if let Some(limit) = report.limit {
        return html! { <p class="quiet">{ format!("Not known: {}.", limit_sentence(limit)) }</p> };
    }
    let here = report.relations.iter().find(|place| place.location == props.location);
    let equalities = match here.map(|place| place.equalities.as_deref()) {
        None => html! { <p class="quiet">{ "Nothing is known here." }</p> },
        Some(None) => html! { <p class="quiet">{ "No run comes here." }</p> },
        Some(Some([])) => html! { <p class="quiet">{ "None among the variables in scope." }</p> },
        Some(Some(list)) => {
            html! {
                <ul class="equalities">
                    { for list.iter().map(|equality| html! {
                        <li class="formula">{ equality }</li>
                    }) }
                </ul>
            }
        }
    };
    html! {
        <>
            { equalities }
            <p class="quiet small">
                { format!("Always, whenever a run comes here. {}.", affine_holds_for(report)) }
            </p>
        </>
    }
}
