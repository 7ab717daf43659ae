//! A program that can be executed: in C or in Java. Each language has its machine.

use crate::run::Run;
use faultline_c::code::Code;
use faultline_c::machine::Limits;
use faultline_c::tree::{PointId, Tree};
use faultline_java::machine as java;
use std::rc::Rc;

/// Names and texts of files that a program may include by `#include "NAME"`.
pub type Files = Rc<Vec<(String, String)>>;

/// In which language a program is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// C.
    #[default]
    C,
    /// Java.
    Java,
}

/// Why a text is no program, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
}

impl From<faultline_c::mistake::Mistake> for Unread {
    fn from(mistake: faultline_c::mistake::Mistake) -> Unread {
        let (span, message, hint) = (mistake.span, mistake.to_string(), mistake.hint());
        Unread { start: span.start, end: span.end, line: span.line, message, hint }
    }
}

impl From<faultline_java::Mistake> for Unread {
    fn from(mistake: faultline_java::Mistake) -> Unread {
        let (span, message, hint) = (mistake.span, mistake.message(), mistake.hint());
        Unread { start: span.start, end: span.end, line: span.line, message, hint }
    }
}

/// What a language's machine executes.
#[derive(Clone, Debug)]
pub enum Body {
    /// Typed tree and code.
    C(Box<(Tree, Code)>),
    /// Typed program and code.
    Java(Box<(faultline_java::Program, java::Code)>),
}

/// A program: its text, and what is executed.
#[derive(Clone, Debug)]
pub struct Program {
    /// As it was written.
    pub text: String,
    /// The files that it may include.
    pub files: Files,
    /// What is executed.
    pub body: Body,
}

impl Program {
    /// Reads and compiles a program in C.
    pub fn read(text: &str, files: &Files) -> Result<Program, Unread> {
        Program::read_as(Language::C, text, files)
    }

    /// Reads and compiles a program. Java includes no files.
    pub fn read_as(language: Language, text: &str, files: &Files) -> Result<Program, Unread> {
        let body = match language {
            Language::C => {
                let included = |name: &str| {
                    files.iter().find(|(file, _)| file == name).map(|(_, text)| text.clone())
                };
                let tree = faultline_c::parse(text, &included)?;
                let code = faultline_c::compile(&tree)?;
                Body::C(Box::new((tree, code)))
            }
            Language::Java => {
                let program = faultline_java::read_exact(text)?;
                let code = java::compile(&program)?;
                Body::Java(Box::new((program, code)))
            }
        };
        Ok(Program { text: text.to_string(), files: files.clone(), body })
    }

    /// In which language it is written.
    pub fn language(&self) -> Language {
        match self.body {
            Body::C(_) => Language::C,
            Body::Java(_) => Language::Java,
        }
    }

    /// The typed tree of a program in C.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.body {
            Body::C(parts) => Some(&parts.0),
            Body::Java(_) => None,
        }
    }

    /// The program with another text.
    pub fn changed(&self, text: &str) -> Result<Program, Unread> {
        Program::read_as(self.language(), text, &self.files)
    }

    /// Executes it on an input.
    pub fn run(&self, input: &[u8], limits: Limits) -> Run {
        match &self.body {
            Body::C(parts) => faultline_c::machine::run(&parts.0, &parts.1, input, limits).into(),
            Body::Java(parts) => {
                let Limits { steps, memory, output } = limits;
                let limits = java::Limits { steps, memory, output };
                java::run(&parts.0, &parts.1, input, limits).into()
            }
        }
    }

    /// How many points it has.
    pub fn points(&self) -> usize {
        match &self.body {
            Body::C(parts) => parts.0.points.len(),
            Body::Java(parts) => parts.1.points.len(),
        }
    }

    /// The line of a point; `None` for one outside of the program's own text.
    pub fn line(&self, point: PointId) -> Option<u32> {
        match &self.body {
            Body::C(parts) => {
                let tree = &parts.0;
                let point = tree.points.get(point.index())?;
                let own =
                    !point.span.foreign || point.span.line > 0 && !tree.is_library(point.procedure);
                own.then_some(point.span.line)
            }
            Body::Java(parts) => parts.1.points.get(point.index()).map(|point| point.span.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultline_c::machine::Limits;

    const PROGRAM: &str = "#include <stdio.h>\n#include <string.h>\n#define MOST(a, b) ((a) > (b) ? (a) : (b))\n\
        struct list { struct list *next; int value : 5; char name[8]; };\nunion u { int i; float f; };\n\
        static int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }\n\
        int main(void) { int a[] = {1, 2, [4] = 3}, i; double d = 1.5; struct list l = {0, 3, \"abc\"};\n\
        int n = 3; int v[n]; for (i = 0; i < 3; i++) { v[i] = a[i] * twice(i); switch (i) { case 1: continue;\n\
        default: break; } } scanf(\"%d %lf\", &n, &d); do { n--; } while (n > 0); goto end;\n\
        end: printf(\"%5.2f %s %d\\n\", d, l.name, MOST(v[0], l.value)); return (int)strlen(l.name) - 3; }\n";

    /// Texts that are nearly programs, with fixed seeds: each is refused or ends, and nothing
    /// panics.
    #[test]
    fn any_text_is_refused_or_executed() {
        let words: Vec<&str> = PROGRAM.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        let strange =
            ["(", ")", "{", "}", "*", "&", "[", "#", "...", "-1", "'", "\"%n", "2147483648"];
        let mut state = 42u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut executed = 0;
        for _ in 0..3000 {
            let mut list = words.clone();
            for _ in 0..1 + below(3) {
                let at = below(list.len());
                match below(4) {
                    0 => drop(list.remove(at)),
                    1 => list.insert(at, words[below(words.len())]),
                    2 => list[at] = words[below(words.len())],
                    _ => list.insert(at, strange[below(strange.len())]),
                }
            }
            let limits = Limits { steps: 20_000, memory: 1 << 20, output: 1 << 12 };
            if let Ok(program) = Program::read(&list.concat(), &Files::default()) {
                let run = program.run(b"2 1.5", limits);
                assert!(run.steps <= limits.steps + 1);
                executed += 1;
            }
        }
        assert!(executed > 100, "only {executed} were programs");
    }
}
