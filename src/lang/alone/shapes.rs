//! What a pointer among the parameters stands for: by the contract, by its type, by what the body
//! does with it, and by the names of the other parameters.

use crate::lang::contracts::{Formula, Promise, READABLE, VALID};
use crate::lang::rules::calls::each_expression;
use crate::lang::syntax::{
    BinaryOp, Expr, ExprKind, File, Function, Parameter, Size, StructId, TypeName,
};
use std::collections::BTreeSet;

/// How many elements an array has.
#[derive(Clone, Debug)]
pub(super) enum Length {
    /// As many as this parameter says.
    Parameter(String),
    /// As many as this term of the contract says.
    Term(Expr),
    /// As many as there can be.
    Most,
}

/// What a parameter stands for.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A value of its type, which is no pointer.
    Value,
    Array(Length),
    Text,
    /// An object, a list or a tree, by its type.
    Pointer,
}

/// The shapes of the parameters, in order.
pub(super) fn shapes(own: &Function, promise: Option<&Promise>) -> Vec<Shape> {
    let uses = Uses::of(own);
    let name = |p: &Parameter| p.name.as_ref().map_or("", |name| &name.text).to_string();
    let mut found = Vec::new();
    for (k, p) in own.parameters.iter().enumerate() {
        if p.pointers == 0 {
            found.push(Shape::Value);
            continue;
        }
        let stated = promise.and_then(|promise| {
            let own = promise.parameters.get(k)?.name.as_ref()?;
            promise
                .contract
                .requires
                .iter()
                .flat_map(|clause| clause.formula.conjuncts())
                .find_map(|formula| elements_of(formula, &own.text))
        });
        if let Some(end) = stated {
            found.push(Shape::Array(Length::Term(end)));
            continue;
        }
        let is_char = matches!(p.type_name, TypeName::Integer { size: Size::Char, .. });
        let walked = p.array || uses.walked.contains(&name(p));
        let partner = if walked || is_char { uses.partner(own, k) } else { None };
        found.push(match partner {
            Some(partner) if p.pointers == 1 => Shape::Array(Length::Parameter(partner)),
            _ if is_char && p.pointers == 1 => Shape::Text,
            _ if walked && p.pointers == 1 => Shape::Array(Length::Most),
            _ => Shape::Pointer,
        });
    }
    found
}

/// `\valid(p + (0 .. e - 1))`: the term `e`.
pub(super) fn elements_of(formula: &Formula, pointer: &str) -> Option<Expr> {
    let Formula::Holds(e) = formula else { return None };
    let ExprKind::Call(name, arguments) = &e.kind else { return None };
    if name.text != VALID && name.text != READABLE {
        return None;
    }
    let [to, low, end] = &arguments[..] else { return None };
    let is_own = matches!(&to.kind, ExprKind::Name(name) if name == pointer);
    let from_first = matches!(low.kind, ExprKind::Number(0, _));
    // One element: that is an object.
    let is_one = matches!(end.kind, ExprKind::Number(1, _));
    (is_own && from_first && !is_one).then(|| end.clone())
}

/// What a body does with its parameters.
#[derive(Default)]
struct Uses {
    /// Indexed, or moved.
    walked: BTreeSet<String>,
    /// On the greater side of `<` or `!=`.
    bounds: BTreeSet<String>,
    /// On the greater side of `<=`.
    last: BTreeSet<String>,
}

impl Uses {
    fn of(own: &Function) -> Uses {
        let mut uses = Uses::default();
        let Some(mut body) = own.body.clone() else { return uses };
        let name = |e: &Expr| match &e.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        each_expression(&mut body, &mut |e| match &e.kind {
            ExprKind::Index(base, _) => uses.walked.extend(name(base)),
            ExprKind::Step { place, .. } => uses.walked.extend(name(place)),
            ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Subtract), place, _) => {
                uses.walked.extend(name(place));
            }
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Add | BinaryOp::Subtract => {
                    uses.walked.extend(name(left));
                    uses.walked.extend(name(right));
                }
                BinaryOp::Less => uses.bounds.extend(name(right)),
                BinaryOp::Greater => uses.bounds.extend(name(left)),
                BinaryOp::LessEqual => uses.last.extend(name(right)),
                BinaryOp::GreaterEqual => uses.last.extend(name(left)),
                _ => {}
            },
            _ => {}
        });
        uses
    }

    /// The parameter that says how many elements the one at `k` has: the next one behind it, else
    /// the last one before it, that is called so or bounds a loop.
    fn partner(&self, own: &Function, k: usize) -> Option<String> {
        let is_number = |p: &Parameter| {
            let kind = match p.type_name {
                TypeName::Integer { size, .. } => size != Size::Char,
                TypeName::Exact { width, .. } => width > 8,
                _ => false,
            };
            p.pointers == 0 && kind
        };
        let name = |p: &Parameter| p.name.as_ref().map(|name| name.text.clone());
        let nearest = |fits: &dyn Fn(&str) -> bool| {
            let behind = own.parameters.iter().skip(k + 1);
            let before = own.parameters[..k].iter().rev();
            behind.chain(before).filter(|p| is_number(p)).filter_map(name).find(|name| fits(name))
        };
        let by_use = |name: &str| self.bounds.contains(name) && !self.last.contains(name);
        nearest(&|name| is_length(name)).or_else(|| nearest(&by_use))
    }
}

/// Is a parameter called as one that says a length?
fn is_length(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    const NAMES: [&str; 12] = [
        "n", "len", "length", "size", "count", "sz", "cnt", "num", "nelem", "nelems", "nmemb",
        "number",
    ];
    const ENDINGS: [&str; 7] = ["_len", "_length", "_size", "_count", "_n", "_num", "length"];
    const BEGINNINGS: [&str; 6] = ["n_", "len_", "num_", "size_", "count_", "length_"];
    NAMES.contains(&stem)
        || ENDINGS.iter().any(|ending| stem.ends_with(ending))
        || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
}

/// The members of a struct that point to such a struct, in order.
pub(super) fn links(file: &File, id: StructId) -> Vec<String> {
    let fields = file.structs.get(id.0 as usize).and_then(|one| one.fields.as_ref());
    let fields = fields.into_iter().flatten();
    fields
        .filter(|field| (field.type_name, field.pointers) == (TypeName::Struct(id), 1))
        .filter(|field| field.dimensions.is_empty())
        .map(|field| field.name.text.clone())
        .collect()
}

/// Does a member of this name lead back?
pub(super) fn leads_back(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "prev" | "previous" | "prior" | "pred" | "back" | "parent" | "up"
    )
}
