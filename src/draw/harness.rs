//! The C file that fails as a run did: the program as it is, and around it what the run took from
//! outside.

use std::fmt::Write;

/// What is written.
#[derive(Clone, Debug, Default)]
pub struct Parts<'a> {
    /// The program's name.
    pub file: &'a str,
    /// Its text.
    pub source: &'a str,
    /// What the head says of the failure, a line each.
    pub told: Vec<String>,
    /// Options with which the compiler makes it fail, beside `-std=c11 -g`.
    pub options: &'a str,
    /// What stands before its call on the command line.
    pub environment: &'a str,
    /// What stands before the program, a line each.
    pub before: Vec<String>,
    /// A place of the program, as a byte, where a run that comes there ends.
    pub ends_at: Option<usize>,
    /// What the program calls and does not define.
    pub definitions: Vec<Definition>,
    /// What the program reads.
    pub input: Option<&'a [u8]>,
    /// The statements of `main`; empty if that is the program's own.
    pub main: Vec<String>,
}

/// A procedure that the program calls and does not define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// `int read_code(void)`
    pub head: String,
    /// What it does.
    pub body: Body,
}

/// What such a procedure does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Nothing.
    Nothing,
    /// It gives these values of a type, in order, and 0 behind the last.
    Values(String, Vec<String>),
    /// As `Values`, and writes the value to where its argument `to` leads, if that is not null.
    Stores(String, Vec<String>),
    /// The run ends without a failure if its argument `holds` is 0.
    Assume,
    /// The run fails if its argument `holds` is 0.
    Assert,
    /// The run fails.
    Fails,
}

/// The program's own `main`, where there is another one.
pub const PROGRAM_MAIN: &str = "program_main";
/// Ends a run that came to an error label.
const REACHED: &str = "program_reached";
/// Values on a line.
const IN_A_ROW: usize = 12;

impl Parts<'_> {
    /// The file, and how many lines stand before the program.
    pub fn render(&self) -> (String, u32) {
        let mut out = self.head();
        if self.input.is_some() {
            out.push_str("#include <stdio.h>\n");
        }
        if self.ends_at.is_some() {
            let _ = writeln!(out, "void {REACHED}(void);");
        }
        if !self.main.is_empty() {
            let _ = writeln!(out, "#define main {PROGRAM_MAIN}");
        }
        for line in &self.before {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "#line 1 {}", quoted(self.file.as_bytes()));
        let before = out.matches('\n').count() as u32;
        match self.ends_at.and_then(|at| self.source.split_at_checked(at)) {
            Some((left, right)) => {
                let _ = write!(out, "{left} {REACHED}();{right}");
            }
            None => out.push_str(self.source),
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        let line = out.matches('\n').count() + 2;
        let _ = writeln!(out, "#line {line} \"harness.c\"");
        self.behind(&mut out);
        (out, before)
    }

    fn head(&self) -> String {
        let mut out = String::from("/* A failing run as a test.\n");
        for line in &self.told {
            let _ = writeln!(out, " * {}", line.replace("*/", "* /"));
        }
        let options = ["-std=c11", "-g", self.options].join(" ");
        let environment = match self.environment {
            "" => String::new(),
            some => format!("{some} "),
        };
        let _ = writeln!(
            out,
            " *\n *     cc {} harness.c && {environment}./a.out\n *",
            options.trim_end()
        );
        out.push_str(" * The program stands below as it is, and behind it what the run took from outside. */\n");
        out
    }

    fn behind(&self, out: &mut String) {
        let fails = self.ends_at.is_some()
            || self.definitions.iter().any(|one| matches!(one.body, Body::Fails | Body::Assert));
        if fails {
            out.push_str("\nextern void abort(void);\n");
        }
        if self.definitions.iter().any(|one| one.body == Body::Assume) {
            out.push_str("\nextern void exit(int);\n");
        }
        if self.ends_at.is_some() {
            let _ = writeln!(out, "\nvoid {REACHED}(void)\n{{\n    abort();\n}}");
        }
        for definition in &self.definitions {
            definition.write(out);
        }
        if self.main.is_empty() && self.input.is_none() {
            return;
        }
        out.push_str("\n#undef main\nint main(void)\n{\n");
        if let Some(input) = self.input {
            write_input(out, input);
        }
        for line in &self.main {
            let _ = writeln!(out, "    {line}");
        }
        out.push_str("    return 0;\n}\n");
    }
}

impl Definition {
    fn write(&self, out: &mut String) {
        let _ = writeln!(out, "\n{}\n{{", self.head);
        match &self.body {
            Body::Nothing => {}
            Body::Assume => out.push_str("    if (!holds) exit(0);\n"),
            Body::Assert => out.push_str("    if (!holds) abort();\n"),
            Body::Fails => out.push_str("    abort();\n"),
            Body::Values(_, values) if values.is_empty() => out.push_str("    return 0;\n"),
            Body::Values(ty, values) => {
                write_values(out, ty, values);
                let _ = writeln!(out, "    return next < {} ? given[next++] : 0;", values.len());
            }
            Body::Stores(ty, values) => {
                write_values(out, ty, values);
                let n = values.len();
                let _ = writeln!(out, "    {ty} value = next < {n} ? given[next++] : 0;");
                out.push_str("    if (to) *to = value;\n    return value;\n");
            }
        }
        out.push_str("}\n");
    }
}

fn write_values(out: &mut String, ty: &str, values: &[String]) {
    let _ = writeln!(out, "    static const {ty} given[] = {{");
    // C has no empty list.
    let none = [String::from("0")];
    for row in (if values.is_empty() { &none } else { values }).chunks(IN_A_ROW) {
        let _ = writeln!(out, "        {},", row.join(", "));
    }
    out.push_str("    };\n    static unsigned next;\n");
}

/// The input goes through a file, which every C library can read from.
fn write_input(out: &mut String, input: &[u8]) {
    out.push_str("    static const char input[] =\n");
    let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        lines.push(b"");
    }
    for (k, line) in lines.iter().enumerate() {
        let end = if k + 1 == lines.len() { ";" } else { "" };
        let _ = writeln!(out, "        {}{end}", quoted(line));
    }
    out.push_str(
        "    FILE *file = fopen(\"harness.in\", \"wb\");\n    if (!file) return 2;\n    \
         fwrite(input, 1, sizeof input - 1, file);\n    fclose(file);\n    \
         if (!freopen(\"harness.in\", \"rb\", stdin)) return 2;\n    remove(\"harness.in\");\n",
    );
}

/// A text as C writes it. Octal escapes have three digits, so that no digit behind one belongs to
/// it.
fn quoted(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in text {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            // Two of them would begin a trigraph.
            b'?' => out.push_str("\\?"),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted(b"a\"b\\\n?\x001\xff"), "\"a\\\"b\\\\\\n\\?\\0001\\377\"");
    }

    #[test]
    fn the_program_keeps_its_lines() {
        let parts = Parts {
            file: "p.c",
            source: "int main(void) { return 0; }",
            before: vec!["#include <assert.h>".into()],
            ..Parts::default()
        };
        let (text, before) = parts.render();
        let line = text.lines().nth(before as usize);
        assert_eq!(line, Some("int main(void) { return 0; }"));
        // Lines count from 1, and the directive is about the line behind it.
        let at = text.lines().position(|line| line.ends_with("\"harness.c\""));
        let directive = at.map(|at| format!("#line {} \"harness.c\"", at + 2));
        assert_eq!(text.lines().nth(at.unwrap_or(0)), directive.as_deref(), "{text}");
    }
}
