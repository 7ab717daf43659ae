//! The hull of the stores after one order of contexts: the intersection of the hulls of its
//! threads.

use super::AffineThreads;
use crate::encode::affine::Columns;
use crate::lang::model::LocationId;
use crate::semiring::affine::{Coefficients, Span};
use crate::util::Bounded;

impl<C: Coefficients> AffineThreads<C> {
    /// A hull of the stores after this order of contexts, while the thread is at the location: rows
    /// over `columns` (of the globals now, and of the thread's locals) and the constant.
    pub(super) fn stores_at(
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
                there && (thread == last || self.switchable[place])
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

    /// A hull of the globals with which the last context of an order can end: rows over 1 and the
    /// shared columns.
    pub(super) fn ends_of(&mut self, order: &[usize]) -> Bounded<Span<C::Number>> {
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

    /// The hull of the globals at the start and after each context of an order. If a thread and a
    /// location are given, it also has the thread's locals there, and its last context may still
    /// run. Returns `None` if no run follows this order.
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
        // If no row has the constant 1, there is no run.
        let some = solutions.rows().iter().any(|row| is_unit(ring, &row[0]));
        Ok(some.then_some((space, solutions)))
    }

    /// Turns the equations of a hull over a thread's columns into equations of the whole space. It
    /// leaves out columns that the space does not have.
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

/// The columns of a schedule's space: 1, the globals that no statement writes, the shared globals
/// at the start and after each context, and one thread's locals.
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

    /// The column of a global after so many contexts.
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
