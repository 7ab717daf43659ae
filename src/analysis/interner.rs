//! Values that are compared often, each kept once and under one number: parts of configurations.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Values, each under one number.
pub(in crate::analysis) struct Interner<T> {
    values: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T: Eq + Hash> Interner<T> {
    pub(in crate::analysis) fn new() -> Interner<T> {
        Interner { values: Vec::new(), numbers: FxHashMap::default() }
    }

    pub(in crate::analysis) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let (value, number) = (Rc::new(value), self.values.len() as u32);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// The value of a number that was given out.
    pub(in crate::analysis) fn value(&self, number: u32) -> &Rc<T> {
        &self.values[number as usize]
    }
}
