//! Statements.

use super::super::code::Op;
use super::super::value::Kind;
use super::Compiler;
use crate::mistake::{Read, not_read};
use crate::typed::{Expr, Group, LabelId, Statement, StatementKind, Type};

impl<'p> Compiler<'p> {
    pub(super) fn statements(&mut self, list: &'p [Statement]) -> Read<()> {
        list.iter().try_for_each(|statement| self.statement(statement))
    }

    pub(super) fn statement(&mut self, statement: &'p Statement) -> Read<()> {
        let span = statement.span;
        self.in_bounds(span)?;
        match &statement.kind {
            StatementKind::Local(_, None) | StatementKind::Empty => {}
            StatementKind::Local(local, Some(value)) => {
                self.point(span);
                self.value(value)?;
                self.emit(Op::Store(self.slot(*local)));
            }
            StatementKind::Expression(e) => {
                self.point(span);
                self.effect(e)?;
            }
            StatementKind::If(condition, then, otherwise) => {
                self.point(span);
                let no = self.unless(condition)?;
                self.statement(then)?;
                match otherwise {
                    Some(otherwise) => {
                        let end = self.jump(Op::Jump);
                        self.land(no);
                        self.statement(otherwise)?;
                        self.land(end);
                    }
                    None => self.land(no),
                }
            }
            StatementKind::While(label, condition, body) => {
                let top = self.pc();
                self.point(span);
                let no = self.unless(condition)?;
                self.enter_label(*label);
                self.statement(body)?;
                self.land_continues();
                self.emit(Op::Jump(top));
                self.land(no);
                self.land_breaks();
            }
            StatementKind::Do(label, body, condition, head) => {
                let top = self.pc();
                self.enter_label(*label);
                self.statement(body)?;
                self.land_continues();
                self.point(*head);
                let no = self.unless(condition)?;
                self.emit(Op::Jump(top));
                self.land(no);
                self.land_breaks();
            }
            StatementKind::For { label, first, condition, step, body } => {
                self.statements(first)?;
                self.for_loop(*label, condition.as_ref(), step, body)?;
            }
            StatementKind::Switch(label, value, groups) => {
                self.point(span);
                self.switch(*label, value, groups)?;
            }
            StatementKind::Labelled(label, body) => {
                self.enter_label(*label);
                self.statement(body)?;
                self.land_breaks();
            }
            StatementKind::Break(label) => {
                self.point(span);
                self.go_to(*label, true)?;
            }
            StatementKind::Continue(label) => {
                self.point(span);
                self.go_to(*label, false)?;
            }
            StatementKind::Return(value) => {
                self.point(span);
                self.return_statement(value.as_ref())?;
            }
            StatementKind::Throw(value) => {
                self.point(span);
                self.value(value)?;
                self.emit(Op::Throw);
            }
            StatementKind::Try { .. } if self.inside_value > 0 => {
                return not_read(span, "`try` in a `switch` whose value is used");
            }
            StatementKind::Try { body, catches, finally } => {
                self.try_statement(body, catches, finally.as_deref())?;
            }
            StatementKind::Assert(condition, text) => {
                self.point(span);
                let no = self.unless(condition)?;
                let end = self.jump(Op::Jump);
                self.land(no);
                if let Some(text) = text {
                    self.shown(text)?;
                }
                self.emit(Op::Fail(text.is_some()));
                self.land(end);
            }
            StatementKind::Block(list) => self.statements(list)?,
        }
        Ok(())
    }

    /// Lands the jumps of `break` here, and forgets the statement.
    fn land_breaks(&mut self) {
        let (breaks, _) = self.leave_label();
        breaks.into_iter().for_each(|jump| self.land(jump));
    }

    /// Jumps if a condition does not hold.
    pub(super) fn unless(&mut self, condition: &'p Expr) -> Read<usize> {
        self.value(condition)?;
        Ok(self.jump(Op::JumpIfFalse))
    }

    fn for_loop(
        &mut self,
        label: LabelId,
        condition: Option<&'p Expr>,
        step: &'p [Expr],
        body: &'p Statement,
    ) -> Read<()> {
        let top = self.pc();
        let mut no = None;
        if let Some(condition) = condition {
            self.point(condition.span);
            no = Some(self.unless(condition)?);
        }
        self.enter_label(label);
        self.statement(body)?;
        self.land_continues();
        for e in step {
            self.point(e.span);
            self.effect(e)?;
        }
        self.emit(Op::Jump(top));
        if let Some(no) = no {
            self.land(no);
        }
        self.land_breaks();
        Ok(())
    }

    fn switch(&mut self, label: LabelId, value: &'p Expr, groups: &'p [Group]) -> Read<()> {
        self.value(value)?;
        if matches!(value.ty, Type::Class(_)) {
            // Constants of enumerations count from 1 here.
            self.emit(Op::Ordinal);
            self.emit(Op::Constant(super::super::value::Value::Int(1)));
            self.emit(Op::Binary(crate::typed::Binary::Add));
        }
        let table = self.table();
        self.emit(Op::Switch(table));
        self.enter_label(label);
        let mut otherwise = None;
        for group in groups {
            let here = self.pc();
            for one in &group.labels {
                match one {
                    Some(value) => {
                        self.code.tables[table as usize].targets.insert(*value, here);
                    }
                    None => otherwise = Some(here),
                }
            }
            self.statements(&group.body)?;
        }
        let end = self.pc();
        self.code.tables[table as usize].otherwise = otherwise.unwrap_or(end);
        self.land_breaks();
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&'p Expr>) -> Read<()> {
        let Some(value) = value else {
            self.finish_until(0)?;
            self.emit(Op::Return);
            return Ok(());
        };
        self.value(value)?;
        if self.has_finally() {
            let slot = self.fresh_slot();
            self.emit(Op::Store(slot));
            self.finish_until(0)?;
            self.emit(Op::Load(slot));
        }
        self.emit(Op::ReturnValue);
        Ok(())
    }

    /// A value as text.
    pub(super) fn shown(&mut self, e: &'p Expr) -> Read<()> {
        self.value(e)?;
        self.emit(Op::Show(Kind::of(&e.ty)));
        Ok(())
    }
}
