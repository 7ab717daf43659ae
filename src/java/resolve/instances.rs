//! New objects of generic classes, new texts.

use super::body::Body;
use super::calls::Argument;
use crate::mistake::Read;
use crate::span::Span;
use crate::tree::Name;
use crate::typed::{ClassId, Expr, Generic, Type};

impl<'u> Body<'_, 'u> {
    /// A new object, with the arguments of its type.
    pub(super) fn made_generic(
        &mut self,
        class: ClassId,
        outer: Option<Expr>,
        arguments: Vec<Argument<'u>>,
        own: Vec<Generic>,
        span: Span,
    ) -> Read<Expr> {
        self.new_arguments.clone_from(&own);
        let made = self.made(class, outer, arguments, span)?;
        Ok(Expr { arguments: own, ..made })
    }

    /// The arguments of a class (`<>`) of which an object is needed as one of another type.
    pub(super) fn arguments_from(&self, class: ClassId, hint: &Generic) -> Vec<Generic> {
        let Type::Class(wanted) = hint.ty else { return Vec::new() };
        if wanted == class {
            return hint.arguments.clone();
        }
        // Which of its own parameters stand for those of the other class.
        let marks: Vec<Generic> = (0..self.r.class(class).type_parameters.len())
            .map(|k| Generic { ty: Type::Class(ClassId(u32::MAX - k as u32)), arguments: vec![] })
            .collect();
        let of = Generic { ty: Type::Class(class), arguments: marks.clone() };
        let given = self.r.given_by(&of, wanted);
        let names = self.r.class(wanted).type_parameters.iter().map(|p| &p.name.text);
        let known: Vec<(&Generic, &Generic)> =
            names.zip(&hint.arguments).filter_map(|(n, a)| Some((given.get(n)?, a))).collect();
        let found = marks.iter().map(|mark| known.iter().find(|(m, _)| *m == mark));
        found
            .map(|found| found.map(|(_, a)| (*a).clone()))
            .collect::<Option<_>>()
            .unwrap_or_default()
    }

    /// `new String(…)`
    pub(super) fn new_text(
        &mut self,
        arguments: &'u [crate::tree::Expr],
        span: Span,
    ) -> Read<Expr> {
        let arguments = self.arguments(arguments)?;
        let string = self.r.string;
        let call = |text: &str| Name { text: text.to_string(), span };
        let value = match arguments.is_empty() {
            true => {
                let kind = crate::typed::ExprKind::Text(String::new());
                super::expr(kind, Type::String, span)
            }
            false => {
                let name = call("valueOf");
                self.call_of(string, None, &name, arguments, (span, false))?
            }
        };
        self.call_of(string, Some(value), &call("fresh"), Vec::new(), (span, false))
    }
}
