//! What `printf` gives back: the number of characters that it writes (C11 7.21.6.3). Output never
//! fails here.

use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::message::{Message, is};
use crate::lang::model::{BinaryOperator, Expression, Scalar, Span, StatementKind};
use crate::lang::syntax::{Expr, ExprKind, Name};
use crate::wire::options::DataModel;

/// Most characters of a text, and the largest width of a conversion.
const MOST_CHARACTERS: usize = 4096;

/// What a format writes, piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// So many characters.
    Plain(usize),
    /// An argument that is one character.
    Character(usize),
    /// A string literal.
    Text(usize),
    /// A number in this base, with a sign, of so many `l`s, at least so many characters.
    Number { base: u32, signed: bool, longs: usize, least: usize },
}

impl Elaborator<'_> {
    /// The number of characters that a call of `printf` or `fprintf` writes.
    pub(super) fn printed(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Value {
        let given = match name.text.as_str() {
            "printf" => arguments,
            "fprintf" => {
                self.output_arguments(arguments.get(..1).unwrap_or_default());
                arguments.get(1..).unwrap_or_default()
            }
            _ => return self.no_result(name, span),
        };
        let Some((Expr { kind: ExprKind::Text(format), .. }, values)) = given.split_first() else {
            return self.no_result(name, span);
        };
        let text = format.characters.as_ref().and_then(|t| String::from_utf8(t.clone()).ok());
        let Some(pieces) = text.as_deref().and_then(pieces) else {
            return self.no_result(name, span);
        };
        let wanted = pieces.iter().filter(|piece| !matches!(piece, Piece::Plain(_))).count();
        if wanted != values.len() {
            return self.no_result(name, span);
        }
        let int = self.int();
        let mut values = values.iter();
        let mut sum = Expression::Constant(0, int);
        for piece in pieces {
            let count = match piece {
                Piece::Plain(n) => Some(Expression::Constant(int.wrap(n as i128), int)),
                Piece::Character(least) => values.next().map(|argument| {
                    self.expression(argument);
                    Expression::Constant(int.wrap(least.max(1) as i128), int)
                }),
                Piece::Text(least) => values.next().and_then(|argument| match &argument.kind {
                    ExprKind::Text(text) => {
                        let length = text.characters.as_ref()?.iter().take_while(|c| **c != 0);
                        let length = length.count().max(least) as i128;
                        Some(Expression::Constant(int.wrap(length), int))
                    }
                    _ => None,
                }),
                Piece::Number { base, signed, longs, least } => values.next().map(|argument| {
                    let scalar = match (longs, self.options.model) {
                        (0, _) | (1, DataModel::Ilp32) => Scalar::int(int.width, signed),
                        _ => self.long(signed),
                    };
                    let value = self.expression(argument);
                    let value = self.convert(value, scalar, argument.span);
                    let looks = self.looks(StatementKind::Hidden, argument.span);
                    let value = self.store(value, looks);
                    digits(&value, scalar, (base, least), int)
                }),
            };
            let Some(count) = count else { return self.no_result(name, span) };
            sum = binary(BinaryOperator::Add, sum, count);
        }
        Value::Typed(sum)
    }

    fn no_result(&mut self, name: &Name, span: Span) -> Value {
        let message = Message::from(is(&format!("the result of `{}`", name.text)).of_memory());
        self.diagnostics.error(span, message, "call it as a statement of its own");
        Value::Poisoned
    }
}

/// How many characters a number has, as an `int`: nested conditions, from one digit upwards.
fn digits(
    value: &Expression,
    scalar: Scalar,
    (base, least): (u32, usize),
    int: Scalar,
) -> Expression {
    let unsigned = Scalar::int(scalar.width, false);
    let is_negative = binary(BinaryOperator::Less, value.clone(), Expression::Constant(0, scalar));
    let zero = Expression::Constant(0, unsigned);
    let plain = cast(value.clone(), unsigned);
    let size = match scalar.signed {
        true => Expression::Conditional(
            Box::new(is_negative.clone()),
            Box::new(binary(BinaryOperator::Subtract, zero, plain.clone())),
            Box::new(plain),
        ),
        false => plain,
    };
    let mut limits = Vec::new();
    let mut limit = i128::from(base);
    while unsigned.holds(limit) {
        limits.push(limit);
        limit *= i128::from(base);
    }
    let constant = |n: usize| Expression::Constant(int.wrap(n.max(least) as i128), int);
    let counted = |sign: usize| {
        let mut count = constant(limits.len() + 1 + sign);
        for (k, limit) in limits.iter().enumerate().rev() {
            let limit = Expression::Constant(unsigned.wrap(*limit), unsigned);
            let below = binary(BinaryOperator::Less, size.clone(), limit);
            count = Expression::Conditional(
                Box::new(below),
                Box::new(constant(k + 1 + sign)),
                Box::new(count),
            );
        }
        count
    };
    match scalar.signed {
        true => Expression::Conditional(
            Box::new(is_negative),
            Box::new(counted(1)),
            Box::new(counted(0)),
        ),
        false => counted(0),
    }
}

/// The pieces of a format; `None` if one of them is not known.
fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut plain = 0;
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' || rest.next_if_eq(&'%').is_some() {
            plain += 1;
            continue;
        }
        while rest.next_if(|c| "-0".contains(*c)).is_some() {}
        let mut least = 0usize;
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            least = 10 * least + digit.to_digit(10)? as usize;
            if least > MOST_CHARACTERS {
                return None;
            }
        }
        let mut longs = 0;
        while let Some(letter) = rest.next_if(|c| "ljzt".contains(*c)) {
            longs += if letter == 'j' { 2 } else { 1 };
        }
        let number = |base, signed| Piece::Number { base, signed, longs, least };
        found.push(match rest.next()? {
            'd' | 'i' => number(10, true),
            'u' => number(10, false),
            'x' | 'X' => number(16, false),
            'o' => number(8, false),
            'c' if longs == 0 => Piece::Character(least),
            's' if longs == 0 => Piece::Text(least),
            _ => return None,
        });
    }
    found.push(Piece::Plain(plain));
    (plain <= MOST_CHARACTERS && found.len() <= 32).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_says_what_is_written() {
        let number = |base, signed, longs, least| Piece::Number { base, signed, longs, least };
        assert_eq!(
            pieces("n = %5d, %lu%%\n"),
            Some(vec![number(10, true, 0, 5), number(10, false, 1, 0), Piece::Plain(8)])
        );
        assert_eq!(pieces("%02X"), Some(vec![number(16, false, 0, 2), Piece::Plain(0)]));
        assert_eq!(
            pieces("%3c%s"),
            Some(vec![Piece::Character(3), Piece::Text(0), Piece::Plain(0)])
        );
        for unknown in ["%f", "%.3d", "%+d", "%*d", "%", "%hd"] {
            assert_eq!(pieces(unknown), None, "{unknown}");
        }
    }
}
