//! The graph as SVG: markup for the page, whose style sheet paints it, and a picture that stands
//! alone.

use crate::draw::layout::shown_label;
use crate::draw::paint::{Mark, Marks};
use crate::wire::graph::{BoxKind, Graph, GraphArrow, GraphBox, Point, Rectangle};
use std::fmt::Write;

/// What is marked in a picture. Positions count the graph's boxes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Painting<'a> {
    /// Lit and dim; shorter lists leave the rest plain.
    pub marks: Option<&'a Marks>,
    /// Box where the shown run fails.
    pub fails: Option<usize>,
    /// Box of the current step, and the arrow that it takes.
    pub now: Option<usize>,
    /// The statement that the current step executes.
    pub statement: Option<u32>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white: for print.
    Light,
    /// Light on black.
    Dark,
}

/// The `<svg>` element for the page. Boxes, arrows and clusters carry their position in the graph's
/// lists as `data-box`, `data-arrow` and `data-cluster`; the view toggles classes afterwards.
pub fn markup(graph: &Graph) -> String {
    world(graph, &Painting::default(), if graph.clusters.len() > 1 { 0 } else { usize::MAX })
}

/// The same, for a picture whose first frame never folds; the others have handles if `folds`.
pub fn framed_markup(graph: &Graph, folds: bool) -> String {
    world(graph, &Painting::default(), if folds { 1 } else { usize::MAX })
}

/// The same, painted, without anything that folds.
pub fn painted_markup(graph: &Graph, painting: &Painting) -> String {
    world(graph, painting, usize::MAX)
}

/// Frames have handles to fold them from number `foldable` on.
fn world(graph: &Graph, painting: &Painting, foldable: usize) -> String {
    let mut out = String::with_capacity(420 * (graph.boxes.len() + graph.arrows.len()) + 2_000);
    let (width, height) = (graph.size.x.max(1.0), graph.size.y.max(1.0));
    let _ = write!(out, "<svg class=\"world\" width=\"{width:.0}\" height=\"{height:.0}\">");
    content(&mut out, graph, painting, true, foldable);
    out.push_str("</svg>");
    out
}

/// A whole picture with its styles inside, for any viewer.
pub fn standalone(graph: &Graph, painting: &Painting, theme: Theme) -> String {
    let mut out = String::with_capacity(420 * (graph.boxes.len() + graph.arrows.len()) + 6_000);
    let (width, height) = (graph.size.x.max(1.0), graph.size.y.max(1.0));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{}</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
        style(theme)
    );
    content(&mut out, graph, painting, false, usize::MAX);
    out.push_str("</svg>\n");
    out
}

/// A picture inside a document: [`document_style`] paints it. Boxes have the ids `box-0`, `box-1`,
/// and so on.
pub(crate) fn inline(graph: &Graph, painting: &Painting) -> String {
    let (width, height) = (graph.size.x.max(1.0), graph.size.y.max(1.0));
    let mut out = format!(
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"group\" aria-label=\"Control-flow graph\">"
    );
    content(&mut out, graph, painting, true, usize::MAX);
    out.push_str("</svg>");
    out
}

/// Frames have handles to fold them from number `foldable` on.
fn content(
    out: &mut String,
    graph: &Graph,
    painting: &Painting,
    interactive: bool,
    foldable: usize,
) {
    out.push_str("<defs>");
    for name in ["plain", "dim", "lit", "now"] {
        // Fixed size, so that thicker arrows do not get huge heads.
        let _ = write!(
            out,
            "<marker id=\"head-{name}\" class=\"head {name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0.5 1 L9.5 5 L0.5 9 z\"/></marker>"
        );
    }
    out.push_str("</defs>\n<g class=\"clusters\">");
    for (i, c) in graph.clusters.iter().enumerate().filter(|(_, c)| !c.frameless) {
        let Rectangle { x, y, width, height } = c.place;
        let (name, foldable) = (escape(&c.name), i >= foldable);
        let _ = write!(
            out,
            "<g class=\"cluster\" data-cluster=\"{i}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"12\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            x + if foldable { 34.0 } else { 16.0 },
            y + 24.0,
        );
        if foldable {
            let title = format!("Fold {name}");
            handle(out, "fold", &format!("data-fold=\"{i}\""), &title, x + 20.0, y + 19.5);
        }
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n<g class=\"arrows\">");
    let mut labels = String::new();
    let now_id = painting.now.and_then(|now| graph.boxes.get(now)).map(|b| b.id);
    for (i, a) in graph.arrows.iter().enumerate() {
        let now = now_id == Some(a.from)
            && painting.statement == Some(a.statement)
            && painting.fails != painting.now;
        let class = format!(
            "arrow{}{}{}",
            if a.call { " call" } else { "" },
            mark_class(painting.marks.and_then(|m| m.arrows.get(i))),
            if now { " now" } else { "" }
        );
        arrow(out, i, a, &class, interactive);
        label(&mut labels, i, a, &class, interactive);
    }
    // Behind all arrows, so that none is drawn over a label.
    let _ = write!(out, "</g>\n<g class=\"labels\">{labels}</g>\n<g class=\"boxes\">");
    for (i, b) in graph.boxes.iter().enumerate() {
        let fails = painting.fails == Some(i);
        let class = format!(
            "box {}{}{}{}",
            b.kind.word(),
            mark_class(painting.marks.and_then(|m| m.boxes.get(i))),
            if fails { " fails" } else { "" },
            if painting.now == Some(i) { " now" } else { "" }
        );
        node(out, i, b, &class, interactive);
        if fails {
            out.push_str(&badge(&b.place));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n");
}

/// A cross at the corner of the box where the shown run fails: the colour alone does not say it.
pub fn badge(place: &Rectangle) -> String {
    let (x, y) = (place.x + place.width, place.y);
    format!(
        "<g class=\"badge\" transform=\"translate({x:.1} {y:.1})\"><circle r=\"8.5\"/><path d=\"M-3 -3 L3 3 M3 -3 L-3 3\"/></g>"
    )
}

/// The class that a mark gives, with a space in front.
pub fn mark_class(mark: Option<&Mark>) -> &'static str {
    match mark {
        Some(Mark::Lit) => " lit",
        Some(Mark::Dim) => " dim",
        _ => "",
    }
}

fn handle(out: &mut String, class: &str, data: &str, title: &str, x: f64, y: f64) {
    let _ = write!(
        out,
        "<g class=\"handle {class}\" {data}><title>{title}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/><path d=\"M{:.1} {y:.1} H{:.1}\"/></g>",
        x - 3.2,
        x + 3.2
    );
}

fn arrow(out: &mut String, i: usize, a: &GraphArrow, class: &str, interactive: bool) {
    let _ = write!(out, "<g class=\"{class}\"");
    if interactive {
        let _ = write!(out, " data-arrow=\"{i}\"");
    }
    let _ = writeln!(out, "><path d=\"{}\"/></g>", spline(&a.points));
}

/// An arrow's label, with the arrow's classes.
fn label(out: &mut String, i: usize, a: &GraphArrow, class: &str, interactive: bool) {
    if a.label.is_empty() {
        return;
    }
    let _ = write!(out, "<g class=\"{class}\"");
    if interactive {
        let _ = write!(out, " data-label=\"{i}\"");
    }
    let _ = writeln!(
        out,
        "><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
        a.label_at.x,
        a.label_at.y + 4.0,
        escape(&a.label)
    );
}

/// What a box is called: by its tooltip and by screen readers.
pub fn spoken(b: &GraphBox) -> String {
    match b.kind {
        BoxKind::Chain => {
            format!("line {}: {} boxes in a row, folded: {}", b.line, b.stands_for.len(), b.label)
        }
        BoxKind::Procedure => {
            format!("line {}: procedure {}, folded, {} boxes", b.line, b.label, b.stands_for.len())
        }
        _ => format!("line {}: {}", b.line, b.label),
    }
}

/// Everything but the closing tag: a badge may follow.
fn node(out: &mut String, i: usize, b: &GraphBox, class: &str, interactive: bool) {
    let Rectangle { x, y, width, height } = b.place;
    let name = escape(&spoken(b));
    let _ = write!(out, "<g class=\"{class}\"");
    if interactive {
        let role = if b.is_folded() { "button" } else { "img" };
        let _ =
            write!(out, " id=\"box-{i}\" data-box=\"{i}\" role=\"{role}\" aria-label=\"{name}\"");
    }
    let _ = write!(out, "><title>{name}</title>");
    let stacked = |out: &mut String, dy: f64| {
        let _ = write!(
            out,
            "<rect class=\"shape\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"7\"/>",
            x + dy,
            y + dy,
            width - 2.0 * dy
        );
    };
    match b.kind {
        BoxKind::Condition => {
            let (left, right, middle, bottom, cut) =
                (x, x + width, y + height / 2.0, y + height, 10.0);
            let _ = write!(
                out,
                "<path class=\"shape\" d=\"M{:.1} {y:.1} H{:.1} L{right:.1} {middle:.1} L{:.1} {bottom:.1} H{:.1} L{left:.1} {middle:.1} Z\"/>",
                left + cut,
                right - cut,
                right - cut,
                left + cut
            );
        }
        _ => {
            if b.kind == BoxKind::Chain {
                // A second sheet shows below: there is more than one.
                stacked(out, 4.0);
            }
            let round = if b.kind == BoxKind::Exit { height / 2.0 } else { 7.0 };
            let _ = write!(
                out,
                "<rect class=\"shape\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round}\"/>"
            );
        }
    }
    if b.kind == BoxKind::Call {
        let (top, bottom) = (y + 1.0, y + height - 1.0);
        for side in [x + 6.0, x + width - 6.0] {
            let _ = write!(out, "<path class=\"side\" d=\"M{side:.1} {top:.1} V{bottom:.1}\"/>");
        }
    }
    let middle = x + width / 2.0;
    let _ = write!(
        out,
        "<text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
        y + height / 2.0 + 4.2,
        escape(&shown_label(&b.label))
    );
    if interactive && b.heads_chain {
        handle(out, "fold-chain", &format!("data-chain=\"{}\"", b.id), "Fold this chain", x, y);
    }
}

/// A uniform cubic B-spline over the control points, clamped to the first and the last: calm
/// curves, and straight lines stay straight.
pub(crate) fn spline(points: &[Point]) -> String {
    let mut d = String::new();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return d };
    let _ = write!(d, "M{:.1} {:.1}", first.x, first.y);
    if points.len() > 2 {
        let at = |p: &Point, q: &Point, t: f64| (p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t);
        let (x, y) = at(first, &points[1], 1.0 / 6.0);
        let _ = write!(d, " L{x:.1} {y:.1}");
        for i in 0..points.len() - 1 {
            let (p, q) = (&points[i], &points[i + 1]);
            let r = points.get(i + 2).unwrap_or(q);
            let ((x1, y1), (x2, y2)) = (at(p, q, 1.0 / 3.0), at(p, q, 2.0 / 3.0));
            let (x, y) = ((p.x + 4.0 * q.x + r.x) / 6.0, (p.y + 4.0 * q.y + r.y) / 6.0);
            let _ = write!(d, " C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x:.1} {y:.1}");
        }
    }
    let _ = write!(d, " L{:.1} {:.1}", last.x, last.y);
    d
}

/// Text for element content and attribute values alike.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write these.
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The style sheet's colours (`static/style.css`) as plain values: viewers know neither
/// `light-dark()` nor variables.
struct Colours {
    ground: &'static str,
    /// Inside a frame.
    paper: &'static str,
    panel: &'static str,
    raised: &'static str,
    ink: &'static str,
    muted: &'static str,
    faint: &'static str,
    line: &'static str,
    line_strong: &'static str,
    accent: &'static str,
    accent_ground: &'static str,
    lit: &'static str,
    lit_ground: &'static str,
    lit_line: &'static str,
    arrow: &'static str,
    arrow_dim: &'static str,
}

const LIGHT: Colours = Colours {
    ground: "#f6f6f3",
    paper: "#fbfbfa",
    panel: "#ffffff",
    raised: "#ffffff",
    ink: "#1a2030",
    muted: "#5c6678",
    faint: "#656d7c",
    line: "#e4e5e8",
    line_strong: "#c9ccd3",
    accent: "#3451c7",
    accent_ground: "#edf0fd",
    lit: "#bf3d0a",
    lit_ground: "#fff0e6",
    lit_line: "#e39a6c",
    arrow: "#8b94a3",
    arrow_dim: "#c3c8d0",
};

const DARK: Colours = Colours {
    ground: "#0e1116",
    paper: "#12151c",
    panel: "#151920",
    raised: "#1b202a",
    ink: "#e7eaf1",
    muted: "#9aa4b5",
    faint: "#8a94a4",
    line: "#262c37",
    line_strong: "#3a4250",
    accent: "#93a8ff",
    accent_ground: "#1c2340",
    lit: "#ff9c57",
    lit_ground: "#2f2119",
    lit_line: "#8f5630",
    arrow: "#6d7787",
    arrow_dim: "#3b4350",
};

/// The rules of a picture of swim lanes that stands alone.
pub(crate) fn lane_style(theme: Theme) -> String {
    let c = match theme {
        Theme::Light => LIGHT,
        Theme::Dark => DARK,
    };
    let rules: &[(&str, String)] = &[
        (
            "text",
            format!(
                "font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: {}",
                c.ink
            ),
        ),
        (".ground", format!("fill: {}", c.ground)),
        (".lane-name", "font: 600 13px system-ui, 'DejaVu Sans', sans-serif".into()),
        (".quiet", format!("fill: {}", c.muted)),
        (".rail", format!("stroke: {}; stroke-width: 1.5", c.line)),
        (".rail.active", format!("stroke: {}; stroke-width: 2.5", c.line_strong)),
        (".crossing", format!("fill: none; stroke: {}; stroke-width: 2", c.accent)),
        (".globals", format!("fill: {}", c.accent)),
        (".step circle", format!("fill: {}; stroke: {}; stroke-width: 2", c.ground, c.muted)),
        (".step.now circle", format!("fill: {0}; stroke: {0}", c.accent)),
        (".step.now text", "font-weight: 600".into()),
        (".step.fails circle", format!("fill: {0}; stroke: {0}", c.lit)),
        (".step.fails text, .blocked", format!("fill: {}", c.lit)),
    ];
    rules.iter().map(|(selector, rule)| format!("{selector} {{ {rule} }}\n")).collect()
}

/// The rules of a picture of memory that stands alone.
pub(crate) fn memory_style(theme: Theme) -> String {
    let c = match theme {
        Theme::Light => LIGHT,
        Theme::Dark => DARK,
    };
    let line = |colour: &str| format!("fill: none; stroke: {colour}; stroke-width: 1.4");
    let rules: &[(&str, String)] = &[
        (
            "text",
            format!(
                "font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: {}",
                c.ink
            ),
        ),
        (".ground", format!("fill: {}", c.ground)),
        (".shape", format!("fill: {}; stroke: {}; stroke-width: 1.1", c.raised, c.line_strong)),
        (".frame .shape, .globals .shape", format!("fill: {}; stroke: {}", c.panel, c.line)),
        (".current .shape, .new .shape", format!("stroke: {}; stroke-width: 1.8", c.accent)),
        (".gone .shape", format!("fill: {}; stroke-dasharray: 4 3", c.ground)),
        (".hatch", line(c.line_strong)),
        (".title", "font: 600 12.5px system-ui, 'DejaVu Sans', sans-serif".into()),
        (".frame .title, .globals .title, .name", format!("fill: {}", c.muted)),
        (".gone text", format!("fill: {}", c.faint)),
        (".cell", format!("fill: {}; stroke: {}", c.panel, c.line_strong)),
        (".changed", format!("fill: {}", c.accent_ground)),
        ("text.changed", format!("fill: {}; font-weight: 600", c.accent)),
        (".pointer path", line(c.muted)),
        (".pointer circle, .point path", format!("fill: {}; stroke: none", c.muted)),
        (".pointer.before path", format!("stroke: {}; stroke-dasharray: 4 4", c.arrow)),
        (".point.before path", format!("fill: {}", c.arrow)),
        (".pointer.after path", format!("stroke: {}; stroke-width: 2.2", c.accent)),
        (".pointer.after circle, .point.after path", format!("fill: {}", c.accent)),
    ];
    rules.iter().map(|(selector, rule)| format!("{selector} {{ {rule} }}\n")).collect()
}

/// The rules of a picture that stands alone.
pub(crate) fn style(theme: Theme) -> String {
    rules(match theme {
        Theme::Light => LIGHT,
        Theme::Dark => DARK,
    })
}

/// The rules of a picture inside a document that sets these variables.
pub(crate) fn document_style() -> String {
    rules(Colours {
        ground: "var(--ground)",
        paper: "var(--paper)",
        panel: "var(--panel)",
        raised: "var(--raised)",
        ink: "var(--ink)",
        muted: "var(--muted)",
        faint: "var(--faint)",
        line: "var(--line)",
        line_strong: "var(--line-strong)",
        accent: "var(--accent)",
        accent_ground: "var(--accent-ground)",
        lit: "var(--lit)",
        lit_ground: "var(--lit-ground)",
        lit_line: "var(--lit-line)",
        arrow: "var(--arrow)",
        arrow_dim: "var(--arrow-dim)",
    })
}

fn rules(c: Colours) -> String {
    let rules: &[(&str, String)] = &[
        (
            "text",
            format!(
                "font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: {}; text-anchor: middle",
                c.ink
            ),
        ),
        (".ground", format!("fill: {}", c.ground)),
        (".cluster rect", format!("fill: {}; fill-opacity: 0.55; stroke: {}", c.panel, c.line)),
        (
            ".cluster text",
            format!(
                "font: 600 12.5px system-ui, 'DejaVu Sans', sans-serif; fill: {}; text-anchor: start",
                c.muted
            ),
        ),
        (".shape", format!("fill: {}; stroke: {}; stroke-width: 1.1", c.raised, c.line_strong)),
        (".side", format!("stroke: {}; fill: none", c.line_strong)),
        (".exit text", format!("font-size: 12px; fill: {}", c.muted)),
        (".assertion text, .procedure text", "font-weight: 600".into()),
        (
            ".box.lit .shape",
            format!("fill: {}; stroke: {}; stroke-width: 1.7", c.lit_ground, c.lit_line),
        ),
        (".box.lit .side", format!("stroke: {}", c.lit_line)),
        (".box.dim .shape", format!("fill: {}; stroke: {}", c.ground, c.line)),
        (".box.dim .side", format!("stroke: {}", c.line)),
        (".box.dim text", format!("fill: {}; opacity: 0.8", c.faint)),
        (".box.fails .shape", format!("stroke: {}; stroke-width: 2", c.lit)),
        (
            ".box.now .shape",
            format!("fill: {}; stroke: {}; stroke-width: 2.4", c.accent_ground, c.accent),
        ),
        (".badge circle", format!("fill: {}; stroke: {}; stroke-width: 2", c.lit, c.ground)),
        (
            ".badge path",
            format!("stroke: {}; stroke-width: 1.8; stroke-linecap: round; fill: none", c.panel),
        ),
        (
            ".arrow path",
            format!(
                "fill: none; stroke: {}; stroke-width: 1.25; marker-end: url(#head-plain)",
                c.arrow
            ),
        ),
        (".arrow.call path", "stroke-dasharray: 5 4".into()),
        (
            ".arrow.dim path",
            format!("stroke: {}; stroke-width: 1.1; marker-end: url(#head-dim)", c.arrow_dim),
        ),
        (
            ".arrow.lit path",
            format!("stroke: {}; stroke-width: 2; marker-end: url(#head-lit)", c.lit),
        ),
        (
            ".arrow.now path",
            format!("stroke: {}; stroke-width: 2.4; marker-end: url(#head-now)", c.accent),
        ),
        (
            ".arrow text",
            format!(
                "font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: {}; paint-order: stroke; stroke: {}; stroke-width: 5px; stroke-linejoin: round",
                c.muted, c.paper
            ),
        ),
        (".arrow.lit text", format!("fill: {}", c.lit)),
        (".arrow.now text", format!("fill: {}", c.accent)),
        (".arrow.dim text", format!("fill: {}", c.faint)),
        (".ring, .inner", format!("fill: {}; stroke: {}; stroke-width: 1.3", c.raised, c.muted)),
        (".callee .ring, .seed .ring", "stroke-dasharray: 4 3".into()),
        (
            ".wire path",
            format!(
                "fill: none; stroke: {}; stroke-width: 1.25; marker-end: url(#tip-plain)",
                c.arrow
            ),
        ),
        (
            ".wire.now path",
            format!("stroke: {}; stroke-width: 2.2; marker-end: url(#tip-now)", c.accent),
        ),
        (
            ".row text",
            format!(
                "font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; paint-order: stroke; stroke: {}; stroke-width: 4px; stroke-linejoin: round",
                c.ground
            ),
        ),
        (".row .weight", format!("fill: {}", c.muted)),
        (".row.added text, .row.raised text", format!("font-weight: 700; fill: {}", c.accent)),
        (".row.looked-at text", format!("fill: {}; text-decoration: underline", c.accent)),
        (".head path", format!("fill: {}", c.arrow)),
        (".head.dim path", format!("fill: {}", c.arrow_dim)),
        (".head.lit path", format!("fill: {}", c.lit)),
        (".head.now path", format!("fill: {}", c.accent)),
    ];
    rules.iter().fold(String::from("\n"), |mut text, (selector, rule)| {
        let _ = writeln!(text, "{selector} {{ {rule} }}");
        text
    })
}
