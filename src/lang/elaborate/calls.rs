//! Calls: of the program's procedures, of procedures without a body, of built-ins.

use super::builtins::{Builtin, builtin, keeps_its_meaning};
use super::graph::Looks;
use super::names::suggestion;
use super::value::Value;
use super::{Elaborator, MOST_PARAMETERS, Signature};
use crate::lang::model::{Expression, Operation, Place, Scalar, Span, StatementKind, VariableId, VariableKind};
use crate::lang::syntax::{Expr, Name};

impl Elaborator<'_> {
    /// The built-in that a name means here: a definition of the program's own comes first, unless the name keeps its meaning.
    fn meaning(&self, name: &str) -> Option<Builtin> {
        let defined = self.signatures.get(name).is_some_and(|s| s.has_body);
        if defined && !keeps_its_meaning(name) { None } else { builtin(name) }
    }

    /// Does calling it do more than give a value?
    pub(super) fn call_has_effects(&self, name: &str) -> bool {
        match self.meaning(name) {
            Some(Builtin::Choice | Builtin::TypedChoice(_) | Builtin::Refused(..)) => false,
            Some(_) => true,
            None => self.signatures.get(name).is_some_and(|s| s.has_body),
        }
    }

    /// Can its result be stored straight into a variable of this type?
    pub(super) fn calls_with_result(&self, name: &str, scalar: Scalar) -> bool {
        self.meaning(name).is_none() && self.signatures.get(name).is_some_and(|s| s.has_body && s.result == Some(scalar))
    }

    /// `into` receives the result (its type must be the result's); `statement` is the place of the whole statement then.
    #[inline(never)]
    pub(super) fn call(&mut self, name: &Name, arguments: &[Expr], span: Span, into: Option<VariableId>, statement: Option<Span>) -> Value {
        if arguments.len() > MOST_PARAMETERS {
            self.diagnostics.error(span, format!("more than {MOST_PARAMETERS} arguments"), "use globals or an array");
            return Value::Poisoned;
        }
        if let Some(builtin) = self.meaning(&name.text) {
            return self.call_builtin(builtin, name, arguments, span);
        }
        let Some(signature) = self.signatures.get(&name.text) else {
            self.unknown_procedure(name);
            self.expressions(arguments);
            return Value::Poisoned;
        };
        let Signature { id, result, ref parameters, .. } = *signature;
        let parameters = parameters.clone();
        if parameters.len() != arguments.len() {
            let message = format!("`{}` takes {} arguments, not {}", name.text, parameters.len(), arguments.len());
            let hint = format!("it is declared in line {}", signature.span.line);
            self.diagnostics.error(span, message, hint);
            return Value::Poisoned;
        }
        let values = self.expressions(arguments);
        let arguments: Vec<Expression> = values
            .into_iter()
            .zip(&parameters)
            .zip(arguments)
            .map(|((value, parameter), e)| match parameter {
                Some(scalar) => self.convert(value, *scalar, e.span),
                None => Expression::Constant(0, self.int()),
            })
            .collect();
        match id {
            Some(callee) => {
                // A global is written once the caller is back: a call's result goes to the caller's own frame.
                let local = into.filter(|into| self.program.variable(*into).kind != VariableKind::Global);
                let result = match (local, result) {
                    (Some(into), _) => Some((into, self.program.variable(into).scalar)),
                    (None, Some(scalar)) => Some((self.temporary(scalar, span), scalar)),
                    (None, None) => None,
                };
                let span = statement.unwrap_or(span);
                let looks = self.looks(StatementKind::Call, span);
                self.emit(Operation::Call { callee, arguments, result: result.map(|r| r.0) }, looks);
                if let (Some(global), None, Some((value, scalar))) = (into, local, result) {
                    let looks = self.looks(StatementKind::Hidden, span);
                    let value = Expression::Variable(value, scalar);
                    self.emit(Operation::Assign(vec![(Place::Variable(global), value)]), looks);
                }
                result.map_or(Value::Void, |(id, scalar)| Value::Typed(Expression::Variable(id, scalar)))
            }
            // Without a body it does nothing and returns any value.
            None => match result {
                Some(scalar) => Value::Typed(self.choice(scalar)),
                None => Value::Void,
            },
        }
    }

    /// A call as a statement: its result is not wanted.
    #[inline(never)]
    pub(super) fn call_statement(&mut self, name: &Name, arguments: &[Expr], span: Span) {
        let edges = self.program.edges.len();
        let bodiless = self.meaning(&name.text).is_none() && self.signatures.get(&name.text).is_some_and(|s| !s.has_body);
        let value = self.call(name, arguments, span, None, None);
        if (bodiless || self.program.edges.len() == edges) && !matches!(value, Value::Poisoned) {
            self.emit(Operation::Skip, Looks { kind: StatementKind::Call, span, text: self.tidy(span) });
        } else if let Some(edge) = self.program.edges.last_mut() {
            // The temporary that would hold the result is not needed.
            if let (Operation::Call { result, .. }, Value::Typed(_)) = (&mut edge.operation, value)
                && edge.span == span
            {
                *result = None;
                self.drop_last_temporary();
            }
        }
    }

    fn unknown_procedure(&mut self, name: &Name) {
        if self.diagnostics.full() {
            self.diagnostics.error(name.span, "unknown procedure", "");
            return;
        }
        let known = self.signatures.keys().map(String::as_str).chain(["nondet", "assert", "assume", "reach_error"]);
        let hint = suggestion(&name.text, known)
            .unwrap_or_else(|| format!("declare it: `int {}(…);` without a body does nothing and returns any value", name.text));
        self.diagnostics.error(name.span, format!("unknown procedure `{}`", name.text), hint);
    }
}
