//! What programs read: numbers, and words.

use super::build::{expr, number};
use super::lowerer::{Lowered, Lowerer, Reason, Refused, refuse, refuse_for};
use super::pointers::Use;
use super::types::{INT, Type};
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind, Name, Text};

/// The most characters of a word, or of the array that it goes to.
const LONGEST: u64 = 8;
/// The library's procedure that reads a word.
const WORD: &str = "__faultline_word";

/// The library's procedure for a call that reads nothing but one word, with its arguments: where
/// the word goes, and the most characters that it has, 0 if it may have any number. `None` for
/// other calls.
pub(super) fn reading_a_word(name: &str, arguments: &[Expr]) -> Option<(&'static str, Vec<Expr>)> {
    let (format, to) = match (name, arguments) {
        ("scanf", [format, to]) => (format, to),
        ("fscanf", [stream, format, to]) if matches!(&stream.kind, ExprKind::Name(stream) if stream == "stdin") => {
            (format, to)
        }
        _ => return None,
    };
    let ExprKind::Text(Text { spelt, .. }) = &format.kind else { return None };
    let digits = spelt.trim().strip_prefix('%')?.strip_suffix('s')?;
    let most = match digits {
        "" => 0,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().filter(|most| (1..=4096).contains(most))?
        }
        _ => return None,
    };
    Some((WORD, vec![to.clone(), number(most, INT, to.span)]))
}

impl Lowerer<'_> {
    /// Refuses a word that may be long: as many stores as words have no small diagram.
    pub(super) fn is_short_word(&self, given: &[Expr], span: Span) -> Lowered<()> {
        let [to, most] = given else { return Ok(()) };
        let room = match &to.kind {
            ExprKind::Name(name) => self.find(name).and_then(|variable| match variable.ty {
                Type::Array(_, count) => Some(count),
                _ => None,
            }),
            _ => None,
        };
        let is_bounded = matches!(most.kind, ExprKind::Exactly(1..=LONGEST, _));
        match is_bounded || room.is_some_and(|room| u64::from(room) <= LONGEST) {
            true => Ok(()),
            false => {
                let why = format!("a word of more than {LONGEST} characters as input");
                refuse_for(span, why, "read at most 8 characters: `scanf(\"%8s\", s)`")
            }
        }
    }

    /// `scanf("%d", &x)`
    pub(super) fn input(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        e: &Expr,
    ) -> Lowered<(Expr, Type)> {
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let place = match &argument.kind {
                ExprKind::Text(_) => {
                    given.push(argument.clone());
                    continue;
                }
                ExprKind::Name(stream) if self.find(stream).is_none() => {
                    given.push(argument.clone());
                    continue;
                }
                ExprKind::Address(place) => {
                    let place = self.place(place, Use::Write)?;
                    if place.spot.is_some() {
                        return refuse(argument.span, "input into memory of bytes");
                    }
                    place.e
                }
                _ => {
                    let (value, ty) = self.value(argument)?;
                    let is_place = matches!(
                        &argument.kind,
                        ExprKind::Name(_)
                            | ExprKind::Index(..)
                            | ExprKind::Member(..)
                            | ExprKind::Indirect(_)
                    );
                    if is_place && matches!(ty, Type::Scalar(_)) {
                        let why = self.text(argument.span);
                        return Err(Refused {
                            span: argument.span,
                            why,
                            reason: Reason::NoAddress,
                        });
                    }
                    let (_, region) = self.target(&ty, argument.span)?;
                    if self.flat_room(region).is_some() {
                        return refuse(argument.span, "input into memory of bytes");
                    }
                    let what = self.text(argument.span);
                    self.follow(value, region, &what, Use::Write, argument.span)
                }
            };
            given.push(expr(ExprKind::Address(Box::new(place)), argument.span));
        }
        Ok((expr(ExprKind::Call(name.clone(), given), e.span), Type::Scalar(INT)))
    }
}
