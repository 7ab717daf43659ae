//! The picture of a counterexample DAG, outside the virtual DOM: built once per round; a selection
//! only toggles classes.

use crate::draw::layout::shown_label;
use crate::draw::refinement::{nodes_of_line, short_place, together};
use crate::draw::refinement_fold::folded_size;
use crate::draw::svg::framed_markup;
use crate::ui::frame::selecting::{Key, Selecting, listen};
use crate::ui::frame::viewport::{Viewport, data, elements, labels, set};
use crate::ui::frame::zoom_bar::Zoom;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::refinement::events::RefinementEvent;
use crate::util::order::inserted;
use crate::wire::cegar::{NodePlace, NodeReport};
use crate::wire::graph::{Graph, GraphBox, Point, Rectangle};
use crate::wire::refinement::RoundView;
use gloo::events::EventListener;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use web_sys::Element;
use yew::Callback;

/// What the picture shows.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Shows {
    /// The round, once it was read.
    pub(crate) view: Option<Shared<RoundView>>,
    /// Its picture, with what is folded.
    pub(crate) picture: Option<Shared<Graph>>,
    /// Are there no interpolants yet in the phase that is shown?
    pub(crate) bare: bool,
    pub(crate) selected: Option<u32>,
    /// The line whose nodes are marked; 0 is none.
    pub(crate) line: u32,
}

/// The picture and its listeners. Dropping it detaches them.
pub(crate) struct DagView {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<EventListener>,
}

struct Inner {
    host: Element,
    viewport: Viewport,
    /// Before the ids of its boxes: there may be several pictures.
    name: &'static str,
    /// Do its frames fold?
    folds: bool,
    shows: Shows,
    boxes: Vec<Element>,
    arrows: Vec<Element>,
    /// Of each arrow, if it has one.
    labels: Vec<Option<Element>>,
    on_event: Callback<RefinementEvent>,
}

impl DagView {
    /// Takes over an empty element and fills it with an `<svg>`. `name` begins the ids of
    /// its boxes; `folds`: do its frames fold?
    pub(crate) fn new(
        host: Element,
        name: &'static str,
        folds: bool,
        on_event: Callback<RefinementEvent>,
    ) -> DagView {
        let viewport = Viewport::new(&host);
        let inner = Inner {
            host: host.clone(),
            viewport,
            name,
            folds,
            shows: Shows::default(),
            boxes: Vec::new(),
            arrows: Vec::new(),
            labels: Vec::new(),
            on_event,
        };
        let inner = Rc::new(RefCell::new(inner));
        DagView { _listeners: listen(&host, &inner), inner }
    }

    /// Shows something else: another picture is built anew, and the rest toggles classes and texts.
    pub(crate) fn show(&self, shows: Shows) {
        let mut inner = self.inner.borrow_mut();
        let old = std::mem::replace(&mut inner.shows, shows);
        let new = &inner.shows;
        if old.view != new.view {
            inner.build(true);
        } else if old.picture != new.picture {
            inner.build(false);
        } else {
            if old.bare != new.bare {
                inner.label();
            }
            let moved = inner.shows.selected != old.selected;
            if moved || inner.shows.line != old.line {
                inner.mark();
            }
            if moved {
                inner.reveal();
            }
        }
    }

    /// What a button of the zoom bar does.
    pub(crate) fn zoom(&self, zoom: Zoom) {
        self.inner.borrow().viewport.zoom(zoom);
    }
}

impl Inner {
    /// What is drawn, if there is something.
    fn drawn(&self) -> Option<(Shared<RoundView>, Shared<Graph>)> {
        let view = self.shows.view.clone()?;
        let picture = self.shows.picture.clone().filter(|picture| !picture.boxes.is_empty())?;
        Some((view, picture))
    }

    /// `afresh`: another round's picture, and not only folded otherwise.
    fn build(&mut self, afresh: bool) {
        let Some((_, picture)) = self.drawn() else {
            self.host.set_inner_html("");
            (self.boxes, self.arrows, self.labels) = Default::default();
            self.viewport.picture(Point::default(), None, None);
            self.mark();
            return;
        };
        self.host.set_inner_html(&framed_markup(&picture, self.folds));
        self.boxes = elements(&self.host, "[data-box]");
        self.arrows = elements(&self.host, "[data-arrow]");
        self.labels = labels(&self.host, self.arrows.len());
        for (i, element) in self.boxes.iter().enumerate() {
            set(element, "id", &self.id(i));
        }
        self.label();
        self.mark();
        if afresh {
            self.viewport.forget_moves();
        }
        self.viewport.picture(picture.size, picture.boxes.first().map(|b| b.place), None);
        self.viewport.fit();
        self.reveal();
    }

    fn id(&self, position: usize) -> String {
        format!("{}-{position}", self.name)
    }

    /// What is written in the boxes.
    fn label(&self) {
        let Some((view, picture)) = self.drawn() else { return };
        for (element, node) in self.boxes.iter().zip(&picture.boxes) {
            let report = view.nodes.iter().find(|report| report.node == node.id);
            let (label, spoken) = texts(node, report, self.shows.bare);
            if let Some(text) = element.query_selector("text").ok().flatten() {
                text.set_text_content(Some(&shown_label(&label)));
            }
            set(element, "aria-label", &spoken);
            if let Some(title) = element.query_selector("title").ok().flatten() {
                title.set_text_content(Some(&spoken));
            }
        }
    }

    fn mark(&self) {
        let Some((view, picture)) = self.drawn() else {
            let _ = self.host.remove_attribute("aria-activedescendant");
            return;
        };
        let chosen = self.shows.selected;
        let found = chosen.map(|selected| together(&view, selected));
        let (nodes, edges): (BTreeSet<u32>, BTreeSet<usize>) = found
            .map(|(nodes, edges)| (nodes.into_iter().collect(), edges.into_iter().collect()))
            .unwrap_or_default();
        let line: BTreeSet<u32> = inserted(nodes_of_line(&view, self.shows.line));
        let off = |on: bool| if chosen.is_some() && !on { " off-trace" } else { "" };
        let mut active = None;
        for (i, (element, node)) in self.boxes.iter().zip(&picture.boxes).enumerate() {
            let any = |of: &dyn Fn(u32) -> bool| {
                of(node.id) || node.stands_for.iter().any(|node| of(*node))
            };
            let selected = any(&|node| chosen == Some(node));
            if selected {
                active = Some(i);
            }
            let report = view.nodes.iter().find(|report| report.node == node.id);
            let spared = if report.is_some_and(|report| !report.needed) && !node.is_folded() {
                " spared"
            } else {
                ""
            };
            let role = report
                .filter(|report| matches!(report.place, NodePlace::Start | NodePlace::Error))
                .map_or(String::new(), |r| format!(" {}", r.place));
            let class = format!(
                "box {}{role}{spared}{}{}{}",
                node.kind.word(),
                off(any(&|node| nodes.contains(&node))),
                if any(&|node| line.contains(&node)) { " on-line" } else { "" },
                if selected { " selected" } else { "" }
            );
            set(element, "class", &class);
        }
        let drawn = self.arrows.iter().zip(&self.labels);
        for ((element, label), arrow) in drawn.zip(&picture.arrows) {
            let on = edges.contains(&(arrow.statement as usize));
            let state = if chosen.is_some() && on { " on-trace" } else { "" };
            let call = if arrow.call { " call" } else { "" };
            let class = format!("arrow{call}{}{state}", off(on));
            set(element, "class", &class);
            if let Some(label) = label {
                set(label, "class", &class);
            }
        }
        match active {
            Some(i) => set(&self.host, "aria-activedescendant", &self.id(i)),
            None => {
                let _ = self.host.remove_attribute("aria-activedescendant");
            }
        }
    }

    fn reveal(&self) {
        let place = self.shows.selected.and_then(|selected| self.place(selected));
        self.viewport.keep(place);
        if let Some(place) = place {
            self.viewport.reveal(place);
        }
    }

    fn place(&self, node: u32) -> Option<Rectangle> {
        let (_, picture) = self.drawn()?;
        picture.boxes.iter().find(|b| b.id == node || b.stands_for.contains(&node)).map(|b| b.place)
    }

    /// The node before or after the selected one, each part from its top to its bottom; of a folded
    /// frame, its top.
    fn neighbor(&self, forward: bool) -> Option<u32> {
        let (view, picture) = self.drawn()?;
        let inside = |node: u32| {
            picture
                .boxes
                .iter()
                .find(|b| b.id != node && b.stands_for.contains(&node))
                .map(|b| b.id)
        };
        let nodes: Vec<u32> = view
            .nodes
            .iter()
            .map(|node| node.node)
            .filter(|node| inside(*node).is_none())
            .collect();
        let selected = self.shows.selected.map(|selected| inside(selected).unwrap_or(selected));
        let at = selected.and_then(|selected| nodes.iter().position(|node| *node == selected));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => nodes.len().checked_sub(1)?,
            (Some(at), true) => (at + 1) % nodes.len(),
            (Some(at), false) => (at + nodes.len() - 1) % nodes.len(),
        };
        nodes.get(next).copied()
    }
}

impl Selecting for Inner {
    type Event = RefinementEvent;

    fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    fn clicked(&self, event: &web_sys::Event) -> Option<RefinementEvent> {
        if let Some(frame) = data(event, "data-fold").and_then(|text| text.parse().ok()) {
            return Some(RefinementEvent::FoldFrame(frame));
        }
        let position = data(event, "data-box").and_then(|text| text.parse::<usize>().ok());
        let hit = self
            .drawn()
            .zip(position)
            .and_then(|((_, picture), position)| picture.boxes.get(position).cloned());
        Some(match hit {
            Some(hit) if hit.is_folded() => RefinementEvent::Fold(hit.id),
            hit => RefinementEvent::Select(hit.map(|hit| hit.id)),
        })
    }

    fn pressed(&self, key: &str, shift: bool) -> Key<RefinementEvent> {
        match (key, shift) {
            ("ArrowDown", false) => {
                Key::Says(self.neighbor(true).map(|node| RefinementEvent::Select(Some(node))))
            }
            ("ArrowUp", false) => {
                Key::Says(self.neighbor(false).map(|node| RefinementEvent::Select(Some(node))))
            }
            ("Backspace", _) => Key::Says(Some(RefinementEvent::Select(None))),
            ("f" | "Enter", false) if self.folds && self.shows.selected.is_some() => {
                Key::Says(self.shows.selected.map(RefinementEvent::Fold))
            }
            // Left and right step through the rounds.
            _ => Key::Other,
        }
    }

    fn listener(&self) -> Callback<RefinementEvent> {
        self.on_event.clone()
    }
}

/// What is written in a box, and what a screen reader says of it.
fn texts(node: &GraphBox, report: Option<&NodeReport>, bare: bool) -> (String, String) {
    let Some(report) = report else { return (node.label.clone(), node.label.clone()) };
    if node.is_folded() {
        let size = folded_size(&report.procedure, node.stands_for.len());
        let label = if bare { size.clone() } else { node.label.clone() };
        return (
            label.clone(),
            if label == size {
                format!("{size}, folded")
            } else {
                format!("{size}, folded; {label}")
            },
        );
    }
    if bare {
        return (short_place(report), short_place(report));
    }
    let spoken = if report.line > 0 && !report.readable.is_empty() {
        format!("{}, line {}: interpolant {}", report.procedure, report.line, report.readable)
    } else {
        node.label.clone()
    };
    (node.label.clone(), spoken)
}
