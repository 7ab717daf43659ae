//! The sites of a statement where a mutant can go: the parts that it assigns, decides or passes on,
//! and the checks that belong to them.

use super::mutants::{Bound, Changed, Operand, oddness};
use crate::lang::model::{
    BinaryOperator, Check, EdgeId, ErrorKind, Expression, Operation, Place, Program, StatementKind,
    UnaryOperator,
};
use crate::wire::suspects::Change;

/// A place for an expression. Edges are those of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// The k-th right side of an assignment.
    RightSide(EdgeId, usize),
    /// The index of the k-th place that is assigned.
    Index(EdgeId, usize),
    /// The k-th argument of a call.
    Argument(EdgeId, usize),
    /// A condition, and the edge of its negation.
    Condition(EdgeId, EdgeId),
}

impl Site {
    /// The edges whose expressions belong to the site.
    pub fn edges(&self) -> Vec<EdgeId> {
        match self {
            Site::RightSide(edge, _) | Site::Index(edge, _) | Site::Argument(edge, _) => {
                vec![*edge]
            }
            Site::Condition(edge, other) => vec![*edge, *other],
        }
    }

    /// Writes an expression at the site.
    fn write(&self, program: &mut Program, e: &Expression) {
        for id in self.edges() {
            let Some(edge) = program.edges.get_mut(id.0 as usize) else { continue };
            match (self, &mut edge.operation) {
                (Site::RightSide(_, k), Operation::Assign(pairs)) => {
                    if let Some((_, right)) = pairs.get_mut(*k) {
                        *right = e.clone();
                    }
                }
                (Site::Index(_, k), Operation::Assign(pairs)) => {
                    if let Some((Place::Element(_, index), _)) = pairs.get_mut(*k) {
                        *index = e.clone();
                    }
                }
                (Site::Argument(_, k), Operation::Call { arguments, .. }) => {
                    if let Some(argument) = arguments.get_mut(*k) {
                        *argument = e.clone();
                    }
                }
                (Site::Condition(taken, _), Operation::Assume(condition)) => {
                    *condition = if id == *taken { e.clone() } else { e.clone().negated() };
                }
                _ => {}
            }
        }
    }
}

/// One small change of a statement.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The site.
    pub site: Site,
    /// The kind of the change.
    pub change: Change,
    /// The part that is changed.
    pub old: Expression,
    /// Its replacement.
    pub new: Expression,
    /// The whole expression at the site after the change.
    pub whole: Expression,
    /// Checks of the edges that change with it: edge, number of the check, condition.
    checks: Vec<(EdgeId, usize, Expression)>,
}

impl Mutant {
    /// How odd would a person find it? 0 for a slip.
    pub fn oddness(&self) -> u32 {
        oddness(self.change, &self.old, &self.new)
    }

    /// Makes the change.
    pub fn write(&self, program: &mut Program) {
        self.site.write(program, &self.whole);
        for (edge, check, condition) in &self.checks {
            if let Some(check) =
                program.edges.get_mut(edge.0 as usize).and_then(|edge| edge.checks.get_mut(*check))
            {
                check.condition = condition.clone();
            }
        }
    }

    /// Undoes the change: the edges are those of the original again.
    pub(super) fn take_back(&self, program: &mut Program, original: &Program) {
        for id in self.site.edges() {
            if let (Some(edge), Some(own)) =
                (program.edges.get_mut(id.0 as usize), original.edges.get(id.0 as usize))
            {
                edge.operation.clone_from(&own.operation);
                edge.checks.clone_from(&own.checks);
            }
        }
    }

    /// The program with the change.
    pub fn apply(&self, program: &Program) -> Program {
        let mut changed = program.clone();
        self.write(&mut changed);
        changed
    }
}

/// The sites of a statement, with the expressions there. Sites that the front end made of the
/// statement's parts (`a() && b()`) are included.
pub(super) fn sites(program: &Program, edge: EdgeId) -> Vec<(Site, Expression)> {
    let own = program.edge(edge);
    let is_part = |id: &EdgeId| {
        let other = program.edge(*id);
        let inside = own.span.start <= other.span.start
            && other.span.end <= own.span.end
            && program.owner(*id) == program.owner(edge);
        inside
            && (other.kind == StatementKind::Hidden
                || other.kind == own.kind && other.span == own.span)
    };
    let edges: Vec<EdgeId> = program.edge_ids().filter(is_part).collect();
    let mut found = Vec::new();
    for id in &edges {
        match &program.edge(*id).operation {
            Operation::Assign(pairs) => {
                for (k, (place, right)) in pairs.iter().enumerate() {
                    found.push((Site::RightSide(*id, k), right.clone()));
                    if let Place::Element(_, index) = place {
                        found.push((Site::Index(*id, k), index.clone()));
                    }
                }
            }
            Operation::Call { arguments, .. } => {
                found.extend(
                    arguments
                        .iter()
                        .enumerate()
                        .map(|(k, argument)| (Site::Argument(*id, k), argument.clone())),
                );
            }
            Operation::Assume(condition)
                if !matches!(condition, Expression::Unary(UnaryOperator::Not, _)) =>
            {
                let negated = condition.clone().negated();
                let is_other = |other: &&EdgeId| {
                    let matches = matches!(&program.edge(**other).operation, Operation::Assume(e) if *e == negated);
                    matches && program.edge(**other).from == program.edge(*id).from
                };
                if let Some(other) = edges.iter().find(is_other) {
                    found.push((Site::Condition(*id, *other), condition.clone()));
                }
            }
            Operation::Assume(_) | Operation::Skip | Operation::Havoc(_) => {}
        }
    }
    found
}

/// How often an expression occurs in another one.
fn occurrences(of: &Expression, within: &Expression) -> usize {
    let (mut count, mut rest) = (0, vec![within]);
    while let Some(e) = rest.pop() {
        if e == of {
            count += 1;
            continue;
        }
        match e {
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
            Expression::Element(_, a, _) | Expression::Unary(_, a) | Expression::Cast(_, a) => {
                rest.push(a)
            }
            Expression::Binary(_, a, b) => rest.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => rest.extend([&**a, &**b, &**c]),
        }
    }
    count
}

/// Writes `new` for every `old`. Recursive in the expression's depth, which loading caps.
fn substituted(e: &Expression, old: &Expression, new: &Expression) -> Expression {
    let inner = |e: &Expression| Box::new(substituted(e, old, new));
    match e {
        _ if e == old => new.clone(),
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => e.clone(),
        Expression::Element(id, a, scalar) => Expression::Element(*id, inner(a), *scalar),
        Expression::Unary(operator, a) => Expression::Unary(*operator, inner(a)),
        Expression::Cast(scalar, a) => Expression::Cast(*scalar, inner(a)),
        Expression::Binary(operator, a, b) => Expression::Binary(*operator, inner(a), inner(b)),
        Expression::Conditional(a, b, c) => Expression::Conditional(inner(a), inner(b), inner(c)),
    }
}

fn is_within(bound: Bound, e: &Expression) -> bool {
    let Expression::Constant(bits, scalar) = e else { return false };
    let number = scalar.number(*bits);
    match bound {
        Bound::Index(elements) => (0..i128::from(elements)).contains(&number),
        Bound::Divisor => number != 0,
        Bound::Shift(width) => (0..i128::from(width)).contains(&number),
    }
}

/// All expressions that the edge evaluates. They show whether a part occurs only once.
fn evaluated(operation: &Operation) -> Vec<&Expression> {
    match operation {
        Operation::Skip | Operation::Havoc(_) => Vec::new(),
        Operation::Assume(condition) => vec![condition],
        Operation::Assign(pairs) => {
            let index = |place: &'_ Place| matches!(place, Place::Element(..));
            let indices = pairs.iter().filter(|(place, _)| index(place)).filter_map(
                |(place, _)| match place {
                    Place::Element(_, index) => Some(index),
                    Place::Variable(_) => None,
                },
            );
            pairs.iter().map(|(_, right)| right).chain(indices).collect()
        }
        Operation::Call { arguments, .. } => arguments.iter().collect(),
    }
}

/// The mutant of a changed expression at a site, with the checks that its edges would have if the
/// change were written in the source. Returns `None` if these checks are unknown: if an index, a
/// divisor or a count changes that has no check, or no check of its own; or if the change moves
/// what guards a check.
pub(super) fn mutant(program: &Program, site: &Site, changed: Changed) -> Option<Mutant> {
    let Changed { change, whole, old, new, mut operands } = changed;
    if let Site::Index(edge, k) = site
        && let Operation::Assign(pairs) = &program.edge(*edge).operation
        && let Some((Place::Element(array, index), _)) = pairs.get(*k)
    {
        let bound = Bound::Index(program.variable(*array).elements());
        operands.push(Operand { old: index.clone(), new: whole.clone(), bound });
    }
    let mut checks = Vec::new();
    for id in site.edges() {
        let edge = program.edge(id);
        let once = |e: &Expression| {
            evaluated(&edge.operation).iter().map(|own| occurrences(e, own)).sum::<usize>() == 1
        };
        let mut conditions: Vec<Expression> =
            edge.checks.iter().map(|check| check.condition.clone()).collect();
        for Operand { old, new, bound } in &operands {
            let is_checked = conditions.iter().any(|condition| occurrences(old, condition) > 0);
            let is_constant = matches!(old, Expression::Constant(..));
            match (is_constant, is_checked) {
                (true, _) if is_within(*bound, new) => {}
                (false, true) if once(old) => {
                    conditions.iter_mut().for_each(|c| *c = substituted(c, old, new))
                }
                _ => return None,
            }
        }
        if operands.is_empty() {
            if !edge.checks.is_empty() && moves_what_is_checked(&old, change, &edge.checks) {
                return None;
            }
            let inside = |check: &Check| occurrences(&old, &check.condition) > 0;
            if edge.checks.iter().any(inside) {
                if matches!(old, Expression::Constant(..)) || !once(&old) {
                    return None;
                }
                conditions.iter_mut().for_each(|c| *c = substituted(c, &old, &new));
            }
        }
        let own = edge.checks.iter().map(|check| &check.condition).zip(conditions).enumerate();
        checks.extend(own.filter(|(_, (old, new))| *old != new).map(|(k, (_, new))| (id, k, new)));
    }
    Some(Mutant { site: site.clone(), change, old, new, whole, checks })
}

/// Does the change evaluate or guard other parts than before, while checks concern such parts?
fn moves_what_is_checked(old: &Expression, change: Change, checks: &[Check]) -> bool {
    let is_arithmetic = matches!(old, Expression::Binary(operator, ..) if matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply));
    let overflows = checks.iter().any(|check| check.kind == ErrorKind::Overflow);
    let joins = matches!(old, Expression::Conditional(..))
        || matches!(old, Expression::Binary(BinaryOperator::And | BinaryOperator::Or, a, _) if a.scalar().boolean);
    let moves =
        change == Change::LeftOut || joins && matches!(change, Change::Operator | Change::Negation);
    overflows && is_arithmetic || moves && (joins || overflows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::suspects::mutants::mutants;
    use crate::analysis::suspects::pool::Offer;
    use crate::lang::model::Edge;
    use crate::wire::options::RequestedOptions;

    fn all(source: &str, line: u32) -> (Program, Vec<Mutant>) {
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let edge = program
            .edge_ids()
            .find(|id| program.edge(*id).span.line == line && program.edge(*id).is_statement())
            .expect("a line");
        let variables = program.globals().filter(|id| !program.variable(*id).is_array()).collect();
        let offer = Offer { numbers: vec![0, 5], variables, parts: Vec::new() };
        let mut found = Vec::new();
        for (site, e) in sites(&program, edge) {
            found.extend(
                mutants(&program, &offer, &e)
                    .into_iter()
                    .filter_map(|changed| mutant(&program, &site, changed)),
            );
        }
        (program, found)
    }

    /// Both edges of a condition change, and no other edge. Undoing the change restores the
    /// program.
    #[test]
    fn a_condition_and_its_negation_change_together() {
        let (program, found) =
            all("int x;\nvoid main() {\n  if (x < 3) {\n    x = 1;\n  }\n}\n", 3);
        assert!(found.len() > 5);
        for mutant in &found {
            let Site::Condition(taken, other) = mutant.site else { panic!("{mutant:?}") };
            let mut changed = mutant.apply(&program);
            let [a, b] = [taken, other].map(|id| match &changed.edge(id).operation {
                Operation::Assume(condition) => condition.clone(),
                operation => panic!("{operation:?}"),
            });
            assert_eq!(a.negated(), b);
            let differs = |id: &EdgeId| {
                format!("{:?}", changed.edge(*id)) != format!("{:?}", program.edge(*id))
            };
            let mut expected = [taken, other];
            expected.sort_unstable();
            assert_eq!(program.edge_ids().filter(differs).collect::<Vec<_>>(), expected);
            mutant.take_back(&mut changed, &program);
            assert_eq!(format!("{:?}", changed.edges), format!("{:?}", program.edges));
        }
    }

    /// After a change of an index its check is about the new index.
    #[test]
    fn checks_change_with_what_they_check() {
        let (program, found) =
            all("int i; int j; int a[3];\nvoid main() {\n  a[i] = a[j + 1];\n}\n", 3);
        let j = program.globals().nth(1).expect("j");
        let of_i = found
            .iter()
            .find(|m| {
                matches!(m.site, Site::Index(..))
                    && matches!(m.new, Expression::Variable(id, _) if id == j)
            })
            .expect("a[j]");
        let changed = of_i.apply(&program);
        let Site::Index(edge, _) = of_i.site else { panic!() };
        let reads_j = |check: &Check| {
            occurrences(&of_i.new, &check.condition) > 0
                && occurrences(&of_i.old, &check.condition) == 0
        };
        assert!(changed.edge(edge).checks.iter().any(reads_j));
        assert!(!program.edge(edge).checks.iter().any(|check| check.kind != ErrorKind::Bounds));
        // `a[j - 1]` for `a[j + 1]`.
        assert!(found.iter().any(|m| m.change == Change::Operator && !m.checks.is_empty()));
    }

    /// The program with a change is the program that the changed text is, its checks included: so a
    /// check is about what is evaluated after the change.
    #[test]
    fn a_change_is_that_of_the_text() {
        let load = |statement: &str| {
            let source = format!(
                "//! checks = bounds, division, overflow\nint x; int y; int a[3];\n\
                 int f(int p, int q) {{ return p; }}\nvoid main() {{\n  {statement}\n}}\n"
            );
            let program = crate::lang::load(&source, &RequestedOptions::default());
            (program.program.expect("a program"), source)
        };
        let meaning = |program: &Program| {
            let check = |check: &Check| format!("{:?} {:?}", check.kind, check.condition);
            let checks = |edge: &Edge| edge.checks.iter().map(check).collect::<Vec<_>>();
            let edge = |edge: &Edge| format!("{:?} {:?}", edge.operation, checks(edge));
            program.edges.iter().map(edge).collect::<Vec<_>>()
        };
        let operations = |program: &Program| {
            let operation = |edge: &Edge| format!("{:?}", edge.operation);
            program.edges.iter().map(operation).collect::<Vec<_>>()
        };
        let changes = |old: &str, new: &str| {
            let (program, source) = load(old);
            let changed = load(new).0;
            let (_, found) = all(&source, 5);
            let alike = found.iter().map(|m| m.apply(&program));
            let alike: Vec<Program> =
                alike.filter(|other| operations(other) == operations(&changed)).collect();
            for other in &alike {
                assert_eq!(meaning(other), meaning(&changed), "other checks: {old} {new}");
            }
            alike.len()
        };
        for (old, new) in [
            ("x = x + y;", "x = y + y;"),
            ("x = f(x, y);", "x = f(x, x);"),
            ("x = f(x + 1, y);", "x = f(y + 1, y);"),
            ("if (x < y) { x = 0; }", "if (y < y) { x = 0; }"),
            ("if (x < y) { x = 0; }", "if (x <= y) { x = 0; }"),
            ("x = x + 1 < y;", "x = x + 1 <= y;"),
            ("a[x] = y + 1;", "a[y] = y + 1;"),
            ("a[x] = y + 1;", "a[x] = x + 1;"),
        ] {
            assert_eq!(changes(old, new), 1, "{old} {new}");
        }
        // `-` overflows elsewhere than `+`, and without `y` nothing overflows. Of two `y` the check
        // is about one.
        for (old, new) in [
            ("x = x + y;", "x = x - y;"),
            ("x = x + y;", "x = x;"),
            ("x = 5 / y + y;", "x = 5 / y + x;"),
            ("x = 5 / y + y;", "x = 5 / x + y;"),
        ] {
            assert_eq!(changes(old, new), 0, "{old} {new}");
        }
    }

    /// A number that is an index stays inside the array, because no check would notice the error.
    #[test]
    fn unchecked_indices_stay_inside() {
        let (_, found) = all("int x; int a[3];\nvoid main() {\n  x = a[2];\n}\n", 3);
        let numbers: Vec<i128> = found
            .iter()
            .filter_map(|m| {
                if let Expression::Constant(bits, scalar) = &m.new {
                    Some(scalar.number(*bits))
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(numbers, [0, 1]);
    }
}
