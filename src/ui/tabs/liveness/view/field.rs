//! The question: a formula or termination, the field with its mistake, and what can be written in
//! it.

use crate::draw::liveness::capitalised;
use crate::ui::frame::sentence::with_code;
use crate::ui::tabs::liveness::state::{Liveness, LivenessEvent};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The field's id.
const FIELD: &str = "ltl";

/// What a formula is made of, and what it says.
const OPERATORS: [(&str, &str); 10] = [
    ("G ", "G p: p holds in each state from now on"),
    ("F ", "F p: p holds in some state from now on"),
    ("X ", "X p: p holds in the next state"),
    (" U ", "p U q: q holds some time, and p until then"),
    (" W ", "p W q: p until q holds, or for ever"),
    (" R ", "p R q: q until p holds as well, or for ever"),
    ("!", "not"),
    (" && ", "and"),
    (" || ", "or"),
    (" -> ", "if the left side holds, the right side holds"),
];

/// The question.
pub(super) fn field(
    liveness: &Liveness,
    source: &str,
    read_only: bool,
    send: &Callback<LivenessEvent>,
) -> Html {
    let ask = send.reform(|event: SubmitEvent| {
        event.prevent_default();
        LivenessEvent::Ask
    });
    html! {
        <form class="ltl-ask" aria-label="What is asked" onsubmit={ask}>
            <div class="ltl-row">
                { kinds(liveness, send) }
                if !liveness.is_termination { { formula(liveness, read_only, send) } }
                { fairness(liveness.is_fair(source), send) }
                <button class="tool text" type="submit" aria-keyshortcuts="Enter">{ "Ask" }</button>
            </div>
            if !liveness.is_termination { { mistake(liveness) } }
            <div class="ltl-more">
                if !liveness.is_termination {
                    if !read_only { { parts(liveness, send) } }
                    { switch(liveness, send) }
                }
                { cycle(liveness, send) }
            </div>
        </form>
    }
}

/// What is asked about.
fn kinds(liveness: &Liveness, send: &Callback<LivenessEvent>) -> Html {
    html! {
        <div class="segments" role="group" aria-label="Question">
            { for [("Formula", false), ("Does every run end?", true)].map(|(name, of_ends)| {
                let on = liveness.is_termination == of_ends;
                let choose = send.reform(move |_: MouseEvent| LivenessEvent::Kind(of_ends));
                html! {
                    <button type="button" class={classes!("segment", on.then_some("on"))}
                        aria-pressed={on.to_string()} onclick={choose}>{ name }</button>
                }
            }) }
        </div>
    }
}

/// Do only fair runs count?
fn fairness(on: bool, send: &Callback<LivenessEvent>) -> Html {
    let title = "Only runs count on which no choice, such as *, is for ever made the same way";
    toggle("Fair choices", title, on, send.reform(move |_| LivenessEvent::Fair(!on)))
}

/// Shows the automaton in the place of the control-flow graph, where there is one.
fn switch(liveness: &Liveness, send: &Callback<LivenessEvent>) -> Html {
    if liveness.found().is_none_or(|found| found.automaton.is_none()) {
        return html! {};
    }
    let on = liveness.automaton;
    let title = "The automaton of what violates the formula, or the control-flow graph";
    toggle("Automaton", title, on, send.reform(move |_| LivenessEvent::Automaton(!on)))
}

/// Lights up the shown cycle alone, where there is one and more is known.
fn cycle(liveness: &Liveness, send: &Callback<LivenessEvent>) -> Html {
    let has_cycle = liveness.found.as_ref().is_some_and(|found| found.cycle_at().is_some());
    if !has_cycle || liveness.found().is_none_or(|found| found.violating.is_empty()) {
        return html! {};
    }
    let on = liveness.cycle_only;
    let title = "Light up the cycle of the shown run, or what all violating runs execute";
    toggle("Cycle only", title, on, send.reform(move |_| LivenessEvent::Cycle(!on)))
}

/// A button that is pressed or not.
fn toggle(
    name: &'static str,
    title: &'static str,
    on: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class={classes!("tool", "text", "automaton-switch", on.then_some("on"))}
            aria-pressed={on.to_string()} {onclick} {title}>{ name }</button>
    }
}

fn formula(liveness: &Liveness, read_only: bool, send: &Callback<LivenessEvent>) -> Html {
    let typed = send.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        LivenessEvent::Draft(field.value())
    });
    let is_wrong = liveness.mistake().is_some();
    html! {
        <div class="ltl-field">
            <input id={FIELD} type="text" aria-label="Formula" value={liveness.formula.clone()}
                oninput={typed} placeholder="G (request -> F answer)" autocomplete="off"
                autocapitalize="off" spellcheck="false" readonly={read_only}
                aria-invalid={is_wrong.to_string()}
                aria-describedby={is_wrong.then_some("ltl-mistake")} />
        </div>
    }
}

/// What is wrong, below the place in the field.
fn mistake(liveness: &Liveness) -> Html {
    let Some(mistake) = liveness.mistake() else { return html! {} };
    let (start, end) = (mistake.start as usize, (mistake.end as usize).max(mistake.start as usize));
    let before: String = liveness.formula.chars().take(start).collect();
    let wrong: String = liveness.formula.chars().skip(start).take(end - start).collect();
    let after: String = liveness.formula.chars().skip(end).collect();
    let wrong = if wrong.is_empty() { "\u{2038}".to_string() } else { wrong };
    html! {
        <p class="ltl-mistake" id="ltl-mistake" role="alert">
            <code>{ before }<mark>{ wrong }</mark>{ after }</code>
            <span>{ with_code(&capitalised(&mistake.message)) }</span>
        </p>
    }
}

/// Buttons that write into the field.
fn parts(liveness: &Liveness, send: &Callback<LivenessEvent>) -> Html {
    let button = |text: &str, title: &'static str| {
        let (text, emit) = (text.to_string(), send.clone());
        let name = text.trim().to_string();
        let write = Callback::from(move |_: MouseEvent| {
            if let Some(formula) = inserted(&text) {
                emit.emit(LivenessEvent::Draft(formula));
            }
        });
        html! {
            <button type="button" class="ltl-part" onclick={write}
                title={(!title.is_empty()).then_some(title)}><code>{ name }</code></button>
        }
    };
    html! {
        <details class="ltl-parts">
            <summary>{ "Operators and names" }</summary>
            <div role="group" aria-label="Write into the formula">
                { for OPERATORS.iter().map(|(text, title)| button(text, title)) }
                { for liveness.atoms.iter().map(|atom| button(atom, "")) }
                { button("fails", "a failure is the next step") }
                { button("at(1)", "the run stands before a statement of this line") }
            </div>
        </details>
    }
}

/// Writes a text where the field's cursor is, and gives back the formula.
fn inserted(text: &str) -> Option<String> {
    use wasm_bindgen::JsCast;
    let document = web_sys::window()?.document()?;
    let field: HtmlInputElement = document.get_element_by_id(FIELD)?.dyn_into().ok()?;
    let units: Vec<u16> = field.value().encode_utf16().collect();
    let place = |at: Option<u32>| at.map_or(units.len(), |at| (at as usize).min(units.len()));
    let from = place(field.selection_start().ok().flatten());
    let to = place(field.selection_end().ok().flatten()).max(from);
    let half = |part: &[u16]| String::from_utf16_lossy(part);
    let formula = format!("{}{text}{}", half(&units[..from]), half(&units[to..]));
    let cursor = (from + text.encode_utf16().count()) as u32;
    field.set_value(&formula);
    let _ = field.focus();
    let _ = field.set_selection_range(cursor, cursor);
    Some(formula)
}
