//! Pointers as arrows: straight ahead to the next object of a row, else through the gaps between
//! rows and columns, so that no arrow runs through a box.

use super::contents::{Contents, Held};
use super::names::{Target, target};
use super::places::{GAP, HEAD, Places};
use super::{Arrow, Block, Cell, Time};
use crate::wire::graph::{Point, Rectangle};
use crate::wire::report::Value;

/// Pixels between arrows that share a gap.
const LANE: f64 = 6.0;
/// Lanes in a gap.
const LANES: usize = 5;
/// The radius of a corner.
const CORNER: f64 = 8.0;

/// The arrows of all pointers that lead to an object in the picture.
pub(super) fn route(contents: &Contents, blocks: &[Block], places: &Places) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for (group, block) in contents.groups().zip(blocks) {
        for (member, row) in group.members.iter().zip(&block.rows) {
            for (held, cell) in member.values.iter().zip(&row.cells) {
                for (value, time) in times(held) {
                    let Value::Name(name) = value else { continue };
                    let Some((object, (to, entry))) = end(name, blocks) else { continue };
                    let from = start(cell);
                    let lane = (arrows.len() % LANES) as f64 * LANE;
                    let path = path(from, &block.place, (to, entry), lane, places);
                    let holder = format!("{}.{}", group.title, member.name);
                    arrows.push(Arrow { path, names: (holder, object.to_string()), from, time });
                }
            }
        }
    }
    arrows
}

/// The values of a pointer, and when it has them.
fn times(held: &Held) -> impl Iterator<Item = (&Value, Time)> {
    let changed = held.after.is_some();
    let before = held.before.iter().map(move |value| match changed {
        true => (value, Time::Before),
        false => (value, Time::Always),
    });
    before.chain(held.after.iter().map(|value| (value, Time::After)))
}

fn start(cell: &Cell) -> Point {
    let Rectangle { x, y, width, height } = cell.place;
    let at = if cell.framed { x + width / 2.0 } else { x + width - 6.0 };
    Point { x: at, y: y + height / 2.0 }
}

/// The place of an object, and the point of it to which a pointer leads, if it is an element.
type Reached<'b> = (&'b Rectangle, Option<Point>);

/// The object that a pointer leads to, and the cell of it, or the place behind the last one.
fn end<'b>(name: &'b str, blocks: &'b [Block]) -> Option<(&'b str, Reached<'b>)> {
    let find =
        |object: &str| blocks.iter().find(|block| !block.kind.is_frame() && block.title == object);
    let above = |cell: &Cell, share: f64| Point {
        x: cell.place.x + share * cell.place.width,
        y: cell.place.y,
    };
    match target(name) {
        Target::Object(object, element) => {
            let block = find(object)?;
            // An array's cells stand in its only row; of an array of structs each is a row.
            let cells = block.rows.first().map_or(&[][..], |row| &row.cells);
            let cell = element.and_then(|k| cells.get(k)).filter(|cell| cell.framed);
            Some((object, (&block.place, cell.map(|cell| above(cell, 0.5)))))
        }
        Target::Behind(object) => {
            let block = find(object)?;
            let last = block.rows.first().and_then(|row| row.cells.last());
            let cell = last.filter(|cell| cell.framed).map(|cell| above(cell, 1.0));
            Some((object, (&block.place, cell)))
        }
        Target::Nothing => None,
    }
}

fn path(
    from: Point,
    own: &Rectangle,
    (to, cell): Reached<'_>,
    lane: f64,
    places: &Places,
) -> String {
    let right = own.x + own.width;
    // Nothing stands between neighbouring columns.
    let next = places.columns.iter().find(|left| **left > right);
    if cell.is_none() && next.is_some_and(|left| (to.x - left).abs() < 1.0) {
        let y = to.y + HEAD / 2.0;
        let bend = (to.x - from.x) / 2.0;
        return format!(
            "M{:.1} {:.1} C{:.1} {:.1} {:.1} {y:.1} {:.1} {y:.1}",
            from.x,
            from.y,
            from.x + bend,
            from.y,
            to.x - bend,
            to.x - 2.0
        );
    }
    // Back along a row: under the boxes.
    let bottom = |place: &Rectangle| place.y + place.height;
    if to.x < right && (to.y - own.y).abs() < 1.0 && cell.is_none() && to != own {
        let low = bottom(own).max(bottom(to)) + 26.0 + lane;
        let (x, y) = (to.x + to.width / 2.0, bottom(to) + 2.0);
        return format!(
            "M{:.1} {:.1} C{:.1} {low:.1} {x:.1} {low:.1} {x:.1} {y:.1}",
            from.x, from.y, from.x
        );
    }
    // Through the gap at the right of its column, and the one above the other's row.
    let channel = channel(right, places) + lane;
    let gap = to.y - 10.0 - lane;
    let end = cell.map_or(Point { x: to.x + 18.0 + lane, y: to.y - 2.0 }, |cell| Point {
        x: cell.x,
        y: cell.y - 1.0,
    });
    rounded(&[
        from,
        Point { x: channel, y: from.y },
        Point { x: channel, y: gap },
        Point { x: end.x, y: gap },
        end,
    ])
}

/// The first gap between columns at the right of a place.
fn channel(right: f64, places: &Places) -> f64 {
    let after = places.columns.iter().find(|left| **left > right);
    after.map_or(right + 14.0, |left| left - GAP.x + 14.0)
}

/// Straight pieces with round corners.
fn rounded(points: &[Point]) -> String {
    let mut d = String::new();
    for (k, point) in points.iter().enumerate() {
        let (Some(last), Some(next)) = (k.checked_sub(1).map(|k| &points[k]), points.get(k + 1))
        else {
            d.push_str(&format!(
                "{}{:.1} {:.1}",
                if k == 0 { "M" } else { " L" },
                point.x,
                point.y
            ));
            continue;
        };
        let toward = |other: &Point| {
            let (dx, dy) = (other.x - point.x, other.y - point.y);
            let length = dx.hypot(dy).max(0.1);
            let reach = CORNER.min(length / 2.0) / length;
            (point.x + dx * reach, point.y + dy * reach)
        };
        let ((x1, y1), (x2, y2)) = (toward(last), toward(next));
        d.push_str(&format!(" L{x1:.1} {y1:.1} Q{:.1} {:.1} {x2:.1} {y2:.1}", point.x, point.y));
    }
    d
}
