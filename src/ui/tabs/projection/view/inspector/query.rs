//! "Can this hold here on a failing run?": a field for a condition, and its answer.

use crate::draw::words::listed;
use crate::wire::stores::QueryAnswer;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The shown statement.
    pub(crate) statement: u32,
    /// What the runs are: "failing run".
    pub(crate) run: String,
    /// The latest answer, perhaps about another statement.
    pub(crate) answer: Option<QueryAnswer>,
    pub(crate) on_query: Callback<String>,
}

#[function_component(QueryField)]
pub(crate) fn query_field(props: &Props) -> Html {
    let input = use_node_ref();
    let ask = {
        let (input, on_query) = (input.clone(), props.on_query.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(field) = input.cast::<HtmlInputElement>() {
                on_query.emit(field.value());
            }
        })
    };
    let answer = props.answer.as_ref().filter(|a| a.statement == props.statement);
    html! {
        <form class="query" onsubmit={ask}>
            <label for="query">{ format!("Can this hold here on a {}?", props.run) }</label>
            <div class="query-row">
                <input
                    id="query"
                    ref={input}
                    type="text"
                    placeholder="x > 0"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                />
                <button class="tool text" type="submit">{ "Ask" }</button>
            </div>
            <div class="query-answer" role="status">
                { for answer.map(|answer| told(answer, &props.run)) }
            </div>
        </form>
    }
}

fn told(answer: &QueryAnswer, run: &str) -> Html {
    let condition = html! { <code>{ &answer.condition }</code> };
    match (answer.possible, &answer.example) {
        (Some(true), Some(example)) if !example.0.is_empty() => {
            html! {
                <p>
                    <b>{ "Yes: " }</b>
                    { condition }
                    { " can hold, as with " }
                    <code>{ listed(&example.0) }</code>
                </p>
            }
        }
        (Some(true), _) => html! { <p><b>{ "Yes: " }</b>{ condition }{ " can hold." }</p> },
        (Some(false), _) => {
            let never = format!(" never holds here on a {run}.");
            html! { <p><b>{ "No: " }</b>{ condition }{ never }</p> }
        }
        (None, _) => {
            html! {
                <p class="warning">
                    { &answer.message }<span class="quiet">{ format!(" {}", answer.hint) }</span>
                </p>
            }
        }
    }
}
