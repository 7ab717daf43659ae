//! How references are held: families of classes as structs, or as numbers.
//!
//! Classes whose objects one variable may hold form a *family*. There are three kinds:
//!
//! | family | a reference is |
//! | --- | --- |
//! | an enumeration | the number of a constant, from 1; its fields are arrays by that number |
//! | classes without fields whose objects are never compared | the number of the class, from 1 |
//! | others | a pointer to a struct with the fields of all classes of the family, and the class |
//!
//! `null` is 0, and the only reference where no object is made. A text is a number, too: texts that
//! are equal have one number.

use super::build::{Spelt, unsigned, width_of};
use crate::lang::model::Span;
use crate::lang::syntax::{StructId, TypeName};
use faultline_java::{ClassId, FieldId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The member that holds the number of an object's class.
pub(super) const CLASS: &str = "class";

/// How the references of a family are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// As the number of a constant, or of a class without state.
    Number { width: u8 },
    /// As a pointer; with a member for the class, of so many bits.
    Pointer { structure: StructId, class: Option<u8> },
}

/// A family.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) held: Held,
    /// The classes of its objects. A class's number is its position, from 1.
    pub(super) made: Vec<ClassId>,
    /// The enumeration, if it is one.
    pub(super) enumeration: Option<ClassId>,
}

/// What is not read, by name.
pub(super) struct Refused {
    pub(super) what: String,
    pub(super) span: faultline_java::Span,
}

/// The families of a program. `thrown` are classes of exceptions that the program's own statements
/// throw; `next` is the number of the first struct.
pub(super) fn families(
    program: &Program,
    thrown: &BTreeSet<ClassId>,
    next: u32,
) -> Result<BTreeMap<ClassId, Family>, Refused> {
    let mut found: BTreeMap<ClassId, Family> = BTreeMap::new();
    let ids = || (0..program.classes.len() as u32).map(ClassId);
    let mut roots: Vec<ClassId> = ids().map(|id| program.classes[id.index()].family).collect();
    roots.sort_unstable();
    roots.dedup();
    let mut next = next;
    for root in roots {
        let members: Vec<ClassId> =
            ids().filter(|id| program.classes[id.index()].family == root).collect();
        let class = |id: &ClassId| &program.classes[id.index()];
        let made: Vec<ClassId> =
            members.iter().copied().filter(|id| class(id).is_made || thrown.contains(id)).collect();
        let enumeration = made.iter().copied().find(|id| class(id).constants.is_some());
        if let Some(id) = enumeration
            && made.len() > 1
        {
            let what = format!("the enumeration `{}` beside other classes", class(&id).name);
            return Err(Refused { what, span: class(&id).span });
        }
        let has_state = made.iter().any(|id| !fields_of(program, *id).is_empty());
        let has_identity = members.iter().any(|id| class(id).has_identity);
        let held = match enumeration {
            Some(id) => {
                let count = class(&id).constants.as_ref().map_or(0, Vec::len);
                Held::Number { width: width_of(count as u64) }
            }
            None if made.is_empty() || !has_state && !has_identity => {
                Held::Number { width: width_of(made.len() as u64) }
            }
            None => {
                let class = (made.len() > 1).then(|| width_of(made.len() as u64));
                next += 1;
                Held::Pointer { structure: StructId(next - 1), class }
            }
        };
        found.insert(root, Family { held, made, enumeration });
    }
    Ok(found)
}

/// The fields that an object of a class has, and that are used.
pub(super) fn fields_of(program: &Program, class: ClassId) -> Vec<FieldId> {
    let mut list = Vec::new();
    let mut next = Some(class);
    while let Some(at) = next {
        let info = &program.classes[at.index()];
        list.extend(info.fields.iter().copied().filter(|f| program.fields[f.index()].is_used));
        next = info.superclass;
    }
    list
}

/// A family's type in the shared tree.
pub(super) fn held_type(held: Held) -> Spelt {
    match held {
        Held::Number { width } => (unsigned(width), 0),
        Held::Pointer { structure, .. } => (TypeName::Struct(structure), 1),
    }
}

/// The struct of an array.
#[derive(Clone, Debug)]
pub(super) struct ArrayStruct {
    pub(super) structure: StructId,
    pub(super) element: Type,
    /// The elements that it has room for.
    pub(super) room: u32,
    /// May there be longer ones?
    pub(super) is_open: bool,
    pub(super) span: Span,
}
