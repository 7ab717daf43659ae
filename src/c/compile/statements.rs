//! Code of statements.

use super::{Compiler, Home, Result, number};
use crate::code::{Number, Op};
use crate::mistake::{Mistake, MistakeKind};
use crate::tree::{Binary, PointId, Pointed, Statement, StatementKind};
use crate::types::{Integer, Type};

/// The labels of a `switch`: low, high, where.
#[derive(Default)]
pub(super) struct Cases {
    list: Vec<(i64, i64, u32)>,
    default: Option<u32>,
}

impl Compiler<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<()> {
        if let Some(point) = statement.point {
            self.point(point);
        }
        match &statement.kind {
            StatementKind::Empty => {}
            StatementKind::Expression(e) => self.effects(e)?,
            StatementKind::Declare(id, values) => {
                let home = self.homes[id];
                let variable = &self.tree.variables[id.index()];
                if let (Home::Object(slot), false) = (home, variable.ty.is_variable())
                    && let Some(block) = self.blocks.last_mut()
                {
                    block.push((slot, *id));
                }
                match home {
                    Home::Slot(slot) => {
                        if values.as_ref().is_none_or(Vec::is_empty) {
                            self.emit(Op::ForgetSlot(slot));
                        }
                    }
                    Home::Object(slot) if variable.ty.is_variable() => {
                        self.push_size(&variable.ty, statement.span)?;
                        self.emit(Op::Allocate(slot, *id));
                        if values.is_some() {
                            self.emit(Op::Zero(slot));
                        }
                    }
                    Home::Object(slot) => {
                        let whole = number(&variable.ty).is_some();
                        // What a shorter member leaves of a union has no value.
                        let zero = values.is_some() && !whole && !self.is_union(&variable.ty);
                        self.emit(if zero { Op::Zero(slot) } else { Op::Forget(slot) });
                    }
                    Home::Global(_) => {}
                }
                if let Some(values) = values {
                    self.initial_values(home, values)?;
                }
            }
            StatementKind::Block(list) => {
                self.blocks.push(Vec::new());
                for statement in list {
                    self.statement(statement)?;
                }
                let depth = self.blocks.len() - 1;
                self.leave_blocks(depth);
                self.blocks.pop();
            }
            StatementKind::If(condition, then, otherwise) => {
                let skip = self.condition(condition)?;
                self.statement(then)?;
                match otherwise {
                    Some(otherwise) => {
                        let end = self.emit(Op::Jump(0));
                        self.aim(skip);
                        self.statement(otherwise)?;
                        self.aim(end);
                    }
                    None => self.aim(skip),
                }
            }
            StatementKind::While(condition, body) => {
                let start = self.here();
                let exit = self.condition(condition)?;
                self.body(body)?;
                self.continue_here(start);
                self.emit(Op::Jump(start));
                self.aim(exit);
                self.break_here();
            }
            StatementKind::DoWhile(body, condition) => {
                let start = self.here();
                self.body(body)?;
                let test = self.here();
                self.continue_here(test);
                let exit = self.condition(condition)?;
                self.emit(Op::Jump(start));
                self.aim(exit);
                self.break_here();
            }
            StatementKind::For(condition, step, body) => {
                let start = self.here();
                let exit = match condition {
                    Some(condition) => Some(self.condition(condition)?),
                    None => None,
                };
                self.body(body)?;
                let test = self.here();
                self.continue_here(test);
                if let Some(step) = step {
                    self.point(step.point);
                    self.effects(&step.value)?;
                }
                self.emit(Op::Jump(start));
                if let Some(exit) = exit {
                    self.aim(exit);
                }
                self.break_here();
            }
            StatementKind::Switch(value, body) => self.switch(value, body)?,
            StatementKind::Case(low, high, inner) => {
                let here = self.here();
                if let Some(cases) = self.switches.last_mut() {
                    cases.list.push((*low, *high, here));
                }
                self.statement(inner)?;
            }
            StatementKind::Default(inner) => {
                let here = self.here();
                if let Some(cases) = self.switches.last_mut() {
                    cases.default = Some(here);
                }
                self.statement(inner)?;
            }
            StatementKind::Label(name, inner) => {
                let here = self.here();
                self.code.labels.push(name.clone());
                if self.labels.insert(name.clone(), here).is_some() {
                    return Err(Mistake::new(MistakeKind::Twice(name.clone()), statement.span));
                }
                self.statement(inner)?;
            }
            StatementKind::Goto(name) => {
                let at = self.emit(Op::Jump(0));
                self.gotos.push((at, name.clone(), statement.span));
            }
            StatementKind::Break => {
                let level = self.levels.last().copied().unwrap_or(0);
                self.leave_blocks(level);
                let at = self.emit(Op::Jump(0));
                if let Some(list) = self.breaks.last_mut() {
                    list.push(at);
                }
            }
            StatementKind::Continue => {
                // `switch` is no loop: what is left reaches to the loop around it.
                let level = self.loops.last().copied().unwrap_or(0);
                self.leave_blocks(level);
                let at = self.emit(Op::Jump(0));
                if let Some(list) = self.continues.last_mut() {
                    list.push(at);
                }
            }
            StatementKind::Return(value) => match value {
                Some(value) => {
                    self.value(value)?;
                    let gives = value.ty != Type::Void;
                    self.emit(match (self.current.returns, gives) {
                        (true, true) => Op::Return,
                        (false, true) => Op::Drop,
                        _ => Op::ReturnNothing,
                    });
                    if !self.current.returns && gives {
                        self.emit(Op::ReturnNothing);
                    }
                }
                None => {
                    self.emit(if self.current.returns { Op::End } else { Op::ReturnNothing });
                }
            },
        }
        Ok(())
    }

    fn is_union(&self, ty: &Type) -> bool {
        matches!(ty, Type::Record(id) if self.tree.records[id.0 as usize].union)
    }

    /// A run passes a point. The library has none: what happens in it happens at its call.
    fn point(&mut self, point: PointId) {
        if !self.library {
            self.emit(Op::Point(point));
        }
    }

    /// Evaluates a condition. Returns the jump for the case that it does not hold.
    fn condition(&mut self, condition: &Pointed) -> Result<usize> {
        self.point(condition.point);
        self.truth(&condition.value)?;
        Ok(self.emit(Op::JumpIfZero(0)))
    }

    fn body(&mut self, body: &Statement) -> Result<()> {
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
        self.levels.push(self.blocks.len());
        self.loops.push(self.blocks.len());
        let result = self.statement(body);
        self.levels.pop();
        self.loops.pop();
        result
    }

    /// The objects of the blocks from this depth on end, as far as they are declared. The outermost
    /// block ends with its procedure; the library's blocks leave nothing behind.
    fn leave_blocks(&mut self, depth: usize) {
        if self.library {
            return;
        }
        let left: Vec<_> = self.blocks[depth.max(1).min(self.blocks.len())..].concat();
        for (slot, variable) in left {
            self.emit(Op::Renew(slot, variable));
        }
    }

    fn continue_here(&mut self, target: u32) {
        for at in self.continues.pop().unwrap_or_default() {
            self.aim_at(at, target);
        }
    }

    fn break_here(&mut self) {
        for at in self.breaks.pop().unwrap_or_default() {
            self.aim(at);
        }
    }

    /// The value waits in a slot while it is compared with the labels, which stand behind the body.
    fn switch(&mut self, value: &Pointed, body: &Statement) -> Result<()> {
        let slot = self.current.slots;
        self.current.slots += 1;
        self.point(value.point);
        self.value(&value.value)?;
        let own = number(&value.value.ty).unwrap_or(Number::Integer(Integer::Long));
        let long = Number::Integer(Integer::Long);
        if own != long {
            self.emit(Op::Convert(own, long));
        }
        self.emit(Op::SetSlot(slot));
        self.emit(Op::Drop);
        let compare = self.emit(Op::Jump(0));
        self.breaks.push(Vec::new());
        self.levels.push(self.blocks.len());
        self.switches.push(Cases::default());
        self.statement(body)?;
        self.levels.pop();
        let cases = self.switches.pop().unwrap_or_default();
        let end = self.emit(Op::Jump(0));
        self.aim(compare);
        let read = Op::Slot(slot, crate::tree::VariableId(u32::MAX));
        for (low, high, target) in &cases.list {
            self.emit(read);
            self.emit(Op::Constant(*low as u64));
            if low == high {
                self.emit(Op::Binary(Binary::Equal, long));
            } else {
                self.emit(Op::Binary(Binary::GreaterEqual, long));
                self.emit(read);
                self.emit(Op::Constant(*high as u64));
                self.emit(Op::Binary(Binary::LessEqual, long));
                self.emit(Op::Binary(Binary::And, long));
            }
            self.emit(Op::JumpIfNot(*target));
        }
        if let Some(target) = cases.default {
            self.emit(Op::Jump(target));
        }
        self.aim(end);
        self.break_here();
        Ok(())
    }
}
