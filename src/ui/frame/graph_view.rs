//! The picture of the control-flow graph, outside the virtual DOM: built once per program and
//! folding, moved by one transform, stepped by classes.

mod listen;

use super::minimap::Minimap;
use super::viewport::{Viewport, data, elements, labels, set};
use super::zoom_bar::Zoom;
use crate::draw::paint::{Mark, Marks};
use crate::draw::svg::{badge, mark_class, markup, spoken};
use crate::ui::state::picture::GraphEvent;
use crate::ui::state::shared::Shared;
use crate::wire::graph::{Graph, Rectangle};
use gloo::events::EventListener;
use listen::listen;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::Callback;

/// The picture and its listeners. Dropping it detaches them.
pub(crate) struct GraphView {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<EventListener>,
}

struct Inner {
    host: Element,
    viewport: Viewport,
    boxes: Vec<Element>,
    arrows: Vec<Element>,
    /// Of each arrow, if it has one.
    labels: Vec<Option<Element>>,
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
    on_event: Callback<GraphEvent>,
}

impl GraphView {
    /// Takes over an empty element and fills it with an `<svg>`.
    pub(crate) fn new(host: Element, on_event: Callback<GraphEvent>) -> GraphView {
        // The part in view listens first: a click knows then whether it was a drag.
        let viewport = Viewport::new(&host);
        let inner = Rc::new(RefCell::new(Inner {
            host: host.clone(),
            viewport,
            boxes: Vec::new(),
            arrows: Vec::new(),
            labels: Vec::new(),
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
            on_event,
        }));
        GraphView { _listeners: listen(&host, &inner), inner }
    }

    /// Builds the picture of another graph.
    pub(crate) fn show(&self, graph: Shared<Graph>) {
        let mut inner = self.inner.borrow_mut();
        inner.build(graph);
    }

    /// Paints what an analysis found; `fails` is the box (by location) where the shown run ends.
    pub(crate) fn paint(&self, marks: Marks, fails: Option<u32>) {
        let mut inner = self.inner.borrow_mut();
        inner.marks = marks;
        inner.fails = fails.and_then(|id| inner.position.get(&id).copied());
        inner.refresh_all();
        inner.badge();
        inner.viewport.with_map(|map| map.paint(&inner.graph, &inner.marks));
    }

    /// Marks the box and the statement of the current step, and brings the box into view.
    pub(crate) fn step(&self, current: Option<(u32, Option<u32>)>) {
        let mut inner = self.inner.borrow_mut();
        let old = inner.current;
        inner.current = current
            .and_then(|(id, statement)| Some((inner.position.get(&id).copied()?, statement)));
        inner.refresh_around(old.map(|o| o.0));
        inner.refresh_around(inner.current.map(|c| c.0));
        let position = inner.current.map(|(position, _)| position);
        inner.viewport.with_map(|map| map.current(&inner.graph, position));
        let place = position.map(|position| inner.graph.boxes[position].place);
        inner.viewport.keep(place);
        if let Some(place) = place {
            inner.viewport.reveal(place);
        }
    }

    /// Marks boxes (by location) as selected.
    pub(crate) fn select(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> =
            locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.selected, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
        if let Some(first) = now.difference(&old).next() {
            inner.viewport.reveal(inner.graph.boxes[*first].place);
        }
    }

    /// Marks boxes (by location) that only the naive projection keeps.
    pub(crate) fn cross(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> =
            locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.crossing, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
    }

    /// Marks boxes (by location) as found by a search.
    pub(crate) fn found(&self, locations: &[u32]) {
        let mut inner = self.inner.borrow_mut();
        let now: BTreeSet<usize> =
            locations.iter().filter_map(|id| inner.position.get(id).copied()).collect();
        let old = std::mem::replace(&mut inner.found, now.clone());
        for position in old.symmetric_difference(&now) {
            inner.refresh_box(*position);
        }
    }

    /// Gives the keyboard back to the picture.
    pub(crate) fn focus(&self) {
        let host = self.inner.borrow().host.clone();
        if let Ok(host) = host.dyn_into::<web_sys::HtmlElement>() {
            let _ = host.focus();
        }
    }

    /// What a button of the zoom bar does.
    pub(crate) fn zoom(&self, zoom: Zoom) {
        self.inner.borrow().viewport.zoom(zoom);
    }

    /// Brings a procedure into view.
    pub(crate) fn show_cluster(&self, cluster: usize) {
        let inner = self.inner.borrow();
        if let Some(place) = inner.graph.clusters.get(cluster).map(|c| c.place) {
            inner.viewport.focus(place);
        }
    }
}

impl Inner {
    fn build(&mut self, graph: Shared<Graph>) {
        let had_picture = !self.graph.boxes.is_empty();
        if !had_picture {
            self.viewport.forget_moves();
        }
        let framed = |graph: &Graph| {
            graph
                .clusters
                .iter()
                .filter(|c| !c.frameless)
                .map(|c| c.name.clone())
                .collect::<Vec<_>>()
        };
        let another_part = had_picture && framed(&self.graph) != framed(&graph);
        let cursor = self.cursor.take().and_then(|at| self.graph.boxes.get(at)).map(|b| b.id);
        self.host.set_inner_html(&markup(&graph));
        self.boxes = elements(&self.host, ".box");
        self.arrows = elements(&self.host, "[data-arrow]");
        self.labels = labels(&self.host, self.arrows.len());
        let own = graph.boxes.iter().enumerate().map(|(i, b)| (b.id, i));
        let folded = graph
            .boxes
            .iter()
            .enumerate()
            .flat_map(|(i, b)| b.stands_for.iter().map(move |id| (*id, i)));
        self.position = folded.chain(own).collect();
        self.graph = graph;
        (self.marks, self.fails, self.current, self.hovered) = (Marks::default(), None, None, None);
        self.selected.clear();
        self.crossing.clear();
        self.found.clear();
        self.viewport.picture(self.graph.size, self.start(), Minimap::new(&self.host, &self.graph));
        let anchor =
            self.anchor.take().and_then(|(id, at)| Some((self.position.get(&id).copied()?, at)));
        match anchor {
            // What was clicked stays under the pointer.
            Some((position, (x, y))) if !another_part => {
                let place = self.graph.boxes[position].place;
                self.viewport.put(place.x, place.y, (x, y));
            }
            // Where the user has moved the picture, an edit does not move it back.
            _ if self.viewport.moved() && !another_part => self.viewport.place(),
            _ => self.viewport.fit(),
        }
        if let Some(id) = cursor {
            // In another part the keys go on at its first box.
            let first = self.graph.boxes.iter().position(|b| !b.is_folded()).or((!self
                .graph
                .boxes
                .is_empty())
            .then_some(0));
            self.set_cursor(if another_part { first } else { self.position.get(&id).copied() });
        }
    }

    /// Remembers where a box is on the screen.
    fn hold(&mut self, id: u32) {
        if let Some(position) = self.position.get(&id) {
            let place = self.graph.boxes[*position].place;
            self.anchor = Some((id, self.viewport.on_screen(place.x, place.y)));
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

    fn set_cursor(&mut self, position: Option<usize>) {
        let old = std::mem::replace(&mut self.cursor, position);
        old.into_iter()
            .chain(position)
            .filter(|p| *p < self.boxes.len())
            .for_each(|p| self.refresh_box(p));
        match position {
            Some(position) => {
                set(&self.host, "aria-activedescendant", &format!("box-{position}"));
                self.viewport.reveal(self.graph.boxes[position].place);
            }
            None => {
                let _ = self.host.remove_attribute("aria-activedescendant");
            }
        }
    }

    /// Moves the cursor to the nearest box in a direction; boxes that an arrow joins are nearer
    /// than they look.
    fn walk(&mut self, dx: f64, dy: f64) -> Option<GraphEvent> {
        let start = self.cursor.or(self.selected.first().copied()).or(self.current.map(|c| c.0));
        let next = match start {
            None => (!self.graph.boxes.is_empty()).then_some(0),
            Some(start) if self.cursor.is_none() => Some(start),
            Some(start) => self.neighbor(start, dx, dy),
        }?;
        self.set_cursor(Some(next));
        let b = &self.graph.boxes[next];
        (!b.is_folded()).then_some(GraphEvent::Select(b.id))
    }

    fn neighbor(&self, start: usize, dx: f64, dy: f64) -> Option<usize> {
        let from = &self.graph.boxes[start];
        let joined: BTreeSet<u32> = self
            .graph
            .arrows
            .iter()
            .filter_map(|a| {
                if a.from == from.id { Some(a.to) } else { (a.to == from.id).then_some(a.from) }
            })
            .collect();
        let middle = |r: &Rectangle| (r.x + r.width / 2.0, r.y + r.height / 2.0);
        let (x, y) = middle(&from.place);
        let distance = |i: usize| {
            let b = &self.graph.boxes[i];
            let (bx, by) = middle(&b.place);
            let along = (bx - x) * dx + (by - y) * dy;
            let aside = ((bx - x) * dy).abs() + ((by - y) * dx).abs();
            let far = along + 2.0 * aside;
            (i != start && along > 4.0).then_some(if joined.contains(&b.id) {
                far * 0.4
            } else {
                far
            })
        };
        let candidates = (0..self.graph.boxes.len()).filter_map(|i| Some((distance(i)?, i)));
        candidates.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, i)| i)
    }

    fn refresh_all(&self) {
        (0..self.boxes.len()).for_each(|i| self.refresh_box(i));
        (0..self.arrows.len()).for_each(|i| self.refresh_arrow(i));
    }

    /// A cross at the corner of the box where the shown run fails.
    fn badge(&self) {
        elements(&self.host, ".badge").iter().for_each(Element::remove);
        if let Some(position) = self.fails {
            let _ = self.boxes[position]
                .insert_adjacent_html("beforeend", &badge(&self.graph.boxes[position].place));
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
            self.graph.boxes[at].id == arrow.from
                && statement == Some(arrow.statement)
                && self.fails != Some(at)
        });
        if now {
            class.push_str(" now");
        }
        set(&self.arrows[position], "class", &class);
        if let Some(label) = &self.labels[position] {
            set(label, "class", &class);
        }
    }

    /// In a call graph, the place of the start procedure: one that is too large starts where the
    /// program does.
    fn start(&self) -> Option<Rectangle> {
        let boxes = &self.graph.boxes;
        let calls = !boxes.is_empty()
            && boxes.iter().all(|b| b.kind == crate::wire::graph::BoxKind::Procedure);
        let main = boxes.iter().find(|b| b.label == "main").or(boxes.first());
        main.filter(|_| calls).map(|b| b.place)
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

    fn hover(&mut self, position: Option<usize>) -> Option<GraphEvent> {
        if position == self.hovered {
            return None;
        }
        let old = std::mem::replace(&mut self.hovered, position);
        old.into_iter().chain(position).for_each(|p| self.refresh_box(p));
        Some(GraphEvent::Hover(position.map(|p| self.graph.boxes[p].id)))
    }
}

fn hit(event: &web_sys::Event) -> Option<usize> {
    data(event, "data-box")?.parse().ok()
}
