//! C's input: `scanf` and its kin, `getchar` and its kin. What they read is any value.

use super::effects::Effects;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::target::{Path, Target};
use super::value::Value;
use crate::lang::given::{Giver, Role};
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::message::{Message, is};
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Scalar, Span, StatementKind, VariableKind,
};
use crate::lang::syntax::{Expr, ExprKind, Name, Size, Text, TypeName};

/// An integer that a format reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    size: Size,
    /// False for `%*d`, whose value is thrown away.
    stored: bool,
    /// The least and the greatest number that its width has room for.
    within: Option<(i128, i128)>,
    /// A number, or a character.
    role: Role,
}

impl Elaborator<'_> {
    /// `scanf`, or `fscanf(stdin, …)`, whose format is the argument with the index `format_at`.
    /// The first r conversions store any value, the others store nothing; the result is r, or -1
    /// (`EOF`) where the input ends before the first one (C11 7.21.6.2). `wanted` says whether the
    /// result is used.
    pub(super) fn input(
        &mut self,
        format_at: usize,
        name: &Name,
        arguments: &[Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        let given = arguments.get(format_at).map(|e| &e.kind);
        let Some(ExprKind::Text(Text { spelt: format, .. })) = given else {
            return self.refuse_input(name, "the format is no string", span);
        };
        let stream = arguments.first().map(|e| &e.kind);
        if format_at > 0 && !matches!(stream, Some(ExprKind::Name(s)) if s == "stdin") {
            return self.refuse_input(name, "files are not modelled; read from `stdin`", span);
        }
        let conversions = match conversions(format) {
            Ok(conversions) => conversions,
            Err(why) => return self.refuse_input(name, &why, span),
        };
        let places = &arguments[format_at + 1..];
        if conversions.len() != places.len() {
            let (reads, given) = (conversions.len(), places.len());
            let message = format!("the format reads {reads} values, but {given} addresses follow");
            self.diagnostics.error(span, message, "write one address for each value");
            return Value::Poisoned;
        }
        let Some(targets) = self.input_targets(&conversions, places) else {
            return Value::Poisoned;
        };
        let counts = wanted || targets.len() > 1;
        let first = self.program.edges.len();
        let result = if counts { Some(self.input_result(targets.len(), span)) } else { None };
        for (index, (target, conversion)) in targets.iter().zip(&conversions).enumerate() {
            let is_read = match &result {
                Some(result) => {
                    let index = self.int_constant(index as i128, span);
                    binary(BinaryOperator::Less, index, result.clone())
                }
                None => self.choice(Scalar::BOOL),
            };
            let by = Giver { name: name.text.clone(), span, role: conversion.role };
            self.read_into(target, conversion.within, is_read, &by);
        }
        if !wanted {
            self.stores_values(first);
        }
        if targets.is_empty() {
            let looks = self.looks(StatementKind::Call, span);
            self.emit(Operation::Skip, looks);
        }
        result.map_or(Value::Void, Value::Typed)
    }

    fn refuse_input(&mut self, name: &Name, why: &str, span: Span) -> Value {
        let message = Message::from(is(&format!("this use of `{}`", name.text)));
        self.diagnostics.error(span, message, why);
        Value::Poisoned
    }

    /// The places that the values go to; `None` if one of them was reported. All of them are known
    /// before the first value is stored.
    fn input_targets(
        &mut self,
        conversions: &[Conversion],
        places: &[Expr],
    ) -> Option<Vec<Target>> {
        let every = Effects::ALL;
        let mut targets = Vec::new();
        for (conversion, e) in conversions.iter().zip(places) {
            match self.known_path(e) {
                Some(Path::Variable { id, indices, .. })
                    if self.program.variable(id).dimensions.len() == indices.len() =>
                {
                    let text = self.tidy(e.span);
                    self.diagnostics.address_is_missing(e.span, &text);
                    return None;
                }
                Some(Path::Poisoned) => return None,
                _ => {}
            }
            let place = place_at(e);
            let target = self.place(&place);
            self.writable(&place);
            let (Target::Variable(_, scalar) | Target::Element { scalar, .. }) = target else {
                if matches!(target, Target::Struct(_)) {
                    self.diagnostics.error(e.span, "a struct cannot be read", "name its members");
                }
                return None;
            };
            let signed = true;
            let read = self.scalar(TypeName::Integer { size: conversion.size, signed });
            if scalar.boolean || read.is_none_or(|read| read.width != scalar.width) {
                self.diagnostics.error(
                    e.span,
                    "the format reads an integer of another type",
                    "`%d` reads an `int`, `%hd` a `short`, `%ld` a `long`, `%c` a `char`",
                );
                return None;
            }
            targets.push(target);
        }
        let wanted = targets.len() > 1;
        let keep = |(target, e): (Target, &Expr)| self.keep_index(target, every, wanted, e.span);
        Some(targets.into_iter().zip(places).map(keep).collect())
    }

    /// Where a name leads to that is no pointer, with indices and members, or a pointer that is
    /// followed. `None` for other expressions.
    fn known_path<'e>(&mut self, e: &'e Expr) -> Option<Path<'e>> {
        let mut root = e;
        let mut follows = false;
        while let ExprKind::Index(base, _) | ExprKind::Member(base, _) | ExprKind::Indirect(base) =
            &root.kind
        {
            follows |= !matches!(root.kind, ExprKind::Index(..));
            root = base;
        }
        let ExprKind::Name(name) = &root.kind else { return None };
        match self.names.find(name)? {
            Entity::Variable { .. } | Entity::Aggregate(_) => Some(self.path(e)),
            Entity::Pointer(_) if follows => Some(self.path(e)),
            _ => None,
        }
    }

    /// Any value of the type, and within these bounds if they are narrower.
    fn any_within(
        &mut self,
        scalar: Scalar,
        within: Option<(i128, i128)>,
        by: &Giver,
    ) -> Expression {
        let span = by.span;
        let any = self.given(scalar, &by.name, span, by.role);
        let signed = Scalar::int(scalar.width, true);
        let fits = |most: &i128| *most < 1i128 << (scalar.width - 1);
        let Some((least, most)) = within.filter(|(_, most)| fits(most)) else {
            return any;
        };
        // A `-` before a number of an unsigned type makes it wrap.
        let looks = self.looks(StatementKind::Hidden, span);
        let any = self.store(cast(any, signed), looks);
        let bound = |number: i128| Expression::Constant(signed.wrap(number), signed);
        let fits = binary(
            BinaryOperator::And,
            binary(BinaryOperator::LessEqual, bound(least), any.clone()),
            binary(BinaryOperator::LessEqual, any.clone(), bound(most)),
        );
        let number = Expression::Conditional(Box::new(fits), Box::new(any), Box::new(bound(0)));
        cast(number, scalar)
    }

    /// The result of reading at most `most` values: any number from -1 to `most`.
    fn input_result(&mut self, most: usize, span: Span) -> Expression {
        let mut any = self.int_constant(-1, span);
        for n in 0..=most {
            let n = self.int_constant(n as i128, span);
            let this = self.choice(Scalar::BOOL);
            any = Expression::Conditional(Box::new(this), Box::new(n), Box::new(any));
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.store(any, looks)
    }

    /// Stores any value at a place if `is_read` holds. The place keeps its value otherwise.
    fn read_into(
        &mut self,
        target: &Target,
        within: Option<(i128, i128)>,
        is_read: Expression,
        by: &Giver,
    ) {
        let span = by.span;
        let (old, scalar, shared) = match target {
            Target::Variable(id, scalar) => (Expression::Variable(*id, *scalar), *scalar, *id),
            Target::Element { array, index, scalar, .. } => {
                (Expression::Element(*array, Box::new(index.clone()), *scalar), *scalar, *array)
            }
            Target::Struct(_) | Target::Poisoned => return,
        };
        let apart =
            self.reads_apart() && self.program.variable(shared).kind == VariableKind::Global;
        if !apart {
            let any = self.any_within(scalar, within, by);
            let new = Expression::Conditional(Box::new(is_read), Box::new(any), Box::new(old));
            self.write(target, Value::Typed(new), span, span);
            return;
        }
        // Where nothing is read nothing is written, which other threads could see.
        let is_read = self.stored_condition(is_read, span);
        let looks = self.looks(StatementKind::Hidden, span);
        let from = self.graph.here();
        let then = self.outcome(from, is_read.clone(), Vec::new(), &looks, None);
        let otherwise = self.outcome(from, is_read.negated(), Vec::new(), &looks, None);
        self.graph.current = Some(then);
        let any = self.any_within(scalar, within, by);
        self.write(target, Value::Typed(any), span, span);
        let end = self.graph.current;
        self.graph.current = Some(otherwise);
        let looks = self.looks(StatementKind::Call, span);
        self.emit(Operation::Skip, looks);
        self.graph.current = self.graph.join(end, self.graph.current);
    }

    /// A condition that two edges can test.
    fn stored_condition(&mut self, condition: Expression, span: Span) -> Expression {
        let temporary = self.temporary(Scalar::BOOL, span);
        let looks = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assign(vec![(Place::Variable(temporary), condition)]), looks);
        Expression::Variable(temporary, Scalar::BOOL)
    }

    /// `getchar()` and its kin: any `unsigned char`, or -1 (`EOF`).
    pub(super) fn input_character(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Value {
        self.output_arguments(arguments);
        let int = self.int();
        if int.width == 1 {
            return Value::Typed(self.choice(int));
        }
        let scalar = Scalar::int((int.width - 1).min(8), false);
        let character = self.given(scalar, &name.text, span, Role::Character);
        let is_end = self.choice(Scalar::BOOL);
        let end = self.int_constant(-1, span);
        let read = cast(character, int);
        Value::Typed(Expression::Conditional(Box::new(is_end), Box::new(end), Box::new(read)))
    }
}

/// The place that an address denotes: `x` of `&x`, `a[i]` of `a + i`, `*p` of `p`.
fn place_at(e: &Expr) -> Expr {
    use crate::lang::syntax::BinaryOp;
    let kind = match &e.kind {
        ExprKind::Address(place) => return (**place).clone(),
        ExprKind::Binary(BinaryOp::Add, base, index) => {
            ExprKind::Index(base.clone(), index.clone())
        }
        _ => ExprKind::Indirect(Box::new(e.clone())),
    };
    Expr { kind, span: e.span, depth: e.depth }
}

/// The conversions of a format that store a value. The error says what is not modelled.
fn conversions(format: &str) -> Result<Vec<Conversion>, String> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' || rest.next_if_eq(&'%').is_some() {
            continue;
        }
        let stored = rest.next_if_eq(&'*').is_none();
        let mut width = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            width.push(digit);
        }
        let mut length = String::new();
        while let Some(letter) = rest.next_if(|c| "hljztL".contains(*c)) {
            length.push(letter);
        }
        let letter = rest.next();
        let size = match (length.as_str(), letter) {
            ("", Some('c')) if matches!(width.as_str(), "" | "1") => Size::Char,
            ("", Some('c')) => {
                return Err("characters are read one by one: `scanf(\"%c\", &c)`".to_string());
            }
            (_, Some('d' | 'i' | 'u' | 'x' | 'X' | 'o')) => match length.as_str() {
                "" => Size::Int,
                "hh" => Size::Char,
                "h" => Size::Short,
                _ => Size::Long,
            },
            (_, Some('s' | '[')) => {
                let why = "words of at most 8 characters are read, each by its own call: \
                           `if (scanf(\"%8s\", s) != 1) return 1;`";
                return Err(why.to_string());
            }
            (_, Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A')) => {
                return Err("floating point is not modelled; read integers with `%d`".to_string());
            }
            (_, Some(letter)) => return Err(format!("`%{length}{letter}` is not modelled")),
            (_, None) => return Err("the format ends inside a conversion".to_string()),
        };
        let base = match letter {
            _ if width.is_empty() || size == Size::Char && length.is_empty() => None,
            Some('x' | 'X') => Some(16),
            Some('o') => Some(8),
            _ => Some(10),
        };
        let within = match base {
            Some(base) => Some(numbers_of(base, &width)?),
            None => None,
        };
        let is_character = letter == Some('c');
        let role = if is_character { Role::Character } else { Role::Number };
        found.push(Conversion { size, stored, within, role });
    }
    found.retain(|conversion| conversion.stored);
    Ok(found)
}

/// The least and the greatest number of at most `width` characters, of which one may be a sign.
fn numbers_of(base: i128, width: &str) -> Result<(i128, i128), String> {
    // More characters than a number of 64 bits has do not matter.
    let width = width.parse::<u32>().unwrap_or(u32::MAX).min(24);
    match width {
        0 => Err("a width of 0 reads nothing; leave it out".to_string()),
        _ => Ok((1 - base.pow(width - 1), base.pow(width) - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_bounds_the_number() {
        let within = |format: &str| conversions(format).map(|found| found[0].within);
        assert_eq!(within("%3d"), Ok(Some((-99, 999))));
        assert_eq!(within("%1u"), Ok(Some((0, 9))));
        assert_eq!(within("%2x"), Ok(Some((-15, 255))));
        assert_eq!(within("%1c"), Ok(None));
        assert!(conversions("%0d").is_err());
        assert!(conversions("%99999999999999d").is_ok());
    }

    #[test]
    fn a_format_says_what_is_stored() {
        let sizes = |format: &str| -> Result<Vec<Size>, String> {
            Ok(conversions(format)?.into_iter().map(|c| c.size).collect())
        };
        assert_eq!(sizes("%d"), Ok(vec![Size::Int]));
        assert_eq!(sizes("n = %i, 100%% %c %*d\\n"), Ok(vec![Size::Int, Size::Char]));
        assert_eq!(
            sizes("%hd %hhu %ld %llu %zu"),
            Ok(vec![Size::Short, Size::Char, Size::Long, Size::Long, Size::Long])
        );
        assert_eq!(sizes("done"), Ok(Vec::new()));
        for wrong in ["%s", "%f", "%lf", "%3c", "%n", "%[a-z]", "%", "%p"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
