//! The abstract program beside the concrete one: by line, the predicates of each place with the round that added them, and what each statement
//! does to their bits.

use crate::ui::shared::Shared;
use crate::view::cegar::{PointReport, RuleReport};
use crate::view::refinement::AbstractView;
use std::collections::BTreeMap;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) program: Option<Shared<AbstractView>>,
    /// The round that is shown, and the last one.
    pub(super) round: u32,
    pub(super) last: u32,
    pub(super) on_line: Callback<u32>,
}

#[function_component(Program)]
pub(super) fn program(props: &Props) -> Html {
    let Some(program) = &props.program else { return html! { <p class="panel quiet">{ "Reading the abstract program…" }</p> } };
    let mut lines: BTreeMap<u32, (Vec<&PointReport>, Vec<&RuleReport>)> = BTreeMap::new();
    for point in &program.points {
        lines.entry(point.line).or_default().0.push(point);
    }
    for rule in &program.rules {
        lines.entry(rule.line).or_default().1.push(rule);
    }
    html! {
        <div class="panel abstract-program">
            <p class="quiet">{ format!("Predicates before each statement, as bits b1, b2, …, and what the statement does to them: primed bits are those behind it, read with the predicates there. Round {} of {}.", props.round, props.last) }
                if props.round < props.last { { " Effects are those of the last round; predicates of later rounds are set back." } }</p>
            <table class="figures">
                <thead><tr><th scope="col">{ "Line" }</th><th scope="col">{ "Statement" }</th><th scope="col">{ "What it does to the bits" }</th><th scope="col">{ "Predicates there" }</th></tr></thead>
                <tbody>{ for lines.into_iter().map(|(line, (points, rules))| row(props, line, &points, &rules)) }</tbody>
            </table>
        </div>
    }
}

fn row(props: &Props, line: u32, points: &[&PointReport], rules: &[&RuleReport]) -> Html {
    let go = props.on_line.reform(move |_: MouseEvent| line);
    let count = rules.len().max(1);
    let effect = |rule: Option<&&RuleReport>| match rule.map(|rule| rule.relation.text.as_str()) {
        None => html! {},
        Some("true") => html! { <span class="quiet">{ "anything" }</span> },
        Some("false") => html! { <span class="quiet">{ "never" }</span> },
        Some(text) => html! { <code>{ text }</code> },
    };
    html! {
        <>
            { for (0..count).map(|k| html! {
                <tr key={format!("{line}-{k}")} data-line={line.to_string()}>
                    if k == 0 { <td rowspan={count.to_string()}><button class="link line-link" onclick={go.clone()}>{ line }</button></td> }
                    <td><code>{ rules.get(k).map(|rule| rule.concrete.clone()) }</code></td>
                    <td>{ effect(rules.get(k)) }</td>
                    if k == 0 { <td rowspan={count.to_string()}>{ for points.iter().map(|point| predicates(props, point)) }</td> }
                </tr>
            }) }
        </>
    }
}

fn predicates(props: &Props, point: &PointReport) -> Html {
    let place = match point.place.as_str() {
        "pivot" => "entering the callee: ".to_string(),
        "returned" => format!("leaving {}: ", point.procedure),
        _ => String::new(),
    };
    html! {
        <ul class="predicates">
            { for point.predicates.iter().enumerate().map(|(k, predicate)| {
                let later = predicate.round >= props.round && predicate.round > 0;
                let told = match predicate.round {
                    0 => "given".to_string(),
                    round if later => format!("later: after round {round}"),
                    round => format!("after round {round}"),
                };
                html! { <li class={classes!(later.then_some("later"))}><span class="bit">{ format!("{place}b{}", k + 1) }</span><code>{ &predicate.formula.text }</code><small class="quiet">{ told }</small></li> }
            }) }
        </ul>
    }
}
