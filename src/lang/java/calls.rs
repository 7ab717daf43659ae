//! Calls, new objects and new arrays.

use super::build::{assign, binary, call, exactly, if_else, index, member, number, span_of, truth};
use super::expressions::Then;
use super::lower::{ELEMENTS, LENGTH};
use super::objects::Refused;
use super::writer::Writer;
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr as Shared, Statement, StatementKind as Kind};
use faultline_java::{ClassId, Expr, FieldId, MethodId, Type};

impl Writer<'_, '_> {
    /// A call; what may be thrown is looked at behind the statement.
    pub(super) fn call(
        &mut self,
        method: MethodId,
        receiver: Option<&Expr>,
        is_virtual: bool,
        arguments: &[Expr],
        (ty, span): (&Type, Span),
    ) -> Result<(Shared, Then), Refused> {
        let mut list: Vec<&Expr> = receiver.into_iter().collect();
        list.extend(arguments);
        let mut values = self.unwanted(|writer| writer.values(&list))?;
        match receiver {
            None => {
                self.initialise(self.l.program.methods[method.index()].class, span);
                Ok((call(self.l.name_of(method), values, span), Some((method, span))))
            }
            Some(receiver) => {
                let object = values.remove(0);
                self.call_on(method, (object, receiver), (is_virtual, values), (ty, span))
            }
        }
    }

    /// A call on an object whose value is known.
    pub(super) fn call_on(
        &mut self,
        method: MethodId,
        (object, of): (Shared, &Expr),
        (is_virtual, arguments): (bool, Vec<Shared>),
        (ty, span): (&Type, Span),
    ) -> Result<(Shared, Then), Refused> {
        let object = self.simple(object, &of.ty, span);
        self.check_null(&object, of, span, true);
        let with = |arguments: &[Shared]| {
            let mut all = vec![object.clone()];
            all.extend_from_slice(arguments);
            all
        };
        if !is_virtual {
            let made = call(self.l.name_of(method), with(&arguments), span);
            return Ok((made, Some((method, span))));
        }
        let class = match of.ty {
            Type::Class(class) => class,
            _ => self.l.program.methods[method.index()].class,
        };
        let can_be = self.l.classes_below(class);
        let mut targets: Vec<(MethodId, Vec<ClassId>)> = Vec::new();
        for (class, target) in &self.l.program.methods[method.index()].targets {
            if !can_be.contains(class) {
                continue;
            }
            match targets.iter_mut().find(|(known, _)| known == target) {
                Some((_, classes)) => classes.push(*class),
                None => targets.push((*target, vec![*class])),
            }
        }
        let Some((last, _)) = targets.pop() else {
            // There is no object: the reference is `null`.
            let no = truth(false, span);
            self.out.push(super::build::effect(call("__VERIFIER_assume", vec![no], span)));
            return Ok((number(0, false, span), None));
        };
        if targets.is_empty() {
            let made = call(self.l.name_of(last), with(&arguments), span);
            return Ok((made, Some((last, span))));
        }
        // The arguments are evaluated once.
        let mut kept = Vec::new();
        for (argument, k) in arguments.into_iter().zip(0..) {
            let callee = &self.l.program.methods[last.index()];
            let local = callee.parameters.get(k).map(|p| callee.locals[p.index()].ty.clone());
            kept.push(match local {
                Some(ty) => self.simple(argument, &ty, span),
                None => argument,
            });
        }
        let family = self.l.family(class).clone();
        let spelt = self.l.spelt(ty);
        let result = match ty {
            Type::Void => None,
            _ => Some(self.fresh(spelt, None, span)),
        };
        let write = |writer: &Self, target: MethodId| -> Statement {
            let made = call(writer.l.name_of(target), with(&kept), span);
            match &result {
                Some(result) => assign(result.clone(), made, span),
                None => super::build::effect(made),
            }
        };
        let mut chain = vec![write(self, last)];
        for (target, classes) in targets.iter().rev() {
            let test = self.l.is_one_of(&object, &family, classes);
            chain = vec![if_else(test, vec![write(self, *target)], chain, span)];
        }
        self.out.extend(chain);
        self.after_call(method, span);
        Ok((result.unwrap_or_else(|| number(0, false, span)), None))
    }

    /// Values inside of others: what their assignments store is asked for by themselves.
    fn unwanted<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.wanted, false);
        let made = write(self);
        self.wanted = outer;
        made
    }

    pub(super) fn new_object(
        &mut self,
        class: ClassId,
        presets: &[(FieldId, Expr)],
        (constructor, arguments): (Option<MethodId>, &[Expr]),
        span: Span,
    ) -> Result<Shared, Refused> {
        self.initialise(class, span);
        let mut list: Vec<&Expr> = presets.iter().map(|(_, e)| e).collect();
        list.extend(arguments);
        let mut values = self.unwanted(|writer| writer.values(&list))?;
        let made = self.allocated(class, span);
        let arguments = values.split_off(presets.len());
        for ((field, _), value) in presets.iter().zip(values) {
            let place = member(made.clone(), self.l.field_name(*field), span);
            self.out.push(assign(place, value, span));
        }
        if let Some(method) = constructor {
            let mut given = vec![made.clone()];
            given.extend(arguments);
            self.out.push(super::build::effect(call(self.l.name_of(method), given, span)));
            self.after_call(method, span);
        }
        Ok(made)
    }

    pub(super) fn new_array(
        &mut self,
        lengths: &[Expr],
        ty: &Type,
        span: Span,
    ) -> Result<Shared, Refused> {
        let list: Vec<&Expr> = lengths.iter().collect();
        let values = self.unwanted(|writer| writer.values(&list))?;
        let mut held = Vec::new();
        for (value, e) in values.into_iter().zip(lengths) {
            let at = span_of(e.span);
            let value = self.simple(value, &Type::Int, at);
            let is_constant = matches!(
                e.kind,
                faultline_java::ExprKind::Constant(faultline_java::Constant::Integer(0..))
            );
            if !is_constant {
                let least = binary(BinaryOp::GreaterEqual, value.clone(), number(0, false, at));
                self.require(least, "NegativeArraySizeException", at);
            }
            held.push(value);
        }
        Ok(self.array_of_arrays(&held, ty, span))
    }

    /// Arrays in an array, for the lengths that are given.
    fn array_of_arrays(&mut self, lengths: &[Shared], ty: &Type, span: Span) -> Shared {
        let made = self.new_array_object(ty, span);
        let Some((length, inner)) = lengths.split_first() else { return made };
        self.out.push(assign(member(made.clone(), LENGTH, span), length.clone(), span));
        let Type::Array(element) = ty else { return made };
        if inner.is_empty() {
            return made;
        }
        if let Some(known) = self.l.array(ty)
            && known.is_open
        {
            let room = number(i64::from(known.room), false, span);
            self.cut_off(binary(BinaryOp::Greater, length.clone(), room), span);
        }
        let zero = number(0, false, span);
        let k = self.fresh(self.l.spelt(&Type::Int), Some(zero), span);
        let row = self.apart(|writer| {
            let row = writer.array_of_arrays(inner, element, span);
            let place = index(member(made.clone(), ELEMENTS, span), k.clone(), span);
            writer.out.push(assign(place, row, span));
            let next = binary(BinaryOp::Add, k.clone(), number(1, false, span));
            writer.out.push(assign(k.clone(), next, span));
            Ok(())
        });
        if let Ok((body, ())) = row {
            let condition = binary(BinaryOp::Less, k, length.clone());
            let body = Box::new(super::build::block(body, span));
            let kind = Kind::While { condition, body };
            self.out.push(super::build::statement(kind, span));
        }
        made
    }

    pub(super) fn array_of(
        &mut self,
        list: &[Expr],
        ty: &Type,
        span: Span,
    ) -> Result<Shared, Refused> {
        let made = self.new_array_object(ty, span);
        let length = number(list.len() as i64, false, span);
        self.out.push(assign(member(made.clone(), LENGTH, span), length, span));
        let room = self.l.array(ty).map_or(0, |array| array.room as usize);
        for (k, e) in list.iter().enumerate() {
            let at = span_of(e.span);
            let value = self.unwanted(|writer| writer.value(e))?;
            if k >= room {
                self.cut_off(truth(true, at), at);
                continue;
            }
            let place = member(made.clone(), ELEMENTS, at);
            let place = index(place, number(k as i64, false, at), at);
            self.out.push(assign(place, value, at));
        }
        Ok(made)
    }

    /// `values()`
    pub(super) fn constants(
        &mut self,
        class: ClassId,
        ty: &Type,
        span: Span,
    ) -> Result<Shared, Refused> {
        self.initialise(class, span);
        let made = self.new_array_object(ty, span);
        let constants = self.l.program.classes[class.index()].constants.as_ref();
        let count = constants.map_or(0, Vec::len);
        let length = number(count as i64, false, span);
        self.out.push(assign(member(made.clone(), LENGTH, span), length, span));
        let room = self.l.array(ty).map_or(0, |array| array.room as usize);
        let element = self.l.spelt(&Type::Class(class)).0;
        for k in 0..count {
            if k >= room {
                self.cut_off(truth(true, span), span);
                break;
            }
            let place = member(made.clone(), ELEMENTS, span);
            let place = index(place, number(k as i64, false, span), span);
            self.out.push(assign(place, exactly(k as u64 + 1, element, span), span));
        }
        Ok(made)
    }
}
