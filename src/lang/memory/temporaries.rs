//! Temporaries for addresses. Tools that simplify C (CIL) split `p->next` into
//!
//! ```text
//! __tmp1 = (unsigned int )p;
//! __tmp2 = __tmp1 + 4;
//! q = *((struct node **)__tmp2);
//! ```
//!
//! Here such temporaries are replaced by what they stand for, so that [`super::members`] sees the
//! whole address. A temporary has a name that C reserves, is assigned once, by a statement of its
//! own, and each of its uses comes behind that, where its operands have the same values.

use super::build::expr;
use super::surface::{self, Shape};
use crate::lang::syntax::{
    BinaryOp, Block, Declaration, Expr, ExprKind, Initializer, PointedType, Statement,
    StatementKind, TypeName,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rounds in which temporaries turn out to be used elsewhere.
const MOST_ROUNDS: u32 = 8;

/// Most operators in what a temporary stands for.
const MOST_DEPTH: u16 = 16;

/// Replaces the temporaries of a procedure's body. `shapes`: the types of the names in it.
pub(super) fn replace(body: &mut Block, shapes: &FxHashMap<String, Shape>, own: &[String]) {
    let Some(mut candidates) = candidates(body, shapes, own) else { return };
    let addressed = addressed(body);
    let mut targets = FxHashSet::default();
    body.statements.iter().for_each(|s| jumps(s, &mut targets));
    for _ in 0..MOST_ROUNDS {
        if candidates.is_empty() {
            return;
        }
        let mut copy = body.clone();
        let mut pass = Pass {
            candidates: &candidates,
            shapes,
            addressed: &addressed,
            own,
            targets: &targets,
            replaced: FxHashMap::default(),
            removed: FxHashSet::default(),
        };
        pass.list(&mut copy.statements, &mut FxHashMap::default());
        let (replaced, removed) = (pass.replaced, pass.removed);
        let is_done = |name: &String, uses: &usize| {
            removed.contains(name) && replaced.get(name).copied().unwrap_or(0) == *uses
        };
        let before = candidates.len();
        candidates.retain(|name, uses| is_done(name, uses));
        if candidates.len() == before {
            undeclare(&mut copy.statements, &candidates);
            *body = copy;
            return;
        }
    }
}

/// The names that may be temporaries, with the number of their uses. `None` if a statement stands
/// inside an expression.
fn candidates(
    body: &Block,
    shapes: &FxHashMap<String, Shape>,
    own: &[String],
) -> Option<FxHashMap<String, usize>> {
    let is_number = |name| matches!(name, TypeName::Integer { .. } | TypeName::Exact { .. });
    let may_be = |name: &&String| {
        let shape = shapes.get(*name);
        name.starts_with("__")
            && shape.is_some_and(|s| s.extents.is_empty() && (s.stars > 0 || is_number(s.name)))
    };
    let mut found: FxHashMap<String, usize> =
        own.iter().filter(may_be).map(|name| (name.clone(), 0)).collect();
    let mut sets: FxHashMap<String, usize> = FxHashMap::default();
    let mut refused: FxHashSet<String> = FxHashSet::default();
    let mut is_plain = true;
    for statement in &body.statements {
        surface::each_statement(statement, &mut |s| {
            if let StatementKind::Expression(e) = &s.kind
                && let ExprKind::Assign(None, place, _) = &e.kind
                && let ExprKind::Name(name) = &place.kind
            {
                *sets.entry(name.clone()).or_default() += 1;
            }
            if let StatementKind::Declaration(declaration) = &s.kind {
                let keeps = declaration.is_static || declaration.is_extern || declaration.atomic;
                let kept = declaration.declarators.iter();
                let kept = kept.filter(|d| keeps || d.initializer.is_some());
                refused.extend(kept.map(|d| d.name.text.clone()));
            }
        });
        surface::each_expression(statement, &mut |e| {
            let mut stack = vec![e];
            while let Some(e) = stack.pop() {
                match &e.kind {
                    ExprKind::Name(name) => {
                        if let Some(uses) = found.get_mut(name) {
                            *uses += 1;
                        }
                    }
                    ExprKind::Address(place) | ExprKind::Step { place, .. } => {
                        refused.extend(root(place).map(str::to_string));
                    }
                    ExprKind::SizeOf(operand) => surface::names(operand, &mut refused),
                    ExprKind::Statements(_) => is_plain = false,
                    _ => {}
                }
                e.children(&mut stack);
            }
        });
    }
    found.retain(|name, uses| {
        // One of the occurrences is the assignment's.
        *uses = uses.saturating_sub(1);
        sets.get(name) == Some(&1) && !refused.contains(name)
    });
    is_plain.then_some(found)
}

/// The variables whose address is taken.
fn addressed(body: &Block) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for statement in &body.statements {
        surface::each_expression(statement, &mut |e| {
            let mut stack = vec![e];
            while let Some(e) = stack.pop() {
                if let ExprKind::Address(place) = &e.kind {
                    found.extend(root(place).map(str::to_string));
                }
                e.children(&mut stack);
            }
        });
    }
    found
}

/// The labels to which jumps lead.
fn jumps(statement: &Statement, into: &mut FxHashSet<String>) {
    surface::each_statement(statement, &mut |s| {
        if let StatementKind::Goto(name) = &s.kind {
            into.insert(name.text.clone());
        }
    });
}

/// Removes the declarations of temporaries that are gone.
fn undeclare(list: &mut [Statement], gone: &FxHashMap<String, usize>) {
    for statement in list {
        surface::each_statement_mut(statement, &mut |s| {
            let StatementKind::Declaration(declaration) = &mut s.kind else { return };
            if declaration.declarators.is_empty() || !declaration.enumerations.is_empty() {
                return;
            }
            declaration.declarators.retain(|d| !gone.contains_key(&d.name.text));
            if declaration.declarators.is_empty() {
                s.kind = StatementKind::Block(Block { statements: Vec::new(), end: s.span });
            }
        });
    }
}

/// The variable of which a place is a part, if no pointer leads there.
fn root(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(base, _) | ExprKind::Index(base, _) => root(base),
        _ => None,
    }
}

/// What a statement or an expression changes.
#[derive(Default)]
struct Effects {
    names: FxHashSet<String>,
    /// Does it write through a pointer, or call something?
    anything: bool,
}

impl Effects {
    fn expression(&mut self, e: &Expr) {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Assign(_, place, _) | ExprKind::Step { place, .. } => match root(place) {
                    Some(name) => {
                        self.names.insert(name.to_string());
                    }
                    None => self.anything = true,
                },
                ExprKind::Call(..) | ExprKind::Through(..) => self.anything = true,
                _ => {}
            }
            e.children(&mut stack);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        surface::each_expression(statement, &mut |e| self.expression(e));
    }
}

/// By temporary: what it stands for here.
type Known = FxHashMap<String, Expr>;

/// One walk over a body.
struct Pass<'b> {
    candidates: &'b FxHashMap<String, usize>,
    shapes: &'b FxHashMap<String, Shape>,
    addressed: &'b FxHashSet<String>,
    /// The names that the procedure declares.
    own: &'b [String],
    targets: &'b FxHashSet<String>,
    replaced: FxHashMap<String, usize>,
    /// The temporaries whose assignment is gone.
    removed: FxHashSet<String>,
}

impl Pass<'_> {
    fn list(&mut self, list: &mut [Statement], known: &mut Known) {
        for statement in list {
            self.statement(statement, known);
            let is_case = matches!(statement.kind, StatementKind::Case(_) | StatementKind::Default);
            if is_case || self.leads_in(statement) {
                known.clear();
            }
        }
    }

    /// Does a jump lead into the statement?
    fn leads_in(&self, statement: &Statement) -> bool {
        let mut found = false;
        surface::each_statement(statement, &mut |s| {
            let StatementKind::Label(label) = &s.kind else { return };
            found |= self.targets.contains(&label.text);
        });
        found
    }

    fn statement(&mut self, statement: &mut Statement, known: &mut Known) {
        let mut effects = Effects::default();
        effects.statement(statement);
        let leads_in = self.leads_in(statement);
        match &mut statement.kind {
            StatementKind::Expression(e) => {
                self.whole(e, known);
                if let Some((name, value)) = self.temporary(e) {
                    self.removed.insert(name.clone());
                    known.insert(name, value);
                    statement.kind = StatementKind::Empty;
                    return;
                }
            }
            StatementKind::Return(Some(e)) => self.whole(e, known),
            StatementKind::Declaration(Declaration { declarators, .. }) => {
                let mut stable = known.clone();
                self.forget(&mut stable, &effects);
                for declarator in declarators {
                    if let Some(initializer) = &mut declarator.initializer {
                        self.initial(initializer, &stable);
                    }
                    effects.names.insert(declarator.name.text.clone());
                }
            }
            StatementKind::If { branches, otherwise } => {
                let mut inner = known.clone();
                for branch in branches {
                    let mut own = Effects::default();
                    own.expression(&branch.condition);
                    self.forget(&mut inner, &own);
                    self.replace(&mut branch.condition, &inner);
                    self.statement(&mut branch.then, &mut inner.clone());
                }
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, &mut inner);
                }
            }
            StatementKind::Block(block) => return self.list(&mut block.statements, known),
            StatementKind::While { condition: e, body }
            | StatementKind::DoWhile { condition: e, body, .. }
            | StatementKind::Switch { scrutinee: e, body } => {
                self.forget(known, &effects);
                if leads_in {
                    known.clear();
                }
                self.replace(e, known);
                self.statement(body, &mut known.clone());
                return;
            }
            StatementKind::For { initial, condition, step, body } => {
                self.forget(known, &effects);
                if leads_in {
                    known.clear();
                }
                if let Some(initial) = initial {
                    self.statement(initial, &mut known.clone());
                }
                for e in condition.iter_mut().chain(step) {
                    self.replace(e, known);
                }
                self.statement(body, &mut known.clone());
                return;
            }
            _ => {}
        }
        self.forget(known, &effects);
    }

    fn initial(&mut self, initializer: &mut Initializer, known: &Known) {
        match initializer {
            Initializer::Value(e) => self.replace(e, known),
            Initializer::List(list, _) => list.iter_mut().for_each(|i| self.initial(i, known)),
            Initializer::Member(_, inner) | Initializer::At(_, inner) => {
                self.initial(inner, known);
            }
        }
    }

    /// A whole expression: what it assigns, and the call whose value it takes, come last.
    fn whole(&mut self, e: &mut Expr, known: &Known) {
        let mut inner = Effects::default();
        let mut parts: Vec<&Expr> = vec![e];
        if let ExprKind::Assign(_, place, value) = &e.kind {
            parts = vec![place, value];
        }
        let mut calls = false;
        for part in parts {
            let mut part = part;
            while let ExprKind::Cast(_, under) | ExprKind::PointerCast(_, under) = &part.kind {
                part = under;
            }
            if let ExprKind::Call(_, arguments) = &part.kind {
                calls = true;
                arguments.iter().for_each(|argument| inner.expression(argument));
            } else {
                inner.expression(part);
            }
        }
        let mut stable = known.clone();
        self.forget(&mut stable, &inner);
        match &mut e.kind {
            ExprKind::Assign(_, place, value) if calls => {
                self.replace(value, &stable);
                self.forget(&mut stable, &Effects { anything: true, ..Effects::default() });
                if !matches!(&place.kind, ExprKind::Name(_)) {
                    self.replace(place, &stable);
                }
            }
            ExprKind::Assign(None, place, value) if matches!(place.kind, ExprKind::Name(_)) => {
                self.replace(value, &stable);
            }
            _ => self.replace(e, &stable),
        }
    }

    /// Replaces temporaries in an expression.
    fn replace(&mut self, e: &mut Expr, known: &Known) {
        if let ExprKind::Name(name) = &e.kind
            && let Some(value) = known.get(name)
        {
            *self.replaced.entry(name.clone()).or_default() += 1;
            *e = value.clone();
            return;
        }
        let mut children = Vec::new();
        e.children_mut(&mut children);
        children.into_iter().for_each(|child| self.replace(child, known));
        let span = e.span;
        *e = Expr { span, ..expr(std::mem::replace(&mut e.kind, ExprKind::Choice), span) };
    }

    /// Is it an assignment of an address to a temporary? Gives what that stands for.
    fn temporary(&self, e: &Expr) -> Option<(String, Expr)> {
        let ExprKind::Assign(None, place, value) = &e.kind else { return None };
        let ExprKind::Name(name) = &place.kind else { return None };
        let shape = self.shapes.get(name).filter(|_| self.candidates.contains_key(name))?;
        if value.depth > MOST_DEPTH || !(self.is_address(value) || is_constant(value)) {
            return None;
        }
        let kind = match shape.stars {
            0 => ExprKind::Cast(shape.name, value.clone()),
            pointers => {
                let to = PointedType { type_name: shape.name, pointers, other: false };
                ExprKind::PointerCast(to, value.clone())
            }
        };
        Some((name.clone(), expr(kind, value.span)))
    }

    /// Is it made of variables that point somewhere, and of constants?
    fn is_address(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(_, inner) | ExprKind::PointerCast(_, inner) => {
                self.is_pointer(inner) || is_zero(inner) || self.is_address(inner)
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
                self.is_address(left) && matches!(right.kind, ExprKind::Number(..))
            }
            ExprKind::Address(place) => self.is_place(place),
            _ => false,
        }
    }

    fn is_pointer(&self, e: &Expr) -> bool {
        let ExprKind::Name(name) = &e.kind else { return false };
        self.shapes.get(name).is_some_and(|s| s.stars > 0 || !s.extents.is_empty())
    }

    fn is_place(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Name(name) => self.shapes.contains_key(name),
            ExprKind::Member(base, _) => self.is_place(base),
            ExprKind::Index(base, at) => {
                matches!(at.kind, ExprKind::Number(..)) && self.is_place(base)
            }
            ExprKind::Indirect(inner) => self.is_pointer(inner) || self.is_address(inner),
            _ => false,
        }
    }

    /// What these effects change is not known any more.
    fn forget(&self, known: &mut Known, effects: &Effects) {
        if effects.names.is_empty() && !effects.anything {
            return;
        }
        known.retain(|_, value| {
            let mut used = FxHashSet::default();
            surface::names(value, &mut used);
            let is_shared =
                |name: &String| self.addressed.contains(name) || !self.own.contains(name);
            !used
                .iter()
                .any(|name| effects.names.contains(name) || (effects.anything && is_shared(name)))
        });
    }
}

/// Is it a number that does not depend on the run?
fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Number(..)
        | ExprKind::Exactly(..)
        | ExprKind::SizeOfType(..)
        | ExprKind::SizeOfPointer => true,
        ExprKind::Cast(_, inner) => is_constant(inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, a, b) => {
            is_constant(a) && is_constant(b)
        }
        _ => false,
    }
}

fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Number(0, _) => true,
        ExprKind::PointerCast(_, inner) => is_zero(inner),
        _ => false,
    }
}
