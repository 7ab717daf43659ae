//! The inductive invariant as C expressions over the variables in scope, at loops and at
//! statements.
//!
//! The format cannot mention a frame's entry, so the invariant is projected to the store now. The
//! result holds, but need not be inductive by itself.

use super::{Places, text};
use crate::lang::model::{EdgeId, LocationId, StatementKind};
use crate::readable::c_expression::c_expression;
use crate::report::invariant::stores_at;
use crate::session::Session;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One `invariant` for each place in the source that has one.
pub(super) fn content(session: &mut Session, places: &Places) -> Option<String> {
    let mut out = String::new();
    for (place, location) in named_places(places) {
        let Some(location) = location else { continue };
        let formula = stores_at(session, location, Some(place.edge))?;
        let Some(value) = c_expression(&formula).filter(|value| value != "1") else { continue };
        let _ = writeln!(out, "  - invariant:");
        let _ = writeln!(
            out,
            "      type: {}",
            if place.is_loop { "loop_invariant" } else { "location_invariant" }
        );
        out.push_str(&places.location(place.byte, place.edge, 6));
        let _ = writeln!(out, "      value: {}", text(&value));
        let _ = writeln!(out, "      format: c_expression");
    }
    Some(out)
}

/// A place that the format can name.
struct Place {
    byte: u32,
    is_loop: bool,
    edge: EdgeId,
}

/// The places in the order of the source. A location is left out if one place of the source stands
/// for several locations.
fn named_places(places: &Places) -> Vec<(Place, Option<LocationId>)> {
    let program = places.program;
    let code = without_comments(places.source);
    let mut into: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations.len()];
    let mut first: Vec<u32> = vec![u32::MAX; program.locations.len()];
    for id in program.edge_ids() {
        let edge = program.edge(id);
        into[edge.to.0 as usize].push(id);
        first[edge.from.0 as usize] = first[edge.from.0 as usize].min(edge.span.start);
    }
    let mut found: BTreeMap<u32, (Place, Option<LocationId>)> = BTreeMap::new();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        if matches!(edge.kind, StatementKind::Hidden | StatementKind::Jump)
            || !starts_statement(&code, edge.span.start)
        {
            continue;
        }
        // The text of the condition of a `for` is the condition, but its place is the header.
        let begins = |word: &str| {
            let header = code.get(edge.span.start as usize..).unwrap_or_default();
            edge.kind == StatementKind::Condition && header.starts_with(word)
        };
        let is_for = begins("for");
        let is_loop = is_for || begins("while");
        // `do … while (c)`: the format names this loop by its `do`, which no edge remembers.
        let back = |id: &EdgeId| {
            let other = program.edge(*id);
            other.from == edge.from
                && other.outcome == "true"
                && first[other.to.0 as usize] < edge.span.start
        };
        if is_loop && !is_for && program.edge_ids().any(|id| back(&id)) {
            continue;
        }
        // A part of the statement was evaluated before, so this is a point inside it.
        let inside = into[edge.from.0 as usize].iter().map(|id| program.edge(*id)).any(|before| {
            let within = edge.span.start <= before.span.start && before.span.end <= edge.span.end;
            let header =
                is_for && before.kind == StatementKind::Assignment && before.span != edge.span;
            within && !header
        });
        if inside {
            continue;
        }
        let place = Place { byte: edge.span.start, is_loop, edge: id };
        let entry = found.entry(edge.span.start).or_insert((place, Some(edge.from)));
        if entry.1 != Some(edge.from) {
            entry.1 = None;
        }
    }
    found.into_values().collect()
}

/// Does a statement start at this byte, rather than an expression inside one?
fn starts_statement(code: &str, byte: u32) -> bool {
    let before = code.get(..byte as usize).unwrap_or("").trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    before.is_empty()
        || before.ends_with([';', '{', '}', ')', ':'])
        || matches!(word, "else" | "do")
}

/// The source with blanks in place of comments. All bytes keep their positions.
fn without_comments(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = ["//", "/*"].iter().filter_map(|open| rest.find(open)).min() {
        let (kept, comment) = rest.split_at(at);
        code.push_str(kept);
        let length = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else {
            comment[2..].find("*/").map_or(comment.len(), |end| end + 4)
        };
        code.extend(comment[..length].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = &comment[length..];
    }
    code.push_str(rest);
    code
}
