//! What a rule does at an event, as statements of the program's language.

use super::{Arguments, Ending, Moment, Rule, Transition, at};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Branch, Expr, ExprKind, Initializer, Item, PointedType, Spelling, Statement,
    StatementKind, TypeName, UnaryOp,
};
use crate::lang::tree::{
    assign, binary, block, call, effect, expr, named, rebuilt, signed, text_of, variable,
};
use std::collections::BTreeMap;

/// Any address. The lowering of memory reads it.
pub(in crate::lang) const ANY_ADDRESS: &str = "any address";
/// Are two addresses the same? The lowering of memory reads it. Unlike C's `==` it asks nothing of
/// them.
pub(in crate::lang) const SAME_ADDRESS: &str = "same address";
/// A rule is broken: its name, what it says, its state, and whether the program ends there. The
/// elaboration reads it.
pub(in crate::lang) const BROKEN: &str = "broken rule";

/// A rule of a program: how its variables are called, and of what type its object is.
pub(super) struct Woven {
    pub(super) rule: Rule,
    /// The rule's name, with a number if another one has it.
    pub(super) name: String,
    /// The type of the object: a pointer or a number.
    pub(super) object: Option<PointedType>,
}

/// Objects besides the chosen one that are told apart, where a rule says which runs do not count. A
/// run with more is cut off.
const OTHERS: usize = 6;

impl Woven {
    /// A variable of an automaton: of the chosen object's, or of another one's.
    fn variable(&self, what: &str, who: usize) -> String {
        match who {
            0 => format!("{what} of {}", self.name),
            _ => format!("{what} of {}, object {who}", self.name),
        }
    }

    pub(super) fn state_variable(&self, who: usize) -> String {
        self.variable("state", who)
    }

    fn counter_variable(&self, counter: usize, who: usize) -> String {
        self.variable(&self.rule.counters[counter].name, who)
    }

    fn object_variable(&self, who: usize) -> String {
        self.variable(self.rule.object.as_deref().unwrap_or_default(), who)
    }

    fn used_variable(&self, who: usize) -> String {
        self.variable("there", who)
    }

    fn state_type(&self) -> TypeName {
        unsigned(width_of(self.rule.states.len() as u64 - 1))
    }

    /// How many objects besides the chosen one have automata. A run does not count if the rule says
    /// so of any object, not only of the chosen one.
    fn others(&self) -> usize {
        let stops = |t: &Transition| t.ending == Ending::Stop;
        match self.object.is_some() && self.rule.transitions.iter().any(stops) {
            true => OTHERS,
            false => 0,
        }
    }

    /// Must it be known whether there was an event about the chosen object? Before that it has no
    /// automaton, so events about all objects are not about it.
    fn asks_whether_there(&self) -> bool {
        let name = self.rule.object.as_deref().unwrap_or_default();
        let is_about_all = |t: &Transition| {
            t.states.contains(&0)
                && t.event.position(name).is_none()
                && t.event.result.as_deref() != Some(name)
        };
        self.object.is_some() && self.rule.transitions.iter().any(is_about_all)
    }

    /// Its variables.
    pub(super) fn declarations(&self, span: Span) -> Vec<Item> {
        let number = |n: u64, ty| Some(Initializer::Value(expr(ExprKind::Exactly(n, ty), span)));
        let mut made = Vec::new();
        for who in 0..=self.others() {
            let ty = self.state_type();
            made.push(variable(&self.state_variable(who), (ty, 0), number(0, ty), span));
            for (k, counter) in self.rule.counters.iter().enumerate() {
                let width = width_of(u64::from(counter.most)) + 1;
                let ty = TypeName::Exact { width, signed: true };
                made.push(variable(&self.counter_variable(k, who), (ty, 0), number(0, ty), span));
            }
            if let Some(object) = self.object {
                let ty = (object.type_name, object.pointers);
                made.push(variable(&self.object_variable(who), ty, None, span));
            }
            if who > 0 || self.asks_whether_there() {
                let ty = TypeName::Bool;
                made.push(variable(&self.used_variable(who), (ty, 0), number(0, ty), span));
            }
        }
        made.into_iter().map(Item::Declaration).collect()
    }

    /// The object is any.
    pub(super) fn choice(&self, span: Span) -> Option<Statement> {
        let object = self.object?;
        let any = match object.pointers {
            0 => expr(ExprKind::Choice, span),
            _ => call(ANY_ADDRESS, Vec::new(), span),
        };
        Some(effect(assign(named(&self.object_variable(0), span), any)))
    }

    /// What it does at an event of this procedure.
    pub(super) fn steps(
        &self,
        moment: Moment,
        procedure: &str,
        given: &Given<'_>,
    ) -> Option<Statement> {
        let span = given.span;
        let own = self.automaton(moment, procedure, given, 0)?;
        let mut statements = Vec::new();
        if self.asks_whether_there() {
            statements.extend(self.noted(moment, procedure, given));
        }
        if self.others() > 0 {
            statements.extend(self.taken(moment, procedure, given));
        }
        for who in 1..=self.others() {
            let Some(other) = self.automaton(moment, procedure, given, who) else { continue };
            let condition = named(&self.used_variable(who), span);
            let branches = vec![Branch { condition, then: other, head: span }];
            statements
                .push(Statement { kind: StatementKind::If { branches, otherwise: None }, span });
        }
        statements.push(own);
        Some(block(statements, span))
    }

    /// The transitions of an event.
    fn transitions<'r>(
        &'r self,
        moment: Moment,
        procedure: &'r str,
        given: &'r Given<'_>,
    ) -> impl Iterator<Item = &'r Transition> {
        self.rule.transitions.iter().filter(move |transition| {
            let event = &transition.event;
            let fits = match &event.arguments {
                Arguments::These(list) => list.len() == given.arguments.len(),
                Arguments::Any => true,
            };
            event.moment == moment && event.procedure == procedure && fits
        })
    }

    /// The objects of an event.
    fn objects(&self, moment: Moment, procedure: &str, given: &Given<'_>) -> Vec<Expr> {
        let name = self.rule.object.as_deref().unwrap_or_default();
        let mut found: BTreeMap<Option<usize>, Expr> = BTreeMap::new();
        for transition in self.transitions(moment, procedure, given) {
            if let Some(value) = self.object_of(transition, given) {
                found.insert(transition.event.position(name), value);
            }
        }
        found.into_values().collect()
    }

    /// Is the event about the chosen object? Then it has an automaton from here on.
    fn noted(&self, moment: Moment, procedure: &str, given: &Given<'_>) -> Vec<Statement> {
        let span = given.span;
        let note = |value: Expr| {
            let one = expr(ExprKind::Exactly(1, TypeName::Bool), span);
            let then = effect(assign(named(&self.used_variable(0), span), one));
            let branches =
                vec![Branch { condition: self.is_same(value, 0, span)?, then, head: span }];
            Some(Statement { kind: StatementKind::If { branches, otherwise: None }, span })
        };
        self.objects(moment, procedure, given).into_iter().filter_map(note).collect()
    }

    /// Each object of the event gets an automaton, if it has none.
    fn taken(&self, moment: Moment, procedure: &str, given: &Given<'_>) -> Vec<Statement> {
        let span = given.span;
        let mut made = Vec::new();
        for value in self.objects(moment, procedure, given) {
            let mut branches = Vec::new();
            for who in 1..=self.others() {
                let used = || named(&self.used_variable(who), span);
                let Some(same) = self.is_same(value.clone(), who, span) else { continue };
                let condition = binary(BinaryOp::LogicalAnd, used(), same);
                branches.push(Branch { condition, then: block(Vec::new(), span), head: span });
                let free = expr(ExprKind::Unary(UnaryOp::Not, Box::new(used())), span);
                let one = expr(ExprKind::Exactly(1, TypeName::Bool), span);
                let object = named(&self.object_variable(who), span);
                let then = vec![
                    effect(assign(used(), one)),
                    effect(assign(object, self.as_object(value.clone(), span))),
                ];
                branches.push(Branch { condition: free, then: block(then, span), head: span });
            }
            let always = expr(ExprKind::Exactly(1, TypeName::Bool), span);
            let cut = Statement { kind: StatementKind::CutOff(always), span };
            let otherwise = Some(Box::new(cut));
            made.push(Statement { kind: StatementKind::If { branches, otherwise }, span });
        }
        made
    }

    /// What an automaton does at an event. Only that of the chosen object fails.
    fn automaton(
        &self,
        moment: Moment,
        procedure: &str,
        given: &Given<'_>,
        who: usize,
    ) -> Option<Statement> {
        let span = given.span;
        let mut branches = Vec::new();
        for transition in self.transitions(moment, procedure, given) {
            let is_error = matches!(transition.ending, Ending::Error(_));
            // A message names one state.
            let groups: Vec<&[usize]> = match is_error {
                true => transition.states.chunks(1).collect(),
                false => vec![&transition.states],
            };
            for states in groups {
                let mut parts = Vec::new();
                parts.extend(self.is_in(states, who, span));
                match self.object_of(transition, given) {
                    Some(value) => parts.extend(self.is_same(value, who, span)),
                    None if who == 0 && self.asks_whether_there() => {
                        parts.push(named(&self.used_variable(0), span));
                    }
                    None => {}
                }
                if let Some(condition) = &transition.condition {
                    parts.push(self.condition(condition.clone(), transition, given, who));
                }
                let truth = || expr(ExprKind::Number(1, Spelling::default()), span);
                let and = |one, other| binary(BinaryOp::LogicalAnd, one, other);
                let condition = parts.into_iter().reduce(and).unwrap_or_else(truth);
                let then = self.outcome(transition, states, moment, who, span);
                branches.push(Branch { condition, then, head: span });
            }
        }
        match branches.is_empty() {
            true => None,
            false => {
                Some(Statement { kind: StatementKind::If { branches, otherwise: None }, span })
            }
        }
    }

    fn is_in(&self, states: &[usize], who: usize, span: Span) -> Option<Expr> {
        if states.len() == self.rule.states.len() {
            return None;
        }
        let is = |state: &usize| {
            let number = expr(ExprKind::Exactly(*state as u64, self.state_type()), span);
            binary(BinaryOp::Equal, named(&self.state_variable(who), span), number)
        };
        states.iter().map(is).reduce(|one, other| binary(BinaryOp::LogicalOr, one, other))
    }

    /// The object that an event is about; `None` if it is about all.
    fn object_of(&self, transition: &Transition, given: &Given<'_>) -> Option<Expr> {
        let name = self.rule.object.as_deref()?;
        let event = &transition.event;
        match event.position(name) {
            Some(position) => given.arguments.get(position).cloned(),
            None if event.result.as_deref() == Some(name) => given.result.clone(),
            None => None,
        }
    }

    /// A value of the type of the rule's object.
    fn as_object(&self, value: Expr, span: Span) -> Expr {
        match self.object {
            Some(object) if object.pointers > 0 => {
                expr(ExprKind::PointerCast(object, Box::new(value)), span)
            }
            _ => value,
        }
    }

    /// Is this the object of the automaton?
    fn is_same(&self, value: Expr, who: usize, span: Span) -> Option<Expr> {
        let object = self.object?;
        let own = named(&self.object_variable(who), span);
        Some(match object.pointers {
            0 => binary(BinaryOp::Equal, value, own),
            _ => call(SAME_ADDRESS, vec![self.as_object(value, span), own], span),
        })
    }

    /// The condition over the values of arguments, result and counters.
    fn condition(
        &self,
        condition: Expr,
        transition: &Transition,
        given: &Given<'_>,
        who: usize,
    ) -> Expr {
        let mut condition = at(condition, given.span);
        let mut stack = vec![&mut condition];
        while let Some(e) = stack.pop() {
            if let ExprKind::Name(name) = &e.kind {
                let event = &transition.event;
                let counter = self.rule.counters.iter().position(|one| one.name == *name);
                let value = match (event.position(name), counter) {
                    (Some(position), _) => given.arguments.get(position).cloned(),
                    (None, Some(counter)) => {
                        Some(named(&self.counter_variable(counter, who), given.span))
                    }
                    (None, None) if event.result.as_ref() == Some(name) => given.result.clone(),
                    (None, None) => None,
                };
                if let Some(value) = value {
                    *e = value;
                }
                continue;
            }
            e.children_mut(&mut stack);
        }
        // The depths are those of the expression with the values.
        rebuilt(condition)
    }

    fn outcome(
        &self,
        transition: &Transition,
        states: &[usize],
        moment: Moment,
        who: usize,
        span: Span,
    ) -> Statement {
        let mut statements = Vec::new();
        for update in &transition.updates {
            let counter = named(&self.counter_variable(update.counter, who), span);
            let most = i64::from(self.rule.counters[update.counter].most);
            let value = match update.adds {
                false => signed(update.value.min(most), span),
                true => {
                    let (op, bound) = match update.value >= 0 {
                        true => (BinaryOp::Greater, most - update.value),
                        false => (BinaryOp::Less, -most - update.value),
                    };
                    let beyond = binary(op, counter.clone(), signed(bound, span));
                    statements.push(Statement { kind: StatementKind::CutOff(beyond), span });
                    binary(BinaryOp::Add, counter.clone(), signed(update.value, span))
                }
            };
            statements.push(effect(assign(counter, value)));
        }
        match &transition.ending {
            Ending::Stay => {}
            // The run that chooses that object fails.
            Ending::Error(_) if who > 0 => {}
            Ending::State(to) if states == [*to] => {}
            Ending::State(to) => {
                let number = expr(ExprKind::Exactly(*to as u64, self.state_type()), span);
                statements.push(effect(assign(named(&self.state_variable(who), span), number)));
            }
            Ending::Stop => {
                let no = expr(ExprKind::Number(0, Spelling::default()), span);
                statements.push(effect(call("__VERIFIER_assume", vec![no], span)));
            }
            Ending::Error(text) => {
                let state = states.first().map_or("", |state| &self.rule.states[*state]);
                let state = match &self.rule.object {
                    Some(object) => format!("{object} is {state}"),
                    None => format!("its state is {state}"),
                };
                let at_exit = expr(ExprKind::Truth(moment == Moment::Exit), span);
                let given = vec![
                    text_of(&self.rule.name, span),
                    text_of(text, span),
                    text_of(&state, span),
                    at_exit,
                ];
                statements.push(effect(call(BROKEN, given, span)));
            }
        }
        block(statements, span)
    }
}

/// The values at an event.
pub(super) struct Given<'g> {
    pub(super) arguments: &'g [Expr],
    pub(super) result: Option<Expr>,
    pub(super) span: Span,
}

fn unsigned(width: u8) -> TypeName {
    TypeName::Exact { width, signed: false }
}

/// The least number of bits that can hold `most`.
fn width_of(most: u64) -> u8 {
    (64 - most.leading_zeros()).max(1) as u8
}
