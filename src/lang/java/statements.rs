//! Statements.

use super::build::{
    assign, block, call, effect, exactly, goto, if_else, label, named, not, number, span_of,
    statement, unsigned, when,
};
use super::lower::{THROWN, local_declaration};
use super::objects::Refused;
use super::survey::operands;
use super::writer::{Exit, Frame, RETURNED, Writer, behind, on};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Expr as Shared, ExprKind as SharedKind, Statement as SharedStatement,
    StatementKind as Kind, TypeName,
};
use faultline_java::{Catch, Expr, ExprKind, Group, LabelId, Statement, StatementKind, Type};

impl Writer<'_, '_> {
    pub(super) fn statements(&mut self, list: &[Statement]) -> Result<(), Refused> {
        list.iter().try_for_each(|statement| self.statement(statement))
    }

    /// Statements in a block of their own.
    fn inside(&mut self, list: &[Statement]) -> Result<Vec<SharedStatement>, Refused> {
        Ok(self.apart(|writer| writer.statements(list))?.0)
    }

    fn one(&mut self, statement: &Statement) -> Result<Vec<SharedStatement>, Refused> {
        match &statement.kind {
            StatementKind::Block(list) => self.inside(list),
            _ => self.inside(std::slice::from_ref(statement)),
        }
    }

    fn statement(&mut self, s: &Statement) -> Result<(), Refused> {
        let span = span_of(s.span);
        match &s.kind {
            StatementKind::Local(local, value) => {
                let spelt = self.l.spelt(&self.types[local.index()]);
                let text = self.names[local.index()].clone();
                match value {
                    Some(value) => {
                        let (value, then) = self.direct(value)?;
                        let made = local_declaration(&text, spelt, Some(value), (span, span));
                        self.out.push(made);
                        self.follow(then);
                    }
                    None => {
                        self.out.push(local_declaration(&text, spelt, None, (span, span)));
                    }
                }
            }
            StatementKind::Expression(e) => self.effect(e, span)?,
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.value(condition)?;
                let then = self.one(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.one(otherwise)?,
                    None => Vec::new(),
                };
                self.out.push(if_else(condition, then, otherwise, span));
            }
            StatementKind::While(label, condition, body) => {
                self.turns(*label, Some(condition), (&[], body), span)?;
            }
            StatementKind::For { label, first, condition, step, body } => {
                let (made, result) = self.apart(|writer| {
                    writer.statements(first)?;
                    writer.turns(*label, condition.as_ref(), (step, body), span)
                })?;
                let () = result;
                self.out.push(block(made, span));
            }
            StatementKind::Do(label, body, condition, head) => {
                self.do_while(*label, body, condition, (span, span_of(*head)))?;
            }
            StatementKind::Switch(label, value, groups) => {
                self.switch(*label, value, groups, span)?;
            }
            StatementKind::Labelled(label, body) => {
                self.enter(*label, false, false);
                let body = self.one(body)?;
                self.out.push(block(body, span));
                self.leave(*label, span);
            }
            StatementKind::Break(label) => self.exit(Exit::Break(*label), span),
            StatementKind::Continue(label) => self.exit(Exit::Continue(*label), span),
            StatementKind::Return(value) => self.returned(value.as_ref(), span)?,
            StatementKind::Throw(value) => self.throw(value, span)?,
            StatementKind::Try { body, catches, finally } => {
                self.try_statement(body, catches, finally.as_deref(), span)?;
            }
            StatementKind::Assert(condition, text) => {
                let condition = self.value(condition)?;
                if let Some(text) = text {
                    // Its text is computed only where it fails.
                    let (before, _) = self.apart(|writer| writer.evaluate(text))?;
                    if !before.is_empty() {
                        self.out.push(when(not(condition.clone()), before, span));
                    }
                }
                self.out.push(effect(call("assert", vec![condition], span)));
            }
            StatementKind::Block(list) => {
                let made = self.inside(list)?;
                self.out.push(block(made, span));
            }
            StatementKind::Empty => {}
        }
        Ok(())
    }

    fn enter(&mut self, label: LabelId, breaks: bool, continues: bool) {
        let (jumps_behind, jumps_on) = (false, false);
        self.frames.push(Frame::Target { label, breaks, continues, jumps_behind, jumps_on });
    }

    /// The statement with this label ends; true if its next turn needs a label. That label must
    /// have been written by then.
    fn leave(&mut self, label_id: LabelId, span: Span) -> bool {
        let Some(Frame::Target { jumps_behind, jumps_on, .. }) = self.frames.pop() else {
            return false;
        };
        if jumps_behind {
            self.out.push(label(&behind(label_id), span));
            self.out.push(statement(Kind::Empty, span));
        }
        jumps_on
    }

    fn jumps_on(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::Target { jumps_on: true, .. }))
    }

    /// `while` and `for`.
    fn turns(
        &mut self,
        label_id: LabelId,
        condition: Option<&Expr>,
        (step, body): (&[Expr], &Statement),
        span: Span,
    ) -> Result<(), Refused> {
        let (before, condition) = match condition {
            Some(condition) => self.apart(|writer| writer.value(condition))?,
            None => (Vec::new(), super::build::truth(true, span)),
        };
        let (steps, ()) =
            self.apart(|writer| step.iter().try_for_each(|e| writer.effect(e, span_of(e.span))))?;
        // `for (…; …; step)` if the step is one expression; `continue` runs it.
        let step = match &steps[..] {
            [SharedStatement { kind: Kind::Expression(e), .. }] => Some(e.clone()),
            _ => None,
        };
        self.enter(label_id, true, steps.is_empty() || step.is_some());
        let body_statements = self.one(body)?;
        let mut whole = Vec::new();
        let condition = match before.is_empty() {
            true => condition,
            false => {
                whole.extend(before);
                let leaves = vec![statement(Kind::Break, span)];
                whole.push(when(not(condition), leaves, span));
                super::build::truth(true, span)
            }
        };
        whole.extend(body_statements);
        if self.jumps_on() {
            // The label stands behind a block, so that no variable is jumped over.
            whole = vec![block(whole, span), label(&on(label_id), span)];
            whole.push(statement(Kind::Empty, span));
        }
        let kind = match step {
            Some(step) => Kind::For {
                initial: None,
                condition: Some(condition),
                step: Some(step),
                body: Box::new(block(whole, span)),
            },
            None => {
                if !steps.is_empty() {
                    whole.push(block(steps, span));
                }
                Kind::While { condition, body: Box::new(block(whole, span)) }
            }
        };
        self.out.push(statement(kind, span));
        self.leave(label_id, span);
        Ok(())
    }

    fn do_while(
        &mut self,
        label_id: LabelId,
        body: &Statement,
        condition: &Expr,
        (span, head): (Span, Span),
    ) -> Result<(), Refused> {
        let (before, condition) = self.apart(|writer| writer.value(condition))?;
        self.enter(label_id, true, before.is_empty());
        let mut whole = self.one(body)?;
        if self.jumps_on() || !before.is_empty() {
            whole = vec![block(whole, span), label(&on(label_id), span)];
            whole.push(statement(Kind::Empty, span));
        }
        let kind = match before.is_empty() {
            true => Kind::DoWhile { body: Box::new(block(whole, span)), condition, head },
            false => {
                whole.extend(before);
                whole.push(when(not(condition), vec![statement(Kind::Break, span)], head));
                let condition = super::build::truth(true, span);
                Kind::While { condition, body: Box::new(block(whole, span)) }
            }
        };
        self.out.push(statement(kind, span));
        self.leave(label_id, span);
        Ok(())
    }

    fn switch(
        &mut self,
        label_id: LabelId,
        value: &Expr,
        groups: &[Group],
        span: Span,
    ) -> Result<(), Refused> {
        let is_enumeration = matches!(value.ty, Type::Class(_));
        let mut scrutinee = self.value(value)?;
        if is_enumeration {
            scrutinee = self.simple(scrutinee, &value.ty, span);
            self.check_null(&scrutinee, value, span, true);
        }
        self.enter(label_id, true, false);
        let mut body = Vec::new();
        for group in groups {
            let at = span_of(group.span);
            for one in &group.labels {
                body.push(match one {
                    Some(n) => statement(Kind::Case(number(*n, false, at)), at),
                    None => statement(Kind::Default, at),
                });
            }
            let (made, ()) = self.apart(|writer| writer.statements(&group.body))?;
            body.extend(made);
        }
        let kind = Kind::Switch { scrutinee, body: Box::new(block(body, span)) };
        self.out.push(statement(kind, span));
        self.leave(label_id, span);
        Ok(())
    }

    fn returned(&mut self, value: Option<&Expr>, span: Span) -> Result<(), Refused> {
        let Some(value) = value else {
            self.exit(Exit::Return, span);
            return Ok(());
        };
        if self.is_main {
            self.evaluate(value)?;
            self.exit(Exit::Return, span);
            return Ok(());
        }
        if self.catches_here() {
            // What it throws is caught here, so the value is there only behind the check.
            let value = self.value(value)?;
            self.out.push(statement(Kind::Return(Some(value)), span));
            return Ok(());
        }
        if self.has_finally() {
            let value = self.value(value)?;
            self.out.push(assign(named(RETURNED, span), value, span));
            self.exit(Exit::Return, span);
            return Ok(());
        }
        // What is thrown by the call stays thrown: nobody uses the value then.
        let (value, _) = self.direct(value)?;
        self.out.push(statement(Kind::Return(Some(value)), span));
        Ok(())
    }

    fn throw(&mut self, value: &Expr, span: Span) -> Result<(), Refused> {
        let class = match value.ty {
            Type::Class(class) => class,
            _ => self.l.throwable,
        };
        if !self.l.survey.is_caught(self.l.program, class) || !self.l.catches {
            self.evaluate(value)?;
            let name = self.l.program.classes[class.index()].name.clone();
            let given = vec![super::build::truth(false, span), super::build::text(&name, span)];
            self.out.push(effect(call(super::REQUIRED, given, span)));
            return Ok(());
        }
        let e = self.value(value)?;
        let e = self.simple(e, &value.ty, span);
        self.check_null(&e, value, span, true);
        self.out.push(assign(named(THROWN, span), e, span));
        self.exit(Exit::Throw, span);
        Ok(())
    }

    /// `try`: what is thrown leads to a label behind the block, and from there on.
    fn try_statement(
        &mut self,
        body: &[Statement],
        catches: &[Catch],
        finally: Option<&[Statement]>,
        span: Span,
    ) -> Result<(), Refused> {
        let number_of = self.number();
        let end = format!("end of try {number_of}");
        let after = format!("after try {number_of}");
        let finally_label = format!("finally {number_of}");
        if finally.is_some() {
            let zero = exactly(0, unsigned(8), span);
            self.out.push(local_declaration(&after, (unsigned(8), 0), Some(zero), (span, span)));
            let (label, after) = (finally_label.clone(), after.clone());
            self.frames.push(Frame::Finally { label, after, exits: Vec::new() });
        }
        if !catches.is_empty() {
            let catch_label = format!("catch {number_of}");
            self.frames.push(Frame::Catch(catch_label.clone()));
            let made = self.inside(body)?;
            self.frames.pop();
            self.out.push(block(made, span));
            self.out.push(goto(&end, span));
            self.out.push(label(&catch_label, span));
            self.catches(catches, &end, span)?;
            // Nothing fits: it is thrown on.
            self.exit(Exit::Throw, span);
        } else {
            let made = self.inside(body)?;
            self.out.push(block(made, span));
            self.out.push(goto(&end, span));
        }
        self.out.push(label(&end, span));
        self.out.push(statement(Kind::Empty, span));
        let Some(finally) = finally else { return Ok(()) };
        self.out.push(label(&finally_label, span));
        self.out.push(statement(Kind::Empty, span));
        let exits = match self.frames.pop() {
            Some(Frame::Finally { exits, .. }) => exits,
            _ => Vec::new(),
        };
        let kept = exits.contains(&Exit::Throw).then(|| {
            let spelt = self.l.spelt(&Type::Class(self.l.throwable));
            let kept = self.fresh(spelt, Some(named(THROWN, span)), span);
            self.forget_thrown(span);
            kept
        });
        let made = self.inside(finally)?;
        self.out.push(block(made, span));
        for (k, exit) in exits.iter().enumerate() {
            let n = exactly(k as u64 + 1, unsigned(8), span);
            let is = super::build::binary(BinaryOp::Equal, named(&after, span), n);
            let (then, ()) = self.apart(|writer| {
                if let (Exit::Throw, Some(kept)) = (exit, &kept) {
                    writer.out.push(assign(named(THROWN, span), kept.clone(), span));
                }
                writer.exit(*exit, span);
                Ok(())
            })?;
            self.out.push(when(is, then, span));
        }
        Ok(())
    }

    fn forget_thrown(&mut self, span: Span) {
        let held = self.l.family(self.l.throwable).held;
        let null = self.l.null(held, span);
        self.out.push(assign(named(THROWN, span), null, span));
    }

    fn catches(&mut self, catches: &[Catch], end: &str, span: Span) -> Result<(), Refused> {
        let family = self.l.family(self.l.throwable).clone();
        for catch in catches {
            let at = span_of(catch.span);
            let thrown = named(THROWN, at);
            let mut classes: Vec<_> =
                catch.classes.iter().flat_map(|class| self.l.classes_below(*class)).collect();
            classes.sort_unstable();
            classes.dedup();
            let fits = match classes.len() == family.made.len() {
                true => self.l.not_null(&thrown, family.held),
                false => self.l.is_one_of(&thrown, &family, &classes),
            };
            let (then, ()) = self.apart(|writer| {
                let spelt = writer.l.spelt(&writer.types[catch.local.index()]);
                let text = writer.names[catch.local.index()].clone();
                writer.out.push(local_declaration(&text, spelt, Some(thrown.clone()), (at, at)));
                writer.forget_thrown(at);
                writer.statements(&catch.body)?;
                writer.out.push(goto(end, span));
                Ok(())
            })?;
            self.out.push(when(fits, then, at));
        }
        Ok(())
    }

    /// Evaluates an expression whose value nobody needs.
    pub(super) fn evaluate(&mut self, e: &Expr) -> Result<(), Refused> {
        match &e.kind {
            ExprKind::Call { .. }
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::New { .. }
            | ExprKind::Output(_)
            | ExprKind::Assume(_)
            | ExprKind::Exit(_) => self.effect(e, span_of(e.span)),
            ExprKind::Texted(list) | ExprKind::Sequence(list) => {
                list.iter().try_for_each(|e| self.evaluate(e))
            }
            _ if operands(e).is_empty() => Ok(()),
            _ => {
                let value = self.value(e)?;
                // It may fail.
                if !is_leaf(&value) {
                    let kind = SharedKind::Cast(TypeName::Void, Box::new(value));
                    let span = span_of(e.span);
                    self.out.push(effect(super::build::expr(kind, span)));
                }
                Ok(())
            }
        }
    }

    /// The statement of an expression.
    pub(super) fn effect(&mut self, e: &Expr, span: Span) -> Result<(), Refused> {
        match &e.kind {
            ExprKind::Call { .. } => {
                let (value, then) = self.direct(e)?;
                if !is_leaf(&value) {
                    self.out.push(effect(Shared { span, ..value }));
                }
                self.follow(then);
            }
            ExprKind::Assign(place, value) => self.assign(place, value, span)?,
            ExprKind::Update { .. } => {
                self.update(e, false, span)?;
            }
            ExprKind::New { .. } => {
                self.value(e)?;
            }
            ExprKind::Output(list) => list.iter().try_for_each(|e| self.evaluate(e))?,
            ExprKind::Assume(condition) => {
                let condition = self.value(condition)?;
                self.out.push(effect(call("__VERIFIER_assume", vec![condition], span)));
            }
            ExprKind::Exit(status) => {
                self.evaluate(status)?;
                let no = super::build::truth(false, span);
                self.out.push(effect(call("__VERIFIER_assume", vec![no], span)));
            }
            _ => self.evaluate(e)?,
        }
        Ok(())
    }
}

/// Can its evaluation be left out?
pub(super) fn is_leaf(e: &Shared) -> bool {
    match &e.kind {
        SharedKind::Number(..)
        | SharedKind::Exactly(..)
        | SharedKind::Truth(_)
        | SharedKind::Choice
        | SharedKind::Name(_) => true,
        SharedKind::Unary(_, e) | SharedKind::Cast(_, e) => is_leaf(e),
        _ => false,
    }
}
