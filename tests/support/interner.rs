//! Numbers for values: equal values get equal numbers, from 0 in the order in which they come.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

pub(crate) struct Interner<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    values: Vec<Rc<T>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let (value, number) = (Rc::new(value), self.values.len() as u32);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    pub(crate) fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// The value itself, while others are numbered.
    pub(crate) fn shared(&self, number: u32) -> Rc<T> {
        Rc::clone(&self.values[number as usize])
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// In the order of their numbers.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter().map(|value| &**value)
    }
}
