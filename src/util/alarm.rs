//! How a driver with a clock looks into long operations of the engine, which has none.

use super::Limit;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The driver's look into an operation. Operations call it every few thousand steps, and end with
/// the limit that it names. It sees how many decision-diagram nodes are alive.
#[derive(Clone)]
pub struct Alarm(Rc<dyn Fn(u64) -> Option<Limit>>);

impl Alarm {
    /// Looks by this function of the number of nodes.
    pub fn new(look: impl Fn(u64) -> Option<Limit> + 'static) -> Alarm {
        Alarm(Rc::new(look))
    }

    /// While the flag is on, operations end with [`Limit::Time`].
    pub fn of_flag(flag: Arc<AtomicBool>) -> Alarm {
        Alarm::new(move |_| flag.load(Ordering::Relaxed).then_some(Limit::Time))
    }

    /// One look, while so many nodes are alive: must the operation end?
    pub fn look(&self, nodes: u64) -> Option<Limit> {
        (self.0)(nodes)
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Alarm")
    }
}
