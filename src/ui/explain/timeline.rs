//! The bottom of the page for explanations: the statements of the level, one after the other.

use crate::draw::words::counted;
use crate::report::explain::{Level, LevelRow};
use crate::ui::controls::{Controls, Move, WINDOW, center};
use crate::ui::shared::Shared;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) rows: Shared<Vec<LevelRow>>,
    pub(super) level: Level,
    pub(super) step: usize,
    /// Does the last statement fail?
    pub(super) fails: bool,
    pub(super) playing: bool,
    pub(super) on_move: Callback<Move>,
}

#[function_component(ExplainTimeline)]
pub(super) fn timeline(props: &Props) -> Html {
    let list = use_node_ref();
    let holder = list.clone();
    use_effect_with((props.step, props.rows.clone()), move |(step, _)| center(&holder, *step));
    let count = props.rows.len();
    let last = count.saturating_sub(1);
    let (start, end) = (props.step.saturating_sub(WINDOW), (props.step + WINDOW + 1).min(count));
    let jump = |to: usize, text: String| {
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" onclick={go}>{ text }</button></li> }
    };
    let (name, note) = match props.level {
        Level::Program | Level::Run => ("Failing run", "replayed statement by statement"),
        Level::Focus => (
            "Focus sequence",
            "each statement as the run executes it; what lies between made no difference",
        ),
        Level::Nest => ("NEST", "where to mend it"),
    };
    // A mark on every statement would say nothing.
    let tells_apart = props.level == Level::Focus && props.rows.iter().any(|row| !row.nest);
    let entry = |index: usize| {
        let row = &props.rows[index];
        let go = props.on_move.reform(move |_| Move::To(index));
        let (current, fails) = (index == props.step, props.fails && index == last);
        let nest = row.nest && tells_apart;
        let class = classes!(
            "step",
            current.then_some("current"),
            fails.then_some("fails"),
            nest.then_some("in-nest")
        );
        let bars = (0..row.depth.min(6)).map(|_| html! { <i></i> });
        html! {
            <li key={index}>
                <button {class} onclick={go} aria-current={current.then_some("step")} title={format!("line {}: {}", row.line, row.statement)}>
                    <span class="depth" aria-hidden="true">{ for bars }</span>
                    <span class="head"><span class="number">{ index + 1 }</span><span class="procedure">{ &row.procedure }</span><span class="line">{ format!("line {}", row.line) }</span>
                        if nest { <span class="nest-mark">{ "NEST" }</span> }
                        if fails { <span class="fails-here">{ "fails here" }</span> }</span>
                    <code>{ &row.statement }</code>
                </button>
            </li>
        }
    };
    let now = props.rows.get(props.step);
    html! {
        <footer class="stepper explain-timeline" aria-label={name}>
            <Controls step={props.step} {last} playing={props.playing} on_move={props.on_move.clone()}>
                <span class="position" aria-live="polite">
                    <b>{ format!("{name}: {} of {count}", props.step + 1) }</b>
                    if let Some(now) = now { <span class="where">{ format!("{}, line {}", now.procedure, now.line) }</span> }
                </span>
                <span class="spacer"></span>
                <span class="quiet run-note">{ note }</span>
            </Controls>
            <ol class="timeline" ref={list} aria-label={format!("Steps: {name}")}>
                if start > 0 { { jump(start - 1, format!("{} before", counted(start as u64, "step"))) } }
                { for (start..end).map(entry) }
                if end < count { { jump(end, format!("{} after", counted((count - end) as u64, "step"))) } }
            </ol>
        </footer>
    }
}
