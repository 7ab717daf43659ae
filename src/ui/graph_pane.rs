//! The middle of the page: the picture's frame and controls. The picture itself is a [`GraphView`].

use super::graph_view::{GraphEvent, GraphView};
use super::icons::{Icon, icon};
use super::shared::Shared;
use crate::view::graph::Graph;
use crate::view::paint::{Mark, Marks};
use yew::prelude::*;

/// What is drawn, and how it is marked.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<Graph>,
    pub(super) marks: Shared<Marks>,
    /// Box of the failing statement.
    pub(super) fails: Option<u32>,
    /// Box and statement of the current step.
    pub(super) current: Option<(u32, Option<u32>)>,
    /// Boxes that only the naive projection keeps.
    pub(super) cross: Vec<u32>,
    /// Selected boxes.
    pub(super) selected: Vec<u32>,
    pub(super) on_event: Callback<GraphEvent>,
}

pub(super) enum Msg {
    Fit,
    Zoom(f64),
    Cluster(usize),
}

pub(super) struct GraphPane {
    host: NodeRef,
    view: Option<GraphView>,
}

impl Component for GraphPane {
    type Message = Msg;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        GraphPane { host: NodeRef::default(), view: None }
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        if let Some(view) = &self.view {
            match msg {
                Msg::Fit => view.fit(),
                Msg::Zoom(factor) => view.zoom_by(factor),
                Msg::Cluster(cluster) => view.show_cluster(cluster),
            }
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let new = ctx.props();
        if let Some(view) = &self.view {
            apply(view, new, Some(old));
        }
        old.graph != new.graph || old.marks != new.marks
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let lit = props.marks.boxes.iter().filter(|m| **m == Mark::Lit).count();
        let dim = props.marks.boxes.iter().filter(|m| **m == Mark::Dim).count();
        let counts = match (lit, dim) {
            (0, 0) => String::new(),
            (0, dim) => format!("{dim} boxes not reached"),
            (lit, dim) => format!("{lit} boxes lit · {dim} dim"),
        };
        let procedures = props.graph.clusters.iter().enumerate().map(|(i, c)| {
            let show = ctx.link().callback(move |_| Msg::Cluster(i));
            html! { <button class="link procedure" onclick={show} title={format!("Show {}", c.name)}>{ &c.name }</button> }
        });
        html! {
            <section class="pane graph-pane" aria-label="Control flow">
                <div class="bar">
                    <h2>{ "Control flow" }</h2>
                    <div class="procedures">{ for procedures }</div>
                    <span class="counts">{ counts }</span>
                    <div class="zoom" role="toolbar" aria-label="Zoom">
                        <button class="tool bare" onclick={ctx.link().callback(|_| Msg::Zoom(1.0 / 1.25))} aria-label="Zoom out" title="Zoom out (−)">{ icon(Icon::Minus) }</button>
                        <button class="tool bare text" onclick={ctx.link().callback(|_| Msg::Fit)} title="Fit the picture (0)">{ "Fit" }</button>
                        <button class="tool bare" onclick={ctx.link().callback(|_| Msg::Zoom(1.25))} aria-label="Zoom in" title="Zoom in (+)">{ icon(Icon::Plus) }</button>
                    </div>
                </div>
                <div class="graph">
                    <div ref={self.host.clone()} class="picture" tabindex="0" role="group" aria-label="Control-flow graph: arrow keys move it, plus and minus zoom, 0 fits"></div>
                </div>
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<web_sys::Element>()) else { return };
        let view = GraphView::new(host, ctx.props().on_event.clone());
        apply(&view, ctx.props(), None);
        self.view = Some(view);
    }
}

/// Brings the picture from the old properties to the new ones.
fn apply(view: &GraphView, new: &Props, old: Option<&Props>) {
    let rebuilt = old.is_none_or(|o| o.graph != new.graph);
    if rebuilt {
        view.show(new.graph.clone());
    }
    if rebuilt || old.is_none_or(|o| o.marks != new.marks || o.fails != new.fails) {
        view.paint((*new.marks).clone(), new.fails);
    }
    if rebuilt || old.is_none_or(|o| o.cross != new.cross) {
        view.cross(&new.cross);
    }
    if rebuilt || old.is_none_or(|o| o.selected != new.selected) {
        view.select(&new.selected);
    }
    if rebuilt || old.is_none_or(|o| o.current != new.current) {
        view.step(new.current);
    }
}
