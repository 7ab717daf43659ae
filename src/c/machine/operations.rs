//! The operations that lead to the next one.

use super::arithmetic::bits;
use super::fault::{Fault, Limit, Remark, Taker};
use super::memory::{Origin, moved};
use super::{Done, Machine, Stop, arithmetic, memory};
use crate::code::{Number, Op, Step};
use crate::tree::{Binary, TextId};
use crate::types::Integer;

impl Machine<'_> {
    pub(super) fn operation(&mut self, op: Op) -> Done {
        match op {
            Op::ForgetSlot(slot) => {
                let k = self.base() + slot as usize;
                self.state.has[k] = false;
            }
            Op::StepSlot(slot, step, variable) => {
                let k = self.base() + slot as usize;
                if !self.state.has[k] {
                    self.remark(Remark::NoValue(Some(variable)));
                    self.choose_slot(k);
                }
                let old = self.state.slots[k];
                let new = self.stepped(step, old)?;
                self.state.slots[k] = new;
                self.push(if step.before { new } else { old });
            }
            Op::Object(slot) => {
                let address = *self.slot(slot);
                self.push(address);
            }
            Op::Forget(slot) | Op::Zero(slot) => {
                let address = *self.slot(slot);
                self.state.memory.reset(address, matches!(op, Op::Zero(_)));
            }
            Op::Renew(slot, variable) => {
                let old = *self.slot(slot);
                let origin = Origin::Variable(variable);
                *self.slot(slot) =
                    self.state.memory.renew(old, origin).ok_or(Stop::Limit(Limit::Memory))?;
            }
            Op::Index(length) => {
                if self.state.stack.last().is_some_and(|index| *index >= length) {
                    self.remark(Remark::Index);
                }
            }
            Op::Allocate(slot, variable) => {
                let size = self.pop();
                if size as i64 <= 0 {
                    self.remark(Remark::Length);
                }
                let old = *self.slot(slot);
                if old != 0 {
                    self.state.memory.end(old);
                }
                let address = self.allocate(size, Origin::Variable(variable), false)?;
                *self.slot(slot) = address;
            }
            Op::Global(k) => self.push(self.globals[k as usize]),
            Op::Text(TextId(k)) => self.push(self.texts[k as usize]),
            Op::Procedure(id) => self.push(memory::procedure_address(id)),
            Op::Load(number) => {
                let address = self.pop();
                let (value, known) = self.state.memory.read(address, number.size())?;
                if !known {
                    let variable = self.state.memory.variable(address);
                    self.remark(Remark::NoValue(variable));
                }
                self.push(match number {
                    Number::Integer(integer) => integer.wrap(value),
                    _ => value,
                });
            }
            Op::Store(number) => {
                let (value, address) = (self.pop(), self.pop());
                self.state.memory.write(address, number.size(), value)?;
                self.push(value);
            }
            Op::LoadBits(integer, first, width) => {
                let address = self.pop();
                let (value, _) = self.state.memory.read(address, integer.size())?;
                self.push(bits(value, integer, first, width));
            }
            Op::StoreBits(integer, first, width) => {
                let (value, address) = (self.pop(), self.pop());
                let (old, _) = self.state.memory.read(address, integer.size())?;
                let mask = (u64::MAX >> (64 - u32::from(width))) << first;
                let new = old & !mask | (value << first) & mask;
                self.state.memory.write(address, integer.size(), new)?;
                self.push(bits(new, integer, first, width));
            }
            Op::StepPlace(step) => {
                let address = self.pop();
                let (old, known) = self.state.memory.read(address, step.number.size())?;
                if !known {
                    let variable = self.state.memory.variable(address);
                    self.remark(Remark::NoValue(variable));
                }
                let old = match step.number {
                    Number::Integer(integer) => integer.wrap(old),
                    _ => old,
                };
                let new = self.stepped(step, old)?;
                self.state.memory.write(address, step.number.size(), new)?;
                self.push(if step.before { new } else { old });
            }
            Op::Copy(size) => {
                let (from, to) = (self.pop(), self.pop());
                self.state.memory.copy(to, from, size)?;
                self.push(to);
            }
            Op::Double => {
                let value = self.state.stack.last().copied().unwrap_or(0);
                self.push(value);
            }
            Op::Drop => {
                self.pop();
            }
            Op::Convert(from, to) => {
                let value = self.pop();
                self.push(arithmetic::convert(from, to, value));
            }
            Op::Negate(number) => {
                let value = self.pop();
                let (value, remark) = arithmetic::negate(number, value);
                if let Some(remark) = remark {
                    self.remark(remark);
                }
                self.push(value);
            }
            Op::Complement(integer) => {
                let value = self.pop();
                self.push(integer.wrap(!value));
            }
            Op::Not(number) => {
                let value = self.pop();
                self.push(u64::from(arithmetic::is_zero(number, value)));
            }
            Op::Truth(number) => {
                let value = self.pop();
                self.push(u64::from(!arithmetic::is_zero(number, value)));
            }
            Op::Element(size) => {
                let (count, address) = (self.pop(), self.pop());
                self.push(moved(address, count.wrapping_mul(size)));
            }
            Op::ElementOf => {
                let (size, count, address) = (self.pop(), self.pop(), self.pop());
                self.push(moved(address, count.wrapping_mul(size)));
            }
            Op::Difference(size) => {
                let (b, a) = (self.pop(), self.pop());
                self.push((a.wrapping_sub(b) as i64 / size as i64) as u64);
            }
            Op::Call(id, count) => self.call(id, count as usize)?,
            Op::CallPointer(count) => {
                let under = self.state.stack.len().saturating_sub(count as usize + 1);
                let address = self.state.stack.get(under).copied().unwrap_or(0);
                let Some(id) = memory::procedure_at(address) else {
                    return Err(Stop::Fault(if address == 0 {
                        Fault::Null
                    } else {
                        Fault::NoProcedure
                    }));
                };
                self.state.stack.remove(under);
                match self.code.natives.get(id.index()) {
                    Some(Some(native)) => self.native(*native, count as usize, 0)?,
                    _ => self.call(id, count as usize)?,
                }
            }
            Op::Native(native, count, doubles) => self.native(native, count as usize, doubles)?,
            Op::Return => {
                let value = self.pop();
                self.leave(Some(value))?;
            }
            Op::ReturnNothing => self.leave(None)?,
            Op::End => {
                let procedure = self.state.frames.last().map(|frame| frame.procedure);
                let returns = procedure
                    .and_then(|id| self.code.procedures[id.index()].as_ref())
                    .is_some_and(|code| code.returns);
                if !returns {
                    self.leave(None)?;
                } else if procedure == self.code.main {
                    self.leave(Some(0))?;
                } else {
                    self.remark(Remark::NoResult);
                    self.leave(Some(0))?;
                }
            }
            Op::VariableArguments => {
                let address = self.pop();
                let cells = self.state.frames.last().map_or(0, |frame| frame.variable_arguments);
                self.state.memory.write(address, 8, cells)?;
            }
            Op::NextArgument => {
                let address = self.pop();
                let (cell, _) = self.state.memory.read(address, 8)?;
                let (value, _) = self.state.memory.read(cell, 8)?;
                self.state.memory.write(address, 8, moved(cell, 8))?;
                self.push(value);
            }
            Op::Assert => {
                if self.pop() == 0 {
                    return Err(Stop::Fault(Fault::Assertion));
                }
            }
            Op::Assume => {
                if self.pop() == 0 {
                    return Err(Stop::Exit(0));
                }
            }
            Op::Choose(_, by) => {
                let value = self.choice(by.map_or(Taker::Other, Taker::Procedure)).unwrap_or(0);
                self.push(value);
            }
            Op::Point(_)
            | Op::Jump(_)
            | Op::JumpIfZero(_)
            | Op::JumpIfNot(_)
            | Op::Constant(_)
            | Op::Slot(..)
            | Op::SetSlot(_)
            | Op::Binary(..) => {}
        }
        Ok(())
    }

    fn stepped(&mut self, step: Step, old: u64) -> Done<u64> {
        let delta = step.delta;
        match step.number {
            Number::Pointer => Ok(moved(old, delta as u64)),
            Number::Integer(integer) if integer.size() < 4 => {
                Ok(integer.wrap(old.wrapping_add(delta as u64)))
            }
            number => {
                let one = match number {
                    Number::Integer(_) => delta as u64,
                    floating => {
                        arithmetic::convert(Number::Integer(Integer::Long), floating, delta as u64)
                    }
                };
                let one = match number {
                    Number::Integer(integer) => integer.wrap(one),
                    _ => one,
                };
                let (value, remark) = arithmetic::binary(Binary::Add, number, old, one)?;
                if let Some(remark) = remark {
                    self.remark(remark);
                }
                Ok(value)
            }
        }
    }
}
