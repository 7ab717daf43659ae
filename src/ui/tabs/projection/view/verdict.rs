//! What stands with the verdict of the check: other widths of `int` to try, and the witness to take
//! away.

use crate::ui::view::Handlers;
use crate::wire::options::Dialect;
use crate::wire::report::{Report, Verdict};
use yew::prelude::*;

/// Widths of `int` that are offered with the answer.
const WIDTHS: [u32; 4] = [4, 8, 16, 32];

/// Other widths of `int`.
pub(super) fn widths(report: &Report, on: &Handlers) -> Html {
    let options = &report.options;
    if !matches!(options.dialect, Dialect::Cimple | Dialect::C) {
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
            { " try" }{ for widths }{ " bits" }
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
