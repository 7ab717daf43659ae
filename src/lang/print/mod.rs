//! Prints a syntax tree as a program, in its own dialect or in C. The text has no comments and no
//! macros. Reading it gives the same model.
//!
//! Every operand is in parentheses unless it is a name, a number or another leaf, because the text
//! is meant for programs to read.

mod declarations;
mod expressions;
mod statements;

use crate::lang::c;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::lex;
use crate::lang::parser;
use crate::lang::syntax::{File, Item, StructId};
use crate::wire::options::{CIMPLE_BITS, Dialect, RequestedOptions};

/// Reads a program of Cimple or C and prints it again; `None` if it cannot be read, or is written
/// in another dialect.
pub fn reprint(source: &str, requested: &RequestedOptions) -> Option<String> {
    let dialect = requested.dialect.unwrap_or_else(|| Dialect::guess(source));
    let (file, directives) = read(source, dialect, requested)?;
    let mut printer = Printer {
        text: directives,
        file: &file,
        c: dialect == Dialect::C,
        translate: false,
        int: u32::MAX,
    };
    printer.file();
    Some(printer.text)
}

/// Reads a Cimple program and prints it in C; `None` if it cannot be read or has what C lacks
/// (threads, `atomic`).
///
/// A choice becomes a call of `int nondet(void)`, so it must stand where an `int`, an `unsigned` or
/// a `bool` is needed.
pub fn cimple_as_c(source: &str) -> Option<String> {
    let (file, directives) = read(source, Dialect::Cimple, &RequestedOptions::default())?;
    let value = |wanted: &str| {
        let lines = directives.lines().rev();
        let mut pairs = lines.filter_map(|line| line.trim_start_matches("//!").split_once('='));
        pairs.find(|(key, _)| key.trim() == wanted).map(|(_, value)| value.trim())
    };
    let given = value("bits").and_then(|bits| bits.parse::<u32>().ok());
    let int = given.unwrap_or(CIMPLE_BITS).clamp(1, 32);
    let bits = if given.is_some() { String::new() } else { format!("//! bits = {int}\n") };
    let threads = file.items.iter().any(|item| matches!(item, Item::Thread(_)));
    let globals = if value("globals").is_some() { "" } else { "//! globals = any\n" };
    let text = format!("{bits}{globals}{directives}int nondet(void);\n");
    let mut printer = Printer { text, file: &file, c: true, translate: true, int };
    printer.file();
    (!threads).then_some(printer.text)
}

fn read(source: &str, dialect: Dialect, requested: &RequestedOptions) -> Option<(File, String)> {
    let mut diagnostics = Diagnostics::default();
    let lexed = lex(source, &mut diagnostics);
    let directives = lexed.directives.iter().map(|d| format!("//! {}\n", d.text)).collect();
    let file = match dialect {
        Dialect::Cimple => parser::parse(source, &lexed.tokens, &mut diagnostics),
        Dialect::C => c::parse(source, &lexed, requested, &mut diagnostics),
        _ => return None,
    };
    (!diagnostics.has_errors()).then_some((file, directives))
}

struct Printer<'f> {
    text: String,
    file: &'f File,
    c: bool,
    /// Whether Cimple is translated to C.
    translate: bool,
    /// The width of `int`. It matters for numbers, which take their type from their place in Cimple
    /// but not in C.
    int: u32,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes a variable's name. A value in braces has one that no source can have (`value 1`); it
    /// is read again as `__value_1`.
    fn put_name(&mut self, name: &str) {
        if self.file.braced_values.contains(name) {
            self.put("__");
            self.put(&name.replace(' ', "_"));
        } else {
            self.put(name);
        }
    }

    fn file(&mut self) {
        let file = self.file;
        // Structs come first, and inner structs before the structs that contain them.
        let mut done = vec![false; file.structs.len()];
        for item in &file.items {
            if let Item::Declaration(declaration) = item {
                self.enumerations(declaration);
            }
        }
        for id in 0..file.structs.len() {
            self.structure(StructId(id as u32), &mut done);
        }
        for item in &file.items {
            match item {
                Item::Declaration(declaration) if declaration.declarators.is_empty() => {}
                Item::Declaration(declaration) => {
                    for declarator in &declaration.declarators {
                        self.declaration(declaration, declarator);
                        self.put(";\n");
                    }
                }
                Item::Function(function) => self.function(function, None),
                Item::Thread(function) => self.function(function, Some("thread")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cimple_as_c;

    #[test]
    fn the_keys_of_directives_decide_what_is_added() {
        let first = |source: &str| {
            let text = cimple_as_c(source).expect("it is read");
            let directives = text.lines().filter(|line| line.starts_with("//!"));
            directives.map(str::to_string).collect::<Vec<_>>()
        };
        let rest = "int globals;\nvoid main() { globals = 1; }\n";
        assert_eq!(
            first(&format!("//! bits = 4\n//! error = (globals == 3)\n{rest}")),
            ["//! globals = any", "//! bits = 4", "//! error = (globals == 3)"]
        );
        assert_eq!(
            first(&format!("//! globals = zero\n{rest}")),
            ["//! bits = 4", "//! globals = zero"]
        );
    }
}
