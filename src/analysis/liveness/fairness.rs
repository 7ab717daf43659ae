//! Fair choices: no choice is for ever made the same way.
//!
//! A *choice* is a place that a run can leave in several ways whatever the store is: `if (*)`,
//! `while (nondet())`, `goto a, b`. A run is *fair* if each choice that it makes again and again is
//! made each way again and again (strong fairness; Lehmann, Pnueli, Stavi 1981). Runs that end are
//! fair.
//!
//! The product watches itself with hidden globals ([`Monitor`]). From some moment on, the
//! *promise*, each choice is either given up (the run makes it no more) or made each way again and
//! again. Which choices are given up is guessed at the start, and when the promise begins is
//! guessed on the way. A round is over when each choice that was not given up was made each way;
//! then the next round begins. A run is fair iff for some guess infinitely many rounds are over, so
//! one more Büchi condition, `G F fair`, says it.

use super::formula::{AtomId, Normal};
use super::product::{both, either};
use crate::lang::model::{
    BinaryOperator, Edge, EdgeId, Expression, Initial, Operation, Origin, Place, Program, Scalar,
    Span, UnaryOperator, Variable, VariableId, VariableKind,
};
use std::collections::BTreeSet;

/// The choices of a program: for each the edges among which a run chooses, at least two.
pub fn choices(program: &Program) -> Vec<Vec<EdgeId>> {
    let mut out: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations.len()];
    for id in program.edge_ids() {
        out[program.edge(id).from].push(id);
    }
    let is_choice =
        |edges: &Vec<EdgeId>| edges.len() > 1 && edges.iter().all(|id| is_open(program.edge(*id)));
    out.into_iter().filter(is_choice).collect()
}

/// Is it fair to go round these edges for ever?
pub fn is_fair(choices: &[Vec<EdgeId>], round: impl IntoIterator<Item = EdgeId>) -> bool {
    let taken: BTreeSet<EdgeId> = round.into_iter().collect();
    choices.iter().all(|choice| {
        let ways = choice.iter().filter(|edge| taken.contains(edge)).count();
        ways == 0 || ways == choice.len()
    })
}

/// Can a run take the edge in every store? It belongs to a statement, so before it stands a state
/// in which a round can be seen to be over.
fn is_open(edge: &Edge) -> bool {
    edge.is_statement()
        && edge.checks.is_empty()
        && match &edge.operation {
            Operation::Skip | Operation::Assume(Expression::Constant(1, _)) => true,
            Operation::Assume(condition) => is_free(condition),
            _ => false,
        }
}

/// Is it true for some choice and false for another, whatever the store is?
fn is_free(condition: &Expression) -> bool {
    match condition {
        Expression::Choice(..) => true,
        Expression::Unary(UnaryOperator::Not, inside) | Expression::Cast(_, inside) => {
            is_free(inside)
        }
        Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, a, b) => {
            match (&**a, &**b) {
                (free, Expression::Constant(..)) | (Expression::Constant(..), free) => {
                    is_free(free)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// What violates, and that rounds end again and again.
pub fn fairly(violation: Normal, round_ends: AtomId) -> Normal {
    let ends = Normal::Literal(round_ends, true);
    let again = Normal::Until(Box::new(Normal::True), Box::new(ends));
    let for_ever = Normal::Release(Box::new(Normal::False), Box::new(again));
    match violation {
        Normal::False => Normal::False,
        Normal::True => for_ever,
        violation => Normal::And(Box::new(violation), Box::new(for_ever)),
    }
}

/// What comes behind one way of a choice.
#[derive(Clone, Debug)]
pub struct Move {
    /// The way.
    pub way: EdgeId,
    /// The run goes on only if this holds.
    pub allowed: Expression,
    /// And writes this then.
    pub writes: Vec<(Place, Expression)>,
}

/// The hidden globals that watch whether a run is fair.
#[derive(Clone, Debug)]
pub struct Monitor {
    choices: Vec<Vec<EdgeId>>,
    /// Has the promise begun?
    promised: VariableId,
    /// By choice.
    given_up: Vec<VariableId>,
    /// By choice and way: was it made this way in this round?
    made: Vec<Vec<VariableId>>,
}

impl Monitor {
    /// Adds the globals to a program. `None` if it has no choices: all its runs are fair.
    pub fn of(program: &mut Program) -> Option<Monitor> {
        let choices = choices(program);
        if choices.is_empty() {
            return None;
        }
        let mut flag = |name: &str, initial| {
            let id = VariableId(program.variables.len() as u32);
            program.variables.push(Variable {
                name: name.to_string(),
                scalar: Scalar::BOOL,
                dimensions: Vec::new(),
                kind: VariableKind::Global,
                owner: None,
                span: Span::default(),
                initial,
                origin: Origin::Written,
            });
            id
        };
        let promised = flag("the promise has begun", Initial::Any);
        let given_up = choices.iter().map(|_| flag("choice given up", Initial::Any)).collect();
        let mut way = |_: &EdgeId| flag("made in this round", Initial::Exactly(vec![0]));
        let made = choices.iter().map(|ways| ways.iter().map(&mut way).collect()).collect();
        Some(Monitor { choices, promised, given_up, made })
    }

    /// Is a round over?
    pub fn round_ends(&self) -> Expression {
        let value = |id: &VariableId| Expression::Variable(*id, Scalar::BOOL);
        self.given_up.iter().zip(&self.made).fold(value(&self.promised), |over, (gone, made)| {
            let all = made.iter().map(value).reduce(both).unwrap_or_else(Expression::truth);
            both(over, either(value(gone), all))
        })
    }

    /// What comes behind each way of each choice, where `free` is a value that the run picks.
    pub fn moves(&self, free: &Expression) -> Vec<Move> {
        let value = |id: VariableId| Expression::Variable(id, Scalar::BOOL);
        let same_round = self.round_ends().negated();
        let mut moves = Vec::new();
        for (k, ways) in self.choices.iter().enumerate() {
            for edge in ways {
                let allowed = both(value(self.promised), value(self.given_up[k])).negated();
                let promise = either(value(self.promised), free.clone());
                let mut writes = vec![(Place::Variable(self.promised), promise)];
                let all = self.choices.iter().flatten().zip(self.made.iter().flatten());
                writes.extend(all.map(|(way, made)| {
                    let kept = both(value(*made), same_round.clone());
                    let now = if way == edge { Expression::truth() } else { kept };
                    (Place::Variable(*made), now)
                }));
                moves.push(Move { way: *edge, allowed, writes });
            }
        }
        moves
    }
}
