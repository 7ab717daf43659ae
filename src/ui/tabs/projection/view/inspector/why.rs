//! Why the selected statement is innocent.

use crate::draw::words;
use crate::util::Limit;
use crate::wire::why_not::{CallPlace, Reason, Why};
use yew::prelude::*;

/// The panel; `why` is `None` while the reason is looked for.
pub(crate) fn panel(why: Option<&Result<Why, Option<Limit>>>, on_line: &Callback<u32>) -> Html {
    let body = match why {
        None => html! { <p class="quiet" role="status">{ "Looking for the reason…" }</p> },
        Some(Err(Some(limit))) => {
            html! {
                <p class="quiet">{ format!("Not found: {}.", words::limit_sentence(*limit)) }</p>
            }
        }
        Some(Err(None)) => html! { <p class="quiet">{ "Not known." }</p> },
        Some(Ok(why)) => reason(why, on_line),
    };
    html! { <div class="why" aria-live="polite"><h3>{ "Why not?" }</h3>{ body }</div> }
}

fn reason(why: &Why, on_line: &Callback<u32>) -> Html {
    let (class, title) = match why.reason {
        Reason::Unreached => ("unreached", "Never reached"),
        Reason::CannotFail => ("cannot-fail", "Reached, but cannot fail from here"),
        Reason::Context => ("context", "Never in one calling context"),
        Reason::Lit => ("lit", "Some failing run executes it"),
    };
    html! {
        <div class={classes!("reason", class)} data-reason={class}>
            <p class="reason-title">{ title }</p>
            if let (Some(here), Some(needed)) = (&why.predicate, &why.needed) {
                // The two halves, which exclude each other.
                <dl class="halves">
                    <dt>{ "Here" }</dt><dd class="formula separator">{ here }</dd>
                    <dt>{ "A failure needs" }</dt><dd class="formula">{ needed }</dd>
                </dl>
            } else {
                { for why.explanation.iter().map(|sentence| html! { <p>{ sentence }</p> }) }
                if let Some(predicate) = why.predicate.as_ref().filter(|p| p.as_str() != "true") {
                    <p class="formula separator">{ predicate }</p>
                }
            }
            { places("line", why.barriers.iter().map(|b| (b.line, b.statement.clone())), on_line) }
            if let Some(cross) = &why.cross {
                { calls("arrives", &cross.arrives, on_line) }
                { calls("would fail", &cross.fails, on_line) }
            }
        </div>
    }
}

fn calls(word: &str, calls: &[CallPlace], on_line: &Callback<u32>) -> Html {
    places(
        word,
        calls.iter().map(|call| (call.line, format!("{} in {}", call.call, call.procedure))),
        on_line,
    )
}

/// Links to lines.
fn places(
    word: &str,
    places: impl Iterator<Item = (u32, String)>,
    on_line: &Callback<u32>,
) -> Html {
    let link = |(line, text): (u32, String)| {
        let go = on_line.reform(move |_| line);
        html! {
            <li>
                <span class="quiet">{ word.to_string() }</span>
                { " " }
                <button class="link" onclick={go}>{ format!("{line}: {text}") }</button>
            </li>
        }
    };
    html! { <ul class="places-of-reason">{ for places.map(link) }</ul> }
}
