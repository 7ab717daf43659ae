//! How much an analysis may use up: one type for requests, for the command line and for the engine.

use serde::{Deserialize, Serialize};

/// Budgets of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// Decision-diagram nodes alive at once.
    pub max_nodes: u64,
    /// Kernel steps.
    pub max_steps: u64,
    /// Milliseconds; `None`: until Stop. The driver keeps this budget, for the engine has no clock.
    #[serde(default)]
    pub max_millis: Option<u64>,
    /// Collect garbage after every step and poison what was freed: slow, finds missing roots.
    #[serde(skip)]
    pub collect_every_step: bool,
    /// When the rounds of loops are summed up.
    #[serde(skip)]
    pub loops: AccelerateLoops,
    /// Which variables are stored with fewer bits than they have.
    #[serde(skip)]
    pub narrow: Narrow,
    /// In which order diagrams have the variables.
    #[serde(skip)]
    pub order: Order,
    /// Which locals weights know.
    #[serde(skip)]
    pub unread: Unread,
}

impl Budgets {
    /// The usual budgets.
    pub const USUAL: Budgets = Budgets {
        max_nodes: 8_000_000,
        max_steps: 2_000_000_000,
        max_millis: None,
        collect_every_step: false,
        loops: AccelerateLoops::USUAL,
        narrow: Narrow::USUAL,
        order: Order::Arranged,
        unread: Unread::Forgotten,
    };

    /// The same with another number of kernel steps.
    pub fn with_steps(self, max_steps: u64) -> Budgets {
        Budgets { max_steps, ..self }
    }

    /// So many times as much of everything.
    pub fn times(self, factor: u64) -> Budgets {
        Budgets {
            max_nodes: self.max_nodes.saturating_mul(factor),
            max_steps: self.max_steps.saturating_mul(factor),
            max_millis: self.max_millis.map(|millis| millis.saturating_mul(factor)),
            ..self
        }
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets::USUAL
    }
}

/// When loops are summed up. Answers do not depend on it: values other than the default are for
/// tests and measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccelerateLoops {
    /// Each round by itself.
    Never,
    /// After that many looks at a header, then after eight times as many.
    After(u64),
}

impl AccelerateLoops {
    /// After twelve looks at a header.
    pub const USUAL: AccelerateLoops = AccelerateLoops::After(12);

    /// After how many looks at a header its rounds are summed up for the first time.
    pub fn first_try(self) -> u64 {
        match self {
            AccelerateLoops::Never => u64::MAX,
            AccelerateLoops::After(looks) => looks,
        }
    }
}

impl Default for AccelerateLoops {
    fn default() -> Self {
        AccelerateLoops::USUAL
    }
}

/// Which variables are stored with fewer bits than they have, where these tell all their values
/// apart. Answers do not depend on it: values other than the default are for tests and
/// measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// None.
    Never,
    /// Those that get at least so many bits shorter.
    Saving(u8),
}

impl Narrow {
    /// Those that get at least eight bits shorter.
    pub const USUAL: Narrow = Narrow::Saving(8);
}

impl Default for Narrow {
    fn default() -> Self {
        Narrow::USUAL
    }
}

/// In which order diagrams have groups of variables. Answers do not depend on it: the other value
/// is for tests and measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the program declares them.
    Declared,
    /// So that what statements mention together is near, and indices stand above their arrays.
    #[default]
    Arranged,
}

/// What weights know of locals that nothing reads any more. Answers do not depend on it: the other
/// value is for tests and measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unread {
    /// Their values.
    Kept,
    /// Nothing.
    #[default]
    Forgotten,
}
