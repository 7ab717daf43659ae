//! Divide and conquer over diagrams. Each operation is written once, and two drivers can run it.
//!
//! [`run`] recurses natively, which is fastest. Past `native_depth` nested calls [`deep`] takes
//! over with a stack on the heap. A browser gives a worker about 1 MB of native stack, and the
//! engine cannot change that.

use super::cache::Key;
use super::manager::Manager;
use super::node::{Bdd, Stopped};

/// What must be done with an operation's arguments.
pub(super) enum Plan<A> {
    /// Nothing more: this is a terminal case, or the cache or another operation has the result.
    Done(Stopped),
    /// Shannon's expansion at a level.
    Split(Split<A>),
}

/// The arguments for both cofactors, and what is needed to combine their results.
#[derive(Clone, Copy)]
pub(super) struct Split<A> {
    pub(super) key: Key,
    pub(super) level: u32,
    /// 1 iff the result must be complemented (the cache holds it before that).
    pub(super) sign: u32,
    pub(super) high: A,
    pub(super) low: A,
}

/// A recursive operation on diagrams.
pub(super) trait Operation: Copy {
    /// The functions that the operation works on.
    type Arguments: Copy;
    /// Handles terminal cases, asks the cache, and expands. `depth` is for operations that are
    /// called from here.
    fn plan(
        self,
        manager: &mut Manager,
        arguments: Self::Arguments,
        depth: u32,
    ) -> Plan<Self::Arguments>;
    /// The result, if the result for the high cofactor determines it.
    #[inline(always)]
    fn settled(self, _manager: &Manager, _level: u32, _high: Bdd) -> Option<Bdd> {
        None
    }
    /// The result from the results for both cofactors.
    #[inline(always)]
    fn join(
        self,
        manager: &mut Manager,
        split: &Split<Self::Arguments>,
        high: Bdd,
        low: Bdd,
        _depth: u32,
    ) -> Stopped {
        manager.node(split.level, low, high)
    }
    /// Stores a result in the cache.
    #[inline(always)]
    fn store(self, manager: &mut Manager, key: Key, result: Bdd) {
        manager.cache.put(key, result);
    }
}

/// Runs `operation`; `depth` native calls are already on the stack.
pub(super) fn run<O: Operation>(
    manager: &mut Manager,
    operation: O,
    arguments: O::Arguments,
    depth: u32,
) -> Stopped {
    let split = match operation.plan(manager, arguments, depth) {
        Plan::Done(result) => return result,
        Plan::Split(split) => split,
    };
    if depth >= manager.native_depth {
        return deep(manager, operation, split, depth);
    }
    manager.tick()?;
    let high = run(manager, operation, split.high, depth + 1)?;
    let result = match operation.settled(manager, split.level, high) {
        Some(result) => result,
        None => {
            let low = run(manager, operation, split.low, depth + 1)?;
            operation.join(manager, &split, high, low, depth + 1)?
        }
    };
    operation.store(manager, split.key, result);
    Some(result.flip(split.sign))
}

/// As [`run`], without native recursion.
#[cold]
#[inline(never)]
fn deep<O: Operation>(
    manager: &mut Manager,
    operation: O,
    first: Split<O::Arguments>,
    depth: u32,
) -> Stopped {
    // Each frame waits for its high cofactor (`None`) or, once it has that one, for its low
    // cofactor.
    let mut frames: Vec<(Split<O::Arguments>, Option<Bdd>)> = vec![(first, None)];
    manager.tick()?;
    let mut arguments = first.high;
    loop {
        let mut value = loop {
            match operation.plan(manager, arguments, depth) {
                Plan::Done(result) => break result?,
                Plan::Split(split) => {
                    manager.tick()?;
                    frames.push((split, None));
                    arguments = split.high;
                }
            }
        };
        arguments = loop {
            let Some((split, high)) = frames.pop() else { return Some(value) };
            let result = match high {
                None => match operation.settled(manager, split.level, value) {
                    Some(result) => result,
                    None => {
                        frames.push((split, Some(value)));
                        break split.low;
                    }
                },
                Some(high) => operation.join(manager, &split, high, value, depth)?,
            };
            operation.store(manager, split.key, result);
            value = result.flip(split.sign);
        };
    }
}
