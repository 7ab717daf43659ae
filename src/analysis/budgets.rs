//! What budgets mean to the engine: the limits of a kernel, and post\* within them.

use super::reach::{Reach, layout};
use crate::bdd::{KernelLimits, Manager};
use crate::lang::model::Program;
pub use crate::util::Budgets;
use crate::util::{Alarm, Bounded};
use std::rc::Rc;

impl Budgets {
    /// The part of the budgets that limits the kernel.
    pub fn limits(self) -> KernelLimits {
        KernelLimits { max_nodes: self.max_nodes, max_steps: self.max_steps }
    }

    /// Prepares post\* within these budgets, in a kernel of its own. The flag `alarm` ends long
    /// operations of the kernel.
    pub fn reach(
        self,
        program: Rc<Program>,
        error_line: Option<u32>,
        alarm: Option<Alarm>,
    ) -> Bounded<Reach> {
        let layout = layout(&program, self);
        let mut kernel = Manager::new(layout.levels(), self.limits())?;
        kernel.set_alarm(alarm);
        let mut reach = Reach::in_kernel(program, error_line, layout, kernel)?;
        reach.domain.kernel.collect_after_every_step(self.collect_every_step);
        reach.domain.accelerate_loops(self.loops);
        Ok(reach)
    }
}
