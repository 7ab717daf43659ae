//! The fields that read weights: of a configuration or a regular set, or of the runs from one to
//! another.

use crate::draw::words;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::lab::{LabAnswer, LabRun, LabTask};
use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) task: LabTask,
    /// The set whose weight is read.
    pub(crate) question: String,
    /// Where runs start and end.
    pub(crate) transfer: (String, String),
    pub(crate) answer: Option<Shared<LabAnswer>>,
    /// Is the answer to the present question, at the present step, on its way?
    pub(crate) reading: bool,
    /// A configuration to show what one looks like.
    pub(crate) example: String,
    /// Is there more to a weight than "there is a run"?
    pub(crate) weighted: bool,
    pub(crate) on_event: Callback<LabEvent>,
}

#[function_component(QuestionField)]
pub(crate) fn question_field(props: &Props) -> Html {
    let (first, second) = (use_node_ref(), use_node_ref());
    // As a link or another example has them.
    let (one, two) = (first.clone(), second.clone());
    let whole = props.task == LabTask::Transducer;
    let shown =
        if whole { props.transfer.clone() } else { (props.question.clone(), String::new()) };
    use_effect_with(shown, move |(a, b)| {
        for (node, text) in [(&one, a), (&two, b)] {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                input.set_value(text);
            }
        }
    });
    let emit = props.on_event.clone();
    let (one, two) = (first.clone(), second.clone());
    let submit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let value = |node: &NodeRef| {
            node.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default()
        };
        emit.emit(if whole {
            LabEvent::Transfer(value(&one), value(&two))
        } else {
            LabEvent::Ask(value(&one))
        });
    });
    let field = |id: &'static str,
                 node: &NodeRef,
                 label: &'static str,
                 hint: String,
                 problems: &[DiagnosticView]| {
        html! {
            <div class="query-row">
                <label for={id}>{ label }</label>
                <input
                    ref={node.clone()}
                    {id}
                    placeholder={hint}
                    spellcheck="false"
                    autocomplete="off"
                    aria-invalid={(!problems.is_empty()).to_string()}
                />
            </div>
        }
    };
    let told = props.answer.as_deref();
    let (of_first, of_second) = told
        .map_or((&[][..], &[][..]), |told| (told.problems.as_slice(), told.problems_to.as_slice()));
    html! {
        <form class="query lab-question" onsubmit={submit}>
            if whole {
                <h3>{ "Weight of all runs" }</h3>
                { field("lab-from", &first, "from", props.example.clone(), of_first) }
                { problems(of_first) }
                { field("lab-to", &second, "to", "a configuration or a regular set".into(), of_second) }
                { problems(of_second) }
            } else {
                <h3>{ "Weight of a configuration or a regular set" }</h3>
                { field("lab-question", &first, "of", props.example.clone(), of_first) }
                { problems(of_first) }
            }
            <button class="tool" type="submit">
                { if props.weighted { "Read the weight" } else { "Is it there?" } }
                <kbd aria-hidden="true">{ "Enter" }</kbd>
            </button>
            <div
                class="query-answer"
                role="status"
                aria-live="polite"
                data-current={(!props.reading).to_string()}
            >
                if let Some(answer) = told { { answered(answer, props) } }
            </div>
        </form>
    }
}

fn problems(list: &[DiagnosticView]) -> Html {
    html! {
        { for list.iter().map(|problem| html! {
            <p class="problem" role="alert">
                { &problem.message }
                if !problem.hint.is_empty() {
                    <span class="hint">{ format!(" — {}", problem.hint) }</span>
                }
            </p>
        }) }
    }
}

fn answered(answer: &LabAnswer, props: &Props) -> Html {
    let weight = match (&answer.weight, answer.is_zero, props.weighted) {
        (None, _, _) => html! {},
        (Some(_), true, _) => html! { <p class="weight-read"><b>{ "No run" }</b></p> },
        (Some(_), false, false) => html! { <p class="weight-read"><b>{ "There is a run" }</b></p> },
        (Some(weight), false, true) => {
            html! { <p class="weight-read">{ "Weight " }<b class="formula">{ weight }</b></p> }
        }
    };
    html! {
        <>
            { weight }
            if let Some(limit) = answer.limit {
                <p>{ format!("Not known: {}.", words::limit_sentence(limit)) }</p>
            }
            { for answer.notes.iter().map(|note| html! { <p class="quiet small">{ note }</p> }) }
            if let Some(run) = &answer.run { { replayed(run, props.weighted) } }
        </>
    }
}

/// A run, rule by rule.
pub(crate) fn replayed(run: &LabRun, weighted: bool) -> Html {
    const SHOWN: usize = 40;
    let length = words::counted(run.length.into(), "rule");
    let title = if weighted {
        format!("A run of {length}, weight {}", run.weight)
    } else {
        format!("A run of {length}")
    };
    let more = (run.length as usize).saturating_sub(run.steps.len().min(SHOWN));
    html! {
        <details class="lab-run" open={run.steps.len() <= 6}>
            <summary>{ title }</summary>
            <ol>
                <li><code>{ &run.start }</code></li>
                { for run.steps.iter().take(SHOWN).map(|step| html! {
                    <li><code>{ &step.configuration }</code></li>
                }) }
                if more > 0 { <li class="quiet">{ format!("and {more} more") }</li> }
            </ol>
        </details>
    }
}
