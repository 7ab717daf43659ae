//! The picture of the control-flow graph, outside the virtual DOM: built once per program, moved by one transform, stepped by classes.

use super::graph_svg::markup;
use super::shared::Shared;
use crate::view::graph::{Graph, Rectangle};
use crate::view::paint::{Mark, Marks};
use gloo::events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, KeyboardEvent, PointerEvent, ResizeObserver, WheelEvent};
use yew::Callback;

const LEAST_ZOOM: f64 = 0.08;
const MOST_ZOOM: f64 = 3.0;
/// A fit never magnifies, and never shrinks below what can be read on a projector: a larger picture starts at its top.
const READABLE_ZOOM: f64 = 0.5;
const FIT_ZOOM: f64 = 1.15;
/// Pointer travel, in pixels, that makes a click a drag.
const DRAG_THRESHOLD: f64 = 4.0;

/// What the user does to the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphEvent {
    /// A box (its location number) was clicked.
    Select(u32),
    /// The pointer is over this box, or over none.
    Hover(Option<u32>),
}

/// The picture and its listeners. Dropping it detaches them.
pub(super) struct GraphView {
    inner: Rc<RefCell<Inner>>,
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
    _listeners: Vec<EventListener>,
}

struct Inner {
    host: Element,
    world: Option<Element>,
    boxes: Vec<Element>,
    arrows: Vec<Element>,
    graph: Shared<Graph>,
    position: BTreeMap<u32, usize>,
    marks: Marks,
    fails: Option<usize>,
    current: Option<(usize, Option<u32>)>,
    selected: BTreeSet<usize>,
    /// Kept by the naive projection only.
    crossing: BTreeSet<usize>,
    hovered: Option<usize>,
    /// Width and height; measured when they change, because measuring makes the browser lay out everything.
    extent: (f64, f64),
    zoom: f64,
    shift: (f64, f64),
    /// Has the user moved the picture? Then a resize does not fit it again.
    moved: bool,
    pointers: BTreeMap<i32, (f64, f64)>,
    travelled: f64,
    on_event: Callback<GraphEvent>,
}

impl GraphView {
    /// Takes over an empty element and fills it with an `<svg>`.
    pub(super) fn new(host: Element, on_event: Callback<GraphEvent>) -> GraphView {
        let inner = Rc::new(RefCell::new(Inner {
            host: host.clone(),
            world: None,
            boxes: Vec::new(),
            arrows: Vec::new(),
            graph: Shared::default(),
            position: BTreeMap::new(),
            marks: Marks::default(),
            fails: None,
            current: None,
            selected: BTreeSet::new(),
            crossing: BTreeSet::new(),
            hovered: None,
            extent: measure(&host),
            zoom: 1.0,
            shift: (0.0, 0.0),
            moved: false,
            pointers: BTreeMap::new(),
            travelled: 0.0,
            on_event,
        }));
        let resize = inner.clone();
        let resized = Closure::<dyn FnMut()>::new(move || {
            let mut inner = resize.borrow_mut();
            inner.extent = measure(&inner.host);
            if !inner.moved {
                inner.fit();
                // A larger picture than fits starts at its top: the current box may lie outside.
                if let Some((position, _)) = inner.current {
                    let place = inner.graph.boxes[position].place;
                    inner.reveal(place);
                }
            }
        });
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(&host);
        }
        GraphView { _listeners: listen(&host, &inner), inner, observer, _resized: resized }
    }

    /// Builds the picture of another graph.
    pub(super) fn show(&self, graph: Shared<Graph>) {
        let mut inner = self.inner.borrow_mut();
        inner.build(graph);
    }

    /// Paints what an analysis found; `fails` is the box (by location) where the shown run ends.
    pub(super) fn paint(&self, marks: Marks, fails: Option<u32>) {
        let mut inner = self.inner.borrow_mut();
        inner.marks = marks;
        inner.fails = fails.and_then(|id| inner.position.get(&id).copied());
        inner.refresh_all();
        inner.badge();
    }

    /// Marks the box and the statement of the current step, and brings the box into view.
    pub(super) fn step(&self, current: Option<(u32, Option<u32>)>) {
        let mut inner = self.inner.borrow_mut();
        let old = inner.current;
        inner.current = current.and_then(|(id, statement)| Some((inner.position.get(&id).copied()?, statement)));
        inner.refresh_around(old.map(|o| o.0));
        inner.refresh_around(inner.current.map(|c| c.0));
        if let Some((position, _)) = inner.current {
            let place = inner.graph.boxes[position].place;
            inner.reveal(place);
        }
    }

    /// Marks boxes (by location) as selected.
    pub(super) fn select(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> = locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.selected, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
        if let Some(first) = now.difference(&old).next() {
            let place = inner.graph.boxes[*first].place;
            inner.reveal(place);
        }
    }

    /// Marks boxes (by location) that only the naive projection keeps.
    pub(super) fn cross(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> = locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.crossing, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
    }

    /// Shows the whole picture, or its top where that could not be read.
    pub(super) fn fit(&self) {
        self.inner.borrow_mut().fit();
    }

    /// Zooms around the middle.
    pub(super) fn zoom_by(&self, factor: f64) {
        let mut inner = self.inner.borrow_mut();
        let (width, height) = inner.extent;
        inner.zoom_at(factor, width / 2.0, height / 2.0);
    }

    /// Brings a procedure into view.
    pub(super) fn show_cluster(&self, cluster: usize) {
        let mut inner = self.inner.borrow_mut();
        if let Some(place) = inner.graph.clusters.get(cluster).map(|c| c.place) {
            inner.focus(place);
        }
    }
}

impl Drop for GraphView {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

impl Inner {
    fn build(&mut self, graph: Shared<Graph>) {
        let had_picture = !self.graph.boxes.is_empty();
        self.moved &= had_picture;
        self.host.set_inner_html(&markup(&graph));
        self.world = self.host.query_selector(".world").ok().flatten();
        self.boxes = elements(&self.host, ".box");
        self.arrows = elements(&self.host, ".arrow");
        self.position = graph.boxes.iter().enumerate().map(|(i, b)| (b.id, i)).collect();
        self.graph = graph;
        (self.marks, self.fails, self.current, self.hovered) = (Marks::default(), None, None, None);
        self.selected.clear();
        self.crossing.clear();
        // Where the user has moved the picture, an edit does not move it back.
        if self.moved {
            self.place();
        } else {
            self.fit();
        }
    }

    fn refresh_all(&self) {
        (0..self.boxes.len()).for_each(|i| self.refresh_box(i));
        (0..self.arrows.len()).for_each(|i| self.refresh_arrow(i));
    }

    /// A cross at the corner of the box where the shown run fails: the colour alone does not say it.
    fn badge(&self) {
        elements(&self.host, ".badge").iter().for_each(Element::remove);
        if let Some(position) = self.fails {
            let place = self.graph.boxes[position].place;
            let (x, y) = (place.x + place.width, place.y);
            let markup = format!(
                "<g class=\"badge\" transform=\"translate({x:.1} {y:.1})\"><circle r=\"8.5\"/><path d=\"M-3 -3 L3 3 M3 -3 L-3 3\"/></g>"
            );
            let _ = self.boxes[position].insert_adjacent_html("beforeend", &markup);
        }
    }

    fn refresh_around(&self, position: Option<usize>) {
        let Some(position) = position else { return };
        self.refresh_box(position);
        let id = self.graph.boxes[position].id;
        for (i, arrow) in self.graph.arrows.iter().enumerate() {
            if arrow.from == id {
                self.refresh_arrow(i);
            }
        }
    }

    fn refresh_box(&self, position: usize) {
        let kind = match self.graph.boxes[position].kind {
            crate::view::graph::BoxKind::Statement => "statement",
            crate::view::graph::BoxKind::Condition => "condition",
            crate::view::graph::BoxKind::Call => "call",
            crate::view::graph::BoxKind::Assertion => "assertion",
            crate::view::graph::BoxKind::Exit => "exit",
        };
        let mut class = format!("box {kind}");
        class.push_str(mark_class(self.marks.boxes.get(position)));
        let flags = [
            (self.fails == Some(position), " fails"),
            (self.current.is_some_and(|c| c.0 == position), " now"),
            (self.selected.contains(&position), " selected"),
            (self.crossing.contains(&position), " cross"),
            (self.hovered == Some(position), " hovered"),
        ];
        flags.iter().filter(|(on, _)| *on).for_each(|(_, name)| class.push_str(name));
        set(&self.boxes[position], "class", &class);
        let said = match self.marks.boxes.get(position) {
            Some(Mark::Lit) => ", can fail",
            Some(Mark::Dim) => ", innocent",
            _ => "",
        };
        let b = &self.graph.boxes[position];
        let fails = if self.fails == Some(position) { ", the shown run fails here" } else { "" };
        set(&self.boxes[position], "aria-label", &format!("line {}: {}{said}{fails}", b.line, b.label));
    }

    fn refresh_arrow(&self, position: usize) {
        let arrow = &self.graph.arrows[position];
        let mut class = String::from(if arrow.call { "arrow call" } else { "arrow" });
        class.push_str(mark_class(self.marks.arrows.get(position)));
        let now = self.current.is_some_and(|(at, statement)| {
            self.graph.boxes[at].id == arrow.from && statement == Some(arrow.statement) && self.fails != Some(at)
        });
        if now {
            class.push_str(" now");
        }
        set(&self.arrows[position], "class", &class);
    }

    fn fit(&mut self) {
        let (width, height) = self.extent;
        let size = self.graph.size;
        if width <= 0.0 || size.x <= 0.0 {
            return;
        }
        let whole = (width / size.x).min(height / size.y);
        self.zoom = whole.clamp(READABLE_ZOOM, FIT_ZOOM);
        let room = |available: f64, wanted: f64| if wanted <= available { (available - wanted) / 2.0 } else { 0.0 };
        self.shift = (room(width, size.x * self.zoom), room(height, size.y * self.zoom));
        self.moved = false;
        self.place();
    }

    /// Shows all of a rectangle, at the present zoom if that is enough.
    fn focus(&mut self, place: Rectangle) {
        let (width, height) = self.extent;
        let wanted = (width / (place.width + 48.0)).min(height / (place.height + 48.0)).clamp(READABLE_ZOOM, FIT_ZOOM);
        self.zoom = wanted;
        let top = if place.height * wanted > height { 24.0 } else { (height - place.height * wanted) / 2.0 };
        self.shift = ((width - place.width * wanted) / 2.0 - place.x * wanted, top - place.y * wanted);
        self.moved = true;
        self.place();
    }

    /// Moves the picture by as little as needed for a rectangle to be well inside.
    fn reveal(&mut self, place: Rectangle) {
        let (width, height) = self.extent;
        if width <= 0.0 {
            return;
        }
        let push = |from: f64, to: f64, available: f64| {
            let margin = 40.0f64.min((available - (to - from)).max(0.0) / 2.0);
            if from < margin {
                margin - from
            } else if to > available - margin {
                available - margin - to
            } else {
                0.0
            }
        };
        let (x, y) = (place.x * self.zoom + self.shift.0, place.y * self.zoom + self.shift.1);
        let dx = push(x, x + place.width * self.zoom, width);
        let dy = push(y, y + place.height * self.zoom, height);
        if dx != 0.0 || dy != 0.0 {
            self.shift = (self.shift.0 + dx, self.shift.1 + dy);
            self.place();
        }
    }

    fn zoom_at(&mut self, factor: f64, x: f64, y: f64) {
        let zoom = (self.zoom * factor).clamp(LEAST_ZOOM, MOST_ZOOM);
        let ratio = zoom / self.zoom;
        self.shift = (x - (x - self.shift.0) * ratio, y - (y - self.shift.1) * ratio);
        self.zoom = zoom;
        self.moved = true;
        self.place();
    }

    fn pan(&mut self, dx: f64, dy: f64) {
        self.shift = (self.shift.0 + dx, self.shift.1 + dy);
        self.moved = true;
        self.place();
    }

    fn place(&self) {
        if let Some(world) = &self.world {
            let (x, y) = self.shift;
            // On the element, not on a group inside: a group's transform makes the browser lay out every text again.
            set(world, "style", &format!("transform: translate({x:.2}px, {y:.2}px) scale({:.4})", self.zoom));
        }
    }

    fn local(&self, x: f64, y: f64) -> (f64, f64) {
        let area = self.host.get_bounding_client_rect();
        (x - area.left(), y - area.top())
    }

    fn pointer_moved(&mut self, id: i32, to: (f64, f64)) {
        let Some(from) = self.pointers.insert(id, to) else {
            self.pointers.remove(&id);
            return;
        };
        let other = self.pointers.iter().find(|(other, _)| **other != id).map(|(_, at)| *at);
        match other {
            None => {
                self.travelled += (to.0 - from.0).hypot(to.1 - from.1);
                if self.travelled > DRAG_THRESHOLD {
                    set(&self.host, "data-dragging", "true");
                    self.pan(to.0 - from.0, to.1 - from.1);
                }
            }
            Some(other) => {
                self.travelled = f64::INFINITY;
                let before = (from.0 - other.0).hypot(from.1 - other.1).max(1.0);
                let after = (to.0 - other.0).hypot(to.1 - other.1).max(1.0);
                let (x, y) = self.local((to.0 + other.0) / 2.0, (to.1 + other.1) / 2.0);
                self.zoom_at(after / before, x, y);
                self.pan((to.0 - from.0) / 2.0, (to.1 - from.1) / 2.0);
            }
        }
    }

    fn hover(&mut self, position: Option<usize>) -> Option<GraphEvent> {
        if position == self.hovered {
            return None;
        }
        let old = std::mem::replace(&mut self.hovered, position);
        old.into_iter().chain(position).for_each(|p| self.refresh_box(p));
        Some(GraphEvent::Hover(position.map(|p| self.graph.boxes[p].id)))
    }
}

fn listen(host: &Element, inner: &Rc<RefCell<Inner>>) -> Vec<EventListener> {
    let on = |name: &'static str, handle: fn(&Rc<RefCell<Inner>>, &web_sys::Event)| {
        let inner = inner.clone();
        EventListener::new_with_options(host, name, EventListenerOptions::enable_prevent_default(), move |event| handle(&inner, event))
    };
    vec![
        on("pointerdown", |inner, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut inner = inner.borrow_mut();
            if inner.pointers.is_empty() {
                inner.travelled = 0.0;
            }
            inner.pointers.insert(event.pointer_id(), (event.client_x().into(), event.client_y().into()));
        }),
        on("pointermove", |inner, event| {
            let event: &PointerEvent = event.unchecked_ref();
            let mut view = inner.borrow_mut();
            view.pointer_moved(event.pointer_id(), (event.client_x().into(), event.client_y().into()));
            // Captured only once it is a drag: a captured pointer would take the click away from the box.
            if view.travelled > DRAG_THRESHOLD && view.pointers.contains_key(&event.pointer_id()) {
                let _ = view.host.set_pointer_capture(event.pointer_id());
            }
        }),
        on("pointerup", release),
        on("pointercancel", release),
        on("pointerover", |inner, event| {
            let position = hit(event);
            let said = inner.borrow_mut().hover(position);
            tell(inner, said);
        }),
        on("pointerleave", |inner, _| {
            let said = inner.borrow_mut().hover(None);
            tell(inner, said);
        }),
        on("click", |inner, event| {
            let said = {
                let view = inner.borrow();
                hit(event).filter(|_| view.travelled <= DRAG_THRESHOLD).map(|p| GraphEvent::Select(view.graph.boxes[p].id))
            };
            tell(inner, said);
        }),
        on("wheel", |inner, event| {
            event.prevent_default();
            let event: &WheelEvent = event.unchecked_ref();
            let mut view = inner.borrow_mut();
            let (x, y) = view.local(event.client_x().into(), event.client_y().into());
            let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
            // A pinch on a trackpad arrives as a wheel with Ctrl and small steps; a notch of a mouse's wheel is some hundred pixels.
            let travel = event.delta_y() * lines;
            let exponent = if event.ctrl_key() { travel.clamp(-20.0, 20.0) * 0.01 } else { travel * 0.0016 };
            view.zoom_at((-exponent).exp(), x, y);
        }),
        on("keydown", |inner, event| {
            let key: &KeyboardEvent = event.unchecked_ref();
            if key.ctrl_key() || key.meta_key() || key.alt_key() {
                return;
            }
            let mut view = inner.borrow_mut();
            let (width, height) = view.extent;
            match key.key().as_str() {
                "ArrowLeft" => view.pan(60.0, 0.0),
                "ArrowRight" => view.pan(-60.0, 0.0),
                "ArrowUp" => view.pan(0.0, 60.0),
                "ArrowDown" => view.pan(0.0, -60.0),
                "+" | "=" => view.zoom_at(1.2, width / 2.0, height / 2.0),
                "-" => view.zoom_at(1.0 / 1.2, width / 2.0, height / 2.0),
                "0" => view.fit(),
                _ => return,
            }
            key.prevent_default();
            key.stop_propagation();
        }),
    ]
}

fn measure(host: &Element) -> (f64, f64) {
    let area = host.get_bounding_client_rect();
    (area.width(), area.height())
}

fn release(inner: &Rc<RefCell<Inner>>, event: &web_sys::Event) {
    let event: &PointerEvent = event.unchecked_ref();
    let mut view = inner.borrow_mut();
    view.pointers.remove(&event.pointer_id());
    let _ = view.host.remove_attribute("data-dragging");
}

/// Emits outside the borrow: the callback may come back to the view.
fn tell(inner: &Rc<RefCell<Inner>>, said: Option<GraphEvent>) {
    if let Some(event) = said {
        let callback = inner.borrow().on_event.clone();
        callback.emit(event);
    }
}

fn hit(event: &web_sys::Event) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("[data-box]").ok()??.get_attribute("data-box")?.parse().ok()
}

fn elements(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)).filter_map(|node| node.dyn_into().ok()).collect()
}

fn mark_class(mark: Option<&Mark>) -> &'static str {
    match mark {
        Some(Mark::Lit) => " lit",
        Some(Mark::Dim) => " dim",
        _ => "",
    }
}

fn set(element: &Element, name: &str, value: &str) {
    // It fails only for names that are no attribute names.
    let _: Result<(), JsValue> = element.set_attribute(name, value);
}
