//! Things with numbers, each kept once: parts of configurations, for explicit searches.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// The things so far, by number.
pub(super) struct Numbers<T> {
    pub(super) all: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T: Eq + Hash> Numbers<T> {
    pub(super) fn new() -> Numbers<T> {
        Numbers { all: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The number of a thing; a new one if it was not met before.
    pub(super) fn of(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let (thing, number) = (Rc::new(thing), self.all.len() as u32);
        self.all.push(Rc::clone(&thing));
        self.numbers.insert(thing, number);
        number
    }
}
