//! The objects that rules speak of, where the program says little about them: structs without
//! members, and pointers without a value.

use super::calls::{each_declaration, each_expression};
use crate::lang::model::Span;
use crate::lang::syntax::{Block, Size};
use crate::lang::syntax::{
    Expr, ExprKind, Field, File, Function, Initializer, Item, Name, PointedType, Spelling,
    StructType, TypeName,
};
use rustc_hash::FxHashSet;

/// Addresses of objects of which the program says nothing are multiples of this, from here on.
/// Nothing of the program stands there.
const APART: u64 = 16;

/// Structs whose members the program never declares get one: pointers to them can be compared and
/// passed on, which is all that a program can do with them.
pub(super) fn complete(file: &mut File, span: Span) {
    for structure in &mut file.structs {
        let StructType { fields, .. } = structure;
        if fields.is_none() {
            *fields = Some(vec![Field {
                name: Name { text: "unknown".to_string(), span },
                unit: None,
                type_name: TypeName::Integer { size: Size::Char, signed: true },
                pointers: 0,
                dimensions: Vec::new(),
                atomic: false,
                span,
            }]);
        }
    }
}

/// Locals that are pointers without a value, and are given to a procedure where a rule looks for
/// its object, point to objects of their own: each to another one. `is_object`: does a rule look at
/// this argument of this procedure?
pub(super) fn tell_apart(file: &mut File, is_object: &dyn Fn(&str, usize) -> bool) {
    let mut next = 1;
    for item in &mut file.items {
        let Item::Function(Function { body: Some(body), .. }) = item else { continue };
        let given = given_objects(body, is_object);
        each_declaration(body, &mut |declaration| {
            if declaration.is_static || declaration.is_extern {
                return;
            }
            let type_name = declaration.type_name;
            for declarator in &mut declaration.declarators {
                let is_plain = declarator.pointers > 0 && declarator.dimensions.is_empty();
                if is_plain
                    && declarator.initializer.is_none()
                    && given.contains(&declarator.name.text)
                {
                    let span = declarator.name.span;
                    let number = ExprKind::Number(APART * next, Spelling::default());
                    next += 1;
                    let to = PointedType { type_name, pointers: declarator.pointers, other: false };
                    let number = Box::new(Expr::new(number, span));
                    let value = Expr::new(ExprKind::PointerCast(to, number), span);
                    declarator.initializer = Some(Initializer::Value(value));
                }
            }
        });
    }
}

/// The names that stand as arguments where a rule looks for its object.
fn given_objects(body: &mut Block, is_object: &dyn Fn(&str, usize) -> bool) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    each_expression(body, &mut |e| {
        let ExprKind::Call(name, arguments) = &e.kind else { return };
        for (position, argument) in arguments.iter().enumerate() {
            if let ExprKind::Name(argument) = &argument.kind
                && is_object(&name.text, position)
            {
                found.insert(argument.clone());
            }
        }
    });
    found
}
