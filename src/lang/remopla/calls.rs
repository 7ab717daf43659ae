//! Calls of modules and of stack symbols.

use super::lowering::{Lowering, Signature};
use super::syntax::*;
use super::value::Value;
use crate::lang::model::{
    Expression, Operation, ProcedureId, Span, StatementKind as Kind, VariableId, VariableKind,
};
use crate::lang::syntax::Name;

impl<'a> Lowering<'a> {
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        target: Option<&'a Expr>,
        name: &'a Name,
        arguments: &'a [Expr],
        span: Span,
    ) {
        let into = match target {
            Some(place) => match self.target(place) {
                Some(target) => Some(target),
                None => return,
            },
            None => None,
        };
        if !self.signatures.contains_key(name.text.as_str())
            && let Some((callee, argument)) =
                self.rules.as_ref().and_then(|rules| rules.call_of(&name.text))
        {
            if into.is_some() || !arguments.is_empty() {
                let message = format!(
                    "the stack symbol `{}` takes no arguments and has no result",
                    name.text
                );
                self.builder.diagnostics.error(
                    span,
                    message,
                    "control states carry values between rules",
                );
                return;
            }
            return self.emit_call(callee, vec![argument], None, span);
        }
        let Some(Signature { id: Some(callee), parameters, result, span: defined }) =
            self.signatures.get(name.text.as_str())
        else {
            self.unknown_module(name);
            return;
        };
        let (callee, parameters, returned, line) =
            (*callee, parameters.clone(), *result, defined.line);
        if parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                parameters.len(),
                arguments.len()
            );
            self.builder.diagnostics.error(span, message, format!("it is defined in line {line}"));
            return;
        }
        // The index of the place that receives the result is evaluated before the call.
        let into = into.map(|target| self.keep_index(target, span));
        let mut values = Vec::new();
        for (e, scalar) in arguments.iter().zip(&parameters) {
            let value = self.expression(e);
            values.push(self.convert(value, *scalar, None, e.span));
        }
        let Some(target) = into else { return self.emit_call(callee, values, None, span) };
        let Some(scalar) = returned else {
            let message = format!("`{}` returns no value", name.text);
            self.builder.diagnostics.error(span, message, "leave the assignment out");
            return;
        };
        let is_own = target.index.is_none()
            && target.scalar == scalar
            && self.builder.program.variable(target.id).kind != VariableKind::Global;
        let result = if is_own { target.id } else { self.builder.temporary(scalar, span) };
        self.emit_call(callee, values, Some(result), span);
        if !is_own {
            let value = Value::Typed(Expression::Variable(result, scalar));
            let value = self.convert(value, target.scalar, None, span);
            self.builder.uninterruptible();
            self.builder.hidden(span, Operation::Assign(vec![(target.place(), value)]));
        }
    }

    fn emit_call(
        &mut self,
        callee: ProcedureId,
        arguments: Vec<Expression>,
        result: Option<VariableId>,
        span: Span,
    ) {
        let looks = self.builder.looks(Kind::Call, span);
        self.builder.emit(Operation::Call { callee, arguments, result }, looks);
    }
}
