//! The slice, for comparison with the projection: a switch in the legend, and in a sentence where
//! the two differ.

use crate::draw::words;
use crate::ui::state::model::Answer;
use crate::wire::report::Verdict;
use yew::prelude::*;

/// The lines of the slice that the answer has, if they are to be shown: on a program that can fail.
pub(crate) fn lines(answer: Option<&Answer>) -> Option<&[u32]> {
    let report = &answer?.report;
    let slice = report.projection.as_ref()?.slice.as_ref()?;
    (report.shown_verdict() == Verdict::Unsafe).then_some(slice.lines.as_slice())
}

/// The switch, and the sentence once it is on.
pub(crate) fn switch(answer: Option<&Answer>, on: bool, toggle: Callback<MouseEvent>) -> Html {
    if lines(answer).is_none() {
        return html! {};
    }
    let sentence = answer
        .and_then(|a| a.report.projection.as_ref())
        .and_then(words::slice_sentence)
        .filter(|_| on);
    html! {
        <>
            <button
                class={classes!("slice-switch", on.then_some("on"))}
                aria-pressed={on.to_string()}
                onclick={toggle}
                title="Statements that may influence the error, by the program's text alone, \
                    without its data"
            >
                <i class="key sliced"></i>{ "slice" }
            </button>
            <p class="slice-note" aria-live="polite">{ for sentence }</p>
        </>
    }
}
