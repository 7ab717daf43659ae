//! The picture of a counterexample DAG, outside the virtual DOM: built once per round; a selection only toggles classes.

use super::state::RefinementEvent;
use crate::ui::selecting::{Key, Selecting, listen};
use crate::ui::shared::Shared;
use crate::ui::viewport::{Viewport, data, elements, set};
use crate::view::graph::{Point, Rectangle};
use crate::view::layout::shown_label;
use crate::view::refinement::{RoundView, short_place, together};
use crate::view::svg::still_markup;
use gloo::events::EventListener;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use web_sys::Element;
use yew::Callback;

/// The picture and its listeners. Dropping it detaches them.
pub(super) struct DagView {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<EventListener>,
}

struct Inner {
    host: Element,
    viewport: Viewport,
    view: Option<Shared<RoundView>>,
    boxes: Vec<Element>,
    arrows: Vec<Element>,
    /// Are there no interpolants yet in the phase that is shown?
    bare: bool,
    selected: Option<u32>,
    on_event: Callback<RefinementEvent>,
}

impl DagView {
    /// Takes over an empty element and fills it with an `<svg>`.
    pub(super) fn new(host: Element, on_event: Callback<RefinementEvent>) -> DagView {
        let viewport = Viewport::new(&host);
        let inner = Inner {
            host: host.clone(),
            viewport,
            view: None,
            boxes: Vec::new(),
            arrows: Vec::new(),
            bare: false,
            selected: None,
            on_event,
        };
        let inner = Rc::new(RefCell::new(inner));
        DagView { _listeners: listen(&host, &inner), inner }
    }

    /// Builds the picture of another round.
    pub(super) fn show(&self, view: Option<Shared<RoundView>>, bare: bool, selected: Option<u32>) {
        self.inner.borrow_mut().build(view, bare, selected);
    }

    /// Without interpolants, or with them.
    pub(super) fn bare(&self, bare: bool) {
        let mut inner = self.inner.borrow_mut();
        if std::mem::replace(&mut inner.bare, bare) != bare {
            inner.label();
        }
    }

    /// Marks a node as selected, and what lies on a trace with it.
    pub(super) fn select(&self, selected: Option<u32>) {
        let mut inner = self.inner.borrow_mut();
        if std::mem::replace(&mut inner.selected, selected) != selected {
            inner.mark();
            inner.reveal();
        }
    }

    /// Shows the whole picture, or its top where that could not be read.
    pub(super) fn fit(&self) {
        self.inner.borrow().viewport.fit();
    }

    /// Zooms around the middle.
    pub(super) fn zoom_by(&self, factor: f64) {
        self.inner.borrow().viewport.zoom_by(factor);
    }
}

impl Inner {
    fn build(&mut self, view: Option<Shared<RoundView>>, bare: bool, selected: Option<u32>) {
        (self.view, self.bare, self.selected) = (view.filter(|view| !view.graph.boxes.is_empty()), bare, selected);
        let Some(view) = self.view.clone() else {
            self.host.set_inner_html("");
            (self.boxes, self.arrows) = Default::default();
            self.viewport.picture(Point::default(), None, None);
            self.mark();
            return;
        };
        self.host.set_inner_html(&still_markup(&view.graph));
        self.boxes = elements(&self.host, "[data-box]");
        self.arrows = elements(&self.host, "[data-arrow]");
        self.label();
        self.mark();
        self.viewport.forget_moves();
        self.viewport.picture(view.graph.size, view.graph.boxes.first().map(|b| b.place), None);
        self.viewport.fit();
        self.reveal();
    }

    /// What stands in the boxes.
    fn label(&self) {
        let Some(view) = &self.view else { return };
        for (element, node) in self.boxes.iter().zip(&view.graph.boxes) {
            let report = view.nodes.iter().find(|report| report.node == node.id);
            let bare = report.map(short_place).filter(|_| self.bare);
            let label = bare.clone().unwrap_or_else(|| node.label.clone());
            if let Some(text) = element.query_selector("text").ok().flatten() {
                text.set_text_content(Some(&shown_label(&label)));
            }
            let spoken = match report {
                Some(report) if report.line > 0 && bare.is_none() && !report.readable.is_empty() => {
                    format!("{}, line {}: interpolant {}", report.procedure, report.line, report.readable)
                }
                _ => label,
            };
            set(element, "aria-label", &spoken);
            if let Some(title) = element.query_selector("title").ok().flatten() {
                title.set_text_content(Some(&spoken));
            }
        }
    }

    fn mark(&self) {
        let Some(view) = &self.view else {
            let _ = self.host.remove_attribute("aria-activedescendant");
            return;
        };
        let found = self.selected.map(|selected| together(view, selected));
        let (nodes, edges): (BTreeSet<u32>, BTreeSet<usize>) =
            found.map(|(nodes, edges)| (nodes.into_iter().collect(), edges.into_iter().collect())).unwrap_or_default();
        let off = |on: bool| if self.selected.is_some() && !on { " off-trace" } else { "" };
        let mut active = None;
        for (i, (element, node)) in self.boxes.iter().zip(&view.graph.boxes).enumerate() {
            let selected = self.selected == Some(node.id);
            if selected {
                active = Some(i);
            }
            let report = view.nodes.iter().find(|report| report.node == node.id);
            let spared = if report.is_some_and(|report| !report.needed) { " spared" } else { "" };
            let role = report
                .filter(|report| matches!(report.place.as_str(), "start" | "error"))
                .map_or(String::new(), |r| format!(" {}", r.place));
            let class = format!(
                "box {}{role}{spared}{}{}",
                node.kind.word(),
                off(nodes.contains(&node.id)),
                if selected { " selected" } else { "" }
            );
            set(element, "class", &class);
        }
        for (element, arrow) in self.arrows.iter().zip(&view.graph.arrows) {
            let on = edges.contains(&(arrow.statement as usize));
            let state = if self.selected.is_some() && on { " on-trace" } else { "" };
            set(element, "class", &format!("arrow{}{}{state}", if arrow.call { " call" } else { "" }, off(on)));
        }
        match active {
            Some(i) => set(&self.host, "aria-activedescendant", &format!("box-{i}")),
            None => {
                let _ = self.host.remove_attribute("aria-activedescendant");
            }
        }
    }

    fn reveal(&self) {
        let place = self.selected.and_then(|selected| self.place(selected));
        self.viewport.keep(place);
        if let Some(place) = place {
            self.viewport.reveal(place);
        }
    }

    fn place(&self, node: u32) -> Option<Rectangle> {
        self.view.as_ref()?.graph.boxes.iter().find(|b| b.id == node).map(|b| b.place)
    }

    /// The node before or after the selected one, each part from its top to its bottom.
    fn beside(&self, forward: bool) -> Option<u32> {
        let nodes = &self.view.as_ref()?.nodes;
        let at = self.selected.and_then(|selected| nodes.iter().position(|node| node.node == selected));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => nodes.len().checked_sub(1)?,
            (Some(at), true) => (at + 1) % nodes.len(),
            (Some(at), false) => (at + nodes.len() - 1) % nodes.len(),
        };
        nodes.get(next).map(|node| node.node)
    }
}

impl Selecting for Inner {
    type Event = RefinementEvent;

    fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    fn clicked(&self, event: &web_sys::Event) -> Option<RefinementEvent> {
        let position = data(event, "data-box").and_then(|text| text.parse::<usize>().ok());
        let hit = self.view.as_ref().zip(position).and_then(|(view, position)| view.graph.boxes.get(position));
        Some(RefinementEvent::Select(hit.map(|hit| hit.id)))
    }

    fn pressed(&self, key: &str, shift: bool) -> Key<RefinementEvent> {
        match (key, shift) {
            ("ArrowDown", false) => Key::Says(self.beside(true).map(|node| RefinementEvent::Select(Some(node)))),
            ("ArrowUp", false) => Key::Says(self.beside(false).map(|node| RefinementEvent::Select(Some(node)))),
            ("Backspace", _) => Key::Says(Some(RefinementEvent::Select(None))),
            // Left and right step through the rounds.
            _ => Key::Other,
        }
    }

    fn listener(&self) -> Callback<RefinementEvent> {
        self.on_event.clone()
    }
}
