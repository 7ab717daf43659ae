//! The middle of the page while it shows memory at the step of a run.

use super::icons::{Icon, icon};
use super::viewport::Viewport;
use super::zoom_bar::{Zoom, ZoomBar};
use crate::wire::graph::Point;
use yew::prelude::*;

/// What is drawn.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The picture as SVG.
    pub(crate) svg: AttrValue,
    pub(crate) size: Point,
    /// The same in words.
    pub(crate) spoken: AttrValue,
    /// Back to the other picture.
    pub(crate) on_close: Callback<()>,
}

pub(crate) enum Msg {
    Zoom(Zoom),
    Key(KeyboardEvent),
}

pub(crate) struct MemoryPane {
    host: NodeRef,
    viewport: Option<Viewport>,
}

impl Component for MemoryPane {
    type Message = Msg;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        MemoryPane { host: NodeRef::default(), viewport: None }
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        let Some(viewport) = &self.viewport else { return false };
        match msg {
            Msg::Zoom(zoom) => viewport.zoom(zoom),
            Msg::Key(event) => {
                if viewport.key(&event) {
                    event.prevent_default();
                    event.stop_propagation();
                }
            }
        }
        false
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let new = ctx.props();
        if new.svg != old.svg {
            self.show(new);
        }
        new.spoken != old.spoken
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let close = html! {
            <button class="tool bare" aria-label="Close the picture of memory"
                title="Back to the other picture (m)"
                onclick={props.on_close.reform(|_: MouseEvent| ())}>
                { icon(Icon::Close) }
            </button>
        };
        html! {
            <section class="pane graph-pane memory-pane" aria-label="Memory">
                <div class="bar">
                    <h2>{ "Memory" }</h2>
                    <span class="counts">{ "before the step; what it changes is marked" }</span>
                    <ZoomBar on_zoom={ctx.link().callback(Msg::Zoom)} after={close} />
                </div>
                <div class="graph">
                    <div ref={self.host.clone()} class="picture" tabindex="0" role="img"
                        aria-label={format!("Memory before the step: {}", props.spoken)}
                        onkeydown={ctx.link().callback(Msg::Key)}>
                    </div>
                </div>
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<web_sys::Element>()) else { return };
        self.viewport = Some(Viewport::new(&host));
        self.show(ctx.props());
    }
}

impl MemoryPane {
    /// Puts the picture where the one before it was; the user's zoom stays.
    fn show(&self, props: &Props) {
        let (Some(viewport), Some(host)) = (&self.viewport, self.host.cast::<web_sys::Element>())
        else {
            return;
        };
        host.set_inner_html(&props.svg);
        viewport.picture(props.size, None, None);
        match viewport.moved() {
            true => viewport.place(),
            false => viewport.fit(),
        }
    }
}
