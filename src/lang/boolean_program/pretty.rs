//! Prints a syntax tree: one statement on a line, every operator in parentheses.

use super::syntax::*;
use crate::lang::syntax::Name;

/// The whole program.
pub(super) fn pretty(file: &File) -> String {
    let mut printer = Printer::default();
    if !file.globals.is_empty() {
        printer.line(format!("decl {};", names(&file.globals)));
    }
    for procedure in &file.procedures {
        printer.procedure(procedure);
    }
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, line: String) {
        self.text.extend(std::iter::repeat_n("  ", self.indent));
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let results = match procedure.results {
            0 => "void".to_string(),
            n => format!("bool<{n}>"),
        };
        self.line(format!(
            "{results} {}({}) begin",
            procedure.name.text,
            names(&procedure.parameters)
        ));
        self.indent += 1;
        if !procedure.locals.is_empty() {
            self.line(format!("decl {};", names(&procedure.locals)));
        }
        for e in &procedure.enforced {
            self.line(format!("enforce {};", show(e)));
        }
        self.statements(&procedure.body);
        self.indent -= 1;
        self.line("end".to_string());
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn body(&mut self, statements: &[Statement]) {
        self.indent += 1;
        self.statements(statements);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        let labels: String =
            statement.labels.iter().map(|label| format!("{}: ", label.text)).collect();
        match &statement.kind {
            StatementKind::If { branches, otherwise } => {
                for (k, branch) in branches.iter().enumerate() {
                    let word = if k == 0 { format!("{labels}if") } else { "elsif".to_string() };
                    self.line(format!("{word} {} then", show(&branch.condition)));
                    self.body(&branch.body);
                }
                if let Some(otherwise) = otherwise {
                    self.line("else".to_string());
                    self.body(otherwise);
                }
                self.line("fi;".to_string());
            }
            StatementKind::While { condition, body } => {
                self.line(format!("{labels}while {} do", show(condition)));
                self.body(body);
                self.line("od;".to_string());
            }
            StatementKind::Block(body) => {
                self.line(format!("{labels}begin"));
                self.body(body);
                self.line("end".to_string());
            }
            kind => self.line(format!("{labels}{};", plain(kind))),
        }
    }
}

/// A statement without a statement inside.
fn plain(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Print(values) => format!("print {}", list(values)),
        StatementKind::Assign { targets, values, constraint } => {
            let constraint =
                constraint.as_ref().map_or(String::new(), |c| format!(" constrain {}", show(c)));
            format!("{} := {}{constraint}", written(targets), list(values))
        }
        StatementKind::Call { targets, callee, arguments } if targets.is_empty() => {
            format!("{}({})", callee.text, list(arguments))
        }
        StatementKind::Call { targets, callee, arguments } => {
            format!("{} := {}({})", written(targets), callee.text, list(arguments))
        }
        StatementKind::StartThread { callee, arguments } => {
            format!("start_thread {}({})", callee.text, list(arguments))
        }
        StatementKind::EndThread => "end_thread".to_string(),
        StatementKind::AtomicBegin => "atomic_begin".to_string(),
        StatementKind::AtomicEnd => "atomic_end".to_string(),
        StatementKind::Assert(e) => format!("assert({})", show(e)),
        StatementKind::Assume(e) => format!("assume({})", show(e)),
        StatementKind::Dead(list) => format!("dead {}", names(list)),
        StatementKind::Goto(list) => format!("goto {}", names(list)),
        StatementKind::Return(values) if values.is_empty() => "return".to_string(),
        StatementKind::Return(values) => format!("return {}", list(values)),
        StatementKind::Skip
        | StatementKind::Block(_)
        | StatementKind::If { .. }
        | StatementKind::While { .. } => "skip".to_string(),
    }
}

fn names(list: &[Name]) -> String {
    list.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn written(targets: &[Option<Name>]) -> String {
    targets
        .iter()
        .map(|target| target.as_ref().map_or("_", |name| name.text.as_str()))
        .collect::<Vec<_>>()
        .join(", ")
}

fn list(values: &[Expr]) -> String {
    values.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Truth(true) => "T".to_string(),
        ExprKind::Truth(false) => "F".to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Ticked(name) => format!("'{name}"),
        ExprKind::Choice => "*".to_string(),
        ExprKind::Not(inner) => format!("!{}", show(inner)),
        ExprKind::Binary(op, left, right) => {
            let sign = match op {
                BinaryOp::Implies => "=>",
                BinaryOp::Or => "|",
                BinaryOp::Xor => "^",
                BinaryOp::And => "&",
                BinaryOp::Equal => "=",
                BinaryOp::NotEqual => "!=",
            };
            format!("({} {sign} {})", show(left), show(right))
        }
        ExprKind::Schoose(both) => format!("schoose [{}, {}]", show(&both[0]), show(&both[1])),
    }
}
