//! The abstract program as a program model, so that any analysis of programs can run on an
//! abstraction.
//!
//! Each frame has one number; its k-th bit is the k-th predicate of the point that the frame is at.
//! An abstract rule from a location becomes a choice of the next bits, and an assumption that they
//! fit the rule's relation. An edge of the program becomes three or more edges of the model
//! ([`EdgeImage`]). Where the abstraction allows a check to fail, it may fail; where the
//! abstraction allows it to pass, it may pass.

use super::abstract_program::AbstractProgram;
use super::abstraction::AbstractRule;
use super::bits::AbstractCopy;
use crate::analysis::localize::supergraph::SuperEdge;
use crate::bdd::Bdd;
use crate::encode::RuleRole;
use crate::lang::model::{
    BinaryOperator, Check, ChoiceId, Edge, EdgeId, Expression, Initial, Location, LocationId,
    Operation, Origin, Place, Procedure, ProcedureId, Program, Scalar, Scope, Span, Variable,
    VariableId, VariableKind,
};
use crate::pds::RuleId;
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// The most nodes that all relations may have together when they are written as trees.
const MOST_NODES: u32 = 200_000;

/// The edges of the model for one edge of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeImage {
    /// The first edge. It has the checks of the program's edge.
    pub first: EdgeId,
    /// The call itself, if the program's edge is a call.
    pub call: Option<EdgeId>,
    /// The last edge. A run that has executed it has taken the program's edge.
    pub last: EdgeId,
}

/// An abstract program as a program model.
#[derive(Clone, Debug)]
pub struct AsProgram {
    /// The model.
    pub program: Program,
    /// By edge of the program.
    pub images: Vec<EdgeImage>,
    /// By procedure of the program: the number of its frames, whose k-th bit is the k-th predicate.
    pub words: Vec<VariableId>,
}

impl AsProgram {
    /// The edge of the model's supergraph that is on a run iff this edge of the program's
    /// supergraph is.
    pub fn super_edge(&self, edge: SuperEdge) -> SuperEdge {
        let EdgeImage { call, last, .. } = self.images[edge.edge()];
        match (edge, call) {
            (SuperEdge::Enter(_), Some(call)) => SuperEdge::Enter(call),
            (SuperEdge::Return(_), Some(call)) => SuperEdge::Return(call),
            _ => SuperEdge::Step(last),
        }
    }
}

/// The variables of a procedure's frames.
#[derive(Clone, Copy)]
struct FrameVariables {
    /// The bits with which it is entered.
    entered: VariableId,
    state: VariableId,
    next: VariableId,
    /// The bits of the pivot of the pending call.
    pivot: VariableId,
    /// The bits that a callee returned.
    returned: VariableId,
    /// The bits at ε.
    result: VariableId,
}

struct Builder<'a> {
    abstracted: &'a mut AbstractProgram,
    source: Rc<Program>,
    program: Program,
    scalar: Scalar,
    nodes: u32,
}

/// Writes an abstraction as a program. [`Limit::Depth`] for more than 64 predicates at a
/// point; [`Limit::Nodes`] for relations that are too large as formulas. Every rule must be up to
/// date.
pub fn as_program(abstracted: &mut AbstractProgram) -> Bounded<AsProgram> {
    let longest = abstracted.predicates.points().map(|(_, list)| list.len()).max().unwrap_or(0);
    if longest > 64 {
        return Err(Limit::Depth);
    }
    let source = Rc::clone(&abstracted.program);
    let program = Program {
        int_width: source.int_width,
        variables: Vec::new(),
        procedures: source.procedures.clone(),
        locations: source.locations.clone(),
        edges: Vec::new(),
        scopes: vec![Scope::default()],
        main: source.main,
        ..Program::default()
    };
    let mut builder = Builder {
        abstracted,
        source,
        program,
        scalar: Scalar::int(longest.max(1) as u8, false),
        nodes: 0,
    };
    let frames: Vec<FrameVariables> = (0..builder.source.procedures.len() as u32)
        .map(|k| builder.frame(ProcedureId(k)))
        .collect();
    for (k, frame) in frames.iter().enumerate() {
        builder.entry_and_exit(ProcedureId(k as u32), *frame)?;
    }
    let source = Rc::clone(&builder.source);
    let mut images = Vec::new();
    for id in source.edge_ids() {
        let frame = frames[source.owner(id)];
        images.push(match source.edge(id).operation {
            Operation::Call { callee, .. } => builder.call(id, callee, frame)?,
            _ => builder.step(id, frame)?,
        });
    }
    builder.start()?;
    let words = frames.iter().map(|frame| frame.state).collect();
    Ok(AsProgram { program: builder.program, images, words })
}

impl Builder<'_> {
    fn variable(&mut self, kind: VariableKind, owner: ProcedureId) -> VariableId {
        self.program.variables.push(Variable {
            name: String::new(),
            scalar: self.scalar,
            dimensions: Vec::new(),
            kind,
            owner: Some(owner),
            span: Span::default(),
            initial: Initial::Any,
            origin: Origin::Written,
        });
        VariableId(self.program.variables.len() as u32 - 1)
    }

    fn frame(&mut self, id: ProcedureId) -> FrameVariables {
        use VariableKind::{Parameter, Result, Temporary};
        let [entered, state, next, pivot, returned, result] =
            [Parameter, Temporary, Temporary, Temporary, Temporary, Result]
                .map(|kind| self.variable(kind, id));
        let procedure = &mut self.program.procedures[id];
        procedure.parameters = vec![entered];
        procedure.locals = vec![state, next, pivot, returned, result];
        procedure.result = Some(result);
        FrameVariables { entered, state, next, pivot, returned, result }
    }

    fn place(&mut self, like: LocationId) -> LocationId {
        self.program.add_location(like)
    }

    fn add(&mut self, from: LocationId, to: LocationId, operation: Operation) -> EdgeId {
        self.program.add_edge(Edge::added(from, to, operation))
    }

    fn read(&self, variable: VariableId) -> Expression {
        Expression::Variable(variable, self.scalar)
    }

    fn zero(&self) -> Expression {
        Expression::Constant(0, self.scalar)
    }

    /// Adds an edge on which these variables take any value.
    fn choose(&mut self, from: LocationId, to: LocationId, variables: &[VariableId]) -> EdgeId {
        let scalar = self.scalar;
        let pairs = (0u32..)
            .zip(variables)
            .map(|(k, id)| (Place::Variable(*id), Expression::Choice(ChoiceId(k), scalar)))
            .collect();
        let edge = self.add(from, to, Operation::Assign(pairs));
        self.program.edges[edge].choices = vec![scalar; variables.len()];
        edge
    }

    /// Adds an edge on which the next bits become the bits now.
    fn go_on(&mut self, from: LocationId, to: LocationId, frame: FrameVariables) -> EdgeId {
        let zero = self.zero();
        let mut pairs = vec![(Place::Variable(frame.state), self.read(frame.next))];
        pairs.extend(
            [frame.next, frame.pivot, frame.returned].map(|id| (Place::Variable(id), zero.clone())),
        );
        self.add(from, to, Operation::Assign(pairs))
    }

    /// A relation as a condition, in which each copy of the bits is a variable.
    fn condition(
        &mut self,
        relation: Bdd,
        copies: &[(AbstractCopy, VariableId)],
    ) -> Bounded<Expression> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(Limit::Nodes);
        }
        if relation.is_constant() {
            return Ok(Expression::Constant(u64::from(relation.is_true()), Scalar::BOOL));
        }
        let kernel = &mut self.abstracted.domain.kernel;
        // The tree is no deeper than three copies of 64 bits.
        let Some(level) = kernel.support(relation).first().copied() else {
            return Ok(Expression::falsity());
        };
        let owner = self.abstracted.bits.owner(level).and_then(|(bit, copy)| {
            let variable = copies.iter().find(|(known, _)| *known == copy)?.1;
            Some((bit, variable))
        });
        let Some((bit, variable)) = owner else {
            // If the condition has no variable for this copy, it may have any value.
            let forgotten = kernel.var_set(&[level]);
            let rest = kernel.exists(relation, forgotten)?;
            return self.condition(rest, copies);
        };
        let [high, low] = [true, false].map(|value| kernel.cofactor(relation, &[(level, value)]));
        let (high, low) = (high?, low?);
        let mask = Expression::Constant(1 << bit, self.scalar);
        let masked = Expression::binary(BinaryOperator::And, self.read(variable), mask);
        let is_set = Expression::binary(BinaryOperator::NotEqual, masked, self.zero());
        let then = self.condition(high, copies)?;
        let otherwise = self.condition(low, copies)?;
        Ok(Expression::Conditional(Box::new(is_set), Box::new(then), Box::new(otherwise)))
    }

    /// The same of a relation between copies. Bits that it copies from one to another are compared
    /// as numbers first: as a tree, k copied bits would be 2^k branches.
    fn related(
        &mut self,
        relation: Bdd,
        copies: &[(AbstractCopy, VariableId)],
    ) -> Bounded<Expression> {
        let mut rest = relation;
        let mut all = None;
        for (k, (left, a)) in copies.iter().enumerate() {
            for (right, b) in &copies[k + 1..] {
                let mut mask = 0;
                for bit in 0..self.scalar.width {
                    let kernel = &mut self.abstracted.domain.kernel;
                    let from = self.abstracted.bits.level(bit.into(), *left)?;
                    let to = self.abstracted.bits.level(bit.into(), *right)?;
                    let (one, other) = (kernel.var(from)?, kernel.var(to)?);
                    let equal = kernel.iff(one, other)?;
                    if !rest.is_constant() && kernel.is_subset(rest, equal)? {
                        let forgotten = kernel.var_set(&[to]);
                        rest = kernel.exists(rest, forgotten)?;
                        mask |= 1 << bit;
                    }
                }
                if mask != 0 {
                    let masked = |value: Expression| {
                        let mask = Expression::Constant(mask, self.scalar);
                        Box::new(Expression::binary(BinaryOperator::And, value, mask))
                    };
                    let (a, b) = (masked(self.read(*a)), masked(self.read(*b)));
                    let same = Expression::Binary(BinaryOperator::Equal, a, b);
                    all = Some(conjunction(all, same));
                }
            }
        }
        let rest = self.condition(rest, copies)?;
        Ok(conjunction(all, rest))
    }

    fn relation(&self, rule: RuleId) -> Bdd {
        match self.abstracted.abstraction.rule(rule) {
            AbstractRule::Step(relation) => relation,
            AbstractRule::Call(_) => Bdd::FALSE,
        }
    }

    /// Adds the entry, where the parameter becomes the state, and the exit, where the state becomes
    /// the result.
    fn entry_and_exit(&mut self, id: ProcedureId, frame: FrameVariables) -> Bounded<()> {
        let Procedure { entry, exit, .. } = *self.source.procedure(id);
        let begin = self.place(entry);
        self.add(
            begin,
            entry,
            Operation::Assign(vec![(Place::Variable(frame.state), self.read(frame.entered))]),
        );
        let pops =
            self.abstracted.system.roles.iter().position(|role| *role == RuleRole::Return(id));
        let relation = pops.map_or(Bdd::FALSE, |rule| self.relation(RuleId(rule as u32)));
        let [chosen, fits, end] = [0; 3].map(|_| self.place(exit));
        self.choose(exit, chosen, &[frame.next]);
        let condition = self.related(
            relation,
            &[(AbstractCopy::Now, frame.state), (AbstractCopy::Next, frame.next)],
        )?;
        self.add(chosen, fits, Operation::Assume(condition));
        self.add(
            fits,
            end,
            Operation::Assign(vec![(Place::Variable(frame.result), self.read(frame.next))]),
        );
        let procedure = &mut self.program.procedures[id];
        (procedure.entry, procedure.exit) = (begin, end);
        Ok(())
    }

    /// Copies the text, the kind and the checks of a statement to the edge that chooses.
    fn copy_statement(
        &mut self,
        chooses: EdgeId,
        id: EdgeId,
        passes: Bdd,
        frame: FrameVariables,
    ) -> Bounded<()> {
        let source = Rc::clone(&self.source);
        let edge = source.edge(id);
        let now = [(AbstractCopy::Now, frame.state)];
        let mut checks = Vec::new();
        let mut earlier = Bdd::FALSE;
        for (check, violated) in edge.checks.iter().enumerate() {
            let role = RuleRole::Fail(id, check);
            let rule = self.abstracted.system.roles.iter().position(|known| *known == role);
            let fails = rule.map_or(Bdd::FALSE, |rule| self.relation(RuleId(rule as u32)));
            let condition = match violated.condition {
                Expression::Constant(0, _) => violated.condition.clone(),
                _ => {
                    // Where the abstraction allows both outcomes, the run chooses.
                    let kernel = &mut self.abstracted.domain.kernel;
                    let may_pass = kernel.or(passes, earlier)?;
                    let picks_pass = self.condition(may_pass, &now)?;
                    let no_failure = self.condition(!fails, &now)?;
                    let pick = Expression::Choice(
                        ChoiceId(self.program.edges[chooses].choices.len() as u32),
                        Scalar::BOOL,
                    );
                    self.program.edges[chooses].choices.push(Scalar::BOOL);
                    Expression::Conditional(
                        Box::new(pick),
                        Box::new(picks_pass),
                        Box::new(no_failure),
                    )
                }
            };
            earlier = self.abstracted.domain.kernel.or(earlier, fails)?;
            checks.push(Check { condition, ..violated.clone() });
        }
        let made = &mut self.program.edges[chooses];
        made.checks = checks;
        (made.kind, made.outcome, made.span, made.text) =
            (edge.kind, edge.outcome.clone(), edge.span, edge.text.clone());
        Ok(())
    }

    fn step(&mut self, id: EdgeId, frame: FrameVariables) -> Bounded<EdgeImage> {
        let Edge { from, to, .. } = *self.source.edge(id);
        let relation = self.relation(self.abstracted.system.executes[id]);
        let [chosen, fits] = [0; 2].map(|_| self.place(from));
        let first = self.choose(from, chosen, &[frame.next]);
        let next = self.abstracted.bits.next;
        let passes = self.abstracted.domain.kernel.exists(relation, next)?;
        self.copy_statement(first, id, passes, frame)?;
        let condition = self.related(
            relation,
            &[(AbstractCopy::Now, frame.state), (AbstractCopy::Next, frame.next)],
        )?;
        self.add(chosen, fits, Operation::Assume(condition));
        let last = self.go_on(fits, to, frame);
        Ok(EdgeImage { first, call: None, last })
    }

    fn call(
        &mut self,
        id: EdgeId,
        callee: ProcedureId,
        frame: FrameVariables,
    ) -> Bounded<EdgeImage> {
        use AbstractCopy::{Below, Next, Now};
        let Edge { from, to, .. } = *self.source.edge(id);
        let (push, eval) =
            match self.abstracted.abstraction.rule(self.abstracted.system.executes[id]) {
                AbstractRule::Call(call) => (call.push, call.eval),
                AbstractRule::Step(_) => (Bdd::FALSE, Bdd::FALSE),
            };
        let [chosen, ready, site, picked, fits] = [0; 5].map(|_| self.place(from));
        let first = self.choose(from, chosen, &[frame.next, frame.pivot]);
        let others = self.abstracted.bits.next_and_below;
        let passes = self.abstracted.domain.kernel.exists(push, others)?;
        self.copy_statement(first, id, passes, frame)?;
        let enters =
            self.related(push, &[(Now, frame.state), (Next, frame.next), (Below, frame.pivot)])?;
        self.add(chosen, ready, Operation::Assume(enters));
        let call = Operation::Call {
            callee,
            arguments: vec![self.read(frame.next)],
            result: Some(frame.returned),
        };
        let call = self.add(ready, site, call);
        self.program.edges[call].span = self.source.edge(id).span;
        self.choose(site, picked, &[frame.next]);
        let returns =
            self.related(eval, &[(Below, frame.pivot), (Now, frame.returned), (Next, frame.next)])?;
        self.add(picked, fits, Operation::Assume(returns));
        let last = self.go_on(fits, to, frame);
        Ok(EdgeImage { first, call: Some(call), last })
    }

    /// Adds a procedure that picks the bits with which the program starts and then calls the start
    /// procedure.
    fn start(&mut self) -> Bounded<()> {
        let main = self.source.main_id();
        let id = ProcedureId(self.program.procedures.len() as u32);
        let picked = self.variable(VariableKind::Temporary, id);
        let initial = self.abstracted.abstraction.initial();
        let condition = self.condition(initial, &[(AbstractCopy::Now, picked)])?;
        let first = self.program.locations.len() as u32;
        for _ in 0..4 {
            self.program.locations.push(Location { procedure: id, line: 0 });
        }
        let [entry, chosen, fits, exit] = [first, first + 1, first + 2, first + 3].map(LocationId);
        self.program.procedures.push(Procedure {
            name: String::new(),
            parameters: Vec::new(),
            locals: vec![picked],
            result: None,
            entry,
            exit,
            span: Span::default(),
        });
        self.choose(entry, chosen, &[picked]);
        self.add(chosen, fits, Operation::Assume(condition));
        self.add(
            fits,
            exit,
            Operation::Call { callee: main, arguments: vec![self.read(picked)], result: None },
        );
        self.program.main = id.0 as usize;
        Ok(())
    }
}

/// The conjunction of what there is so far and a further condition.
fn conjunction(so_far: Option<Expression>, further: Expression) -> Expression {
    match so_far {
        None => further,
        Some(so_far) => Expression::binary(BinaryOperator::And, so_far, further),
    }
}
