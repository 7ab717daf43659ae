//! What can be wrong with a use of memory.

use crate::wire::error_kind::ErrorKind;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A null pointer is followed.
    Null,
    /// A pointer without a value is used.
    NoValue,
    /// A pointer leads to a place outside of its object.
    Outside,
    /// A pointer is moved out of its object.
    LeadsOutside,
    /// An index is outside of an array of so many elements.
    Elements(u32),
    /// An address is no multiple of the size of what is read there.
    Misaligned,
    /// The memory was freed.
    Freed,
    /// The variable is gone.
    Gone,
    /// One of these.
    FreedOrGone,
    /// A string literal is written.
    Literal,
    /// What is given back was not taken.
    NotTaken,
    /// What is given back is a pointer without a value.
    FreedNoValue,
    /// It was given back before.
    FreedBefore,
    /// Pointers into two objects are compared or subtracted.
    Apart,
    /// A procedure that needs an object is given the null pointer.
    GivenNull,
    /// A procedure that needs an object is given a pointer without a value.
    GivenNoValue,
    /// An array of variable size has no elements, or fewer.
    NotPositive,
    /// Nothing points to the memory when `main` ends.
    Lost {
        /// The line that took it.
        taken: u32,
    },
}

impl FaultKind {
    /// The kind of the error.
    pub fn error(self) -> ErrorKind {
        match self {
            FaultKind::Null | FaultKind::GivenNull => ErrorKind::Null,
            FaultKind::NoValue | FaultKind::GivenNoValue => ErrorKind::NoValue,
            FaultKind::Outside | FaultKind::LeadsOutside => ErrorKind::Outside,
            FaultKind::Elements(_) => ErrorKind::Bounds,
            FaultKind::Misaligned => ErrorKind::Misaligned,
            FaultKind::Freed => ErrorKind::Freed,
            FaultKind::Gone => ErrorKind::OutOfScope,
            FaultKind::FreedOrGone => ErrorKind::FreedOrOutOfScope,
            FaultKind::Literal => ErrorKind::ReadOnly,
            FaultKind::NotTaken | FaultKind::FreedNoValue => ErrorKind::InvalidFree,
            FaultKind::FreedBefore => ErrorKind::FreedTwice,
            FaultKind::Apart => ErrorKind::UnrelatedPointers,
            FaultKind::NotPositive => ErrorKind::ArrayLength,
            FaultKind::Lost { .. } => ErrorKind::LostMemory,
        }
    }

    /// The sentence about a piece of the program's text.
    pub fn message(self, what: &str) -> String {
        match self {
            FaultKind::Null => format!("`{what}` is NULL here"),
            FaultKind::NoValue | FaultKind::FreedNoValue => {
                format!("`{what}` has no value here")
            }
            FaultKind::Outside => format!("`{what}` points outside of its object"),
            FaultKind::LeadsOutside => format!("`{what}` leads outside of the object"),
            FaultKind::Elements(count) => {
                format!("the index of `{what}` is outside of its {count} elements")
            }
            FaultKind::Misaligned => format!("`{what}` is not aligned here"),
            FaultKind::Freed => format!("`{what}` was freed"),
            FaultKind::Gone => format!("`{what}` points to a variable that is gone"),
            FaultKind::FreedOrGone => {
                format!("`{what}` points to memory that was freed or is gone")
            }
            FaultKind::Literal => format!("`{what}` points into a string literal"),
            FaultKind::NotTaken => format!("`{what}` does not point to memory of `malloc`"),
            FaultKind::FreedBefore => format!("`{what}` was freed before"),
            FaultKind::Apart => format!("`{what}` compares pointers into different objects"),
            FaultKind::GivenNull => format!("`{what}` is given NULL"),
            FaultKind::GivenNoValue => format!("`{what}` is given a pointer that has no value"),
            FaultKind::NotPositive => format!("the length of `{what}` is not positive"),
            FaultKind::Lost { taken } => format!(
                "`{what}`, taken in line {taken}, is lost: nothing points to it when `main` ends"
            ),
        }
    }
}

/// A use of memory that may be wrong, with the values that explain it as expressions of type `E`.
#[derive(Clone, Debug)]
pub struct Fault<E> {
    /// What is wrong.
    pub kind: FaultKind,
    /// The text of the program of which it is said.
    pub what: String,
    /// The pointer that is used, or from which the walk begins, and the number of its room.
    pub pointer: Option<(E, u16)>,
    /// By how many elements it is moved.
    pub steps: Option<Steps<E>>,
    /// By how much the number of a pointer grows with each element; for a use, with what is used.
    pub stride: u64,
    /// What stands between the pointer and the place that is used.
    pub offset: u64,
}

/// A number of elements.
#[derive(Clone, Debug)]
pub struct Steps<E> {
    /// How many.
    pub count: E,
    /// Backwards?
    pub back: bool,
}

impl<E> Fault<E> {
    /// A fault without values.
    pub fn new(kind: FaultKind, what: &str) -> Fault<E> {
        let what = what.to_string();
        Fault { kind, what, pointer: None, steps: None, stride: 1, offset: 0 }
    }

    /// The same of this pointer into a room.
    pub fn of(self, pointer: E, room: u16) -> Fault<E> {
        Fault { pointer: Some((pointer, room)), ..self }
    }
}
