//! The bottom of the page: the timeline of the tab that is shown.

use super::controls::Controls;
use super::icons::{Icon, icon};
use crate::draw::words::counted;
use crate::ui::state::timeline::{Drawn, Entry, Move, Speed, Timeline};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// A timeline, and the part of it that is drawn.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) timeline: Timeline,
    /// The steps of [`Timeline::window`].
    pub(crate) entries: Vec<Entry>,
    pub(crate) playing: bool,
    pub(crate) speed: Speed,
    /// Behind the note.
    pub(crate) note: Html,
    /// Is the list of steps shown below the buttons?
    pub(crate) shown: bool,
    pub(crate) on_move: Callback<Move>,
    pub(crate) on_fold: Callback<()>,
}

#[function_component(Stepper)]
pub(crate) fn stepper(props: &Props) -> Html {
    let list = use_node_ref();
    let (holder, timeline) = (list.clone(), &props.timeline);
    use_effect_with((timeline.clone(), props.entries.len()), move |(timeline, _)| {
        center(&holder, timeline.position_drawn())
    });
    let (window, noun) = (timeline.window(), timeline.noun);
    let (before, after) = (window.start, timeline.count - window.end);
    let jump = |to: usize, count: usize, where_: &str| {
        let text = format!("{} {where_}", counted(count as u64, noun));
        let go = props.on_move.reform(move |_| Move::To(to));
        html! { <li key={text.clone()}><button class="more" tabindex="-1" onclick={go}>{ text }</button></li> }
    };
    let entry_of = |step: usize| props.entries.get(step - before).cloned().unwrap_or_default();
    let drawn = |drawn: Drawn| match drawn {
        Drawn::Step(step) => html! {
            <Step key={step} {step} entry={entry_of(step)} current={step == timeline.step}
                on_move={props.on_move.clone()} />
        },
        Drawn::Fold(steps) => {
            let (first, count) = (steps.start.max(before), counted(steps.len() as u64, noun));
            let place = entry_of(first).place.unwrap_or_default();
            let go = props.on_move.reform(move |_| Move::To(steps.start));
            html! {
                <li key={format!("fold {first}")}>
                    <button class="more folded-steps" tabindex="-1" onclick={go}
                        title="Inside of the C library: press to go through it step by step">
                        { format!("{place}: {count}") }
                    </button>
                </li>
            }
        }
    };
    let name = match timeline.list.as_str() {
        "" => format!("Steps: {}", timeline.name),
        list => list.to_string(),
    };
    let (bold, rest) = timeline.position.clone();
    let live = (timeline.class == "refinement-timeline").then(|| timeline.live.to_string());
    html! {
           <footer class={classes!("stepper", timeline.class)} aria-label={timeline.name.clone()}
               data-live={live}>
               <Controls step={timeline.step} last={timeline.last()}
                   wraps={timeline.wraps_to.is_some()} playing={props.playing}
                   speed={props.speed} on_move={props.on_move.clone()}>
    <button class="tool fold-steps" aria-expanded={props.shown.to_string()}
                       aria-label="List of steps"
                       title={ if props.shown { "Fold the list of steps" } else { "List the steps" } }
                       onclick={props.on_fold.reform(|_| ())}>
                       { icon(if props.shown { Icon::Down } else { Icon::Up }) }
                   </button>
                   <span class="position" aria-live="polite">
                       <b>{ bold }</b>
                       if !rest.is_empty() { <span class="where">{ rest }</span> }
                   </span>
                   { slider(props) }
                   if !timeline.note.is_empty() {
                       <span class="quiet run-note">{ &timeline.note }</span>
                   }
                   { props.note.clone() }
               </Controls>
               <ol class="timeline" ref={list} aria-label={name}>
                   if before > 0 { { jump(window.start - 1, before, "before") } }
                   { for timeline.drawn().into_iter().map(drawn) }
                   if after > 0 {
                       { jump(window.end, after, "after") }
                   } else if timeline.live {
                       <li class="under-way quiet" key="under-way">{ "…" }</li>
                   }
               </ol>
           </footer>
       }
}

/// Goes to any step at once. Live timelines have one as soon as they have two steps.
fn slider(props: &Props) -> Html {
    let timeline = &props.timeline;
    if timeline.count < 2 {
        return html! { <span class="spacer"></span> };
    }
    let scrub = props.on_move.reform(|event: InputEvent| {
        let value = event.target_dyn_into::<HtmlInputElement>().map(|slider| slider.value());
        let step = value.and_then(|value| value.parse::<usize>().ok()).unwrap_or(1);
        Move::To(step.saturating_sub(1))
    });
    let (bold, rest) = &timeline.position;
    let told = if rest.is_empty() { bold.clone() } else { format!("{bold}, {rest}") };
    html! {
        <input class="scrub" type="range" min="1" max={timeline.count.to_string()} step="1"
            value={(timeline.step + 1).to_string()} aria-label="Step" aria-valuetext={told}
            oninput={scrub} />
    }
}

/// Scrolls a timeline, and only it, so that this item comes into its middle. A timeline is one stop
/// of the Tab key, its current step: if a step has the focus, the focus goes along.
fn center(list: &NodeRef, position: usize) {
    let Some(list) = list.cast::<HtmlElement>() else { return };
    let Some(item) = list.children().item(position as u32) else { return };
    let focused = list.owner_document().and_then(|document| document.active_element());
    if focused
        .is_some_and(|focused| list.contains(Some(&focused)) && !item.contains(Some(&focused)))
        && let Some(button) =
            item.first_element_child().and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        let _ = button.focus();
    }
    let (outer, inner) = (list.get_bounding_client_rect(), item.get_bounding_client_rect());
    let offset = inner.left() - outer.left() - (outer.width() - inner.width()) / 2.0;
    list.set_scroll_left(list.scroll_left() + offset as i32);
}

#[derive(Properties, PartialEq)]
struct StepProps {
    step: usize,
    entry: Entry,
    current: bool,
    on_move: Callback<Move>,
}

#[function_component(Step)]
fn step(props: &StepProps) -> Html {
    let (step, entry) = (props.step, &props.entry);
    let go = props.on_move.reform(move |_| Move::To(step));
    let class = classes!("step", props.current.then_some("current"), entry.classes.clone());
    let title = (!entry.title.is_empty()).then(|| entry.title.clone());
    let bars = entry.depth.map(|depth| (0..depth.min(6)).map(|_| html! { <i></i> }));
    html! {
        <li class={classes!(entry.begins)}>
            <button {class} onclick={go} tabindex={if props.current { "0" } else { "-1" }}
                aria-current={props.current.then_some("step")} {title}>
                if let Some(bars) = bars {
                    <span class="depth" aria-hidden="true">{ for bars }</span>
                }
                <span class="head">
                    // The blanks are for the button's name.
                    <span class="number">{ &entry.number }</span>{ " " }
                    if let Some(place) = &entry.place { <span class="procedure">{ place }</span> }
                    <span class="line">
                        { &entry.line }
                        { for entry.counts.iter().map(|(class, text)| html! {
                            <b class={*class}>{ text }</b>
                        }) }
                    </span>
                    { " " }
                    { for entry.marks.iter().map(|(class, text)| html! {
                        <span class={*class}>{ *text }</span>
                    }) }
                </span>
                { " " }
                <code>{ &entry.text }</code>
            </button>
        </li>
    }
}
