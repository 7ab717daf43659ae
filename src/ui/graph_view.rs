//! The picture of the control-flow graph, outside the virtual DOM: built once per program and folding, moved by one transform, stepped by
//! classes.

mod listen;

use super::minimap::Minimap;
use super::shared::Shared;
use crate::view::fold::Scope;
use crate::view::graph::{Graph, Rectangle};
use crate::view::paint::{Mark, Marks};
use crate::view::svg::{badge, mark_class, markup, spoken};
use gloo::events::EventListener;
use listen::listen;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, PointerEvent, ResizeObserver};
use yew::Callback;

const LEAST_ZOOM: f64 = 0.08;
const MOST_ZOOM: f64 = 3.0;
/// A fit never magnifies, and never shrinks below what can be read on a projector: a larger picture starts at its top.
const READABLE_ZOOM: f64 = 0.5;
const FIT_ZOOM: f64 = 1.15;
/// Pointer travel, in pixels, that makes a click a drag.
const DRAG_THRESHOLD: f64 = 4.0;

/// What the user does to the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GraphEvent {
    /// A box (its location number) was clicked.
    Select(u32),
    /// A box was clicked with Shift held.
    Add(u32),
    /// The pointer is over this box, or over none.
    Hover(Option<u32>),
    /// A folded box is to be unfolded.
    Unfold(u32),
    /// The chain that starts at this box is to be folded.
    FoldChain(u32),
    /// A procedure is to be folded.
    FoldProcedure(usize),
    /// All chains are to be folded or unfolded.
    Chains(bool),
    /// Another part is to be shown.
    Show(Scope),
    /// From one procedure back to the call graph.
    Up,
    /// A search found this box: it is to be shown and selected.
    Find(u32),
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
    /// What a search has found.
    found: BTreeSet<usize>,
    /// The box that the keys move.
    cursor: Option<usize>,
    /// Where a box that was folded or unfolded stood: it stays there.
    anchor: Option<(u32, (f64, f64))>,
    minimap: Option<Minimap>,
    /// The pointer that drags the map.
    map_pointer: Option<i32>,
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
            found: BTreeSet::new(),
            cursor: None,
            anchor: None,
            minimap: None,
            map_pointer: None,
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
        if let Some(map) = &inner.minimap {
            map.paint(&inner.graph, &inner.marks);
        }
    }

    /// Marks the box and the statement of the current step, and brings the box into view.
    pub(super) fn step(&self, current: Option<(u32, Option<u32>)>) {
        let mut inner = self.inner.borrow_mut();
        let old = inner.current;
        inner.current = current.and_then(|(id, statement)| Some((inner.position.get(&id).copied()?, statement)));
        inner.refresh_around(old.map(|o| o.0));
        inner.refresh_around(inner.current.map(|c| c.0));
        let position = inner.current.map(|(position, _)| position);
        if let Some(map) = &inner.minimap {
            map.current(&inner.graph, position);
        }
        if let Some(position) = position {
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

    /// Marks boxes (by location) as found by a search.
    pub(super) fn found(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> = locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.found, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
    }

    /// Gives the keyboard back to the picture.
    pub(super) fn focus(&self) {
        let host = self.inner.borrow().host.clone();
        if let Ok(host) = host.dyn_into::<web_sys::HtmlElement>() {
            let _ = host.focus();
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
        let framed = |graph: &Graph| graph.clusters.iter().filter(|c| !c.frameless).map(|c| c.name.clone()).collect::<Vec<_>>();
        let another_part = had_picture && framed(&self.graph) != framed(&graph);
        let cursor = self.cursor.take().and_then(|at| self.graph.boxes.get(at)).map(|b| b.id);
        self.host.set_inner_html(&markup(&graph));
        self.world = self.host.query_selector(".world").ok().flatten();
        self.boxes = elements(&self.host, ".box");
        self.arrows = elements(&self.host, ".arrow");
        let own = graph.boxes.iter().enumerate().map(|(i, b)| (b.id, i));
        let folded = graph.boxes.iter().enumerate().flat_map(|(i, b)| b.stands_for.iter().map(move |id| (*id, i)));
        self.position = folded.chain(own).collect();
        self.graph = graph;
        (self.marks, self.fails, self.current, self.hovered) = (Marks::default(), None, None, None);
        self.selected.clear();
        self.crossing.clear();
        self.found.clear();
        self.minimap = Minimap::new(&self.host, &self.graph);
        let anchor = self.anchor.take().and_then(|(id, at)| Some((self.position.get(&id).copied()?, at)));
        match anchor {
            // What was clicked stays under the pointer.
            Some((position, (x, y))) if !another_part => {
                let place = self.graph.boxes[position].place;
                self.shift = (x - place.x * self.zoom, y - place.y * self.zoom);
                self.moved = true;
                self.place();
            }
            // Where the user has moved the picture, an edit does not move it back.
            _ if self.moved && !another_part => self.place(),
            _ => self.fit(),
        }
        if let Some(id) = cursor {
            // In another part the keys go on at its first box.
            let first = self.graph.boxes.iter().position(|b| !b.is_folded()).or((!self.graph.boxes.is_empty()).then_some(0));
            self.set_cursor(if another_part { first } else { self.position.get(&id).copied() });
        }
    }

    /// Remembers where a box stands on the screen.
    fn hold(&mut self, id: u32) {
        if let Some(position) = self.position.get(&id) {
            let place = self.graph.boxes[*position].place;
            self.anchor = Some((id, (place.x * self.zoom + self.shift.0, place.y * self.zoom + self.shift.1)));
        }
    }

    /// What a click on a box, or Enter, does.
    fn activate(&mut self, position: usize) -> Option<GraphEvent> {
        let b = self.graph.boxes.get(position)?;
        let (id, folded) = (b.id, b.is_folded());
        if !folded {
            return Some(GraphEvent::Select(id));
        }
        self.hold(id);
        Some(GraphEvent::Unfold(id))
    }

    /// Enter unfolds what is folded and folds a chain at its first box; else it selects.
    fn enter(&mut self, position: usize) -> Option<GraphEvent> {
        let b = &self.graph.boxes[position];
        if !b.heads_chain {
            return self.activate(position);
        }
        let head = b.id;
        self.hold(head);
        Some(GraphEvent::FoldChain(head))
    }

    fn pan_by_key(&mut self, dx: f64, dy: f64) -> Option<GraphEvent> {
        self.pan(dx, dy);
        None
    }

    fn set_cursor(&mut self, position: Option<usize>) {
        let old = std::mem::replace(&mut self.cursor, position);
        old.into_iter().chain(position).filter(|p| *p < self.boxes.len()).for_each(|p| self.refresh_box(p));
        match position {
            Some(position) => {
                set(&self.host, "aria-activedescendant", &format!("box-{position}"));
                let place = self.graph.boxes[position].place;
                self.reveal(place);
            }
            None => {
                let _ = self.host.remove_attribute("aria-activedescendant");
            }
        }
    }

    /// Moves the cursor to the nearest box in a direction; boxes that an arrow joins are nearer than they look.
    fn walk(&mut self, dx: f64, dy: f64) -> Option<GraphEvent> {
        let start = self.cursor.or(self.selected.first().copied()).or(self.current.map(|c| c.0));
        let next = match start {
            None => (!self.graph.boxes.is_empty()).then_some(0),
            Some(start) if self.cursor.is_none() => Some(start),
            Some(start) => self.beside(start, dx, dy),
        }?;
        self.set_cursor(Some(next));
        let b = &self.graph.boxes[next];
        (!b.is_folded()).then_some(GraphEvent::Select(b.id))
    }

    fn beside(&self, start: usize, dx: f64, dy: f64) -> Option<usize> {
        let from = &self.graph.boxes[start];
        let joined: BTreeSet<u32> = self
            .graph
            .arrows
            .iter()
            .filter_map(|a| if a.from == from.id { Some(a.to) } else { (a.to == from.id).then_some(a.from) })
            .collect();
        let middle = |r: &Rectangle| (r.x + r.width / 2.0, r.y + r.height / 2.0);
        let (x, y) = middle(&from.place);
        let distance = |i: usize| {
            let b = &self.graph.boxes[i];
            let (bx, by) = middle(&b.place);
            let along = (bx - x) * dx + (by - y) * dy;
            let aside = ((bx - x) * dy).abs() + ((by - y) * dx).abs();
            let far = along + 2.0 * aside;
            (i != start && along > 4.0).then_some(if joined.contains(&b.id) { far * 0.4 } else { far })
        };
        let candidates = (0..self.graph.boxes.len()).filter_map(|i| Some((distance(i)?, i)));
        candidates.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, i)| i)
    }

    /// Brings a point of the picture into the middle.
    fn center(&mut self, x: f64, y: f64) {
        let (width, height) = self.extent;
        self.shift = (width / 2.0 - x * self.zoom, height / 2.0 - y * self.zoom);
        self.moved = true;
        self.place();
    }

    fn refresh_all(&self) {
        (0..self.boxes.len()).for_each(|i| self.refresh_box(i));
        (0..self.arrows.len()).for_each(|i| self.refresh_arrow(i));
    }

    /// A cross at the corner of the box where the shown run fails.
    fn badge(&self) {
        elements(&self.host, ".badge").iter().for_each(Element::remove);
        if let Some(position) = self.fails {
            let _ = self.boxes[position].insert_adjacent_html("beforeend", &badge(&self.graph.boxes[position].place));
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
        let mut class = format!("box {}", self.graph.boxes[position].kind.word());
        class.push_str(mark_class(self.marks.boxes.get(position)));
        let flags = [
            (self.fails == Some(position), " fails"),
            (self.current.is_some_and(|c| c.0 == position), " now"),
            (self.selected.contains(&position), " selected"),
            (self.crossing.contains(&position), " cross"),
            (self.hovered == Some(position), " hovered"),
            (self.found.contains(&position), " found"),
            (self.cursor == Some(position), " cursor"),
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
        set(&self.boxes[position], "aria-label", &format!("{}{said}{fails}", spoken(b)));
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
        if let Some(start) = self.start().filter(|_| whole < READABLE_ZOOM) {
            // A call graph that is too large starts where the program does.
            let top = (height / 2.0 - (start.y + start.height / 2.0) * self.zoom).clamp((height - size.y * self.zoom).min(0.0), 0.0);
            self.shift.1 = if size.y * self.zoom > height { top } else { self.shift.1 };
        }
        self.moved = false;
        self.place();
    }

    /// In a call graph, the place of the start procedure.
    fn start(&self) -> Option<Rectangle> {
        let boxes = &self.graph.boxes;
        let calls = !boxes.is_empty() && boxes.iter().all(|b| b.kind == crate::view::graph::BoxKind::Procedure);
        let main = boxes.iter().find(|b| b.label == "main").or(boxes.first());
        main.filter(|_| calls).map(|b| b.place)
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
        if let Some(map) = &self.minimap {
            map.look(self.extent, self.shift, self.zoom);
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

    fn clicked(&mut self, event: &web_sys::Event) -> Option<GraphEvent> {
        if let Some(cluster) = data(event, "data-fold").and_then(|text| text.parse().ok()) {
            return Some(GraphEvent::FoldProcedure(cluster));
        }
        if let Some(head) = data(event, "data-chain").and_then(|text| text.parse().ok()) {
            self.hold(head);
            return Some(GraphEvent::FoldChain(head));
        }
        let position = hit(event)?;
        if self.cursor.is_some() {
            self.set_cursor(Some(position));
        }
        self.activate(position)
    }

    fn drag_map(&mut self, event: &PointerEvent) {
        if let Some(map) = &self.minimap {
            let to = map.point(event.client_x().into(), event.client_y().into());
            self.center(to.x, to.y);
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

fn measure(host: &Element) -> (f64, f64) {
    let area = host.get_bounding_client_rect();
    (area.width(), area.height())
}

fn hit(event: &web_sys::Event) -> Option<usize> {
    data(event, "data-box")?.parse().ok()
}

/// An attribute of what was hit, or of what it lies in.
fn data(event: &web_sys::Event, name: &str) -> Option<String> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(&format!("[{name}]")).ok()??.get_attribute(name)
}

fn elements(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)).filter_map(|node| node.dyn_into().ok()).collect()
}

fn set(element: &Element, name: &str, value: &str) {
    // It fails only for names that are no attribute names.
    let _: Result<(), JsValue> = element.set_attribute(name, value);
}
