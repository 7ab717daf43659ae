//! The unrolling: its picture at one bound, and beside it what the bound says.

use super::tasks::tasks;
use crate::draw::unrolling::{answer, brief, copies, copies_of, markup};
use crate::ui::frame::viewport::Viewport;
use crate::ui::frame::zoom_bar::{Zoom, ZoomBar};
use crate::ui::state::shared::Shared;
use crate::ui::tabs::lab::recording::Recording;
use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::lab::LabTask;
use crate::wire::unrolling::UnrolledBound;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

/// What is drawn.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) recording: Option<Shared<Recording>>,
    /// Which of the bounds.
    pub(super) step: usize,
    /// What is to be read in the place of a picture.
    #[prop_or_default]
    pub(super) said: Option<String>,
    /// Is the unrolling the answer to what is asked?
    pub(super) recorded: bool,
    pub(super) on_event: Callback<LabEvent>,
    pub(super) on_line: Callback<u32>,
}

impl Props {
    fn bounds(&self) -> &[UnrolledBound] {
        self.recording.as_ref().map_or(&[], |recording| recording.report.bounds.as_slice())
    }

    fn bound(&self) -> Option<&UnrolledBound> {
        self.bounds().get(self.step)
    }
}

/// The picture, outside of the virtual DOM.
pub(super) struct UnrollingPane {
    host: NodeRef,
    shown: Option<(Element, Viewport)>,
}

impl UnrollingPane {
    fn draw(&self, props: &Props) {
        let Some((host, viewport)) = &self.shown else { return };
        let bound = props.bound();
        host.set_inner_html(&bound.map(markup).unwrap_or_default());
        let size = bound.map(|bound| bound.graph.size).unwrap_or_default();
        let start = bound.and_then(|bound| bound.graph.boxes.first()).map(|first| first.place);
        viewport.picture(size, start, None);
        viewport.fit();
    }
}

impl Component for UnrollingPane {
    type Message = Zoom;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        UnrollingPane { host: NodeRef::default(), shown: None }
    }

    fn update(&mut self, _: &Context<Self>, zoom: Zoom) -> bool {
        if let Some((_, viewport)) = &self.shown {
            viewport.zoom(zoom);
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let new = ctx.props();
        if old.recording != new.recording || old.step != new.step {
            self.draw(new);
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let boxes = props.bound().map_or(String::new(), |bound| {
            let all = bound.graph.boxes.len() as u64 + u64::from(bound.left_out);
            copies_of(all)
        });
        let left_out = props.bound().map_or(0, |bound| bound.left_out);
        let from_host = self.host.clone();
        let on_line = props.on_line.clone();
        let lines: Vec<u32> = props
            .bound()
            .map(|bound| bound.graph.boxes.iter().map(|one| one.line).collect())
            .unwrap_or_default();
        let click = Callback::from(move |event: MouseEvent| {
            let target = event.target_dyn_into::<Element>();
            let found = target.and_then(|target| target.closest("[data-box]").ok().flatten());
            let inside =
                from_host.cast::<Element>().zip(found).filter(|(h, b)| h.contains(Some(b)));
            let id = inside.and_then(|(_, b)| b.get_attribute("data-box")?.parse::<usize>().ok());
            if let Some(line) = id.and_then(|id| lines.get(id)) {
                on_line.emit(*line);
            }
        });
        let key = ctx.link().batch_callback(|event: KeyboardEvent| match event.key().as_str() {
            "+" | "=" => Some(Zoom::In),
            "-" => Some(Zoom::Out),
            "0" => Some(Zoom::Whole),
            _ => None,
        });
        html! {
            <section
                class="pane graph-pane lab-pane"
                aria-label="Unrolling"
                data-recorded={props.recorded.to_string()}
            >
                <div class="bar">
                    { tasks(LabTask::Unrolling, true, &props.on_event) }
                    <span class="counts">{ boxes }</span>
                    <ZoomBar on_zoom={ctx.link().callback(|zoom: Zoom| zoom)} />
                </div>
                <div class="graph">
                    <div class="lab-notes">
                        if left_out > 0 {
                            <p>{ format!("{} more are not drawn.", copies_of(left_out.into())) }</p>
                        }
                    </div>
                    if let Some(said) = &props.said { <p class="lab-said quiet">{ said }</p> }
                    <div
                        ref={self.host.clone()}
                        class="picture unrolling"
                        tabindex="0"
                        role="application"
                        aria-label="Unrolling: left and right go to other bounds, plus and minus \
                            zoom, 0 fits; the inspector has the same in words"
                        onclick={click}
                        onkeydown={key}
                    >
                    </div>
                </div>
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<Element>()) else { return };
        let viewport = Viewport::new(&host);
        self.shown = Some((host, viewport));
        self.draw(ctx.props());
    }
}

/// What the bound says, what it costs, and how often each line is there.
#[function_component(UnrollingInspector)]
pub(super) fn inspector(props: &Props) -> Html {
    let Some(bound) = props.bound() else {
        return html! {
            <section class="pane inspector lab-inspector" aria-label="Inspector">
                <div class="bar"><h2>{ "Inspector" }</h2></div>
                <div class="inspector-body"><p class="quiet">
                    { "Here stands what a bound of k rounds says, and what it leaves open." }
                </p></div>
            </section>
        };
    };
    let cut = bound.cut.iter().filter_map(|id| bound.graph.boxes.get(*id as usize));
    let on_line = |line: u32| {
        let go = props.on_line.reform(move |_: MouseEvent| line);
        html! { <button class="link line-link" onclick={go}>{ format!("line {line}") }</button> }
    };
    html! {
        <section class="pane inspector lab-inspector" aria-label="Inspector">
            <div class="bar"><h2>{ format!("k = {}", bound.bound) }</h2></div>
            <div class="inspector-body">
                <p class="unrolling-answer">{ answer(bound) }</p>
                if bound.cut.is_empty() {
                    <p class="quiet">{ "No run is cut off." }</p>
                } else {
                    <h3>{ format!("What k = {} leaves open", bound.bound) }</h3>
                    <ul>
                        { for cut.map(|one| html! { <li>{ &one.label }{ ", behind " }{ on_line(one.line) }</li> }) }
                    </ul>
                }
                <h3>{ "By bound" }</h3>
                <table class="figures unrolling-figures">
                    <thead><tr>
                        <th>{ "k" }</th><th>{ "copies" }</th>
                        <th title="Gates of the circuit that says what the runs compute">{ "gates" }</th>
                        <th title="Yes-or-no unknowns that the solver is asked about">{ "unknowns" }</th>
                        <th>{ "answer" }</th>
                    </tr></thead>
                    <tbody>
                        { for props.bounds().iter().map(|one| html! {
                            <tr class={classes!((one.bound == bound.bound).then_some("on"))}>
                                <td>{ one.bound }</td>
                                <td>{ one.graph.boxes.len() as u64 + u64::from(one.left_out) }</td>
                                <td>{ one.nodes }</td>
                                <td>{ one.variables }</td>
                                <td>{ brief(one) }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
                <h3>{ "How often each line is there" }</h3>
                <ul class="unrolling-lines">
                    { for copies(bound).into_iter().map(|(line, reached, all)| html! {
                        <li>{ on_line(line) }{ format!(": {}", copies_of(all as u64)) }
                            if reached < all {
                                <span class="quiet">
                                    { format!(", of which runs come to {reached}") }
                                </span>
                            }
                        </li>
                    }) }
                </ul>
                <p class="quiet small">
                    { "The other tabs follow loops and recursion without a bound. Where they prove \
                        that no run fails, it holds for every k." }
                </p>
            </div>
        </section>
    }
}
