//! Calls and returns: several results are packed into one number.

use super::lower::{Lowering, packed};
use super::syntax::*;
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, ProcedureId, Scalar, Span, StatementKind as Kind,
    VariableId, VariableKind,
};
use crate::lang::syntax::Name;

impl<'a> Lowering<'a> {
    pub(super) fn callee(
        &mut self,
        name: &Name,
        arguments: usize,
        span: Span,
    ) -> Option<(ProcedureId, usize, u32)> {
        let Some(signature) = self.signatures.get(name.text.as_str()) else {
            if self.builder.diagnostics.full() {
                self.builder.diagnostics.error(name.span, "unknown procedure", "");
                return None;
            }
            let hint = suggestion(&name.text, self.signatures.keys().copied())
                .unwrap_or_else(|| format!("define it: `void {}() begin … end`", name.text));
            self.builder.diagnostics.error(
                name.span,
                format!("unknown procedure `{}`", name.text),
                hint,
            );
            return None;
        };
        if signature.parameters != arguments {
            let message = format!(
                "`{}` takes {} arguments, not {arguments}",
                name.text, signature.parameters
            );
            let hint = format!("it is defined in line {}", signature.span.line);
            self.builder.diagnostics.error(span, message, hint);
            return None;
        }
        Some((signature.id, signature.parameters, signature.results))
    }

    #[inline(never)]
    pub(super) fn call(
        &mut self,
        targets: &'a [Option<Name>],
        name: &'a Name,
        arguments: &'a [Expr],
        span: Span,
    ) {
        let Some((callee, _, results)) = self.callee(name, arguments.len(), span) else { return };
        if self.too_many(targets.len(), span) {
            return;
        }
        let ids = self.targets(targets);
        if !targets.is_empty() && targets.len() != results as usize {
            let message =
                format!("`{}` returns {results} values, not {}", name.text, targets.len());
            self.builder.diagnostics.error(
                span,
                message,
                "write as many variables as values; `_` drops one",
            );
            return;
        }
        // No edge leads back to the entry, and a call is the only edge out of its location.
        let arguments = arguments.iter().map(|e| self.expression(e)).collect();
        let wanted = ids.iter().any(Option::is_some);
        let looks = self.builder.looks(Kind::Call, span);
        let is_local =
            |id: VariableId| self.builder.program.variable(id).kind != VariableKind::Global;
        let result = match (wanted, &ids[..]) {
            (false, _) => None,
            (true, [Some(id)]) if is_local(*id) => Some(*id),
            (true, _) => packed(results).map(|scalar| self.builder.temporary(scalar, span)),
        };
        self.builder.emit(Operation::Call { callee, arguments, result }, looks);
        if let Some(from) = result.filter(|from| ids != [Some(*from)]) {
            let scalar = packed(results).expect("a result was wanted and there");
            let value = Expression::Variable(from, scalar);
            let bit = |k: usize| match results {
                1 => value.clone(),
                _ => {
                    let mask = Expression::Constant(1 << k, scalar);
                    cast(binary(BinaryOperator::And, value.clone(), mask), Scalar::BOOL)
                }
            };
            let pairs = ids
                .iter()
                .enumerate()
                .filter_map(|(k, id)| id.map(|id| (Place::Variable(id), bit(k))))
                .collect();
            self.builder.uninterruptible();
            self.builder.hidden(span, Operation::Assign(pairs));
        }
        self.enforce(span);
    }

    #[inline(never)]
    pub(super) fn return_statement(&mut self, values: &'a [Expr], span: Span) {
        let expected = self.result.map_or(0, |r| r.1);
        if values.len() != expected as usize {
            let message = format!("the procedure returns {expected} values, not {}", values.len());
            self.builder.diagnostics.error(span, message, "make its head and its `return` agree");
            return;
        }
        let values: Vec<Expression> = values.iter().map(|e| self.expression(e)).collect();
        let operation = match self.result {
            None => Operation::Skip,
            Some((result, 1)) => Operation::Assign(
                values.into_iter().map(|value| (Place::Variable(result), value)).collect(),
            ),
            Some((result, count)) => {
                let scalar = Scalar::int(count as u8, false);
                let zero = Expression::Constant(0, scalar);
                let bits = values.into_iter().enumerate().map(|(k, value)| {
                    let one = Expression::Constant(1 << k, scalar);
                    Expression::Conditional(Box::new(value), Box::new(one), Box::new(zero.clone()))
                });
                let number = bits
                    .reduce(|left, right| binary(BinaryOperator::Or, left, right))
                    .unwrap_or(zero.clone());
                Operation::Assign(vec![(Place::Variable(result), number)])
            }
        };
        let exit = self.builder.graph.exit;
        let looks = self.builder.looks(Kind::Return, span);
        self.builder.emit_to(operation, looks, exit);
    }
}
