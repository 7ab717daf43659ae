//! The options of the loop: heuristic, lazy, shallow, slice, project, whether it follows variables,
//! and predicates to begin with.

use crate::ui::tabs::refinement::events::RefinementEvent;
use crate::wire::refinement::{CegarOptions, Extent, Heuristic, RefinementAsk};
use web_sys::{HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) ask: RefinementAsk,
    /// Does the program ask something of its runs, so that there is a choice?
    pub(crate) asks: bool,
    pub(crate) problems: Vec<String>,
    pub(crate) on_event: Callback<RefinementEvent>,
    /// What else stands in the row.
    #[prop_or_default]
    pub(crate) beside: Html,
}

/// A switch: its name, what it does in a few words, whether it is on, and how it is turned.
type Switch = (&'static str, &'static str, fn(&RefinementAsk) -> bool, fn(&mut RefinementAsk));

/// The choice of what is refined, which stands in the row.
const OF_FORMULA: Switch = (
    "of the formula",
    "Refines what the program's first //! ltl or //! terminates asks, instead of its assertions",
    |a| a.of_formula,
    |a| a.of_formula = !a.of_formula,
);

const SWITCHES: [Switch; 6] = [
    (
        "lazy",
        "Adds no predicate where the abstract values already imply the interpolant (thesis, 8.3)",
        |a| a.options.lazy,
        |a| a.options.lazy = !a.options.lazy,
    ),
    (
        "shallow",
        "Searches only to the first rank with an error: the DAGs are small and wide (thesis, 8.1)",
        |a| a.options.extent.into(),
        |a| a.options.extent = Extent::from(a.options.extent == Extent::All),
    ),
    (
        "slice first",
        "A statement outside of the slice of the errors may write any value (thesis, 1.4)",
        |a| a.options.slice,
        |a| a.options.slice = !a.options.slice,
    ),
    (
        "project",
        "Each round stays inside the error projection of the one before",
        |a| a.options.project,
        |a| a.options.project = !a.options.project,
    ),
    (
        "follow variables",
        "Once predicates have had their share, rounds follow whole variables; without it, predicates \
            are used to the end",
        |a| a.options.follow,
        |a| a.options.follow = !a.options.follow,
    ),
    (
        "only chosen",
        "Computes the chosen interpolants only, without the strongest and the weakest: faster",
        |a| a.terse,
        |a| a.terse = !a.terse,
    ),
];

#[function_component(AskRow)]
pub(crate) fn ask_row(props: &Props) -> Html {
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let chosen = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        if let Some(heuristic) = Heuristic::from_word(&select.value()) {
            let options = CegarOptions { heuristic, ..ask.options };
            emit.emit(RefinementEvent::Other(RefinementAsk { options, ..ask.clone() }));
        }
    });
    let (ask, emit) = (props.ask.clone(), props.on_event.clone());
    let given = move |text: String| {
        let predicates = text
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_string)
            .collect();
        emit.emit(RefinementEvent::Other(RefinementAsk { predicates, ..ask.clone() }));
    };
    let changed = {
        let given = given.clone();
        Callback::from(move |event: Event| {
            given(event.target_unchecked_into::<HtmlInputElement>().value())
        })
    };
    let key = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            given(event.target_unchecked_into::<HtmlInputElement>().value());
        }
    });
    let asks = props.asks || props.ask.of_formula;
    let switch = |(name, what, is_on, turn): Switch| {
        let (ask, emit) = (props.ask.clone(), props.on_event.clone());
        let toggle = Callback::from(move |_: Event| {
            let mut next = ask.clone();
            turn(&mut next);
            emit.emit(RefinementEvent::Other(next));
        });
        html! {
            <label class="switch" title={what}>
                <input type="checkbox" checked={is_on(&props.ask)} onchange={toggle} />
                <span>{ name }</span><small>{ what }</small>
            </label>
        }
    };
    let wrong = !props.problems.is_empty() && !props.ask.predicates.is_empty();
    html! {
        <div class="refinement-ask" role="group" aria-label="How to refine">
            if !props.ask.of_formula {<label class="pick"><span>{ "Interpolants" }</span>
                <select id="interpolants" class="method" onchange={chosen}>
                    { for Heuristic::ALL.into_iter().map(|heuristic| {
                        let (name, what) = heuristic.told();
                        let (value, selected) =
                            (heuristic.word(), heuristic == props.ask.options.heuristic);
                        html! { <option {value} {selected} title={what}>{ name }</option> }
                    }) }
                </select>
            </label>}
            if asks { { switch(OF_FORMULA) } }
            if !props.ask.of_formula {
                <details class="ask-more">
                    <summary>{ "Options" }
                        <span class="quiet">{ in_force(&props.ask) }</span>
                    </summary>
                    <div class="ask-panel">
                        { for SWITCHES.into_iter().map(switch) }
                        <label class="pick grow"><span>{ "Given" }</span>
                            <input
                                id="predicates"
                                class="code-field"
                                value={props.ask.predicates.join("; ")}
                                placeholder="x = 0@12; b@everywhere"
                                spellcheck="false"
                                autocomplete="off"
                                onchange={changed}
                                onkeydown={key}
                                aria-invalid={wrong.to_string()}
                            />
                            <small>{ "Predicates to begin with, apart by semicolons: EXPRESSION@LINE or \
                                EXPRESSION@everywhere" }</small>
                        </label>
                        if props.ask.options.slice && !props.ask.predicates.is_empty() {
                            <p class="quiet small">{ "With slicing, given predicates are left out." }</p>
                        }
                    </div>
                </details>
            }
            { props.beside.clone() }
        </div>
    }
}

/// The names of the switches that are on.
fn in_force(ask: &RefinementAsk) -> String {
    let on = SWITCHES.into_iter().filter(|(_, _, is_on, _)| is_on(ask)).map(|(name, ..)| name);
    let given = (!ask.predicates.is_empty()).then_some("given predicates");
    on.chain(given).collect::<Vec<_>>().join(", ")
}
