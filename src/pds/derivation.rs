//! Runs read off unweighted saturations.
//!
//! Without weights a transition is derived once, from transitions with smaller numbers. So a
//! configuration that the saturated automaton accepts can be followed back, transition by
//! transition, to the automaton that was given. Each step back gives a rule of the run, or no rule.
//! (Schwoon 2002, 3.1.6, keeps rules as labels of transitions; here the order of the numbers is
//! enough.)

use super::automaton::{PAutomaton, State, Transition};
use super::poststar::PostStar;
use super::system::{ControlLocation, Pds, Right, RuleId};
use super::weights::ForwardWeights;
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;

/// The most steps back without a rule for each step with a rule.
const PATIENCE: usize = 64;

/// The part of a run that a saturation knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The rules in the order in which they are applied.
    pub rules: Vec<RuleId>,
    /// The numbers of the given automaton's transitions that read the run's other end, top of the
    /// stack first.
    pub given: Vec<u32>,
    /// The control location at the other end.
    pub location: ControlLocation,
}

/// Why post\* made a transition.
#[derive(Clone, Copy)]
enum Forward {
    /// It begins a callee. The transition below it names the push rule.
    Entry,
    /// A step or pop rule was applied to this transition.
    Rule(RuleId, u32),
    /// A callee returned by this ε transition to the transition that waits below it.
    Return(u32, u32),
}

/// A run from the set of the given automaton to a configuration at `location` that a finished or
/// unfinished post\* accepts by the transitions `path`. `given`: the number of transitions that the
/// automaton had at the start. Error: more than `longest` rules (depth).
pub fn derive_forward<D: ForwardWeights>(
    pds: &Pds,
    post: &PostStar<D>,
    given: u32,
    location: ControlLocation,
    path: &[u32],
    longest: usize,
) -> Bounded<Derived> {
    let automaton = post.automaton();
    let mut pops: FxHashMap<ControlLocation, Vec<RuleId>> = FxHashMap::default();
    for &rule in pds.pops() {
        pops.entry(pds.rule(rule).to).or_default().push(rule);
    }
    let mut known: FxHashMap<u32, Forward> = FxHashMap::default();
    // The last transition of the list is led back next.
    let mut path: Vec<u32> = path.iter().rev().copied().collect();
    let mut rules = Vec::new();
    let mut location = location;
    let mut silent = 0;
    while let Some(&id) = path.last() {
        if id < given {
            break;
        }
        let how = *known.entry(id).or_insert_with(|| forward(pds, post, &pops, id));
        path.pop();
        match how {
            Forward::Rule(rule, source) => {
                path.push(source);
                rules.push(rule);
                location = pds.rule(rule).from;
            }
            Forward::Return(epsilon, below) => {
                path.extend([below, epsilon]);
                silent += 1;
            }
            Forward::Entry => {
                let below =
                    automaton.transition(path.pop().expect("something waits below a callee"));
                let rule = below.via.expect("what waits below a callee was pushed by a rule");
                let caller = Transition {
                    from: State::from(pds.rule(rule).from),
                    symbol: Some(pds.rule(rule).symbol),
                    to: below.to,
                    via: None,
                };
                path.push(automaton.find(caller).expect("a push rule was applied to a transition"));
                rules.push(rule);
                location = pds.rule(rule).from;
            }
        }
        if rules.len() > longest || silent > PATIENCE * longest {
            return Err(Limit::Depth);
        }
    }
    rules.reverse();
    path.reverse();
    Ok(Derived { rules, given: path, location })
}

fn forward<D: ForwardWeights>(
    pds: &Pds,
    post: &PostStar<D>,
    pops: &FxHashMap<ControlLocation, Vec<RuleId>>,
    id: u32,
) -> Forward {
    let automaton = post.automaton();
    let t = automaton.transition(id);
    let p = automaton
        .control(t.from)
        .expect("only control locations get transitions that are led back");
    let before = |transition: Transition| automaton.find(transition).filter(|source| *source < id);
    let applied = |rule: RuleId| {
        let left = pds.rule(rule);
        before(Transition {
            from: State::from(left.from),
            symbol: Some(left.symbol),
            to: t.to,
            via: None,
        })
        .map(|k| Forward::Rule(rule, k))
    };
    let Some(symbol) = t.symbol else {
        let found = pops.get(&p).into_iter().flatten().find_map(|rule| applied(*rule));
        return found.expect("an epsilon transition comes from a pop rule");
    };
    if post.middle(p, symbol) == Some(t.to) {
        return Forward::Entry;
    }
    let step = |rule: &&RuleId| matches!(pds.rule(**rule).right, Right::Step(_));
    if let Some(found) = pds.to_head(p, symbol).iter().filter(step).find_map(|rule| applied(*rule))
    {
        return found;
    }
    let returned = automaton
        .outgoing(t.from)
        .iter()
        .filter(|k| **k < id && automaton.transition(**k).symbol.is_none());
    let found = returned.copied().find_map(|epsilon| {
        let middle = automaton.transition(epsilon).to;
        let waits = |k: &&u32| {
            let below = automaton.transition(**k);
            **k < id && below.symbol == t.symbol && below.to == t.to
        };
        automaton.outgoing(middle).iter().find(waits).map(|below| Forward::Return(epsilon, *below))
    });
    found.expect("a transition of post* comes from a rule or from a return")
}

/// A run from the configuration at `location` that an unweighted pre\* accepts by the transitions
/// `path`, to the set of the given automaton. Error: more than `longest` rules (depth).
pub fn derive_backward<W>(
    pds: &Pds,
    automaton: &PAutomaton<W>,
    given: u32,
    location: ControlLocation,
    path: &[u32],
    longest: usize,
) -> Bounded<Derived> {
    let mut known: FxHashMap<u32, (RuleId, Option<u32>, Option<u32>)> = FxHashMap::default();
    let mut path: Vec<u32> = path.iter().rev().copied().collect();
    let mut rules = Vec::new();
    let mut location = location;
    while let Some(&id) = path.last() {
        if id < given {
            break;
        }
        let (rule, top, below) = *known.entry(id).or_insert_with(|| backward(pds, automaton, id));
        path.pop();
        path.extend(below);
        path.extend(top);
        rules.push(rule);
        location = pds.rule(rule).to;
        if rules.len() > longest {
            return Err(Limit::Depth);
        }
    }
    path.reverse();
    Ok(Derived { rules, given: path, location })
}

/// The rule from which a transition of pre\* comes, and the transitions that read its right side:
/// the top, and the symbol below it.
fn backward<W>(
    pds: &Pds,
    automaton: &PAutomaton<W>,
    id: u32,
) -> (RuleId, Option<u32>, Option<u32>) {
    let t = automaton.transition(id);
    let p = automaton.control(t.from).expect("only control locations get transitions");
    let symbol = t.symbol.expect("pre* makes no epsilon transitions");
    let before = |from: State, symbol, to: State| {
        automaton
            .find(Transition { from, symbol: Some(symbol), to, via: None })
            .filter(|source| *source < id)
    };
    let found = pds.from_head(p, symbol).iter().find_map(|&rule| {
        let right = pds.rule(rule);
        let to = State::from(right.to);
        match right.right {
            Right::Pop => (to == t.to).then_some((rule, None, None)),
            Right::Step(top) => before(to, top, t.to).map(|top| (rule, Some(top), None)),
            Right::Push(top, below) => automaton.outgoing(to).iter().find_map(|&first| {
                let callee = automaton.transition(first);
                let reads = first < id && callee.symbol == Some(top);
                let rest = if reads { before(callee.to, below, t.to) } else { None };
                rest.map(|rest| (rule, Some(first), Some(rest)))
            }),
        }
    });
    found.expect("a transition of pre* comes from a rule")
}
