//! Rules: automata over the calls of a C program that stands unchanged beside them (Ball and
//! Rajamani 2001, SLIC).
//!
//! A rule is read (`read`) and woven into the syntax tree (`weave`): its state, its counters
//! and the object of which it speaks become global variables, and each procedure that it names gets
//! a monitor (`monitor`), so that every analysis sees a broken rule as it sees an assertion that
//! fails.
//!
//! A rule `for m` has one automaton for each object. One is enough: the program starts by choosing
//! an address, any, and the automaton follows the object that stands there. A rule is broken for
//! some object if and only if it is broken for some choice.

mod asked;
pub(in crate::lang) mod calls;
mod library;
mod monitor;
mod objects;
mod read;
mod weave;

use crate::lang::model::{Origin, Program, Span};
use crate::lang::syntax::Expr;

pub(in crate::lang) use asked::asked;
pub use library::{built_in, names};
pub(in crate::lang) use monitor::{ANY_ADDRESS, BROKEN, SAME_ADDRESS};
pub(in crate::lang) use read::read_rules;
pub(in crate::lang) use weave::weave;

/// Reads the rules of a text, only to know what is wrong with them.
pub fn check(name: &str, text: &str) -> Result<(), RuleMistake> {
    read_rules(name, text, 0).map(|_| ())
}

/// What is wrong with the text of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleMistake {
    /// Its line in the text of the rule, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

/// An automaton over calls.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Rule {
    /// The name by which messages and variables call it.
    pub(in crate::lang) name: String,
    /// The object that it speaks of, if it has one automaton for each.
    pub(in crate::lang) object: Option<String>,
    /// The first one is where it starts.
    pub(in crate::lang) states: Vec<String>,
    pub(in crate::lang) counters: Vec<Counter>,
    /// In the order of the text: the first one that fits is taken.
    pub(in crate::lang) transitions: Vec<Transition>,
}

/// An automaton in the program that it was woven into.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Automaton {
    /// The variable that holds its state.
    variable: String,
    /// By number.
    states: Vec<String>,
}

/// Notes which variables hold the states of rules, so that steps tell them.
pub(in crate::lang) fn name_states(program: &mut Program, automata: &[Automaton]) {
    for variable in &mut program.variables {
        if let Some(found) = automata.iter().find(|one| one.variable == variable.name) {
            variable.origin = Origin::Rule(found.states.clone());
        }
    }
}

/// A counter of a rule; it starts at 0.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Counter {
    pub(in crate::lang) name: String,
    /// Runs that count further are cut off.
    pub(in crate::lang) most: u32,
}

#[derive(Clone, Debug)]
pub(in crate::lang) struct Transition {
    /// Indices of states, ascending.
    pub(in crate::lang) states: Vec<usize>,
    pub(in crate::lang) event: Event,
    pub(in crate::lang) condition: Option<Expr>,
    pub(in crate::lang) updates: Vec<Update>,
    pub(in crate::lang) ending: Ending,
    pub(in crate::lang) line: u32,
}

/// When a monitor acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lang) enum Moment {
    /// Before a procedure runs.
    Call,
    /// After it returned.
    Return,
    /// When `main` returns, and at `exit`.
    Exit,
}

#[derive(Clone, Debug)]
pub(in crate::lang) struct Event {
    pub(in crate::lang) moment: Moment,
    /// Empty at the exit.
    pub(in crate::lang) procedure: String,
    pub(in crate::lang) arguments: Arguments,
    /// The name of the result.
    pub(in crate::lang) result: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lang) enum Arguments {
    /// As many as there are.
    Any,
    /// So many; those without a name are not looked at.
    These(Vec<Option<String>>),
}

impl Event {
    /// The position of an argument.
    pub(in crate::lang) fn position(&self, name: &str) -> Option<usize> {
        match &self.arguments {
            Arguments::Any => None,
            Arguments::These(list) => list.iter().position(|one| one.as_deref() == Some(name)),
        }
    }
}

/// A counter gets a value.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Update {
    pub(in crate::lang) counter: usize,
    /// Is it added to the old value?
    pub(in crate::lang) adds: bool,
    pub(in crate::lang) value: i64,
}

/// What a transition leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lang) enum Ending {
    State(usize),
    /// The state stays.
    Stay,
    /// The rule is broken.
    Error(String),
    /// The run does not count.
    Stop,
}

/// The rule that is broken where a check of the program model fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The name of the rule.
    pub rule: String,
    /// What the rule says of it.
    pub text: String,
    /// The state that it was in, of which object if it speaks of one.
    pub state: String,
    /// Is it broken where the program ends, and not at a call?
    pub at_exit: bool,
}

impl Broken {
    /// "locked twice, by `mutex_lock(&a)` (rule mutex: m is held)".
    pub fn message(&self, event: &str) -> String {
        let place = match self.at_exit {
            true => "when the program ends".to_string(),
            false => format!("by `{event}`"),
        };
        format!("{}, {place} (rule {}: {})", self.text, self.rule, self.state)
    }
}

/// Moves all spans of an expression.
pub(in crate::lang) fn at(mut e: Expr, span: Span) -> Expr {
    let mut stack = vec![&mut e];
    while let Some(e) = stack.pop() {
        e.span = span;
        e.children_mut(&mut stack);
    }
    e
}
