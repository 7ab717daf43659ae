//! The picture of an automaton, outside the virtual DOM: built once per recording; a step toggles
//! classes and sets the texts of what it changes.

use crate::draw::automaton_svg::{RowText, has_row, markup, more_text, spoken_now, touch_class};
use crate::draw::lab_replay::{Touch, touch};
use crate::ui::frame::selecting::{Key, Selecting, listen};
use crate::ui::frame::viewport::{Viewport, data, elements, set};
use crate::ui::frame::zoom_bar::Zoom;
use crate::ui::state::shared::Shared;
use crate::ui::tabs::lab::recording::Recording;
use crate::wire::graph::{Point, Rectangle};
use crate::wire::lab::{LabArrow, LabAutomaton};
use gloo::events::EventListener;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use web_sys::Element;
use yew::Callback;

/// The picture and its listeners. Dropping it detaches them.
pub(crate) struct AutomatonView {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<EventListener>,
}

/// The parts of a transition's text.
struct Row {
    group: Element,
    title: Element,
    /// Mark, symbol, weight.
    spans: [Element; 3],
    /// What these say now: class, what is spoken, mark, symbol, weight. Only what differs is
    /// written.
    said: [String; 5],
}

impl Row {
    fn say(&mut self, said: [String; 5]) {
        let elements = [&self.group, &self.title, &self.spans[0], &self.spans[1], &self.spans[2]];
        for (k, element) in
            elements.into_iter().enumerate().filter(|(k, _)| self.said[*k] != said[*k])
        {
            match k {
                0 => set(element, "class", &said[k]),
                _ => element.set_text_content(Some(&said[k])),
            }
            if k == 1 {
                set(&self.group, "aria-label", &said[k]);
            }
        }
        self.said = said;
    }
}

struct Inner {
    host: Element,
    viewport: Viewport,
    recording: Option<(Shared<Recording>, usize)>,
    rows: Vec<Option<Row>>,
    wires: Vec<Element>,
    /// By arrow: what represents the transitions that have no row, and those.
    more: BTreeMap<u32, (Element, Element, Vec<u32>)>,
    states: Vec<Element>,
    /// How many transitions of each arrow, and at each state, are there.
    on_wire: Vec<u32>,
    at_state: Vec<u32>,
    /// Which transitions are there.
    there: Vec<bool>,
    step: usize,
    selected: Option<u32>,
    on_select: Callback<Option<u32>>,
}

impl AutomatonView {
    /// Takes over an empty element and fills it with an `<svg>`.
    pub(crate) fn new(host: Element, on_select: Callback<Option<u32>>) -> AutomatonView {
        let viewport = Viewport::new(&host);
        let inner = Rc::new(RefCell::new(Inner {
            host: host.clone(),
            viewport,
            recording: None,
            rows: Vec::new(),
            wires: Vec::new(),
            more: BTreeMap::new(),
            states: Vec::new(),
            on_wire: Vec::new(),
            at_state: Vec::new(),
            there: Vec::new(),
            step: 0,
            selected: None,
            on_select,
        }));
        AutomatonView { _listeners: listen(&host, &inner), inner }
    }

    /// Builds the picture of another automaton, as it is after a step.
    pub(crate) fn show(
        &self,
        recording: Option<Shared<Recording>>,
        index: usize,
        step: usize,
        selected: Option<u32>,
    ) {
        self.inner.borrow_mut().build(recording, index, step, selected);
    }

    /// Goes to another step of the same automaton.
    pub(crate) fn step(&self, step: usize) {
        self.inner.borrow_mut().go(step);
    }

    /// Marks a transition as selected.
    pub(crate) fn select(&self, selected: Option<u32>) {
        let mut inner = self.inner.borrow_mut();
        let old = std::mem::replace(&mut inner.selected, selected);
        if old != selected {
            inner.refresh(old.into_iter().chain(selected));
            inner.name_active();
            if let Some(transition) = selected {
                inner.reveal(&[transition]);
            }
        }
    }

    /// What a button of the zoom bar does.
    pub(crate) fn zoom(&self, zoom: Zoom) {
        self.inner.borrow().viewport.zoom(zoom);
    }
}

impl Inner {
    fn build(
        &mut self,
        recording: Option<Shared<Recording>>,
        index: usize,
        step: usize,
        selected: Option<u32>,
    ) {
        self.recording = recording.map(|recording| (recording, index));
        (self.step, self.selected) = (step, selected);
        let Some((recording, _)) = self.recording.clone() else {
            self.clear();
            return;
        };
        let Some(automaton) = recording.automaton(index) else {
            self.clear();
            return;
        };
        self.host.set_inner_html(&markup(automaton));
        self.wires = elements(&self.host, ".wire");
        self.states = elements(&self.host, ".state");
        self.rows = std::iter::repeat_with(|| None).take(automaton.transitions.len()).collect();
        for group in elements(&self.host, ".row") {
            let position =
                group.get_attribute("data-transition").and_then(|text| text.parse::<usize>().ok());
            let part = |selector: &str| group.query_selector(selector).ok().flatten();
            let parts = (part("title"), part(".mark"), part(".symbol"), part(".weight"));
            if let (Some(slot), (Some(title), Some(mark), Some(symbol), Some(weight))) =
                (position.and_then(|p| self.rows.get_mut(p)), parts)
            {
                *slot = Some(Row {
                    group: group.clone(),
                    title,
                    spans: [mark, symbol, weight],
                    said: Default::default(),
                });
            }
        }
        let with_text = |group: Element| {
            let arrow = group.get_attribute("data-arrow")?.parse::<u32>().ok()?;
            let text = group.query_selector("text").ok()??;
            let all = (0u32..).zip(&automaton.transitions);
            let without = all
                .filter(|(_, t)| t.arrow == arrow && !has_row(automaton, t))
                .map(|(i, _)| i)
                .collect();
            Some((arrow, (group, text, without)))
        };
        self.more = elements(&self.host, ".more-rows").into_iter().filter_map(with_text).collect();
        self.there = vec![false; automaton.transitions.len()];
        self.on_wire = vec![0; self.wires.len()];
        self.at_state = vec![0; self.states.len()];
        // What stays is there without any transition.
        (0..automaton.states.len()).for_each(|i| self.refresh_state(automaton, i));
        self.refresh(0..automaton.transitions.len() as u32);
        self.viewport.forget_moves();
        self.viewport.picture(automaton.size, Some(first(automaton)), None);
        self.viewport.fit();
        self.show_step(&recording);
    }

    fn clear(&mut self) {
        self.host.set_inner_html("");
        (self.rows, self.wires, self.states, self.there) = Default::default();
        self.more.clear();
        self.viewport.picture(Point::default(), None, None);
        self.name_active();
    }

    fn go(&mut self, step: usize) {
        let Some((recording, index)) = self.recording.clone() else { return };
        let Some((automaton, replay)) = recording.replayed(index) else { return };
        let old = std::mem::replace(&mut self.step, step);
        self.refresh(replay.between(automaton, old, step));
        self.show_step(&recording);
    }

    /// What the step changed comes into view.
    fn show_step(&mut self, recording: &Recording) {
        let Some((_, index)) = self.recording else { return };
        let step = recording.automaton(index).and_then(|automaton| automaton.steps.get(self.step));
        let touched: Vec<u32> = step
            .map(|s| s.changes.iter().map(|c| c.transition).chain(s.looked_at).collect())
            .unwrap_or_default();
        // The start touches all that is given: it is shown as the picture begins.
        if self.step > 0 {
            self.reveal(&touched);
        }
    }

    fn reveal(&self, transitions: &[u32]) {
        let Some((recording, index)) = &self.recording else { return };
        let Some(automaton) = recording.automaton(*index) else { return };
        let arrows = transitions.iter().filter_map(|t| {
            automaton.arrows.get(automaton.transitions.get(*t as usize)?.arrow as usize)
        });
        let place = arrows.map(around).reduce(union);
        self.viewport.keep(place);
        if let Some(place) = place {
            self.viewport.reveal(place);
        }
    }

    /// Brings the elements of transitions up to the present step: their rows, and once for all of
    /// them their arrows and states.
    fn refresh(&mut self, transitions: impl IntoIterator<Item = u32>) {
        let Some((recording, index)) = self.recording.clone() else { return };
        let Some(automaton) = recording.automaton(index) else { return };
        let (mut arrows, mut states) = (BTreeSet::new(), BTreeSet::new());
        for transition in transitions {
            let Some(t) = automaton.transitions.get(transition as usize) else { continue };
            let weight = recording.weight(index, transition, self.step);
            let did = self.did(automaton, transition);
            let shown = Some(recording.report.weighted).filter(|weighted| *weighted).and(weight);
            let selected = self.selected == Some(transition);
            if let Some(row) = self.rows.get_mut(transition as usize).and_then(Option::as_mut) {
                match weight {
                    Some(_) => {
                        let text = RowText::new(&t.symbol, shown, did);
                        let class = format!(
                            "row{}{}",
                            touch_class(did),
                            if selected { " selected" } else { "" }
                        );
                        row.say([
                            class,
                            spoken_now(automaton, t, shown, did),
                            text.mark.into(),
                            text.symbol,
                            text.weight,
                        ]);
                    }
                    None => {
                        set(&row.group, "class", "row absent");
                        row.said[0] = "row absent".into();
                    }
                }
            }
            arrows.insert(t.arrow);
            if let Some(there) = self.there.get_mut(transition as usize)
                && std::mem::replace(there, weight.is_some()) != weight.is_some()
            {
                let count = |list: &mut Vec<u32>, i: u32| {
                    if let Some(n) = list.get_mut(i as usize) {
                        *n = if weight.is_some() { *n + 1 } else { n.saturating_sub(1) };
                    }
                };
                count(&mut self.on_wire, t.arrow);
                count(&mut self.at_state, t.from);
                count(&mut self.at_state, t.to);
                states.extend([t.from, t.to]);
            }
        }
        states.into_iter().for_each(|state| self.refresh_state(automaton, state as usize));
        arrows.into_iter().for_each(|arrow| self.refresh_wire(automaton, arrow));
    }

    fn did(&self, automaton: &LabAutomaton, transition: u32) -> Option<Touch> {
        automaton
            .steps
            .get(self.step)
            .filter(|_| self.step > 0)
            .and_then(|step| touch(step, transition))
    }

    fn refresh_wire(&self, automaton: &LabAutomaton, arrow: u32) {
        let Some(wire) = self.wires.get(arrow as usize) else { return };
        if self.on_wire.get(arrow as usize).is_none_or(|n| *n == 0) {
            set(wire, "class", "wire absent");
            self.refresh_more(automaton, arrow);
            return;
        }
        let step = automaton.steps.get(self.step).filter(|_| self.step > 0);
        let here = |t: u32| automaton.transitions.get(t as usize).is_some_and(|t| t.arrow == arrow);
        let now = step.is_some_and(|step| {
            step.looked_at.is_some_and(here)
                || step.changes.iter().any(|change| here(change.transition))
        });
        let selected = self.selected.is_some_and(here);
        self.refresh_more(automaton, arrow);
        set(
            wire,
            "class",
            &format!(
                "wire{}{}",
                if now { " now" } else { "" },
                if selected { " selected" } else { "" }
            ),
        );
    }

    /// The row that counts those that have none, with a mark if the step touched one of them.
    fn refresh_more(&self, automaton: &LabAutomaton, arrow: u32) {
        let Some((group, text, without)) = self.more.get(&arrow) else { return };
        let there: Vec<u32> = without
            .iter()
            .copied()
            .filter(|i| self.there.get(*i as usize) == Some(&true))
            .collect();
        let step = automaton.steps.get(self.step).filter(|_| self.step > 0);
        let touched = step.into_iter().flat_map(|step| {
            step.changes.iter().map(|change| change.transition).chain(step.looked_at)
        });
        let did =
            touched.filter(|t| there.binary_search(t).is_ok()).find_map(|t| self.did(automaton, t));
        let selected = self.selected.is_some_and(|selected| there.contains(&selected));
        let presence = if there.is_empty() { " absent" } else { "" };
        set(
            group,
            "class",
            &format!(
                "more-rows row{presence}{}{}",
                touch_class(did),
                if selected { " selected" } else { "" }
            ),
        );
        text.set_text_content(Some(&more_text(
            there.len() as u32,
            RowText::new("", None, did).mark,
        )));
    }

    fn refresh_state(&self, automaton: &LabAutomaton, position: usize) {
        let (Some(element), Some(state)) =
            (self.states.get(position), automaton.states.get(position))
        else {
            return;
        };
        let joined = self.at_state.get(position).is_some_and(|n| *n > 0);
        let presence = match (joined, state.role.stays()) {
            (true, _) => "",
            (false, true) => " alone",
            (false, false) => " absent",
        };
        set(element, "class", &format!("state {}{presence}", state.role.word()));
    }

    /// Screen readers are told of the selected row.
    fn name_active(&self) {
        match self.selected {
            Some(transition) => {
                set(&self.host, "aria-activedescendant", &format!("transition-{transition}"))
            }
            None => {
                let _ = self.host.remove_attribute("aria-activedescendant");
            }
        }
    }

    /// The transition before or after the selected one, in the order in which they appeared, among
    /// those that are there.
    fn neighbor(&self, forward: bool) -> Option<u32> {
        let there: Vec<u32> =
            (0..self.there.len() as u32).filter(|t| self.there[*t as usize]).collect();
        let at = self.selected.and_then(|selected| there.iter().position(|t| *t == selected));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => there.len().checked_sub(1)?,
            (Some(at), true) => (at + 1) % there.len(),
            (Some(at), false) => (at + there.len() - 1) % there.len(),
        };
        there.get(next).copied()
    }

    /// What a click selects: the row that was hit, or what is first on the arrow; nothing beside
    /// them.
    fn hit(&self, event: &web_sys::Event) -> Option<u32> {
        if let Some(transition) = data(event, "data-transition") {
            return transition.parse().ok();
        }
        let arrow: u32 = data(event, "data-arrow")?.parse().ok()?;
        let (recording, index) = self.recording.as_ref()?;
        let automaton = recording.automaton(*index)?;
        let on_arrow = (0u32..)
            .zip(&automaton.transitions)
            .filter(|(i, t)| t.arrow == arrow && self.there.get(*i as usize) == Some(&true));
        let rest = on_arrow
            .clone()
            .filter(|(_, t)| !has_row(automaton, t))
            .map(|(i, _)| i)
            .collect::<Vec<u32>>();
        // The row that counts the rest goes through them, click by click.
        match self.selected.and_then(|selected| rest.iter().position(|t| *t == selected)) {
            _ if rest.is_empty() || data(event, "data-wire").is_some() => {
                on_arrow.map(|(i, _)| i).next()
            }
            Some(at) => rest.get((at + 1) % rest.len()).copied(),
            None => rest.first().copied(),
        }
    }
}

impl Selecting for Inner {
    type Event = Option<u32>;

    fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    fn clicked(&self, event: &web_sys::Event) -> Option<Option<u32>> {
        Some(self.hit(event))
    }

    fn pressed(&self, key: &str, shift: bool) -> Key<Option<u32>> {
        match (key, shift) {
            ("ArrowDown", false) => Key::Says(self.neighbor(true).map(Some)),
            ("ArrowUp", false) => Key::Says(self.neighbor(false).map(Some)),
            ("Backspace", _) => Key::Says(Some(None)),
            // Left and right step through the recording.
            _ => Key::Other,
        }
    }

    fn listener(&self) -> Callback<Option<u32>> {
        self.on_select.clone()
    }
}

/// Where the picture starts.
fn first(automaton: &LabAutomaton) -> Rectangle {
    let state = automaton.states.first();
    state.map_or_else(Rectangle::default, |s| Rectangle {
        x: s.x - s.radius,
        y: s.y - s.radius,
        width: 2.0 * s.radius,
        height: 2.0 * s.radius,
    })
}

/// All of an arrow, with its text.
fn around(arrow: &LabArrow) -> Rectangle {
    let points = || arrow.points.iter().chain([&arrow.label_at]);
    let least = |of: fn(&Point) -> f64| points().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&Point) -> f64| points().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (least(|p| p.x), least(|p| p.y));
    Rectangle { x, y, width: most(|p| p.x) - x, height: most(|p| p.y) - y }
}

fn union(a: Rectangle, b: Rectangle) -> Rectangle {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    Rectangle {
        x,
        y,
        width: (a.x + a.width).max(b.x + b.width) - x,
        height: (a.y + a.height).max(b.y + b.height) - y,
    }
}
