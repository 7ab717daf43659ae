//! The middle of the page in the lab: what is built of what, and the picture's frame. The picture
//! itself is an [`AutomatonView`].

use super::automaton_view::AutomatonView;
use super::tasks::tasks;
use crate::draw::words;
use crate::ui::frame::icons::{Icon, icon};
use crate::ui::frame::zoom_bar::{Zoom, ZoomBar};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::lab::recording::Recording;
use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::lab::LabTask;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

/// What is drawn.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) task: LabTask,
    /// The set to saturate, as typed.
    pub(crate) set: String,
    pub(crate) recording: Option<Shared<Recording>>,
    pub(crate) automaton: usize,
    pub(crate) step: usize,
    pub(crate) selected: Option<u32>,
    /// What is to be read in the place of a picture.
    pub(crate) said: Option<String>,
    /// Is the recording the answer to what is asked?
    pub(crate) recorded: bool,
    /// Is it a pushdown system without a program?
    pub(crate) raw: bool,
    pub(crate) on_event: Callback<LabEvent>,
}

pub(crate) struct LabPane {
    host: NodeRef,
    field: NodeRef,
    view: Option<AutomatonView>,
}

impl Component for LabPane {
    type Message = Zoom;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        LabPane { host: NodeRef::default(), field: NodeRef::default(), view: None }
    }

    fn update(&mut self, _: &Context<Self>, zoom: Zoom) -> bool {
        if let Some(view) = &self.view {
            view.zoom(zoom);
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let new = ctx.props();
        if let Some(view) = &self.view {
            if old.recording != new.recording || old.automaton != new.automaton {
                view.show(new.recording.clone(), new.automaton, new.step, new.selected);
            } else {
                if old.step != new.step {
                    view.step(new.step);
                }
                view.select(new.selected);
            }
        }
        if old.set != new.set
            && let Some(field) = self.field.cast::<HtmlInputElement>()
        {
            field.set_value(&new.set);
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        html! {
            <section
                class="pane graph-pane lab-pane"
                aria-label="Automaton"
                data-recorded={props.recorded.to_string()}
            >
                <div class="bar">
                    { tasks(props.task, !props.raw, &props.on_event) }
                    { self.parts(props) }
                    <span class="counts">{ counts(props) }</span>
                    <ZoomBar on_zoom={ctx.link().callback(|zoom: Zoom| zoom)} />
                </div>
                if props.task != LabTask::Transducer { { self.set_field(props) } }
                <div class="graph">
                    { notes(props) }
                    if let Some(said) = &props.said { <p class="lab-said quiet">{ said }</p> }
                    <div
                        ref={self.host.clone()}
                        class="picture"
                        tabindex="0"
                        role="application"
                        aria-label="Automaton: arrow keys up and down go from transition to \
                            transition, left and right step, plus and minus zoom, 0 fits"
                    >
                    </div>
                </div>
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<Element>()) else { return };
        let props = ctx.props();
        let view = AutomatonView::new(host, props.on_event.reform(LabEvent::Select));
        view.show(props.recording.clone(), props.automaton, props.step, props.selected);
        self.view = Some(view);
        if let Some(field) = self.field.cast::<HtmlInputElement>() {
            field.set_value(&props.set);
        }
    }
}

impl LabPane {
    /// Which of several automata is shown.
    fn parts(&self, props: &Props) -> Html {
        let automata = props
            .recording
            .as_ref()
            .map(|recording| recording.report.automata.as_slice())
            .unwrap_or_default();
        if automata.len() < 2 {
            return html! {};
        }
        html! {
            <div class="segments" role="group" aria-label="Part of the transducer">
                { for automata.iter().enumerate().map(|(i, automaton)| {
                    let on = props.automaton == i;
                    let choose = props.on_event.reform(move |_: MouseEvent| LabEvent::Automaton(i));
                    let name = if automaton.steps.is_empty() { "the whole".into() } else { automaton.title.clone() };
                    html! {
                        <button
                            class={classes!("segment", on.then_some("on"))}
                            aria-pressed={on.to_string()}
                            onclick={choose}
                        >
                            { name }
                        </button>
                    }
                }) }
            </div>
        }
    }

    /// The set that is saturated.
    fn set_field(&self, props: &Props) -> Html {
        let emit = props.on_event.clone();
        let changed = Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            emit.emit(LabEvent::Set(input.value()));
        });
        let emit = props.on_event.clone();
        let key = Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
                let input: HtmlInputElement = event.target_unchecked_into();
                emit.emit(LabEvent::Set(input.value()));
            }
        });
        let own = match (props.task, props.raw) {
            (LabTask::Pre, true) => "the target configurations",
            (LabTask::Pre, false) => "the errors",
            (_, true) => "the initial configurations",
            (_, false) => "the start of the program",
        };
        let typed = !props.set.trim().is_empty();
        let problems = props
            .recording
            .as_ref()
            .filter(|_| typed)
            .map(|recording| recording.report.problems.as_slice())
            .unwrap_or_default();
        let read = props
            .recording
            .as_ref()
            .map(|recording| recording.report.set.clone())
            .filter(|set| !set.is_empty() && !typed);
        html! {
            <div class="lab-set">
                <label for="lab-set">{ "of" }</label>
                <input
                    ref={self.field.clone()}
                    id="lab-set"
                    placeholder={read.map_or(own.to_string(), |set| format!("{own}: {set}"))}
                    spellcheck="false"
                    autocomplete="off"
                    onchange={changed}
                    onkeydown={key}
                    aria-label="Set that is saturated"
                    aria-invalid={(!problems.is_empty()).to_string()}
                    aria-describedby="lab-problems"
                />
                if typed {
                    <button
                        class="tool bare"
                        onclick={props.on_event.reform(|_: MouseEvent| LabEvent::Set(String::new()))}
                        aria-label={format!("Back to {own}")}
                        title={format!("Back to {own}")}
                    >
                        { icon(Icon::Close) }
                    </button>
                }
                <div id="lab-problems" role="alert">
                    { for problems.iter().map(|problem| html! {
                        <p class="problem">
                            { &problem.message }
                            if !problem.hint.is_empty() {
                                <span class="hint">{ format!(" — {}", problem.hint) }</span>
                            }
                        </p>
                    }) }
                </div>
            </div>
        }
    }
}

/// What is there, in numbers.
fn counts(props: &Props) -> String {
    let Some((automaton, replay)) =
        props.recording.as_ref().and_then(|recording| recording.replayed(props.automaton))
    else {
        return String::new();
    };
    let (now, all) = (replay.count(automaton, props.step), automaton.transitions.len());
    if now == all {
        words::counted(all as u64, "transition")
    } else {
        format!("{now} of {}", words::counted(all as u64, "transition"))
    }
}

/// What was left out.
fn notes(props: &Props) -> Html {
    let report = props.recording.as_ref().map(|recording| &recording.report);
    // Over the picture, so that it does not move when they come and go.
    html! {
        <div class="lab-notes">
            if let Some(report) = report {
                { for report.notes.iter().map(|note| html! { <p>{ note }</p> }) }
            }
        </div>
    }
}
