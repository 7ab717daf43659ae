//! One thread of an affine analysis: its saturation, and the hulls that are read off it.
//!
//! Phases, in a loop: the saturation runs to its end; calls are followed, so that each state has
//! the hull of the stores that enter its frames; the stores at the locations are read. A context
//! that can begin with more globals starts the second phase again.

use super::context_domain::ContextDomain;
use crate::analysis::threads::ThreadSystem;
use crate::encode::{ProgramSystem, symbol};
use crate::lang::model::{Initial, LocationId, ProcedureId};
use crate::pds::{PAutomaton, PostStar, State, Transition};
use crate::semiring::Semiring;
use crate::semiring::affine::{Coefficients, Span};
use crate::util::Bounded;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// A thread's saturation, and the stores that enter its frames.
pub(super) struct Thread<C: Coefficients> {
    pub(super) procedure: ProcedureId,
    pub(super) poststar: PostStar<ContextDomain<C>>,
    start: State,
    /// By context: the hull of the globals with which it can begin, rows over 1 and the shared
    /// columns. Empty if it never does.
    begins: Vec<Span<C::Number>>,
    /// By state: the hull of the stores that enter its frames.
    entries: BTreeMap<State, Span<C::Number>>,
    /// States whose entries have grown since their calls were followed.
    pub(super) changed: BTreeSet<State>,
    /// By context and location: the hull of the stores there, over all columns.
    pub(super) stores: BTreeMap<(usize, LocationId), Span<C::Number>>,
    /// Contexts and locations whose stores are still to be read.
    pub(super) unread: Vec<(usize, LocationId)>,
    /// By context: the hull of the stores with which it can end.
    pub(super) hulls: BTreeMap<usize, Span<C::Number>>,
}

impl<C: Coefficients> Thread<C> {
    pub(super) fn new(
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

    /// Adds globals with which a context can begin. Stores that were read already are read again.
    pub(super) fn begin(
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
        // One row of a hull has the constant 1; the other rows are directions.
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

    /// Finds the stores that enter the callees of one kind of frame. At the end it notes which
    /// locations have to be read.
    pub(super) fn follow_calls(
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

    /// Notes every location of every context that can begin.
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

    /// Reads the stores at a location off the automaton.
    pub(super) fn read(
        &mut self,
        domain: &mut ContextDomain<C>,
        switchable: &[bool],
        context: usize,
        location: LocationId,
    ) -> Bounded<()> {
        let mut all = Span::empty();
        for k in 0..self.poststar.automaton().outgoing(State(context as u32)).len() {
            let id = self.poststar.automaton().outgoing(State(context as u32))[k];
            let transition = self.poststar.automaton().transition(id);
            let Some(entries) = self
                .entries
                .get(&transition.to)
                .filter(|_| transition.symbol == Some(symbol(location)))
            else {
                continue;
            };
            let weight = self.poststar.automaton().weight(id).clone();
            let stores = domain.program.apply(&entries.clone(), &weight)?;
            all = all.sum(domain.program.semiring.ring(), &stores);
        }
        if switchable[location] {
            let known = self.hulls.entry(context).or_insert_with(Span::empty);
            *known = known.sum(domain.program.semiring.ring(), &all);
        }
        self.stores.insert((context, location), all);
        Ok(())
    }
}
