//! The statements that say what is wanted. No repair changes them: a weaker check mends nothing.

use crate::cfg::{loops, read_by, read_in};
use crate::lang::model::{
    Edge, EdgeId, ErrorKind, Expression, Initial, Operation, Place, Program, Span, StatementKind,
    VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most edges between a condition and the error that it guards.
const MOST_BETWEEN: usize = 20;

/// What a program wants, as statements.
#[derive(Clone, Debug, Default)]
pub struct Property {
    edges: BTreeSet<EdgeId>,
    /// Outcomes of conditions that lead straight to an error.
    guards: BTreeSet<EdgeId>,
}

impl Property {
    /// The property of a program: checks; assumptions; forbidden assignments; the conditions of
    /// `if` that lead straight to an error; and calls of procedures that only check what they are
    /// given.
    pub fn of(program: &Program) -> Property {
        let mut property = Property::default();
        let heads: BTreeSet<_> = loops(program).into_iter().map(|found| found.header).collect();
        let graph = Graph::of(program);
        let checking: Vec<bool> =
            (0..program.procedures.len()).map(|k| only_checks(program, k)).collect();
        let mut wanted: Vec<Span> = Vec::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let is_property = match (edge.kind, &edge.operation) {
                (StatementKind::Assertion | StatementKind::Assumption, _) => true,
                (_, Operation::Call { callee, .. }) => checking[callee.0 as usize],
                _ => graph.is_forbidden(edge),
            };
            if matches!(edge.kind, StatementKind::Assertion | StatementKind::Assumption) {
                wanted.push(edge.span);
            }
            if is_property {
                property.edges.insert(id);
            }
            // A loop that ends before an error is no guard of it.
            let is_loop = heads.contains(&edge.from) && edge.outcome == "false";
            if edge.kind == StatementKind::Condition && !is_loop && graph.leads_to_error(edge) {
                property.guards.insert(id);
                wanted.push(edge.span);
            }
        }
        wanted.sort_unstable_by_key(|span| (span.start, span.end));
        wanted.dedup();
        // What is evaluated for a check is a part of it.
        let is_part = |id: &EdgeId| {
            let own = program.edge(*id).span;
            let before = wanted.partition_point(|span| span.start <= own.start);
            wanted[..before].iter().rev().take(8).any(|span| own.end <= span.end)
        };
        property.edges.extend(program.edge_ids().filter(is_part));
        property
    }

    /// The same, with the assignments of flags: variables that get 0 and 1 and that nothing reads
    /// but checks, each as a truth value by itself.
    pub fn with_flags(program: &Program) -> Property {
        let mut property = Property::of(program);
        property.add_flags(program);
        property
    }

    /// Does the statement say what is wanted?
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.edges.contains(&edge)
    }

    /// Is it the outcome of a condition that leads straight to an error?
    pub fn guards(&self, edge: EdgeId) -> bool {
        self.guards.contains(&edge)
    }

    /// Adds the assignments of flags.
    fn add_flags(&mut self, program: &Program) {
        let mut others = BTreeSet::new();
        let mut flags: BTreeMap<VariableId, BTreeSet<u64>> = BTreeMap::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            match &edge.operation {
                Operation::Assume(condition) if self.contains(id) => beside(condition, &mut others),
                operation => read_by(operation, &mut others),
            }
            for check in &edge.checks {
                beside(&check.condition, &mut others);
            }
            match &edge.operation {
                Operation::Assign(pairs) => {
                    for (place, e) in pairs {
                        match (place, e) {
                            (Place::Variable(id), Expression::Constant(bits, _)) => {
                                flags.entry(*id).or_default().insert(*bits)
                            }
                            _ => others.insert(place.variable()),
                        };
                    }
                }
                Operation::Havoc(list) => others.extend(list),
                Operation::Call { result, .. } => others.extend(result),
                Operation::Skip | Operation::Assume(_) => {}
            }
        }
        let is_flag = |id: &VariableId, values: &mut BTreeSet<u64>| {
            if let Initial::Exactly(initial) = &program.variable(*id).initial {
                values.extend(initial);
            }
            let both = BTreeSet::from([0, 1]);
            *values == both && !others.contains(id) && program.variable(*id).has_name()
        };
        flags.retain(is_flag);
        for id in program.edge_ids() {
            if let Operation::Assign(pairs) = &program.edge(id).operation
                && pairs.iter().all(|(place, _)| flags.contains_key(&place.variable()))
            {
                self.edges.insert(id);
            }
        }
    }
}

/// The edges of a program by where they start, and where forbidden assignments end.
struct Graph<'p> {
    program: &'p Program,
    out: Vec<Vec<EdgeId>>,
    forbidden: Vec<bool>,
}

impl Graph<'_> {
    fn of(program: &Program) -> Graph<'_> {
        let mut out = vec![Vec::new(); program.locations.len()];
        let mut forbidden = vec![false; program.locations.len()];
        for id in program.edge_ids() {
            let edge = program.edge(id);
            out[edge.from].push(id);
            forbidden[edge.from] |=
                edge.checks.iter().any(|check| check.kind == ErrorKind::Assignment);
        }
        Graph { program, out, forbidden }
    }

    /// Is it an assignment that can be the error (`//! error = (x == V)`)?
    fn is_forbidden(&self, edge: &Edge) -> bool {
        matches!(edge.operation, Operation::Assign(_)) && self.forbidden[edge.to]
    }

    /// Does an outcome of a condition lead to an error, with nothing in between?
    fn leads_to_error(&self, outcome: &Edge) -> bool {
        let mut at = outcome.to;
        for _ in 0..MOST_BETWEEN {
            let [next] = self.out[at][..] else { return false };
            let edge = self.program.edge(next);
            let fails = |condition: &Expression| matches!(condition, Expression::Constant(0, _));
            let always = edge.checks.iter().any(|check| fails(&check.condition));
            if always || self.is_forbidden(edge) {
                return true;
            }
            if !matches!(edge.operation, Operation::Skip) || !edge.checks.is_empty() {
                return false;
            }
            at = edge.to;
        }
        false
    }
}

/// Adds what a condition reads beside single truth values: in `!a && b == 1` there is nothing.
fn beside(condition: &Expression, into: &mut BTreeSet<VariableId>) {
    use crate::lang::model::BinaryOperator::{And, Equal, NotEqual, Or};
    let mut rest = vec![condition];
    while let Some(e) = rest.pop() {
        match e {
            Expression::Variable(..) => {}
            Expression::Unary(_, inner) | Expression::Cast(_, inner) => rest.push(inner),
            Expression::Binary(And | Or, a, b) if a.scalar().boolean => rest.extend([&**a, &**b]),
            Expression::Binary(Equal | NotEqual, a, b)
                if matches!(**b, Expression::Constant(..)) =>
            {
                rest.push(a)
            }
            _ => read_in(e, into),
        }
    }
}

/// Does the procedure do nothing but check what it is given?
fn only_checks(program: &Program, procedure: usize) -> bool {
    let mut checks = false;
    for id in program.edge_ids().filter(|id| program.owner(*id).0 as usize == procedure) {
        let edge = program.edge(id);
        checks |= edge.checks.iter().any(|check| check.kind == ErrorKind::Assertion);
        if !matches!(edge.operation, Operation::Skip | Operation::Assume(_)) {
            return false;
        }
    }
    checks && !program.procedures[procedure].parameters.is_empty()
}
