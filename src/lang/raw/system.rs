//! A raw pushdown system as plain data.

use super::stack_expression::StackExpression;
use super::transformer::Transformer;
use crate::lang::model::Span;
use smallvec::SmallVec;
use std::rc::Rc;

pub use super::names::{StateId, SymbolId};

/// The symbols that replace the top of a stack, the new top first. Systems have many rules, so two
/// symbols need no memory of their own.
pub type RightSide = SmallVec<[SymbolId; 2]>;

/// ⟨from, symbol⟩ ↪ ⟨to, right⟩.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRule {
    /// Control state before.
    pub from: StateId,
    /// Top of the stack before.
    pub symbol: SymbolId,
    /// Control state after.
    pub to: StateId,
    /// What replaces the top: at most two symbols, the new top first.
    pub right: RightSide,
    /// The cost of applying it; 1 if [`RawSystem::weights`] are no numbers.
    pub weight: u32,
    /// The effect of applying it on variables; no effect if [`RawSystem::weights`] have no
    /// variables.
    pub effect: Rc<Transformer>,
    /// Place in the text.
    pub span: Span,
}

/// What the rules' weights are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RawWeights {
    /// Rules have none.
    #[default]
    Boolean,
    /// Natural numbers; a run weighs their sum, and the least one counts.
    MinPath,
    /// Relations between stores: a run must find values with which all its rules go.
    Relation(Vec<RawVariable>),
    /// Assignments of affine expressions to integers, modulo 2^w if that is given.
    Affine {
        /// Names, all different.
        variables: Vec<String>,
        /// w.
        modulo: Option<u32>,
    },
    /// The same assignments over all integers, of which only constants and single expressions are
    /// followed: safe, not exact.
    Constants(Vec<String>),
}

/// A variable of relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawVariable {
    /// Its name.
    pub name: String,
    /// Its values are 0 to 2^bits - 1.
    pub bits: u32,
}

impl RawWeights {
    /// Names of the variables.
    pub fn variables(&self) -> Vec<String> {
        match self {
            RawWeights::Boolean | RawWeights::MinPath => Vec::new(),
            RawWeights::Relation(variables) => {
                variables.iter().map(|variable| variable.name.clone()).collect()
            }
            RawWeights::Affine { variables, .. } | RawWeights::Constants(variables) => {
                variables.clone()
            }
        }
    }

    /// The text after `weights`: `relation x {0..7}`.
    pub fn print(&self) -> String {
        match self {
            RawWeights::Boolean => "boolean".to_string(),
            RawWeights::MinPath => "minpath".to_string(),
            RawWeights::Relation(variables) => {
                let groups = variables.chunk_by(|a, b| a.bits == b.bits);
                let group = |group: &[RawVariable]| {
                    let names: Vec<&str> =
                        group.iter().map(|variable| variable.name.as_str()).collect();
                    format!("{} {{0..{}}}", names.join(" "), (1u64 << group[0].bits) - 1)
                };
                format!("relation {}", groups.map(group).collect::<Vec<_>>().join(", "))
            }
            RawWeights::Affine { variables, modulo: None } => {
                format!("affine {}", variables.join(" "))
            }
            RawWeights::Affine { variables, modulo: Some(width) } => {
                format!("affine {} modulo 2^{width}", variables.join(" "))
            }
            RawWeights::Constants(variables) => format!("constants {}", variables.join(" ")),
        }
    }
}

/// One line of a set: a control state and a regular expression over stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Control state.
    pub state: StateId,
    /// Its stacks, top first.
    pub stack: StackExpression,
    /// Place in the text.
    pub span: Span,
}

/// A state of a [`ConfigurationAutomaton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A control state: reading starts there.
    Control(StateId),
    /// Another one, counted from 0.
    Inner(u32),
}

/// An automaton that accepts ⟨p, w⟩ iff it can read w from p to an accepting state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigurationAutomaton {
    /// Number of inner states.
    pub inner: u32,
    /// From, label (`None` reads nothing), to. Edges into control states are allowed.
    pub edges: Vec<(Node, Option<SymbolId>, Node)>,
    /// Accepting states.
    pub accepting: Vec<Node>,
    /// Place in the text.
    pub span: Span,
}

/// A regular set of configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigurationSet {
    /// The union of these lines.
    Described(Vec<Described>),
    /// What an automaton accepts.
    Automaton(ConfigurationAutomaton),
}

/// Configurations by state and top of the stack, whatever is below: what an atom speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomHead {
    /// The control state; any, if none is given.
    pub state: Option<StateId>,
    /// The top.
    pub top: AtomTop,
}

/// The top of a stack in an [`AtomHead`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomTop {
    /// The stack is empty.
    Empty,
    /// Any symbol.
    Any,
    /// This one.
    Symbol(SymbolId),
}

/// A name in formulas: it holds in the configurations with one of these heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawAtom {
    /// The name.
    pub name: String,
    /// In the order of the text.
    pub heads: Vec<AtomHead>,
}

/// A raw pushdown system with its initial and target configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawSystem {
    /// Names of control states, all different.
    pub states: Vec<String>,
    /// Names of stack symbols, all different.
    pub symbols: Vec<String>,
    /// What the rules' weights are.
    pub weights: RawWeights,
    /// Rules in source order.
    pub rules: Vec<RawRule>,
    /// Where runs start.
    pub initial: ConfigurationSet,
    /// The configurations that runs should reach.
    pub target: ConfigurationSet,
    /// The names that formulas use, all different.
    pub atoms: Vec<RawAtom>,
}

impl RawSystem {
    /// A state's name.
    pub fn state(&self, id: StateId) -> &str {
        self.states.get(id.0 as usize).map_or("?", String::as_str)
    }

    /// A symbol's name.
    pub fn symbol(&self, id: SymbolId) -> &str {
        self.symbols.get(id.0 as usize).map_or("?", String::as_str)
    }

    /// `<p, b a>`, or `<p>` for the empty stack.
    pub fn configuration(&self, state: StateId, stack: &[SymbolId]) -> String {
        if stack.is_empty() {
            return format!("<{}>", self.state(state));
        }
        let symbols: Vec<&str> = stack.iter().map(|s| self.symbol(*s)).collect();
        format!("<{}, {}>", self.state(state), symbols.join(" "))
    }

    /// `<p, a> -> <q, b a>`, with weights `<p, a> -> <q, b a>  7` or
    /// `<p, a> -> <q, b a>  x := x + 1`.
    pub fn rule(&self, rule: &RawRule) -> String {
        let text = format!(
            "{} -> {}",
            self.configuration(rule.from, &[rule.symbol]),
            self.configuration(rule.to, &rule.right)
        );
        match self.weight(rule) {
            weight if weight.is_empty() => text,
            weight => format!("{text}  {weight}"),
        }
    }

    /// The weight of a rule as text: `7`, or `x > 0, x := x - 1`. Empty if it has no weight, or no
    /// effect on variables.
    pub fn weight(&self, rule: &RawRule) -> String {
        match &self.weights {
            RawWeights::Boolean => String::new(),
            RawWeights::MinPath => rule.weight.to_string(),
            weights => rule.effect.print(&weights.variables()),
        }
    }

    /// The same system without places in the text. Two such systems are equal iff they mean the
    /// same.
    pub fn without_places(mut self) -> RawSystem {
        for rule in &mut self.rules {
            rule.span = Span::default();
        }
        for set in [&mut self.initial, &mut self.target] {
            match set {
                ConfigurationSet::Described(lines) => {
                    lines.iter_mut().for_each(|line| line.span = Span::default())
                }
                ConfigurationSet::Automaton(automaton) => automaton.span = Span::default(),
            }
        }
        self
    }
}

impl ConfigurationSet {
    /// The line of its text.
    pub fn line(&self) -> u32 {
        match self {
            ConfigurationSet::Described(lines) => lines.first().map_or(1, |line| line.span.line),
            ConfigurationSet::Automaton(automaton) => automaton.span.line,
        }
    }
}
