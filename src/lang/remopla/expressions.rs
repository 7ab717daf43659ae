//! Expressions and places.

use super::entity::{Declared, Entity};
use super::lowering::Lowering;
use super::syntax::*;
use super::value::{Target, Value};
use crate::lang::lowering::expressions::{and, balanced, below, binary, cast, or, size};
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::message::{at_line, is};
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Scalar, Span, Subject, UnaryOperator, VariableId,
};
use crate::util::order::sort_by_key;
use rustc_hash::FxHashMap;

impl<'a> Lowering<'a> {
    /// Takes room for one more node; false (reported once) if there is none left.
    pub(super) fn spend(&mut self, span: Span) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        if self.budget == 0 {
            let message =
                at_line("the ranges, quantifiers and checks of this program are too large");
            self.builder.diagnostics.error(
                span,
                message,
                "make bounds smaller, or split long expressions",
            );
        }
        self.budget > 0
    }

    /// Bounds of a range, which are constants.
    pub(super) fn bounds_of(&mut self, range: &'a Range) -> Option<(i128, i128)> {
        let low = self.constant(&range.low, "a bound")?;
        let high = self.constant(&range.high, "a bound")?;
        Some((low, high))
    }

    pub(super) fn expression(&mut self, e: &'a Expr) -> Value {
        if !self.ranges.is_empty() && !self.spend(e.span) {
            return Value::Poisoned;
        }
        match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*op, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                let left_value = self.operand(left);
                let right_value = self.operand(right);
                self.combine(*op, left_value, right_value, e.span)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.operand(inner);
                self.unary(*op, value, e.span)
            }
            ExprKind::Quantified { all, range, body } => self.quantified(*all, range, body),
            _ => self.leaf(e),
        }
    }

    /// `undef` has no type inside an operator.
    fn operand(&mut self, e: &'a Expr) -> Value {
        match self.expression(e) {
            Value::Undef => {
                self.builder.diagnostics.error(
                    e.span,
                    "`undef` inside an operator",
                    "store it first: `x = undef;`",
                );
                Value::Poisoned
            }
            value => value,
        }
    }

    /// The right side is evaluated only where the left one does not decide.
    #[inline(never)]
    fn logical(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Value {
        let value = self.operand(left);
        let left_truth = self.truth(value, left.span);
        self.guards.push(if op == BinaryOp::And {
            left_truth.clone()
        } else {
            left_truth.clone().negated()
        });
        let value = self.operand(right);
        let right_truth = self.truth(value, right.span);
        self.guards.pop();
        Value::Typed(if op == BinaryOp::And {
            and(left_truth, right_truth)
        } else {
            or(left_truth, right_truth)
        })
    }

    #[inline(never)]
    fn quantified(&mut self, all: bool, range: &'a Range, body: &'a Expr) -> Value {
        let Some((low, high)) = self.bounds_of(range) else { return Value::Poisoned };
        let mut parts = Vec::new();
        for k in low..=high {
            if !self.spend(range.name.span) {
                return Value::Poisoned;
            }
            self.ranges.push((&range.name.text, k));
            let value = self.operand(body);
            parts.push(self.truth(value, body.span));
            self.ranges.pop();
        }
        Value::Typed(match all {
            true => balanced(parts, and).unwrap_or_else(Expression::truth),
            false => balanced(parts, or).unwrap_or_else(Expression::falsity),
        })
    }

    #[inline(never)]
    fn leaf(&mut self, e: &'a Expr) -> Value {
        match &e.kind {
            ExprKind::Number(n) => Value::Number(i128::from(*n)),
            ExprKind::Truth(truth) => {
                Value::Typed(if *truth { Expression::truth() } else { Expression::falsity() })
            }
            ExprKind::Undef => Value::Undef,
            ExprKind::Ticked(inner) => {
                if self.relation.is_none() {
                    let hint =
                        "it can be written in `skip (…)`, in a rule, and to the right of `=`";
                    self.builder.diagnostics.error(
                        e.span,
                        "a value afterwards (`x'`) has no meaning here",
                        hint,
                    );
                }
                match self.scalar_variable(inner) {
                    Some(declared) => {
                        Value::Typed(Expression::Variable(declared.id, declared.scalar))
                    }
                    None => Value::Poisoned,
                }
            }
            ExprKind::Name(name) => {
                if let Some((_, k)) = self.ranges.iter().rev().find(|(own, _)| own == name) {
                    return Value::Number(*k);
                }
                match self.find(name) {
                    Some(Entity::Constant(n)) => Value::Number(n),
                    _ => self.read(e),
                }
            }
            _ => self.read(e),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Entity<'a>> {
        self.locals.get(name).or_else(|| self.globals.get(name)).cloned()
    }

    /// The value at a place; any value where an unchecked index is outside.
    fn read(&mut self, e: &'a Expr) -> Value {
        let Some(Target { id, scalar, index, inside, .. }) = self.target(e) else {
            return Value::Poisoned;
        };
        let Some(index) = index else {
            let saved = self.relation.as_ref().and_then(|saved| saved.get(&id));
            return Value::Typed(saved.cloned().unwrap_or(Expression::Variable(id, scalar)));
        };
        let element = Expression::Element(id, Box::new(index), scalar);
        Value::Typed(match inside {
            None => element,
            Some(inside) => {
                let any = self.builder.choice(scalar);
                Expression::Conditional(Box::new(inside), Box::new(element), Box::new(any))
            }
        })
    }

    /// Evaluates the indices of a place; `None` if something was reported.
    pub(super) fn target(&mut self, e: &'a Expr) -> Option<Target> {
        let (declared, indices) = self.variable_of(e)?;
        let [first, rest @ ..] = &indices[..] else {
            let Declared { id, scalar, members, .. } = declared;
            return Some(Target { id, scalar, index: None, inside: None, past: 0, members });
        };
        let total: u32 = declared.dimensions.iter().map(|d| d.1).product();
        let mut inside = None;
        let mut flat = self.position(first, declared.dimensions[0], &mut inside)?;
        for (index, dimension) in rest.iter().zip(&declared.dimensions[1..]) {
            let wide = Scalar::int((32 - total.leading_zeros()) as u8, false);
            let column = self.position(index, *dimension, &mut inside)?;
            let size = Expression::Constant(u64::from(dimension.1), wide);
            flat = match (cast(flat, wide), cast(column, wide)) {
                (Expression::Constant(row, _), Expression::Constant(column, _)) => {
                    Expression::Constant(
                        wide.wrap(i128::from(row) * i128::from(dimension.1) + i128::from(column)),
                        wide,
                    )
                }
                (row, column) => {
                    binary(BinaryOperator::Add, binary(BinaryOperator::Multiply, row, size), column)
                }
            };
        }
        if let Some(condition) = inside.take() {
            if self.options.checks.bounds {
                let name = self.builder.program.variable(declared.id).name.clone();
                let message = format!("index of {name}");
                self.require(ErrorKind::Bounds, condition, Subject::Condition, message, e.span);
            } else {
                inside = Some(condition);
            }
        }
        // An index that is not checked may be outside.
        if inside.is_some() && !flat.scalar().holds(i128::from(total)) {
            flat = cast(flat, Scalar::int((32 - total.leading_zeros()) as u8, false));
        }
        let Declared { id, scalar, members, .. } = declared;
        Some(Target { id, scalar, index: Some(flat), inside, past: total, members })
    }

    /// The position of an index, counted from the first element. Adds to `inside` the condition
    /// that it is inside.
    fn position(
        &mut self,
        e: &'a Expr,
        (low, size): (i128, u32),
        inside: &mut Option<Expression>,
    ) -> Option<Expression> {
        let position = match self.operand(e) {
            Value::Number(n) => {
                let n = n - low;
                if !(0..i128::from(size)).contains(&n) {
                    *inside = Some(Expression::falsity());
                    return Some(Expression::Constant(0, Scalar::int(13, false)));
                }
                Expression::Constant(n as u64, Scalar::int(13, false))
            }
            Value::Typed(index) if index.scalar().boolean => {
                self.builder.diagnostics.error(
                    e.span,
                    "this index is a truth value",
                    "use an integer",
                );
                return None;
            }
            Value::Typed(index) if low == 0 => index,
            Value::Typed(index) => {
                let bits = 128 - low.unsigned_abs().leading_zeros();
                let wide = Scalar::int(
                    (u32::from(index.scalar().width).max(bits) + 2).min(64) as u8,
                    true,
                );
                binary(
                    BinaryOperator::Subtract,
                    cast(index, wide),
                    Expression::Constant(wide.wrap(low), wide),
                )
            }
            Value::Undef | Value::Poisoned => return None,
        };
        if let Some(condition) = below(&position, i128::from(size)) {
            *inside = Some(match inside.take() {
                Some(before) => and(before, condition),
                None => condition,
            });
        }
        Some(position)
    }

    /// The variable that a place names, and its indices.
    fn variable_of(&mut self, e: &'a Expr) -> Option<(Declared, Vec<&'a Expr>)> {
        let mut indices = Vec::new();
        let mut steps: Vec<Option<&'a str>> = Vec::new();
        let mut node = e;
        let name = loop {
            match &node.kind {
                ExprKind::Index(base, index) => {
                    indices.push(&**index);
                    steps.push(None);
                    node = base;
                }
                ExprKind::Field(base, field) => {
                    steps.push(Some(&field.text));
                    node = base;
                }
                ExprKind::Name(name) => break name,
                _ => {
                    self.builder.diagnostics.error(
                        node.span,
                        "this is not a variable",
                        "name a variable, an element or a field",
                    );
                    return None;
                }
            }
        };
        indices.reverse();
        let (mut path, mut shape) = (name.clone(), name.clone());
        for step in steps.iter().rev() {
            match step {
                None => shape += "[]",
                Some(field) => {
                    path = format!("{path}.{field}");
                    shape = format!("{shape}.{field}");
                }
            }
        }
        match self.find(&path) {
            Some(Entity::Variable(declared)) if declared.shape == shape => {
                Some((declared, indices))
            }
            Some(Entity::Variable(declared)) if declared.dimensions.is_empty() => {
                self.builder.diagnostics.error(
                    e.span,
                    format!("`{path}` is not an array"),
                    "leave the index out",
                );
                None
            }
            Some(Entity::Variable(declared)) => {
                let hint = format!("write it as `{}`", declared.shape.replace("[]", "[i]"));
                self.builder.diagnostics.error(
                    e.span,
                    format!("`{path}` is an array, and this is no element"),
                    hint,
                );
                None
            }
            Some(Entity::Constant(_)) => {
                self.builder.diagnostics.error(
                    e.span,
                    format!("`{path}` is a constant"),
                    "use a variable",
                );
                None
            }
            Some(Entity::Struct(structure)) => {
                let field =
                    structure.fields.first().map_or("f", |f| f.declarators[0].name.text.as_str());
                let hint = format!("name a field: `{path}.{field}`");
                self.builder.diagnostics.error(e.span, format!("`{path}` is a struct"), hint);
                None
            }
            Some(Entity::Poisoned) => None,
            None => {
                self.unknown_name(&path, name, e.span);
                None
            }
        }
    }

    fn unknown_name(&mut self, path: &str, name: &str, span: Span) {
        if self.builder.diagnostics.full() {
            self.builder.diagnostics.error(span, "unknown name", "");
            return;
        }
        if self.ranges.iter().any(|(own, _)| *own == name) {
            self.builder.diagnostics.error(
                span,
                format!("`{name}` is a range's variable"),
                "it stands for a number",
            );
            return;
        }
        let known = self
            .locals
            .keys()
            .chain(self.globals.keys())
            .map(String::as_str)
            .chain(self.ranges.iter().map(|r| r.0));
        let hint = suggestion(path, known).unwrap_or_else(|| "declare it".to_string());
        self.builder.diagnostics.error(span, format!("unknown name `{path}`"), hint);
    }

    /// The scalar variable that an expression names. `None` if it names none, which is reported.
    pub(super) fn scalar_variable(&mut self, e: &'a Expr) -> Option<Declared> {
        let (declared, indices) = self.variable_of(e)?;
        if !indices.is_empty() {
            let message = is("a value afterwards (`x'`) of an array's element");
            self.builder.diagnostics.error(e.span, message, "copy the element to a variable first");
            return None;
        }
        Some(declared)
    }

    /// The variables whose values afterwards (`x'`) an expression mentions, each once.
    pub(super) fn ticked(&mut self, e: &'a Expr) -> Vec<Declared> {
        let mut found: Vec<Declared> = Vec::new();
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if let ExprKind::Ticked(inner) = &e.kind {
                if let Some(declared) = self.scalar_variable(inner)
                    && found.iter().all(|other| other.id != declared.id)
                {
                    found.push(declared);
                }
                continue;
            }
            e.children(&mut stack);
        }
        sort_by_key(&mut found, |declared| declared.id);
        found
    }

    /// Stores the old values of those written variables whose old values the relations read.
    pub(super) fn save(
        &mut self,
        written: &[Declared],
        relations: &[&'a Expr],
        span: Span,
    ) -> FxHashMap<VariableId, Expression> {
        let mut read: Vec<&Declared> = Vec::new();
        let mut stack: Vec<&Expr> = relations.to_vec();
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Ticked(_) => continue,
                ExprKind::Name(_) | ExprKind::Field(..) => {
                    let found = written
                        .iter()
                        .find(|d| self.builder.program.variable(d.id).name == path_of(e));
                    if let Some(declared) =
                        found.filter(|d| read.iter().all(|other| other.id != d.id))
                    {
                        read.push(declared);
                    }
                }
                _ => {}
            }
            e.children(&mut stack);
        }
        if read.is_empty() {
            return FxHashMap::default();
        }
        let values = read.iter().map(|d| Expression::Variable(d.id, d.scalar)).collect();
        let ids: Vec<VariableId> = read.iter().map(|d| d.id).collect();
        let kept = self.builder.store(values, span);
        ids.into_iter().zip(kept).collect()
    }

    /// Stores the index, so that effects before the write of the place cannot change it.
    pub(super) fn keep_index(&mut self, target: Target, span: Span) -> Target {
        let fixed = |e: &Option<Expression>| matches!(e, None | Some(Expression::Constant(..)));
        if fixed(&target.index) && fixed(&target.inside) {
            return target;
        }
        let values = target.index.iter().chain(&target.inside).cloned().collect();
        let mut kept = self.builder.store(values, span).into_iter();
        let index = target.index.as_ref().and_then(|_| kept.next());
        Target { index, inside: kept.next(), ..target }
    }

    /// The next edge fails unless this condition holds. A condition on an operand that is not
    /// evaluated does not count.
    pub(super) fn require(
        &mut self,
        kind: ErrorKind,
        condition: Expression,
        subject: Subject,
        message: String,
        span: Span,
    ) {
        let mut condition = condition;
        for guard in self.guards.clone().into_iter().rev() {
            if self.budget == 0 {
                return;
            }
            self.budget = self.budget.saturating_sub(size(&guard, self.budget)).max(1);
            if !self.spend(span) {
                return;
            }
            condition = or(guard.negated(), condition);
        }
        self.builder.require(kind, condition, subject, message, span);
    }

    pub(super) fn negation(e: Expression) -> Expression {
        Expression::Unary(UnaryOperator::Negate, Box::new(e))
    }
}

/// `p.x`, without indices.
fn path_of(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Field(base, field) => format!("{}.{}", path_of(base), field.text),
        _ => String::new(),
    }
}
