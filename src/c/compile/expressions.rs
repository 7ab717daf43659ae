//! Code of expressions: `value` leaves the value of one, `place` the address of one.

use super::{Compiler, Home, Reached, Result, Verifier, named_procedure, number};
use crate::code::{Number, Op, Step};
use crate::mistake::{Mistake, MistakeKind};
use crate::tree::{Binary, Expr, ExprKind, ProcedureId, Unary, VariableId};
use crate::types::{Integer, Length, Record, Type};

impl Compiler<'_> {
    /// Evaluates for its effects alone.
    pub(super) fn effects(&mut self, e: &Expr) -> Result<()> {
        match &e.kind {
            ExprKind::Step(up, _, place) => {
                // The old value is not needed.
                self.step(*up, true, place)?;
            }
            _ => {
                self.value(e)?;
                self.touch(e);
            }
        }
        if e.ty != Type::Void {
            self.emit(Op::Drop);
        }
        Ok(())
    }

    /// The value of a struct is an address: that nobody uses it is no reason that nothing need
    /// stand there (C11 6.3.2.1).
    fn touch(&mut self, e: &Expr) {
        if matches!(e.ty, Type::Record(_))
            && matches!(e.kind, ExprKind::Indirect(_) | ExprKind::Member(..))
            && let Some(size @ 1..) = e.ty.size(&self.tree.records)
        {
            self.emit(Op::Double);
            self.emit(Op::Copy(size));
        }
    }

    /// Leaves the value; of a struct the address of one; of `void` nothing.
    pub(super) fn value(&mut self, e: &Expr) -> Result<()> {
        match &e.kind {
            ExprKind::Integer(value) => {
                self.emit(Op::Constant(*value));
            }
            ExprKind::Floating(value) => {
                let bits = match e.ty {
                    Type::Float => u64::from((*value as f32).to_bits()),
                    _ => value.to_bits(),
                };
                self.emit(Op::Constant(bits));
            }
            ExprKind::Variable(id) => self.variable(*id, e)?,
            ExprKind::Text(_)
            | ExprKind::Indirect(_)
            | ExprKind::Member(..)
            | ExprKind::Literal(..) => {
                self.place(e)?;
                self.load(e);
            }
            ExprKind::Procedure(id) => self.procedure_address(*id, e)?,
            ExprKind::Address(inner) => match &inner.kind {
                ExprKind::Procedure(id) => self.procedure_address(*id, e)?,
                // `f` through a pointer: the pointer itself.
                ExprKind::Indirect(pointer) if matches!(inner.ty, Type::Procedure(_)) => {
                    self.value(pointer)?
                }
                // `&a[n]`: the place behind the last element is none, but has an address.
                ExprKind::Indirect(pointer) => self.value(pointer)?,
                _ => self.place(inner)?,
            },
            ExprKind::Convert(inner) => {
                self.value(inner)?;
                match (number(&inner.ty), number(&e.ty)) {
                    (Some(from), Some(to)) if from != to => {
                        self.emit(Op::Convert(from, to));
                    }
                    (Some(_), None) => {
                        self.emit(Op::Drop);
                    }
                    (None, None) if e.ty == Type::Void && inner.ty != Type::Void => {
                        self.touch(inner);
                        self.emit(Op::Drop);
                    }
                    _ => {}
                }
            }
            ExprKind::Unary(operator, inner) => {
                self.value(inner)?;
                let Some(kind) = number(&inner.ty) else { return Ok(()) };
                self.emit(match (operator, kind) {
                    (Unary::Minus, kind) => Op::Negate(kind),
                    (Unary::Complement, Number::Integer(integer)) => Op::Complement(integer),
                    (_, kind) => Op::Not(kind),
                });
            }
            ExprKind::Binary(operator, left, right) => {
                self.value(left)?;
                self.value(right)?;
                if let Some(kind) = number(&left.ty) {
                    self.emit(Op::Binary(*operator, kind));
                }
            }
            ExprKind::PointerAdd(pointer, count) => {
                self.value(pointer)?;
                self.value(count)?;
                self.element(&e.ty, e)?;
            }
            ExprKind::PointerDifference(left, right) => {
                self.value(left)?;
                self.value(right)?;
                let target = left.ty.target().cloned().unwrap_or(Type::Void);
                let size = self.size(&target, e.span)?;
                self.emit(Op::Difference(size.max(1)));
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let and = matches!(e.kind, ExprKind::And(..));
                self.truth(left)?;
                self.emit(Op::Double);
                let jump = self.emit(if and { Op::JumpIfZero(0) } else { Op::JumpIfNot(0) });
                self.emit(Op::Drop);
                self.truth(right)?;
                self.aim(jump);
            }
            ExprKind::Conditional(parts) => {
                self.truth(&parts[0])?;
                let otherwise = self.emit(Op::JumpIfZero(0));
                self.value(&parts[1])?;
                let end = self.emit(Op::Jump(0));
                self.aim(otherwise);
                self.value(&parts[2])?;
                self.aim(end);
            }
            ExprKind::Assign(place, value) => self.assign(place, value)?,
            ExprKind::AssignWith(operator, place, value, computed) => {
                self.assign_with(*operator, place, value, computed.as_ref())?
            }
            ExprKind::Step(up, before, place) => self.step(*up, *before, place)?,
            ExprKind::Call(callee, arguments) => self.call(e, callee, arguments)?,
            ExprKind::Comma(left, right) => {
                self.effects(left)?;
                self.value(right)?;
            }
            ExprKind::Statements(list, value) => {
                for statement in list {
                    self.statement(statement)?;
                }
                if let Some(value) = value {
                    self.value(value)?;
                }
            }
            ExprKind::SizeOf(ty) => self.push_size(ty, e.span)?,
            ExprKind::VariableArguments(list) => {
                self.place(list)?;
                self.emit(Op::VariableArguments);
            }
            ExprKind::NextArgument(list) => {
                self.place(list)?;
                self.emit(Op::NextArgument);
                if let Some(Number::Integer(integer)) = number(&e.ty) {
                    self.emit(Op::Convert(
                        Number::Integer(Integer::UnsignedLong),
                        Number::Integer(integer),
                    ));
                }
            }
            ExprKind::Assert(condition) => {
                self.truth(condition)?;
                self.emit(Op::Assert);
            }
        }
        Ok(())
    }

    /// Leaves 0 or another number.
    pub(super) fn truth(&mut self, e: &Expr) -> Result<()> {
        self.value(e)?;
        if let Some(kind) = number(&e.ty) {
            self.emit(Op::Truth(kind));
        }
        Ok(())
    }

    fn variable(&mut self, id: VariableId, e: &Expr) -> Result<()> {
        if let Some(Home::Slot(slot)) = self.homes.get(&id).copied() {
            self.emit(Op::Slot(slot, id));
            return Ok(());
        }
        self.place(e)?;
        self.load(e);
        Ok(())
    }

    /// What an address on the stack leads to.
    fn load(&mut self, e: &Expr) {
        let Some(kind) = number(&e.ty) else { return };
        match (&e.kind, kind) {
            (ExprKind::Member(_, _, Some((first, width))), Number::Integer(integer)) => {
                self.emit(Op::LoadBits(integer, *first, *width))
            }
            _ => self.emit(Op::Load(kind)),
        };
    }

    /// Leaves the address of a place. A struct that a procedure returns has one, too.
    pub(super) fn place(&mut self, e: &Expr) -> Result<()> {
        match &e.kind {
            ExprKind::Variable(id) => {
                let Some(home) = self.homes.get(id).copied() else {
                    let kind = MistakeKind::NotExecuted("a variable of another procedure".into());
                    return Err(Mistake::new(kind, e.span));
                };
                self.address_of(home);
            }
            ExprKind::Text(id) => {
                self.emit(Op::Text(*id));
            }
            ExprKind::Indirect(pointer) => match array_element(pointer, &self.tree.records) {
                Some((index, length)) if !self.library => {
                    let ExprKind::PointerAdd(base, _) = &pointer.kind else { return Ok(()) };
                    self.value(base)?;
                    self.value(index)?;
                    self.emit(Op::Index(length));
                    self.element(&pointer.ty, pointer)?;
                }
                _ => self.value(pointer)?,
            },
            ExprKind::Member(base, offset, _) => {
                self.place(base)?;
                self.offset(*offset);
            }
            ExprKind::Literal(id, list) => {
                let home = self.homes[id];
                if let Home::Object(slot) = home {
                    if let Some(block) =
                        self.blocks.last_mut().filter(|b| !b.contains(&(slot, *id)))
                    {
                        block.push((slot, *id));
                    }
                    self.emit(Op::Zero(slot));
                }
                self.initial_values(home, list)?;
                self.address_of(home);
            }
            // A struct that is no place: its value is an address.
            _ => self.value(e)?,
        }
        Ok(())
    }

    fn procedure_address(&mut self, id: crate::tree::ProcedureId, e: &Expr) -> Result<()> {
        let id = match self.reached[id.index()] {
            Reached::Code(id) => id,
            Reached::Native(_) => id,
            Reached::Verifier(_) | Reached::Nobody => {
                let name = self.tree.procedures[id.index()].name.clone();
                return Err(Mistake::new(MistakeKind::NoBody(name), e.span));
            }
        };
        self.emit(Op::Procedure(id));
        Ok(())
    }

    /// `address, n` become the address of the n-th element.
    fn element(&mut self, pointer: &Type, e: &Expr) -> Result<()> {
        let target = pointer.target().cloned().unwrap_or(Type::Void);
        if target.is_variable() {
            self.push_size(&target, e.span)?;
            self.emit(Op::ElementOf);
        } else {
            let size = self.size(&target, e.span)?;
            self.emit(Op::Element(size));
        }
        Ok(())
    }

    fn slot_of(&self, place: &Expr) -> Option<(u32, VariableId)> {
        match place.kind {
            ExprKind::Variable(id) => match self.homes.get(&id) {
                Some(Home::Slot(slot)) => Some((*slot, id)),
                _ => None,
            },
            _ => None,
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Result<()> {
        if let Some((slot, _)) = self.slot_of(place) {
            self.value(value)?;
            self.emit(Op::SetSlot(slot));
            return Ok(());
        }
        self.place(place)?;
        self.value(value)?;
        self.store(place)
    }

    fn store(&mut self, place: &Expr) -> Result<()> {
        match (number(&place.ty), &place.kind) {
            (Some(Number::Integer(integer)), ExprKind::Member(_, _, Some((first, width)))) => {
                self.emit(Op::StoreBits(integer, *first, *width));
            }
            (Some(kind), _) => {
                self.emit(Op::Store(kind));
            }
            (None, _) => {
                let size = self.size(&place.ty, place.span)?;
                self.emit(Op::Copy(size));
            }
        }
        Ok(())
    }

    fn assign_with(
        &mut self,
        operator: Binary,
        place: &Expr,
        value: &Expr,
        computed: Option<&Type>,
    ) -> Result<()> {
        let slot = self.slot_of(place);
        match slot {
            Some((slot, id)) => {
                self.emit(Op::Slot(slot, id));
            }
            None => {
                self.place(place)?;
                self.emit(Op::Double);
                self.load(place);
            }
        }
        match computed.and_then(number) {
            Some(kind) => {
                let own = number(&place.ty).unwrap_or(kind);
                if own != kind {
                    self.emit(Op::Convert(own, kind));
                }
                self.value(value)?;
                self.emit(Op::Binary(operator, kind));
                if own != kind {
                    self.emit(Op::Convert(kind, own));
                }
            }
            None => {
                self.value(value)?;
                if operator == Binary::Subtract {
                    self.emit(Op::Negate(Number::Integer(Integer::Long)));
                }
                self.element(&place.ty, place)?;
            }
        }
        match slot {
            Some((slot, _)) => {
                self.emit(Op::SetSlot(slot));
                Ok(())
            }
            None => self.store(place),
        }
    }

    fn step(&mut self, up: bool, before: bool, place: &Expr) -> Result<()> {
        let kind = number(&place.ty).unwrap_or(Number::Pointer);
        if matches!(place.kind, ExprKind::Member(_, _, Some(_))) {
            return self.step_bits(up, before, place);
        }
        let size = match place.ty.target() {
            Some(target) => self.size(target, place.span)? as i64,
            None => 1,
        };
        let step = Step { number: kind, delta: if up { size } else { -size }, before };
        if let Some((slot, id)) = self.slot_of(place) {
            self.emit(Op::StepSlot(slot, step, id));
        } else {
            self.place(place)?;
            self.emit(Op::StepPlace(step));
        }
        Ok(())
    }

    /// Of a bit-field: read, compute, write. The old value is the new one taken back.
    fn step_bits(&mut self, up: bool, before: bool, place: &Expr) -> Result<()> {
        let (ExprKind::Member(_, _, Some((_, width))), Some(integer)) =
            (&place.kind, place.ty.integer())
        else {
            return Ok(());
        };
        let computed = if *width < 32 { Integer::Int } else { integer };
        let one = Expr::new(ExprKind::Integer(1), Type::Integer(computed), place.span);
        let (there, back) =
            if up { (Binary::Add, Binary::Subtract) } else { (Binary::Subtract, Binary::Add) };
        self.assign_with(there, place, &one, Some(&Type::Integer(computed)))?;
        if before {
            return Ok(());
        }
        let wide = if integer.signed() { Integer::Long } else { Integer::UnsignedLong };
        self.emit(Op::Constant(1));
        self.emit(Op::Binary(back, Number::Integer(Integer::UnsignedLong)));
        // As wide as the field again: it may have gone round.
        for shift in [Binary::ShiftLeft, Binary::ShiftRight] {
            self.emit(Op::Constant(64 - u64::from(*width)));
            self.emit(Op::Binary(shift, Number::Integer(wide)));
        }
        Ok(())
    }

    /// A call of one of the verifiers' names.
    fn verifier(
        &mut self,
        verifier: Verifier,
        named: Option<ProcedureId>,
        e: &Expr,
        arguments: &[Expr],
    ) -> Result<()> {
        if verifier == Verifier::Choose {
            match number(&e.ty) {
                Some(Number::Pointer) | None if e.ty != Type::Void => {
                    let kind =
                        MistakeKind::NotExecuted("a pointer or a struct of any value".into());
                    return Err(Mistake::new(kind, e.span));
                }
                Some(number) => {
                    // Who reads a run knows none of the library's own names.
                    self.emit(Op::Choose(number, named.filter(|_| !self.library)));
                }
                None => {}
            }
            return Ok(());
        }
        if verifier == Verifier::Nothing {
            for argument in arguments {
                self.effects(argument)?;
            }
            if e.ty != Type::Void {
                self.emit(Op::Constant(0));
            }
            return Ok(());
        }
        match arguments.first() {
            Some(condition) if verifier != Verifier::Error => self.truth(condition)?,
            _ => {
                self.emit(Op::Constant(0));
            }
        }
        self.emit(if verifier == Verifier::Assume { Op::Assume } else { Op::Assert });
        if e.ty != Type::Void {
            self.emit(Op::Constant(0));
        }
        Ok(())
    }

    /// A call of what is declared as `f()` may give other arguments than the definition takes. Of
    /// one that is missing and used nobody knows the value.
    fn arguments_fit(&self, id: ProcedureId, e: &Expr, arguments: &[Expr]) -> Result<()> {
        let procedure = &self.tree.procedures[id.index()];
        if procedure.signature.variadic {
            return Ok(());
        }
        let refused =
            |what: &str| Err(Mistake::new(MistakeKind::NotExecuted(what.to_string()), e.span));
        for (k, id) in procedure.parameters.iter().enumerate() {
            let variable = &self.tree.variables[id.index()];
            match arguments.get(k) {
                // One without a name of its own hands its value on.
                None if variable.used || variable.name.is_empty() => {
                    return refused("a call without an argument that is used");
                }
                Some(given)
                    if given.ty.is_floating() != variable.ty.is_floating()
                        || given.ty.is_scalar() != variable.ty.is_scalar() =>
                {
                    return refused("a call with an argument of another kind");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn call(&mut self, e: &Expr, callee: &Expr, arguments: &[Expr]) -> Result<()> {
        let named = named_procedure(callee);
        let reached = named.map(|id| self.reached[id.index()]);
        if let (Some(Reached::Nobody), Some(id)) = (reached, named) {
            let name = self.tree.procedures[id.index()].name.clone();
            let kind = MistakeKind::UnknownName(name);
            return Err(Mistake::new(kind, callee.span));
        }
        if let Some(Reached::Verifier(verifier)) = reached {
            return self.verifier(verifier, named, e, arguments);
        }
        if let Some(Reached::Code(id)) = reached {
            self.arguments_fit(id, e, arguments)?;
        }
        if reached.is_none() {
            self.value(callee)?;
        }
        let mut doubles = 0u64;
        for (k, argument) in arguments.iter().enumerate() {
            self.value(argument)?;
            if argument.ty.is_floating() && k < 64 {
                doubles |= 1 << k;
            }
        }
        let count = arguments.len() as u32;
        self.emit(match reached {
            Some(Reached::Code(id)) => Op::Call(id, count),
            Some(Reached::Native(native)) => Op::Native(native, count, doubles),
            _ => Op::CallPointer(count),
        });
        // A procedure that is declared twice, or implicitly, may return something else than its
        // call expects.
        if let Some(Reached::Code(id)) = reached {
            let result = &self.tree.procedures[id.index()].signature.result;
            match (*result == Type::Void, e.ty == Type::Void) {
                // Whatever stands in the register.
                (true, false) => {
                    let kind = number(&e.ty).unwrap_or(Number::Integer(Integer::Int));
                    self.emit(Op::Choose(kind, None));
                }
                (false, true) => {
                    self.emit(Op::Drop);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Of `a[i]` with an array `a`: the index, and how many elements there are. An array of one element
/// or none at the end of a struct stands for more of them, and so does one in a union, whose
/// members share their place: there the object alone is the bound.
fn array_element<'e>(pointer: &'e Expr, records: &[Record]) -> Option<(&'e Expr, u64)> {
    let ExprKind::PointerAdd(base, index) = &pointer.kind else { return None };
    let mut base = &**base;
    while let ExprKind::Convert(inner) = &base.kind {
        base = inner;
    }
    let ExprKind::Address(array) = &base.kind else { return None };
    let Type::Array(_, Length::Known(length)) = &array.ty else { return None };
    let open = match &array.kind {
        ExprKind::Member(whole, ..) => *length <= 1 || is_union(&whole.ty, records),
        _ => false,
    };
    (*length > 0 && !(open && is_last(array, records))).then_some((index, *length))
}

fn is_union(ty: &Type, records: &[Record]) -> bool {
    matches!(ty, Type::Record(id) if records[id.0 as usize].union)
}

/// Does no member stand behind this one, in any of the structs around it?
fn is_last(member: &Expr, records: &[Record]) -> bool {
    let mut member = member;
    while let ExprKind::Member(whole, offset, _) = &member.kind {
        let Type::Record(id) = whole.ty else { return false };
        let record = &records[id.0 as usize];
        let behind = |other: &crate::types::Member| other.offset > *offset;
        if !record.union && record.members.iter().flatten().any(behind) {
            return false;
        }
        member = whole;
    }
    true
}
