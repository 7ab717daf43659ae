//! Observers of a saturation. They are told which transition a step looks at, what it changes, and
//! why.
//!
//! post\* and pre\* tell an [`Observer`] about every change. The observer `()` ignores all
//! of them and takes no time.

use super::system::RuleId;

/// A transition to which a rule was applied, and how much of its weight the derivation uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Number of the transition.
    pub transition: u32,
    /// Is it the whole weight, or only what it has gained since it was looked at the last time?
    pub whole: bool,
}

impl Premise {
    /// The premise: what a transition has gained, when it is looked at.
    pub(super) fn gained(transition: u32) -> Premise {
        Premise { transition, whole: false }
    }

    /// The premise: the whole weight of a transition.
    pub(super) fn whole(transition: u32) -> Premise {
        Premise { transition, whole: true }
    }
}

/// Why a transition has a part of its weight; `P` is a premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation<P> {
    /// It belongs to the given automaton.
    Given,
    /// A step rule was applied. In post\* this is also the case for a pop rule.
    Rule(RuleId, P),
    /// pre\*: a pop rule was applied.
    Pop(RuleId),
    /// post\*: a push rule begins a callee.
    Entry(RuleId, P),
    /// post\*: a push rule leaves its second symbol below its callee. The weight is the one at the
    /// call.
    Below(RuleId, P),
    /// post\*: a callee returned.
    Return {
        /// A transition with the caller's weight at the call: the one that waits below the callee,
        /// or the caller's transition itself.
        call: P,
        /// The push rule. `None`: the waiting transition was given and comes from no rule.
        rule: Option<RuleId>,
        /// The callee's summary.
        epsilon: P,
    },
    /// pre\*: a push rule.
    Push {
        /// The rule.
        rule: RuleId,
        /// The transition that reads its first symbol.
        callee: P,
        /// The transition that reads its second symbol.
        below: P,
    },
    /// Rounds of a loop were summed up.
    Rounds(P),
}

impl<P: Copy> Derivation<P> {
    /// The rule that was applied. For a return this is the rule of the call.
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

    /// The premises to which it was applied.
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

    /// The same derivation with other premises.
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

/// Something that is told what a saturation does.
pub trait Observer<W> {
    /// A step begins with this transition.
    fn looks_at(&mut self, transition: u32);
    /// The weight of a transition is raised to `whole` by `added`, or the transition is new.
    /// `added` is all that was derived, even if a part of it was there before.
    fn changes(&mut self, transition: u32, added: &W, whole: &W, derivation: Derivation<Premise>);
}

impl<W> Observer<W> for () {
    fn looks_at(&mut self, _: u32) {}
    fn changes(&mut self, _: u32, _: &W, _: &W, _: Derivation<Premise>) {}
}
