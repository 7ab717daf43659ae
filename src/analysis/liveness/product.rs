//! The product of a program with an automaton, as a program: its runs are the runs of both.
//!
//! The automaton's state is one more global. Before each state of a run that formulas speak about
//! (see [`super::places`]) stands a *decision*: an edge on which the automaton reads the letter.
//! Its guard is a check that only the moves of the automaton pass; so the encoding makes guards
//! conjunctions of diagrams, and no store is enumerated. A decision whose check fails ends the
//! product's run: the automaton is stuck. Where the automaton stays in its state, whichever it is,
//! there is no decision.
//!
//! Runs that end (at the end of the start procedure, by a failing statement, by `exit`) go round in
//! a place of their own, where the automaton reads their last state again and again. A run that an
//! assumption blocks does so nowhere, and does not count.
//!
//! A procedure must know whether an accepting state was passed since it was entered, because a
//! summary hides what happens in a call. So each frame has a bit that remembers it, which a return
//! hands to the caller (Schwoon 2002, § 3.2, where it is a part of the heads' graph). If all states
//! accept, or only one that is never left, there are no such bits.

use super::atoms::{Atom, Standing};
use super::automaton::Automaton;
use super::fairness::{Monitor, Move};
use super::parser::Reading;
use super::places::{ends_run, states};
use crate::lang::model::{
    BinaryOperator, Check, ChoiceId, Edge, EdgeId, ErrorKind, Expression, Initial, Location,
    LocationId, Operation, Origin, Place, ProcedureId, Program, Scalar, ScopeId, Span, Subject,
    Variable, VariableId, VariableKind,
};

/// The line of checks that end a run of a product without being an error.
pub const SILENT: u32 = u32::MAX;
/// The line of the check that a probe looks for (see [`super::probe`]).
pub const TARGET: u32 = u32::MAX - 1;

/// What an edge of a product stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The program executes this edge.
    Executes(EdgeId),
    /// The run ends here: the edge fails.
    Fails(EdgeId),
    /// The run ends here: the edge is an `exit`.
    Exits(EdgeId),
    /// The automaton moves, or bookkeeping.
    Nothing,
}

/// Which heads accept at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// None.
    None,
    /// Those with an accepting state of the automaton.
    ByState,
    /// Those behind a call in which an accepting state was passed.
    ByCall,
    /// All.
    All,
}

/// A program in product with an automaton.
#[derive(Clone, Debug)]
pub struct Product {
    /// It. The edges of the program come first, with their numbers; so do the variables.
    pub program: Program,
    /// By edge.
    pub meanings: Vec<Meaning>,
    /// By location: which heads accept.
    pub accepts: Vec<Accepts>,
    /// By location of the product: the location of the program where its run stands.
    pub locations: Vec<LocationId>,
    /// The automaton's state, if it has several.
    pub state: Option<VariableId>,
    /// The bit that a return hands to its caller, if there are such bits.
    pub passed: Option<VariableId>,
    /// The accepting states of the automaton.
    pub accepting: Vec<u64>,
    /// The state of the automaton that accepts whatever comes, if there is one.
    pub absorbing: Option<u64>,
    /// The places where runs that have ended go round.
    pub ends: Vec<LocationId>,
    /// In the abstraction of a product: where the automaton's state is. Then `state` and `passed`
    /// are none.
    pub words: Option<Words>,
}

/// Where the automaton's state is in the abstraction of a product (see [`super::refinement`]): in
/// the lowest bits of a number that each frame has. The bit that a return hands to its caller comes
/// next.
#[derive(Clone, Debug)]
pub struct Words {
    /// By procedure of the product: the number.
    pub of_procedure: Vec<VariableId>,
    /// The bits of the automaton's state; 0 if it has only one.
    pub state_bits: u32,
}

/// Why a product cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The program has threads.
    Threads,
    /// The start procedure is called in the program: the end of a run cannot be told from a return.
    CalledMain,
}

/// The program itself, where every state accepts and runs that end do not count: it has an
/// accepting run iff some run does not end.
pub fn unending(program: &Program) -> Result<Product, Refused> {
    if program.concurrency.has_threads() {
        return Err(Refused::Threads);
    }
    let accepts = states(program)
        .into_iter()
        .map(|is_state| if is_state { Accepts::All } else { Accepts::None });
    Ok(Product {
        accepts: accepts.collect(),
        meanings: program.edge_ids().map(Meaning::Executes).collect(),
        locations: (0..program.locations.len() as u32).map(LocationId).collect(),
        program: program.clone(),
        state: None,
        passed: None,
        accepting: vec![0],
        absorbing: None,
        ends: Vec::new(),
        words: None,
    })
}

/// Which runs of a program count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Those that end, too?
    pub ended: bool,
    /// Only fair ones (see [`super::fairness`])? Then the automaton asks that rounds end again and
    /// again: its last atom, which the reading does not have.
    pub fair: bool,
}

/// The product of a program with an automaton of a formula's negation. The automaton has states.
pub fn product(
    program: &Program,
    reading: &Reading,
    automaton: &Automaton,
    counted: Counted,
) -> Result<Product, Refused> {
    if program.concurrency.has_threads() {
        return Err(Refused::Threads);
    }
    let calls_main = |edge: &Edge| matches!(&edge.operation, Operation::Call { callee, .. } if *callee == program.main_id());
    if program.edges.iter().any(calls_main) {
        return Err(Refused::CalledMain);
    }
    let mut building = Building::new(program, &reading.atoms, automaton, counted);
    building.build();
    Ok(building.product)
}

struct Building<'p> {
    program: &'p Program,
    atoms: &'p [Atom],
    automaton: &'p Automaton,
    counted: Counted,
    /// Whether a round of fair choices is over, if only fair runs count.
    round_ends: Option<Expression>,
    product: Product,
    /// The type of the automaton's states.
    scalar: Scalar,
    /// By procedure: its bit.
    bits: Vec<Option<VariableId>>,
    /// By location of the program: its scope.
    scopes: Vec<ScopeId>,
}

impl<'p> Building<'p> {
    fn new(
        program: &'p Program,
        atoms: &'p [Atom],
        automaton: &'p Automaton,
        counted: Counted,
    ) -> Building<'p> {
        let count = automaton.states.len();
        let width = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as u8;
        let mut scopes = vec![ScopeId(0); program.locations.len()];
        for edge in &program.edges {
            scopes[edge.from] = edge.scope;
        }
        let accepting = (0..count).filter(|k| automaton.states[*k].accepting);
        let product = Product {
            program: program.clone(),
            meanings: program.edge_ids().map(Meaning::Executes).collect(),
            accepts: vec![Accepts::None; program.locations.len()],
            locations: (0..program.locations.len() as u32).map(LocationId).collect(),
            state: None,
            passed: None,
            accepting: accepting.map(|k| k as u64).collect(),
            absorbing: automaton.absorbing().map(|k| k as u64),
            ends: Vec::new(),
            words: None,
        };
        let scalar = Scalar::int(width, false);
        let bits = Vec::new();
        let round_ends = None;
        Building { program, atoms, automaton, counted, round_ends, product, scalar, bits, scopes }
    }

    fn build(&mut self) {
        if self.automaton.states.len() > 1 {
            self.product.state = Some(self.variable("state of the automaton", self.scalar, None));
        }
        self.bits = vec![None; self.program.procedures.len()];
        if !self.automaton.is_all_accepting() && !self.automaton.accepts_by_prefix() {
            let passed = self.variable("accepted in the call", Scalar::BOOL, None);
            self.product.passed = Some(passed);
            for edge in &self.program.edges {
                if let Operation::Call { callee, .. } = edge.operation
                    && self.bits[callee.0 as usize].is_none()
                {
                    let bit = self.variable("accepted in the frame", Scalar::BOOL, Some(callee));
                    self.bits[callee.0 as usize] = Some(bit);
                }
            }
        }
        let mut monitor = None;
        if self.counted.fair {
            monitor = Monitor::of(&mut self.product.program);
            let ends = monitor.as_ref().map(Monitor::round_ends);
            self.round_ends = Some(ends.unwrap_or_else(Expression::truth));
        }
        let is_state = states(self.program);
        let mut out: Vec<Vec<EdgeId>> = vec![Vec::new(); self.program.locations.len()];
        for id in self.program.edge_ids() {
            out[self.program.edge(id).from].push(id);
        }
        for location in (0..self.program.locations.len() as u32).map(LocationId) {
            if is_state[location] {
                self.state(location, &out[location]);
            }
        }
        if self.product.passed.is_some() {
            self.hand_over_bits(&is_state);
            self.take_over_bits();
        }
        if let Some(monitor) = monitor {
            self.watch_choices(&monitor);
        }
    }

    fn variable(&mut self, name: &str, scalar: Scalar, owner: Option<ProcedureId>) -> VariableId {
        let program = &mut self.product.program;
        let id = VariableId(program.variables.len() as u32);
        let global = owner.is_none();
        program.variables.push(Variable {
            name: name.to_string(),
            scalar,
            dimensions: Vec::new(),
            kind: if global { VariableKind::Global } else { VariableKind::Temporary },
            owner,
            span: Span::default(),
            initial: if global { Initial::Exactly(vec![0]) } else { Initial::Any },
            origin: Origin::Written,
        });
        if let Some(owner) = owner {
            program.procedures[owner.0 as usize].locals.push(id);
        }
        id
    }

    /// A new place where a run of the program stands at `like`.
    fn place(&mut self, like: LocationId, accepts: Accepts) -> LocationId {
        let Location { procedure, line } = *self.program.location(like);
        self.product.program.locations.push(Location { procedure, line });
        self.product.accepts.push(accepts);
        self.product.locations.push(like);
        LocationId(self.product.program.locations.len() as u32 - 1)
    }

    fn edge(&mut self, edge: Edge, meaning: Meaning) {
        self.product.program.edges.push(edge);
        self.product.meanings.push(meaning);
    }

    /// A state of the program: its decisions, and what follows each.
    fn state(&mut self, at: LocationId, out: &[EdgeId]) {
        let procedure = self.program.location(at).procedure;
        let own = self.program.procedure(procedure);
        let going = Standing { location: at, fails: false };
        if at == own.exit {
            if procedure == self.program.main_id() {
                if self.counted.ended {
                    let end = self.end(going);
                    self.decision(going, at, end);
                }
                let gone = self.place(at, Accepts::None);
                self.product.program.procedures[procedure.0 as usize].exit = gone;
            } else {
                let behind = self.read(going);
                self.product.program.procedures[procedure.0 as usize].exit = behind;
            }
            return;
        }
        let behind = self.read(going);
        for id in out {
            self.product.program.edges[*id].from = behind;
        }
        if !self.counted.ended {
            return;
        }
        let exits: Vec<EdgeId> =
            out.iter().copied().filter(|id| ends_run(self.program.edge(*id))).collect();
        if !exits.is_empty() {
            let end = self.end(going);
            for id in exits {
                let edge = Edge {
                    from: behind,
                    to: end,
                    operation: Operation::Skip,
                    ..self.program.edge(id).clone()
                };
                self.edge(edge, Meaning::Exits(id));
            }
        }
        let failing: Vec<EdgeId> =
            out.iter().copied().filter(|id| !self.program.edge(*id).checks.is_empty()).collect();
        if !failing.is_empty() {
            let standing = Standing { location: at, fails: true };
            let before = self.place(at, Accepts::ByState);
            self.decision(standing, at, before);
            let end = self.end(standing);
            for id in failing {
                let edge = self.program.edge(id).clone();
                let hold = edge.checks.iter().map(|check| check.condition.clone());
                let hold = hold.reduce(both).unwrap_or_else(Expression::truth);
                let failing = Edge {
                    from: before,
                    to: end,
                    checks: Vec::new(),
                    operation: Operation::Assume(hold.negated()),
                    ..edge
                };
                self.edge(failing, Meaning::Fails(id));
            }
        }
    }

    /// The decision at a state from which the run goes on; the place behind it.
    fn read(&mut self, standing: Standing) -> LocationId {
        let at = standing.location;
        if self.changes_nothing(standing) {
            self.product.accepts[at] = Accepts::ByState;
            return at;
        }
        let behind = self.place(at, Accepts::ByState);
        self.decision(standing, at, behind);
        behind
    }

    /// Does the automaton stay in its state here, whichever it is? Then the program has no decision
    /// more, as at most places where a formula speaks of few. The beginnings of procedures keep
    /// theirs: probes look at what leads to a place, which a call does not ([`super::probe`]).
    fn changes_nothing(&self, standing: Standing) -> bool {
        let own = self.program.procedure(self.program.location(standing.location).procedure);
        if standing.location == own.entry
            || self.product.passed.is_some()
            || self.round_ends.is_some()
        {
            return false;
        }
        let values: Vec<Option<bool>> = (self.atoms.iter())
            .map(|atom| match atom.expression(self.program, standing) {
                Expression::Constant(bits, _) => Some(bits == 1),
                _ => None,
            })
            .collect();
        self.automaton.states.iter().enumerate().all(|(k, state)| {
            let mut stays = false;
            let moves = state.moves.iter().all(|m| {
                let literals = m
                    .guard
                    .iter()
                    .map(|(atom, value)| values[*atom as usize].map(|known| known == *value));
                let literals: Vec<Option<bool>> = literals.collect();
                // One that is false closes the move, whatever the others are.
                if literals.contains(&Some(false)) {
                    return true;
                }
                stays |= m.to == k && !literals.contains(&None);
                m.to == k
            });
            moves && stays
        })
    }

    /// A place where a run that has ended goes round.
    fn end(&mut self, standing: Standing) -> LocationId {
        let end = self.place(standing.location, Accepts::ByState);
        self.product.ends.push(end);
        self.decision(standing, end, end);
        end
    }

    /// The automaton reads the letter of a state.
    fn decision(&mut self, standing: Standing, from: LocationId, to: LocationId) {
        let at = standing.location;
        let choice = Expression::Choice(ChoiceId(0), self.scalar);
        let value = |k: usize| Expression::Constant(k as u64, self.scalar);
        let equal =
            |a: Expression, k: usize| Expression::binary(BinaryOperator::Equal, a, value(k));
        let atoms = self.atoms.iter().map(|atom| atom.expression(self.program, standing));
        let values: Vec<Expression> = atoms.chain(self.round_ends.clone()).collect();
        let mut possible = Expression::falsity();
        for (k, state) in self.automaton.states.iter().enumerate() {
            let mut moves = Expression::falsity();
            for m in &state.moves {
                let mut guard = Expression::truth();
                for (atom, value) in &m.guard {
                    let literal = values[*atom as usize].clone();
                    guard = both(guard, if *value { literal } else { literal.negated() });
                }
                if self.product.state.is_some() {
                    guard = both(guard, equal(choice.clone(), m.to));
                }
                moves = either(moves, guard);
            }
            if let Some(variable) = self.product.state {
                let here = equal(Expression::Variable(variable, self.scalar), k);
                moves = both(here, moves);
            }
            possible = either(possible, moves);
        }
        let mut writes = Vec::new();
        if let Some(variable) = self.product.state {
            writes.push((Place::Variable(variable), choice.clone()));
        }
        if let Some(passed) = self.product.passed {
            let procedure = self.program.location(at).procedure;
            let own = self.program.procedure(procedure);
            let accepting = (self.product.accepting.iter())
                .map(|k| equal(choice.clone(), *k as usize))
                .fold(Expression::falsity(), either);
            if let Some(bit) = self.bits[procedure.0 as usize] {
                let before = match at == own.entry {
                    true => Expression::falsity(),
                    false => Expression::Variable(bit, Scalar::BOOL),
                };
                let into = if at == own.exit { passed } else { bit };
                writes.push((Place::Variable(into), either(before, accepting)));
            }
        }
        let operation = match writes.is_empty() {
            true => Operation::Skip,
            false => Operation::Assign(writes),
        };
        let edge = Edge {
            choices: self.product.state.map(|_| self.scalar).into_iter().collect(),
            checks: vec![silent(possible)],
            ..bookkeeping(from, to, self.program.location(at).line, self.scopes[at], operation)
        };
        self.edge(edge, Meaning::Nothing);
    }

    /// Where a procedure's beginning or end is no state, no decision clears its bit, or hands it to
    /// the caller.
    fn hand_over_bits(&mut self, is_state: &[bool]) {
        let Some(passed) = self.product.passed else { return };
        for (k, bit) in self.bits.clone().into_iter().enumerate() {
            let Some(bit) = bit else { continue };
            let own = &self.program.procedures[k];
            let ends = [
                (own.entry, Place::Variable(bit), Expression::falsity()),
                (own.exit, Place::Variable(passed), Expression::Variable(bit, Scalar::BOOL)),
            ];
            for (at, place, value) in ends {
                if is_state[at] {
                    continue;
                }
                let new = self.place(at, Accepts::None);
                let (from, to) = if at == own.entry { (new, at) } else { (at, new) };
                let (line, scope) = (self.program.location(at).line, self.scopes[at]);
                let write = Operation::Assign(vec![(place, value)]);
                self.edge(bookkeeping(from, to, line, scope, write), Meaning::Nothing);
                let own = &mut self.product.program.procedures[k];
                if from == new {
                    own.entry = new;
                } else {
                    own.exit = new;
                }
            }
        }
    }

    /// Behind each call the caller takes over what its callee has passed.
    fn take_over_bits(&mut self) {
        let Some(passed) = self.product.passed else { return };
        for id in self.program.edge_ids() {
            let edge = self.program.edge(id);
            if !matches!(edge.operation, Operation::Call { .. }) {
                continue;
            }
            let returned = self.place(edge.to, Accepts::ByCall);
            self.product.program.edges[id].to = returned;
            let truth = Expression::Variable(passed, Scalar::BOOL);
            let mut writes = vec![(Place::Variable(passed), Expression::falsity())];
            let owner = self.program.owner(id);
            if let Some(bit) = self.bits[owner.0 as usize] {
                let before = Expression::Variable(bit, Scalar::BOOL);
                writes.push((Place::Variable(bit), either(before, truth)));
            }
            let line = edge.span.line;
            let edge = bookkeeping(returned, edge.to, line, edge.scope, Operation::Assign(writes));
            self.edge(edge, Meaning::Nothing);
        }
    }
}

impl Building<'_> {
    /// Behind each way of a choice the monitor takes note of it. A run that makes a choice which it
    /// has given up does not go on.
    fn watch_choices(&mut self, monitor: &Monitor) {
        let free = Expression::Choice(ChoiceId(0), Scalar::BOOL);
        for Move { way, allowed, writes } in monitor.moves(&free) {
            let edge = self.product.program.edge(way);
            let (to, line, scope) = (edge.to, edge.span.line, edge.scope);
            let chosen = self.place(self.product.locations[to], Accepts::None);
            self.product.program.edges[way].to = chosen;
            let mut edge = bookkeeping(chosen, to, line, scope, Operation::Assign(writes));
            edge.choices = vec![Scalar::BOOL];
            edge.checks = vec![silent(allowed)];
            self.edge(edge, Meaning::Nothing);
        }
    }
}

/// The check that ends a product's run unless the condition holds.
pub(super) fn silent(condition: Expression) -> Check {
    Check {
        kind: ErrorKind::Assertion,
        condition,
        message: String::new(),
        subject: Subject::Condition,
        line: SILENT,
    }
}

/// A hidden edge.
pub(super) fn bookkeeping(
    from: LocationId,
    to: LocationId,
    line: u32,
    scope: ScopeId,
    operation: Operation,
) -> Edge {
    let span = Span { line, ..Span::default() };
    Edge { span, scope, ..Edge::added(from, to, operation) }
}

/// The conjunction, with constants folded.
pub(super) fn both(a: Expression, b: Expression) -> Expression {
    match (&a, &b) {
        (Expression::Constant(1, _), _) | (_, Expression::Constant(0, _)) => b,
        (_, Expression::Constant(1, _)) | (Expression::Constant(0, _), _) => a,
        _ => Expression::binary(BinaryOperator::And, a, b),
    }
}

/// The disjunction, likewise.
pub(super) fn either(a: Expression, b: Expression) -> Expression {
    match (&a, &b) {
        (Expression::Constant(0, _), _) | (_, Expression::Constant(1, _)) => b,
        (_, Expression::Constant(0, _)) | (Expression::Constant(1, _), _) => a,
        _ => Expression::binary(BinaryOperator::Or, a, b),
    }
}
