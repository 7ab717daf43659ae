//! What stands with the verdict of the check: other widths of `int` to try, and the witness to take
//! away.

use crate::ui::view::Handlers;
use crate::util::Limit;
use crate::wire::options::Dialect;
use crate::wire::report::{Report, Verdict};
use yew::prelude::*;

/// Most objects of each type that are offered.
const MOST_OBJECTS: u32 = 24;
/// Widths of `int` that are offered with the answer.
const WIDTHS: [u32; 4] = [4, 8, 16, 32];

/// Other widths of `int`.
pub(super) fn widths(report: &Report, on: &Handlers) -> Html {
    let options = &report.options;
    if !matches!(options.dialect, Dialect::Cimple | Dialect::C | Dialect::Java) {
        return html! {};
    }
    let widths = WIDTHS.iter().filter(|bits| **bits != options.bits).map(|bits| {
        let (bits, emit) = (*bits, on.bits.clone());
        html! {
            <>
                { " " }
                <button
                    class="link"
                    aria-label={format!("Try {bits} bits")}
                    onclick={move |_| emit.emit(bits)}
                >
                    { bits }
                </button>
            </>
        }
    });
    html! {
        <span class="widths" role="group" aria-label="Width of int">
            { " Try" }{ for widths }{ " bits." }
        </span>
    }
}

/// More objects, where some run needs more than there may be.
pub(super) fn objects(report: &Report, on: &Handlers) -> Html {
    let Some(most) = report.options.heap.filter(|_| report.limit == Some(Limit::Heap)) else {
        return html! {};
    };
    let more = [2 * most, 4 * most].into_iter().filter(|more| *more <= MOST_OBJECTS);
    html! {
        <span class="widths" role="group" aria-label="Objects of each type">
            { " Try" }
            { for more.map(|more| {
                let again = on.heap.reform(move |_: MouseEvent| more);
                html! {
                    <>
                        { " " }
                        <button class="link" onclick={again}
                            aria-label={format!("Try {more} objects of each type")}>
                            { more }
                        </button>
                    </>
                }
            }) }
            { " objects of each type." }
        </span>
    }
}

/// A button that saves the witness of either verdict.
pub(super) fn witness(report: &Report, on: &Handlers) -> Html {
    if report.verdict == Verdict::Unknown || report.pushdown.is_some() {
        return html! {};
    }
    html! {
        <p class="proof-export">
            <button
                class="link"
                onclick={on.witness.reform(|_: MouseEvent| ())}
                title="A file that other verifiers can check: the failing run, or the invariants"
            >
                { "Save the witness (SV-COMP 2.0)" }
            </button>
        </p>
    }
}
