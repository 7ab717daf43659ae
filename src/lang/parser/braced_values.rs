//! Values in braces (C's compound literals): each becomes a variable without a name of the
//! program's, declared before the statement in which it stands.

use super::expressions::leaf;
use super::{Parsed, Parser};
use crate::lang::message::is;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Declaration, Declarator, Expr, ExprKind, Initializer, Item, Name, Statement,
    StatementKind, TypeName, join,
};

impl Parser<'_> {
    /// After `(T)`: the value in braces. The expression is the name of its variable.
    #[inline(never)]
    pub(super) fn braced_value(
        &mut self,
        start: Span,
        type_name: TypeName,
        pointers: u32,
        dimensions: Vec<Option<Expr>>,
    ) -> Parsed<Expr> {
        let procedure_type = self.procedure_type;
        let initializer = self.nested(Self::initializer)?;
        let span = join(start, self.previous_span());
        if procedure_type || has_effects(&initializer) {
            self.refuse_braced(start);
            return Ok(leaf(ExprKind::Poisoned, start));
        }
        self.literal_count += 1;
        let text = format!("value {}", self.literal_count);
        self.braced_values.insert(text.clone());
        let name = Name { text: text.clone(), span };
        let initializer = Some(initializer);
        let declarator = Declarator { name, pointers, dimensions, initializer, span };
        let declaration = Declaration::plain(type_name, vec![declarator]);
        self.literals.push(Statement { kind: StatementKind::Declaration(declaration), span });
        Ok(leaf(ExprKind::Name(text), span))
    }

    fn refuse_braced(&mut self, at: Span) {
        self.refuse(is("a value in braces"), at, "declare a variable with this value");
    }

    /// The values in braces of a statement are evaluated before it, which is right only if the
    /// statement evaluates them once, whatever happens in it.
    #[inline(never)]
    pub(super) fn check_literals(&mut self, statement: &Statement) {
        let right = match &statement.kind {
            StatementKind::Expression(e) | StatementKind::Return(Some(e)) => !has_order(e),
            StatementKind::Declaration(declaration) => match &declaration.declarators[..] {
                [only] => !only.initializer.as_ref().is_some_and(|i| any(i, &mut has_order)),
                _ => false,
            },
            _ => false,
        };
        if !right {
            let span = self.literals[0].span;
            self.literals.clear();
            self.refuse_braced(span);
        }
    }

    /// The values in braces of a declaration outside of procedures come before it.
    #[inline(never)]
    pub(super) fn literals_before(&mut self, items: &mut Vec<Item>) {
        let last = items.len().saturating_sub(1);
        for statement in std::mem::take(&mut self.literals) {
            if let StatementKind::Declaration(mut declaration) = statement.kind {
                declaration.is_static = true;
                items.insert(last, Item::Declaration(declaration));
            }
        }
    }

    /// A statement that stands alone, with the values in braces before it.
    #[inline(never)]
    pub(super) fn with_literals(&mut self, statement: Statement) -> Statement {
        if self.literals.is_empty() {
            return statement;
        }
        let span = statement.span;
        let mut statements = std::mem::take(&mut self.literals);
        statements.push(statement);
        Statement { kind: StatementKind::Block(Block { statements, end: span }), span }
    }
}

/// Does the expression say what is evaluated first, or whether it is?
fn has_order(e: &Expr) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e.kind {
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..)
            | ExprKind::Comma(_)
            | ExprKind::Conditional(_)
            | ExprKind::Otherwise(_)
            | ExprKind::Statements(_) => return true,
            _ => e.children(&mut stack),
        }
    }
    false
}

fn has_effects(initializer: &Initializer) -> bool {
    let mut effect = |e: &Expr| {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match e.kind {
                ExprKind::Call(..)
                | ExprKind::Through(..)
                | ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::Statements(_) => return true,
                _ => e.children(&mut stack),
            }
        }
        false
    };
    any(initializer, &mut effect)
}

/// Does this hold for an expression of an initial value?
fn any(initializer: &Initializer, holds: &mut impl FnMut(&Expr) -> bool) -> bool {
    match initializer {
        Initializer::Value(e) => holds(e),
        Initializer::List(list, _) => list.iter().any(|i| any(i, holds)),
        Initializer::Member(_, inner) => any(inner, holds),
        Initializer::At(at, inner) => holds(at) || any(inner, holds),
    }
}
