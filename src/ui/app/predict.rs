//! Predicting values: before a step shows what its statement makes of a variable, a person says it.

use super::App;
use crate::draw::predict::{Question, is_right, question};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A person predicts the values of a run.
#[derive(Default)]
pub(super) struct Predicting {
    /// The last answer, and what it answers.
    last: Option<Answer>,
    /// Answers that were right at once, and all that were given.
    right: u32,
    asked: u32,
}

struct Answer {
    step: usize,
    question: Question,
    given: String,
    /// Was it right, or was the value shown instead?
    is_over: bool,
}

impl Predicting {
    /// The answer to this question, if it is the last one.
    fn of(&self, step: usize, asked: &Question) -> Option<&Answer> {
        self.last.as_ref().filter(|last| (last.step, &last.question) == (step, asked))
    }

    /// Takes an answer. The first one to a question counts.
    fn take(&mut self, step: usize, question: Question, given: &str) {
        let is_over = is_right(given, &question.value);
        if self.of(step, &question).is_none() {
            self.asked += 1;
            self.right += u32::from(is_over);
        }
        self.last = Some(Answer { step, question, given: given.trim().to_string(), is_over });
    }
}

impl App {
    /// The question of the step that is shown.
    fn predicted(&self) -> Option<(usize, Question)> {
        let (trace, step) = self.state.tab().trace(&self.state.model)?;
        Some((step, question(trace, step)?))
    }

    /// Is the value that the step's statement makes not to be seen yet?
    pub(super) fn hides_values(&self) -> bool {
        let Some(predicting) = &self.predicting else { return false };
        self.predicted().is_some_and(|(step, question)| {
            predicting.of(step, &question).is_none_or(|answer| !answer.is_over)
        })
    }

    /// Predicts values from now on, or no longer.
    pub(super) fn toggle_predicting(&mut self) {
        self.predicting = match self.predicting {
            Some(_) => None,
            None => Some(Predicting::default()),
        };
    }

    /// A person says a value; `None`: it is to be shown.
    pub(super) fn predict(&mut self, given: Option<&str>) {
        let Some((step, question)) = self.predicted() else { return };
        let Some(predicting) = &mut self.predicting else { return };
        match given {
            Some(given) if given.trim().is_empty() => {}
            Some(given) => predicting.take(step, question, given),
            None => {
                if let Some(last) = &mut predicting.last {
                    last.is_over = true;
                }
            }
        }
    }
}

/// The switch, and the question of the step while it is on.
pub(super) fn panel(app: &App) -> Html {
    let toggle = app.handlers.toggle_predicting.reform(|_: MouseEvent| ());
    let on = app.predicting.is_some();
    html! {
        <div class="predict">
            <button type="button" class={classes!("tool", "text", on.then_some("on"))}
                aria-pressed={on.to_string()} onclick={toggle}
                title="Say what a statement makes of a variable before it is shown">
                { "Predict" }
            </button>
            if let Some(predicting) = &app.predicting {
                if predicting.asked > 0 {
                    <span class="quiet">
                        { format!("{} of {} right at once", predicting.right, predicting.asked) }
                    </span>
                }
                { asked(app, predicting) }
            }
        </div>
    }
}

fn asked(app: &App, predicting: &Predicting) -> Html {
    let Some((step, question)) = app.predicted() else {
        return html! {
            <p class="quiet">{ "This statement changes no single value: go one step on." }</p>
        };
    };
    let answer = predicting.of(step, &question);
    let send = app.handlers.predict.clone();
    let key = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            let field: HtmlInputElement = event.target_unchecked_into();
            send.emit(Some(field.value()));
        }
    });
    let show = app.handlers.predict.reform(|_: MouseEvent| None);
    let name = question.name.clone();
    html! {
        <>
            <label class="predict-question" key={format!("{step}")}>
                <span>{ "What is " }<code>{ &name }</code>{ " after this statement?" }</span>
                <input type="text" class="code-field" spellcheck="false" autocomplete="off"
                    autocapitalize="off" placeholder="value, Enter" onkeydown={key} />
            </label>
            <p role="status">
                { match answer {
                    None => html! {},
                    Some(answer) if answer.is_over && is_right(&answer.given, &question.value) => {
                        html! { <>{ "Right: " }<code>{ &name }</code>{ " is " }
                            <code>{ question.value.to_string() }</code>{ "." }</> }
                    }
                    Some(answer) if answer.is_over => {
                        html! { <><code>{ &name }</code>{ " is " }
                            <code>{ question.value.to_string() }</code>{ "." }</> }
                    }
                    Some(answer) => html! { <>{ "Not " }<code>{ &answer.given }</code>{ ". Try again, or " }
                        <button type="button" class="link" onclick={show}>{ "show it" }</button></> },
                } }
            </p>
        </>
    }
}
