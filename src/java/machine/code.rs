//! The code that the machine executes: a list of operations on a stack.

use super::natives::Native;
use super::value::{Kind, Value};
use crate::span::Span;
use crate::typed::{Binary, ClassId, FieldId, MethodId, Type};
use rustc_hash::FxHashMap;

/// A place of the program where something is done: a statement, or the condition of one.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub u32);

impl PointId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A point, in the program's own text.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its place.
    pub span: Span,
    /// The method.
    pub method: MethodId,
}

/// Where to a run-time type's number leads: [`Code::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(pub(super) u32);

/// An operation. "Top" is the top of the stack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Point(PointId),
    Constant(Value),
    /// A literal.
    Text(u32),
    Load(u32),
    Store(u32),
    Static(FieldId),
    SetStatic(FieldId),
    /// Of the object on top, by its place in the object.
    Field(u32),
    /// Of the object below the value.
    SetField(u32),
    Length,
    Element,
    SetElement,
    /// Pushes what is this far below the top again.
    Copy(u32),
    /// Moves the top this far down.
    Bury(u32),
    Drop,
    Binary(Binary),
    Negate,
    Complement,
    Not,
    Convert(Kind),
    Jump(u32),
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    Call(MethodId),
    /// The object is so far below the top.
    Virtual(MethodId, u32),
    /// What runs when a class is first used runs now, unless it has.
    Use(ClassId),
    New(ClassId),
    /// With so many lengths.
    NewArray(TypeId, u32),
    /// Of so many values.
    ArrayOf(TypeId, u32),
    Cast(TypeId),
    InstanceOf(TypeId),
    /// The top as text.
    Show(Kind),
    /// Texts to one.
    Join(u32),
    /// The constants of an enumeration: one, or all.
    Enumerated(ClassId, u32),
    Constants(ClassId, TypeId),
    Ordinal,
    /// Jumps by a table.
    Switch(u32),
    /// The number of the text on top in a list, from 1; 0 for none.
    Position(u32),
    Throw,
    Return,
    ReturnValue,
    /// Throws an `AssertionError` with the text on top, if there is one.
    Fail(bool),
    Exit,
    /// Ends the call of what runs when a class is first used.
    Used,
}

/// Where an exception is caught.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) target: u32,
    /// Empty: any.
    pub(super) classes: Vec<ClassId>,
}

/// A method's code.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodCode {
    pub(super) start: u32,
    /// With the object.
    pub(super) parameters: u32,
    pub(super) slots: u32,
    pub(super) handlers: Vec<Handler>,
    pub(super) targets: FxHashMap<ClassId, MethodId>,
    pub(super) native: Option<Native>,
    /// Does a call leave a value?
    pub(super) gives: bool,
    /// Is the first parameter the object?
    pub(super) has_object: bool,
}

/// Where the value of a `switch` leads.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) targets: FxHashMap<i64, u32>,
    pub(super) otherwise: u32,
}

/// A program as code.
#[derive(Clone, Debug)]
pub struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) methods: Vec<MethodCode>,
    /// The points.
    pub points: Vec<Point>,
    pub(super) texts: Vec<String>,
    pub(super) types: Vec<Type>,
    pub(super) tables: Vec<Table>,
    /// Lists of texts that a `switch` tells apart.
    pub(super) lists: Vec<Vec<Vec<u16>>>,
    /// What the objects of each class hold at first.
    pub(super) layouts: Vec<Vec<Value>>,
    /// Does the start take an array of texts?
    pub(super) takes_arguments: bool,
    pub(super) texts_type: TypeId,
}
