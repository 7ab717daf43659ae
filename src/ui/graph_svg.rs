//! The control-flow graph as SVG markup, without paint: the view toggles classes afterwards.

use crate::view::graph::{BoxKind, Graph, GraphArrow, GraphBox, Point, Rectangle};
use crate::view::layout::shown_label;
use std::fmt::Write;

/// The `<svg>` element. Boxes and arrows carry their position in the graph's lists as `data-box` and `data-arrow`.
pub(super) fn markup(graph: &Graph) -> String {
    let mut out = String::with_capacity(400 * (graph.boxes.len() + graph.arrows.len()) + 2_000);
    let _ = write!(out, "<svg class=\"world\" width=\"{:.0}\" height=\"{:.0}\"><defs>", graph.size.x.max(1.0), graph.size.y.max(1.0));
    for name in ["plain", "dim", "lit", "now"] {
        // Fixed size, so that thicker arrows do not get huge heads.
        let _ = write!(
            out,
            "<marker id=\"head-{name}\" class=\"head {name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0.5 1 L9.5 5 L0.5 9 z\"/></marker>"
        );
    }
    out.push_str("</defs><g class=\"clusters\">");
    for (i, c) in graph.clusters.iter().enumerate() {
        let Rectangle { x, y, width, height } = c.place;
        let _ = write!(
            out,
            "<g class=\"cluster\" data-cluster=\"{i}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"12\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            x + 16.0,
            y + 24.0,
            escape(&c.name)
        );
    }
    out.push_str("</g><g class=\"arrows\">");
    for (i, a) in graph.arrows.iter().enumerate() {
        arrow(&mut out, i, a);
    }
    out.push_str("</g><g class=\"boxes\">");
    for (i, b) in graph.boxes.iter().enumerate() {
        node(&mut out, i, b);
    }
    out.push_str("</g></svg>");
    out
}

fn arrow(out: &mut String, i: usize, a: &GraphArrow) {
    let call = if a.call { " call" } else { "" };
    let _ = write!(out, "<g class=\"arrow{call}\" data-arrow=\"{i}\"><path d=\"{}\"/>", spline(&a.points));
    if !a.label.is_empty() {
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", a.label_at.x, a.label_at.y + 4.0, escape(&a.label));
    }
    out.push_str("</g>");
}

fn node(out: &mut String, i: usize, b: &GraphBox) {
    let Rectangle { x, y, width, height } = b.place;
    let label = escape(&b.label);
    let _ = write!(
        out,
        "<g class=\"box {}\" data-box=\"{i}\" role=\"img\" aria-label=\"line {}: {label}\"><title>line {}: {label}</title>",
        kind_class(b.kind),
        b.line,
        b.line
    );
    match b.kind {
        BoxKind::Condition => {
            let (left, right, middle, bottom, cut) = (x, x + width, y + height / 2.0, y + height, 10.0);
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
            let round = if b.kind == BoxKind::Exit { height / 2.0 } else { 7.0 };
            let _ =
                write!(out, "<rect class=\"shape\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round}\"/>");
        }
    }
    if b.kind == BoxKind::Call {
        let (top, bottom) = (y + 1.0, y + height - 1.0);
        for side in [x + 6.0, x + width - 6.0] {
            let _ = write!(out, "<path class=\"side\" d=\"M{side:.1} {top:.1} V{bottom:.1}\"/>");
        }
    }
    let _ =
        write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>", x + width / 2.0, y + height / 2.0 + 4.2, escape(&shown_label(&b.label)));
}

fn kind_class(kind: BoxKind) -> &'static str {
    match kind {
        BoxKind::Statement => "statement",
        BoxKind::Condition => "condition",
        BoxKind::Call => "call",
        BoxKind::Assertion => "assertion",
        BoxKind::Exit => "exit",
    }
}

/// A uniform cubic B-spline over the control points, clamped to the first and the last: calm curves, and straight lines stay straight.
fn spline(points: &[Point]) -> String {
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

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
