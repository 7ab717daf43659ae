//! A program that can be executed.

use faultline_c::code::Code;
use faultline_c::machine::{Limits, Run, run};
use faultline_c::mistake::Mistake;
use faultline_c::tree::{PointId, Tree};
use std::rc::Rc;

/// Names and texts of files that a program may include by `#include "NAME"`.
pub type Files = Rc<Vec<(String, String)>>;

/// A program: text, typed tree, code.
#[derive(Clone, Debug)]
pub struct Program {
    /// As it was written.
    pub text: String,
    /// The files that it may include.
    pub files: Files,
    /// Its typed tree.
    pub tree: Tree,
    /// Its code.
    pub code: Code,
}

impl Program {
    /// Reads and compiles a program.
    pub fn read(text: &str, files: &Files) -> Result<Program, Mistake> {
        let included =
            |name: &str| files.iter().find(|(file, _)| file == name).map(|(_, text)| text.clone());
        let tree = faultline_c::parse(text, &included)?;
        let code = faultline_c::compile(&tree)?;
        Ok(Program { text: text.to_string(), files: files.clone(), tree, code })
    }

    /// The program with another text.
    pub fn changed(&self, text: &str) -> Result<Program, Mistake> {
        Program::read(text, &self.files)
    }

    /// Executes it on an input.
    pub fn run(&self, input: &[u8], limits: Limits) -> Run {
        run(&self.tree, &self.code, input, limits)
    }

    /// The line of a point; `None` for one outside of the program's own text.
    pub fn line(&self, point: PointId) -> Option<u32> {
        let point = self.tree.points.get(point.index())?;
        let own =
            !point.span.foreign || point.span.line > 0 && !self.tree.is_library(point.procedure);
        own.then_some(point.span.line)
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
