//! What a Java program reads, and the numbers in it.

use crate::domain::{Count, Domain, Item, any_text};
use faultline_java::{
    Constant, Expr, ExprKind, LocalId, Method, Program, Statement, StatementKind,
};

/// What it reads, as far as its calls of `Scanner` say: what `main` reads, and other methods a few
/// times.
pub(crate) fn inferred(program: &Program) -> Domain {
    let mut reads = Reads { program, items: Vec::new(), texts: false, read: Vec::new() };
    for method in own_methods(program).filter(|m| !std::ptr::eq(*m, main(program))) {
        let mut inner = Reads { program, items: Vec::new(), texts: false, read: Vec::new() };
        inner.statements(method.body.iter().flatten(), None);
        reads.texts |= inner.texts;
        if !inner.items.is_empty() {
            let item = Box::new(Item::Integer { name: String::new(), low: 0, high: 100 });
            reads.items.push(Item::Times { count: Count::UpTo(6), item });
        }
    }
    reads.statements(main(program).body.iter().flatten(), None);
    if reads.texts { any_text() } else { Domain { items: reads.items } }
}

/// The numbers of the program's own text.
pub(crate) fn numbers(program: &Program) -> Vec<i64> {
    let mut list = Vec::new();
    for method in own_methods(program) {
        let mut worklist: Vec<&Statement> = method.body.iter().flatten().collect();
        while let Some(statement) = worklist.pop() {
            let (expressions, inner) = parts(statement);
            worklist.extend(inner);
            let mut expressions = expressions;
            while let Some(e) = expressions.pop() {
                if let ExprKind::Constant(Constant::Integer(value)) = e.kind {
                    list.push(value);
                }
                if let ExprKind::After(statements, _) = &e.kind {
                    worklist.extend(statements);
                }
                expressions.extend(e.children());
            }
        }
    }
    list
}

fn main(program: &Program) -> &Method {
    &program.methods[program.start.index()]
}

fn own_methods(program: &Program) -> impl Iterator<Item = &Method> {
    let is_own = |m: &&Method| !program.classes[m.class.index()].is_library && m.body.is_some();
    program.methods.iter().filter(is_own)
}

/// The expressions and the statements that a statement has.
fn parts(statement: &Statement) -> (Vec<&Expr>, Vec<&Statement>) {
    match &statement.kind {
        StatementKind::Local(_, value) | StatementKind::Return(value) => {
            (value.iter().collect(), Vec::new())
        }
        StatementKind::Expression(e) | StatementKind::Throw(e) => (vec![e], Vec::new()),
        StatementKind::If(c, then, otherwise) => {
            (vec![c], otherwise.iter().map(|s| &**s).chain([&**then]).collect())
        }
        StatementKind::While(_, c, body) | StatementKind::Do(_, body, c, _) => {
            (vec![c], vec![body])
        }
        StatementKind::For { first, condition, step, body, .. } => {
            (condition.iter().chain(step).collect(), first.iter().chain([&**body]).collect())
        }
        StatementKind::Switch(_, value, groups) => {
            (vec![value], groups.iter().flat_map(|group| &group.body).collect())
        }
        StatementKind::Labelled(_, body) => (Vec::new(), vec![body]),
        StatementKind::Try { body, catches, finally } => {
            let caught = catches.iter().flat_map(|catch| &catch.body);
            (Vec::new(), body.iter().chain(caught).chain(finally.iter().flatten()).collect())
        }
        StatementKind::Assert(c, text) => ([c].into_iter().chain(text).collect(), Vec::new()),
        StatementKind::Block(list) => (Vec::new(), list.iter().collect()),
        StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Empty => {
            (Vec::new(), Vec::new())
        }
    }
}

struct Reads<'p> {
    program: &'p Program,
    items: Vec<Item>,
    /// Characters or lines are read: an input is a text.
    texts: bool,
    /// Variables that were read as integers, with their names.
    read: Vec<(LocalId, String)>,
}

impl<'p> Reads<'p> {
    fn statements(&mut self, list: impl Iterator<Item = &'p Statement>, times: Option<&Count>) {
        list.for_each(|statement| self.statement(statement, times));
    }

    /// `times` says how often the statement is executed, if it is in a loop.
    fn statement(&mut self, statement: &'p Statement, times: Option<&Count>) {
        match &statement.kind {
            StatementKind::Local(local, Some(value)) => {
                self.expression(value, Some(*local), times);
            }
            StatementKind::While(_, c, body) | StatementKind::Do(_, body, c, _) => {
                let count = self.rounds(c);
                self.expression(c, None, Some(&count));
                self.statement(body, Some(&count));
            }
            StatementKind::For { first, condition, step, body, .. } => {
                self.statements(first.iter(), times);
                let count = condition.as_ref().map_or(Count::UpTo(6), |c| self.rounds(c));
                for e in condition.iter().chain(step) {
                    self.expression(e, None, Some(&count));
                }
                self.statement(body, Some(&count));
            }
            StatementKind::If(c, then, otherwise) => {
                self.expression(c, None, times);
                self.statement(then, times);
                self.statements(otherwise.iter().map(|s| &**s), times);
            }
            _ => {
                let (expressions, inner) = parts(statement);
                expressions.into_iter().for_each(|e| self.expression(e, None, times));
                self.statements(inner.into_iter(), times);
            }
        }
    }

    /// As often as a number that was read says, if the condition of the loop names it.
    fn rounds(&self, condition: &Expr) -> Count {
        let mut worklist = vec![condition];
        while let Some(e) = worklist.pop() {
            if let ExprKind::Local(local) = e.kind
                && let Some((_, name)) = self.read.iter().find(|(read, _)| *read == local)
            {
                return Count::Name(name.clone());
            }
            worklist.extend(e.children());
        }
        Count::UpTo(6)
    }

    /// `into` is the variable that takes the value.
    fn expression(&mut self, e: &'p Expr, into: Option<LocalId>, times: Option<&Count>) {
        if let ExprKind::After(statements, _) = &e.kind {
            self.statements(statements.iter(), times);
        }
        let into = match &e.kind {
            ExprKind::Assign(place, _) => match place.kind {
                ExprKind::Local(local) => Some(local),
                _ => None,
            },
            ExprKind::Convert(_) | ExprKind::Call { .. } => into,
            _ => None,
        };
        e.children().into_iter().for_each(|e| self.expression(e, into, times));
        let ExprKind::Call { method, .. } = &e.kind else { return };
        let method = &self.program.methods[method.index()];
        let class = &self.program.classes[method.class.index()];
        if !class.is_library {
            return;
        }
        match (class.name.as_str(), method.name.as_str()) {
            ("Scanner", "nextInt" | "nextLong" | "nextShort" | "nextByte") => {
                self.integer(into, times);
            }
            ("Scanner", "nextDouble" | "nextFloat") => {
                self.item(Item::Float { low: 0.0, high: 1000.0 }, times);
            }
            ("Scanner", "next") => self.item(Item::Word { most: 10 }, times),
            ("Scanner", "nextLine" | "nextBoolean")
            | ("BufferedReader" | "InputStream", "read" | "readLine") => {
                self.texts = true;
            }
            _ => {}
        }
    }

    fn integer(&mut self, into: Option<LocalId>, times: Option<&Count>) {
        let mut name = String::new();
        if times.is_none() {
            name = format!("x{}", self.read.len() + 1);
            if let Some(local) = into {
                let own = &main(self.program).locals;
                let own = own.get(local.index()).map(|l| l.name.clone()).unwrap_or_default();
                if !own.is_empty() && !self.read.iter().any(|(_, known)| *known == own) {
                    name = own;
                }
                self.read.push((local, name.clone()));
            }
        }
        self.item(Item::Integer { name, low: 0, high: 10_000 }, times);
    }

    fn item(&mut self, item: Item, times: Option<&Count>) {
        let Some(count) = times else { return self.items.push(item) };
        if let Count::Name(wanted) = count {
            // A number that says how many values follow is small.
            for item in &mut self.items {
                if let Item::Integer { name, low, high } = item
                    && name == wanted
                {
                    (*low, *high) = (1, 8);
                }
            }
        }
        self.items.push(Item::Times { count: count.clone(), item: Box::new(item) });
    }
}
