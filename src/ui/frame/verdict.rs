//! The verdict panel: the sentence, what it holds for, what it took; or what keeps the program
//! from having one.

use super::icons::{Icon, icon};
use super::proof::proof;
use crate::draw::widths;
use crate::draw::words;
use crate::ui::loading::Loading;
use crate::ui::state::model::{Answer, Progress};
use crate::ui::state::question::Pending;
use crate::ui::state::said::Tone;
use crate::ui::state::shared::Shared;
use crate::util::{Limit, Stage};
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::diagnostic::Severity;
use crate::wire::options::Dialect;
use crate::wire::report::{ProjectedBy, Report, Verdict};
use yew::prelude::*;

/// Widths of `int` that are offered with the answer.
const WIDTHS: [u32; 4] = [4, 8, 16, 32];

/// What the panel is about.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// How much of the engine is there, until it is up.
    pub(crate) loading: Option<Loading>,
    /// A run that is on its way.
    pub(crate) running: Option<Pending<Progress>>,
    pub(crate) answer: Option<Answer>,
    /// Has the program changed since the answer?
    pub(crate) stale: bool,
    /// Can the worker still be asked about the answer?
    pub(crate) inspectable: bool,
    /// Is it a pushdown system without a program?
    pub(crate) raw: bool,
    pub(crate) diagnostics: Shared<Vec<DiagnosticView>>,
    pub(crate) on_line: Callback<u32>,
    /// Another width of `int`.
    pub(crate) on_bits: Callback<u32>,
    pub(crate) on_run: Callback<()>,
    pub(crate) on_more: Callback<()>,
    pub(crate) on_witness: Callback<()>,
    /// Show what the threads do together.
    pub(crate) on_threads: Callback<()>,
}

#[function_component(VerdictPanel)]
pub(crate) fn verdict_panel(props: &Props) -> Html {
    let errors: Vec<&DiagnosticView> =
        props.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let (tone, content) = match (&props.running, &props.answer) {
        (Some(pending), _) => ("running", running(pending, props.loading)),
        _ if !errors.is_empty() => ("broken", broken(&errors, &props.on_line)),
        (_, None) if let Some(loading) = props.loading => ("ready", loading_line(loading)),
        (_, Some(answer)) if props.stale => ("stale", stale(answer, &props.on_run)),
        (_, Some(answer)) => (Tone::from(answer.report.verdict).class(), answered(answer, props)),
        _ if props.raw => (
            "ready",
            html! {
                <p class="quiet">
                    { "Run it to see whether a target is reached, and which rules take part." }
                </p>
            },
        ),
        _ => (
            "ready",
            html! {
                <p class="quiet">
                    { "Run it to see whether it can fail, and which statements take part." }
                </p>
            },
        ),
    };
    // The panel takes the focus when a button inside it has gone.
    html! {
        <div
            class={classes!("verdict", tone)}
            role="status"
            aria-live="polite"
            aria-label="Verdict"
            tabindex="-1"
        >
            { content }
        </div>
    }
}

fn running(pending: &Pending<Progress>, loading: Option<Loading>) -> Html {
    if let Some(loading) = loading {
        return html! {
            <>
                <h1>{ "Loading the engine…" }</h1>
                <p>{ format!("{}, then the program is checked", loading.told()) }</p>
                <div class="progress" aria-hidden="true"></div>
            </>
        };
    }
    let progress = &pending.progress;
    let phase = match progress.stage {
        Stage::Forward => "what can happen",
        Stage::Witness => "one failing run",
        Stage::Proof => "checking the proof",
        Stage::Backward => "what can fail",
        Stage::Contexts => "what can fail, in context",
        Stage::Statements => "which statements can take part",
        Stage::Slice => "the slice",
        Stage::Confirm => "the failing run with 32-bit integers",
        _ => "reading the program",
    };
    let title = if pending.stopping { "Stopping…" } else { "Working…" };
    html! {
        <>
            <h1>{ title }</h1>
            <p>
                { format!(
                    "{phase} · {} · {}",
                    words::counted(progress.nodes, "node"),
                    words::duration(progress.millis)
                ) }
            </p>
            <div class="progress" aria-hidden="true"></div>
        </>
    }
}

/// What the page says until the engine is up and nothing runs.
pub(crate) fn loading_line(loading: Loading) -> Html {
    html! { <p class="quiet loading">{ format!("Loading the engine: {}", loading.told()) }</p> }
}

fn broken(errors: &[&DiagnosticView], on_line: &Callback<u32>) -> Html {
    const SHOWN: usize = 4;
    let items = errors.iter().take(SHOWN).map(|d| {
        let (line, go) = (d.line, on_line.clone());
        html! {
            <li>
                <button class="link" onclick={move |_| go.emit(line)}>
                    { format!("line {line}") }
                </button>
                <span>{ format!(" {}", d.message) }</span>
                if !d.hint.is_empty() { <span class="hint">{ format!(" — {}", d.hint) }</span> }
            </li>
        }
    });
    let more = errors.len().saturating_sub(SHOWN);
    html! {
        <>
            <h1>
                { format!("Cannot read the program: {}", words::counted(errors.len() as u64, "error")) }
            </h1>
            <ul class="errors">{ for items }</ul>
            if more > 0 { <p>{ format!("and {more} more, marked in the source") }</p> }
        </>
    }
}

fn stale(answer: &Answer, on_run: &Callback<()>) -> Html {
    let run = on_run.reform(|_| ());
    html! {
        <>
            <h1>{ "Changed since the last answer" }</h1>
            <p>
                { format!("The answer was “{}”. ", words::headline(&answer.report)) }
                <button class="link" onclick={run}>{ "Check again" }</button>
            </p>
        </>
    }
}

fn answered(answer: &Answer, props: &Props) -> Html {
    let report = &answer.report;
    let stopped = answer.stopped && report.verdict == Verdict::Unknown;
    let headline = if stopped {
        format!("Unknown: stopped after {}", words::duration(answer.millis))
    } else {
        words::headline(report)
    };
    let mark = match report.verdict {
        Verdict::Safe => icon(Icon::Check),
        Verdict::Unsafe => icon(Icon::Close),
        Verdict::Unknown => icon(Icon::Help),
    };
    let (more, again) = (props.on_more.reform(|_| ()), props.on_run.reform(|_| ()));
    html! {
        <>
            <h1>{ mark }{ headline }</h1>
            if let Some(found) = &report.widths {
                <p class="holds">{ widths::detail(found) }</p>
            }
            { holds(report, &props.on_bits) }
            <p>{ counts(answer) }</p>
            if props.inspectable && report.pushdown.is_none() {
                { proof(report, &props.on_witness) }
            }
            if let Some(fault) = &report.fault {
                <p>
                    { format!("A check of the answer contradicts the engine, so nothing is \
                        claimed: {fault}. Please report the program.") }
                </p>
            }
            if let (Verdict::Unknown, Some(limit)) = (report.verdict, report.limit) {
                <p>
                    if stopped {
                        <button class="link" onclick={again}>{ "Check again" }</button>
                    } else {
                        { limit_detail(answer, limit) }
                        if limit == Limit::Threads {
                            <button class="link" onclick={props.on_threads.reform(|_| ())}>
                                { "See what they do together" }
                            </button>
                        }
                        if matches!(limit, Limit::Nodes | Limit::Steps | Limit::Time) {
                            <button class="link" onclick={more}>
                                { "Go on with ten times the budget" }
                            </button>
                        }
                    }
                </p>
            }
            if report.verdict == Verdict::Unsafe && report.projection.is_none() {
                <p class="holds">
                    { "The run is certain. The search for other statements that can take part was \
                        cut short." }
                </p>
            }
        </>
    }
}

/// What the answer holds for, and other widths to try.
fn holds(report: &Report, on_bits: &Callback<u32>) -> Html {
    let options = &report.options;
    let said = words::holds_for(options);
    if let Some(pushdown) = &report.pushdown {
        let by = words::decided_by(pushdown.saturation);
        let reached =
            report.error.as_ref().map(|target| format!("{}; ", target.message)).unwrap_or_default();
        let missing = pushdown
            .weight_missing
            .as_ref()
            .map(|why| format!("; least weight not found: {why}"))
            .unwrap_or_default();
        let effect = pushdown
            .effect
            .as_ref()
            .map(|effect| format!("; {}", words::effect(effect)))
            .unwrap_or_default();
        return html! {
            <p class="holds">{ format!("{reached}{said}, by {by}{missing}{effect}") }</p>
        };
    }
    let widths = WIDTHS.iter().filter(|bits| {
        **bits != options.bits && matches!(options.dialect, Dialect::Cimple | Dialect::C)
    });
    let buttons = widths.map(|bits| {
        let (bits, emit) = (*bits, on_bits.clone());
        html! {
            <button
                class="link"
                aria-label={format!("Try {bits} bits")}
                onclick={move |_| emit.emit(bits)}
            >
                { bits }
            </button>
        }
    });
    let buttons: Vec<Html> = buttons.collect();
    html! {
        <p class="holds">{ said }
            if !buttons.is_empty() {
                <span class="widths" role="group" aria-label="Width of int">
                    { "try " }{ for buttons }{ " bits" }
                </span>
            }
        </p>
    }
}

fn limit_detail(answer: &Answer, limit: Limit) -> String {
    match limit {
        Limit::Nodes => {
            format!("The limit is {}. ", words::counted(answer.budgets.max_nodes, "node"))
        }
        Limit::Steps => {
            format!("The limit is {}. ", words::counted(answer.budgets.max_steps, "step"))
        }
        Limit::Time => answer
            .budgets
            .max_millis
            .map(|m| format!("The limit is {}. ", words::duration(m)))
            .unwrap_or_default(),
        Limit::Threads => "Only the first of them was run here. ".into(),
        Limit::Depth => {
            "Its variables have too many bits together, or its runs are too long. ".into()
        }
        Limit::Rounds => String::new(),
    }
}

fn counts(answer: &Answer) -> String {
    let report = &answer.report;
    let mut parts = Vec::new();
    if let Some(trace) = &report.trace {
        parts.push(match report.pushdown {
            Some(_) => {
                format!("run of {}", words::counted(trace.len().saturating_sub(1) as u64, "rule"))
            }
            None => format!("run of {}", words::counted(trace.len() as u64, "step")),
        });
    }
    if let (Some(p), Verdict::Unsafe) = (&report.projection, report.shown_verdict()) {
        let how = if p.method == ProjectedBy::Naive { " (naive)" } else { "" };
        let noun = if report.pushdown.is_some() { "rule" } else { "statement" };
        parts.push(format!(
            "{} of {} can take part{how}",
            words::grouped(p.nodes.into()),
            words::counted(p.of.into(), noun)
        ));
    }
    if !(answer.stopped && report.verdict == Verdict::Unknown) {
        parts.push(unbroken(words::duration(answer.millis)));
    }
    if report.statistics.peak_nodes > 0 {
        parts.push(unbroken(words::counted(
            report.statistics.peak_nodes,
            if report.pushdown.is_some() { "transition" } else { "node" },
        )));
    }
    // A dot never starts a line.
    parts.join("\u{a0}· ")
}

/// A number and its unit stay on one line.
fn unbroken(text: String) -> String {
    text.replace(' ', "\u{a0}")
}
