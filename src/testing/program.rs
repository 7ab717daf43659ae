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
