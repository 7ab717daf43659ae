//! The direction in which the weights of an automaton are extended, as part of the type (Lal,
//! Touili, Kidd, Reps 2007, § 4.1).
//!
//! Along a path that reads a configuration from the top of its stack, pre\* extends weights as they
//! are read: it is read *forward*. post\* extends them the other way, the bottom of the stack
//! first: it is read *backward*. Read in the wrong direction, an automaton gives weights that
//! belong to no configuration. So functions that read an automaton take a [`Read`], whose type
//! contains the direction.

use super::automaton::PAutomaton;
use std::marker::PhantomData;
use std::ops::Deref;

/// The top of the stack first: pre\*.
#[derive(Debug)]
pub struct Forward;

/// The bottom of the stack first: post\*.
#[derive(Debug)]
pub struct Backward;

/// An automaton with the direction `D` in which it is read.
#[derive(Debug)]
pub struct Read<'a, W, D>(&'a PAutomaton<W>, PhantomData<D>);

impl<'a, W, D> Read<'a, W, D> {
    /// Marks an automaton that was made to be read in this direction.
    pub fn of(automaton: &'a PAutomaton<W>) -> Read<'a, W, D> {
        Read(automaton, PhantomData)
    }
}

impl<W, D> Clone for Read<'_, W, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W, D> Copy for Read<'_, W, D> {}

impl<W, D> Deref for Read<'_, W, D> {
    type Target = PAutomaton<W>;
    fn deref(&self) -> &PAutomaton<W> {
        self.0
    }
}
