//! Lists of initial values: which element or member each value goes to.

use super::elaborator::Elaborator;
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind, Initializer, Name, StructId, TypeName};

impl Elaborator<'_> {
    /// Which element each value of an initialiser's list goes to.
    pub(super) fn spread<'e>(
        &mut self,
        initializer: &'e Initializer,
        dimensions: &[u32],
    ) -> Vec<(usize, &'e Expr)> {
        let total = dimensions.iter().product::<u32>() as usize;
        let Some((list, span)) = self.list_of_array(initializer) else { return Vec::new() };
        let mut places = Vec::new();
        let row = dimensions.last().map_or(1, |d| *d as usize);
        let mut next = 0;
        for item in list {
            let item = match item {
                Initializer::At(index, inner) => {
                    let index = self.constant(index, "a place in a list").unwrap_or(0);
                    if !(0..total as i128).contains(&index) || dimensions.len() != 1 {
                        self.diagnostics.error(
                            span,
                            "this place is not in the array",
                            "places count from 0, in arrays of one dimension",
                        );
                        return Vec::new();
                    }
                    next = index as usize;
                    inner
                }
                other => other,
            };
            match item {
                Initializer::Value(e) => {
                    places.retain(|(at, _)| *at != next);
                    places.push((next, e));
                    next += 1;
                }
                Initializer::Member(name, _) => {
                    self.diagnostics.error(
                        name.span,
                        "an array has no members",
                        "write the values in order",
                    );
                    return Vec::new();
                }
                Initializer::At(..) => return Vec::new(),
                Initializer::List(inner, span) => {
                    let nested = dimensions.len() == 2 && next % row == 0;
                    if !nested || inner.len() > row {
                        self.diagnostics.error(
                            *span,
                            "this list does not fit the array",
                            "one list per row of a two-dimensional array",
                        );
                        return Vec::new();
                    }
                    let Some(cells) = self.spread_row(inner, next) else { return Vec::new() };
                    places.extend(cells);
                    next += row;
                }
            }
        }
        if next > total {
            self.diagnostics.error(
                span,
                format!("{next} values for {total} elements"),
                "leave some out, or make the array larger",
            );
            places.clear();
        }
        places
    }

    /// The list of an array's initialiser, and its place; `None` if it is no list, which is
    /// reported.
    fn list_of_array<'e>(
        &mut self,
        initializer: &'e Initializer,
    ) -> Option<(&'e [Initializer], Span)> {
        match initializer {
            Initializer::List(list, span) => return Some((list, *span)),
            Initializer::Value(e) if matches!(e.kind, ExprKind::Text) => {
                let message = format!("strings as data are not modelled: line {}", e.span.line);
                self.diagnostics.error(
                    e.span,
                    message,
                    "write the characters as a list of numbers",
                );
            }
            Initializer::Value(Expr { span, .. })
            | Initializer::Member(Name { span, .. }, _)
            | Initializer::At(Expr { span, .. }, _) => {
                self.diagnostics.error(*span, "an array takes a list", "write `{…}`");
            }
        }
        None
    }

    /// The values of one row, whose first element has the index `first`; `None` if it holds
    /// something other than values, which is reported.
    fn spread_row<'e>(
        &mut self,
        row: &'e [Initializer],
        first: usize,
    ) -> Option<Vec<(usize, &'e Expr)>> {
        let mut places = Vec::new();
        for (column, cell) in row.iter().enumerate() {
            match cell {
                Initializer::Value(e) => places.push((first + column, e)),
                Initializer::List(_, span)
                | Initializer::Member(Name { span, .. }, _)
                | Initializer::At(Expr { span, .. }, _) => {
                    self.diagnostics.error(
                        *span,
                        "this list is nested too deeply",
                        "arrays have one or two dimensions",
                    );
                    return None;
                }
            }
        }
        Some(places)
    }

    /// Which scalar each value of an aggregate's list goes to: leaf, element, value.
    pub(super) fn spread_aggregate<'e>(
        &mut self,
        list: &'e Initializer,
        index: u32,
        into: &mut Vec<(usize, usize, &'e Expr)>,
    ) {
        let aggregate = self.aggregates[index as usize].clone();
        let elements = aggregate.dimensions.iter().product::<u32>() as usize;
        if aggregate.dimensions.is_empty() {
            self.spread_struct(list, aggregate.type_id, 0, 0, into);
            return;
        }
        let Initializer::List(items, span) = list else { return };
        if aggregate.dimensions.len() > 1 || items.len() > elements {
            self.diagnostics.error(
                *span,
                "this list does not fit the array",
                "one list for each struct of the array",
            );
            return;
        }
        let mut next = 0;
        for item in items {
            let item = match item {
                Initializer::At(e, inner) => {
                    next = self.constant(e, "a place in a list").unwrap_or(0).max(0) as usize;
                    inner
                }
                other => other,
            };
            if !matches!(item, Initializer::List(..)) || next >= elements {
                self.diagnostics.error(
                    *span,
                    "this list does not fit the array",
                    "one list for each struct of the array",
                );
                return;
            }
            self.spread_struct(item, aggregate.type_id, 0, next, into);
            next += 1;
        }
    }

    /// `{1, {2, 3}, .c = 4}` for a struct whose first leaf is `base`, and which is the `nth` of its
    /// array.
    fn spread_struct<'e>(
        &mut self,
        list: &'e Initializer,
        id: StructId,
        base: usize,
        nth: usize,
        into: &mut Vec<(usize, usize, &'e Expr)>,
    ) {
        let Initializer::List(items, span) = list else { return };
        let Some(layout) = self.layout(id, *span) else { return };
        let mut next = 0;
        for item in items {
            let item = match item {
                Initializer::Member(name, inner) => {
                    match layout.members.iter().position(|m| m.name == name.text) {
                        Some(position) => next = position,
                        None => {
                            self.diagnostics.error(
                                name.span,
                                format!("there is no member `{}`", name.text),
                                "name one of the struct",
                            );
                            return;
                        }
                    }
                    inner
                }
                other => other,
            };
            let Some(member) = layout.members.get(next) else {
                self.diagnostics.error(*span, "more values than members", "leave some out");
                return;
            };
            next += 1;
            let first = base + member.first;
            match (item, member.type_name) {
                (Initializer::List(..), TypeName::Struct(inner))
                    if member.dimensions.is_empty() =>
                {
                    self.spread_struct(item, inner, first, nth, into);
                }
                (Initializer::Value(e), type_name)
                    if member.dimensions.is_empty()
                        && !matches!(type_name, TypeName::Struct(_)) =>
                {
                    into.push((first, nth, e));
                }
                (Initializer::List(..), type_name) if !matches!(type_name, TypeName::Struct(_)) => {
                    let each = member.dimensions.iter().product::<u32>() as usize;
                    let places = self.spread(item, &member.dimensions);
                    into.extend(
                        places.into_iter().map(|(element, e)| (first, nth * each + element, e)),
                    );
                }
                _ => {
                    let message = format!("member `{}` takes another kind of value", member.name);
                    self.diagnostics.error(
                        *span,
                        message,
                        "one list for each struct and each array",
                    );
                    return;
                }
            }
        }
    }
}
