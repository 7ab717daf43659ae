//! `switch`: edges for all cases leave one location. Falling through to the next case needs no
//! edge.

use super::current::{Cases, Jumps};
use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::given::Picked;
use crate::lang::lowering::expressions::{and, binary, size};
use crate::lang::lowering::graph::Looks;
use crate::lang::model::{BinaryOperator, EdgeId, Expression, LocationId, Span, StatementKind};
use crate::lang::syntax::{Expr, Statement};
use std::collections::BTreeMap;

/// Most cases of one `switch`.
const MOST_CASES: usize = 1024;

/// A scrutinee of this size or more is stored first.
const MOST_REPEATED: usize = 16;

impl Elaborator<'_> {
    pub(super) fn switch(&mut self, scrutinee: &Expr, body: &Statement, span: Span) {
        let looks = self.looks(StatementKind::Condition, span);
        let value = self.expression(scrutinee);
        let settled = self.settle(value, scrutinee.span);
        let scalar = self.promoted(settled.scalar());
        // C11 6.8.4.2: an integer.
        let scalar = if scalar.floating { self.int() } else { scalar };
        let value = self.convert(Value::Typed(settled), scalar, scrutinee.span);
        let value = self.settle_condition(value, &looks);
        // Every case repeats it.
        let value = if size(&value, MOST_REPEATED) < MOST_REPEATED {
            value
        } else {
            self.store(value, looks.clone())
        };
        let choices = std::mem::take(&mut self.pending).choices;
        let from = self.graph.here();
        let first_edge = self.program.edges.len();

        self.graph.current = None;
        self.current.switches.push(Cases { scalar, values: Vec::new(), default: None });
        let atomic = self.current.atomic.len();
        self.current.jumps.push(Jumps { atomic, ..Jumps::default() });
        self.statement(body);
        let cases =
            self.current.switches.pop().expect("pushed above, and every inner one pops its own");
        let jumps =
            self.current.jumps.pop().expect("pushed above, and every inner one pops its own");
        let end = self.graph.current;

        let body_edges = self.program.edges.len() - first_edge;
        let mut others = Vec::with_capacity(cases.values.len());
        for (bits, to) in &cases.values {
            let constant = Expression::Constant(*bits, scalar);
            let matches = binary(BinaryOperator::Equal, value.clone(), constant);
            others.push(matches.clone().negated());
            self.case_edge(
                from,
                *to,
                matches,
                &choices,
                &looks,
                format!("case {}", scalar.show(*bits)),
            );
        }
        let none_matches = all(others);
        let after_default = match cases.default {
            Some(to) => {
                self.case_edge(from, to, none_matches, &choices, &looks, "default".to_string());
                None
            }
            None => {
                let to = self.graph.fresh();
                self.case_edge(from, to, none_matches, &choices, &looks, "default".to_string());
                Some(to)
            }
        };
        // The edges of the cases come before those of the body, as in the source.
        self.program.edges[first_edge..].rotate_left(body_edges);
        self.edges_moved(first_edge, body_edges);
        let end = self.graph.join(end, jumps.break_to);
        self.graph.current = self.graph.join(end, after_default);
    }

    /// The edges from the first one on were rotated to the left by so many: what is known of them
    /// by their numbers moves with them.
    fn edges_moved(&mut self, first: usize, by: usize) {
        let count = self.program.edges.len() - first;
        let new = |id: EdgeId| match (id.0 as usize).checked_sub(first) {
            Some(at) => EdgeId((first + (at + count - by) % count) as u32),
            None => id,
        };
        let program = &mut self.program;
        program.cut_offs.iter_mut().for_each(|id| *id = new(*id));
        moved(&mut program.shared.calls, new);
        moved(&mut program.givers, new);
        let concurrency = &mut program.concurrency;
        moved(&mut concurrency.starts, new);
        for set in [&mut concurrency.waits, &mut concurrency.ends, &mut concurrency.synchronizing] {
            *set = std::mem::take(set).into_iter().map(new).collect();
        }
        let noted = &mut self.reads.noted;
        noted.unset = std::mem::take(&mut noted.unset)
            .into_iter()
            .map(|(id, index)| (new(id), index))
            .collect();
        noted.stored = std::mem::take(&mut noted.stored).into_iter().map(new).collect();
    }

    fn case_edge(
        &mut self,
        from: LocationId,
        to: LocationId,
        condition: Expression,
        choices: &[Picked],
        looks: &Looks,
        outcome: String,
    ) {
        let middle = self.outcome(from, condition, choices.to_vec(), looks, Some(&outcome));
        self.graph.merge(middle, to);
    }

    /// `case v:`
    pub(super) fn case(&mut self, value: &Expr, span: Span) {
        let number = self.constant(value, "a case");
        let Some(scalar) = self.current.switches.last().map(|c| c.scalar) else {
            self.diagnostics.error(span, "`case` outside a `switch`", "");
            return;
        };
        let Some(number) = number else { return };
        if !scalar.holds(number) && (scalar.signed || number >= 0) {
            self.does_not_fit(number, scalar, value.span);
        }
        let to = self.label_location();
        let bits = scalar.wrap(number);
        let full =
            self.current.switches.last().is_some_and(|cases| cases.values.len() >= MOST_CASES);
        if full {
            self.diagnostics.error(
                span,
                format!("more than {MOST_CASES} cases in one `switch`"),
                "use conditions on ranges",
            );
            return;
        }
        let repeated = match self.current.switches.last_mut() {
            Some(cases) if cases.values.iter().all(|(b, _)| *b != bits) => {
                cases.values.push((bits, to));
                false
            }
            _ => true,
        };
        if repeated {
            self.diagnostics.error(
                span,
                format!("case {number} stands twice in this `switch`"),
                "remove one of them",
            );
        }
    }

    /// `default:`
    pub(super) fn default_case(&mut self, span: Span) {
        let to = self.label_location();
        match self.current.switches.last_mut() {
            None => self.diagnostics.error(span, "`default` outside a `switch`", ""),
            Some(cases) if cases.default.is_some() => {
                self.diagnostics.error(
                    span,
                    "`default` stands twice in this `switch`",
                    "remove one of them",
                );
            }
            Some(cases) => cases.default = Some(to),
        }
    }

    /// The current location, which jumps may lead to.
    fn label_location(&mut self) -> LocationId {
        let here = self.graph.here();
        self.graph.current = Some(here);
        here
    }
}

/// The conjunction of the conditions, as a tree of little depth.
fn all(mut conditions: Vec<Expression>) -> Expression {
    while conditions.len() > 1 {
        let mut halved = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut pairs = conditions.into_iter();
        while let Some(one) = pairs.next() {
            halved.push(match pairs.next() {
                Some(other) => and(one, other),
                None => one,
            });
        }
        conditions = halved;
    }
    conditions.pop().unwrap_or(Expression::truth())
}

/// What is known of edges, under their new numbers.
fn moved<T>(known: &mut BTreeMap<EdgeId, T>, new: impl Fn(EdgeId) -> EdgeId) {
    let old = std::mem::take(known);
    known.extend(old.into_iter().map(|(id, value)| (new(id), value)));
}
