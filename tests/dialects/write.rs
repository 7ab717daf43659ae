//! A program in each dialect, statement by statement on the same lines. A further dialect is one
//! more [`Writer`] in [`writers`].

use crate::program::*;
use faultline::wire::options::Dialect;

/// How a dialect spells things.
pub trait Writer {
    fn dialect(&self) -> Dialect;
    /// Has it integers?
    fn counts(&self) -> bool;
    /// Two lines: directives, and the globals.
    fn head(&self, program: &Program) -> [String; 2];
    /// Two lines: the procedure's header, and its locals. `None` is main.
    fn header(&self, program: &Program, procedure: Option<usize>) -> [String; 2];
    fn truth(&self, truth: bool) -> &'static str;
    fn equal(&self) -> &'static str;
    fn number(&self, constant: u64) -> String;
    /// Without `;`.
    fn plain(&self, statement: &Statement) -> String;
    /// Of `if`: its first, middle and last line.
    fn branch(&self, condition: Option<String>) -> [String; 3];
    /// Of `while`: its first and last line.
    fn repeat(&self, condition: Option<String>) -> [String; 2];
    fn end(&self) -> &'static str;

    fn condition(&self, condition: &Condition) -> String {
        let two = |sign: &str, left: &Condition, right: &Condition| {
            format!("({} {sign} {})", self.condition(left), self.condition(right))
        };
        match condition {
            Condition::Truth(truth) => self.truth(*truth).to_string(),
            Condition::Variable(variable) => name(*variable),
            Condition::Not(inner) => format!("!{}", self.condition(inner)),
            Condition::And(left, right) => two("&&", left, right),
            Condition::Or(left, right) => two("||", left, right),
            Condition::Equal(left, right) => two(self.equal(), left, right),
            Condition::NotEqual(left, right) => two("!=", left, right),
            Condition::Less(left, right) => {
                format!("({} < {})", self.value(left), self.value(right))
            }
            Condition::Same(left, right) => {
                format!("({} == {})", self.value(left), self.value(right))
            }
        }
    }

    fn value(&self, number: &Number) -> String {
        match number {
            Number::Constant(n) => self.number(*n),
            Number::Variable(k) => format!("n{k}"),
            Number::Sum(k, l) => format!("(n{k} + n{l})"),
            Number::Difference(k, l) => format!("(n{k} - n{l})"),
        }
    }
}

/// All dialects that random programs are compared in; the first is the one the others are compared
/// with.
pub fn writers() -> Vec<Box<dyn Writer>> {
    vec![Box::new(Cimple), Box::new(BooleanProgram), Box::new(Remopla)]
}

/// The program's text.
pub fn write(program: &Program, writer: &dyn Writer) -> String {
    let mut lines: Vec<String> = writer.head(program).to_vec();
    for (k, body) in program.procedures.iter().enumerate() {
        lines.extend(writer.header(program, Some(k)));
        block(body, writer, &mut lines);
        lines.push(writer.end().to_string());
    }
    lines.extend(writer.header(program, None));
    block(&program.main, writer, &mut lines);
    lines.push(writer.end().to_string());
    assert!(lines.iter().all(|line| !line.contains('\n')), "one line each");
    lines.join("\n") + "\n"
}

fn block(statements: &[Statement], writer: &dyn Writer, lines: &mut Vec<String>) {
    for statement in statements {
        let condition = |c: &Option<Condition>| c.as_ref().map(|c| writer.condition(c));
        match statement {
            Statement::If(c, then, otherwise) => {
                let [first, middle, last] = writer.branch(condition(c));
                lines.push(first);
                block(then, writer, lines);
                lines.push(middle);
                block(otherwise, writer, lines);
                lines.push(last);
            }
            Statement::While(c, body) => {
                let [first, last] = writer.repeat(condition(c));
                lines.push(first);
                block(body, writer, lines);
                lines.push(last);
            }
            plain => lines.push(format!("{};", writer.plain(plain))),
        }
    }
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::Global(k) => format!("g{k}"),
        Variable::Local(k) => format!("l{k}"),
    }
}

fn names(letter: char, range: std::ops::Range<u64>, before: &str) -> String {
    range.map(|k| format!("{before}{letter}{k}")).collect::<Vec<_>>().join(", ")
}

/// Locals that the procedure declares: behind its parameters, which main has not.
fn locals(program: &Program, procedure: Option<usize>) -> std::ops::Range<u64> {
    let parameters = if procedure.is_some() { PARAMETERS } else { 0 };
    parameters..parameters + program.locals
}

struct Cimple;

impl Writer for Cimple {
    fn dialect(&self) -> Dialect {
        Dialect::Cimple
    }
    fn counts(&self) -> bool {
        true
    }
    fn head(&self, program: &Program) -> [String; 2] {
        let numbers = if program.numbers > 0 {
            format!(" unsigned {};", names('n', 0..program.numbers, ""))
        } else {
            String::new()
        };
        [
            format!("//! bits = {BITS}"),
            format!("bool {};{numbers}", names('g', 0..program.globals, "")),
        ]
    }
    fn header(&self, program: &Program, procedure: Option<usize>) -> [String; 2] {
        let head = match procedure {
            Some(k) => format!("bool p{k}({}) {{", names('l', 0..PARAMETERS, "bool ")),
            None => "void main() {".to_string(),
        };
        [head, format!("bool {}, t;", names('l', locals(program, procedure), ""))]
    }
    fn truth(&self, truth: bool) -> &'static str {
        if truth { "true" } else { "false" }
    }
    fn equal(&self) -> &'static str {
        "=="
    }
    fn number(&self, constant: u64) -> String {
        format!("{constant}u")
    }
    fn plain(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign(v, c) => format!("{} = {}", name(*v), self.condition(c)),
            Statement::Swap(v, w, c, d) => {
                format!(
                    "t = {}; {} = {}; {} = t",
                    self.condition(c),
                    name(*w),
                    self.condition(d),
                    name(*v)
                )
            }
            Statement::Any(v) => format!("{} = nondet()", name(*v)),
            Statement::Count(k, n) => format!("n{k} = {}", self.value(n)),
            Statement::AnyNumber(k) => format!("n{k} = nondet()"),
            Statement::Assume(c) => format!("assume({})", self.condition(c)),
            Statement::Assert(c) => format!("assert({})", self.condition(c)),
            Statement::Call(into, k, c, d) => {
                let into = into.map_or(String::new(), |v| format!("{} = ", name(v)));
                format!("{into}p{k}({}, {})", self.condition(c), self.condition(d))
            }
            Statement::Return(c) => format!("return {}", self.condition(c)),
            _ => "skip".to_string(),
        }
    }
    fn branch(&self, condition: Option<String>) -> [String; 3] {
        [
            format!("if ({}) {{", condition.as_deref().unwrap_or("*")),
            "} else {".to_string(),
            "}".to_string(),
        ]
    }
    fn repeat(&self, condition: Option<String>) -> [String; 2] {
        [format!("while ({}) {{", condition.as_deref().unwrap_or("*")), "}".to_string()]
    }
    fn end(&self) -> &'static str {
        "}"
    }
}

struct BooleanProgram;

impl Writer for BooleanProgram {
    fn dialect(&self) -> Dialect {
        Dialect::BooleanProgram
    }
    fn counts(&self) -> bool {
        false
    }
    fn head(&self, program: &Program) -> [String; 2] {
        ["// Boolean".to_string(), format!("decl {};", names('g', 0..program.globals, ""))]
    }
    fn header(&self, program: &Program, procedure: Option<usize>) -> [String; 2] {
        let head = match procedure {
            Some(k) => format!("bool p{k}({}) begin", names('l', 0..PARAMETERS, "")),
            None => "void main() begin".to_string(),
        };
        [head, format!("decl {};", names('l', locals(program, procedure), ""))]
    }
    fn truth(&self, truth: bool) -> &'static str {
        if truth { "T" } else { "F" }
    }
    fn equal(&self) -> &'static str {
        "="
    }
    fn number(&self, _: u64) -> String {
        unreachable!("programs with integers are not written as Boolean programs")
    }
    fn plain(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign(v, c) => format!("{} := {}", name(*v), self.condition(c)),
            Statement::Swap(v, w, c, d) => format!(
                "{}, {} := {}, {}",
                name(*v),
                name(*w),
                self.condition(c),
                self.condition(d)
            ),
            Statement::Any(v) => format!("{} := *", name(*v)),
            Statement::Assume(c) => format!("assume({})", self.condition(c)),
            Statement::Assert(c) => format!("assert({})", self.condition(c)),
            Statement::Call(None, k, c, d) => {
                format!("p{k}({}, {})", self.condition(c), self.condition(d))
            }
            Statement::Call(Some(v), k, c, d) => {
                format!("{} := p{k}({}, {})", name(*v), self.condition(c), self.condition(d))
            }
            Statement::Return(c) => format!("return {}", self.condition(c)),
            _ => "skip".to_string(),
        }
    }
    fn branch(&self, condition: Option<String>) -> [String; 3] {
        [
            format!("if ({}) then", condition.as_deref().unwrap_or("*")),
            "else".to_string(),
            "fi;".to_string(),
        ]
    }
    fn repeat(&self, condition: Option<String>) -> [String; 2] {
        [format!("while ({}) do", condition.as_deref().unwrap_or("*")), "od;".to_string()]
    }
    fn end(&self) -> &'static str {
        "end"
    }
}

struct Remopla;

impl Writer for Remopla {
    fn dialect(&self) -> Dialect {
        Dialect::Remopla
    }
    fn counts(&self) -> bool {
        true
    }
    fn head(&self, program: &Program) -> [String; 2] {
        let numbers = if program.numbers > 0 {
            format!(" int {};", names('n', 0..program.numbers, ""))
        } else {
            String::new()
        };
        [
            format!("define DEFAULT_INT_BITS {BITS}"),
            format!("bool {};{numbers}", names('g', 0..program.globals, "")),
        ]
    }
    fn header(&self, program: &Program, procedure: Option<usize>) -> [String; 2] {
        let head = match procedure {
            Some(k) => format!("module bool p{k}({}) {{", names('l', 0..PARAMETERS, "bool ")),
            None => "module void main() {".to_string(),
        };
        [head, format!("bool {};", names('l', locals(program, procedure), ""))]
    }
    fn truth(&self, truth: bool) -> &'static str {
        if truth { "true" } else { "false" }
    }
    fn equal(&self) -> &'static str {
        "=="
    }
    fn number(&self, constant: u64) -> String {
        constant.to_string()
    }
    fn plain(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign(v, c) => format!("{} = {}", name(*v), self.condition(c)),
            Statement::Swap(v, w, c, d) => format!(
                "{} = {}, {} = {}",
                name(*v),
                self.condition(c),
                name(*w),
                self.condition(d)
            ),
            Statement::Any(v) => format!("{} = undef", name(*v)),
            Statement::Count(k, n) => format!("n{k} = {}", self.value(n)),
            Statement::AnyNumber(k) => format!("n{k} = undef"),
            Statement::Assume(c) => format!("skip ({})", self.condition(c)),
            Statement::Assert(c) => format!("assert({})", self.condition(c)),
            Statement::Call(None, k, c, d) => {
                format!("p{k}({}, {})", self.condition(c), self.condition(d))
            }
            Statement::Call(Some(v), k, c, d) => {
                format!("{} = p{k}({}, {})", name(*v), self.condition(c), self.condition(d))
            }
            Statement::Return(c) => format!("return {}", self.condition(c)),
            _ => "skip".to_string(),
        }
    }
    fn branch(&self, condition: Option<String>) -> [String; 3] {
        let otherwise = if condition.is_some() { ":: else ->" } else { ":: true ->" };
        [
            format!("if :: {} ->", condition.as_deref().unwrap_or("true")),
            otherwise.to_string(),
            "fi;".to_string(),
        ]
    }
    fn repeat(&self, condition: Option<String>) -> [String; 2] {
        let otherwise = if condition.is_some() { "else" } else { "true" };
        [
            format!("do :: {} ->", condition.as_deref().unwrap_or("true")),
            format!(":: {otherwise} -> break; od;"),
        ]
    }
    fn end(&self) -> &'static str {
        "}"
    }
}
