//! The picture of memory as SVG: markup for the page, whose style sheet paints it, and a document
//! that stands alone.

use super::names::gone;
use super::{Block, Cell, Kind, Picture, Time};
use crate::draw::svg::{Theme, escape, memory_style};
use crate::wire::graph::Rectangle;
use std::fmt::Write;

impl Kind {
    /// Is it no object?
    pub(super) fn is_frame(self) -> bool {
        matches!(self, Kind::Globals | Kind::Frame | Kind::Current)
    }

    fn class(self) -> &'static str {
        match self {
            Kind::Globals => "globals",
            Kind::Frame => "frame",
            Kind::Current => "frame current",
            Kind::Object => "object",
            Kind::New => "object new",
            Kind::Gone => "object gone",
        }
    }
}

/// The `<svg>` element for the page.
pub fn markup(picture: &Picture) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg class=\"world memory\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\">",
        picture.size.x, picture.size.y
    );
    content(&mut out, picture);
    out.push_str("</svg>");
    out
}

/// A document with its styles inside, for any viewer.
pub fn standalone(picture: &Picture, theme: Theme) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"memory\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\">\n\
         <style>{2}</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
        picture.size.x,
        picture.size.y,
        memory_style(theme)
    );
    content(&mut out, picture);
    out.push_str("</svg>\n");
    out
}

fn content(out: &mut String, picture: &Picture) {
    out.push_str("<defs>");
    for name in ["always", "before", "after"] {
        let _ = write!(
            out,
            "<marker id=\"points-{name}\" class=\"point {name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0.5 1 L9.5 5 L0.5 9 z\"/></marker>"
        );
    }
    // Lines over what does not exist any more.
    out.push_str(
        "<pattern id=\"hatched\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <path class=\"hatch\" d=\"M0 0 V7\"/></pattern></defs>\n",
    );
    for block in &picture.blocks {
        draw(out, block);
    }
    for arrow in &picture.arrows {
        let time = match arrow.time {
            Time::Always => "always",
            Time::Before => "before",
            Time::After => "after",
        };
        let _ = writeln!(
            out,
            "<g class=\"pointer {time}\" data-from=\"{}\" data-to=\"{}\"><path d=\"{}\" marker-end=\"url(#points-{time})\"/><circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/></g>",
            escape(&arrow.names.0),
            escape(&arrow.names.1),
            arrow.path,
            arrow.from.x,
            arrow.from.y
        );
    }
}

fn draw(out: &mut String, block: &Block) {
    let Rectangle { x, y, width, height } = block.place;
    let title = escape(&block.title);
    let said = match block.kind {
        Kind::Gone => format!(" ({})", gone(&block.title)),
        _ => String::new(),
    };
    let _ = write!(
        out,
        "<g class=\"block {}\" data-object=\"{title}\"><rect class=\"shape\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\"/>",
        block.kind.class()
    );
    if block.kind == Kind::Gone {
        let _ = write!(
            out,
            "<rect class=\"hatching\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\" fill=\"url(#hatched)\"/>"
        );
    }
    let _ = write!(
        out,
        "<text class=\"title\" x=\"{:.1}\" y=\"{:.1}\">{title}{said}</text>",
        x + 10.0,
        y + 16.5
    );
    for row in &block.rows {
        if !row.name.is_empty() {
            let _ = write!(
                out,
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                row.at.x,
                row.at.y + 4.2,
                escape(&row.name)
            );
        }
        for cell in &row.cells {
            value(out, cell);
        }
    }
    out.push_str("</g>\n");
}

fn value(out: &mut String, cell: &Cell) {
    let Rectangle { x, y, width, height } = cell.place;
    let changed = if cell.changed { " changed" } else { "" };
    if cell.framed || cell.changed {
        let class = if cell.framed { "cell" } else { "mark" };
        let _ = write!(
            out,
            "<rect class=\"{class}{changed}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
    if cell.text.is_empty() {
        return;
    }
    // Values of variables end at the right, elements of arrays stand in the middle.
    let (at, anchor) = match cell.framed {
        true => (x + width / 2.0, "middle"),
        false => (x + width - 2.0, "end"),
    };
    let _ = write!(
        out,
        "<text class=\"value{changed}\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        y + height / 2.0 + 4.2,
        escape(&cell.text)
    );
}
