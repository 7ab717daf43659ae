//! Pointers to procedures: a number for each procedure whose address is taken; a call through one
//! chooses among the calls of these procedures.

use super::build::{binary, cast, checked, conditional, expr, held, name, number, zero};
use super::expressions::has_effects;
use super::layout::Object;
use super::lowerer::{Lowered, Lowerer, Through, refuse};
use super::regions::RegionId;
use super::types::Type;
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, TypeName};

/// Most procedures that one call may lead to.
const MOST_TARGETS: usize = 32;

impl Lowerer<'_> {
    /// A procedure's name as a value: a pointer to it.
    pub(super) fn procedure(&mut self, text: &str, span: Span) -> Lowered<(Expr, Type)> {
        let known = self.signatures.get(text).cloned();
        let (Some(signature), Some((key, region))) = (known, self.procedures.get(text).copied())
        else {
            return refuse(span, format!("the value of `{text}`"));
        };
        let ty = Type::Procedure(Box::new(signature.result));
        self.regions.hold(region, &ty);
        let object = Object::single(region, text, span);
        self.objects.entry(key).or_insert(object);
        Ok((self.first_slot(key, region, span), Type::Pointer(Box::new(ty), region)))
    }

    /// Does the program itself define this procedure?
    pub(super) fn is_written(&self, text: &str) -> bool {
        self.written.contains(text)
    }

    pub(super) fn is_defined(&self, text: &str) -> bool {
        use crate::lang::syntax::Item;
        self.file.items.iter().any(
            |item| matches!(item, Item::Function(f) if f.name.text == text && f.body.is_some()),
        )
    }

    /// Is it a procedure, or a pointer to one?
    pub(super) fn names_procedure(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(name) if self.find(name).is_none() => self.signatures.contains_key(name),
            ExprKind::Indirect(inner) => self.names_procedure(inner),
            _ => match self.static_type(e) {
                Some(Type::Pointer(to, _)) => matches!(*to, Type::Procedure(_)),
                _ => false,
            },
        }
    }

    /// The procedures that pointers of a region can point to: slot and name.
    fn targets(&self, region: RegionId) -> Vec<(u32, String)> {
        let root = self.regions.find(region);
        self.objects
            .iter()
            .filter(|(_, object)| self.regions.find(object.region) == root)
            .map(|(key, object)| (*key, object.name.clone()))
            .collect()
    }

    /// `(*p)(arguments)`
    pub(super) fn call_through(
        &mut self,
        pointer: &Expr,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let (value, ty) = self.value(pointer)?;
        let Type::Pointer(to, region) = ty else { return refuse(span, "this call") };
        let Type::Procedure(result) = *to else {
            return refuse(span, "a call through a pointer to something else");
        };
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(match self.is_zero(argument) {
                true => (argument.clone(), Type::Null),
                false => self.value(argument)?,
            });
        }
        if self.layout.is_none() {
            self.through.push(Through {
                owner: self.owner.clone(),
                region,
                arguments: given.iter().map(|(_, ty)| ty.clone()).collect(),
                result: (*result).clone(),
                span,
            });
            return Ok((value, *result));
        }
        let targets = self.targets(region);
        let k = self.held();
        let what = self.text(pointer.span);
        let (pointer_type, invalid) = match self.room(region) {
            Some(room) if room.cell.is_none() => (room.pointer(), room.invalid()),
            Some(_) => return refuse(span, "a call through a number"),
            None => return refuse(span, "this call"),
        };
        let differs =
            |n: u64| binary(BinaryOp::NotEqual, held(k, span), number(n, pointer_type, span));
        let conditions = vec![
            (differs(0), Fault::new(FaultKind::Null, &what)),
            (differs(invalid), Fault::new(FaultKind::NoValue, &what)),
        ];
        let mut chosen: Option<Expr> = None;
        for (key, target) in targets.iter().rev() {
            let call = self.called(target, &given, span)?;
            let slot = self.placed(*key).map_or(0, |placed| u64::from(placed.first));
            chosen = Some(match chosen {
                None => call,
                Some(others) => {
                    let is =
                        binary(BinaryOp::Equal, held(k, span), number(slot, pointer_type, span));
                    conditional(is, call, others)
                }
            });
        }
        let nothing = || match &*result {
            Type::Void => cast(TypeName::Void, zero(span)),
            _ => zero(span),
        };
        let call = checked(vec![(k, value)], conditions, chosen.unwrap_or_else(nothing), span);
        match &*result {
            Type::Pointer(..) => {
                let name = self.written_type(&result);
                Ok((cast(name, call), *result))
            }
            Type::Struct(_) => refuse(span, "a struct as a result"),
            _ => Ok((call, *result)),
        }
    }

    fn called(&mut self, target: &str, given: &[(Expr, Type)], span: Span) -> Lowered<Expr> {
        let Some(signature) = self.signatures.get(target).cloned() else {
            return refuse(span, "this call");
        };
        let mut arguments = Vec::with_capacity(given.len());
        if (0..given.len()).any(|k| self.by_bytes.contains_key(&(target.to_string(), k))) {
            return refuse(span, "a union as an argument of a call through a pointer");
        }
        for ((value, from), to) in given.iter().zip(&signature.parameters) {
            arguments.push(self.fitted(value.clone(), from, to, span)?);
        }
        // What is not given has any value.
        for to in signature.parameters.iter().skip(given.len()) {
            let Type::Scalar(to) = to else {
                return refuse(span, "a call through a pointer without a pointer that is expected");
            };
            let any = name("__VERIFIER_nondet_ulong", span);
            arguments.push(cast(*to, expr(ExprKind::Call(any, Vec::new()), span)));
        }
        // What is given to `int f() { … }` has no name there.
        let mut rest = given.iter().skip(signature.parameters.len());
        if rest.any(|(value, _)| has_effects(value)) {
            return refuse(span, "a call through a pointer with one argument too many");
        }
        Ok(expr(ExprKind::Call(name(target, span), arguments), span))
    }

    /// After the first pass: arguments and results of calls through pointers meet those of the
    /// procedures that may be called.
    pub(super) fn join_calls(&mut self) -> Lowered<()> {
        let calls = std::mem::take(&mut self.through);
        let mut rounds = 0;
        loop {
            let before = self.regions.roots().count();
            for call in &calls {
                let targets = self.targets(call.region);
                if targets.len() > MOST_TARGETS {
                    return refuse(call.span, "a call that may lead to too many procedures");
                }
                for (_, target) in targets {
                    self.join_call(call, &target)?;
                }
            }
            rounds += 1;
            if self.regions.roots().count() == before || rounds > 64 {
                return Ok(());
            }
        }
    }

    fn join_call(&mut self, call: &Through, target: &str) -> Lowered<()> {
        let Some(signature) = self.signatures.get(target).cloned() else {
            return refuse(call.span, "this call");
        };
        self.calls.entry(call.owner.clone()).or_default().insert(target.to_string());
        let takes_any = signature.parameters.is_empty();
        if signature.parameters.len() < call.arguments.len() && !takes_any {
            return refuse(call.span, "a call through a pointer with too many arguments");
        }
        if !signature.has_body && call.arguments.iter().any(Type::is_pointer) {
            return refuse(call.span, "a pointer that a procedure without a body is given");
        }
        let results = (&call.result, &signature.result);
        let pairs = call.arguments.iter().zip(&signature.parameters).chain([results]);
        for (given, wanted) in pairs {
            let fits = match (given, wanted) {
                (Type::Scalar(_), Type::Scalar(_)) | (Type::Void, Type::Void) => true,
                (Type::Null, Type::Scalar(_)) => true,
                (Type::Void, _) | (_, Type::Void) => false,
                (one, other) => self.regions.unify(one, other),
            };
            if !fits {
                return refuse(call.span, "a call through a pointer with other types");
            }
        }
        Ok(())
    }
}
