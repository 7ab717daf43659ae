//! Prints a syntax tree: one statement on a line, every operator in parentheses.

use super::syntax::*;

/// The whole model.
pub(super) fn pretty(file: &File) -> String {
    let mut printer = Printer::default();
    for item in &file.items {
        printer.item(item);
    }
    for module in &file.modules {
        printer.module(module);
    }
    if let Some(init) = &file.init {
        match &init.state {
            Some(state) => printer.line(format!("init {} <{}>;", state.text, init.name.text)),
            None => printer.line(format!("init {};", init.name.text)),
        }
    }
    for rule in &file.rules {
        let word: Vec<&str> = rule.word.iter().map(|name| name.text.as_str()).collect();
        let relation = rule.relation.as_ref().map_or(String::new(), |e| format!(" ({})", show(e)));
        printer.line(format!(
            "{} <{}> --> {} <{}>{relation}",
            rule.from.text,
            rule.symbol.text,
            rule.to.text,
            word.join(" ")
        ));
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

    fn item(&mut self, item: &Item) {
        match item {
            Item::Define(name, e) => self.line(format!("define {} {}", name.text, show(e))),
            Item::Enum(Enumeration { name, members }) => {
                let name = name.as_ref().map_or(String::new(), |name| format!("{} ", name.text));
                let members: Vec<&str> =
                    members.iter().map(|member| member.text.as_str()).collect();
                self.line(format!("enum {name}{{ {} }};", members.join(", ")));
            }
            Item::Struct(structure) => {
                self.line(format!("struct {} {{", structure.name.text));
                self.indent += 1;
                structure.fields.iter().for_each(|field| self.declaration(field));
                self.indent -= 1;
                self.line("};".to_string());
            }
            Item::Declaration(declaration) => self.declaration(declaration),
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let shared = if declaration.shared { "shared " } else { "" };
        let list: Vec<String> = declaration.declarators.iter().map(declarator).collect();
        self.line(format!("{shared}{} {};", type_name(&declaration.type_name), list.join(", ")));
    }

    fn module(&mut self, module: &Module) {
        let result = match &module.result {
            None => "void".to_string(),
            Some((name, width)) => type_name(name) + &in_parentheses(width.as_ref()),
        };
        let parameters: Vec<String> = module
            .parameters
            .iter()
            .map(|(name, d)| format!("{} {}", type_name(name), declarator(d)))
            .collect();
        let head = format!("module {result} {}({})", module.name.text, parameters.join(", "));
        let Some(body) = &module.body else {
            self.line(format!("{head};"));
            return;
        };
        self.line(format!("{head} {{"));
        self.indent += 1;
        body.locals.iter().for_each(|local| self.declaration(local));
        self.statements(&body.statements);
        self.indent -= 1;
        self.line("}".to_string());
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let labels: String =
            statement.labels.iter().map(|label| format!("{}: ", label.text)).collect();
        match &statement.kind {
            StatementKind::Block(body) => {
                self.line(format!("{labels}{{"));
                self.indent += 1;
                self.statements(body);
                self.indent -= 1;
                self.line("}".to_string());
            }
            StatementKind::Select { is_loop, options } => {
                self.line(format!("{labels}{}", if *is_loop { "do" } else { "if" }));
                for option in options {
                    let guard = option.guard.as_ref().map_or("else".to_string(), show);
                    self.line(format!(":: {guard} ->"));
                    self.indent += 2;
                    self.statements(&option.body);
                    self.indent -= 2;
                }
                self.line((if *is_loop { "od;" } else { "fi;" }).to_string());
            }
            kind => self.line(format!("{labels}{};", plain(kind))),
        }
    }
}

/// A statement without a statement inside.
fn plain(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Skip(Some(e)) => format!("skip ({})", show(e)),
        StatementKind::Assign(list) => list.iter().map(assignment).collect::<Vec<_>>().join(", "),
        StatementKind::Call { target, callee, arguments } => {
            let into = target.as_ref().map_or(String::new(), |place| format!("{} = ", show(place)));
            format!("{into}{}({})", callee.text, shown(arguments))
        }
        StatementKind::Fork { callee, arguments } => {
            format!("fork {}({})", callee.text, shown(arguments))
        }
        StatementKind::Break => "break".to_string(),
        StatementKind::Goto(name) => format!("goto {}", name.text),
        StatementKind::Return(None) => "return".to_string(),
        StatementKind::Return(Some(e)) => format!("return {}", show(e)),
        StatementKind::Assert(e) => format!("assert({})", show(e)),
        StatementKind::Skip(None) | StatementKind::Block(_) | StatementKind::Select { .. } => {
            "skip".to_string()
        }
    }
}

fn assignment(assignment: &Assignment) -> String {
    let ranges: String = assignment.ranges.iter().map(|r| format!("A {} ", range(r))).collect();
    format!("{ranges}{} = {}", show(&assignment.place), show(&assignment.value))
}

fn range(range: &Range) -> String {
    format!("{} ({}, {})", range.name.text, show(&range.low), show(&range.high))
}

fn type_name(name: &TypeName) -> String {
    match name {
        TypeName::Bool => "bool".to_string(),
        TypeName::Int { signed: false } => "int".to_string(),
        TypeName::Int { signed: true } => "sgnint".to_string(),
        TypeName::Enum(name) => format!("enum {}", name.text),
        TypeName::Struct(name) => format!("struct {}", name.text),
    }
}

fn in_parentheses(width: Option<&Expr>) -> String {
    width.map_or(String::new(), |e| format!("({})", show(e)))
}

fn declarator(declarator: &Declarator) -> String {
    let mut text = declarator.name.text.clone();
    for dimension in &declarator.dimensions {
        let low = dimension.low.as_ref().map_or(String::new(), |low| format!("{}, ", show(low)));
        text += &format!("[{low}{}]", show(&dimension.high));
    }
    text + &in_parentheses(declarator.width.as_ref())
}

fn shown(values: &[Expr]) -> String {
    values.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Truth(truth) => truth.to_string(),
        ExprKind::Undef => "undef".to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Index(base, index) => format!("{}[{}]", show(base), show(index)),
        ExprKind::Field(base, field) => format!("{}.{}", show(base), field.text),
        ExprKind::Ticked(inner) => format!("{}'", show(inner)),
        ExprKind::Unary(op, inner) => {
            let sign = match op {
                UnaryOp::Not => "!",
                UnaryOp::Tilde => "~",
                UnaryOp::Minus => "-",
            };
            format!("{sign}{}", show(inner))
        }
        ExprKind::Binary(op, left, right) => {
            format!("({} {} {})", show(left), sign(*op), show(right))
        }
        ExprKind::Quantified { all, range: over, body } => {
            format!("({} {} {})", if *all { "A" } else { "E" }, range(over), show(body))
        }
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::LogicalXor => "^^",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}
