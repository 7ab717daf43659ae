//! Memory at a step of a run as a picture: frames with their variables, objects as boxes with their
//! members, pointers as arrows, arrays as rows of cells. What a step changes is marked, what it
//! frees is hatched, and objects keep their places from step to step.

mod arrows;
mod contents;
mod names;
mod places;
mod svg;
mod words;

#[cfg(test)]
mod tests;

use crate::wire::graph::{Point, Rectangle};
use crate::wire::report::TraceEntry;
use contents::{Contents, Lives};
use places::Places;

pub use names::is_on_the_heap;
pub use svg::{markup, standalone};

/// A run whose memory is drawn: the size and the place of each object, for all its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    lives: Lives,
    places: Places,
}

/// Memory at a step, with a place for everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Frames and objects.
    pub blocks: Vec<Block>,
    /// Pointers.
    pub arrows: Vec<Arrow>,
    /// Width and height.
    pub size: Point,
    /// What is in it, for those who listen.
    pub spoken: String,
}

/// The variables of a frame, or an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is called.
    pub title: String,
    /// What it is.
    pub kind: Kind,
    /// Where it is drawn.
    pub place: Rectangle,
    /// Its members, from top to bottom.
    pub rows: Vec<Row>,
}

/// What a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The global variables that are no objects.
    Globals,
    /// A call that is pending.
    Frame,
    /// The call that executes the step's statement.
    Current,
    /// An object.
    Object,
    /// An object that the statement makes.
    New,
    /// An object that does not exist any more.
    Gone,
}

/// A variable, a member, or the elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Empty for an object without members.
    pub name: String,
    /// The middle of its first line.
    pub at: Point,
    /// One, or one for each element.
    pub cells: Vec<Cell>,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What is written there; empty for a pointer that is an arrow.
    pub text: String,
    /// Where.
    pub place: Rectangle,
    /// Does the statement change it?
    pub changed: bool,
    /// Is it an element of an array, which has a frame of its own?
    pub framed: bool,
}

/// A pointer to an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// From the pointer to its object, as the `d` of a path.
    pub path: String,
    /// What holds the pointer, `main.head` or `node#1.next`, and the object that it leads to.
    pub names: (String, String),
    /// Where it begins.
    pub from: Point,
    /// Was it there before the statement, and is it there afterwards?
    pub time: Time,
}

/// When something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Before the statement and after it.
    Always,
    /// Before it only.
    Before,
    /// After it only.
    After,
}

impl Memory {
    /// Plans the pictures of a run.
    pub fn of(trace: &[TraceEntry]) -> Memory {
        let lives = Lives::of(trace);
        let places = Places::of(trace, &lives);
        Memory { lives, places }
    }

    /// Is there something that a table of values does not show: a pointer, or an object?
    pub fn is_worth_a_picture(&self) -> bool {
        self.lives.has_pointers
    }

    /// Memory at a step.
    pub fn at(&self, trace: &[TraceEntry], step: usize) -> Picture {
        let contents = Contents::at(trace, step, &self.lives);
        let (blocks, size) = self.places.put(&contents);
        let arrows = arrows::route(&contents, &blocks, &self.places);
        let spoken = words::sentences(&contents).join(". ");
        Picture { blocks, arrows, size, spoken }
    }
}

/// Memory at a step in words, a line for each variable that points to something:
/// `head → node#1 {key = 3, next → node#2 {…}}`.
pub fn described(trace: &[TraceEntry], step: usize) -> Vec<String> {
    let lives = Lives::of(trace);
    match lives.has_pointers {
        true => words::sentences(&Contents::at(trace, step, &lives)),
        false => Vec::new(),
    }
}
