//! Watching a saturation: what a step looks at, and what it changes and why.
//!
//! post\* and pre\* tell an [`Observer`] about every change. The observer `()` ignores all
//! of them and takes no time.

use super::system::RuleId;

/// A transition that a rule was applied to, and how much of its weight went into what was derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Number of the transition.
    pub transition: u32,
    /// Its whole weight, or only what it had gained since it was looked at the last time?
    pub whole: bool,
}

impl Premise {
    /// What the transition that is looked at has gained.
    pub(super) fn gained(transition: u32) -> Premise {
        Premise { transition, whole: false }
    }

    /// All that a transition weighs.
    pub(super) fn whole(transition: u32) -> Premise {
        Premise { transition, whole: true }
    }
}

/// Why a transition has a part of its weight; `P` is a premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation<P> {
    /// It is one of the automaton that was given.
    Given,
    /// A step rule; in post\* also a pop rule.
    Rule(RuleId, P),
    /// pre\*: a pop rule.
    Pop(RuleId),
    /// post\*: a push rule begins a callee.
    Entry(RuleId, P),
    /// post\*: a push rule leaves its second symbol below its callee. The weight is that at the
    /// call.
    Below(RuleId, P),
    /// post\*: a callee returned.
    Return {
        /// What weighs as the caller did at the call: what waits below the callee, or the caller's
        /// transition itself.
        call: P,
        /// The push rule; `None` where no rule put there what waits.
        rule: Option<RuleId>,
        /// The callee's summary.
        epsilon: P,
    },
    /// pre\*: a push rule.
    Push {
        /// The rule.
        rule: RuleId,
        /// Reads its first symbol.
        callee: P,
        /// Reads its second symbol.
        below: P,
    },
    /// Rounds of a loop were summed up.
    Rounds(P),
}

impl<P: Copy> Derivation<P> {
    /// The rule that was applied (for a return: the call's).
    pub fn rule(self) -> Option<RuleId> {
        match self {
            Derivation::Rule(rule, _)
            | Derivation::Pop(rule)
            | Derivation::Entry(rule, _)
            | Derivation::Below(rule, _)
            | Derivation::Push { rule, .. } => Some(rule),
            Derivation::Return { rule, .. } => rule,
            Derivation::Given | Derivation::Rounds(_) => None,
        }
    }

    /// What it was applied to.
    pub fn premises(self) -> impl Iterator<Item = P> {
        let (first, second) = match self {
            Derivation::Given | Derivation::Pop(_) => (None, None),
            Derivation::Rule(_, one)
            | Derivation::Entry(_, one)
            | Derivation::Below(_, one)
            | Derivation::Rounds(one) => (Some(one), None),
            Derivation::Return { call, epsilon, .. } => (Some(call), Some(epsilon)),
            Derivation::Push { callee, below, .. } => (Some(callee), Some(below)),
        };
        first.into_iter().chain(second)
    }

    /// The same of other premises.
    pub fn map<Q>(self, mut premise: impl FnMut(P) -> Q) -> Derivation<Q> {
        match self {
            Derivation::Given => Derivation::Given,
            Derivation::Rule(rule, source) => Derivation::Rule(rule, premise(source)),
            Derivation::Pop(rule) => Derivation::Pop(rule),
            Derivation::Entry(rule, caller) => Derivation::Entry(rule, premise(caller)),
            Derivation::Below(rule, caller) => Derivation::Below(rule, premise(caller)),
            Derivation::Return { call, rule, epsilon } => {
                Derivation::Return { call: premise(call), rule, epsilon: premise(epsilon) }
            }
            Derivation::Push { rule, callee, below } => {
                Derivation::Push { rule, callee: premise(callee), below: premise(below) }
            }
            Derivation::Rounds(before) => Derivation::Rounds(premise(before)),
        }
    }
}

/// Is told what a saturation does.
pub trait Observer<W> {
    /// A step begins with this transition.
    fn looks_at(&mut self, transition: u32);
    /// A transition's weight is raised to `whole` by `added` (all that was derived, also what it
    /// had before), or the transition is new.
    fn changes(&mut self, transition: u32, added: &W, whole: &W, derivation: Derivation<Premise>);
}

impl<W> Observer<W> for () {
    fn looks_at(&mut self, _: u32) {}
    fn changes(&mut self, _: u32, _: &W, _: &W, _: Derivation<Premise>) {}
}
