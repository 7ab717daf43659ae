//! Values that are open: numbers of which some bits depend on the input, and pointers of which the
//! input decides where they lead.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::words;
use std::rc::Rc;

/// Bits of a cell.
pub(crate) const CELL: usize = 64;

/// A number in a cell of 64 bits, extended by its sign, as the machine keeps it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    /// All bits are known.
    Constant(u64),
    /// 64 bits, lowest first.
    Bits(Rc<[Lit]>),
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// No object: the offset is all of the address. Null is the number 0.
    Number,
    /// An object of the memory.
    Object(u32),
    /// A procedure.
    Procedure(u32),
}

/// Where a pointer leads under a condition. Of the cases of a pointer one holds at most.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    pub(crate) guard: Lit,
    pub(crate) base: Base,
    /// In bytes from the object's start.
    pub(crate) offset: Word,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Word(Word),
    Pointer(Rc<[Case]>),
}

impl Word {
    /// From 64 bits.
    pub(crate) fn new(bits: Vec<Lit>) -> Word {
        debug_assert_eq!(bits.len(), CELL);
        match words::value(&bits) {
            Some(value) => Word::Constant(value),
            None => Word::Bits(bits.into()),
        }
    }

    /// The lowest bits.
    pub(crate) fn low(&self, width: usize) -> Vec<Lit> {
        match self {
            Word::Constant(value) => words::constant(*value, width),
            Word::Bits(bits) => bits[..width].to_vec(),
        }
    }

    pub(crate) fn bits(&self) -> Vec<Lit> {
        self.low(CELL)
    }

    pub(crate) fn constant(&self) -> Option<u64> {
        match self {
            Word::Constant(value) => Some(*value),
            Word::Bits(_) => None,
        }
    }
}

impl Value {
    pub(crate) fn constant(value: u64) -> Value {
        Value::Word(Word::Constant(value))
    }

    /// A number of fewer bits, extended.
    pub(crate) fn extended(bits: &[Lit], signed: bool) -> Value {
        Value::Word(Word::new(words::extend(bits, CELL, signed)))
    }

    /// 0 or 1.
    pub(crate) fn truth(lit: Lit) -> Value {
        Value::extended(&[lit], false)
    }

    pub(crate) fn object(object: u32) -> Value {
        Value::address(Base::Object(object), Word::Constant(0))
    }

    pub(crate) fn address(base: Base, offset: Word) -> Value {
        Value::Pointer([Case { guard: TRUE, base, offset }].into())
    }

    /// As a pointer: a number leads to no object.
    pub(crate) fn cases(&self) -> Rc<[Case]> {
        match self {
            Value::Pointer(cases) => cases.clone(),
            Value::Word(word) => {
                [Case { guard: TRUE, base: Base::Number, offset: word.clone() }].into()
            }
        }
    }
}

impl Circuit {
    pub(crate) fn choose_words(&mut self, condition: Lit, a: &Word, b: &Word) -> Word {
        match condition.constant() {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None if a == b => return a.clone(),
            None => {}
        }
        Word::new(self.choose_word(condition, &a.bits(), &b.bits()))
    }

    /// `a` if the condition holds, else `b`.
    pub(crate) fn choose_value(&mut self, condition: Lit, a: &Value, b: &Value) -> Value {
        match (condition.constant(), a, b) {
            (Some(true), ..) => a.clone(),
            (Some(false), ..) => b.clone(),
            (None, Value::Word(a), Value::Word(b)) => {
                Value::Word(self.choose_words(condition, a, b))
            }
            (None, Value::Pointer(x), Value::Pointer(y)) if Rc::ptr_eq(x, y) || x == y => a.clone(),
            _ => {
                let mut cases: Vec<Case> = Vec::new();
                for (guard, list) in [(condition, a.cases()), (!condition, b.cases())] {
                    for case in list.iter() {
                        let guard = self.and(guard, case.guard);
                        self.add_case(&mut cases, Case { guard, ..case.clone() });
                    }
                }
                Value::Pointer(cases.into())
            }
        }
    }

    /// Cases with one base become one.
    pub(crate) fn add_case(&mut self, cases: &mut Vec<Case>, case: Case) {
        if case.guard == FALSE {
            return;
        }
        match cases.iter_mut().find(|other| other.base == case.base) {
            Some(other) => {
                other.offset = self.choose_words(case.guard, &case.offset, &other.offset);
                other.guard = self.or(case.guard, other.guard);
            }
            None => cases.push(case),
        }
    }

    /// Is it not zero?
    pub(crate) fn is_true(&mut self, value: &Value) -> Lit {
        match value {
            Value::Word(Word::Constant(value)) => Lit::from(*value != 0),
            Value::Word(Word::Bits(bits)) => self.is_nonzero(bits),
            Value::Pointer(cases) => {
                let mut result = FALSE;
                for case in cases.iter() {
                    let here = match case.base {
                        Base::Number => self.is_nonzero(&case.offset.bits()),
                        _ => TRUE,
                    };
                    let here = self.and(case.guard, here);
                    result = self.or(result, here);
                }
                result
            }
        }
    }

    /// Do both pointers lead to the same place?
    pub(crate) fn same_address(&mut self, a: &Value, b: &Value) -> Lit {
        let mut result = FALSE;
        for x in a.cases().iter() {
            for y in b.cases().iter() {
                let number = match (x.base, y.base) {
                    (Base::Number, Base::Object(_)) => Some(x),
                    (Base::Object(_), Base::Number) => Some(y),
                    _ => None,
                };
                if let Some(number) = number {
                    // Where an object is, nobody knows; at 0 there is none.
                    let nonzero = self.is_nonzero(&number.offset.bits());
                    if nonzero != FALSE {
                        let there = self.input();
                        let both = self.and(x.guard, y.guard);
                        let both = self.and(both, nonzero);
                        let both = self.and(both, there);
                        result = self.or(result, both);
                    }
                }
                if x.base == y.base {
                    let both = self.and(x.guard, y.guard);
                    let same = self.equal_words(&x.offset.bits(), &y.offset.bits());
                    let both = self.and(both, same);
                    result = self.or(result, both);
                }
            }
        }
        result
    }
}
