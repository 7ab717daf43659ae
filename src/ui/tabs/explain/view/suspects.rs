//! Suspicious statements: in order, each with its best small change and what that does to the runs
//! that are known.

use crate::draw::words::{counted, grouped, limit_sentence};
use crate::ui::frame::sentence::with_code;
use crate::wire::suspects::{ChangeReport, SuspectReport, SuspectsReport};
use yew::prelude::*;

/// So many statements are shown, and so many more lines on which the failure depends.
const SHOWN: usize = 8;
const LINES: usize = 24;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) suspects: Option<SuspectsReport>,
    /// Are small changes being executed?
    pub(crate) working: bool,
    /// Is there more than one failing run?
    pub(crate) several: bool,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(Suspects)]
pub(crate) fn suspects(props: &Props) -> Html {
    let all = use_state_eq(|| false);
    let Some(found) = &props.suspects else {
        return html! {
            if props.working {
                <section class="explain-section suspects" aria-label="Suspicious statements">
                    <h3>{ "Suspicious statements" }</h3>
                    <p class="quiet">{ "Small changes are being executed…" }</p>
                </section>
            }
        };
    };
    let (mended, rest): (Vec<&SuspectReport>, Vec<&SuspectReport>) =
        found.suspects.iter().partition(|suspect| suspect.change.is_some());
    let shown = if *all { mended.len() } else { SHOWN };
    let more = mended.len().saturating_sub(shown);
    let show_all = Callback::from(move |_: MouseEvent| all.set(true));
    let of = if props.several { " of failing run 1" } else { "" };
    html! {
        <section class="explain-section suspects" aria-label="Suspicious statements">
            <h3>
                { "Suspicious statements" }<span class="where">{ of }{ ", by small changes" }</span>
            </h3>
            if !mended.is_empty() {
                <ol class="suspect-list">
                    { for mended.iter().take(shown).map(|suspect| item(props, found, suspect)) }
                </ol>
            }
            if more > 0 {
                <button class="link" onclick={show_all}>
                    { format!("{} more", counted(more as u64, "statement")) }
                </button>
            }
            { depends(props, &rest, mended.is_empty()) }
            <p class="quiet small">{ how(found) }</p>
            if let Some(limit) = found.limit {
                <p class="cut small">
                    { format!("Not all statements were looked at: {}", limit_sentence(limit)) }
                </p>
            }
        </section>
    }
}

/// What was executed, and what that says.
fn how(found: &SuspectsReport) -> String {
    let (failing, passing) = (
        counted(found.known_failing.into(), "failing run"),
        counted(found.known_passing.into(), "passing run"),
    );
    let notes: String = found.notes.iter().map(|note| format!(" {note}.")).collect();
    format!(
        "{} tried on {failing} and {passing}.{notes}",
        counted(found.changes_tried, "small change")
    )
}

/// A statement with its change.
fn item(props: &Props, found: &SuspectsReport, suspect: &SuspectReport) -> Html {
    let (line, go) = (suspect.line, props.on_line.clone());
    let bars = suspect.change.as_ref().map(|change| shares(found, change));
    html! {
        <li class="suspect" data-line={line.to_string()}>
            <div class="suspect-head">
                <button class="link line-link" onclick={move |_| go.emit(line)}>
                    { format!("line {line}") }
                </button>
                <code>{ suspect.statement.clone() }</code>
            </div>
            <p class="small">{ with_code(&suspect.sentence) }{ "." }</p>
            { for bars }
        </li>
    }
}

/// What a change does, as two bars. The sentence says the same, for readers who do not see them.
fn shares(found: &SuspectsReport, change: &ChangeReport) -> Html {
    let bar = |class: &'static str, name: &'static str, count: u32, of: u32| {
        let share = 100.0 * f64::from(count) / f64::from(of.max(1));
        html! {
            <span class={classes!("share", class)}>
                <span class="share-name">{ name }</span>
                <span class="share-bar"><i style={format!("width: {share:.1}%")}></i></span>
                <span class="share-count">
                    { format!("{} of {}", grouped(count.into()), grouped(of.into())) }
                </span>
            </span>
        }
    };
    html! {
        <div class="shares" aria-hidden="true">
            { bar("mended", "mended", change.mended, found.known_failing) }
            if found.known_passing > 0 { { bar("kept", "kept", change.kept, found.known_passing) } }
        </div>
    }
}

/// Lines of statements that no small change mends.
fn depends(props: &Props, rest: &[&SuspectReport], alone: bool) -> Html {
    let mut lines: Vec<u32> = Vec::new();
    for suspect in rest {
        if !lines.contains(&suspect.line) {
            lines.push(suspect.line);
        }
    }
    let link = |line: &u32| {
        let (line, go) = (*line, props.on_line.clone());
        html! {
            <button
                class="link line-link"
                onclick={move |_| go.emit(line)}
                aria-label={format!("line {line}")}
            >
                { line }
            </button>
        }
    };
    html! {
        if !lines.is_empty() {
            <p class="small suspect-rest">
                { if alone {
                    "What the failure depends on, from the end of the run: line "
                } else {
                    "Next, what the failure depends on, from the end of the run: line "
                } }
                { for lines.iter().take(LINES).map(link) }
                if lines.len() > LINES { { format!("and {} more", lines.len() - LINES) } }
            </p>
        }
    }
}
