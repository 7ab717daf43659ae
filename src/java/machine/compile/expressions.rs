//! Expressions.

use super::super::code::Op;
use super::super::value::{Kind, NULL, Value};
use super::Compiler;
use crate::mistake::{Read, not_read};
use crate::typed::{Binary, Constant, Expr, ExprKind, FieldId, MethodId, Statement, Type, Unary};

impl<'p> Compiler<'p> {
    /// An expression of which only the effects matter.
    pub(super) fn effect(&mut self, e: &'p Expr) -> Read<()> {
        match &e.kind {
            ExprKind::Assign(place, value) => self.assign(place, value, false),
            ExprKind::Update { .. } => self.update(e, false),
            ExprKind::Sequence(list) => list.iter().try_for_each(|e| self.effect(e)),
            _ => {
                self.value(e)?;
                if e.ty != Type::Void {
                    self.emit(Op::Drop);
                }
                Ok(())
            }
        }
    }

    /// An expression whose value is left on the stack.
    pub(super) fn value(&mut self, e: &'p Expr) -> Read<()> {
        self.in_bounds(e.span)?;
        match &e.kind {
            ExprKind::Constant(constant) => {
                let value = constant_value(*constant, &e.ty);
                self.emit(Op::Constant(value));
            }
            ExprKind::Null => {
                self.emit(Op::Constant(NULL));
            }
            ExprKind::Text(text) => {
                let text = self.text(text);
                self.emit(Op::Text(text));
            }
            ExprKind::Texted(parts) => {
                parts.iter().try_for_each(|part| self.shown(part))?;
                self.emit(Op::Join(parts.len() as u32));
            }
            ExprKind::Shown(inner, method) => self.text_of(inner, *method)?,
            ExprKind::This => {
                self.emit(Op::Load(0));
            }
            ExprKind::Local(local) => {
                self.emit(Op::Load(self.slot(*local)));
            }
            ExprKind::Static(field) => {
                self.use_class(self.program.fields[field.index()].class);
                self.emit(Op::Static(*field));
            }
            ExprKind::Enumerated(class, number) => {
                self.use_class(*class);
                self.emit(Op::Enumerated(*class, number - 1));
            }
            ExprKind::Field(object, field) => {
                self.value(object)?;
                self.emit(Op::Field(self.place(*field)));
            }
            ExprKind::Length(array) => {
                self.value(array)?;
                self.emit(Op::Length);
            }
            ExprKind::Index(array, index) => {
                self.value(array)?;
                self.value(index)?;
                self.emit(Op::Element);
            }
            ExprKind::Call { method, receiver, is_virtual, arguments } => {
                self.call(*method, receiver.as_deref(), *is_virtual, arguments)?;
            }
            ExprKind::New { class, presets, constructor, arguments } => {
                self.use_class(*class);
                self.emit(Op::New(*class));
                for (field, value) in presets {
                    self.emit(Op::Copy(0));
                    self.value(value)?;
                    self.emit(Op::SetField(self.place(*field)));
                }
                match constructor {
                    Some(constructor) => {
                        self.emit(Op::Copy(0));
                        arguments.iter().try_for_each(|e| self.value(e))?;
                        self.emit(Op::Call(*constructor));
                    }
                    None => arguments.iter().try_for_each(|e| self.effect(e))?,
                }
            }
            ExprKind::NewArray(lengths) => {
                lengths.iter().try_for_each(|e| self.value(e))?;
                let ty = self.type_id(&e.ty);
                self.emit(Op::NewArray(ty, lengths.len() as u32));
            }
            ExprKind::ArrayOf(values) => self.array_of(values, &e.ty)?,
            ExprKind::Constants(class) => {
                self.use_class(*class);
                let ty = self.type_id(&e.ty);
                self.emit(Op::Constants(*class, ty));
            }
            ExprKind::Unary(operator, inner) => {
                self.value(inner)?;
                match operator {
                    Unary::Plus => {}
                    Unary::Minus => drop(self.emit(Op::Negate)),
                    Unary::Tilde => drop(self.emit(Op::Complement)),
                    Unary::Not => drop(self.emit(Op::Not)),
                }
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            ExprKind::Assign(place, value) => self.assign(place, value, true)?,
            ExprKind::Update { .. } => self.update(e, true)?,
            ExprKind::Conditional(parts) => {
                let no = self.unless(&parts[0])?;
                self.value(&parts[1])?;
                let end = self.jump(Op::Jump);
                self.land(no);
                self.value(&parts[2])?;
                self.land(end);
            }
            ExprKind::Convert(inner) => {
                self.value(inner)?;
                self.emit(Op::Convert(Kind::of(&e.ty)));
            }
            ExprKind::Cast(inner) => {
                self.value(inner)?;
                let ty = self.type_id(&e.ty);
                self.emit(Op::Cast(ty));
            }
            ExprKind::InstanceOf(inner, ty) => {
                self.value(inner)?;
                let ty = self.type_id(ty);
                self.emit(Op::InstanceOf(ty));
            }
            ExprKind::Ordinal(inner) => {
                self.value(inner)?;
                self.emit(Op::Ordinal);
            }
            ExprKind::Exit(status) => {
                self.value(status)?;
                self.emit(Op::Exit);
            }
            ExprKind::Sequence(list) => self.sequence(list)?,
            ExprKind::Position(inner, texts) => {
                self.value(inner)?;
                let list = texts.iter().map(|text| text.encode_utf16().collect()).collect();
                self.code.lists.push(list);
                self.emit(Op::Position((self.code.lists.len() - 1) as u32));
            }
            ExprKind::After(statements, value) => self.after(statements, value)?,
            ExprKind::Open | ExprKind::MayFail | ExprKind::Assume(_) => {
                return not_read(e.span, "a value that is open");
            }
            ExprKind::Output(_) => return not_read(e.span, "this output"),
        }
        Ok(())
    }

    fn place(&self, field: FieldId) -> u32 {
        self.places[field.index()]
    }

    fn sequence(&mut self, list: &'p [Expr]) -> Read<()> {
        let Some((last, first)) = list.split_last() else { return Ok(()) };
        first.iter().try_for_each(|e| self.effect(e))?;
        self.value(last)
    }

    fn after(&mut self, statements: &'p [Statement], value: &'p Expr) -> Read<()> {
        self.inside_value += 1;
        let done = self.statements(statements);
        self.inside_value -= 1;
        done?;
        self.value(value)
    }

    /// What `toString` says of an object.
    fn text_of(&mut self, object: &'p Expr, method: MethodId) -> Read<()> {
        self.value(object)?;
        self.emit(Op::Copy(0));
        self.emit(Op::Constant(NULL));
        self.emit(Op::Binary(Binary::Equal));
        let is_null = self.jump(Op::JumpIfTrue);
        self.emit(Op::Virtual(method, 0));
        self.land(is_null);
        self.emit(Op::Show(Kind::Reference));
        Ok(())
    }

    fn array_of(&mut self, values: &'p [Expr], ty: &Type) -> Read<()> {
        let id = self.type_id(ty);
        let length = values.len() as i32;
        // Long lists are filled element by element, so that the stack stays small.
        self.emit(Op::Constant(Value::Int(length)));
        self.emit(Op::NewArray(id, 1));
        for (k, value) in values.iter().enumerate() {
            self.emit(Op::Copy(0));
            self.emit(Op::Constant(Value::Int(k as i32)));
            self.value(value)?;
            self.emit(Op::SetElement);
        }
        Ok(())
    }

    fn call(
        &mut self,
        method: MethodId,
        receiver: Option<&'p Expr>,
        is_virtual: bool,
        arguments: &'p [Expr],
    ) -> Read<()> {
        if let Some(receiver) = receiver {
            self.value(receiver)?;
        }
        arguments.iter().try_for_each(|e| self.value(e))?;
        let called = &self.program.methods[method.index()];
        if called.is_static {
            self.use_class(called.class);
        }
        self.emit(match is_virtual {
            true => Op::Virtual(method, arguments.len() as u32),
            false => Op::Call(method),
        });
        Ok(())
    }

    fn binary(&mut self, operator: Binary, left: &'p Expr, right: &'p Expr) -> Read<()> {
        self.value(left)?;
        let is_and = match operator {
            Binary::AndThen => true,
            Binary::OrElse => false,
            _ => {
                self.value(right)?;
                self.emit(Op::Binary(operator));
                return Ok(());
            }
        };
        self.emit(Op::Copy(0));
        let end = self.jump(if is_and { Op::JumpIfFalse } else { Op::JumpIfTrue });
        self.emit(Op::Drop);
        self.value(right)?;
        self.land(end);
        Ok(())
    }

    /// The parts of a place; how many values they leave.
    fn place_parts(&mut self, place: &'p Expr) -> Read<u32> {
        match &place.kind {
            ExprKind::Field(object, _) => {
                self.value(object)?;
                Ok(1)
            }
            ExprKind::Index(array, index) => {
                self.value(array)?;
                self.value(index)?;
                Ok(2)
            }
            ExprKind::Static(field) => {
                self.use_class(self.program.fields[field.index()].class);
                Ok(0)
            }
            _ => Ok(0),
        }
    }

    fn load_place(&mut self, place: &'p Expr) {
        let op = match &place.kind {
            ExprKind::Local(local) => Op::Load(self.slot(*local)),
            ExprKind::Static(field) => Op::Static(*field),
            ExprKind::Field(_, field) => Op::Field(self.place(*field)),
            _ => Op::Element,
        };
        self.emit(op);
    }

    fn store_place(&mut self, place: &'p Expr) {
        let op = match &place.kind {
            ExprKind::Local(local) => Op::Store(self.slot(*local)),
            ExprKind::Static(field) => Op::SetStatic(*field),
            ExprKind::Field(_, field) => Op::SetField(self.place(*field)),
            _ => Op::SetElement,
        };
        self.emit(op);
    }

    /// Keeps the top as the value of the expression, below the parts of the place.
    fn keep(&mut self, parts: u32) {
        self.emit(Op::Copy(0));
        if parts > 0 {
            self.emit(Op::Bury(parts + 1));
        }
    }

    fn assign(&mut self, place: &'p Expr, value: &'p Expr, is_used: bool) -> Read<()> {
        let parts = self.place_parts(place)?;
        self.value(value)?;
        if is_used {
            self.keep(parts);
        }
        self.store_place(place);
        Ok(())
    }

    fn update(&mut self, e: &'p Expr, is_used: bool) -> Read<()> {
        let ExprKind::Update { operator, ty, place, value, is_old } = &e.kind else {
            return Ok(());
        };
        let parts = self.place_parts(place)?;
        for _ in 0..parts {
            self.emit(Op::Copy(parts - 1));
        }
        self.load_place(place);
        if is_used && *is_old {
            self.keep(parts);
        }
        match ty {
            Type::String => {
                self.emit(Op::Show(Kind::Reference));
                self.shown(value)?;
                self.emit(Op::Join(2));
            }
            _ => {
                if place.ty != *ty {
                    self.emit(Op::Convert(Kind::of(ty)));
                }
                self.value(value)?;
                self.emit(Op::Binary(*operator));
                if place.ty != *ty {
                    self.emit(Op::Convert(Kind::of(&place.ty)));
                }
            }
        }
        if is_used && !*is_old {
            self.keep(parts);
        }
        self.store_place(place);
        Ok(())
    }
}

fn constant_value(constant: Constant, ty: &Type) -> Value {
    match (constant, ty) {
        (Constant::Integer(n), Type::Long) => Value::Long(n),
        (Constant::Integer(n), Type::Float) => Value::Float(n as f32),
        (Constant::Integer(n), Type::Double) => Value::Double(n as f64),
        (Constant::Integer(n), _) => Value::Int(n as i32),
        (Constant::Floating(x), Type::Float) => Value::Float(x as f32),
        (Constant::Floating(x), _) => Value::Double(x),
        (Constant::Truth(truth), _) => truth.into(),
    }
}
