//! Unweighted pushdown systems by the textbook: post\* and pre\* as in Schwoon (2002), Algorithms 1
//! and 2.
//!
//! The system is given as a function from heads ⟨p, γ⟩ to right sides, so that only the reachable
//! part of it is ever built.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

pub type Control = u32;
pub type Symbol = u32;

/// Right side of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    Pop(Control),
    Step(Control, Symbol),
    Push(Control, Symbol, Symbol),
}

/// Where rules come from; `None` when there would be too many.
pub trait System {
    fn rules(&mut self, control: Control, symbol: Symbol) -> Option<Vec<Right>>;
}

/// States of both automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// A control location.
    Control(Control),
    /// Of post\*: the state (p', γ') of a rule that pushes; in initial automata, any made-up state.
    Middle(Control, Symbol),
    /// Accepting. In pre\* it also loops with every symbol: the target is ⟨p, Γ*⟩.
    Final,
}

/// A transition without ε.
pub type Transition = (State, Symbol, State);

/// The rules met while saturating, and the automaton.
pub struct Post {
    pub rules: Rules,
    pub transitions: FxHashSet<Transition>,
    /// By source.
    pub from: FxHashMap<State, Vec<(Symbol, State)>>,
}

/// Rules by their left sides.
pub type Rules = FxHashMap<(Control, Symbol), Vec<Right>>;

/// post\* of the configurations that `initial` accepts; `None` past `cap` transitions, or when the
/// system gives up.
pub fn poststar(system: &mut impl System, initial: &[Transition], cap: usize) -> Option<Post> {
    let mut post = Post {
        rules: FxHashMap::default(),
        transitions: FxHashSet::default(),
        from: FxHashMap::default(),
    };
    let mut epsilon: FxHashSet<(Control, State)> = FxHashSet::default();
    let mut epsilon_into: FxHashMap<State, Vec<Control>> = FxHashMap::default();
    let mut work: VecDeque<(State, Option<Symbol>, State)> = VecDeque::new();
    for (from, symbol, to) in initial {
        match from {
            State::Control(_) => work.push_back((*from, Some(*symbol), *to)),
            _ => post.add(*from, *symbol, *to),
        }
    }
    while let Some((from, symbol, to)) = work.pop_front() {
        let State::Control(control) = from else {
            unreachable!("only transitions from control locations are waiting")
        };
        let Some(symbol) = symbol else {
            if epsilon.insert((control, to)) {
                epsilon_into.entry(to).or_default().push(control);
                for (symbol, target) in post.from.get(&to).into_iter().flatten() {
                    work.push_back((from, Some(*symbol), *target));
                }
            }
            continue;
        };
        if post.transitions.contains(&(from, symbol, to)) {
            continue;
        }
        if post.transitions.len() >= cap {
            return None;
        }
        post.add(from, symbol, to);
        if let Entry::Vacant(unknown) = post.rules.entry((control, symbol)) {
            unknown.insert(system.rules(control, symbol)?);
        }
        for right in post.rules[&(control, symbol)].clone() {
            match right {
                Right::Pop(next) => work.push_back((State::Control(next), None, to)),
                Right::Step(next, top) => work.push_back((State::Control(next), Some(top), to)),
                Right::Push(next, top, below) => {
                    let middle = State::Middle(next, top);
                    work.push_back((State::Control(next), Some(top), middle));
                    if !post.transitions.contains(&(middle, below, to)) {
                        post.add(middle, below, to);
                        for control in epsilon_into.get(&middle).into_iter().flatten() {
                            work.push_back((State::Control(*control), Some(below), to));
                        }
                    }
                }
            }
        }
    }
    Some(post)
}

impl Post {
    fn add(&mut self, from: State, symbol: Symbol, to: State) {
        if self.transitions.insert((from, symbol, to)) {
            self.from.entry(from).or_default().push((symbol, to));
        }
    }
}

/// Source and symbol of a transition.
type Head = (State, Symbol);

/// An automaton by source and symbol.
pub struct Pre {
    targets: FxHashMap<(State, Symbol), Vec<State>>,
}

impl Pre {
    pub fn targets(&self, from: State, symbol: Symbol) -> &[State] {
        self.targets.get(&(from, symbol)).map_or(&[], |t| t.as_slice())
    }
}

/// pre\* of all configurations with control location `error`, under the rules that post\* met.
pub fn prestar(post: &Post, error: Control) -> Pre {
    let mut steps: FxHashMap<Head, Vec<(Control, Symbol)>> = FxHashMap::default();
    let mut pushes: FxHashMap<Head, Vec<(Control, Symbol, Symbol)>> = FxHashMap::default();
    let symbols: FxHashSet<Symbol> =
        post.transitions.iter().map(|(_, symbol, _)| *symbol).collect();
    let mut work: Vec<Transition> = Vec::new();
    let mut pre = Pre { targets: FxHashMap::default() };
    let mut seen: FxHashSet<Transition> = FxHashSet::default();
    for ((control, symbol), rights) in &post.rules {
        for right in rights {
            match right {
                Right::Pop(next) => {
                    work.push((State::Control(*control), *symbol, State::Control(*next)))
                }
                Right::Step(next, top) => {
                    steps
                        .entry((State::Control(*next), *top))
                        .or_default()
                        .push((*control, *symbol));
                }
                Right::Push(next, top, below) => {
                    pushes
                        .entry((State::Control(*next), *top))
                        .or_default()
                        .push((*control, *symbol, *below));
                }
            }
        }
    }
    for symbol in symbols {
        work.push((State::Control(error), symbol, State::Final));
        work.push((State::Final, symbol, State::Final));
    }
    while let Some((from, symbol, to)) = work.pop() {
        if !seen.insert((from, symbol, to)) {
            continue;
        }
        pre.targets.entry((from, symbol)).or_default().push(to);
        for (control, head) in steps.get(&(from, symbol)).into_iter().flatten() {
            work.push((State::Control(*control), *head, to));
        }
        for (control, head, below) in pushes.get(&(from, symbol)).cloned().into_iter().flatten() {
            steps.entry((to, below)).or_default().push((control, head));
            for target in pre.targets.get(&(to, below)).into_iter().flatten() {
                work.push((State::Control(control), head, *target));
            }
        }
    }
    pre
}

/// The intersection of the two automata.
pub struct Meeting<'a> {
    post: &'a Post,
    pre: &'a Pre,
    accepted: FxHashSet<(State, State)>,
}

impl<'a> Meeting<'a> {
    /// Which pairs of states accept a common word: explores the product from all common heads, then
    /// goes back from the final pair.
    pub fn new(post: &'a Post, pre: &'a Pre) -> Meeting<'a> {
        let mut before: FxHashMap<(State, State), Vec<(State, State)>> = FxHashMap::default();
        let mut seen: FxHashSet<(State, State)> = FxHashSet::default();
        let mut work: Vec<(State, State)> = Vec::new();
        for (from, symbol, to) in &post.transitions {
            if matches!(from, State::Control(_)) {
                work.extend(pre.targets(*from, *symbol).iter().map(|target| (*to, *target)));
            }
        }
        while let Some(pair) = work.pop() {
            if !seen.insert(pair) {
                continue;
            }
            for (symbol, left) in post.from.get(&pair.0).into_iter().flatten() {
                for right in pre.targets(pair.1, *symbol) {
                    before.entry((*left, *right)).or_default().push(pair);
                    work.push((*left, *right));
                }
            }
        }
        let mut accepted: FxHashSet<(State, State)> = FxHashSet::default();
        let mut work = vec![(State::Final, State::Final)];
        while let Some(pair) = work.pop() {
            if accepted.insert(pair) {
                work.extend(before.get(&pair).into_iter().flatten());
            }
        }
        Meeting { post, pre, accepted }
    }

    /// All heads (p, γ) such that some ⟨p, γw⟩ is both reached and on the way to the target.
    pub fn heads(&self) -> FxHashSet<(Control, Symbol)> {
        let common = |(from, symbol, to): &Transition| match from {
            State::Control(control)
                if self
                    .pre
                    .targets(*from, *symbol)
                    .iter()
                    .any(|t| self.accepted.contains(&(*to, *t))) =>
            {
                Some((*control, *symbol))
            }
            _ => None,
        };
        self.post.transitions.iter().filter_map(common).collect()
    }
}
