//! From a formula to a Büchi automaton.
//!
//! A state is a set of formulas that must hold of the rest of the word. A transition reads one
//! letter, which its guard (a conjunction of literals) allows (Gerth, Peled, Vardi, Wolper 1995;
//! with acceptance on transitions as in Couvreur 1999). A transition is accepting for an `U` unless
//! it postpones what that operator promises. A counter turns several acceptance conditions into one
//! (degeneralization). At the end states that behave equally become one, those that accept every
//! word become one, and states from which no word is accepted go.

use super::formula::{AtomId, Normal, and};
use std::collections::{BTreeMap, BTreeSet};

/// The most states of an automaton; formulas that need more are refused.
pub const MOST_STATES: usize = 200;
/// The most sets of formulas on the way there.
const MOST_SETS: usize = 2_000;
/// The most transitions of one set of formulas.
const MOST_WAYS: usize = 4_000;

/// The most cases that are told apart to see whether guards read every letter.
const MOST_CASES: u32 = 1_000;

/// A conjunction of literals.
pub type Guard = BTreeMap<AtomId, bool>;

/// A move of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The letters that it reads.
    pub guard: Guard,
    /// Where it leads.
    pub to: usize,
}

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonState {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Must a run visit such states again and again?
    pub accepting: bool,
}

/// A Büchi automaton. State 0 is the start. Without states it accepts nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// All states.
    pub states: Vec<AutomatonState>,
}

/// The formula needs a larger automaton than [`MOST_STATES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// What is still to be seen to.
type Set = BTreeSet<Normal>;

/// One way to read a letter in a set: its literals, what must hold next, and the `U` formulas that
/// it postpones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    guard: Guard,
    next: Set,
    postponed: Set,
}

impl Automaton {
    /// The automaton that accepts exactly the words on which the formula holds.
    pub fn of(formula: &Normal) -> Result<Automaton, TooLarge> {
        let mut promises = Vec::new();
        collect_untils(formula, &mut promises);
        // Sets and their ways.
        let mut sets: Vec<Set> = vec![[formula.clone()].into()];
        let mut numbers: BTreeMap<Set, usize> = [(sets[0].clone(), 0)].into();
        let mut ways: Vec<Vec<(Guard, usize, BTreeSet<usize>)>> = Vec::new();
        let mut at = 0;
        while at < sets.len() {
            let mut here = Vec::new();
            for way in expand(&sets[at])? {
                let to = *numbers.entry(way.next.clone()).or_insert_with(|| {
                    sets.push(way.next.clone());
                    sets.len() - 1
                });
                let kept = (0..promises.len()).filter(|k| !way.postponed.contains(&promises[*k]));
                here.push((way.guard, to, kept.collect()));
            }
            if sets.len() > MOST_SETS {
                return Err(TooLarge);
            }
            ways.push(here);
            at += 1;
        }
        let automaton = degeneralize(&ways, promises.len());
        let automaton = automaton.reduced();
        if automaton.states.len() > MOST_STATES { Err(TooLarge) } else { Ok(automaton) }
    }

    /// Does every run that never gets stuck accept?
    pub fn is_all_accepting(&self) -> bool {
        self.states.iter().all(|state| state.accepting)
    }

    /// The state that accepts whatever comes, if there is one: its only move reads every letter and
    /// stays. A word with a run that comes there has a *bad prefix* (of the formula whose negation
    /// this is): it is accepted however it goes on (Kupferman and Vardi 2001).
    pub fn absorbing(&self) -> Option<usize> {
        (0..self.states.len()).find(|k| {
            let AutomatonState { moves, accepting } = &self.states[*k];
            let [only] = &moves[..] else { return false };
            *accepting && only.to == *k && only.guard.is_empty()
        })
    }

    /// Does it accept by bad prefixes alone? Then a run has accepted once it comes to
    /// [`Self::absorbing`], and no other run accepts.
    pub fn accepts_by_prefix(&self) -> bool {
        let absorbing = self.absorbing();
        absorbing.is_some()
            && (0..self.states.len()).all(|k| !self.states[k].accepting || absorbing == Some(k))
    }

    /// Does it accept the word `letters[..from] letters[from..]^ω`? By the product with the lasso;
    /// for tests and small words.
    pub fn accepts(&self, letters: &[Vec<bool>], from: usize) -> bool {
        if self.states.is_empty() {
            return false;
        }
        let after = |at: usize| if at + 1 < letters.len() { at + 1 } else { from };
        let allows = |guard: &Guard, letter: &[bool]| {
            guard
                .iter()
                .all(|(atom, value)| letter.get(*atom as usize).copied().unwrap_or(false) == *value)
        };
        let node = |state: usize, at: usize| state * letters.len() + at;
        let count = self.states.len() * letters.len();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (s, state) in self.states.iter().enumerate() {
            for (at, letter) in letters.iter().enumerate() {
                let moves = state.moves.iter().filter(|m| allows(&m.guard, letter));
                next[node(s, at)] = moves.map(|m| node(m.to, after(at))).collect();
            }
        }
        let reachable = |starts: &[usize]| {
            let mut seen = vec![false; count];
            let mut stack = starts.to_vec();
            while let Some(n) = stack.pop() {
                if !std::mem::replace(&mut seen[n], true) {
                    stack.extend(&next[n]);
                }
            }
            seen
        };
        let reached = reachable(&[node(0, 0)]);
        (0..count).any(|n| {
            reached[n] && self.states[n / letters.len()].accepting && reachable(&next[n])[n]
        })
    }

    /// The same language with fewer states.
    fn reduced(mut self) -> Automaton {
        loop {
            let before = (self.states.len(), self.moves());
            self.drop_subsumed();
            self.merge_equal();
            self.merge_universal();
            self.drop_dead();
            if (self.states.len(), self.moves()) == before {
                return self;
            }
        }
    }

    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.states.iter().map(|state| state.moves.len()).sum()
    }

    /// Removes moves whose letters another move to the same state reads as well.
    fn drop_subsumed(&mut self) {
        for state in &mut self.states {
            state.moves.sort();
            state.moves.dedup();
            let all = state.moves.clone();
            let weaker = |m: &Move, than: &Move| {
                m.to == than.to
                    && m != than
                    && m.guard.iter().all(|(atom, value)| than.guard.get(atom) == Some(value))
            };
            state.moves.retain(|m| !all.iter().any(|other| weaker(other, m)));
        }
    }

    /// Merges states with equal moves and equal acceptance.
    fn merge_equal(&mut self) {
        loop {
            let mut first: BTreeMap<(Vec<Move>, bool), usize> = BTreeMap::new();
            let mut into: Vec<usize> = Vec::new();
            for (k, state) in self.states.iter().enumerate() {
                into.push(*first.entry((state.moves.clone(), state.accepting)).or_insert(k));
            }
            if into.iter().enumerate().all(|(k, to)| k == *to) {
                return;
            }
            self.keep(|k| into[k] == k, |k| into[k]);
        }
    }

    /// Makes one state of all those that are seen to accept every word: accepting states among
    /// which a run can stay whatever letters come, and states from which every letter leads to
    /// such ones.
    fn merge_universal(&mut self) {
        let mut universal: Vec<bool> = self.states.iter().map(|state| state.accepting).collect();
        let leads = |state: &AutomatonState, into: &[bool]| {
            let moves = state.moves.iter().filter(|m| into[m.to]);
            let guards: Vec<Guard> = moves.map(|m| m.guard.clone()).collect();
            let mut cases = MOST_CASES;
            reads_all(&guards, &mut cases)
        };
        for keeps in [true, false] {
            loop {
                let change = |n: &usize| {
                    universal[*n] == keeps && leads(&self.states[*n], &universal) != keeps
                };
                let Some(n) = (0..self.states.len()).find(change) else { break };
                universal[n] = !keeps;
            }
        }
        let Some(first) = universal.iter().position(|universal| *universal) else { return };
        self.states[first] = AutomatonState {
            moves: vec![Move { guard: Guard::new(), to: first }],
            accepting: true,
        };
        self.keep(|k| !universal[k] || k == first, |k| if universal[k] { first } else { k });
    }

    /// Removes states that the start does not reach, or that reach no accepting cycle.
    fn drop_dead(&mut self) {
        let count = self.states.len();
        let reach = |starts: Vec<usize>| {
            let mut seen = vec![false; count];
            let mut stack = starts;
            while let Some(n) = stack.pop() {
                if !std::mem::replace(&mut seen[n], true) {
                    stack.extend(self.states[n].moves.iter().map(|m| m.to));
                }
            }
            seen
        };
        let successors = |n: usize| self.states[n].moves.iter().map(|m| m.to).collect::<Vec<_>>();
        let from: Vec<Vec<bool>> = (0..count).map(|n| reach(successors(n))).collect();
        let good = |n: usize| self.states[n].accepting && from[n][n];
        let alive: Vec<bool> = (0..count)
            .map(|n| good(n) || (0..count).any(|other| from[n][other] && good(other)))
            .collect();
        let reached = if count == 0 { Vec::new() } else { reach(vec![0]) };
        let stays: Vec<bool> = (0..count).map(|n| alive[n] && reached[n]).collect();
        // A state on no cycle need not accept.
        let on_cycle: Vec<bool> = (0..count).map(|n| from[n][n]).collect();
        for (state, on_cycle) in self.states.iter_mut().zip(on_cycle) {
            state.accepting &= on_cycle;
        }
        if !stays.first().copied().unwrap_or(false) {
            self.states.clear();
            return;
        }
        for state in &mut self.states {
            state.moves.retain(|m| stays[m.to]);
        }
        self.keep(|k| stays[k], |k| k);
        // If all states that are on cycles accept, all may: then nothing need be counted.
        let mut all = self.clone();
        let cyclic = |automaton: &Automaton, n: usize| {
            let mut seen = vec![false; automaton.states.len()];
            let mut stack: Vec<usize> = automaton.states[n].moves.iter().map(|m| m.to).collect();
            while let Some(at) = stack.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    stack.extend(automaton.states[at].moves.iter().map(|m| m.to));
                }
            }
            seen[n]
        };
        let is_weak = (0..self.states.len()).all(|n| self.states[n].accepting || !cyclic(self, n));
        if is_weak {
            all.states.iter_mut().for_each(|state| state.accepting = true);
            *self = all;
        }
    }

    /// Keeps some states and renumbers; a move into another state goes where `into` says.
    fn keep(&mut self, stays: impl Fn(usize) -> bool, into: impl Fn(usize) -> usize) {
        let mut number = vec![0; self.states.len()];
        let mut count = 0;
        for (k, number) in number.iter_mut().enumerate() {
            if stays(k) {
                *number = count;
                count += 1;
            }
        }
        let states = std::mem::take(&mut self.states);
        for (k, mut state) in states.into_iter().enumerate() {
            if stays(k) {
                for m in &mut state.moves {
                    m.to = number[into(m.to)];
                }
                state.moves.sort();
                state.moves.dedup();
                self.states.push(state);
            }
        }
    }
}

/// Does each letter satisfy one of the guards? False also if that takes too many cases.
fn reads_all(guards: &[Guard], cases: &mut u32) -> bool {
    if guards.iter().any(Guard::is_empty) {
        return true;
    }
    let first = guards.first().and_then(|guard| guard.keys().next().copied());
    let Some(atom) = first.filter(|_| *cases > 0) else { return false };
    *cases -= 1;
    [true, false].into_iter().all(|value| {
        let possible = guards.iter().filter(|guard| guard.get(&atom) != Some(&!value));
        let rest = possible.cloned().map(|mut guard| {
            guard.remove(&atom);
            guard
        });
        reads_all(&rest.collect::<Vec<_>>(), cases)
    })
}

/// The `U` formulas in a formula, each once.
fn collect_untils(formula: &Normal, all: &mut Vec<Normal>) {
    match formula {
        Normal::True | Normal::False | Normal::Literal(..) => {}
        Normal::Next(a) => collect_untils(a, all),
        Normal::And(a, b) | Normal::Or(a, b) | Normal::Release(a, b) | Normal::Until(a, b) => {
            collect_untils(a, all);
            collect_untils(b, all);
            if matches!(formula, Normal::Until(..)) && !all.contains(formula) {
                all.push(formula.clone());
            }
        }
    }
}

/// All ways to read one letter in a set.
fn expand(set: &Set) -> Result<Vec<Way>, TooLarge> {
    let mut done: BTreeSet<Way> = BTreeSet::new();
    let mut open: Vec<(Vec<Normal>, Way)> = vec![(set.iter().cloned().collect(), Way::default())];
    let mut tried = 0;
    while let Some((mut todo, mut way)) = open.pop() {
        tried += 1;
        if tried > 20 * MOST_WAYS || done.len() > MOST_WAYS {
            return Err(TooLarge);
        }
        let Some(formula) = todo.pop() else {
            done.insert(way);
            continue;
        };
        match formula {
            Normal::True => open.push((todo, way)),
            Normal::False => {}
            Normal::Literal(atom, value) => {
                if *way.guard.entry(atom).or_insert(value) == value {
                    open.push((todo, way));
                }
            }
            Normal::And(a, b) => {
                todo.extend([*a, *b]);
                open.push((todo, way));
            }
            Normal::Or(a, b) => {
                let mut other = todo.clone();
                other.push(*b);
                open.push((other, way.clone()));
                todo.push(*a);
                open.push((todo, way));
            }
            Normal::Next(a) => {
                insert_next(&mut way.next, *a);
                open.push((todo, way));
            }
            // a U b = b || a && X (a U b), where the second postpones b
            Normal::Until(a, b) => {
                let mut other = todo.clone();
                let mut later = way.clone();
                other.push((*a).clone());
                let again = Normal::Until(a, b.clone());
                later.postponed.insert(again.clone());
                later.next.insert(again);
                open.push((other, later));
                todo.push(*b);
                open.push((todo, way));
            }
            // a R b = b && (a || X (a R b))
            Normal::Release(a, b) => {
                let mut other = todo.clone();
                let mut later = way.clone();
                other.push((*b).clone());
                later.next.insert(Normal::Release(a.clone(), b.clone()));
                open.push((other, later));
                todo.push(and(*a, *b));
                open.push((todo, way));
            }
        }
    }
    // A way that asks for more, and for the same reason, is not needed.
    let all: Vec<Way> = done.into_iter().collect();
    let asks_less = |a: &Way, b: &Way| {
        a != b
            && a.guard.iter().all(|(atom, value)| b.guard.get(atom) == Some(value))
            && a.next.is_subset(&b.next)
            && a.postponed.is_subset(&b.postponed)
    };
    Ok(all.iter().filter(|b| !all.iter().any(|a| asks_less(a, b))).cloned().collect())
}

/// Adds a formula to a set; a conjunction adds its parts.
fn insert_next(next: &mut Set, formula: Normal) {
    match formula {
        Normal::True => {}
        Normal::And(a, b) => {
            insert_next(next, *a);
            insert_next(next, *b);
        }
        formula => {
            next.insert(formula);
        }
    }
}

/// One acceptance condition instead of several: a state counts how many of them, in order, were met
/// since it last accepted.
fn degeneralize(ways: &[Vec<(Guard, usize, BTreeSet<usize>)>], conditions: usize) -> Automaton {
    let mut numbers: BTreeMap<(usize, usize), usize> = [((0, 0), 0)].into();
    let mut list = vec![(0, 0)];
    let mut states = Vec::new();
    let mut at = 0;
    while at < list.len() {
        let (set, level) = list[at];
        let accepting = level == conditions;
        let begun = if accepting { 0 } else { level };
        let mut moves = Vec::new();
        for (guard, to, met) in &ways[set] {
            let mut level = begun;
            while level < conditions && met.contains(&level) {
                level += 1;
            }
            let key = (*to, level);
            let to = *numbers.entry(key).or_insert_with(|| {
                list.push(key);
                list.len() - 1
            });
            moves.push(Move { guard: guard.clone(), to });
        }
        states.push(AutomatonState { moves, accepting });
        at += 1;
    }
    Automaton { states }
}
