//! Affine equalities of a program with threads under a bound on context switches (Lal, Touili,
//! Kidd, Reps 2007, § 4.2.1, 6 and App. B.2).
//!
//! Each thread alone, by post\* over matrix spaces with a control location for each of its
//! contexts: a switch copies the globals to a further column and takes fresh ones from another,
//! which is affine, so locals stay where they are and the space of matrices is exact. Applied to
//! the hulls of the globals with which its contexts can begin it gives the thread's interface, an
//! affine hull over the globals at all its switches. A schedule is the intersection of the hulls of
//! its threads, where each context begins with what the one before it ended with.
//!
//! Differs from the paper: hulls of relations are intersected, where the paper multiplies tensor
//! products of matrix spaces ([`crate::semiring::affine::AffineTensors`]). Every equality found
//! holds. The paper's is stronger where a thread's matrices are not determined by the hull of what
//! they relate: of x := x or x := −x the hull is everything, although both leave 0 alone. So
//! answers count as approximate. It needs (1 + n · contexts)² instead of (1 + n)^(2 · contexts)
//! entries for n globals, and locals may cross switches in whatever frames.

use super::affine::Equality;
use super::threads::ThreadSystem;
use crate::encode::affine::{AffineDomain, Arithmetic, Columns};
use crate::encode::{ProgramSystem, symbol};
use crate::lang::model::{
    Expression, Initial, LocationId, Operation, Place, ProcedureId, VariableId,
};
use crate::pds::{
    ControlLocation, ForwardWeights, PAutomaton, Pds, PostStar, Right, Rule, RuleId, State,
    Transition, Weights,
};
use crate::semiring::Semiring;
use crate::semiring::affine::{Coefficients, MatrixSpace, Span};
use crate::util::Bounded;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};

/// A program's weights, its rules once for each context and a rule for each switch.
struct ContextDomain<C: Coefficients> {
    program: AffineDomain<C>,
    rules: u32,
    /// The first rule that switches, and how many there are between two contexts.
    switching: u32,
    places: u32,
    /// By context that ends.
    switches: Vec<MatrixSpace<C>>,
}

impl<C: Coefficients> ContextDomain<C> {
    fn of_program(&self, rule: RuleId) -> RuleId {
        RuleId(rule.0 % self.rules)
    }
}

impl<C: Coefficients> Weights for ContextDomain<C> {
    type Weight = MatrixSpace<C>;

    fn zero(&self) -> MatrixSpace<C> {
        self.program.zero()
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.combine(left, right)
    }
}

impl<C: Coefficients> ForwardWeights for ContextDomain<C> {
    fn after(&mut self, weight: &MatrixSpace<C>, rule: RuleId) -> Bounded<MatrixSpace<C>> {
        if rule.0 >= self.switching {
            let context = (rule.0 - self.switching) / self.places;
            return self.program.semiring.extend(weight, &self.switches[context as usize]);
        }
        self.program.after(weight, self.of_program(rule))
    }
    fn enter(&mut self, weight: &MatrixSpace<C>, rule: RuleId) -> Bounded<MatrixSpace<C>> {
        self.program.enter(weight, self.of_program(rule))
    }
    fn return_after(
        &mut self,
        at_call: &MatrixSpace<C>,
        rule: RuleId,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.return_after(at_call, self.of_program(rule), summary)
    }
    fn return_into_given(
        &mut self,
        below: &MatrixSpace<C>,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.return_into_given(below, summary)
    }
}

/// One thread's saturation, and the stores that enter its frames.
struct Thread<C: Coefficients> {
    procedure: ProcedureId,
    poststar: PostStar<ContextDomain<C>>,
    start: State,
    /// By context: the hull of the globals with which it can begin, rows over 1 and the shared
    /// columns. Empty if it never does.
    begins: Vec<Span<C::Number>>,
    entries: BTreeMap<State, Span<C::Number>>,
    changed: BTreeSet<State>,
    /// By context and location: the hull of the stores there, over all columns.
    stores: BTreeMap<(usize, LocationId), Span<C::Number>>,
    unread: Vec<(usize, LocationId)>,
    /// By context: the hull of the stores with which it can end.
    hulls: BTreeMap<usize, Span<C::Number>>,
}

/// An analysis in progress.
pub struct AffineThreads<C: Coefficients> {
    system: ThreadSystem,
    pds: Pds,
    domain: ContextDomain<C>,
    threads: Vec<Thread<C>>,
    kind: Vec<usize>,
    contexts: usize,
    switches: u32,
    /// By location: can a context end there, outside of atomic sections?
    switchable: Vec<bool>,
    first: Span<C::Number>,
    /// Orders whose threads can run, all of them so far; from `next` on the hull of their ends is
    /// not known.
    orders: Vec<(Order, Span<C::Number>)>,
    next: usize,
    /// Where the longest orders begin.
    level: usize,
}

/// One order of the threads' contexts.
type Order = Vec<usize>;

impl<C: Coefficients> AffineThreads<C> {
    /// Sets it up for at most `switches` switches; after `most_operations` multiplications of
    /// numbers it ends with a limit.
    pub fn new(
        system: ThreadSystem,
        switches: u32,
        arithmetic: Arithmetic,
        ring: C,
        most_operations: u64,
    ) -> Bounded<AffineThreads<C>> {
        let program = std::rc::Rc::clone(&system.program);
        let rules = ProgramSystem::new(&program, None);
        let contexts = switches as usize / 2 + 1;
        let columns = Columns::remembering(&program, 2 * contexts);
        let mut of_program =
            AffineDomain::over(columns, &program, &rules, arithmetic, ring, most_operations)?;
        let switchable = outside_atomic_sections(&system);
        let places: Vec<LocationId> = (0..program.locations.len() as u32)
            .map(LocationId)
            .filter(|l| switchable[l.0 as usize])
            .collect();
        let mut pds = Pds::new(contexts as u32, rules.pds.symbols());
        for control in (0..contexts as u32).map(ControlLocation) {
            for rule in rules.pds.rules() {
                pds.add(Rule { from: control, to: control, ..*rule });
            }
        }
        let switching = pds.rules().len() as u32;
        let mut weights = Vec::new();
        for context in 1..contexts as u32 {
            for place in &places {
                let right = Right::Step(symbol(*place));
                pds.add(Rule {
                    from: ControlLocation(context - 1),
                    symbol: symbol(*place),
                    to: ControlLocation(context),
                    right,
                });
            }
            weights.push(of_program.switch(2 * context as usize - 1, 2 * context as usize)?);
        }
        let first = of_program.start(&program)?;
        let mut domain = ContextDomain {
            program: of_program,
            rules: rules.pds.rules().len() as u32,
            switching,
            places: places.len().max(1) as u32,
            switches: weights,
        };
        let mut threads: Vec<Thread<C>> = Vec::new();
        let mut kind = Vec::new();
        for thread in &system.threads {
            let known = threads.iter().position(|known| known.procedure == thread.procedure);
            kind.push(match known {
                Some(known) => known,
                None => {
                    threads.push(Thread::new(
                        &mut domain,
                        &system,
                        &rules,
                        thread.procedure,
                        contexts,
                    )?);
                    threads.len() - 1
                }
            });
        }
        let orders = system.first.iter().map(|thread| (vec![*thread], Span::empty())).collect();
        let mut analysis = AffineThreads {
            system,
            pds,
            domain,
            threads,
            kind,
            contexts,
            switches,
            switchable,
            first,
            orders,
            next: 0,
            level: 0,
        };
        let columns = analysis.domain.program.columns.shared().to_vec();
        let initial = analysis.rows_over(&analysis.first, &columns);
        for thread in analysis.system.first.clone() {
            let kind = analysis.kind[thread];
            analysis.threads[kind].begin(&analysis.domain, &analysis.system, 0, &initial);
        }
        Ok(analysis)
    }

    /// 1 and these columns of stores.
    fn rows_over(&self, stores: &Span<C::Number>, columns: &[usize]) -> Span<C::Number> {
        let select = |row: &Vec<C::Number>| {
            std::iter::once(row[0].clone())
                .chain(columns.iter().map(|c| row[c + 1].clone()))
                .collect()
        };
        Span::of(self.domain.program.semiring.ring(), stores.rows().iter().map(select))
    }

    /// One piece of work; true once there is nothing left to do.
    pub fn step(&mut self) -> Bounded<bool> {
        for thread in &mut self.threads {
            if !thread.poststar.is_done() {
                thread.poststar.step(&self.pds, &mut self.domain)?;
                return Ok(false);
            }
            if !thread.changed.is_empty() {
                thread.follow_calls(&self.system, &mut self.domain)?;
                return Ok(false);
            }
            if let Some((context, place)) = thread.unread.pop() {
                thread.read(&mut self.domain, &self.switchable, context, place)?;
                return Ok(false);
            }
        }
        if self.next < self.orders.len() {
            let order = self.orders[self.next].0.clone();
            // The longest orders are followed by nothing.
            if order.len() <= self.switches as usize {
                self.orders[self.next].1 = self.ends_of(&order)?;
            }
            self.next += 1;
            return Ok(false);
        }
        if self.orders.get(self.level).is_none_or(|(order, _)| order.len() > self.switches as usize)
        {
            return Ok(true);
        }
        self.lengthen();
        Ok(false)
    }

    /// Every order with one more context; what it begins with goes to its thread.
    fn lengthen(&mut self) {
        let leaves = self.level..self.orders.len();
        self.level = self.orders.len();
        for leaf in leaves {
            let (order, ends) = self.orders[leaf].clone();
            if ends.is_empty() {
                continue;
            }
            for thread in 0..self.kind.len() {
                let context = order.iter().filter(|t| **t == thread).count();
                let earlier =
                    self.system.before(thread).is_none_or(|before| order.contains(&before));
                if order.last() != Some(&thread) && earlier && context < self.contexts {
                    self.threads[self.kind[thread]].begin(
                        &self.domain,
                        &self.system,
                        context,
                        &ends,
                    );
                    self.orders.push(([&order[..], &[thread]].concat(), Span::empty()));
                }
            }
        }
    }

    /// The threads.
    pub fn system(&self) -> &ThreadSystem {
        &self.system
    }

    /// Multiplications of numbers so far.
    pub fn operations(&self) -> u64 {
        self.domain.program.semiring.operations()
    }

    /// A basis of affine equalities among `variables` that hold whenever a thread of some run with
    /// at most so many switches is at the location and no other is inside of an atomic section;
    /// `None` if none ever is. Meaningful once the analysis is over.
    pub fn equalities_at(
        &mut self,
        place: LocationId,
        variables: &[VariableId],
    ) -> Bounded<Option<Vec<Equality>>> {
        let mut shown: Vec<(VariableId, usize)> = variables
            .iter()
            .filter_map(|v| Some((*v, self.domain.program.columns.of(*v)?)))
            .collect();
        // The latest declared leads, so that it is expressed by earlier ones; the constant comes
        // last.
        shown.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
        shown.dedup();
        let columns: Vec<usize> = shown.iter().map(|(_, column)| *column).collect();
        let mut all = Span::empty();
        for index in 0..self.orders.len() {
            let order = self.orders[index].0.clone();
            for thread in 0..self.kind.len() {
                let stores = self.stores_at(&order, thread, place, &columns)?;
                all = all.sum(self.domain.program.semiring.ring(), &stores);
            }
        }
        if all.is_empty() {
            return Ok(None);
        }
        let ring = self.domain.program.semiring.ring();
        let size = shown.len() + 1;
        let found = Span::null_space(ring, all.rows(), size);
        let equality = |row: &Vec<C::Number>| {
            let numbers = ring.readable(row);
            let terms = shown
                .iter()
                .zip(&numbers)
                .filter(|(_, n)| !n.is_zero())
                .map(|((id, _), n)| (*id, n.clone()))
                .collect();
            Equality { terms, constant: -numbers[size - 1].clone() }
        };
        Ok(Some(
            found.rows().iter().map(equality).filter(|e: &Equality| !e.terms.is_empty()).collect(),
        ))
    }

    /// Rows over `columns` (of globals now, and of the thread's locals) and the constant: a hull of
    /// the stores after this order of contexts, while the thread is at the location.
    fn stores_at(
        &mut self,
        order: &[usize],
        thread: usize,
        place: LocationId,
        columns: &[usize],
    ) -> Bounded<Span<C::Number>> {
        let last = order[order.len() - 1];
        let contexts_of = |thread: usize| order.iter().filter(|t| **t == thread).count();
        let at_entry =
            self.system.program.procedure(self.system.threads[thread].procedure).entry == place;
        let may = match contexts_of(thread) {
            0 => at_entry,
            context => {
                let there = self.threads[self.kind[thread]]
                    .stores
                    .get(&(context - 1, place))
                    .is_some_and(|stores| !stores.is_empty());
                there && (thread == last || self.switchable[place.0 as usize])
            }
        };
        if !may {
            return Ok(Span::empty());
        }
        let Some((space, solutions)) = self.solutions(order, Some((thread, place)))? else {
            return Ok(Span::empty());
        };
        let known = &self.domain.program.columns;
        let ring = self.domain.program.semiring.ring();
        let select = |row: &Vec<C::Number>| {
            let mut chosen: Vec<C::Number> = Vec::new();
            for column in columns {
                let place = if known.locals().contains(column) {
                    Some(space.locals + column - known.locals().start)
                } else {
                    space.chain(known, *column, order.len())
                };
                chosen.push(place.map_or(ring.zero(), |place| row[place].clone()));
            }
            chosen.push(row[0].clone());
            chosen
        };
        Ok(Span::of(ring, solutions.rows().iter().map(select)))
    }

    /// Rows over 1 and the shared columns: a hull of the globals with which the last context of an
    /// order can end.
    fn ends_of(&mut self, order: &[usize]) -> Bounded<Span<C::Number>> {
        let Some((space, solutions)) = self.solutions(order, None)? else {
            return Ok(Span::empty());
        };
        let shared = space.globals + order.len() * space.shared
            ..space.globals + (order.len() + 1) * space.shared;
        let select = |row: &Vec<C::Number>| {
            std::iter::once(row[0].clone()).chain(row[shared.clone()].iter().cloned()).collect()
        };
        Ok(Span::of(self.domain.program.semiring.ring(), solutions.rows().iter().map(select)))
    }

    /// The hull of an order's globals at the start and after each context, where it can end; with
    /// the locals of a thread at a location, if one is asked for: its last context may be going on.
    /// `None` if no run is like that.
    fn solutions(
        &mut self,
        order: &[usize],
        focus: Option<(usize, LocationId)>,
    ) -> Bounded<Option<(Space, Span<C::Number>)>> {
        let space = Space::new(&self.domain.program.columns, order.len());
        let mut equations: Vec<Vec<C::Number>> = Vec::new();
        let initial = self.first.clone();
        self.constrain(
            &space,
            &initial,
            &|column| space.chain(&self.domain.program.columns, column, 0),
            &mut equations,
        );
        let mut threads: Vec<usize> = order.to_vec();
        threads.sort_unstable();
        threads.dedup();
        for other in threads {
            let positions: Vec<usize> =
                (0..order.len()).filter(|k| order[*k] == other).flat_map(|k| [k, k + 1]).collect();
            let context = positions.len() / 2 - 1;
            let of_thread = &self.threads[self.kind[other]];
            let at = focus.filter(|(thread, _)| *thread == other).map(|(_, place)| place);
            let hull = match at {
                Some(place) => of_thread.stores.get(&(context, place)),
                None => of_thread.hulls.get(&context),
            };
            let Some(hull) = hull.filter(|hull| !hull.is_empty()).cloned() else { return Ok(None) };
            self.domain
                .program
                .semiring
                .spend(hull.rows().len() * self.domain.program.semiring.size())?;
            let known = &self.domain.program.columns;
            let to = |column: usize| {
                let copy = (0..2 * context + 1).find(|copy| known.copy(*copy).contains(&column));
                match copy {
                    Some(copy) => Some(
                        space.globals + positions[copy] * space.shared + column
                            - known.copy(copy).start,
                    ),
                    None if known.locals().contains(&column) => {
                        at.map(|_| space.locals + column - known.locals().start)
                    }
                    None => space.chain(known, column, positions[2 * context + 1]),
                }
            };
            self.constrain(&space, &hull, &to, &mut equations);
        }
        self.domain.program.semiring.spend(equations.len() * space.size * space.size)?;
        let ring = self.domain.program.semiring.ring();
        let solutions = Span::null_space(ring, &equations, space.size);
        // Nothing with the constant 1: no run.
        let some = solutions.rows().iter().any(|row| is_unit(ring, &row[0]));
        Ok(some.then_some((space, solutions)))
    }

    /// The equations of a hull over a thread's columns, as equations of the whole space; columns
    /// without a place there are left out.
    fn constrain(
        &self,
        space: &Space,
        hull: &Span<C::Number>,
        to: &dyn Fn(usize) -> Option<usize>,
        equations: &mut Vec<Vec<C::Number>>,
    ) {
        let ring = self.domain.program.semiring.ring();
        let columns: Vec<(usize, usize)> =
            (0..self.domain.program.columns.count()).filter_map(|c| Some((c, to(c)?))).collect();
        let select = |row: &Vec<C::Number>| -> Vec<C::Number> {
            std::iter::once(row[0].clone())
                .chain(columns.iter().map(|(c, _)| row[c + 1].clone()))
                .collect()
        };
        let rows: Vec<Vec<C::Number>> = hull.rows().iter().map(select).collect();
        for equation in Span::null_space(ring, &rows, columns.len() + 1).rows() {
            let mut whole = vec![ring.zero(); space.size];
            whole[0] = equation[0].clone();
            for (value, (_, place)) in equation[1..].iter().zip(&columns) {
                whole[*place] = value.clone();
            }
            equations.push(whole);
        }
    }
}

/// Where things stand in the space of a schedule: 1, the globals that nothing writes, the shared
/// ones at the start and after each context, and one thread's locals.
struct Space {
    globals: usize,
    shared: usize,
    locals: usize,
    size: usize,
}

impl Space {
    fn new(columns: &Columns, contexts: usize) -> Space {
        let globals = 1 + columns.constant().len();
        let shared = columns.shared().len();
        let locals = globals + (contexts + 1) * shared;
        Space { globals, shared, locals, size: locals + columns.locals().len() }
    }

    /// The place of a global now, where now is after so many contexts.
    fn chain(&self, columns: &Columns, column: usize, contexts: usize) -> Option<usize> {
        if let Some(k) = columns.shared().iter().position(|c| *c == column) {
            return Some(self.globals + contexts * self.shared + k);
        }
        columns.constant().iter().position(|c| *c == column).map(|k| 1 + k)
    }
}

fn is_unit<C: Coefficients>(ring: &C, number: &C::Number) -> bool {
    !ring.is_zero(number) && ring.annihilator(&ring.multiply(&ring.unit(number), number)).is_none()
}

impl<C: Coefficients> Thread<C> {
    fn new(
        domain: &mut ContextDomain<C>,
        system: &ThreadSystem,
        rules: &ProgramSystem,
        procedure: ProcedureId,
        contexts: usize,
    ) -> Bounded<Thread<C>> {
        let mut automaton = PAutomaton::new(contexts as u32);
        let start = automaton.add_state();
        automaton.set_final(start);
        let top = symbol(system.program.procedure(procedure).entry);
        let one = domain.program.semiring.one()?;
        automaton
            .insert(Transition { from: State(0), symbol: Some(top), to: start, via: None }, one);
        let poststar = PostStar::new(domain, automaton, rules.priority.clone());
        Ok(Thread {
            procedure,
            poststar,
            start,
            begins: vec![Span::empty(); contexts],
            entries: BTreeMap::new(),
            changed: BTreeSet::new(),
            stores: BTreeMap::new(),
            unread: Vec::new(),
            hulls: BTreeMap::new(),
        })
    }

    /// From now on a context can begin with these globals, too. What was read is read again.
    fn begin(
        &mut self,
        domain: &ContextDomain<C>,
        system: &ThreadSystem,
        context: usize,
        globals: &Span<C::Number>,
    ) {
        let ring = domain.program.semiring.ring();
        let all = self.begins[context].sum(ring, globals);
        if all == self.begins[context] {
            return;
        }
        self.begins[context] = all;
        let columns = &domain.program.columns;
        let row = |ones: &[usize]| {
            let mut row = vec![ring.zero(); columns.count() + 1];
            for column in ones {
                row[*column] = ring.one();
            }
            row
        };
        let mut base = row(&[0]);
        let mut rows = Vec::new();
        for (id, variable) in system.program.globals().map(|id| (id, system.program.variable(id))) {
            let Some(column) = columns.of(id).filter(|column| columns.constant().contains(column))
            else {
                continue;
            };
            match &variable.initial {
                Initial::Exactly(bits) => {
                    base[column + 1] = ring.integer(&BigInt::from(variable.scalar.number(bits[0])))
                }
                Initial::Any => rows.push(row(&[column + 1])),
            }
        }
        rows.extend(columns.locals().map(|local| row(&[local + 1])));
        // Of a hull one row has the constant 1, the others are directions.
        for (context, hull) in self.begins.iter().enumerate() {
            for begin in hull.rows() {
                let mut direction = if ring.is_zero(&begin[0]) { row(&[]) } else { base.clone() };
                for (k, value) in begin[1..].iter().enumerate() {
                    direction[columns.copy(2 * context).start + k + 1] = value.clone();
                    if context == 0 {
                        direction[columns.shared()[k] + 1] = value.clone();
                    }
                }
                if ring.is_zero(&begin[0]) { rows.push(direction) } else { base = direction }
            }
        }
        rows.push(base);
        self.entries = BTreeMap::from([(self.start, Span::of(ring, rows))]);
        self.changed = BTreeSet::from([self.start]);
        self.stores.clear();
        self.hulls.clear();
        self.unread.clear();
    }

    /// What enters the callees of one kind of frame; at the end, which locations have to be read.
    fn follow_calls(
        &mut self,
        system: &ThreadSystem,
        domain: &mut ContextDomain<C>,
    ) -> Bounded<()> {
        let Some(frame) = self.changed.pop_first() else { return Ok(()) };
        let stores = self.entries[&frame].clone();
        for id in 0..self.poststar.automaton().transitions().len() as u32 {
            let transition = self.poststar.automaton().transition(id);
            let Some(rule) = transition.via.filter(|_| transition.to == frame) else { continue };
            let Some(enter) = domain.program.entering(domain.of_program(rule)).cloned() else {
                continue;
            };
            let weight = self.poststar.automaton().weight(id).clone();
            let at_call = domain.program.apply(&stores, &weight)?;
            let entering = domain.program.apply(&at_call, &enter)?;
            let old = self.entries.get(&transition.from).cloned().unwrap_or_else(Span::empty);
            let new = old.sum(domain.program.semiring.ring(), &entering);
            if new != old {
                self.entries.insert(transition.from, new);
                self.changed.insert(transition.from);
            }
        }
        if self.changed.is_empty() {
            self.list_unread(system);
        }
        Ok(())
    }

    /// Every location of every context that can begin.
    fn list_unread(&mut self, system: &ThreadSystem) {
        let locations = system.program.locations.len() as u32;
        let begun = self.begins.iter().take_while(|hull| !hull.is_empty()).count() as u32;
        let places = self
            .poststar
            .automaton()
            .transitions()
            .iter()
            .filter_map(|t| Some((t.from.0, t.symbol?)));
        let read: BTreeSet<(usize, LocationId)> = places
            .filter(|(from, symbol)| *from < begun && symbol.0 < locations)
            .map(|(from, symbol)| (from as usize, LocationId(symbol.0)))
            .collect();
        self.unread = read.into_iter().collect();
    }

    fn read(
        &mut self,
        domain: &mut ContextDomain<C>,
        switchable: &[bool],
        context: usize,
        place: LocationId,
    ) -> Bounded<()> {
        let mut all = Span::empty();
        for k in 0..self.poststar.automaton().outgoing(State(context as u32)).len() {
            let id = self.poststar.automaton().outgoing(State(context as u32))[k];
            let transition = self.poststar.automaton().transition(id);
            let Some(entries) = self
                .entries
                .get(&transition.to)
                .filter(|_| transition.symbol == Some(symbol(place)))
            else {
                continue;
            };
            let weight = self.poststar.automaton().weight(id).clone();
            let stores = domain.program.apply(&entries.clone(), &weight)?;
            all = all.sum(domain.program.semiring.ring(), &stores);
        }
        if switchable[place.0 as usize] {
            let known = self.hulls.entry(context).or_insert_with(Span::empty);
            *known = known.sum(domain.program.semiring.ring(), &all);
        }
        self.stores.insert((context, place), all);
        Ok(())
    }
}

/// By location: can a context end there while no atomic section is open? The flag is set to
/// constants only, so it is followed along the control flow, returns taken to every caller.
fn outside_atomic_sections(system: &ThreadSystem) -> Vec<bool> {
    let Some(flag) = system.atomic else { return system.switchable.clone() };
    let program = &system.program;
    let out = system.outgoing();
    let mut seen: BTreeSet<(LocationId, bool)> = BTreeSet::new();
    let mut work: Vec<(LocationId, bool)> = system
        .threads
        .iter()
        .map(|thread| (program.procedure(thread.procedure).entry, false))
        .collect();
    while let Some((place, open)) = work.pop() {
        if !seen.insert((place, open)) {
            continue;
        }
        let procedure = program.location(place).procedure;
        if program.procedure(procedure).exit == place {
            for edge in program.edge_ids().map(|id| program.edge(id)) {
                if matches!(&edge.operation, Operation::Call { callee, .. } if *callee == procedure)
                {
                    work.push((edge.to, open));
                }
            }
        }
        for edge in out[place.0 as usize].iter().map(|id| program.edge(*id)) {
            match &edge.operation {
                Operation::Call { callee, .. } => {
                    work.push((program.procedure(*callee).entry, open))
                }
                Operation::Assign(list) => {
                    let written = list
                        .iter()
                        .rev()
                        .find(|(place, _)| matches!(place, Place::Variable(v) if *v == flag));
                    match written.map(|(_, value)| value) {
                        None => work.push((edge.to, open)),
                        Some(Expression::Constant(bits, _)) => work.push((edge.to, *bits != 0)),
                        Some(_) => work.extend([(edge.to, false), (edge.to, true)]),
                    }
                }
                Operation::Havoc(variables) if variables.contains(&flag) => {
                    work.extend([(edge.to, false), (edge.to, true)])
                }
                _ => work.push((edge.to, open)),
            }
        }
    }
    let outside = |k: usize| system.switchable[k] && seen.contains(&(LocationId(k as u32), false));
    (0..program.locations.len()).map(outside).collect()
}
