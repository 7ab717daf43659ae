//! Objects of memory that do not exist: what their members hold is nobody's business.

use crate::bdd::{Bdd, Manager, Var};
use crate::encode::{Cell, Copy, ProgramDomain};
use crate::lang::model::Program;
use crate::util::Bounded;

/// The objects that can be gone, in one copy.
pub(crate) struct Gone {
    objects: Vec<Object>,
}

struct Object {
    /// True if the object exists.
    flag: Var,
    /// The bits of its members and elements.
    levels: Vec<Var>,
}

impl Gone {
    /// The objects of a program. There are none unless it has pointers.
    pub(crate) fn of(domain: &ProgramDomain, program: &Program, copy: Copy) -> Gone {
        let memory = &program.memory;
        let mut objects = Vec::new();
        for (room, flags) in &memory.flags {
            let slots = memory.rooms.get(usize::from(*room)).map_or(&[][..], |room| &room.slots);
            let arrays = memory.arrays.iter().filter(|(_, of)| *of == room);
            let arrays: Vec<_> = arrays.map(|(array, _)| *array).collect();
            for element in 0..program.variable(*flags).elements() {
                let flag = domain.layout.cell(Cell { variable: *flags, element }, copy);
                let [flag] = flag[..] else { continue };
                let mut cells = Vec::new();
                for (number, _) in slots.iter().enumerate().filter(|(_, s)| s.flag == Some(element))
                {
                    for array in &arrays {
                        let inner = program.variable(*array).inner();
                        let first = number as u32 * inner;
                        let there = first..(first + inner).min(program.variable(*array).elements());
                        cells.extend(there.map(|element| Cell { variable: *array, element }));
                    }
                }
                let levels = domain.layout.cells_levels(&cells, copy);
                objects.push(Object { flag, levels });
            }
        }
        Gone { objects }
    }

    /// These stores, and those that differ from them only in what does not exist.
    pub(crate) fn free(&self, kernel: &mut Manager, mut stores: Bdd) -> Bounded<Bdd> {
        for object in &self.objects {
            let exists = kernel.var(object.flag)?;
            let levels = kernel.var_set(&object.levels);
            let without = kernel.exists(stores, levels)?;
            stores = kernel.ite(exists, stores, without)?;
        }
        Ok(stores)
    }

    /// Of stores that are [`free`](Gone::free) those in which everything that does not exist is 0:
    /// as many as there are to tell apart.
    pub(crate) fn told_apart(&self, kernel: &mut Manager, mut stores: Bdd) -> Bounded<Bdd> {
        for object in &self.objects {
            let exists = kernel.var(object.flag)?;
            let mut zero = stores;
            for level in object.levels.iter().rev() {
                let bit = kernel.literal(*level, false)?;
                zero = kernel.and(bit, zero)?;
            }
            stores = kernel.ite(exists, stores, zero)?;
        }
        Ok(stores)
    }
}
