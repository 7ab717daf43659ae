//! The places of a program that count as states of its runs, and where labels stand.
//!
//! A state is what stands before a statement of the source, at a procedure's beginning, or at its
//! end. What the front end put in between (an operand with a call, the storing of a result) is no
//! state of its own.

use crate::lang::model::{Edge, EdgeId, Expression, LocationId, Operation, Program, StatementKind};
use crate::util::names::continues_name;

/// Calls that end the program.
const ENDS: [&str; 9] = [
    "exit",
    "abort",
    "_Exit",
    "_exit",
    "quick_exit",
    "err",
    "errx",
    "__builtin_trap",
    "__builtin_abort",
];

/// The text of the edge that ends a run of a raw system (see [`super::raw_program`]).
pub const NO_RULE: &str = "no rule applies";

/// Does the edge end the run, as `exit(0)` does? (An assumption that does not hold blocks it.)
pub fn ends_run(edge: &Edge) -> bool {
    let name = edge.text.split(|c| !continues_name(c)).next();
    edge.kind == StatementKind::Assumption
        && matches!(edge.operation, Operation::Assume(Expression::Constant(0, _)))
        && (name.is_some_and(|name| ENDS.contains(&name)) || edge.text == NO_RULE)
}

/// By location: is a run there in a state that formulas speak about?
pub fn states(program: &Program) -> Vec<bool> {
    let mut is_state = vec![false; program.locations.len()];
    for edge in &program.edges {
        is_state[edge.from] |= edge.is_statement();
    }
    for (k, procedure) in program.procedures.iter().enumerate() {
        // One that stands nowhere in the text was made up: only the end of all is seen.
        is_state[procedure.entry] |= procedure.span.line > 0;
        is_state[procedure.exit] |= procedure.span.line > 0 || k == program.main;
    }
    // On every loop there must be a state.
    let mut depth = vec![0u8; program.locations.len()];
    let mut out: Vec<Vec<LocationId>> = vec![Vec::new(); program.locations.len()];
    for edge in &program.edges {
        if !is_state[edge.from] {
            out[edge.from].push(edge.to);
        }
    }
    for start in (0..program.locations.len() as u32).map(LocationId) {
        let mut stack = vec![(start, 0usize)];
        if depth[start] != 0 || is_state[start] {
            continue;
        }
        depth[start] = 1;
        while let Some((at, k)) = stack.pop() {
            let Some(to) = out[at].get(k).copied() else {
                depth[at] = 2;
                continue;
            };
            stack.push((at, k + 1));
            if is_state[to] {
                continue;
            }
            match depth[to] {
                0 => {
                    depth[to] = 1;
                    stack.push((to, 0));
                }
                1 => is_state[to] = true,
                _ => {}
            }
        }
    }
    is_state
}

/// The places before the statements of a line.
pub fn on_line(program: &Program, line: u32) -> Vec<LocationId> {
    let is_state = states(program);
    let mut found: Vec<LocationId> = program
        .edge_ids()
        .filter(|id| program.stands_at(*id, line))
        .map(|id| program.edge(id).from)
        .filter(|from| is_state[*from])
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The places that a label names: where the first statement behind it begins. Several procedures
/// may have a label of this name. `None` if the text has no such label.
pub fn at_label(program: &Program, source: &str, label: &str) -> Option<Vec<LocationId>> {
    let mut found = Vec::new();
    let mut known = false;
    for (offset, _) in labels_in(source).into_iter().filter(|(_, name)| *name == label) {
        known = true;
        let behind = |id: &EdgeId| {
            let edge = program.edge(*id);
            edge.is_statement() && edge.span.start as usize >= offset
        };
        let first = program.edge_ids().filter(behind).min_by_key(|id| program.edge(*id).span.start);
        if let Some(first) = first {
            let start = program.edge(first).span.start;
            let same = |edge: &&Edge| edge.is_statement() && edge.span.start == start;
            found.extend(program.edges.iter().filter(same).map(|edge| edge.from));
        }
    }
    found.sort_unstable();
    found.dedup();
    known.then_some(found)
}

/// The names of the labels of a text, in order.
pub fn labels(source: &str) -> Vec<&str> {
    let names = labels_in(source).into_iter().map(|(_, name)| name);
    let mut found: Vec<&str> = names.filter(|name| *name != "default").collect();
    found.dedup();
    found
}

/// Where `label:` stands in a text, outside comments and quotes, at the beginning of a statement,
/// for each label.
fn labels_in(source: &str) -> Vec<(usize, &str)> {
    let bytes = source.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii();
    let mut found = Vec::new();
    let (mut at, mut begins) = (0, true);
    while at < bytes.len() {
        let rest = &source.as_bytes()[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |k| k + 4);
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            let quote = rest[0];
            let mut k = 1;
            while k < rest.len() && rest[k] != quote {
                k += if rest[k] == b'\\' { 2 } else { 1 };
            }
            at += (k + 1).min(rest.len());
            begins = false;
        } else if is_word(rest[0]) {
            let length = rest.iter().position(|b| !is_word(*b)).unwrap_or(rest.len());
            let tail = rest[length..].iter().copied().find(|b| !b.is_ascii_whitespace());
            let is_assignment = {
                let from = rest[length..].iter().position(|b| *b == b':').unwrap_or(0) + length;
                matches!(rest.get(from + 1), Some(b'=' | b':'))
            };
            if begins && tail == Some(b':') && !is_assignment {
                found.push((at, &source[at..at + length]));
            }
            begins = tail == Some(b':') && begins;
            at += length;
        } else {
            if matches!(rest[0], b';' | b'{' | b'}' | b')') || rest[0] == b':' && begins {
                begins = true;
            } else if !rest[0].is_ascii_whitespace() {
                begins = false;
            }
            if rest[0] == b'\n' && source[..at].ends_with("begin") {
                begins = true;
            }
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{labels, labels_in};

    #[test]
    fn labels_stand_at_the_beginning_of_a_statement() {
        let text = "void f() { /* L: */ L: x = y ? L : z; if (a) L: skip; // L:\n M: L: ; }";
        let all = labels_in(text).into_iter().filter(|(_, name)| *name == "L");
        let found: Vec<&str> = all.map(|(at, _)| &text[at..at + 4]).collect();
        assert_eq!(found, ["L: x", "L: s", "L: ;"]);
        assert_eq!(labels("void f() { default: again: goto again; }"), ["again"]);
    }
}
