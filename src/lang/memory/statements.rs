//! Statements and blocks, and the ends of the lives of locals.

use super::build::{forget, named, number, statement};
use super::library::CUT_OFF;
use super::lowerer::{Ending, Lowered, Lowerer, MOST_DEPTH, Scope, refuse};
use super::pointers::Use;
use super::regions::RegionId;
use super::types::Type;
use super::verifiers::ANY;
use crate::lang::model::Span;
use crate::lang::rules::ANY_ADDRESS;
use crate::lang::syntax::{
    Block, Branch, Declaration, Declarator, Expr, ExprKind, Initializer, Statement, StatementKind,
    StructId, TypeName,
};

/// Places with the values that they take; without one, any value.
type Changes = Vec<(Expr, Option<Expr>)>;

/// A value that is returned, while locals end.
const RETURNED: &str = "returned value";

impl Lowerer<'_> {
    pub(super) fn block(&mut self, block: &Block, scope: Scope) -> Lowered<Block> {
        self.scopes.push(scope);
        let statements = self.statements(&block.statements, block.end);
        self.scopes.pop();
        Ok(Block { statements: statements?, end: block.end })
    }

    fn statements(&mut self, list: &[Statement], end: Span) -> Lowered<Vec<Statement>> {
        let mut made = Vec::with_capacity(list.len());
        for statement in list {
            self.statement(statement, &mut made)?;
        }
        let ends = self.scopes.last().map(|scope| scope.ends.clone()).unwrap_or_default();
        self.end_lives(&ends, &mut made, end);
        Ok(made)
    }

    /// These objects end.
    fn end_lives(&mut self, ends: &[(RegionId, Ending)], into: &mut Vec<Statement>, span: Span) {
        let mut changes = Vec::new();
        for (region, ending) in ends {
            let Some(room) = self.room(*region).cloned() else { continue };
            match ending {
                Ending::Flag(flag) => {
                    let place = self.flag(&room, *flag, span);
                    changes.push((place, Some(number(0, TypeName::Bool, span))));
                }
                Ending::Frame(place) => into.push(self.end_of_frame(*region, place, span)),
            }
        }
        if !changes.is_empty() {
            into.push(statement(StatementKind::Forget(changes), span));
        }
    }

    /// One statement that stands where C wants one.
    fn inner(&mut self, inner: &Statement, scope: Scope) -> Lowered<Statement> {
        if let StatementKind::Block(block) = &inner.kind {
            let block = self.block(block, scope)?;
            return Ok(statement(StatementKind::Block(block), inner.span));
        }
        self.scopes.push(scope);
        let mut made = Vec::new();
        let result = self.statement(inner, &mut made);
        let ends = self.scopes.last().map(|scope| scope.ends.clone()).unwrap_or_default();
        self.end_lives(&ends, &mut made, inner.span);
        self.scopes.pop();
        result?;
        Ok(match made.len() {
            1 => made.remove(0),
            _ => {
                let block = Block { statements: made, end: inner.span };
                statement(StatementKind::Block(block), inner.span)
            }
        })
    }

    fn statement(&mut self, s: &Statement, into: &mut Vec<Statement>) -> Lowered<()> {
        let span = s.span;
        if self.scopes.len() > usize::from(MOST_DEPTH) {
            return refuse(span, "blocks that nest this deep");
        }
        let plain_scope = Scope::default;
        let in_loop = || Scope { is_loop: true, ..Scope::default() };
        self.passed_label |= matches!(s.kind, StatementKind::Label(_));
        let kind = match &s.kind {
            StatementKind::Declaration(declaration) => {
                into.extend(self.local(declaration, span)?);
                return Ok(());
            }
            StatementKind::Expression(e) if self.cuts_off(e) => {
                StatementKind::CutOff(number(1, TypeName::Bool, span))
            }
            StatementKind::Expression(e) if self.chooses(e) => {
                return self.chosen(e, span, into);
            }
            StatementKind::Expression(e) => match self.any_of_library(e)? {
                Some(changes) => {
                    into.extend(forget(changes, span));
                    return Ok(());
                }
                None => {
                    if self.exits(e) {
                        let call = self.at_exit(span);
                        into.extend(call);
                        self.leaving = true;
                    }
                    let made = self.effect(e);
                    self.leaving = false;
                    StatementKind::Expression(made?)
                }
            },
            StatementKind::If { branches, otherwise } => {
                let mut made = Vec::with_capacity(branches.len());
                for branch in branches {
                    let condition = self.condition(&branch.condition)?;
                    let then = self.inner(&branch.then, plain_scope())?;
                    made.push(Branch { condition, then, head: branch.head });
                }
                let otherwise = match otherwise {
                    Some(otherwise) => Some(Box::new(self.inner(otherwise, plain_scope())?)),
                    None => None,
                };
                StatementKind::If { branches: made, otherwise }
            }
            StatementKind::While { condition, body } => {
                let condition = self.condition(condition)?;
                let body = Box::new(self.inner(body, in_loop())?);
                StatementKind::While { condition, body }
            }
            StatementKind::DoWhile { body, condition, head } => {
                let body = Box::new(self.inner(body, in_loop())?);
                let condition = self.condition(condition)?;
                StatementKind::DoWhile { body, condition, head: *head }
            }
            StatementKind::For { initial, condition, step, body } => {
                return self.for_loop(initial, condition, step, body, span, into);
            }
            StatementKind::Switch { scrutinee, body } => {
                let scrutinee = self.scalar(scrutinee)?.0;
                let scope = Scope { is_switch: true, ..Scope::default() };
                let body = Box::new(self.inner(body, scope)?);
                StatementKind::Switch { scrutinee, body }
            }
            StatementKind::Case(_)
            | StatementKind::Default
            | StatementKind::Label(_)
            | StatementKind::Empty
            | StatementKind::Goto(_) => s.kind.clone(),
            StatementKind::Break => {
                let ends = self.ends_up_to(|scope| scope.is_loop || scope.is_switch);
                self.end_lives(&ends, into, span);
                StatementKind::Break
            }
            StatementKind::Continue => {
                let ends = self.ends_up_to(|scope| scope.is_loop);
                self.end_lives(&ends, into, span);
                StatementKind::Continue
            }
            StatementKind::Return(value) => {
                return self.returned(value.as_ref(), span, into);
            }
            StatementKind::Block(block) => {
                StatementKind::Block(self.block(block, Scope::default())?)
            }
            StatementKind::Ghost(block) => {
                StatementKind::Ghost(self.block(block, Scope::default())?)
            }
            StatementKind::CutOff(e) => StatementKind::CutOff(self.condition(e)?),
            StatementKind::Atomic(_) | StatementKind::Forget(_) | StatementKind::Unset(_) => {
                return refuse(span, "this statement");
            }
        };
        into.push(statement(kind, span));
        Ok(())
    }

    /// Does a rule choose its object here?
    fn chooses(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Assign(None, _, value) => {
                matches!(&value.kind, ExprKind::Call(name, _) if name.text == ANY_ADDRESS)
            }
            _ => false,
        }
    }

    /// The object of a rule is any; that is no step of the program.
    fn chosen(&mut self, e: &Expr, span: Span, into: &mut Vec<Statement>) -> Lowered<()> {
        let ExprKind::Assign(_, place, _) = &e.kind else { return refuse(span, "this statement") };
        let place = self.place(place, Use::Write)?;
        into.push(statement(StatementKind::Forget(vec![(place.e, None)]), span));
        Ok(())
    }

    /// Does the library end the run here, as the model ends?
    fn cuts_off(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Call(name, _) if name.text == CUT_OFF)
            && !self.is_written(&self.owner)
    }

    /// Is it a call of `exit` whose argument has no effects?
    fn exits(&self, e: &Expr) -> bool {
        let ExprKind::Call(name, arguments) = &e.kind else { return false };
        name.text == "exit"
            && !self.is_written(&name.text)
            && !arguments.iter().any(super::expressions::has_effects)
    }

    /// What takes any value where a procedure of the library says so.
    fn any_of_library(&mut self, e: &Expr) -> Lowered<Option<Changes>> {
        let ExprKind::Call(name, arguments) = &e.kind else { return Ok(None) };
        let [Expr { kind: ExprKind::Name(text), .. }] = &arguments[..] else { return Ok(None) };
        if name.text != ANY || self.is_written(&self.owner) {
            return Ok(None);
        }
        let Some(variable) = self.find(text).cloned() else { return Ok(None) };
        let place = self.variable_place(text, &variable, e.span);
        let mut changes = Vec::new();
        self.object_values(&place, false, &mut changes, e.span)?;
        Ok(Some(changes))
    }

    /// The flags of the locals of the blocks that a jump leaves.
    fn ends_up_to(&self, last: impl Fn(&Scope) -> bool) -> Vec<(RegionId, Ending)> {
        let mut ends = Vec::new();
        for scope in self.scopes.iter().rev() {
            ends.extend(scope.ends.iter().cloned());
            if last(scope) {
                break;
            }
        }
        ends
    }

    /// An expression for its effects.
    fn effect(&mut self, e: &Expr) -> Lowered<Expr> {
        if matches!(&e.kind, ExprKind::Name(name) if self.find(name).is_none()) {
            return Ok(e.clone());
        }
        if moves(e) {
            return refuse(e.span, "a value that is read where a pointer moves, and not used");
        }
        if super::assignments::is_place(e)
            && let Some(Type::Struct(id)) = self.static_type(e)
        {
            return self.looked_at(e, id);
        }
        self.unwanted = match &e.kind {
            ExprKind::Assign(..) | ExprKind::Step { .. } => true,
            ExprKind::Call(name, _) => {
                super::blocks::writes_block(&name.text) && !self.is_written(&name.text)
            }
            _ => false,
        };
        let result = self.value(e);
        self.unwanted = false;
        let (value, _) = result?;
        // The value of `p++` is not used.
        Ok(match value.kind {
            ExprKind::Comma(mut list)
                if matches!(&e.kind, ExprKind::Step { .. }) && list.len() == 2 =>
            {
                list.remove(0)
            }
            kind => Expr { kind, ..value },
        })
    }

    /// A struct that is read and not used: what must hold for that.
    fn looked_at(&mut self, e: &Expr, id: StructId) -> Lowered<Expr> {
        let place = self.place(e, Use::Read)?;
        let Some(spot) = place.spot else { return Ok(self.value(e)?.0) };
        let (Some(room), Some(layout)) = (self.flat_room(spot.region), self.layout_of(id)) else {
            return refuse(e.span, "a struct whose size is not known");
        };
        let k = self.held();
        let pointer = super::build::held(k, e.span);
        let extent = (layout.bytes, layout.alignment);
        let conditions = self.reachable(&room, &pointer, &spot, extent, Use::Read);
        let list = vec![(k, spot.pointer.clone())];
        Ok(super::build::checked(list, conditions, super::build::zero(e.span), e.span))
    }

    fn for_loop(
        &mut self,
        initial: &Option<Box<Statement>>,
        condition: &Option<Expr>,
        step: &Option<Expr>,
        body: &Statement,
        span: Span,
        into: &mut Vec<Statement>,
    ) -> Lowered<()> {
        self.scopes.push(Scope::default());
        let mut made = Vec::new();
        let result = self.for_parts(initial, condition, step, body, &mut made, span);
        let ends = self.scopes.last().map(|scope| scope.ends.clone()).unwrap_or_default();
        self.end_lives(&ends, &mut made, span);
        self.scopes.pop();
        result?;
        match made.len() {
            1 => into.append(&mut made),
            _ => {
                let block = Block { statements: made, end: span };
                into.push(statement(StatementKind::Block(block), span));
            }
        }
        Ok(())
    }

    fn for_parts(
        &mut self,
        initial: &Option<Box<Statement>>,
        condition: &Option<Expr>,
        step: &Option<Expr>,
        body: &Statement,
        made: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let mut first = Vec::new();
        if let Some(initial) = initial {
            self.statement(initial, &mut first)?;
        }
        let condition = match condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match step {
            Some(step) => Some(self.effect(step)?),
            None => None,
        };
        let body = Box::new(self.inner(body, Scope { is_loop: true, ..Scope::default() })?);
        let initial = match first.len() {
            1 => Some(Box::new(first.remove(0))),
            _ => {
                made.append(&mut first);
                None
            }
        };
        made.push(statement(StatementKind::For { initial, condition, step, body }, span));
        Ok(())
    }

    fn returned(
        &mut self,
        value: Option<&Expr>,
        span: Span,
        into: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let ty = self.result.clone();
        let value = match value {
            Some(e) if matches!(ty, Type::Void) => Some(self.value(e)?.0),
            Some(e) => Some(self.converted(e, &ty)?),
            None => None,
        };
        let ends = self.ends_up_to(|scope| scope.is_body);
        let check = self.end_of_main(span);
        let nothing = (ends.is_empty() && check.is_empty()) || self.layout.is_none();
        let (false, Some(value)) = (nothing, &value) else {
            self.end_lives(&ends, into, span);
            into.extend(check);
            into.push(statement(StatementKind::Return(value), span));
            return Ok(());
        };
        if matches!(ty, Type::Struct(_) | Type::Void) {
            return refuse(span, "this result, with the address of a local");
        }
        let declarator = Declarator {
            name: super::build::name(RETURNED, span),
            pointers: 0,
            dimensions: Vec::new(),
            initializer: Some(Initializer::Value(value.clone())),
            span,
        };
        let declaration = Declaration::plain(self.written_type(&ty), vec![declarator]);
        let mut made = vec![statement(StatementKind::Declaration(declaration), span)];
        self.end_lives(&ends, &mut made, span);
        made.extend(check);
        made.push(statement(StatementKind::Return(Some(named(RETURNED, span))), span));
        into.push(statement(StatementKind::Block(Block { statements: made, end: span }), span));
        Ok(())
    }
}

/// Is it a member behind a pointer that moves: `p++->a`?
fn moves(e: &Expr) -> bool {
    let mut e = e;
    while let ExprKind::Member(inner, _) = &e.kind {
        e = inner;
        if let ExprKind::Indirect(pointer) = &e.kind {
            return matches!(pointer.kind, ExprKind::Step { prefix: false, .. });
        }
    }
    false
}
