//! post\* and pre\* as the textbooks print them: apply every rule to every transition until nothing
//! changes.
//!
//! Tests compare the tuned saturations with these. They have no worklist and no differences, and
//! callees start with weight 1.

use super::automaton::{PAutomaton, State, Transition};
use super::plain::Plain;
use super::system::{ControlLocation, Pds, Right, StackSymbol};
use crate::semiring::Semiring;
use crate::util::Bounded;
use std::collections::BTreeMap;

fn raise<S: Semiring>(
    semiring: &mut S,
    automaton: &mut PAutomaton<S::Weight>,
    transition: Transition,
    weight: S::Weight,
) -> Bounded<bool> {
    if semiring.is_zero(&weight) {
        return Ok(false);
    }
    match automaton.find(transition) {
        None => {
            automaton.insert(transition, weight);
            Ok(true)
        }
        Some(id) => {
            let new = semiring.combine(automaton.weight(id), &weight)?;
            let changed = new != *automaton.weight(id);
            automaton.set_weight(id, new);
            Ok(changed)
        }
    }
}

/// post\* of the configurations that `automaton` accepts (Reps, Schwoon, Jha, Melski 2005, § 3.1).
/// Read the result backward. The weight of a symbol below a callee includes the push rule's weight
/// here, so there is no [`Transition::via`].
pub fn poststar<S: Semiring>(
    pds: &Pds,
    domain: &mut Plain<S>,
    mut automaton: PAutomaton<S::Weight>,
) -> Bounded<PAutomaton<S::Weight>> {
    let mut middles: BTreeMap<(ControlLocation, StackSymbol), State> = BTreeMap::new();
    for rule in pds.rules() {
        if let Right::Push(top, _) = rule.right {
            middles.entry((rule.to, top)).or_insert_with(|| automaton.add_state());
        }
    }
    loop {
        let mut changed = false;
        for id in 0..automaton.transitions().len() as u32 {
            let (t, w) = (automaton.transition(id), automaton.weight(id).clone());
            let Some(symbol) = t.symbol else {
                for k in 0..automaton.outgoing(t.to).len() {
                    let id = automaton.outgoing(t.to)[k];
                    let below = automaton.transition(id);
                    let weight = domain.semiring.extend(automaton.weight(id), &w)?;
                    changed |= raise(
                        &mut domain.semiring,
                        &mut automaton,
                        Transition { from: t.from, ..below },
                        weight,
                    )?;
                }
                continue;
            };
            let Some(p) = automaton.control(t.from) else { continue };
            for &rule in pds.from_head(p, symbol) {
                let f = domain.weights[rule].clone();
                let rule = pds.rule(rule);
                let weight = domain.semiring.extend(&w, &f)?;
                let target = State::from(rule.to);
                let s = &mut domain.semiring;
                match rule.right {
                    Right::Pop => {
                        changed |= raise(
                            s,
                            &mut automaton,
                            Transition { from: target, symbol: None, ..t },
                            weight,
                        )?
                    }
                    Right::Step(top) => {
                        changed |= raise(
                            s,
                            &mut automaton,
                            Transition { from: target, symbol: Some(top), ..t },
                            weight,
                        )?
                    }
                    Right::Push(top, below) => {
                        let middle = middles[&(rule.to, top)];
                        let one = s.one()?;
                        changed |= raise(
                            s,
                            &mut automaton,
                            Transition { from: target, symbol: Some(top), to: middle, via: None },
                            one,
                        )?;
                        changed |= raise(
                            s,
                            &mut automaton,
                            Transition { from: middle, symbol: Some(below), ..t },
                            weight,
                        )?;
                    }
                }
            }
        }
        if !changed {
            return Ok(automaton);
        }
    }
}

/// pre\* of the configurations that `automaton` accepts (Reps, Schwoon, Jha, Melski 2005, § 3.2).
/// Read the result forward.
pub fn prestar<S: Semiring>(
    pds: &Pds,
    domain: &mut Plain<S>,
    mut automaton: PAutomaton<S::Weight>,
) -> Bounded<PAutomaton<S::Weight>> {
    loop {
        let mut changed = false;
        for (k, rule) in pds.rules().iter().enumerate() {
            let f = domain.weights[k].clone();
            let mut found: Vec<(State, S::Weight)> = Vec::new();
            match rule.right {
                Right::Pop => found.push((State::from(rule.to), f)),
                Right::Step(top) => {
                    for (to, w) in reading(&automaton, State::from(rule.to), top) {
                        found.push((to, domain.semiring.extend(&f, &w)?));
                    }
                }
                Right::Push(top, below) => {
                    for (middle, w) in reading(&automaton, State::from(rule.to), top) {
                        for (to, v) in reading(&automaton, middle, below) {
                            let called = domain.semiring.extend(&f, &w)?;
                            found.push((to, domain.semiring.extend(&called, &v)?));
                        }
                    }
                }
            }
            for (to, weight) in found {
                let transition = Transition {
                    from: State::from(rule.from),
                    symbol: Some(rule.symbol),
                    to,
                    via: None,
                };
                changed |= raise(&mut domain.semiring, &mut automaton, transition, weight)?;
            }
        }
        if !changed {
            return Ok(automaton);
        }
    }
}

fn reading<W: Clone>(
    automaton: &PAutomaton<W>,
    from: State,
    symbol: StackSymbol,
) -> Vec<(State, W)> {
    let ids = automaton
        .outgoing(from)
        .iter()
        .filter(|id| automaton.transition(**id).symbol == Some(symbol));
    ids.map(|id| (automaton.transition(*id).to, automaton.weight(*id).clone())).collect()
}
