//! Data races as failing checks of a program that is watched.
//!
//! In a *data race* two threads access one place, at least one of them writes, nothing orders the
//! two accesses, and not both are atomic. Under sequential consistency a program has a race if and
//! only if it has a reachable state in which two threads are about to do so, each with its next
//! step (Boehm, Adve 2008: the two accesses can be made neighbours).
//!
//! The watched program looks for such a state by itself. A thread that is about to access a place
//! may *announce* it in hidden globals and stop there for ever. Before every access of another
//! thread a check says that it is not in conflict with what was announced. So the search for a
//! failing check, the proof for any number of switches and the replay need nothing new. A run with
//! an announcement has as many switches as the run up to that state.
//!
//! What is atomic (locks, atomic operations, `_Atomic`, atomic sections) needs no announcement,
//! because of two accesses in a race one is plain. An atomic section holds back the other threads
//! but does not order them with a plain access: that is a race.
//!
//! A place is a variable of the source, or an element of an array, where its index decides. The
//! right operand of `&&` and `||` counts as read only where it decides. Indices of locks that are
//! waited for are not watched.

use super::ThreadSystem;
use crate::lang::model::{
    BinaryOperator, Check, ChoiceId, Edge, EdgeId, ErrorKind, Expression, LocationId, Operation,
    Place, ProcedureId, Program, Scalar, Subject, VariableId, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A program with its announcements and checks.
#[derive(Clone, Debug)]
pub struct RaceWatch {
    /// The watched program. Edges, locations and variables of the original keep their numbers, and
    /// the checks of an edge theirs.
    pub program: Rc<Program>,
    /// Edges from this one on are no edges of the original.
    first_added: u32,
    /// Edges that announce what an edge of the original is about to do.
    announces: BTreeMap<EdgeId, EdgeId>,
    /// By edge of the original: how many checks it has itself.
    own_checks: Vec<usize>,
}

/// What an edge of the watched program is in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// An edge of the original.
    Own(EdgeId),
    /// It announces that this edge is the thread's next one.
    Announces(EdgeId),
    /// Nothing.
    Added,
}

/// An access of an edge to a place.
#[derive(Clone, Debug, PartialEq)]
struct Access {
    variable: VariableId,
    /// Of an array: which element; `None` is all of them, or the only one.
    index: Option<Expression>,
    writes: bool,
    /// When it happens.
    guard: Option<Expression>,
}

impl RaceWatch {
    /// Watches a program. Returns `None` if no two threads access one variable in conflict,
    /// whatever they do.
    pub fn new(program: &Program) -> Option<RaceWatch> {
        let shared = shared(program);
        if shared.is_empty() {
            return None;
        }
        let mut places = BTreeMap::new();
        let mut count = 1u64;
        for id in shared {
            places.insert(id, count);
            count += u64::from(program.variable(id).elements());
        }
        let mut watched = program.clone();
        let width = (u64::BITS - count.leading_zeros()) as u8;
        let scalar = Scalar::int(width, false);
        let place = watched.add_global("announced place".to_string(), scalar);
        let write = watched.add_global("announced write".to_string(), Scalar::BOOL);
        let mut watching = Watching {
            original: program,
            program: watched,
            places,
            place: Expression::Variable(place, scalar),
            write: Expression::Variable(write, Scalar::BOOL),
            into: (place, write),
            sinks: BTreeMap::new(),
            announces: BTreeMap::new(),
        };
        for edge in program.edge_ids() {
            watching.watch(edge);
        }
        Some(RaceWatch {
            program: Rc::new(watching.program),
            first_added: program.edges.len() as u32,
            announces: watching.announces,
            own_checks: program.edges.iter().map(|edge| edge.checks.len()).collect(),
        })
    }

    /// What an edge is in the original.
    pub fn original(&self, edge: EdgeId) -> Watched {
        match self.announces.get(&edge) {
            Some(announced) => Watched::Announces(*announced),
            None if edge.0 < self.first_added => Watched::Own(edge),
            None => Watched::Added,
        }
    }

    /// Is it a race if this check of an edge fails?
    pub fn is_race(&self, edge: EdgeId, check: usize) -> bool {
        self.own_checks.get(edge.0 as usize).is_some_and(|own| check >= *own)
    }
}

struct Watching<'p> {
    original: &'p Program,
    program: Program,
    /// The number of each variable's first place, from 1.
    places: BTreeMap<VariableId, u64>,
    /// What was announced: the number of a place (0: nothing), and whether it is written.
    place: Expression,
    write: Expression,
    into: (VariableId, VariableId),
    /// By procedure: where threads stop that have announced something.
    sinks: BTreeMap<ProcedureId, LocationId>,
    announces: BTreeMap<EdgeId, EdgeId>,
}

impl Watching<'_> {
    /// Adds the checks of an edge, and the ways to announce what it does.
    fn watch(&mut self, id: EdgeId) {
        let edge = self.original.edge(id);
        let accesses: Vec<Access> = accesses(edge)
            .into_iter()
            .filter(|access| self.places.contains_key(&access.variable))
            .collect();
        if accesses.is_empty() {
            return;
        }
        for access in &accesses {
            let check = self.check(edge, access);
            self.program.edges[id].checks.push(check);
        }
        if is_synchronizing(self.original, id) {
            return;
        }
        let plain =
            |access: &&Access| !self.original.concurrency.atomics.contains(&access.variable);
        let plain: Vec<&Access> = accesses.iter().filter(plain).collect();
        if plain.is_empty() {
            return;
        }
        if matches!(edge.operation, Operation::Call { .. }) {
            // A call is the only edge at its place.
            let between = self.program.add_location(edge.from);
            self.program.concurrency.uninterruptible.insert(between);
            self.add(id, edge.from, between, Operation::Skip);
            self.program.edges[id].from = between;
        }
        for access in plain {
            self.announce(id, access);
        }
    }

    /// The check that an access is not in conflict with what was announced.
    fn check(&self, edge: &Edge, access: &Access) -> Check {
        let mut conflict = self.is_announced(access);
        if !access.writes {
            conflict = and(conflict, self.write.clone());
        }
        if let Some(guard) = &access.guard {
            conflict = and(guard.clone(), conflict);
        }
        if let Operation::Assume(condition) = &edge.operation {
            conflict = and(condition.clone(), conflict);
        }
        Check {
            kind: ErrorKind::Race,
            condition: conflict.negated(),
            message: "data race".to_string(),
            subject: Subject::Condition,
            line: edge.span.line,
        }
    }

    /// Was the place of an access announced?
    fn is_announced(&self, access: &Access) -> Expression {
        let first = self.places[&access.variable];
        let size = self.original.variable(access.variable).elements();
        let number = |n: u64| Expression::Constant(n, self.place.scalar());
        match &access.index {
            Some(index) => {
                let same = two(BinaryOperator::Equal, self.place.clone(), self.number(access));
                inside(index, size).into_iter().fold(same, |all, one| and(one, all))
            }
            None if size == 1 => two(BinaryOperator::Equal, self.place.clone(), number(first)),
            None => and(
                two(BinaryOperator::LessEqual, number(first), self.place.clone()),
                two(BinaryOperator::Less, self.place.clone(), number(first + u64::from(size))),
            ),
        }
    }

    /// The number of the place of an access.
    fn number(&self, access: &Access) -> Expression {
        let scalar = self.place.scalar();
        let first = Expression::Constant(self.places[&access.variable], scalar);
        match &access.index {
            Some(index) => {
                two(BinaryOperator::Add, first, Expression::Cast(scalar, Box::new(index.clone())))
            }
            None => first,
        }
    }

    /// Adds a way to stop before an edge and to announce what it does.
    fn announce(&mut self, id: EdgeId, access: &Access) {
        let edge = self.original.edge(id);
        let scalar = self.place.scalar();
        let nothing = Expression::Constant(0, scalar);
        let mut free = two(BinaryOperator::Equal, self.place.clone(), nothing.clone());
        if let Some(atomic) = self.original.concurrency.atomic {
            free = and(free, Expression::Variable(atomic, Scalar::BOOL).negated());
        }
        // The edge can be passed, and it makes the access.
        let mut happens: Vec<Expression> =
            edge.checks.iter().map(|check| check.condition.clone()).collect();
        happens.extend(access.guard.clone());
        if let Operation::Assume(condition) = &edge.operation {
            happens.push(condition.clone());
        }
        let size = self.original.variable(access.variable).elements();
        let mut number = self.number(access);
        let mut choices = edge.choices.clone();
        match &access.index {
            Some(index) => happens.extend(inside(index, size)),
            None if size == 1 => {}
            None => {
                // All elements are accessed: the run picks one.
                let pick = Expression::Choice(ChoiceId(choices.len() as u32), scalar);
                choices.push(scalar);
                let most = Expression::Constant(u64::from(size), scalar);
                happens.push(two(BinaryOperator::Less, pick.clone(), most));
                number = two(BinaryOperator::Add, number, pick);
            }
        }
        let from = edge.from;
        let sink = self.sink(from);
        let between = self.program.add_location(from);
        self.program.concurrency.uninterruptible.insert(between);
        let (place, write) = self.into;
        let writes = Expression::Constant(u64::from(access.writes), Scalar::BOOL);
        let announcement;
        if choices.is_empty() {
            let condition = happens.into_iter().fold(free, and);
            self.add(id, from, between, Operation::Assume(condition));
            let writes = vec![(Place::Variable(place), number), (Place::Variable(write), writes)];
            announcement = self.add(id, between, sink, Operation::Assign(writes));
        } else {
            self.add(id, from, between, Operation::Assume(free));
            let condition = happens.into_iter().reduce(and).unwrap_or(Expression::truth());
            let number = Expression::Conditional(
                Box::new(condition),
                Box::new(number),
                Box::new(nothing.clone()),
            );
            let after = self.program.add_location(from);
            self.program.concurrency.uninterruptible.insert(after);
            let writes = vec![(Place::Variable(place), number), (Place::Variable(write), writes)];
            announcement = self.add(id, between, after, Operation::Assign(writes));
            self.program.edges[announcement].choices = choices;
            let done = two(BinaryOperator::NotEqual, self.place.clone(), nothing);
            self.add(id, after, sink, Operation::Assume(done));
        }
        self.announces.insert(announcement, id);
    }

    fn sink(&mut self, like: LocationId) -> LocationId {
        let procedure = self.program.location(like).procedure;
        let known = self.sinks.get(&procedure).copied();
        known.unwrap_or_else(|| {
            let sink = self.program.add_location(like);
            self.sinks.insert(procedure, sink);
            sink
        })
    }

    fn add(
        &mut self,
        like: EdgeId,
        from: LocationId,
        to: LocationId,
        operation: Operation,
    ) -> EdgeId {
        let Edge { span, scope, .. } = *self.original.edge(like);
        self.program.add_edge(Edge { span, scope, ..Edge::added(from, to, operation) })
    }
}

/// Does the edge order threads, or access atomically?
fn is_synchronizing(program: &Program, id: EdgeId) -> bool {
    let threads = &program.concurrency;
    threads.waits.contains(&id)
        || threads.synchronizing.contains(&id)
        || threads.uninterruptible.contains(&program.edge(id).from)
}

/// The variables of the source that two threads may access in conflict.
fn shared(program: &Program) -> BTreeSet<VariableId> {
    #[derive(Default)]
    struct Uses {
        threads: u32,
        writes: bool,
        plain: bool,
    }
    let named: BTreeSet<VariableId> =
        program.scopes.iter().flat_map(|scope| scope.variables.iter().copied()).collect();
    let mut calls: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
    let mut uses: BTreeMap<ProcedureId, Vec<(VariableId, bool, bool)>> = BTreeMap::new();
    for id in program.edge_ids() {
        let (edge, owner) = (program.edge(id), program.owner(id));
        if let Operation::Call { callee, .. } = &edge.operation {
            calls.entry(owner).or_default().insert(*callee);
        }
        for access in accesses(edge) {
            let variable = access.variable;
            if program.variable(variable).kind == VariableKind::Global && named.contains(&variable)
            {
                let plain = !is_synchronizing(program, id)
                    && !program.concurrency.atomics.contains(&variable);
                uses.entry(owner).or_default().push((variable, access.writes, plain));
            }
        }
    }
    let mut all: BTreeMap<VariableId, Uses> = BTreeMap::new();
    // Two threads of one procedure are enough to see what two of them do.
    for thread in ThreadSystem::new(program, 2).threads {
        let mut reached = BTreeSet::from([thread.procedure]);
        let mut pending = vec![thread.procedure];
        let mut own = BTreeSet::new();
        while let Some(procedure) = pending.pop() {
            for (variable, writes, plain) in uses.get(&procedure).into_iter().flatten() {
                let known = all.entry(*variable).or_default();
                known.writes |= writes;
                known.plain |= plain;
                own.insert(*variable);
            }
            let called = calls.get(&procedure).into_iter().flatten();
            pending.extend(called.filter(|callee| reached.insert(**callee)));
        }
        for variable in own {
            all.entry(variable).or_default().threads += 1;
        }
    }
    let conflicts = |(variable, uses): (VariableId, Uses)| {
        (uses.threads > 1 && uses.writes && uses.plain).then_some(variable)
    };
    all.into_iter().filter_map(conflicts).collect()
}

/// What an edge accesses, also of locals. A place that is written and read counts as written.
fn accesses(edge: &Edge) -> Vec<Access> {
    let mut found = Vec::new();
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) | Operation::Call { .. } => {}
        Operation::Assign(pairs) => {
            for (place, _) in pairs {
                let index = match place {
                    Place::Variable(_) => None,
                    Place::Element(_, index) => Some(index.clone()),
                };
                let variable = place.variable();
                add(&mut found, Access { variable, index, writes: true, guard: None });
            }
        }
        Operation::Havoc(list) => {
            for variable in list {
                let variable = *variable;
                add(&mut found, Access { variable, index: None, writes: true, guard: None });
            }
        }
    }
    for check in &edge.checks {
        read(&check.condition, None, &mut found);
    }
    match &edge.operation {
        Operation::Skip | Operation::Havoc(_) => {}
        Operation::Assume(condition) => read(condition, None, &mut found),
        Operation::Assign(pairs) => {
            for (place, value) in pairs {
                if let Place::Element(_, index) = place {
                    read(index, None, &mut found);
                }
                read(value, None, &mut found);
            }
        }
        Operation::Call { arguments, .. } => {
            arguments.iter().for_each(|argument| read(argument, None, &mut found));
        }
    }
    found
}

fn add(found: &mut Vec<Access>, access: Access) {
    let covers = |known: &Access| {
        (known.variable, &known.index) == (access.variable, &access.index)
            && (known.guard.is_none() || known.guard == access.guard)
    };
    if !found.iter().any(covers) {
        found.push(access);
    }
}

/// What an expression reads if the guard holds.
fn read(e: &Expression, guard: Option<&Expression>, found: &mut Vec<Access>) {
    let under = |more: Expression| match guard {
        Some(guard) => and(guard.clone(), more),
        None => more,
    };
    match e {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(id, _) => {
            let guard = guard.cloned();
            add(found, Access { variable: *id, index: None, writes: false, guard });
        }
        Expression::Element(id, index, _) => {
            read(index, guard, found);
            let (index, guard) = (Some((**index).clone()), guard.cloned());
            add(found, Access { variable: *id, index, writes: false, guard });
        }
        Expression::Unary(_, e) | Expression::Cast(_, e) => read(e, guard, found),
        Expression::Binary(operator, left, right) => {
            read(left, guard, found);
            let decides = match operator {
                BinaryOperator::And if left.scalar().boolean => Some((**left).clone()),
                BinaryOperator::Or if left.scalar().boolean => Some((**left).clone().negated()),
                _ => None,
            };
            match decides {
                Some(decides) => read(right, Some(&under(decides)), found),
                None => read(right, guard, found),
            }
        }
        Expression::Conditional(condition, then, otherwise) => {
            read(condition, guard, found);
            read(then, Some(&under((**condition).clone())), found);
            read(otherwise, Some(&under((**condition).clone().negated())), found);
        }
    }
}

/// The conditions that an index is in an array of so many elements.
fn inside(index: &Expression, size: u32) -> Vec<Expression> {
    let scalar = index.scalar();
    let number = |n: u32| Expression::Constant(scalar.wrap(n.into()), scalar);
    let mut conditions = Vec::new();
    if scalar.signed {
        conditions.push(two(BinaryOperator::LessEqual, number(0), index.clone()));
    }
    if scalar.holds(size.into()) {
        conditions.push(two(BinaryOperator::Less, index.clone(), number(size)));
    }
    conditions
}

fn and(left: Expression, right: Expression) -> Expression {
    two(BinaryOperator::And, left, right)
}

fn two(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::binary(operator, left, right)
}
