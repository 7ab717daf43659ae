//! Affine equalities in the inspector: what always holds at the selected statement, over the
//! integers or modulo 2^w, computed on request.

use super::shared::Shared;
use crate::draw::words::limit_sentence;
use crate::report::affine::{AffineReport, affine_holds_for};
use std::collections::BTreeMap;
use yew::prelude::*;

/// What is known, and what is asked for. The key is w, if numbers are modulo 2^w.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Relations {
    /// What is shown, once somebody has asked.
    pub(super) shown: Option<Option<u32>>,
    /// `None`: nothing could be asked.
    pub(super) known: BTreeMap<Option<u32>, Option<Shared<AffineReport>>>,
    /// The request that is being worked on.
    pub(super) asked: Option<(u32, Option<u32>)>,
}

impl Relations {
    /// The program has changed, or the worker is gone: what was shown is asked for again when it is
    /// looked at.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.asked = None;
    }

    /// What is to be asked for now.
    pub(super) fn wanted(&self) -> Option<Option<u32>> {
        self.shown.filter(|shown| !self.known.contains_key(shown) && self.asked.is_none())
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The selected statement's location.
    pub(super) location: u32,
    pub(super) relations: Relations,
    /// The width of the program's integers.
    pub(super) bits: u32,
    /// w, or the integers; `None`: none are to be shown.
    pub(super) on_show: Callback<Option<Option<u32>>>,
}

#[function_component(AffineRelations)]
pub(super) fn affine_relations(props: &Props) -> Html {
    let choice = |what: Option<u32>, name: String, title: &'static str| {
        let on = props.relations.shown == Some(what);
        let show = props.on_show.reform(move |_: MouseEvent| if on { None } else { Some(what) });
        html! { <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()} onclick={show} {title}>{ name }</button> }
    };
    html! {
        <div class="affine">
            <h3>{ "Equalities here" }</h3>
            <div class="segments" role="group" aria-label="Numbers of the equalities">
                { choice(None, "integers".into(), "For integers that never wrap") }
                { choice(Some(props.bits), format!("modulo 2^{}", props.bits), "For integers that wrap, as the program's do") }
            </div>
            <div role="status" aria-live="polite">{ told(props) }</div>
        </div>
    }
}

fn told(props: &Props) -> Html {
    let Some(shown) = props.relations.shown else { return html! {} };
    let report = match props.relations.known.get(&shown) {
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
            html! { <ul class="equalities">{ for list.iter().map(|equality| html! { <li class="formula">{ equality }</li> }) }</ul> }
        }
    };
    html! { <>{ equalities }<p class="quiet small">{ format!("Always, whenever a run comes here. {}.", affine_holds_for(report)) }</p></> }
}
