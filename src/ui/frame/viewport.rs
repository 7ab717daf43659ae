//! What is in view of a picture: moved and zoomed by pointer, wheel and keys. The picture itself
//! lies outside the virtual DOM, as the `.world` element of a host, and moves by one transform.

mod listen;

use super::minimap::Minimap;
use super::zoom_bar::Zoom;
use crate::wire::graph::{Point, Rectangle};
use gloo::events::EventListener;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, KeyboardEvent, PointerEvent, ResizeObserver};

const LEAST_ZOOM: f64 = 0.08;
const MOST_ZOOM: f64 = 3.0;
/// What a press of plus does.
const BUTTON_ZOOM: f64 = 1.25;
/// A picture that is shown has no label below 11 pixels (they have 12): a larger one starts at its
/// top, and only the button Fit shrinks it further. The style sheet has the limits, as
/// `--least-zoom` and `--most-zoom`; these hold where it has none.
const USUAL_LIMITS: (f64, f64) = (0.92, 1.15);
/// Pointer travel, in pixels, that makes a click a drag.
const DRAG_THRESHOLD: f64 = 4.0;

/// The part in view, and its listeners. Dropping it detaches them.
pub(crate) struct Viewport {
    state: Rc<RefCell<State>>,
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
    _listeners: Vec<EventListener>,
}

struct State {
    host: Element,
    world: Option<Element>,
    map: Option<Minimap>,
    /// The pointer that drags the map.
    map_pointer: Option<i32>,
    /// The picture's extent.
    size: Point,
    /// Where a picture starts that is too large to be read as a whole; else at its top.
    start: Option<Rectangle>,
    /// What stays in view when the window changes its size.
    kept: Option<Rectangle>,
    /// Width and height; measured when they change, because measuring makes the browser lay out
    /// everything.
    extent: (f64, f64),
    /// Least and largest zoom of a fit.
    limits: (f64, f64),
    zoom: f64,
    shift: (f64, f64),
    /// Has the user moved the picture? Then a resize does not fit it again.
    moved: bool,
    pointers: BTreeMap<i32, (f64, f64)>,
    travelled: f64,
}

impl Viewport {
    /// Listens on a picture's host.
    pub(crate) fn new(host: &Element) -> Viewport {
        let state = Rc::new(RefCell::new(State {
            host: host.clone(),
            world: None,
            map: None,
            map_pointer: None,
            size: Point::default(),
            start: None,
            kept: None,
            extent: measure(host),
            limits: limits(host),
            zoom: 1.0,
            shift: (0.0, 0.0),
            moved: false,
            pointers: BTreeMap::new(),
            travelled: 0.0,
        }));
        let resize = state.clone();
        let resized = Closure::<dyn FnMut()>::new(move || {
            let mut state = resize.borrow_mut();
            state.extent = measure(&state.host);
            let limits = limits(&state.host);
            // A presentation begins or ends: its zoom is another one.
            let another = std::mem::replace(&mut state.limits, limits) != limits;
            if !state.moved || another {
                state.fit();
                // A larger picture than fits starts at its top: what is looked at may lie outside.
                if let Some(place) = state.kept {
                    state.reveal(place);
                }
            }
        });
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(host);
        }
        Viewport { _listeners: listen::listen(host, &state), state, observer, _resized: resized }
    }

    /// The host holds another picture now. It is not placed yet: `fit`, `put` or `place` follow.
    pub(crate) fn picture(&self, size: Point, start: Option<Rectangle>, map: Option<Minimap>) {
        let mut state = self.state.borrow_mut();
        state.world = state.host.query_selector(".world").ok().flatten();
        (state.size, state.start, state.map, state.kept) = (size, start, map, None);
    }

    /// Shows the whole picture, or its start where that could not be read.
    pub(crate) fn fit(&self) {
        self.state.borrow_mut().fit();
    }

    /// What a button of the zoom bar does.
    pub(crate) fn zoom(&self, zoom: Zoom) {
        let mut state = self.state.borrow_mut();
        let (width, height) = state.extent;
        match zoom {
            Zoom::Whole => state.fit_whole(),
            Zoom::In => state.zoom_at(BUTTON_ZOOM, width / 2.0, height / 2.0),
            Zoom::Out => state.zoom_at(1.0 / BUTTON_ZOOM, width / 2.0, height / 2.0),
        }
    }

    /// Shows all of a rectangle, at the present zoom if that is enough.
    pub(crate) fn focus(&self, place: Rectangle) {
        self.state.borrow_mut().focus(place);
    }

    /// Moves the picture by as little as needed for a rectangle to be well inside.
    pub(crate) fn reveal(&self, place: Rectangle) {
        self.state.borrow_mut().reveal(place);
    }

    /// What stays in view when the window changes its size.
    pub(crate) fn keep(&self, place: Option<Rectangle>) {
        self.state.borrow_mut().kept = place;
    }

    /// Has the user moved the picture?
    pub(crate) fn moved(&self) -> bool {
        self.state.borrow().moved
    }

    /// As if the user had not moved the picture.
    pub(crate) fn forget_moves(&self) {
        self.state.borrow_mut().moved = false;
    }

    /// Places a new picture where the old one was.
    pub(crate) fn place(&self) {
        self.state.borrow().place();
    }

    /// Where a point of the picture is on the screen, from the host's corner.
    pub(crate) fn on_screen(&self, x: f64, y: f64) -> (f64, f64) {
        let state = self.state.borrow();
        (x * state.zoom + state.shift.0, y * state.zoom + state.shift.1)
    }

    /// Moves the picture so that a point of it comes to a place on the screen.
    pub(crate) fn put(&self, x: f64, y: f64, at: (f64, f64)) {
        let mut state = self.state.borrow_mut();
        state.shift = (at.0 - x * state.zoom, at.1 - y * state.zoom);
        state.moved = true;
        state.place();
    }

    /// Was the pointer, whose button has just been released, dragged? Then that was no click.
    pub(crate) fn dragged(&self) -> bool {
        self.state.borrow().travelled > DRAG_THRESHOLD
    }

    /// Does something with the map, if there is one.
    pub(crate) fn with_map(&self, change: impl FnOnce(&Minimap)) {
        if let Some(map) = &self.state.borrow().map {
            change(map);
        }
    }

    /// What plus, minus, 0 and the arrows with Shift do; false for other keys.
    pub(crate) fn key(&self, key: &KeyboardEvent) -> bool {
        let mut state = self.state.borrow_mut();
        let (width, height) = state.extent;
        match (key.key().as_str(), key.shift_key()) {
            ("ArrowLeft", true) => state.pan(60.0, 0.0),
            ("ArrowRight", true) => state.pan(-60.0, 0.0),
            ("ArrowUp", true) => state.pan(0.0, 60.0),
            ("ArrowDown", true) => state.pan(0.0, -60.0),
            ("+" | "=", _) => state.zoom_at(1.2, width / 2.0, height / 2.0),
            ("-", _) => state.zoom_at(1.0 / 1.2, width / 2.0, height / 2.0),
            ("0", _) => state.fit_whole(),
            _ => return false,
        }
        true
    }
}

impl Drop for Viewport {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

impl State {
    fn fit(&mut self) {
        self.fit_within(self.limits);
    }

    fn fit_whole(&mut self) {
        self.fit_within((LEAST_ZOOM, self.limits.1));
    }

    /// As large as the window lets it be, between these zooms.
    fn fit_within(&mut self, (least, most): (f64, f64)) {
        let ((width, height), size) = (self.extent, self.size);
        if width <= 0.0 || size.x <= 0.0 {
            return;
        }
        let whole = (width / size.x).min(height / size.y);
        self.zoom = whole.clamp(least, most);
        let room = |available: f64, wanted: f64| {
            if wanted <= available { (available - wanted) / 2.0 } else { 0.0 }
        };
        self.shift = (room(width, size.x * self.zoom), room(height, size.y * self.zoom));
        if let Some(start) = self.start.filter(|_| whole < least) {
            let top = (height / 2.0 - (start.y + start.height / 2.0) * self.zoom)
                .clamp((height - size.y * self.zoom).min(0.0), 0.0);
            self.shift.1 = if size.y * self.zoom > height { top } else { self.shift.1 };
        }
        self.moved = false;
        self.place();
    }

    fn focus(&mut self, place: Rectangle) {
        let (width, height) = self.extent;
        let wanted = (width / (place.width + 48.0))
            .min(height / (place.height + 48.0))
            .clamp(self.limits.0, self.limits.1);
        self.zoom = wanted;
        let top = if place.height * wanted > height {
            24.0
        } else {
            (height - place.height * wanted) / 2.0
        };
        self.shift =
            ((width - place.width * wanted) / 2.0 - place.x * wanted, top - place.y * wanted);
        self.moved = true;
        self.place();
    }

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

    /// Brings a point of the picture into the middle.
    fn center(&mut self, x: f64, y: f64) {
        let (width, height) = self.extent;
        self.shift = (width / 2.0 - x * self.zoom, height / 2.0 - y * self.zoom);
        self.moved = true;
        self.place();
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
            // On the element, not on a group inside: a group's transform makes the browser lay out
            // every text again.
            set(
                world,
                "style",
                &format!("transform: translate({x:.2}px, {y:.2}px) scale({:.4})", self.zoom),
            );
        }
        if let Some(map) = &self.map {
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

    fn drag_map(&mut self, event: &PointerEvent) {
        if let Some(map) = &self.map {
            let to = map.point(event.client_x().into(), event.client_y().into());
            self.center(to.x, to.y);
        }
    }
}

fn measure(host: &Element) -> (f64, f64) {
    let area = host.get_bounding_client_rect();
    (area.width(), area.height())
}

/// The limits of a fit, from the style sheet.
fn limits(host: &Element) -> (f64, f64) {
    let style = web_sys::window().and_then(|w| w.get_computed_style(host).ok().flatten());
    let value = |name: &str| style.as_ref()?.get_property_value(name).ok()?.trim().parse().ok();
    let (least, most) = USUAL_LIMITS;
    (value("--least-zoom").unwrap_or(least), value("--most-zoom").unwrap_or(most))
}

/// Sets an attribute of an element outside the virtual DOM.
pub(crate) fn set(element: &Element, name: &str, value: &str) {
    // It fails only for names that are no attribute names.
    let _: Result<(), JsValue> = element.set_attribute(name, value);
}

/// All elements below one that a selector finds, in the document's order.
pub(crate) fn elements(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length())
        .filter_map(|i| list.item(i))
        .filter_map(|node| node.dyn_into().ok())
        .collect()
}

/// The labels of a picture's arrows, in the order of the arrows.
pub(crate) fn labels(host: &Element, arrows: usize) -> Vec<Option<Element>> {
    let mut found = vec![None; arrows];
    for element in elements(host, "[data-label]") {
        let arrow = element.get_attribute("data-label").and_then(|text| text.parse().ok());
        if let Some(place) = arrow.and_then(|arrow: usize| found.get_mut(arrow)) {
            *place = Some(element);
        }
    }
    found
}

/// An attribute of what an event hit, or of what that lies in.
pub(crate) fn data(event: &web_sys::Event, name: &str) -> Option<String> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(&format!("[{name}]")).ok()??.get_attribute(name)
}
