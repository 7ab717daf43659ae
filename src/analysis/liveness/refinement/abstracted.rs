//! The abstraction of a product, as a product again.
//!
//! The product is made first and abstracted afterwards. So the automaton reads its letters in the
//! guards of the product's decisions, and a guard is abstracted like any other condition: a letter
//! that the predicates do not decide may be read in either way. Atoms need no predicates of their
//! own; interpolants bring those that matter. What must be exact is which states accept. So the
//! variables that the product has added (the automaton's state, whether an accepting state was
//! passed, the monitor of fair choices) are predicates bit by bit, at every point of the program.
//!
//! The other way round, an automaton beside an abstract program, would need every atom as a
//! predicate at every location from the beginning.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::as_program::{AsProgram, as_program};
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::liveness::product::{
    Accepts, Meaning, Product, TARGET, Words, either, silent,
};
use crate::bdd::KernelLimits;
use crate::encode::{Copy, ErrorSite};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{
    BinaryOperator, Edge, EdgeId, Expression, LocationId, Operation, ProcedureId, Program,
    VariableId,
};
use crate::pds::StackSymbol;
use crate::util::Bounded;
use crate::util::order::sort_by_key;
use std::rc::Rc;

/// The program of the product with two further edges at each place where an accepting head may be.
///
/// One fails: with it a trace to such a place becomes a failing trace, on which interpolants are
/// defined. The other one goes from the place to itself and only accepting heads pass it: a trace
/// is made of edges, and the automaton's state that comes next is a choice within an edge. With
/// this edge at the beginning of its cycle a lasso is one of accepting runs only.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The edges of the product come first, with their numbers.
    pub program: Rc<Program>,
    /// By location: the failing edge.
    failing: Vec<Option<EdgeId>>,
    /// By location: the edge that only accepting heads pass.
    accepting: Vec<Option<EdgeId>>,
}

impl Marked {
    /// Marks a product.
    pub fn of(product: &Product) -> Marked {
        let mut program = product.program.clone();
        let mut failing = vec![None; program.locations.len()];
        let mut accepting = failing.clone();
        for at in (0..failing.len() as u32).map(LocationId) {
            let exit = program.procedure(program.location(at).procedure).exit;
            if product.accepts[at] == Accepts::None || at == exit {
                continue;
            }
            let mut edge = Edge::added(at, at, Operation::Skip);
            edge.span.line = program.location(at).line;
            edge.checks.push(silent(Expression::falsity()));
            failing[at] = Some(program.add_edge(edge));
            if let Some(condition) = accepts(product, at) {
                let mut edge = Edge::added(at, at, Operation::Assume(condition));
                edge.span.line = program.location(at).line;
                accepting[at] = Some(program.add_edge(edge));
            }
        }
        Marked { program: Rc::new(program), failing, accepting }
    }

    /// The edge that only accepting heads pass at a place; `None` where all heads accept.
    pub fn accepting(&self, at: LocationId) -> Option<EdgeId> {
        self.accepting[at]
    }

    /// The failure at a place; `None` where no accepting head with a cycle can be.
    pub fn failure(&self, at: LocationId) -> Option<ErrorSite> {
        let edge = self.failing[at]?;
        Some(ErrorSite { edge, check: 0, symbol: StackSymbol(0) })
    }
}

/// Which stores accept at a place; `None` if all do.
fn accepts(product: &Product, at: LocationId) -> Option<Expression> {
    let read = |variable: VariableId| {
        let scalar = product.program.variable(variable).scalar;
        (Expression::Variable(variable, scalar), scalar)
    };
    match product.accepts[at] {
        Accepts::None | Accepts::All => None,
        Accepts::ByCall => product.passed.map(|passed| read(passed).0),
        Accepts::ByState => product.state.map(|state| {
            let equals = |value: &u64| {
                let (state, scalar) = read(state);
                let value = Expression::Constant(*value, scalar);
                Expression::binary(BinaryOperator::Equal, state, value)
            };
            product.accepting.iter().map(equals).fold(Expression::falsity(), either)
        }),
    }
}

/// All points of a program at which predicates are kept.
pub fn points(program: &Program) -> Vec<ProgramPoint> {
    let locations = (0..program.locations.len() as u32).map(LocationId);
    let calls = program
        .edge_ids()
        .filter(|id| matches!(program.edge(*id).operation, Operation::Call { .. }));
    let procedures = (0..program.procedures.len() as u32).map(ProcedureId);
    locations
        .map(ProgramPoint::Location)
        .chain(calls.map(ProgramPoint::Pivot))
        .chain(procedures.map(ProgramPoint::Returned))
        .collect()
}

/// Is the variable's value now in the signature of predicates at the point?
fn is_seen(program: &Program, variable: VariableId, point: ProgramPoint) -> bool {
    let Some(owner) = program.variable(variable).owner else { return true };
    match point {
        ProgramPoint::Location(location) => program.location(location).procedure == owner,
        ProgramPoint::Pivot(edge) => program.owner(edge) == owner,
        ProgramPoint::Returned(of) => of == owner && program.procedure(of).result == Some(variable),
    }
}

/// Makes every bit of a variable a predicate wherever it is seen. Returns whether one was new.
pub fn follow(abstracted: &mut AbstractProgram, variable: VariableId, round: u32) -> Bounded<bool> {
    let program = Rc::clone(&abstracted.program);
    let mut is_new = false;
    for point in points(&program) {
        if !is_seen(&program, variable, point) {
            continue;
        }
        for cell in abstracted.domain.layout.cells(variable).collect::<Vec<_>>() {
            for level in abstracted.domain.layout.cell(cell, Copy::Now) {
                let bit = abstracted.domain.kernel.var(level)?;
                is_new |= abstracted.add(point, bit, round);
            }
        }
    }
    Ok(is_new)
}

/// Prepares the abstraction of a product of a program with so many variables: the variables that
/// the product has added are predicates.
pub fn abstraction(
    product: &Product,
    marked: &Marked,
    variables: usize,
    limits: KernelLimits,
) -> Bounded<AbstractProgram> {
    // No check is an error: runs that fail in the program end in the product.
    let no_line = Some(TARGET);
    let mut abstracted = AbstractProgram::new(Rc::clone(&marked.program), no_line, limits)?;
    // The globals come first: so they are the same bits at every point.
    let mut added: Vec<VariableId> =
        (variables..product.program.variables.len()).map(|id| VariableId(id as u32)).collect();
    sort_by_key(&mut added, |id| product.program.variable(*id).owner.is_some());
    for variable in added {
        follow(&mut abstracted, variable, 0)?;
    }
    Ok(abstracted)
}

/// An abstract product, and what its edges stand for.
pub struct AbstractProduct {
    /// A product whose program is the abstract one.
    pub product: Rc<Product>,
    /// By edge of the abstract program: the edge of the concrete one that is taken with it.
    taken: Vec<Option<EdgeId>>,
}

/// Writes an abstraction of a product as a product. Every rule must be up to date.
pub fn abstract_product(
    product: &Product,
    abstracted: &mut AbstractProgram,
) -> Bounded<AbstractProduct> {
    let AsProgram { mut program, images, words } = as_program(abstracted)?;
    let mut taken = vec![None; program.edges.len()];
    for (k, image) in images.iter().enumerate() {
        taken[image.call.unwrap_or(image.last)] = Some(EdgeId(k as u32));
    }
    // The edges that only mark places are no steps of a run.
    for image in &images[product.program.edges.len()..] {
        let edge = &mut program.edges[image.first];
        edge.operation = Operation::Assume(Expression::falsity());
        edge.checks.clear();
    }
    // At a place where acceptance is asked the bits matter, whether statements read them or not.
    for (k, accepts) in product.accepts.iter().enumerate() {
        if matches!(accepts, Accepts::ByState | Accepts::ByCall) {
            let at = LocationId(k as u32);
            let word = words[program.location(at).procedure];
            let scalar = program.variable(word).scalar;
            let reads = Expression::binary(
                BinaryOperator::Less,
                Expression::Variable(word, scalar),
                Expression::Constant(0, scalar),
            );
            program.add_edge(Edge::added(at, at, Operation::Assume(reads)));
        }
    }
    taken.resize(program.edges.len(), None);
    let mut accepts = product.accepts.clone();
    accepts.resize(program.locations.len(), Accepts::None);
    let scalar = product.state.map(|state| product.program.variable(state).scalar);
    let state_bits = scalar.map_or(0, |scalar| u32::from(scalar.width));
    let abstract_product = Product {
        meanings: vec![Meaning::Nothing; program.edges.len()],
        locations: (0..program.locations.len() as u32).map(LocationId).collect(),
        program,
        accepts,
        state: None,
        passed: None,
        accepting: product.accepting.clone(),
        absorbing: None,
        ends: Vec::new(),
        words: Some(Words { of_procedure: words, state_bits }),
    };
    Ok(AbstractProduct { product: Rc::new(abstract_product), taken })
}

impl AbstractProduct {
    /// The edges of the concrete product that a run of the abstract one takes.
    pub fn edges(&self, run: &ConcreteRun) -> Vec<EdgeId> {
        let taken = |edge: EdgeId| self.taken.get(edge.0 as usize).copied().flatten();
        run.steps.iter().filter_map(|step| taken(step.edge)).collect()
    }
}

/// The part of a product that goes along these edges only. Edges and locations keep their numbers,
/// and statements that are not executed still read what they read: so the same locals matter.
pub fn restricted(product: &Product, along: impl Fn(EdgeId) -> bool) -> Product {
    let mut part = product.clone();
    for (k, edge) in part.program.edges.iter_mut().enumerate() {
        if !along(EdgeId(k as u32)) {
            edge.checks.insert(0, silent(Expression::falsity()));
        }
    }
    part
}
