//! A raw pushdown system as a program, so that formulas can be asked of it.
//!
//! State and top of the stack are two globals. A procedure is a frame for each symbol of the stack:
//! it goes round the place where a configuration is seen, with one edge for each rule. A rule that
//! pops returns, and the caller restores the top from a local of its own; a rule that pushes keeps
//! the lower symbol in that local and calls. Before that, the procedure writes the stack of an
//! initial configuration, from its bottom up, along the transitions of the set's automaton.
//!
//! Only that place, and the end with an empty stack, are states of a run
//! ([`super::places::states`]): one for each configuration. A run that no rule continues ends, and
//! stays in its last configuration for ever. Weights that are relations are conditions and
//! assignments of globals, which formulas can name; other weights exclude no run.

use super::atoms::{Comparison, Condition, NamedAtom, Term};
use super::places::NO_RULE;
use super::product::both;
use super::raw_terms::{condition_of, term_of};
use crate::encode::configurations;
use crate::lang::model::{
    BinaryOperator, ChoiceId, Edge, Expression, Initial, Location, LocationId, Operation, Origin,
    Place, Procedure, ProcedureId, Program, Scalar, Scope, Span, StatementKind, Variable,
    VariableId, VariableKind,
};
use crate::lang::raw::transformer::Transformer;
use crate::lang::raw::{
    AtomHead, AtomTop, ConfigurationSet, RawAtom, RawRule, RawSystem, RawWeights, StateId, SymbolId,
};
use crate::pds::{PAutomaton, State};
use std::rc::Rc;

/// The most transitions of the automaton of the initial set.
const MOST_TRANSITIONS: u64 = 100_000;

/// The program of a system. The edges of its rules come first, with the rules' numbers.
#[derive(Clone, Debug)]
pub struct RawProgram {
    /// It.
    pub program: Rc<Program>,
    /// The system's atoms.
    pub atoms: Vec<NamedAtom>,
}

/// The program of a system. Errors: a sentence that says what it has that formulas cannot handle.
pub fn program_of(system: &RawSystem) -> Result<RawProgram, String> {
    let initial = configurations(system, &system.initial, MOST_TRANSITIONS)
        .map_err(|_| "the automaton of the initial set is too large for formulas".to_string())?;
    let mut building = Building::new(system, &initial);
    for (rule, at) in system.rules.iter().zip(building.places(system.rules.len())) {
        building.guard(rule, at)?;
    }
    for (k, rule) in system.rules.iter().enumerate() {
        building.effect(rule, building.first_middle + k as u32)?;
    }
    building.stuck(system)?;
    building.start(&initial);
    let atoms = system.atoms.iter().map(|atom| building.atom(atom)).collect();
    Ok(RawProgram { program: Rc::new(building.program), atoms })
}

/// The procedure that starts, and that of the frames.
const START: ProcedureId = ProcedureId(0);
const FRAME: ProcedureId = ProcedureId(1);

struct Building<'s> {
    system: &'s RawSystem,
    program: Program,
    /// The control state.
    state: VariableId,
    /// The top of the stack: 0 if it is empty, else the symbol's number and 1.
    top: VariableId,
    /// The place in the automaton of the initial set while the stack is written, and 1; 0 later.
    writing: VariableId,
    /// The frame's symbol while others are above it.
    below: VariableId,
    /// Where a configuration is seen.
    seen: LocationId,
    /// Behind a call.
    returned: LocationId,
    /// The first place behind the guard of a rule.
    first_middle: u32,
    line: u32,
}

/// A type for the numbers 0 to `last`.
fn numbers(last: u32) -> Scalar {
    Scalar::int((u32::BITS - last.leading_zeros()).max(1) as u8, false)
}

impl<'s> Building<'s> {
    fn new(system: &'s RawSystem, initial: &PAutomaton<bool>) -> Building<'s> {
        let line = match &system.initial {
            ConfigurationSet::Described(lines) => lines.first().map_or(1, |line| line.span.line),
            ConfigurationSet::Automaton(automaton) => automaton.span.line.max(1),
        };
        let mut program = Program { int_width: 32, main: 0, ..Program::default() };
        let mut variable = |name: &str, scalar, owner: Option<ProcedureId>, initial| {
            program.variables.push(Variable {
                name: name.to_string(),
                scalar,
                dimensions: Vec::new(),
                kind: if owner.is_none() { VariableKind::Global } else { VariableKind::Local },
                owner,
                span: Span::default(),
                initial,
                origin: Origin::Written,
            });
            VariableId(program.variables.len() as u32 - 1)
        };
        let mut own = Vec::new();
        if let RawWeights::Relation(list) = &system.weights {
            for one in list {
                let scalar = Scalar::int(one.bits.clamp(1, 64) as u8, false);
                own.push(variable(&one.name, scalar, None, Initial::Any));
            }
        }
        let zero = || Initial::Exactly(vec![0]);
        let state = numbers((system.states.len() as u32).saturating_sub(1));
        let symbol = numbers(system.symbols.len() as u32);
        let state = variable("control state", state, None, zero());
        let top = variable("top of the stack", symbol, None, zero());
        let writing = numbers(initial.states());
        let writing = variable("place in the initial set", writing, None, zero());
        let below = variable("symbol below", symbol, Some(FRAME), Initial::Any);
        program.scopes.push(Scope { variables: own });
        for (name, procedure, locals) in
            [("start", START, Vec::new()), ("stack", FRAME, vec![below])]
        {
            let entry = LocationId(program.locations.len() as u32);
            let exit = LocationId(entry.0 + 1);
            program.locations.extend([Location { procedure, line }; 2]);
            program.procedures.push(Procedure {
                name: name.to_string(),
                parameters: Vec::new(),
                locals,
                result: None,
                entry,
                exit,
                span: Span::default(),
            });
        }
        let mut building = Building {
            system,
            program,
            state,
            top,
            writing,
            below,
            seen: LocationId(0),
            returned: LocationId(0),
            first_middle: 0,
            line,
        };
        building.seen = building.place(FRAME, line);
        building.returned = building.place(FRAME, line);
        building.first_middle = building.program.locations.len() as u32;
        building
    }

    fn place(&mut self, procedure: ProcedureId, line: u32) -> LocationId {
        self.program.locations.push(Location { procedure, line });
        LocationId(self.program.locations.len() as u32 - 1)
    }

    /// New places behind the guards of so many rules.
    fn places(&mut self, count: usize) -> Vec<LocationId> {
        let of = |k: usize| self.system.rules[k].span.line;
        let lines: Vec<u32> = (0..count).map(of).collect();
        lines.into_iter().map(|line| self.place(FRAME, line)).collect()
    }

    fn hidden(&mut self, from: LocationId, to: LocationId, line: u32, operation: Operation) {
        let span = Span { line, ..Span::default() };
        self.program.edges.push(Edge { span, ..Edge::added(from, to, operation) });
    }

    fn value(&self, id: VariableId) -> Expression {
        Expression::Variable(id, self.program.variable(id).scalar)
    }

    fn number(&self, id: VariableId, number: u32) -> Expression {
        Expression::Constant(u64::from(number), self.program.variable(id).scalar)
    }

    fn equal(&self, id: VariableId, number: u32) -> Expression {
        let (value, number) = (Box::new(self.value(id)), Box::new(self.number(id, number)));
        Expression::Binary(BinaryOperator::Equal, value, number)
    }

    fn set(&self, id: VariableId, number: u32) -> (Place, Expression) {
        (Place::Variable(id), self.number(id, number))
    }

    /// The condition under which a rule applies.
    fn applies(&self, rule: &RawRule) -> Result<Expression, String> {
        let head =
            both(self.equal(self.state, rule.from.0), self.equal(self.top, symbol(rule.symbol)));
        let RawWeights::Relation(_) = &self.system.weights else { return Ok(head) };
        let mut all = head;
        for condition in &rule.effect.conditions {
            let condition = condition_of(condition, rule)?;
            self.fits(&condition, rule)?;
            let holds = condition.expression(&self.program, None);
            all = both(all, holds.unwrap_or_else(Expression::falsity));
        }
        Ok(all)
    }

    /// Are its numbers, and the parts of its terms, small enough?
    fn fits(&self, condition: &Condition, rule: &RawRule) -> Result<(), String> {
        if condition.width(&self.program) <= 64 {
            return Ok(());
        }
        let line = rule.span.line;
        Err(format!("line {line}: for formulas the numbers of a rule have at most 64 bits"))
    }

    /// The edge on which a rule is chosen: the statement.
    fn guard(&mut self, rule: &RawRule, to: LocationId) -> Result<(), String> {
        let guard = self.applies(rule)?;
        self.program.edges.push(Edge {
            kind: StatementKind::Assignment,
            text: self.system.rule(rule),
            span: rule.span,
            ..Edge::added(self.seen, to, Operation::Assume(guard))
        });
        Ok(())
    }

    /// What a rule does, behind its guard.
    fn effect(&mut self, rule: &RawRule, middle: u32) -> Result<(), String> {
        let (line, mut choices) = (rule.span.line, Vec::new());
        let mut writes = vec![self.set(self.state, rule.to.0)];
        if let RawWeights::Relation(_) = &self.system.weights {
            writes.extend(self.assigned(&rule.effect, rule, &mut choices)?);
        }
        let middle = LocationId(middle);
        let to = match rule.right[..] {
            [] => self.program.procedure(FRAME).exit,
            [one] => {
                writes.push(self.set(self.top, symbol(one)));
                self.seen
            }
            [first, second, ..] => {
                writes.push(self.set(self.top, symbol(first)));
                writes.push(self.set(self.below, symbol(second)));
                let before = self.place(FRAME, line);
                let call = self.call(before, self.returned);
                self.program.edges.push(Edge {
                    text: self.system.rule(rule),
                    span: rule.span,
                    ..call
                });
                before
            }
        };
        let span = Span { line, ..Span::default() };
        let assign = Edge::added(middle, to, Operation::Assign(writes));
        self.program.edges.push(Edge { span, choices, ..assign });
        Ok(())
    }

    fn call(&self, from: LocationId, to: LocationId) -> Edge {
        let call = Operation::Call { callee: FRAME, arguments: Vec::new(), result: None };
        Edge { span: Span { line: self.line, ..Span::default() }, ..Edge::added(from, to, call) }
    }

    fn assigned(
        &self,
        effect: &Transformer,
        rule: &RawRule,
        choices: &mut Vec<Scalar>,
    ) -> Result<Vec<(Place, Expression)>, String> {
        let mut writes = Vec::new();
        for (variable, term) in &effect.assigned {
            let id = VariableId(*variable);
            let scalar = self.program.variable(id).scalar;
            let value = match term {
                None => {
                    choices.push(scalar);
                    Expression::Choice(ChoiceId(choices.len() as u32 - 1), scalar)
                }
                Some(term) => {
                    let term = term_of(term, rule)?;
                    self.fits(
                        &Condition::Compare(Comparison::Equal, term.clone(), Term::Number(0)),
                        rule,
                    )?;
                    let value = term.number(&self.program, None);
                    Expression::Cast(scalar, Box::new(value.unwrap_or_else(Expression::falsity)))
                }
            };
            writes.push((Place::Variable(id), value));
        }
        Ok(writes)
    }

    /// A configuration to which no rule applies is the end of its run.
    fn stuck(&mut self, system: &RawSystem) -> Result<(), String> {
        let rules = system.rules.iter().map(|rule| self.applies(rule));
        let some = any(rules.collect::<Result<_, _>>()?);
        let stuck = self.place(FRAME, self.line);
        self.hidden(self.seen, stuck, self.line, Operation::Assume(some.negated()));
        let never = Operation::Assume(Expression::falsity());
        let exit = self.program.procedure(FRAME).exit;
        self.program.edges.push(Edge {
            kind: StatementKind::Assumption,
            text: NO_RULE.to_string(),
            span: Span { line: self.line, ..Span::default() },
            ..Edge::added(stuck, exit, never)
        });
        Ok(())
    }

    /// Writes an initial configuration.
    fn start(&mut self, initial: &PAutomaton<bool>) {
        let (line, seen) = (self.line, self.seen);
        let Procedure { entry, exit, .. } = *self.program.procedure(START);
        let (before, behind) = (self.place(START, line), self.place(START, line));
        let call = self.call(before, behind);
        self.program.edges.push(call);
        let empty = Operation::Assign(vec![self.set(self.top, 0)]);
        self.hidden(behind, exit, line, empty);
        for state in (0..initial.states()).map(State) {
            if !initial.is_final(state) {
                continue;
            }
            // The empty stack; or a symbol at the bottom.
            let (to, write) = match initial.control(state) {
                Some(control) => (exit, self.set(self.state, control.0)),
                None => (before, self.set(self.writing, state.0 + 1)),
            };
            self.hidden(entry, to, line, Operation::Assign(vec![write]));
        }
        let entry = self.program.procedure(FRAME).entry;
        let written = Operation::Assume(self.equal(self.writing, 0));
        self.hidden(entry, seen, line, written);
        let above = self.place(FRAME, line);
        let call = self.call(above, self.returned);
        self.program.edges.push(call);
        let restored = (Place::Variable(self.top), self.value(self.below));
        self.hidden(self.returned, seen, line, Operation::Assign(vec![restored]));
        for transition in initial.transitions() {
            let Some(read) = transition.symbol else { continue };
            let chosen = self.place(FRAME, line);
            let here = self.equal(self.writing, transition.to.0 + 1);
            self.hidden(entry, chosen, line, Operation::Assume(here));
            let number = read.0 + 1;
            let (to, writes) = match initial.control(transition.from) {
                Some(control) => {
                    let state = self.set(self.state, control.0);
                    (seen, vec![state, self.set(self.top, number), self.set(self.writing, 0)])
                }
                None => {
                    let place = self.set(self.writing, transition.from.0 + 1);
                    (above, vec![self.set(self.below, number), place])
                }
            };
            self.hidden(chosen, to, line, Operation::Assign(writes));
        }
    }

    fn atom(&self, atom: &RawAtom) -> NamedAtom {
        let is = |id: VariableId, number: u32| {
            let number = Term::Number(i128::from(number));
            Condition::Compare(Comparison::Equal, Term::Variable(vec![id], Vec::new()), number)
        };
        let head = |head: &AtomHead| {
            let top = match head.top {
                AtomTop::Empty => is(self.top, 0),
                AtomTop::Any => Condition::Not(Box::new(is(self.top, 0))),
                AtomTop::Symbol(one) => is(self.top, symbol(one)),
            };
            match head.state {
                None => top,
                Some(StateId(state)) => {
                    Condition::And(Box::new(is(self.state, state)), Box::new(top))
                }
            }
        };
        let either = |a, b| Condition::Or(Box::new(a), Box::new(b));
        let condition = atom.heads.iter().map(head).reduce(either);
        let condition = condition.unwrap_or(Condition::Constant(false));
        NamedAtom { name: atom.name.clone(), condition }
    }
}

/// The number of a symbol on top of the stack.
fn symbol(id: SymbolId) -> u32 {
    id.0 + 1
}

/// Their disjunction, as a tree of small depth.
fn any(mut list: Vec<Expression>) -> Expression {
    while list.len() > 1 {
        let mut half = Vec::new();
        let mut items = list.into_iter();
        while let Some(a) = items.next() {
            half.push(match items.next() {
                Some(b) => Expression::binary(BinaryOperator::Or, a, b),
                None => a,
            });
        }
        list = half;
    }
    list.pop().unwrap_or_else(Expression::falsity)
}
