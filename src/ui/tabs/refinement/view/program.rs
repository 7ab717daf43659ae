//! The abstract program and the concrete one, statement by statement: left what the program
//! says, right what becomes of it over the bits of the predicates, which come first, with the
//! round that added each.

use crate::draw::refinement::abstract_statements;
use crate::ui::state::shared::Shared;
use crate::wire::cegar::{NodePlace, PointReport, RuleReport};
use crate::wire::refinement::AbstractView;
use std::collections::BTreeMap;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) program: Option<Shared<AbstractView>>,
    /// The round that is shown, and the last one.
    pub(crate) round: u32,
    pub(crate) last: u32,
    /// The line that is chosen in the source.
    pub(crate) line: u32,
    pub(crate) on_line: Callback<u32>,
}

#[function_component(Program)]
pub(crate) fn program(props: &Props) -> Html {
    let host = use_node_ref();
    let holder = host.clone();
    use_effect_with((props.line, props.program.clone()), move |(line, _)| {
        show_line(&holder, *line)
    });
    let Some(program) = &props.program else {
        return html! { <p class="panel quiet">{ "Reading the abstract program…" }</p> };
    };
    let mut lines: BTreeMap<u32, (Vec<&PointReport>, Vec<&RuleReport>)> = BTreeMap::new();
    for point in &program.points {
        lines.entry(point.line).or_default().0.push(point);
    }
    for rule in &program.rules {
        lines.entry(rule.line).or_default().1.push(rule);
    }
    let none = program.points.iter().all(|point| point.predicates.is_empty());
    html! {
        <div class="panel abstract-program" ref={host}>
            <p class="quiet">
                { "Each bit says whether a predicate holds at its place; the assignments of one \
                    statement happen at once, and a bit that is not assigned may become anything." }
                if props.round < props.last {
                    { format!(" Statements are those of round {}, the last one; predicates that \
                        came after round {} are set back.", props.last, props.round) }
                }
                if none { <b>{ " There are no predicates: nothing is known of any value." }</b> }
            </p>
            <table class="figures two-programs">
                <thead>
                    <tr>
                        <th scope="col">{ "Line" }</th>
                        <th scope="col">{ "Program" }</th>
                        <th scope="col">{ "Abstract program" }</th>
                    </tr>
                </thead>
                { for lines.into_iter().map(|(line, (points, rules))| body(props, line, &points, &rules)) }
            </table>
        </div>
    }
}

/// A line of the program: its predicates, then each of its statements.
fn body(props: &Props, line: u32, points: &[&PointReport], rules: &[&RuleReport]) -> Html {
    let go = props.on_line.reform(move |_: MouseEvent| line);
    let points: Vec<_> = points.iter().filter(|point| !point.predicates.is_empty()).collect();
    let rows = rules.len() + usize::from(!points.is_empty());
    let first = html! {
        <td class="line" rowspan={rows.to_string()}>
            <button class="link line-link" onclick={go}>{ line }</button>
        </td>
    };
    let (before, rest) = if points.is_empty() { (None, Some(first)) } else { (Some(first), None) };
    html! {
        <tbody
            key={line}
            data-line={line.to_string()}
            class={classes!((line == props.line).then_some("on"))}
        >
            if let Some(first) = before {
                <tr class="at">
                    { first }
                    <td class="quiet small">{ if rules.is_empty() { "the end" } else { "" } }</td>
                    <td>{ for points.iter().map(|point| predicates(props, point)) }</td>
                </tr>
            }
            { for rules.iter().enumerate().map(|(k, rule)| html! {
                <tr>
                    { rest.clone().filter(|_| k == 0) }
                    <td><code>{ &rule.concrete }</code></td>
                    <td>{ effect(rule) }</td>
                </tr>
            }) }
        </tbody>
    }
}

/// What a statement does to the bits: as statements where that can be said, else as a relation of
/// the bits before and after.
fn effect(rule: &RuleReport) -> Html {
    let text = rule.relation.text.as_str();
    match (text, abstract_statements(text)) {
        ("true", _) => html! { <span class="quiet">{ "anything" }</span> },
        ("false", _) => html! { <span class="quiet">{ "never" }</span> },
        (_, Some(statements)) => {
            html! {
                <>
                    { for statements.iter().map(|text| html! {
                        <code class="abstract">{ text }</code>
                    }) }
                </>
            }
        }
        (_, None) => html! {
            <code
                class="abstract relation"
                title="A relation: b1 is the bit before the statement, b1' the one after it, \
                    “below” the caller's"
            >
                { text }
            </code>
        },
    }
}

fn predicates(props: &Props, point: &PointReport) -> Html {
    let place = match point.place {
        NodePlace::Pivot => Some("entering the callee".to_string()),
        NodePlace::Returned => Some(format!("leaving {}", point.procedure)),
        _ => None,
    };
    html! {
        <ul class="predicates">
            if let Some(place) = place { <li class="quiet small">{ place }</li> }
            { for point.predicates.iter().enumerate().map(|(k, predicate)| {
                let later = predicate.round >= props.round && predicate.round > 0;
                let told = match predicate.round {
                    0 => "given".to_string(),
                    round if later => format!("later: after round {round}"),
                    round => format!("after round {round}"),
                };
                html! {
                    <li class={classes!(later.then_some("later"))}>
                        <span class="bit">{ format!("b{}", k + 1) }</span>
                        <code>{ &predicate.formula.text }</code>
                        <small class="quiet">{ told }</small>
                    </li>
                }
            }) }
        </ul>
    }
}

/// Scrolls the table, and only it, so that a line is in view.
fn show_line(host: &NodeRef, line: u32) {
    let Some(host) = host.cast::<HtmlElement>() else { return };
    let Some(row) = host.query_selector(&format!("[data-line=\"{line}\"]")).ok().flatten() else {
        return;
    };
    let (outer, inner) = (host.get_bounding_client_rect(), row.get_bounding_client_rect());
    if inner.top() < outer.top() || inner.bottom() > outer.bottom() {
        let offset = inner.top() - outer.top() - (outer.height() - inner.height()) / 2.0;
        host.set_scroll_top(host.scroll_top() + offset as i32);
    }
}
