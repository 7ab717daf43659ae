//! The small map in the picture's corner: all of the picture, and the part that is in view. It is
//! there only while a part is out of view, in a corner where it covers no box; if there is none,
//! only while the picture is dragged.

use crate::draw::paint::{Mark, Marks};
use crate::wire::graph::{Graph, Point, Rectangle};
use std::fmt::Write;
use web_sys::Element;

/// Largest extent, in pixels.
const WIDTH: f64 = 172.0;
const HEIGHT: f64 = 124.0;

/// The map's element and its scale.
pub(crate) struct Minimap {
    map: Element,
    window: Element,
    size: Point,
    boxes: Vec<Rectangle>,
}

/// Where the map can lie, the usual corner first.
const CORNERS: [&str; 4] = ["bottom right", "bottom left", "top right", "top left"];

impl Minimap {
    /// Adds the map to the picture's host.
    pub(crate) fn new(host: &Element, graph: &Graph) -> Option<Minimap> {
        let size = graph.size;
        let scale = scale(size)?;
        let mut out = format!(
            "<svg class=\"minimap\" aria-hidden=\"true\" width=\"{:.1}\" height=\"{:.1}\" \
                viewBox=\"0 0 {:.1} {:.1}\"><rect class=\"map-ground\" width=\"100%\" \
                height=\"100%\"/>",
            size.x * scale,
            size.y * scale,
            size.x,
            size.y
        );
        for c in graph.clusters.iter().filter(|c| !c.frameless) {
            let p = c.place;
            let _ = write!(
                out,
                "<rect class=\"map-cluster\" x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" \
                    height=\"{:.0}\"/>",
                p.x, p.y, p.width, p.height
            );
        }
        out.push_str(
            "<path class=\"map-plain\"/><path class=\"map-dim\"/><path \
            class=\"map-lit\"/><path class=\"map-now\"/><rect class=\"map-window\"/></svg>",
        );
        host.insert_adjacent_html("beforeend", &out).ok()?;
        let map = host.query_selector(".minimap").ok()??;
        let window = map.query_selector(".map-window").ok()??;
        let boxes = graph.boxes.iter().map(|b| b.place).collect();
        Some(Minimap { map, window, size, boxes })
    }

    /// Colours the boxes.
    pub(crate) fn paint(&self, graph: &Graph, marks: &Marks) {
        let mut paths = [String::new(), String::new(), String::new()];
        for (i, b) in graph.boxes.iter().enumerate() {
            let which = match marks.boxes.get(i) {
                Some(Mark::Lit) => 2,
                Some(Mark::Dim) => 1,
                _ => 0,
            };
            let p = b.place;
            let _ = write!(
                paths[which],
                "M{:.0} {:.0}h{:.0}v{:.0}h-{:.0}z",
                p.x, p.y, p.width, p.height, p.width
            );
        }
        for (class, path) in [".map-plain", ".map-dim", ".map-lit"].iter().zip(&paths) {
            self.draw(class, path);
        }
    }

    /// Marks the current box.
    pub(crate) fn current(&self, graph: &Graph, position: Option<usize>) {
        let place = position.and_then(|i| graph.boxes.get(i)).map(|b| b.place);
        let path = place.map_or_else(String::new, |p| {
            format!("M{:.0} {:.0}h{:.0}v{:.0}h-{:.0}z", p.x, p.y, p.width, p.height, p.width)
        });
        self.draw(".map-now", &path);
    }

    fn draw(&self, class: &str, path: &str) {
        if let Ok(Some(element)) = self.map.query_selector(class) {
            let _ = element.set_attribute("d", path);
        }
    }

    /// Moves the frame of what is in view; hides the map where that is everything.
    pub(crate) fn look(&self, extent: (f64, f64), shift: (f64, f64), zoom: f64) {
        let slack = 4.0;
        let inside = |from: f64, length: f64, available: f64| {
            from >= -slack && from + length <= available + slack
        };
        let all = inside(shift.0, self.size.x * zoom, extent.0)
            && inside(shift.1, self.size.y * zoom, extent.1);
        let _ = if all {
            self.map.set_attribute("hidden", "")
        } else {
            self.map.remove_attribute("hidden")
        };
        let (x, y) = ((-shift.0 / zoom).max(0.0), (-shift.1 / zoom).max(0.0));
        let right = ((extent.0 - shift.0) / zoom).min(self.size.x).max(x);
        let bottom = ((extent.1 - shift.1) / zoom).min(self.size.y).max(y);
        if !all {
            self.make_way(extent, shift, zoom);
        }
        for (name, value) in [("x", x), ("y", y), ("width", right - x), ("height", bottom - y)] {
            let _ = self.window.set_attribute(name, &format!("{value:.0}"));
        }
    }

    /// Lies in the first corner where it covers no box; if each has one, it is there only
    /// while the picture is dragged (the style sheet knows).
    fn make_way(&self, extent: (f64, f64), shift: (f64, f64), zoom: f64) {
        const GAP: f64 = 20.0;
        let scale = scale(self.size).unwrap_or_default();
        let (width, height) = (self.size.x * scale + GAP, self.size.y * scale + GAP);
        let covers = |corner: &&str| {
            let left = if corner.ends_with("right") { extent.0 - width } else { 0.0 };
            let top = if corner.starts_with("bottom") { extent.1 - height } else { 0.0 };
            let meets = |from: f64, length: f64, start: f64, extent: f64| {
                from < start + extent && from + length > start
            };
            self.boxes.iter().any(|b| {
                meets(b.x * zoom + shift.0, b.width * zoom, left, width)
                    && meets(b.y * zoom + shift.1, b.height * zoom, top, height)
            })
        };
        let free = CORNERS.iter().find(|corner| !covers(corner));
        let _ = self.map.set_attribute("data-corner", free.unwrap_or(&CORNERS[0]));
        let _ = self.map.toggle_attribute_with_force("data-covers", free.is_none());
    }

    /// The picture's point under a point of the window, if the map is there.
    pub(crate) fn point(&self, x: f64, y: f64) -> Point {
        let area = self.map.get_bounding_client_rect();
        let part =
            |at: f64, from: f64, length: f64| ((at - from) / length.max(1.0)).clamp(0.0, 1.0);
        Point {
            x: part(x, area.left(), area.width()) * self.size.x,
            y: part(y, area.top(), area.height()) * self.size.y,
        }
    }
}

fn scale(size: Point) -> Option<f64> {
    (size.x > 0.0 && size.y > 0.0).then(|| (WIDTH / size.x).min(HEIGHT / size.y).min(0.25))
}
