//! What only the syntax tree says of a C program: which conditions a person wrote, where memory is
//! taken, and what a compiler would warn of that no edge of the program model keeps.
//!
//! Text that macros make has the place of the macro. So a condition whose statement does not begin
//! before it, and operands that do not stand side by side, are a macro's: nothing is said of them.

use crate::lang::lowering::tidy::tidy_at;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Expr, ExprKind, File, Function, Initializer, Item, Statement, StatementKind,
    UnaryOp,
};
use crate::wire::note::{Note, NoteCode};
use std::collections::BTreeMap;

/// What a person wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// By line.
    pub notes: Vec<Note>,
    /// Conditions, by the start and the end of their statements' heads.
    pub conditions: BTreeMap<(u32, u32), Condition>,
    /// The calls that take memory, if nothing in the program frees any.
    pub never_freed: Vec<Span>,
    /// Does the program read something from outside? If not, it has one run, in which every
    /// condition that is evaluated once is constant.
    pub has_input: bool,
}

/// A condition of `if`, `while`, `for` or `do`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// On one line.
    pub text: String,
    /// Is it about the procedure's own data? Not if it asks for what callers give, what another
    /// procedure returns, or whether memory could be had.
    pub is_own: bool,
}

/// The most conditions that are remembered.
const MOST_CONDITIONS: usize = 4096;

/// Procedures of the library whose only effect is their result.
const PURE: [&str; 22] = [
    "abs", "labs", "strlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "memcmp",
    "toupper", "tolower", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "atoi",
    "sqrt", "pow", "fabs", "floor",
];

/// Procedures that take memory, and those that give it back.
const TAKING: [&str; 4] = ["malloc", "calloc", "strdup", "aligned_alloc"];
const FREEING: [&str; 3] = ["free", "realloc", "cfree"];

/// Procedures whose results come from outside.
const READING: [&str; 9] =
    ["scanf", "fscanf", "getchar", "getc", "fgetc", "fgets", "rand", "random", "time"];
/// Beginnings of such names.
const CHOOSING: [&str; 2] = ["__VERIFIER_nondet_", "nondet_"];

/// Reads a file as a person wrote it.
pub(in crate::lang) fn written(source: &str, file: &File) -> Written {
    let functions = || {
        file.items.iter().filter_map(|item| match item {
            Item::Function(function) | Item::Thread(function) => Some(function),
            Item::Declaration(_) => None,
        })
    };
    let defined = functions().filter(|f| f.body.is_some()).map(|f| f.name.text.as_str()).collect();
    let mut reader = Reader {
        source,
        defined,
        parameters: Vec::new(),
        taken: Vec::new(),
        frees: false,
        null_tests: Vec::new(),
        found: Written::default(),
    };
    for function in functions() {
        reader.function(function);
    }
    let Reader { taken, frees, null_tests, mut found, .. } = reader;
    if !taken.is_empty() {
        for place in null_tests {
            found.conditions.entry(place).and_modify(|condition| condition.is_own = false);
        }
    }
    if !frees {
        found.never_freed = taken;
    }
    found.notes.sort_by_key(|note| note.line);
    found
}

struct Reader<'a> {
    source: &'a str,
    /// The procedures with a body.
    defined: Vec<&'a str>,
    /// Of the procedure that is read, unless it is `main`.
    parameters: Vec<&'a str>,
    taken: Vec<Span>,
    frees: bool,
    /// Conditions that may ask whether memory could be had.
    null_tests: Vec<(u32, u32)>,
    found: Written,
}

impl<'a> Reader<'a> {
    fn function(&mut self, function: &'a Function) {
        let Some(body) = &function.body else { return };
        let named = function.parameters.iter().filter_map(|p| p.name.as_ref());
        self.parameters = match function.name.text.as_str() {
            "main" => Vec::new(),
            _ => named.map(|name| name.text.as_str()).collect(),
        };
        self.found.has_input |= function.name.text == "main" && !function.parameters.is_empty();
        self.block(body);
    }

    fn block(&mut self, block: &'a Block) {
        for pair in block.statements.windows(2) {
            self.behind_jump(&pair[0], &pair[1]);
        }
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Expression(e) => {
                self.dropped(e);
                self.calls(e);
            }
            StatementKind::Declaration(declaration) => {
                for declarator in &declaration.declarators {
                    if let Some(Initializer::Value(e)) = &declarator.initializer {
                        self.calls(e);
                    }
                }
            }
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.condition(&branch.condition, branch.head);
                    self.statement(&branch.then);
                }
                otherwise.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::While { condition, body } => {
                self.condition(condition, statement.span);
                self.statement(body);
            }
            StatementKind::DoWhile { body, condition, head } => {
                self.statement(body);
                self.condition(condition, *head);
            }
            StatementKind::For { initial, condition, step, body } => {
                initial.iter().for_each(|initial| self.statement(initial));
                condition.iter().for_each(|e| self.condition(e, statement.span));
                if let Some(step) = step {
                    self.dropped(step);
                    self.calls(step);
                }
                self.statement(body);
            }
            StatementKind::Switch { scrutinee, body } => {
                self.calls(scrutinee);
                self.statement(body);
            }
            StatementKind::Return(Some(e)) => self.calls(e),
            StatementKind::Block(block) | StatementKind::Atomic(block) => self.block(block),
            _ => {}
        }
    }

    fn note(&mut self, span: Span, code: NoteCode, text: String) {
        self.found.notes.push(Note { line: span.line, code, text });
    }

    /// Notes the calls that take memory, and those that give it back.
    fn calls(&mut self, e: &'a Expr) {
        let mut rest = vec![e];
        while let Some(e) = rest.pop() {
            if let ExprKind::Call(name, _) = &e.kind
                && !self.defined.contains(&name.text.as_str())
            {
                let plain = name.text.strip_prefix("__builtin_").unwrap_or(&name.text);
                if TAKING.contains(&plain) {
                    self.taken.push(e.span);
                }
                self.frees |= FREEING.contains(&plain);
                self.found.has_input |= READING.contains(&plain) || chooses(plain);
            }
            // A procedure whose address is taken may be called from anywhere.
            if let ExprKind::Name(name) = &e.kind {
                self.frees |= FREEING.contains(&name.as_str());
            }
            if let ExprKind::Statements(block) = &e.kind {
                self.block(block);
            }
            e.children(&mut rest);
        }
    }

    /// A condition, and the head of its statement.
    fn condition(&mut self, e: &'a Expr, head: Span) {
        self.calls(e);
        if e.span.start <= head.start || self.found.conditions.len() >= MOST_CONDITIONS {
            return;
        }
        let text = tidy_at(self.source, e.span);
        if let ExprKind::Assign(None, place, _) = &e.kind {
            // More parentheses than needed say that it is meant.
            if e.span.start == place.span.start {
                let text = format!("`{text}` assigns; `==` would compare");
                self.note(e.span, NoteCode::AssignedCondition, text);
            }
            return;
        }
        let place = (head.start, head.end);
        let mut names = 0;
        let mut is_own = true;
        each(e, &mut |e| match &e.kind {
            ExprKind::Name(name) => {
                names += 1;
                is_own &= !self.parameters.contains(&name.as_str());
            }
            ExprKind::Call(..) | ExprKind::Through(..) | ExprKind::Statements(_) => is_own = false,
            ExprKind::Assign(..) | ExprKind::Choice | ExprKind::Poisoned => is_own = false,
            _ => {}
        });
        let mut asks_for_null = false;
        each(e, &mut |e| asks_for_null |= may_ask_for_null(e));
        if asks_for_null || may_ask_for_null_alone(e) {
            self.null_tests.push(place);
        }
        if names > 0 {
            self.found.conditions.insert(place, Condition { text, is_own });
        }
    }

    /// Notes a value that nothing uses.
    fn dropped(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Comma(list) => list.iter().for_each(|part| self.dropped(part)),
            // Operands of a macro stand at one place.
            ExprKind::Binary(op, left, right)
                if left.span.end <= right.span.start && self.is_pure(e) =>
            {
                let text = tidy_at(self.source, e.span);
                let text = match (op, &left.kind) {
                    (BinaryOp::Equal, ExprKind::Name(_) | ExprKind::Index(..)) => {
                        format!("`{text}` compares, and nothing uses the result; `=` assigns")
                    }
                    _ => format!("nothing uses the result of `{text}`"),
                };
                self.note(e.span, NoteCode::UnusedResult, text);
            }
            ExprKind::Call(name, arguments)
                if PURE.contains(&name.text.as_str())
                    && e.span.start == name.span.start
                    && e.span.end > name.span.end
                    && arguments.iter().all(|argument| argument.span.start >= name.span.end)
                    && self.is_pure(e) =>
            {
                let text = format!("nothing uses the result of `{}`", tidy_at(self.source, e.span));
                self.note(e.span, NoteCode::UnusedResult, text);
            }
            _ => {}
        }
    }

    /// Does it give a value, and nothing else?
    fn is_pure(&self, e: &Expr) -> bool {
        let mut pure = true;
        each(e, &mut |e| {
            pure &= match &e.kind {
                ExprKind::Call(name, _) => {
                    let name = name.text.as_str();
                    PURE.contains(&name) && !self.defined.contains(&name)
                }
                ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::Through(..)
                | ExprKind::Statements(_)
                | ExprKind::Poisoned => false,
                _ => true,
            }
        });
        pure
    }

    /// Notes a statement behind a jump, to which nothing else leads.
    fn behind_jump(&mut self, before: &Statement, statement: &Statement) {
        let word = match &before.kind {
            StatementKind::Return(_) => "return",
            StatementKind::Break => "break",
            StatementKind::Continue => "continue",
            StatementKind::Goto(_) => "goto",
            _ => return,
        };
        let is_habit = matches!(
            statement.kind,
            StatementKind::Return(_)
                | StatementKind::Break
                | StatementKind::Empty
                | StatementKind::Declaration(_)
        );
        // A macro's statements stand at one place.
        let is_macro = statement.span.start < before.span.end;
        if !is_habit && !is_macro && !has_label(statement) {
            let text = format!("no run executes this: `{word}` stands before it");
            self.note(statement.span, NoteCode::Unreached, text);
        }
    }
}

/// Is it a name of any value?
fn chooses(name: &str) -> bool {
    CHOOSING.iter().any(|beginning| name.starts_with(beginning))
}

/// Looks at an expression and all its parts.
fn each(e: &Expr, look: &mut dyn FnMut(&Expr)) {
    let mut rest = vec![e];
    while let Some(e) = rest.pop() {
        look(e);
        e.children(&mut rest);
    }
}

/// Is it a comparison with 0 or with a name, or a negation? A pointer may be meant.
fn may_ask_for_null(e: &Expr) -> bool {
    let is_null = |e: &Expr| {
        matches!(e.kind, ExprKind::Number(0, _) | ExprKind::Name(_) | ExprKind::PointerCast(..))
    };
    match &e.kind {
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
            is_null(left) || is_null(right)
        }
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right) => {
            may_ask_for_null_alone(left) || may_ask_for_null_alone(right)
        }
        _ => false,
    }
}

/// Is it a value that stands for a condition?
fn may_ask_for_null_alone(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::Binary(..) | ExprKind::Unary(..))
}

/// Can a jump lead into the statement?
fn has_label(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Label(_) | StatementKind::Case(_) | StatementKind::Default => true,
        StatementKind::Block(block) | StatementKind::Atomic(block) => {
            block.statements.iter().any(has_label)
        }
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|branch| has_label(&branch.then))
                || otherwise.iter().any(|statement| has_label(statement))
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Switch { body, .. } => has_label(body),
        _ => false,
    }
}
