//! Makes failing programs small (delta debugging: Zeller, Hildebrandt 2002), and runs a check on
//! many random programs so that a failure shows a small one.

use super::tree::{Expression, Line, Node, Piece, Program, Type};
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// Most programs that are tried while one is made small.
const MOST_TRIES: u32 = 4_000;

/// Runs `check` on the program of each seed, with its text. If it panics, programs with less in
/// them are tried as long as they panic in the same place; then this panics with the smallest.
///
/// A check that is tried again may count too much: its counts do not matter any more.
pub(crate) fn each(
    seeds: impl IntoIterator<Item = u64>,
    program: impl Fn(u64) -> Program,
    mut check: impl FnMut(u64, &str),
) {
    for seed in seeds {
        let whole = program(seed);
        let text = whole.to_string();
        let Some(first) = caught(|| check(seed, &text)) else { continue };
        let mut last = first.clone();
        let small = shrink(&whole, |text| match caught(|| check(seed, text)) {
            Some(again) if again.place == first.place => {
                last = again;
                true
            }
            _ => false,
        });
        let Panic { place, message } = last;
        panic!(
            "seed {seed}, at {place}: {message}\n\
             The smallest program found that fails there:\n{small}"
        );
    }
}

/// What a panic said, and where.
#[derive(Clone)]
struct Panic {
    place: String,
    message: String,
}

thread_local! {
    /// Are panics of this thread to be kept instead of printed?
    static KEPT: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Runs something; its panic, if it panics. Nothing is printed.
fn caught(run: impl FnOnce()) -> Option<Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !KEPT.get() {
                return usual(info);
            }
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = info.payload_as_str().unwrap_or("no message").to_string();
            LAST.set(Some(Panic { place, message }));
        }));
    });
    KEPT.set(true);
    let ended = panic::catch_unwind(AssertUnwindSafe(run));
    KEPT.set(false);
    ended.err().and_then(|_| LAST.take())
}

/// A small program for which `fails` still holds. `fails` must say no to what does not load.
pub(crate) fn shrink(program: &Program, fails: impl FnMut(&str) -> bool) -> Program {
    let mut search = Search { small: program.clone(), fails, tries: MOST_TRIES };
    loop {
        let before = search.small.clone();
        search.remove(&mut Vec::new());
        search.unwrap(&mut Vec::new());
        search.simplify();
        if search.small == before {
            return search.small;
        }
    }
}

struct Search<F> {
    /// The smallest program so far that fails.
    small: Program,
    fails: F,
    tries: u32,
}

/// A list of nodes: the indices of the blocks that lead to it.
type Path = Vec<usize>;

impl<F: FnMut(&str) -> bool> Search<F> {
    /// Takes a smaller program if it fails.
    fn accept(&mut self, smaller: Program) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let failed = (self.fails)(&smaller.to_string());
        if failed {
            self.small = smaller;
        }
        failed
    }

    /// Removes runs of nodes, long ones first; then inside of the blocks that stay.
    fn remove(&mut self, path: &mut Path) {
        let mut length = list(&self.small.nodes, path).len();
        while length > 0 {
            let mut start = 0;
            while start + length <= list(&self.small.nodes, path).len() {
                let mut without = self.small.clone();
                list_mut(&mut without.nodes, path).drain(start..start + length);
                if !self.accept(without) {
                    start += 1;
                }
            }
            // Short runs each: a branch and its `else` go together or not at all.
            length = if length > 4 { length / 2 } else { length - 1 };
        }
        self.in_blocks(path, Self::remove);
    }

    /// Puts the body of a block in the block's place.
    fn unwrap(&mut self, path: &mut Path) {
        let mut k = 0;
        while k < list(&self.small.nodes, path).len() {
            let mut without = self.small.clone();
            let nodes = list_mut(&mut without.nodes, path);
            let unwrapped = match nodes.remove(k) {
                Node::Line(_) => false,
                Node::Block { body, .. } => {
                    nodes.splice(k..k, body);
                    true
                }
            };
            if !unwrapped || !self.accept(without) {
                k += 1;
            }
        }
        self.in_blocks(path, Self::unwrap);
    }

    fn in_blocks(&mut self, path: &mut Path, visit: fn(&mut Self, &mut Path)) {
        let mut k = 0;
        while let Some(node) = list(&self.small.nodes, path).get(k) {
            if matches!(node, Node::Block { .. }) {
                path.push(k);
                visit(self, path);
                path.pop();
            }
            k += 1;
        }
    }

    /// Replaces expressions by constants and by their own parts of the same type.
    fn simplify(&mut self) {
        let mut number = 0;
        loop {
            let mut smaller = self.small.clone();
            let Some(expression) = nth(&mut smaller, number) else { return };
            let length = expression.to_string().len();
            let mut candidates = constants(expression.kind);
            parts(&expression.pieces, expression.kind, &mut candidates);
            candidates.retain(|candidate| candidate.to_string().len() < length);
            let replaced = candidates.into_iter().any(|candidate| {
                let mut smaller = self.small.clone();
                if let Some(place) = nth(&mut smaller, number) {
                    *place = candidate;
                }
                self.accept(smaller)
            });
            // What took its place may still be made smaller.
            number += usize::from(!replaced);
        }
    }
}

fn list<'a>(nodes: &'a [Node], path: &[usize]) -> &'a [Node] {
    match path {
        [] => nodes,
        [first, rest @ ..] => match &nodes[*first] {
            Node::Block { body, .. } => list(body, rest),
            Node::Line(_) => &[],
        },
    }
}

fn list_mut<'a>(nodes: &'a mut Vec<Node>, path: &[usize]) -> &'a mut Vec<Node> {
    match path {
        [] => nodes,
        [first, rest @ ..] => match &mut nodes[*first] {
            Node::Block { body, .. } => list_mut(body, rest),
            Node::Line(_) => panic!("a path leads through blocks"),
        },
    }
}

fn constants(kind: Type) -> Vec<Expression> {
    let texts: &[&str] = match kind {
        Type::Bool => &["true", "false", "nondet()"],
        Type::Int | Type::Unsigned => &["0", "1", "nondet()"],
    };
    texts.iter().map(|text| Expression::leaf(kind, *text)).collect()
}

/// The expressions of this type among the pieces, at any depth.
fn parts(pieces: &[Piece], kind: Type, found: &mut Vec<Expression>) {
    for piece in pieces {
        if let Piece::Expression(part) = piece {
            if part.kind == kind {
                found.push(part.clone());
            }
            parts(&part.pieces, kind, found);
        }
    }
}

/// The n-th expression of a program, outer ones before their parts.
fn nth(program: &mut Program, number: usize) -> Option<&mut Expression> {
    let mut left = number;
    for line in program.lines_mut() {
        let Line { pieces } = line;
        if let Some(found) = nth_among(pieces, &mut left) {
            return Some(found);
        }
    }
    None
}

fn nth_among<'a>(pieces: &'a mut [Piece], left: &mut usize) -> Option<&'a mut Expression> {
    for piece in pieces {
        if let Piece::Expression(expression) = piece {
            if *left == 0 {
                return Some(expression);
            }
            *left -= 1;
            if let Some(found) = nth_among(&mut expression.pieces, left) {
                return Some(found);
            }
        }
    }
    None
}
