//! Decides whether a literal of a circuit can hold, by SAT; clauses are made for the parts that a
//! question needs (Tseitin 1968). What is refuted can be proved to the checker of [`crate::proof`].

use crate::circuit::{Circuit, Lit, Node};
use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// Says whether the time is up.
pub type Clock = Rc<dyn Fn() -> bool>;

/// What the solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// The time or the conflicts of the question are used up.
    Stopped,
}

/// Counts conflicts, keeps the proof, and looks at the clock now and then.
struct Watch {
    clock: Clock,
    conflicts: u64,
    most: u64,
    calls: Cell<u32>,
    stopped: Cell<bool>,
    learnt: Vec<i32>,
}

/// How many literals of learnt clauses are kept for the checker.
const LONGEST_PROOF: usize = 40_000_000;

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Axiom {
            return;
        }
        self.conflicts += 1;
        if self.learnt.len() < LONGEST_PROOF {
            self.learnt.extend(clause.iter().map(|lit| number(*lit)));
            self.learnt.push(0);
        }
    }

    fn stop(&self) -> bool {
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if self.conflicts >= self.most || calls.is_multiple_of(64) && (self.clock)() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

/// A conjunction of which one part may be open.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (a, b) => Some(a? && b?),
    }
}

/// As DIMACS writes it.
fn number(lit: batsat::Lit) -> i32 {
    let variable = lit.var().idx() as i32 + 1;
    if lit.sign() { variable } else { -variable }
}

/// An incremental solver over one circuit.
pub struct Solver {
    sat: batsat::Solver<Watch>,
    /// By node of the circuit: its variable.
    variables: Vec<Option<batsat::Var>>,
    /// All clauses, each with a zero behind it.
    clauses: Vec<i32>,
}

impl Solver {
    /// Without clauses.
    pub fn new(clock: Clock) -> Solver {
        let watch = Watch {
            clock,
            conflicts: 0,
            most: u64::MAX,
            calls: Cell::new(0),
            stopped: Cell::new(false),
            learnt: Vec::new(),
        };
        Solver {
            sat: batsat::Solver::new(batsat::SolverOpts::default(), watch),
            variables: Vec::new(),
            clauses: Vec::new(),
        }
    }

    /// How many variables and literals of clauses there are.
    pub fn size(&self) -> (usize, usize) {
        (self.sat.num_vars() as usize, self.clauses.len())
    }

    /// How many clauses were learnt.
    pub fn conflicts(&self) -> u64 {
        self.sat.cb().conflicts
    }

    /// Can all of these hold together? At most so many conflicts.
    pub fn solve(&mut self, circuit: &Circuit, list: &[Lit], most: u64) -> Answer {
        let mut assumptions = Vec::with_capacity(list.len());
        for lit in list {
            match lit.constant() {
                Some(true) => {}
                Some(false) => return Answer::Unsatisfiable,
                None => assumptions.push(self.literal(circuit, *lit)),
            }
        }
        let watch = self.sat.cb_mut();
        watch.most = watch.conflicts.saturating_add(most);
        watch.stopped.set((watch.clock)());
        if watch.stopped.get() {
            return Answer::Stopped;
        }
        let answer = self.sat.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Satisfiable
        } else if answer == lbool::FALSE {
            Answer::Unsatisfiable
        } else {
            Answer::Stopped
        }
    }

    /// The value of a literal in the last model; an input that no clause mentions is false.
    pub fn value(&self, circuit: &Circuit, lit: Lit) -> bool {
        if let Some(value) = self.modelled(lit) {
            return value;
        }
        // What no clause mentions is computed from what it depends on, which stands before it.
        let mut known: FxHashMap<usize, bool> = FxHashMap::default();
        let mut open = vec![lit.node()];
        while let Some(node) = open.last().copied() {
            let value = |lit: Lit| {
                let known = || known.get(&lit.node()).map(|value| value ^ lit.negated());
                self.modelled(lit).or_else(known)
            };
            let missing = |lit: Lit| value(lit).is_none().then_some(lit.node());
            let (computed, next) = match circuit.node(node) {
                Node::Constant | Node::Input => (Some(false), [None, None, None]),
                Node::And(a, b) => (both(value(a), value(b)), [missing(a), missing(b), None]),
                Node::Xor(a, b) => {
                    let computed = value(a).zip(value(b)).map(|(a, b)| a ^ b);
                    (computed, [missing(a), missing(b), None])
                }
                Node::Choose(c, a, b) => {
                    let computed = value(c).and_then(|c| if c { value(a) } else { value(b) });
                    (computed, [missing(c), missing(a), missing(b)])
                }
            };
            match computed {
                Some(value) => {
                    known.insert(node, value);
                    open.pop();
                }
                None => open.extend(next.into_iter().flatten()),
            }
        }
        known[&lit.node()] ^ lit.negated()
    }

    /// Of a literal that clauses mention.
    fn modelled(&self, lit: Lit) -> Option<bool> {
        if let Some(value) = lit.constant() {
            return Some(value);
        }
        let variable = self.variables.get(lit.node()).copied().flatten()?;
        Some((self.sat.value_var(variable) == lbool::TRUE) ^ lit.negated())
    }

    /// The number that a word is in the last model.
    pub fn number(&self, circuit: &Circuit, word: &[Lit]) -> u64 {
        let bit = |k: usize| u64::from(self.value(circuit, word[k])) << k;
        (0..word.len().min(64)).map(bit).sum()
    }

    /// The solver's literal; its cone is made clauses first, operands before what uses them.
    fn literal(&mut self, circuit: &Circuit, lit: Lit) -> batsat::Lit {
        self.variables.resize(circuit.size(), None);
        let mut definitions = Vec::new();
        self.cone(circuit, lit, &mut definitions);
        // What is said of inputs that stand for a result; it may speak of others.
        while let Some(definition) = definitions.pop() {
            self.cone(circuit, definition, &mut definitions);
            let unit = self.mapped(definition);
            self.clause(&[unit]);
        }
        self.mapped(lit)
    }

    /// Clauses for all nodes that the literal depends on.
    fn cone(&mut self, circuit: &Circuit, lit: Lit, definitions: &mut Vec<Lit>) {
        let mut open = vec![lit.node()];
        while let Some(node) = open.last().copied() {
            if self.variables[node].is_some() {
                open.pop();
                continue;
            }
            let operands: Vec<Lit> = match circuit.node(node) {
                Node::Constant | Node::Input => Vec::new(),
                Node::And(a, b) | Node::Xor(a, b) => vec![a, b],
                Node::Choose(c, a, b) => vec![c, a, b],
            };
            let missing =
                |lit: &&Lit| lit.constant().is_none() && self.variables[lit.node()].is_none();
            let before = open.len();
            open.extend(operands.iter().filter(missing).map(|lit| lit.node()));
            if open.len() > before {
                continue;
            }
            open.pop();
            let variable = self.sat.new_var_default();
            self.variables[node] = Some(variable);
            self.define(circuit.node(node), batsat::Lit::new(variable, true));
            if let Some(definition) =
                circuit.definition(node).filter(|lit| lit.constant().is_none())
            {
                definitions.push(definition);
            }
        }
    }

    /// Of a literal whose node has a variable.
    fn mapped(&self, lit: Lit) -> batsat::Lit {
        match self.variables[lit.node()] {
            Some(variable) => batsat::Lit::new(variable, !lit.negated()),
            None => batsat::Lit::UNDEF,
        }
    }

    fn define(&mut self, node: Node, x: batsat::Lit) {
        match node {
            Node::Constant => self.clause(&[!x]),
            Node::Input => {}
            Node::And(a, b) => {
                let (a, b) = (self.mapped(a), self.mapped(b));
                self.clause(&[!x, a]);
                self.clause(&[!x, b]);
                self.clause(&[x, !a, !b]);
            }
            Node::Xor(a, b) => {
                let (a, b) = (self.mapped(a), self.mapped(b));
                self.clause(&[!x, a, b]);
                self.clause(&[!x, !a, !b]);
                self.clause(&[x, !a, b]);
                self.clause(&[x, a, !b]);
            }
            Node::Choose(c, a, b) => {
                let (c, a, b) = (self.mapped(c), self.mapped(a), self.mapped(b));
                self.clause(&[!c, !a, x]);
                self.clause(&[!c, a, !x]);
                self.clause(&[c, !b, x]);
                self.clause(&[c, b, !x]);
                // Not needed, but found by propagation alone: both branches agree.
                self.clause(&[!a, !b, x]);
                self.clause(&[a, b, !x]);
            }
        }
    }

    fn clause(&mut self, clause: &[batsat::Lit]) {
        self.clauses.extend(clause.iter().map(|lit| number(*lit)));
        self.clauses.push(0);
        self.sat.add_clause_reuse(&mut clause.to_vec());
    }

    /// What a checker needs: the clauses, those that were learnt, in order, and what cannot hold
    /// together. `None` if the proof is too long.
    pub fn proof(&self, list: &[Lit]) -> Option<(&[i32], &[i32], Vec<i32>)> {
        let learnt = &self.sat.cb().learnt;
        if learnt.len() >= LONGEST_PROOF {
            return None;
        }
        let assumptions = list
            .iter()
            .filter(|lit| lit.constant().is_none())
            .map(|lit| number(self.mapped(*lit)))
            .collect();
        Some((&self.clauses, learnt, assumptions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof;

    fn never() -> Clock {
        Rc::new(|| false)
    }

    #[test]
    fn a_factor_is_found_and_a_prime_has_none() {
        for (product, factors) in [(143u64, true), (127, false)] {
            let mut c = Circuit::default();
            let (a, b) = (c.word(8), c.word(8));
            let computed = c.multiply_to(&a, &b, 16);
            let wanted = crate::words::constant(product, 16);
            let one = crate::words::constant(1, 8);
            let list = [
                c.equal_words(&computed, &wanted),
                !c.equal_words(&a, &one),
                !c.equal_words(&b, &one),
            ];
            let mut solver = Solver::new(never());
            let answer = solver.solve(&c, &list, u64::MAX);
            if factors {
                assert_eq!(answer, Answer::Satisfiable);
                assert_eq!(solver.number(&c, &a) * solver.number(&c, &b), product);
            } else {
                assert_eq!(answer, Answer::Unsatisfiable);
                let (clauses, learnt, list) = solver.proof(&list).expect("a short proof");
                assert_eq!(proof::check(clauses, learnt, &list, &|| false), Some(true));
                // What is left out of the clauses is missed by the checker.
                assert_eq!(
                    proof::check(&clauses[..clauses.len() / 2], learnt, &list, &|| false),
                    Some(false)
                );
            }
        }
    }

    /// What no clause mentions is computed, however deep it stands.
    #[test]
    fn a_chain_of_a_million_nodes_has_a_value() {
        let mut c = Circuit::default();
        let start = c.input();
        let mut chain = start;
        for _ in 0..1_000_000 {
            let beside = c.input();
            chain = c.xor(chain, beside);
        }
        let mut solver = Solver::new(never());
        assert_eq!(solver.solve(&c, &[start], u64::MAX), Answer::Satisfiable);
        assert!(solver.value(&c, chain) && !solver.value(&c, !chain));
    }

    #[test]
    fn conflicts_have_a_limit() {
        let mut c = Circuit::default();
        let (a, b) = (c.word(24), c.word(24));
        let (ab, ba) = (c.multiply(&a, &b), c.multiply(&b, &a));
        let (doubled, halves) = (c.add(&ab, &ba), c.add(&a, &a));
        let other = c.multiply(&halves, &b);
        let same = c.equal_words(&doubled, &other);
        let mut solver = Solver::new(never());
        assert_eq!(solver.solve(&c, &[!same], 50), Answer::Stopped);
    }
}
