//! Lists of initial values: which scalar each value goes to (C11 6.7.9).
//!
//! An *object* is a scalar, an array or a struct. The scalars of a struct, or of an array of
//! structs, are the elements of its leaves (see [`super::structs`]). The braces around the values
//! of an inner object may be left out: then the object takes as many values as it needs from the
//! list around it.

use super::elaborator::Elaborator;
use crate::lang::message::are;
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind, Initializer, Size, StructId, Text, TypeName};
use rustc_hash::FxHashMap;

/// Most elements of an array whose list gives its size; far more than can be modelled.
const LONGEST_LIST: u32 = 1 << 16;

/// A value of a list: the leaf and the element that it goes to.
pub(super) struct Entry<'e> {
    /// For a struct, its first leaf.
    pub(super) leaf: usize,
    /// For a struct, its number among those that share its leaves.
    pub(super) element: usize,
    pub(super) value: &'e Expr,
    /// The value is a struct of this type, not a scalar.
    pub(super) structure: Option<StructId>,
}

/// The object that a value goes to.
#[derive(Clone)]
struct Object {
    /// The type of its elements, or its own where it is no array.
    type_name: TypeName,
    /// The extents of the object itself; none for a scalar and a single struct.
    dimensions: Vec<u32>,
    /// The first leaf of the object.
    leaf: usize,
    /// The number of this object among those that share its leaves.
    nth: usize,
}

/// The values of a list that are still to be placed.
struct Rest<'e> {
    items: &'e [Initializer],
    span: Span,
    /// What is left of a designator after its first part: `.b = 3` of `.a.b = 3`.
    designated: Option<&'e Initializer>,
}

impl<'e> Rest<'e> {
    fn next(&self) -> Option<&'e Initializer> {
        self.designated.or(self.items.first())
    }

    fn take(&mut self) {
        if self.designated.take().is_none() {
            self.items = &self.items[1..];
        }
    }
}

/// An error that was reported.
struct Reported;

/// The places of values, in the order of the text.
#[derive(Default)]
struct Places<'e> {
    entries: Vec<Entry<'e>>,
    /// Whether a place was named, so that a value may replace an earlier one.
    named: bool,
    /// The struct and the number of extents of the outermost object.
    outermost: (Option<StructId>, usize),
    /// One more than the greatest index of the outermost array that was given a value.
    length: usize,
}

impl Elaborator<'_> {
    /// The places of the values of an initialiser; empty if something is wrong, which is reported.
    pub(super) fn spread<'e>(
        &mut self,
        initializer: &'e Initializer,
        type_name: TypeName,
        dimensions: &[u32],
    ) -> Vec<Entry<'e>> {
        let object = Object { type_name, dimensions: dimensions.to_vec(), leaf: 0, nth: 0 };
        let mut places = Places::of(&object);
        match self.place_object(&object, initializer, &mut places) {
            Ok(()) => places.last_ones(),
            Err(Reported) => Vec::new(),
        }
    }

    /// The number of elements that a list gives to an array without a size, where `rest` are the
    /// extents of an element; `None` if something is wrong, which is reported.
    pub(super) fn length_of_list(
        &mut self,
        list: &Initializer,
        type_name: TypeName,
        rest: &[u32],
    ) -> Option<usize> {
        let dimensions = std::iter::once(LONGEST_LIST).chain(rest.iter().copied()).collect();
        let object = Object { type_name, dimensions, leaf: 0, nth: 0 };
        let mut places = Places::of(&object);
        self.place_object(&object, list, &mut places).ok()?;
        Some(places.length)
    }

    /// An object whose initialiser is a value or a list in braces.
    fn place_object<'e>(
        &mut self,
        object: &Object,
        initializer: &'e Initializer,
        places: &mut Places<'e>,
    ) -> Result<(), Reported> {
        let (items, span) = match initializer {
            Initializer::Value(value) if object.is_scalar() => {
                let (leaf, element) = (object.leaf, object.nth);
                places.entries.push(Entry { leaf, element, value, structure: None });
                return Ok(());
            }
            // The braces around a string may be there or not (C11 6.7.9, 14).
            Initializer::List(items, _) if object.may_be_string() && is_one_text(items) => {
                return self.place_object(object, &items[0], places);
            }
            Initializer::List(items, span) => (items, *span),
            Initializer::Value(Expr { kind: ExprKind::Text(text), span, .. })
                if object.may_be_string() =>
            {
                return self.place_string(object, text, *span, places);
            }
            Initializer::Value(value) if self.is_whole(object, initializer) => {
                let (leaf, element) = (object.leaf, object.nth);
                let structure = object.structure();
                places.entries.push(Entry { leaf, element, value, structure });
                return Ok(());
            }
            Initializer::Value(e) => return self.no_list(object, e),
            Initializer::Member(name, _) => return self.no_such_place(name.span),
            Initializer::At(e, _) => return self.no_such_place(e.span),
        };
        if object.is_scalar() {
            return match &items[..] {
                [] => Ok(()),
                [one] => self.place_object(object, one, places),
                _ => {
                    let message = "a list initialises an array";
                    self.diagnostics.error(span, message, "write one value");
                    Err(Reported)
                }
            };
        }
        let mut rest = Rest { items, span, designated: None };
        self.place_parts(object, &mut rest, true, places)
    }

    /// An array of characters whose initialiser is a string. The zero at its end is left out if it
    /// is one too many (C11 6.7.9, 14).
    fn place_string<'e>(
        &mut self,
        object: &Object,
        text: &'e Text,
        span: Span,
        places: &mut Places<'e>,
    ) -> Result<(), Reported> {
        let extent = object.dimensions.first().map_or(0, |extent| *extent as usize);
        if !object.holds_characters() {
            let message = "a string fills an array of characters only";
            self.diagnostics.error(span, message, "make it `char`, or write a list of numbers");
            return Err(Reported);
        }
        let Some(length) = text.characters.as_ref().map(Vec::len) else {
            let message = are("characters other than ASCII's");
            self.diagnostics.error(span, message, "write the characters as a list of numbers");
            return Err(Reported);
        };
        if length > extent {
            let message = format!("{length} characters for {extent} elements");
            self.diagnostics.error(span, message, "make the array larger");
            return Err(Reported);
        }
        if places.outermost == object.shape() {
            places.length = text.elements.len();
        }
        for (k, value) in text.elements.iter().take(extent).enumerate() {
            let element = object.nth * extent + k;
            places.entries.push(Entry { leaf: object.leaf, element, value, structure: None });
        }
        Ok(())
    }

    /// The parts of an array or a struct take values from a list. `braced` says whether the list is
    /// the object's own.
    fn place_parts<'e>(
        &mut self,
        object: &Object,
        rest: &mut Rest<'e>,
        braced: bool,
        places: &mut Places<'e>,
    ) -> Result<(), Reported> {
        let count = self.part_count(object, rest.span)?;
        let is_outermost = places.outermost == object.shape();
        let mut next = 0;
        while let Some(item) = rest.next() {
            if matches!(item, Initializer::Member(..) | Initializer::At(..)) {
                if !braced && rest.designated.is_none() {
                    return Ok(());
                }
                rest.take();
                places.named = true;
                let (index, inner) = self.designated(object, item, count)?;
                next = index + 1;
                places.length = places.length.max(if is_outermost { next } else { 0 });
                let part = self.part(object, index, rest.span)?;
                self.place_designated(&part, inner, rest, places)?;
                continue;
            }
            if next == count {
                return match braced {
                    true => self.too_many(object, rest, count, is_outermost),
                    false => Ok(()),
                };
            }
            let part = self.part(object, next, rest.span)?;
            next += 1;
            places.length = places.length.max(if is_outermost { next } else { 0 });
            let whole = self.is_whole(&part, item);
            if part.is_scalar() || matches!(item, Initializer::List(..)) || is_text(item) || whole {
                rest.take();
                if places.named {
                    places.forget(self, &part);
                }
                self.place_object(&part, item, places)?;
            } else {
                self.place_parts(&part, rest, false, places)?;
            }
        }
        Ok(())
    }

    /// The value after `.member =` or `[index] =`, or the rest of a longer designator.
    fn place_designated<'e>(
        &mut self,
        part: &Object,
        inner: &'e Initializer,
        rest: &mut Rest<'e>,
        places: &mut Places<'e>,
    ) -> Result<(), Reported> {
        let continues = matches!(inner, Initializer::Member(..) | Initializer::At(..));
        let elided = matches!(inner, Initializer::Value(_))
            && !part.is_scalar()
            && !is_text(inner)
            && !self.is_whole(part, inner);
        if continues || elided {
            rest.designated = Some(inner);
            return self.place_parts(part, rest, false, places);
        }
        places.forget(self, part);
        self.place_object(part, inner, places)
    }

    /// The part that a designator names, and what follows the designator.
    fn designated<'e>(
        &mut self,
        object: &Object,
        item: &'e Initializer,
        count: usize,
    ) -> Result<(usize, &'e Initializer), Reported> {
        match item {
            Initializer::At(e, inner) if !object.dimensions.is_empty() => {
                let index = self.constant(e, "a place in a list").ok_or(Reported)?;
                match usize::try_from(index).ok().filter(|index| *index < count) {
                    Some(index) => Ok((index, inner)),
                    None => self.no_such_place(e.span).map(|()| (0, &**inner)),
                }
            }
            Initializer::Member(name, inner) if object.dimensions.is_empty() => {
                let Some(id) = object.structure() else {
                    return self.no_such_place(name.span).map(|()| (0, &**inner));
                };
                let layout = self.layout(id, name.span).ok_or(Reported)?;
                match layout.members.iter().position(|m| m.name == name.text) {
                    Some(index) => Ok((index, inner)),
                    None => {
                        let message = format!("there is no member `{}`", name.text);
                        self.diagnostics.error(name.span, message, "name one of the struct");
                        Err(Reported)
                    }
                }
            }
            Initializer::At(e, inner) => self.no_such_place(e.span).map(|()| (0, &**inner)),
            Initializer::Member(name, _) => {
                let message = "an array has no members";
                self.diagnostics.error(name.span, message, "write the values in order");
                Err(Reported)
            }
            Initializer::Value(_) | Initializer::List(..) => Err(Reported),
        }
    }

    /// Is the object a struct, and the item a value of its type (C11 6.7.9, 13)?
    fn is_whole(&mut self, object: &Object, item: &Initializer) -> bool {
        let (Initializer::Value(e), [], Some(id)) =
            (item, &object.dimensions[..], object.structure())
        else {
            return false;
        };
        self.structure_of_place(e) == Some(id)
    }

    /// How many parts an array or a struct has.
    fn part_count(&mut self, object: &Object, span: Span) -> Result<usize, Reported> {
        match (&object.dimensions[..], object.structure()) {
            ([extent, ..], _) => Ok(*extent as usize),
            ([], Some(id)) => {
                self.layout(id, span).map(|layout| layout.members.len()).ok_or(Reported)
            }
            ([], None) => Ok(1),
        }
    }

    /// A part of an array or a struct.
    fn part(&mut self, object: &Object, index: usize, span: Span) -> Result<Object, Reported> {
        if let [extent, rest @ ..] = &object.dimensions[..] {
            let nth = object.nth * *extent as usize + index;
            return Ok(Object { dimensions: rest.to_vec(), nth, ..object.clone() });
        }
        let Some(id) = object.structure() else { return Ok(object.clone()) };
        let layout = self.layout(id, span).ok_or(Reported)?;
        let member = layout.members.get(index).ok_or(Reported)?;
        Ok(Object {
            type_name: member.type_name,
            dimensions: member.dimensions.clone(),
            leaf: object.leaf + member.first,
            nth: object.nth,
        })
    }

    /// Number of leaves of an object.
    fn leaf_count(&self, object: &Object) -> usize {
        let layout = object.structure().and_then(|id| self.layouts.get(&id));
        layout.map_or(1, |layout| layout.leaves.len())
    }

    fn too_many(
        &mut self,
        object: &Object,
        rest: &Rest,
        count: usize,
        is_outermost: bool,
    ) -> Result<(), Reported> {
        if object.dimensions.is_empty() {
            self.diagnostics.error(rest.span, "more values than members", "leave some out");
            return Err(Reported);
        }
        if object.dimensions.len() == 1 && is_outermost {
            let given = count + rest.items.len();
            self.diagnostics.error(
                rest.span,
                format!("{given} values for {count} elements"),
                "leave some out, or make the array larger",
            );
        } else {
            self.diagnostics.error(
                rest.span,
                "this list does not fit the array",
                "one list per row of a two-dimensional array",
            );
        }
        Err(Reported)
    }

    fn no_such_place(&mut self, span: Span) -> Result<(), Reported> {
        self.diagnostics.error(
            span,
            "this place is not in the array",
            "places count from 0; a struct's members have names",
        );
        Err(Reported)
    }

    /// An array or a struct gets a value that is no list.
    fn no_list(&mut self, object: &Object, e: &Expr) -> Result<(), Reported> {
        if matches!(e.kind, ExprKind::Text(_)) {
            let message = are("strings as data").of_memory();
            self.diagnostics.error(e.span, message, "write the characters as a list of numbers");
        } else if object.dimensions.is_empty() {
            self.diagnostics.error(e.span, "a struct takes a list here", "write `{…}`");
        } else {
            self.diagnostics.error(e.span, "an array takes a list", "write `{…}`");
        }
        Err(Reported)
    }
}

impl Object {
    /// The struct that it is, or that its elements are.
    fn structure(&self) -> Option<StructId> {
        structure_of(self.type_name)
    }

    fn is_scalar(&self) -> bool {
        self.dimensions.is_empty() && self.structure().is_none()
    }

    /// Is it an array of scalars, which a string may fill?
    fn may_be_string(&self) -> bool {
        self.dimensions.len() == 1 && self.structure().is_none()
    }

    /// Has it elements of a type of characters?
    fn holds_characters(&self) -> bool {
        match self.type_name {
            TypeName::Integer { size, .. } => size == Size::Char,
            TypeName::Exact { width, .. } => width == 8,
            _ => false,
        }
    }

    fn shape(&self) -> (Option<StructId>, usize) {
        (self.structure(), self.dimensions.len())
    }
}

impl<'e> Places<'e> {
    fn of(outermost: &Object) -> Places<'e> {
        Places { outermost: outermost.shape(), ..Places::default() }
    }

    /// Forgets the values that a part was given before.
    fn forget(&mut self, elaborator: &Elaborator, part: &Object) {
        let leaves = part.leaf..part.leaf + elaborator.leaf_count(part);
        // All leaves of the part have the extents of the part, and then perhaps some of their own.
        let own = part.dimensions.iter().product::<u32>() as usize;
        let layout = part.structure().and_then(|id| elaborator.layouts.get(&id));
        self.entries.retain(|entry| {
            if !leaves.contains(&entry.leaf) {
                return true;
            }
            if entry.structure.is_some() {
                // A part of this struct that is given later is written later.
                return entry.structure != part.structure()
                    || entry.element / own.max(1) != part.nth;
            }
            let inner = layout.map_or(1, |layout| {
                layout.leaves[entry.leaf - part.leaf].dimensions.iter().product::<u32>() as usize
            });
            entry.element / (own * inner).max(1) != part.nth
        });
    }

    /// The entries without those that a later one replaces.
    fn last_ones(mut self) -> Vec<Entry<'e>> {
        if self.named {
            let place = |e: &Entry| (e.leaf, e.element, e.structure);
            let last: FxHashMap<(usize, usize, Option<StructId>), usize> =
                self.entries.iter().enumerate().map(|(k, e)| (place(e), k)).collect();
            let mut at = 0;
            self.entries.retain(|entry| {
                at += 1;
                last[&place(entry)] == at - 1
            });
        }
        self.entries
    }
}

/// The struct that a type is.
pub(super) fn structure_of(type_name: TypeName) -> Option<StructId> {
    match type_name {
        TypeName::Struct(id) => Some(id),
        _ => None,
    }
}

pub(super) fn is_text(item: &Initializer) -> bool {
    matches!(item, Initializer::Value(Expr { kind: ExprKind::Text(_), .. }))
}

/// Is it a list of one string?
fn is_one_text(items: &[Initializer]) -> bool {
    matches!(items, [item] if is_text(item))
}
