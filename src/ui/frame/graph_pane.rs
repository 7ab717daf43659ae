//! The middle of the page: the picture's frame and controls. The picture itself is a [`GraphView`].

use super::graph_search::GraphSearch;
use super::graph_view::GraphView;
use super::icons::{Icon, icon};
use super::zoom_bar::{Zoom, ZoomBar};
use crate::draw::fold::{WHOLE, chains};
use crate::draw::paint::{Mark, Marks};
use crate::ui::state::picture::GraphEvent;
use crate::ui::state::shared::Shared;
use crate::wire::graph::Graph;
use crate::wire::graph::{Folding, Scope};
use yew::prelude::*;

/// What is drawn, and how it is marked.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What it is a picture of.
    pub(crate) title: &'static str,
    /// The whole graph, without places: what is searched.
    pub(crate) graph: Shared<Graph>,
    /// What is shown of it.
    pub(crate) picture: Shared<Graph>,
    pub(crate) folding: Folding,
    pub(crate) marks: Shared<Marks>,
    /// Box of the failing statement.
    pub(crate) fails: Option<u32>,
    /// Box and statement of the current step.
    pub(crate) current: Option<(u32, Option<u32>)>,
    /// Boxes that only the naive projection keeps.
    pub(crate) cross: Vec<u32>,
    /// Selected boxes.
    pub(crate) selected: Vec<u32>,
    pub(crate) on_event: Callback<GraphEvent>,
}

pub(crate) enum Msg {
    Zoom(Zoom),
    Cluster(usize),
    Search,
    Found(Vec<u32>, Option<u32>),
    EndSearch,
}

pub(crate) struct GraphPane {
    host: NodeRef,
    view: Option<GraphView>,
    searching: bool,
    found: Vec<u32>,
    has_chains: bool,
}

impl Component for GraphPane {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Self {
        let has_chains = !chains(&ctx.props().graph).is_empty();
        GraphPane {
            host: NodeRef::default(),
            view: None,
            searching: false,
            found: Vec::new(),
            has_chains,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Search => return !std::mem::replace(&mut self.searching, true),
            Msg::Found(found, jump) => {
                self.found = found;
                if let Some(view) = &self.view {
                    view.found(&self.found);
                }
                if let Some(location) = jump {
                    ctx.props().on_event.emit(GraphEvent::Find(location));
                }
                return false;
            }
            Msg::EndSearch => {
                (self.searching, self.found) = (false, Vec::new());
                if let Some(view) = &self.view {
                    view.found(&[]);
                    view.focus();
                }
                return true;
            }
            _ => {}
        }
        if let Some(view) = &self.view {
            match msg {
                Msg::Zoom(zoom) => view.zoom(zoom),
                Msg::Cluster(cluster) => view.show_cluster(cluster),
                Msg::Search | Msg::Found(..) | Msg::EndSearch => {}
            }
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let new = ctx.props();
        if let Some(view) = &self.view {
            apply(view, new, Some(old));
            if old.picture != new.picture {
                view.found(&self.found);
            }
        }
        if old.graph != new.graph {
            self.has_chains = !chains(&new.graph).is_empty();
        }
        old.graph != new.graph
            || old.picture != new.picture
            || old.folding != new.folding
            || old.marks != new.marks
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let lit = props.marks.boxes.iter().filter(|m| **m == Mark::Lit).count();
        let dim = props.marks.boxes.iter().filter(|m| **m == Mark::Dim).count();
        let things = |count: usize| match (&props.folding.scope, count) {
            (Scope::Calls, 1) => "procedure",
            (Scope::Calls, _) => "procedures",
            (_, 1) => "box",
            _ => "boxes",
        };
        let counts = match (lit, dim) {
            (0, 0) => String::new(),
            (0, dim) => format!("{dim} {} not reached", things(dim)),
            (lit, dim) => format!("{lit} {} lit · {dim} dim", things(lit)),
        };
        let key = ctx.link().batch_callback(|event: KeyboardEvent| {
            let find = event.key() == "f" && (event.ctrl_key() || event.meta_key());
            let slash = event.key() == "/"
                && !event.ctrl_key()
                && !event.meta_key()
                && !event.alt_key()
                && !typing(&event);
            (find || slash).then(|| {
                event.prevent_default();
                event.stop_propagation();
                Msg::Search
            })
        });
        let chains = props.folding.chains;
        let fold_chains = props.on_event.reform(move |_: MouseEvent| GraphEvent::Chains(!chains));
        let chain_title =
            if chains { "Unfold rows of statements" } else { "Fold rows of statements" };
        let more = html! {
            <>
                <button
                    class="tool bare"
                    onclick={ctx.link().callback(|_| Msg::Search)}
                    aria-label="Search"
                    title="Search (/)"
                    aria-keyshortcuts="/"
                    aria-expanded={self.searching.to_string()}
                >
                    { icon(Icon::Search) }
                </button>
                if self.has_chains && props.folding.scope != Scope::Calls {
                    <button
                        class={classes!("tool", "bare", chains.then_some("on"))}
                        onclick={fold_chains}
                        aria-label="Fold rows of statements"
                        aria-pressed={chains.to_string()}
                        title={chain_title}
                    >
                        { icon(Icon::Folded) }
                    </button>
                }
            </>
        };
        html! {
            <section class="pane graph-pane" aria-label={ctx.props().title} onkeydown={key}>
                <div class="bar">
                    { self.parts(ctx) }
                    <span class="counts">{ counts }</span>
                    <ZoomBar on_zoom={ctx.link().callback(Msg::Zoom)} before={more} />
                </div>
                <div class="graph">
                    if self.searching {
                        <GraphSearch
                            graph={props.graph.clone()}
                            on_found={ctx.link().callback(|(found, jump)| Msg::Found(found, jump))}
                            on_close={ctx.link().callback(|()| Msg::EndSearch)}
                        />
                    }
                    <div
                        ref={self.host.clone()}
                        class="picture"
                        tabindex="0"
                        role="application"
                        aria-label="Control-flow graph: arrow keys go from box to box, Enter \
                            unfolds, plus and minus zoom, 0 fits, slash searches"
                    >
                    </div>
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

impl GraphPane {
    /// Which part of the program is shown, and the way to others.
    fn parts(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let clusters = &props.graph.clusters;
        let show = |scope: Scope| {
            props.on_event.reform(move |_: MouseEvent| GraphEvent::Show(scope.clone()))
        };
        let part = |name: &'static str, scope: Scope| {
            let on = props.folding.scope == scope;
            html! {
                <button
                    class={classes!("segment", on.then_some("on"))}
                    aria-pressed={on.to_string()}
                    onclick={show(scope)}
                >
                    { name }
                </button>
            }
        };
        let procedures = clusters.iter().enumerate().map(|(i, c)| {
            let show = ctx.link().callback(move |_| Msg::Cluster(i));
            html! {
                <button class="link procedure" onclick={show} title={format!("Show {}", c.name)}>
                    { &c.name }
                </button>
            }
        });
        html! {
            <>
                if clusters.len() > 1 {
                    <div class="segments parts" role="group" aria-label="Part of the program">
                        if props.graph.boxes.len() <= WHOLE {
                            { part(props.title, Scope::Program) }
                        }
                        { part("Call graph", Scope::Calls) }
                    </div>
                } else {
                    <h2>{ props.title }</h2>
                }
                <div class="procedures">
                    if let Scope::Procedure(name) = &props.folding.scope {
                        <span class="part" aria-current="true">
                            <span aria-hidden="true">{ "› " }</span>{ name }
                        </span>
                    } else if props.folding.scope == Scope::Program {
                        { for procedures }
                    }
                </div>
            </>
        }
    }
}

fn typing(event: &KeyboardEvent) -> bool {
    let target: Option<web_sys::Element> = event.target_dyn_into();
    target
        .is_some_and(|target| target.closest("input, textarea").is_ok_and(|found| found.is_some()))
}

/// Brings the picture from the old properties to the new ones.
fn apply(view: &GraphView, new: &Props, old: Option<&Props>) {
    let rebuilt = old.is_none_or(|o| o.picture != new.picture);
    if rebuilt {
        view.show(new.picture.clone());
    }
    if rebuilt || old.is_none_or(|o| o.marks != new.marks || o.fails != new.fails) {
        view.paint((*new.marks).clone(), new.fails);
    }
    if rebuilt || old.is_none_or(|o| o.cross != new.cross) {
        view.cross(&new.cross);
    }
    if rebuilt || old.is_none_or(|o| o.current != new.current) {
        view.step(new.current);
    }
    // Last, so that what was selected comes into view and not the step.
    if rebuilt || old.is_none_or(|o| o.selected != new.selected) {
        view.select(&new.selected);
    }
}
