//! The oracle on program models made by hand, without the front end.

use crate::bounded::least_depth;
use crate::explicit::{Settings, explore};
use faultline::lang::model::*;

/// A program of parameterless procedures over global variables.
struct Builder(Program);

impl Builder {
    fn new(globals: &[(&str, Scalar)]) -> Builder {
        let mut program = Program::default();
        for (name, scalar) in globals {
            program.variables.push(Variable {
                name: name.to_string(),
                scalar: *scalar,
                dimensions: Vec::new(),
                kind: VariableKind::Global,
                owner: None,
                span: Span::default(),
                initial: Initial::Any,
                origin: Origin::Written,
            });
        }
        program.scopes.push(Scope::default());
        Builder(program)
    }

    /// A procedure whose locations are `count` many, the first its entry and the last its exit;
    /// gives the number of the first.
    fn procedure(&mut self, name: &str, count: u32) -> u32 {
        let first = self.0.locations.len() as u32;
        let procedure = ProcedureId(self.0.procedures.len() as u32);
        self.0.locations.extend((0..count).map(|_| Location { procedure, line: 0 }));
        self.0.procedures.push(Procedure {
            name: name.into(),
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            entry: LocationId(first),
            exit: LocationId(first + count - 1),
            span: Span::default(),
        });
        first
    }

    fn edge(&mut self, from: u32, to: u32, operation: Operation) -> usize {
        let edge = Edge {
            from: LocationId(from),
            to: LocationId(to),
            checks: Vec::new(),
            operation,
            choices: Vec::new(),
            kind: StatementKind::Skip,
            outcome: String::new(),
            span: Span::default(),
            text: String::new(),
            scope: ScopeId(0),
        };
        self.0.edges.push(edge);
        self.0.edges.len() - 1
    }

    fn assertion(&mut self, from: u32, to: u32, condition: Expression) -> usize {
        let edge = self.edge(from, to, Operation::Skip);
        let check = Check {
            kind: ErrorKind::Assertion,
            condition,
            message: String::new(),
            subject: Subject::Condition,
            line: edge as u32,
        };
        self.0.edges[edge].checks.push(check);
        edge
    }
}

fn call(callee: u32) -> Operation {
    Operation::Call { callee: ProcedureId(callee), arguments: Vec::new(), result: None }
}

fn set(variable: u32, value: Expression) -> Operation {
    Operation::Assign(vec![(Place::Variable(VariableId(variable)), value)])
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// Figure 1 of the error-projection paper: p's statement and both calls are innocent; p's statement
/// not to the naive eye.
#[test]
fn contexts_that_exclude_each_other() {
    let mut builder = Builder::new(&[("b", Scalar::BOOL)]);
    let b = || Expression::Variable(VariableId(0), Scalar::BOOL);
    let p = builder.procedure("p", 2);
    let n = builder.edge(p, p + 1, Operation::Skip);
    let m = builder.procedure("main", 7);
    builder.edge(m, m + 1, set(0, Expression::falsity()));
    builder.edge(m + 1, m + 2, call(0));
    builder.edge(m + 2, m + 5, Operation::Assume(b()));
    builder.edge(m, m + 3, set(0, Expression::truth()));
    builder.edge(m + 3, m + 4, call(0));
    builder.edge(m + 4, m + 5, Operation::Assume(b().negated()));
    let third = builder.edge(m, m + 5, Operation::Skip);
    let error = builder.assertion(m + 5, m + 6, Expression::falsity());
    builder.0.main = 1;
    let answer = explore(&builder.0, Settings::default()).expect("a small program");
    assert!(answer.is_unsafe);
    let marked = |set: &[bool]| (0..set.len()).filter(|e| set[*e]).collect::<Vec<_>>();
    assert_eq!(marked(&answer.projection), [third, error]);
    assert_eq!(marked(&answer.naive), [n, third, error]);
    assert_eq!(least_depth(&builder.0, None, 5), Some(Some(0)));
}

/// One more for each call: the error needs three pending calls.
#[test]
fn the_stack_counts() {
    let two_bits = Scalar::int(2, false);
    let mut builder = Builder::new(&[("n", two_bits)]);
    let n = || Expression::Variable(VariableId(0), two_bits);
    let constant = |bits| Expression::Constant(bits, two_bits);
    let p = builder.procedure("p", 4);
    builder.edge(p, p + 3, Operation::Skip);
    builder.edge(p, p + 1, Operation::Skip);
    builder.edge(p + 1, p + 2, call(0));
    builder.edge(p + 2, p + 3, set(0, binary(BinaryOperator::Add, n(), constant(1))));
    let m = builder.procedure("main", 4);
    builder.edge(m, m + 1, set(0, constant(0)));
    builder.edge(m + 1, m + 2, call(0));
    builder.assertion(m + 2, m + 3, binary(BinaryOperator::NotEqual, n(), constant(2)));
    builder.0.main = 1;
    let answer = explore(&builder.0, Settings::default()).expect("a small program");
    assert!(answer.is_unsafe && answer.projection.iter().all(|in_it| *in_it));
    assert_eq!(least_depth(&builder.0, None, 5), Some(Some(3)));
}
