//! Where frames and objects stand: frames in a column at the left, the outermost on top; objects in
//! rows and columns at its right. A list is a row, and a tree grows to the right. The places are
//! those of the whole run, so that nothing moves while it is stepped through.

use super::contents::{Contents, Group, Held, Lives, Member, pointed};
use super::names::{Target, target};
use super::{Block, Cell, Kind, Row};
use crate::wire::graph::{Point, Rectangle};
use crate::wire::report::{TraceEntry, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Pixels: around the picture, and between frames.
const MARGIN: f64 = 16.0;
/// Between the frames and the objects, and between objects.
pub(super) const GAP: Point = Point { x: 56.0, y: 46.0 };
/// Height of a title, and of a row.
pub(super) const HEAD: f64 = 24.0;
const ROW: f64 = 22.0;
/// Beside names and values.
const PAD: f64 = 10.0;
/// Width of a character.
const CHARACTER: f64 = 7.3;
/// A text is cut to so many characters.
const LONGEST: usize = 28;
/// A longer run is measured at so many of its steps.
const MEASURED: usize = 1_000;

/// The places of a run's objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Places {
    /// Widths of frames and objects, with the share of the names.
    sizes: BTreeMap<String, Size>,
    /// Column and row of each object.
    spots: BTreeMap<String, (usize, usize)>,
    /// The left ends of columns, and the right end of the last.
    pub(super) columns: Vec<f64>,
    /// The upper ends of rows.
    pub(super) rows: Vec<f64>,
    /// The width of all frames.
    frames: f64,
}

/// What a frame or an object takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Size {
    title: f64,
    names: f64,
    values: f64,
    /// Of an array's cell.
    cell: f64,
    height: f64,
}

impl Size {
    fn width(&self) -> f64 {
        let rows = if self.names > 0.0 { self.names + PAD + self.values } else { self.values };
        (rows.max(self.title) + 2.0 * PAD).max(64.0)
    }
}

impl Places {
    pub(super) fn of(trace: &[TraceEntry], lives: &Lives) -> Places {
        let mut places = Places::default();
        let mut order: Vec<String> = lives.objects.iter().map(|(name, _)| name.clone()).collect();
        let mut arrows: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let stride = trace.len().div_ceil(MEASURED).max(1);
        for step in (0..trace.len()).step_by(stride) {
            let contents = Contents::at(trace, step, lives);
            for group in contents.groups() {
                places.measure(group, &contents);
            }
            for object in &contents.objects {
                if !order.contains(&object.title) {
                    order.push(object.title.clone());
                }
                let known = arrows.entry(object.title.clone()).or_default();
                for to in pointed(object) {
                    if !known.contains(&to) {
                        known.push(to);
                    }
                }
            }
        }
        places.spread(&order, &arrows);
        places
    }

    fn measure(&mut self, group: &Group, contents: &Contents) {
        let size = self.sizes.entry(group.key.clone()).or_default();
        let gone = if group.kind == Kind::Gone { " (freed)" } else { "" };
        size.title = size.title.max(wide(&format!("{}{gone}", group.title)));
        size.height = size.height.max(height(group));
        for member in &group.members {
            size.names = size.names.max(wide(&member.name));
            let texts = member.values.iter().map(|held| wide(&text(held, contents)));
            let widest = texts.fold(8.0, f64::max);
            if member.is_array {
                size.cell = size.cell.max(widest + PAD);
                let count = member.values.len() as f64;
                let more = if member.more > 0 { wide("… 100 more") } else { 0.0 };
                size.values = size.values.max(count * size.cell + more);
            } else {
                size.values = size.values.max(widest);
            }
        }
        if group.kind.is_frame() {
            self.frames = self.frames.max(size.width());
        }
    }

    /// Gives each object a column and a row. Objects to which no other one leads come first.
    fn spread(&mut self, order: &[String], arrows: &BTreeMap<String, Vec<String>>) {
        let led_to: BTreeSet<&String> = arrows
            .iter()
            .flat_map(|(from, all)| all.iter().filter(move |to| *to != from))
            .collect();
        let first = order.iter().filter(|name| !led_to.contains(name));
        let mut next_row = 0;
        for root in first.chain(order) {
            let mut stack = vec![(root.clone(), 0)];
            let mut row = None;
            while let Some((name, column)) = stack.pop() {
                if self.spots.contains_key(&name) || !self.sizes.contains_key(&name) {
                    continue;
                }
                // The first object behind another one stands in its row.
                let own = row.take().unwrap_or_else(|| {
                    next_row += 1;
                    next_row - 1
                });
                self.spots.insert(name.clone(), (column, own));
                let behind = arrows.get(&name).into_iter().flatten();
                let new: Vec<_> = behind.filter(|to| !self.spots.contains_key(*to)).collect();
                row = new.first().map(|_| own);
                stack.extend(new.into_iter().rev().map(|to| (to.clone(), column + 1)));
            }
        }
        let (mut widths, mut heights) = (Vec::new(), Vec::new());
        for (name, (column, row)) in &self.spots {
            let size = self.sizes.get(name).copied().unwrap_or_default();
            most(&mut widths, *column, size.width());
            most(&mut heights, *row, size.height);
        }
        let left = match self.frames > 0.0 {
            true => MARGIN + self.frames + GAP.x,
            false => MARGIN,
        };
        self.columns = ends(left, &widths, GAP.x);
        self.rows = ends(MARGIN + 12.0, &heights, GAP.y);
    }

    /// Frames and objects at their places, and the size of the picture.
    pub(super) fn put(&self, contents: &Contents) -> (Vec<Block>, Point) {
        let mut blocks = Vec::new();
        let mut y = MARGIN;
        for group in &contents.frames {
            let tall = height(group);
            let place = Rectangle { x: MARGIN, y, width: self.frames, height: tall };
            blocks.push(self.block(group, place, contents));
            y += tall + 12.0;
        }
        for group in &contents.objects {
            let (column, row) = self.spots.get(&group.title).copied().unwrap_or_default();
            let at = |ends: &[f64], k: usize| ends.get(k).copied().unwrap_or(MARGIN);
            let width = self.sizes.get(&group.key).copied().unwrap_or_default().width();
            let (x, y) = (at(&self.columns, column), at(&self.rows, row));
            let place = Rectangle { x, y, width, height: height(group) };
            blocks.push(self.block(group, place, contents));
        }
        let right = self.columns.last().map_or(MARGIN + self.frames, |end| end - GAP.x);
        let bottom = self.rows.last().map_or(0.0, |end| end - GAP.y + 24.0);
        let size = Point { x: right + MARGIN + 16.0, y: bottom.max(y) + MARGIN };
        (blocks, size)
    }

    fn block(&self, group: &Group, place: Rectangle, contents: &Contents) -> Block {
        let size = self.sizes.get(&group.key).copied().unwrap_or_default();
        let first = place.y + HEAD + ROW / 2.0;
        let rows = (0u32..).zip(&group.members).map(|(k, member)| {
            let at = Point { x: place.x + PAD, y: first + f64::from(k) * ROW };
            Row { name: cut(&member.name), at, cells: cells(member, at, (&place, &size), contents) }
        });
        let rows = rows.collect();
        Block { title: cut(&group.title), kind: group.kind, place, rows }
    }
}

fn cells(
    member: &Member,
    at: Point,
    (place, size): (&Rectangle, &Size),
    contents: &Contents,
) -> Vec<Cell> {
    let left = if size.names > 0.0 { at.x + size.names + PAD } else { at.x };
    let cell = |k: usize, held: &Held| {
        let x = left + k as f64 * size.cell;
        let width = if member.is_array { size.cell } else { place.x + place.width - PAD - left };
        Cell {
            text: cut(&text(held, contents)),
            place: Rectangle { x, y: at.y - ROW / 2.0 + 1.0, width, height: ROW - 2.0 },
            changed: held.after.is_some(),
            framed: member.is_array,
        }
    };
    let mut all: Vec<Cell> = member.values.iter().enumerate().map(|(k, h)| cell(k, h)).collect();
    if member.more > 0 {
        let x = left + all.len() as f64 * size.cell;
        let place = Rectangle { x, y: at.y - ROW / 2.0 + 1.0, width: 80.0, height: ROW - 2.0 };
        let text = format!("… {} more", member.more);
        all.push(Cell { text, place, changed: false, framed: false });
    }
    all
}

/// What is written for a value: nothing for pointers that are arrows, `3 → 4` for a change.
fn text(held: &Held, contents: &Contents) -> String {
    let written = |value: &Value| match value {
        Value::Name(name) if leads(name, contents) => String::new(),
        value => value.brief(),
    };
    let before = held.before.as_ref().map(written);
    let after = held.after.as_ref().map(written);
    match (before, after) {
        (Some(before), Some(after)) if before.is_empty() || after.is_empty() => after,
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    }
}

/// Does a pointer of this value lead to an object in the picture?
pub(super) fn leads(name: &str, contents: &Contents) -> bool {
    match target(name) {
        Target::Object(object, _) | Target::Behind(object) => {
            contents.objects.iter().any(|group| group.title == object)
        }
        Target::Nothing => false,
    }
}

fn height(group: &Group) -> f64 {
    HEAD + ROW * group.members.len() as f64 + 6.0
}

fn wide(text: &str) -> f64 {
    text.chars().count().min(LONGEST) as f64 * CHARACTER
}

fn cut(text: &str) -> String {
    match text.chars().count() <= LONGEST {
        true => text.to_string(),
        false => text.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

fn most(all: &mut Vec<f64>, at: usize, value: f64) {
    if all.len() <= at {
        all.resize(at + 1, 0.0);
    }
    all[at] = all[at].max(value);
}

/// Where things of these sizes begin, and where one more would.
fn ends(first: f64, sizes: &[f64], gap: f64) -> Vec<f64> {
    let mut at = first;
    let mut all = vec![at];
    for size in sizes {
        at += size + gap;
        all.push(at);
    }
    all
}
