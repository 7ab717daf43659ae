//! Calls: of the program's procedures, of procedures without a body, of built-ins.

use super::address::Address;
use super::elaborator::Elaborator;
use super::library::{is_common_name, library_names, meaning};
use super::meaning::{Builtin, builtin, keeps_its_meaning, typed_choice};
use super::names::Entity;
use super::signature::{Formal, MOST_PARAMETERS, Role, Signature};
use super::value::Value;
use crate::lang::given;
use crate::lang::lowering::graph::Looks;
use crate::lang::lowering::suggestion::{near, suggestion};
use crate::lang::message::{Message, are};
use crate::lang::model::{
    EdgeId, Expression, Operation, Place, ProcedureId, Scalar, Span, StatementKind, VariableId,
    VariableKind,
};
use crate::lang::shared::SharedCall;
use crate::lang::syntax::{Expr, ExprKind, Name};
use crate::wire::diagnostic::Code;

impl Elaborator<'_> {
    /// The built-in that a name means. If the program defines the name, that definition counts,
    /// unless the name keeps its meaning.
    fn meaning(&self, name: &str) -> Option<Builtin> {
        let defined = self.signatures.get(name).is_some_and(|s| s.has_body);
        if defined && !keeps_its_meaning(name, self.c) {
            return None;
        }
        if is_common_name(name) && self.signatures.get(name).is_some_and(|s| !s.open_ended) {
            return None;
        }
        if !self.c {
            return builtin(name);
        }
        // The short names of the verification suites count if the program does not declare them.
        let short = match name {
            // `uninf1` is the any value of the drivers that SLAM and BLAST simplified.
            "nondet" | "uninf1" => Some("int"),
            _ => name.strip_prefix("nondet_"),
        };
        let short = short.filter(|_| !self.signatures.contains_key(name));
        meaning(name)
            .or_else(|| short.map(typed_choice).filter(|b| matches!(b, Builtin::TypedChoice(_))))
    }

    /// Does a call of it do more than give a value?
    pub(super) fn call_has_effects(&self, name: &str) -> bool {
        match self.meaning(name) {
            Some(
                Builtin::Choice
                | Builtin::TypedChoice(_)
                | Builtin::NotNegative(_)
                | Builtin::Character
                | Builtin::AnyOf(_)
                | Builtin::First
                | Builtin::Refused(..),
            ) => false,
            Some(_) => true,
            None => self.signatures.get(name).is_some_and(|s| s.has_body),
        }
    }

    /// Does a call of it write through its arguments?
    pub(super) fn call_assigns(&self, name: &str) -> bool {
        matches!(self.meaning(name), Some(Builtin::Input(_)))
    }

    /// Can its result be stored straight into a variable of this type?
    pub(super) fn calls_with_result(&self, name: &str, scalar: Scalar) -> bool {
        self.meaning(name).is_none()
            && self.signatures.get(name).is_some_and(|s| s.has_body && s.result == Some(scalar))
    }

    /// Elaborates a call. `into`, which has the type of the result, receives the result; then
    /// `statement` is the place of the whole statement.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
        into: Option<VariableId>,
        statement: Option<Span>,
    ) -> Value {
        if arguments.len() > MOST_PARAMETERS {
            self.diagnostics.error(
                span,
                format!("more than {MOST_PARAMETERS} arguments"),
                "use globals or an array",
            );
            return Value::Poisoned;
        }
        if let Some(builtin) = self.meaning(&name.text) {
            return self.call_builtin(builtin, name, arguments, span);
        }
        // A pointer hides a procedure of the same name.
        if self.c && matches!(self.names.find(&name.text), Some(Entity::Pointer(_))) {
            return self.call_through_name(span);
        }
        let Some(signature) = self.signatures.get(&name.text) else {
            match self.c {
                true => self.undeclared_call(name, span),
                false => self.unknown_procedure(name),
            }
            self.expressions(&arguments.iter().collect::<Vec<_>>());
            return Value::Poisoned;
        };
        let Signature { id, result, ref parameters, has_body, open_ended, pointer, shared, .. } =
            *signature;
        let parameters = parameters.clone();
        let line = signature.span.line;
        let counted = parameters.len();
        if !self.gives_enough(name, arguments.len(), counted, open_ended, line, span) {
            return Value::Poisoned;
        }
        if has_body && arguments.len() > parameters.len() && !parameters.is_empty() {
            let message = are("variadic procedures");
            self.diagnostics.error(span, message, "give it a fixed list of parameters");
            return Value::Poisoned;
        }
        let Some((arguments, addresses)) =
            self.arguments(&parameters, arguments, has_body, &name.text)
        else {
            return Value::Poisoned;
        };
        let id = match (id, self.bodies.get(&name.text)) {
            (None, Some(body))
                if has_body && parameters.iter().any(|p| matches!(p, Formal::Pointer(..))) =>
            {
                self.copy_of(*body, addresses, Role::Procedure, span)
            }
            (Some(_), Some(body)) if has_body && self.current.thread != 0 => {
                self.copy_of(*body, addresses, Role::Procedure, span)
            }
            (id, _) => id,
        };
        match id {
            Some(callee) => {
                let value =
                    self.emit_call((callee, shared), arguments, result, into, statement, span);
                match value {
                    Value::Void if pointer => Value::Pointer(Address::Unknown),
                    value => value,
                }
            }
            None if pointer => Value::Pointer(Address::Unknown),
            // A procedure without a body does nothing and returns any value.
            None => match result {
                Some(scalar) => {
                    Value::Typed(self.given(scalar, &name.text, span, given::Role::Result))
                }
                None => Value::Void,
            },
        }
    }

    /// Are there as many arguments as parameters? Reports it if not.
    fn gives_enough(
        &mut self,
        name: &Name,
        given: usize,
        parameters: usize,
        open_ended: bool,
        line: u32,
        span: Span,
    ) -> bool {
        let enough = if open_ended { given >= parameters } else { given == parameters };
        if !enough {
            let message = format!("`{}` takes {parameters} arguments, not {given}", name.text);
            self.diagnostics.error(span, message, format!("it is declared in line {line}"));
        }
        enough
    }

    /// The edge of a call, and its value: the variable that holds the result, or
    /// [`Value::Void`].
    fn emit_call(
        &mut self,
        (callee, shared): (ProcedureId, bool),
        arguments: Vec<Expression>,
        result: Option<Scalar>,
        into: Option<VariableId>,
        statement: Option<Span>,
        span: Span,
    ) -> Value {
        // The result of a call goes to the caller's own frame. A global is written after the
        // return.
        let local = into.filter(|into| self.program.variable(*into).kind != VariableKind::Global);
        let result = match (local, result) {
            (Some(into), _) => Some((into, self.program.variable(into).scalar)),
            (None, Some(scalar)) => Some((self.temporary(scalar, span), scalar)),
            (None, None) => None,
        };
        let own = shared.then(|| SharedCall { span, text: self.tidy(span), callee });
        let span = statement.unwrap_or(span);
        let looks = self.looks(StatementKind::Call, span);
        self.emit(Operation::Call { callee, arguments, result: result.map(|r| r.0) }, looks);
        if let Some(own) = own {
            let edge = EdgeId(self.program.edges.len() as u32 - 1);
            self.program.shared.calls.insert(edge, own);
        }
        if result.is_some() {
            self.has_returned(callee, span);
        }
        if let (Some(global), None, Some((value, scalar))) = (into, local, result) {
            let looks = self.looks(StatementKind::Hidden, span);
            let value = Expression::Variable(value, scalar);
            self.emit(Operation::Assign(vec![(Place::Variable(global), value)]), looks);
        }
        result.map_or(Value::Void, |(id, scalar)| Value::Typed(Expression::Variable(id, scalar)))
    }

    /// Elaborates a call that is a statement: its result is not used.
    #[inline(never)]
    pub(super) fn call_statement(&mut self, name: &Name, arguments: &[Expr], span: Span) {
        match self.meaning(&name.text) {
            Some(Builtin::Output) => return self.output(arguments, span),
            Some(Builtin::Input(format_at)) => {
                self.input(format_at, name, arguments, span, false);
                return;
            }
            _ => {}
        }
        let edges = self.program.edges.len();
        let bodiless = self.meaning(&name.text).is_none()
            && self.signatures.get(&name.text).is_some_and(|s| !s.has_body);
        let value = self.call(name, arguments, span, None, None);
        self.forget_result();
        if (bodiless || self.program.edges.len() == edges) && !matches!(value, Value::Poisoned) {
            self.emit(
                Operation::Skip,
                Looks { kind: StatementKind::Call, span, text: self.tidy(span) },
            );
        } else if let Some(edge) = self.program.edges.last_mut() {
            // The temporary that would hold the result is not needed.
            if let (Operation::Call { result: result @ Some(_), .. }, Value::Typed(_)) =
                (&mut edge.operation, value)
                && edge.span == span
            {
                *result = None;
                self.drop_last_temporary();
            }
        }
    }

    /// Evaluates arguments left to right; gives the values of the parameters that are no pointers,
    /// and the addresses of those that are.
    fn arguments(
        &mut self,
        formals: &[Formal],
        given: &[Expr],
        has_body: bool,
        name: &str,
    ) -> Option<(Vec<Expression>, Vec<Address>)> {
        let mut addresses = Vec::new();
        let mut plain: Vec<&Expr> = Vec::new();
        let mut places = Vec::new();
        for (index, e) in given.iter().enumerate() {
            match formals.get(index) {
                Some(Formal::Pointer(type_name, pointers)) => {
                    let address = self.address(e);
                    if self.effects(e).calls
                        || (self.effects(e).assigns
                            && address == Address::Unknown
                            && !self.reads_apart())
                    {
                        self.refuse_pointer(e.span, "this pointer has effects");
                        return None;
                    }
                    let address = self.fitting(address, *type_name, *pointers);
                    if !self.can_pass(address, has_body, name, e.span) {
                        return None;
                    }
                    addresses.push(address);
                }
                Some(Formal::Struct(id)) => {
                    let values = self.struct_argument(e, *id)?;
                    places.push((plain.len(), values));
                }
                // The declaration does not name this argument. The procedure could change what it
                // points to.
                None if matches!(e.kind, ExprKind::Address(_)) => {
                    self.refuse_pointer(
                        e.span,
                        &format!("`{name}` says nothing about this parameter"),
                    );
                    return None;
                }
                _ => plain.push(e),
            }
        }
        let scalars: Vec<Option<Scalar>> = formals
            .iter()
            .filter_map(|formal| match formal {
                Formal::Scalar(scalar) => Some(Some(*scalar)),
                Formal::Poisoned => Some(None),
                Formal::Pointer(..) | Formal::Struct(_) => None,
            })
            .collect();
        let values = self.expressions(&plain);
        let mut arguments = Vec::new();
        let mut places = places.into_iter().peekable();
        for (index, (value, e)) in values.into_iter().zip(&plain).enumerate() {
            while let Some((_, values)) = places.next_if(|(at, _)| *at == index) {
                arguments.extend(values.into_iter().filter_map(Value::expression));
            }
            match scalars.get(index) {
                Some(Some(scalar)) => arguments.push(self.convert(value, *scalar, e.span)),
                Some(None) => arguments.push(Expression::Constant(0, self.int())),
                None => {}
            }
        }
        for (_, values) in places {
            arguments.extend(values.into_iter().filter_map(Value::expression));
        }
        Some((arguments, addresses))
    }

    /// May this address be given to this procedure?
    fn can_pass(&mut self, address: Address, has_body: bool, name: &str, span: Span) -> bool {
        let global = |v: VariableId| self.program.variable(v).kind == VariableKind::Global;
        let shared = match address {
            Address::Variable(id) => global(id),
            Address::Aggregate(index) => {
                self.aggregates[index as usize].leaves.iter().all(|leaf| global(*leaf))
            }
            _ => true,
        };
        if has_body && shared {
            return true;
        }
        match address {
            Address::Null | Address::Text => true,
            _ if has_body => {
                self.refuse_pointer(span, "this variable's address cannot be passed");
                false
            }
            _ => {
                self.refuse_pointer(span, &format!("`{name}` has no body and could write there"));
                false
            }
        }
    }

    fn call_through_name(&mut self, span: Span) -> Value {
        let message = are("function pointers").of_memory();
        self.diagnostics.error(span, message, "call the procedure by its name");
        Value::Poisoned
    }

    /// C: a procedure that neither the program nor the library declares.
    fn undeclared_call(&mut self, name: &Name, span: Span) {
        if self.names.find(&name.text).is_some() {
            self.call_through_name(span);
            return;
        }
        let procedures = self.signatures.keys().map(String::as_str);
        let message = format!("`{}` is declared nowhere, so nothing is known of it", name.text);
        let near = near(&name.text, procedures.chain(library_names())).map(str::to_string);
        // What only the typed front end's library has is no misspelt name.
        match near.filter(|_| !faultline_c::is_library(&name.text)) {
            Some(meant) => {
                let hint = format!("did you mean `{meant}`?");
                self.diagnostics.error(name.span, message, hint);
                self.diagnostics.offer(name.span, &name.text, meant);
            }
            None => {
                let hint = "declare it: without a body it does nothing and returns any value";
                let message = Message::of(Code::NotModelled, message);
                self.diagnostics.error(name.span, message, hint);
            }
        }
    }

    fn unknown_procedure(&mut self, name: &Name) {
        if self.diagnostics.full() {
            self.diagnostics.error(name.span, "unknown procedure", "");
            return;
        }
        let known = self.signatures.keys().map(String::as_str).chain([
            "nondet",
            "assert",
            "assume",
            "reach_error",
        ]);
        let hint = suggestion(&name.text, known).unwrap_or_else(|| {
            format!(
                "declare it: `int {}(…);` without a body does nothing and returns any value",
                name.text
            )
        });
        self.diagnostics.error(name.span, format!("unknown procedure `{}`", name.text), hint);
    }
}
