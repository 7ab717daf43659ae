//! How much an analysis may use up, in units that every machine counts alike.

use super::reach::Reach;
use crate::bdd::KernelLimits;
use crate::encode::AccelerateLoops;
use crate::lang::model::Program;
use crate::util::Bounded;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Budgets of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Decision-diagram nodes alive at once.
    pub max_nodes: u64,
    /// Kernel steps.
    pub max_steps: u64,
    /// Collect garbage after every step and poison what was freed: slow, finds missing roots.
    pub collect_every_step: bool,
    /// When the rounds of loops are summed up. Answers do not depend on it: it is there for tests
    /// and measurements.
    pub loops: AccelerateLoops,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            max_nodes: 8_000_000,
            max_steps: 2_000_000_000,
            collect_every_step: false,
            loops: AccelerateLoops::default(),
        }
    }
}

impl Budgets {
    /// The same with another number of kernel steps.
    pub fn with_steps(self, max_steps: u64) -> Budgets {
        Budgets { max_steps, ..self }
    }

    /// The kernel's part.
    pub fn limits(self) -> KernelLimits {
        KernelLimits { max_nodes: self.max_nodes, max_steps: self.max_steps }
    }

    /// Sets up post\* within these budgets, in a kernel of its own that `alarm` ends.
    pub fn reach(
        self,
        program: Rc<Program>,
        error_line: Option<u32>,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Bounded<Reach> {
        let mut reach = Reach::new(program, error_line, self.limits())?;
        reach.domain.kernel.set_alarm(alarm);
        reach.domain.kernel.collect_after_every_step(self.collect_every_step);
        reach.domain.accelerate_loops(self.loops);
        Ok(reach)
    }
}
