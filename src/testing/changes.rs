//! Changes that people make when they mend a program: one place of the text each.

mod output;

use faultline_c::span::Span;
use faultline_c::tree::{
    Binary, Expr, ExprKind, PointId, Pointed, ProcedureId, Statement, StatementKind, Tree,
    VariableId,
};
use faultline_c::types::{Integer, Type};
use output::escaped;
use std::collections::BTreeSet;

/// What kind of mistake a change mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The text or the format of an output.
    Output,
    /// A comparison.
    Comparison,
    /// A number.
    Constant,
    /// A variable has no initial value, or a wrong one.
    InitialValue,
    /// An operator.
    Operator,
    /// A condition.
    Condition,
    /// One variable stands for another.
    Variable,
    /// One more or one less.
    OffByOne,
    /// The type of a variable, or a division of integers.
    Type,
    /// A statement too many.
    Statement,
}

impl ChangeKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Output => "output",
            ChangeKind::Comparison => "comparison",
            ChangeKind::Constant => "constant",
            ChangeKind::InitialValue => "initial-value",
            ChangeKind::Operator => "operator",
            ChangeKind::Condition => "condition",
            ChangeKind::Variable => "variable",
            ChangeKind::OffByOne => "off-by-one",
            ChangeKind::Type => "type",
            ChangeKind::Statement => "statement",
        }
    }
}

/// A change of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub new: String,
    /// What kind of mistake it mends.
    pub kind: ChangeKind,
    /// The point that it belongs to.
    pub point: Option<PointId>,
}

impl Change {
    /// The text with the change made.
    pub fn applied(&self, text: &str) -> Option<String> {
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let (before, after) = (text.get(..start)?, text.get(end..)?);
        Some(format!("{before}{}{after}", self.new))
    }
}

/// What the changes are made for: the lines that were expected where the first difference is.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Expected lines with a difference, and what was printed instead.
    pub lines: Vec<(String, String)>,
}

struct Finder<'t> {
    tree: &'t Tree,
    text: &'t str,
    wanted: &'t Wanted,
    list: Vec<Change>,
    point: Option<PointId>,
    procedure: ProcedureId,
    /// The program's own numbers.
    numbers: BTreeSet<i64>,
}

/// All changes of a program, in order of its text; those of points for which `wants` is false are
/// left out.
pub fn changes(
    tree: &Tree,
    text: &str,
    wanted: &Wanted,
    wants: &dyn Fn(PointId) -> bool,
) -> Vec<Change> {
    let mut finder = Finder {
        tree,
        text,
        wanted,
        list: Vec::new(),
        point: None,
        procedure: ProcedureId(0),
        numbers: BTreeSet::from([0, 1, 2]),
    };
    for k in tree.library..tree.procedures.len() as u32 {
        if let Some(body) = &tree.procedures[k as usize].body {
            finder.procedure = ProcedureId(k);
            finder.collect_numbers(body);
        }
    }
    for k in tree.library..tree.procedures.len() as u32 {
        if let Some(body) = &tree.procedures[k as usize].body {
            finder.procedure = ProcedureId(k);
            finder.statement(body);
        }
    }
    for (id, list) in &tree.globals {
        let span = tree.variables[id.index()].span;
        if !span.foreign {
            finder.point = None;
            list.iter().for_each(|initial| finder.expression(&initial.value));
        }
    }
    let mut seen = BTreeSet::new();
    finder.list.retain(|change| {
        let span = change.span;
        let same = text.get(span.start as usize..span.end as usize) == Some(&change.new);
        !span.foreign
            && !same
            && change.point.is_none_or(wants)
            && seen.insert((span.start, span.end, change.new.clone()))
    });
    finder.list
}

/// The conversions that one is exchanged for.
const CONVERSIONS: [&str; 13] =
    ["%d", "%ld", "%f", "%.1f", "%.2f", "%.3f", "%lf", "%g", "%02d", "%c", "%s", "%u", "%2d"];

impl Finder<'_> {
    fn source(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn add(&mut self, span: Span, new: impl Into<String>, kind: ChangeKind) {
        self.list.push(Change { span, new: new.into(), kind, point: self.point });
    }

    fn collect_numbers(&mut self, s: &Statement) {
        each_expression(s, &mut |e| {
            if let ExprKind::Integer(value) = e.kind
                && !e.span.foreign
            {
                self.numbers.insert(value as i64);
            }
        });
    }

    fn at(&mut self, pointed: &Pointed) {
        self.point = Some(pointed.point);
        self.expression(&pointed.value);
    }

    fn statement(&mut self, s: &Statement) {
        if s.point.is_some() {
            self.point = s.point;
        }
        match &s.kind {
            StatementKind::Expression(e) => {
                if !s.span.foreign {
                    self.add(s.span, "", ChangeKind::Statement);
                }
                self.expression(e);
            }
            StatementKind::Return(value) => {
                if !s.span.foreign {
                    self.before_the_end(s.span);
                }
                if let Some(e) = value {
                    self.expression(e);
                }
            }
            StatementKind::Declare(id, values) => self.declaration(*id, values.as_deref(), s),
            StatementKind::Block(list) => list.iter().for_each(|s| self.statement(s)),
            StatementKind::If(condition, then, otherwise) => {
                self.condition(condition);
                self.at(condition);
                self.stray_semicolon(then);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.without_else(otherwise);
                    self.statement(otherwise);
                }
            }
            StatementKind::While(condition, body) => {
                self.condition(condition);
                self.at(condition);
                self.stray_semicolon(body);
                self.statement(body);
            }
            StatementKind::DoWhile(body, condition) => {
                self.condition(condition);
                self.at(condition);
                self.statement(body);
            }
            StatementKind::For(condition, step, body) => {
                if let Some(condition) = condition {
                    self.condition(condition);
                    self.at(condition);
                }
                if let Some(step) = step {
                    self.at(step);
                }
                self.stray_semicolon(body);
                self.statement(body);
            }
            StatementKind::Switch(condition, body) => {
                self.at(condition);
                self.statement(body);
            }
            StatementKind::Case(_, _, inner)
            | StatementKind::Default(inner)
            | StatementKind::Label(_, inner) => self.statement(inner),
            _ => {}
        }
    }

    /// Something more is printed before a `return`: an end of line, or what was missing.
    fn before_the_end(&mut self, span: Span) {
        let start = Span { end: span.start, ..span };
        let mut texts = vec!["\\n".to_string()];
        for (expected, printed) in &self.wanted.lines {
            let missing = expected.strip_prefix(printed.as_str()).unwrap_or("");
            if !missing.is_empty() && missing.len() < 40 {
                texts.push(format!("{}\\n", escaped(missing)));
            }
        }
        for text in texts {
            self.add(start, format!("printf(\"{text}\"); "), ChangeKind::Output);
        }
    }

    /// `;` behind a head, where a block should be the body.
    fn stray_semicolon(&mut self, body: &Statement) {
        if matches!(body.kind, StatementKind::Empty) && self.source(body.span) == ";" {
            self.add(body.span, "", ChangeKind::Statement);
        }
    }

    /// `else if` for `if`, and the other way round.
    fn without_else(&mut self, otherwise: &Statement) {
        let start = otherwise.span.start as usize;
        let before = self.text.get(..start).unwrap_or("");
        if let Some(at) = before.rfind("else")
            && before[at + 4..].trim().is_empty()
            && matches!(otherwise.kind, StatementKind::If(..))
        {
            let span = Span { start: at as u32, end: at as u32 + 4, ..otherwise.span };
            self.add(span, "", ChangeKind::Condition);
        }
    }

    fn condition(&mut self, pointed: &Pointed) {
        self.point = Some(pointed.point);
        let e = &pointed.value;
        if e.span.foreign {
            return;
        }
        let source = self.source(e.span).to_string();
        self.add(e.span, format!("!({source})"), ChangeKind::Condition);
        if let ExprKind::Assign(place, value) = &e.kind {
            let new = format!("{} == {}", self.source(place.span), self.source(value.span));
            self.add(e.span, new, ChangeKind::Comparison);
        }
    }

    fn declaration(
        &mut self,
        id: VariableId,
        values: Option<&[faultline_c::tree::Initial]>,
        s: &Statement,
    ) {
        let variable = &self.tree.variables[id.index()];
        if variable.name.is_empty() || s.span.foreign {
            return;
        }
        if variable.ty.is_scalar() && values.is_none() {
            let end = Span { start: variable.span.end, ..variable.span };
            for value in ["0", "1"] {
                self.add(end, format!(" = {value}"), ChangeKind::InitialValue);
            }
        }
        // `int` at the beginning of the declaration: the type of all its variables.
        let source = self.source(s.span).to_string();
        for (old, new) in [
            ("int ", "float "),
            ("int ", "double "),
            ("int ", "long "),
            ("float ", "double "),
            ("float ", "int "),
        ] {
            if source.starts_with(old) {
                let end = s.span.start + old.len() as u32;
                self.add(Span { end, ..s.span }, new, ChangeKind::Type);
            }
        }
        for initial in values.unwrap_or(&[]).iter().take(20) {
            self.expression(&initial.value);
        }
    }

    fn expression(&mut self, e: &Expr) {
        if !e.span.foreign {
            self.here(e);
        }
        for child in e.children() {
            self.expression(child);
        }
        if let ExprKind::Statements(list, _) = &e.kind {
            list.iter().for_each(|s| self.statement(s));
        }
    }

    fn here(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Integer(value)
                if self.source(e.span).starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.number(e.span, *value as i64)
            }
            ExprKind::Integer(_) if self.source(e.span).starts_with('\'') => {}
            ExprKind::Text(id) => {
                let bytes = self.tree.texts[id.index()].clone();
                self.output(e.span, &bytes);
            }
            ExprKind::Binary(operator, l, r) => self.operator(*operator, l, r),
            ExprKind::And(l, r) => self.between(l, r, "&&", "||", ChangeKind::Operator),
            ExprKind::Or(l, r) => self.between(l, r, "||", "&&", ChangeKind::Operator),
            ExprKind::Step(up, before, place) => {
                let source = self.source(place.span).to_string();
                let new = if *up { "--" } else { "++" };
                let new = if *before { format!("{new}{source}") } else { format!("{source}{new}") };
                self.add(e.span, new, ChangeKind::Operator);
            }
            ExprKind::AssignWith(_, place, value, _) => {
                let (place, value) =
                    (self.source(place.span).to_string(), self.source(value.span).to_string());
                for new in ["=", "+=", "-=", "*=", "/="] {
                    self.add(e.span, format!("{place} {new} {value}"), ChangeKind::Operator);
                }
            }
            ExprKind::Assign(place, value) => {
                let (place, value) =
                    (self.source(place.span).to_string(), self.source(value.span).to_string());
                for new in ["+=", "-=", "*="] {
                    self.add(e.span, format!("{place} {new} {value}"), ChangeKind::Operator);
                }
            }
            ExprKind::Variable(id) => self.variable(*id, e),
            ExprKind::Call(callee, arguments) => self.addresses(callee, arguments),
            ExprKind::Indirect(pointer) => {
                // `a[i]`: one element before, one behind.
                if let ExprKind::PointerAdd(_, index) = &pointer.kind {
                    self.one_more(index);
                }
            }
            _ => {}
        }
    }

    /// The `&` that is missing where `scanf` is to write a number.
    fn addresses(&mut self, callee: &Expr, arguments: &[Expr]) {
        let ExprKind::Address(inner) = &callee.kind else { return };
        let ExprKind::Procedure(id) = inner.kind else { return };
        if self.tree.procedures[id.index()].name != "scanf" {
            return;
        }
        for argument in arguments.iter().skip(1) {
            if argument.ty.is_arithmetic() && !argument.span.foreign {
                let start = Span { end: argument.span.start, ..argument.span };
                self.add(start, "&", ChangeKind::Operator);
            }
        }
    }

    fn one_more(&mut self, e: &Expr) {
        let mut e = e;
        while let ExprKind::Convert(inner) = &e.kind {
            e = inner;
        }
        if e.span.foreign || matches!(e.kind, ExprKind::Integer(_)) {
            return;
        }
        let source = self.source(e.span).to_string();
        self.add(e.span, format!("{source} + 1"), ChangeKind::OffByOne);
        self.add(e.span, format!("{source} - 1"), ChangeKind::OffByOne);
    }

    fn number(&mut self, span: Span, value: i64) {
        let mut near: BTreeSet<i64> = self.numbers.clone();
        near.extend([
            value + 1,
            value - 1,
            value.saturating_mul(10),
            value / 10,
            value.saturating_mul(2),
        ]);
        for new in near {
            if new != value && new >= 0 {
                self.add(span, new.to_string(), ChangeKind::Constant);
            }
        }
    }

    fn operator(&mut self, operator: Binary, l: &Expr, r: &Expr) {
        let names: [(Binary, &str, u32); 12] = [
            (Binary::Less, "<", 0),
            (Binary::LessEqual, "<=", 0),
            (Binary::Greater, ">", 0),
            (Binary::GreaterEqual, ">=", 0),
            (Binary::Equal, "==", 0),
            (Binary::NotEqual, "!=", 0),
            (Binary::Add, "+", 1),
            (Binary::Subtract, "-", 1),
            (Binary::Multiply, "*", 1),
            (Binary::Divide, "/", 1),
            (Binary::Remainder, "%", 1),
            (Binary::Xor, "^", 2),
        ];
        let Some((_, old, class)) = names.iter().find(|entry| entry.0 == operator) else { return };
        let kind = if *class == 0 { ChangeKind::Comparison } else { ChangeKind::Operator };
        for (_, new, _) in names.iter().filter(|entry| entry.2 == *class && entry.1 != *old) {
            self.between(l, r, old, new, kind);
        }
        if *class == 0 {
            self.one_more(r);
        }
        let swaps = matches!(operator, Binary::Subtract | Binary::Divide | Binary::Remainder);
        if swaps && !l.span.foreign && !r.span.foreign {
            let span = l.span.to(r.span);
            let new = format!("{} {old} {}", self.source(r.span), self.source(l.span));
            self.add(span, new, ChangeKind::Operator);
        }
        if operator == Binary::Divide && l.ty.integer().is_some() && !l.span.foreign {
            let start = Span { end: l.span.start, ..l.span };
            self.add(start, "(float)", ChangeKind::Type);
            self.add(start, "(double)", ChangeKind::Type);
        }
    }

    /// The operator between two operands, as it is spelt once.
    fn between(&mut self, l: &Expr, r: &Expr, old: &str, new: &str, kind: ChangeKind) {
        if l.span.foreign || r.span.foreign || l.span.end > r.span.start {
            return;
        }
        let gap = Span { start: l.span.end, end: r.span.start, ..l.span };
        let source = self.source(gap);
        if let Some(at) = source.find(old)
            && source.matches(old).count() == 1
        {
            let start = gap.start + at as u32;
            let span = Span { start, end: start + old.len() as u32, ..gap };
            self.add(span, new, kind);
        }
    }

    fn variable(&mut self, id: VariableId, e: &Expr) {
        let own = &self.tree.variables[id.index()];
        if !own.ty.is_scalar() {
            return;
        }
        let locals = &self.tree.procedures[self.procedure.index()].locals;
        let mut names = Vec::new();
        for other in locals {
            let theirs = &self.tree.variables[other.index()];
            let near = theirs.ty == own.ty
                || theirs.ty.integer() == Some(Integer::Int) && own.ty == Type::Float;
            if *other != id && near && !theirs.name.is_empty() {
                names.push(theirs.name.clone());
            }
        }
        for name in names {
            self.add(e.span, name, ChangeKind::Variable);
        }
    }
}

/// Calls `visit` with all expressions of a statement.
pub(crate) fn each_expression(s: &Statement, visit: &mut dyn FnMut(&Expr)) {
    let mut inner: Vec<&Statement> = vec![s];
    while let Some(s) = inner.pop() {
        let mut roots: Vec<&Expr> = Vec::new();
        match &s.kind {
            StatementKind::Expression(e) | StatementKind::Return(Some(e)) => roots.push(e),
            StatementKind::Declare(_, Some(list)) => roots.extend(list.iter().map(|i| &i.value)),
            StatementKind::Block(list) => inner.extend(list),
            StatementKind::If(c, then, otherwise) => {
                roots.push(&c.value);
                inner.push(then);
                inner.extend(otherwise.as_deref());
            }
            StatementKind::While(c, body)
            | StatementKind::DoWhile(body, c)
            | StatementKind::Switch(c, body) => {
                roots.push(&c.value);
                inner.push(body);
            }
            StatementKind::For(c, step, body) => {
                roots.extend(c.as_ref().map(|c| &c.value));
                roots.extend(step.as_ref().map(|c| &c.value));
                inner.push(body);
            }
            StatementKind::Case(_, _, body)
            | StatementKind::Default(body)
            | StatementKind::Label(_, body) => inner.push(body),
            _ => {}
        }
        while let Some(e) = roots.pop() {
            visit(e);
            roots.extend(e.children());
        }
    }
}
