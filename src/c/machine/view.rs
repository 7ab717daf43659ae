//! What a stepper shows of a run: frames, variables, values.

use super::Machine;
use crate::code::Number;
use crate::tree::{ProcedureId, VariableId};

/// A call that is being executed.
#[derive(Clone, Debug)]
pub struct FrameView {
    /// What is called.
    pub procedure: ProcedureId,
    /// Its variables, in order of their declaration.
    pub variables: Vec<VariableView>,
}

/// A variable with its value.
#[derive(Clone, Debug)]
pub struct VariableView {
    /// Which.
    pub variable: VariableId,
    /// Its value in C's notation; `None` if it has none.
    pub value: Option<String>,
}

/// Elements of an array that are shown.
const ELEMENTS: u64 = 24;

impl Machine<'_> {
    /// The calls, `main` first, then the global variables of the program as the last of the list.
    pub fn frames(&self) -> Vec<FrameView> {
        let mut list = Vec::new();
        for frame in self.state.frames.iter().skip(1) {
            let Some(procedure) = self.tree.procedures.get(frame.procedure.index()) else {
                continue;
            };
            let mut variables = Vec::new();
            // Slots are in the order of the variables.
            for (slot, id) in procedure.locals.iter().enumerate() {
                let variable = &self.tree.variables[id.index()];
                if variable.name.is_empty() {
                    continue;
                }
                let k = frame.base + slot;
                let cell = self.state.slots.get(k).copied().unwrap_or(0);
                let value = if variable.addressed {
                    self.object_text(cell, &variable.ty, 0)
                } else if self.state.has.get(k).copied().unwrap_or(false) {
                    Some(cell_text(&variable.ty, cell))
                } else {
                    None
                };
                variables.push(VariableView { variable: *id, value });
            }
            list.push(FrameView { procedure: frame.procedure, variables });
        }
        list
    }

    /// The program's own global variables.
    pub fn global_variables(&self) -> Vec<VariableView> {
        let mut list = Vec::new();
        for (k, global) in self.code.globals.iter().enumerate() {
            let variable = &self.tree.variables[global.variable.index()];
            if variable.name.is_empty() || variable.span.foreign {
                continue;
            }
            let value = self.object_text(self.globals[k], &variable.ty, 0);
            list.push(VariableView { variable: global.variable, value });
        }
        list
    }

    /// The value of an object, as an initialiser would give it.
    fn object_text(&self, address: u64, ty: &crate::types::Type, deep: u32) -> Option<String> {
        use crate::types::{Length, Type};
        if deep > 3 {
            return Some("…".into());
        }
        let memory = &self.state.memory;
        match ty {
            Type::Array(element, length) => {
                let size = element.size(&self.tree.records)?.max(1);
                let count = match length {
                    Length::Known(count) => *count,
                    _ => memory.room(address).ok()? / size,
                };
                if matches!(element.integer(), Some(crate::types::Integer::Char))
                    && let Ok((bytes, true)) = memory.string(address)
                {
                    return Some(format!("{:?}", String::from_utf8_lossy(&bytes)));
                }
                let one = |k: u64| {
                    let at = super::moved(address, k * size);
                    self.object_text(at, element, deep + 1).unwrap_or_else(|| "?".into())
                };
                let mut parts: Vec<String> = (0..count.min(ELEMENTS)).map(one).collect();
                if count > ELEMENTS {
                    parts.push("…".into());
                }
                Some(format!("{{{}}}", parts.join(", ")))
            }
            Type::Record(id) => {
                let members = self.tree.records[id.0 as usize].members.as_ref()?;
                let one = |member: &crate::types::Member| {
                    let at = super::moved(address, member.offset);
                    let value = match (member.bits, member.ty.integer()) {
                        (Some((first, width)), Some(integer)) => {
                            let (unit, _) = memory.read(at, integer.size()).ok()?;
                            Some(cell_text(&member.ty, super::bits(unit, integer, first, width)))
                        }
                        _ => self.object_text(at, &member.ty, deep + 1),
                    };
                    Some(format!(".{} = {}", member.name, value.unwrap_or_else(|| "?".into())))
                };
                let parts: Vec<String> = members.iter().filter_map(one).collect();
                Some(format!("{{{}}}", parts.join(", ")))
            }
            _ => {
                let size = crate::compile::number(ty).map(Number::size)?;
                let (value, known) = memory.read(address, size).ok()?;
                let value = match ty.integer() {
                    Some(integer) => integer.wrap(value),
                    None => value,
                };
                known.then(|| cell_text(ty, value))
            }
        }
    }
}

/// The value of a cell.
fn cell_text(ty: &crate::types::Type, cell: u64) -> String {
    use crate::types::{Integer, Type};
    match ty {
        Type::Integer(Integer::Char | Integer::SignedChar) if (32..127).contains(&cell) => {
            format!("{:?}", char::from(cell as u8))
        }
        Type::Integer(integer) if integer.signed() => (cell as i64).to_string(),
        Type::Integer(_) => cell.to_string(),
        Type::Float => f32::from_bits(cell as u32).to_string(),
        Type::Double | Type::LongDouble => f64::from_bits(cell).to_string(),
        Type::Pointer(_) if cell == 0 => "NULL".into(),
        _ => "a pointer".into(),
    }
}
