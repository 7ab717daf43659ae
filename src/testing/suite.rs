//! Tests: inputs with the outputs that are expected.

use crate::compare::{Comparison, Difference, DifferenceKind, difference};
use crate::program::Program;
use crate::run::{End, Run, Uncaught};
use faultline_c::machine::{Fault, Limit, Limits, Remark};
use faultline_c::tree::PointId;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What the program reads.
    pub input: Vec<u8>,
    /// What it should print.
    pub expected: Vec<u8>,
    /// With which code it should end, if that counts.
    pub exit: Option<i32>,
}

/// How a test went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// It printed something else.
    Failed(Difference),
    /// It ended with another code.
    WrongExit(i32),
    /// It never ends, which is proved: a state came back.
    Endless,
    /// It does what no program may do.
    Fault(Fault),
    /// It throws an exception that nothing catches.
    Uncaught(Uncaught),
    /// It was not at its end when the limit was reached.
    Limit(Limit),
    /// It uses what is not known of the library: its name.
    NotKnown(&'static str),
}

/// A test that was run.
#[derive(Clone, Debug)]
pub struct Tested {
    /// How it went.
    pub outcome: Outcome,
    /// The statement to look at first: the one that printed the first wrong character, that should
    /// have printed more, that failed, or the loop that never ends.
    pub point: Option<PointId>,
    /// The first read of a variable that has no value, if there is one.
    pub no_value: Option<(Remark, PointId)>,
    /// The run.
    pub run: Run,
}

impl Tested {
    /// Is the output as expected?
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }
}

/// Runs one test.
pub fn test(program: &Program, test: &Test, by: Comparison, limits: Limits) -> Tested {
    let run = program.run(&test.input, limits);
    let (outcome, point) = judged(test, by, &run);
    let no_value =
        run.remarks.iter().find(|(remark, _)| matches!(remark, Remark::NoValue(_))).copied();
    Tested { outcome, point, no_value, run }
}

fn judged(test: &Test, by: Comparison, run: &Run) -> (Outcome, Option<PointId>) {
    match &run.end {
        End::Fault(fault, point) => (Outcome::Fault(*fault), Some(*point)),
        End::Uncaught(what, point) => (Outcome::Uncaught(what.clone()), Some(*point)),
        End::NotKnown(what, point) => (Outcome::NotKnown(what), Some(*point)),
        End::Endless(point) => (Outcome::Endless, Some(*point)),
        End::Limit(limit, point) => match difference(&run.output, &test.expected, by) {
            // What was printed until then is wrong already, and what would follow cannot mend it.
            Some(found) if *limit == Limit::Output && found.at < run.output.len() => {
                let point = blamed(run, &found);
                (Outcome::Failed(found), point)
            }
            _ => (Outcome::Limit(*limit), Some(*point)),
        },
        End::Exited(code) => match difference(&run.output, &test.expected, by) {
            Some(found) => {
                let point = blamed(run, &found);
                (Outcome::Failed(found), point)
            }
            None if test.exit.is_some_and(|wanted| wanted != *code) => {
                (Outcome::WrongExit(*code), Some(run.last))
            }
            None => (Outcome::Passed, None),
        },
    }
}

/// Who printed the first wrong character, or who should have gone on.
fn blamed(run: &Run, found: &Difference) -> Option<PointId> {
    if let Some(point) = run.printed(found.at) {
        return Some(point);
    }
    let last = run.pieces.last().map(|piece| piece.point);
    // A missing end of line belongs to the last output; a missing value to who ended the run.
    if found.kind == DifferenceKind::WhiteSpace { last.or(Some(run.last)) } else { Some(run.last) }
}

/// The tests that stand in comments of a program:
///
/// ```text
/// /*! test three numbers
/// 3
/// ---
/// 6
/// */
/// ```
///
/// The input stands before the line `---`, the expected output behind it.
pub fn in_comments(text: &str) -> Vec<Test> {
    let mut list = Vec::new();
    for (k, part) in text.split("/*! test").skip(1).enumerate() {
        let Some(body) = part.split("*/").next() else { continue };
        let (name, rest) = body.split_once('\n').unwrap_or((body, ""));
        let name = name.trim();
        let name = if name.is_empty() { format!("test {}", k + 1) } else { name.to_string() };
        let (input, expected) = match rest.split_once("---\n") {
            Some((input, expected)) => (input, expected),
            None => ("", rest),
        };
        let (input, expected) = (input.as_bytes().to_vec(), expected.as_bytes().to_vec());
        list.push(Test { name, input, expected, exit: None });
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, input: &str, expected: &str) -> (Outcome, Option<u32>) {
        let program = Program::read(text, &Default::default()).expect("a program");
        let (input, expected) = (input.as_bytes().to_vec(), expected.as_bytes().to_vec());
        let one = Test { name: String::new(), input, expected, exit: None };
        let tested = test(&program, &one, Comparison::Exact, Limits::default());
        (tested.outcome.clone(), tested.point.and_then(|point| program.line(point)))
    }

    #[test]
    fn who_printed_the_first_wrong_character() {
        let text = "#include <stdio.h>\nint main(void) {\nint n;\nscanf(\"%d\", &n);\n\
                    printf(\"%d\\n\", n);\nprintf(\"%d\\n\", n + 2);\nreturn 0; }";
        let (outcome, line) = run(text, "1", "1\n2\n");
        let Outcome::Failed(found) = outcome else { panic!("{outcome:?}") };
        assert_eq!((found.line, found.kind, line), (2, DifferenceKind::Values, Some(6)));
        // What is missing at the end: where the program ends.
        assert_eq!(run(text, "1", "1\n3\n4\n").1, Some(7));
        assert_eq!(run(text, "1", "1\n3\n").0, Outcome::Passed);
    }

    #[test]
    fn runs_without_an_end_and_faults() {
        let main = |body: &str| format!("#include <stdlib.h>\nint main(void) {{\n{body}\n}}");
        assert_eq!(run(&main("int i = 0; while (1) i = !i;"), "", "").0, Outcome::Endless);
        assert_eq!(
            run(&main("int a[2]; return a[2];"), "", ""),
            (Outcome::Fault(Fault::Outside), Some(3))
        );
        assert_eq!(run(&main("int *p = malloc(4); free(p);\nfree(p);"), "", "").1, Some(4));
        // More than 1 MB of output, of which the first character is wrong.
        let prints =
            "#include <stdio.h>\nint main(void) { for (int i = 0; ; i++) printf(\"%d\\n\", i); }";
        assert!(matches!(run(prints, "", "1\n").0, Outcome::Failed(_)));
        let counts = main("unsigned long i = 0; for (;;) i++;");
        assert_eq!(run(&counts, "", "").0, Outcome::Limit(Limit::Steps));
    }

    #[test]
    fn tests_in_comments() {
        let list = in_comments("int x;\n/*! test one\n1 2\n---\n3\n*/\n/*! test\nhello\n*/");
        assert_eq!(list.len(), 2);
        assert_eq!(
            (list[0].name.as_str(), &*list[0].input, &*list[0].expected),
            ("one", &b"1 2\n"[..], &b"3\n"[..])
        );
        assert_eq!(
            (list[1].name.as_str(), list[1].input.len(), &*list[1].expected),
            ("test 2", 0, &b"hello\n"[..])
        );
    }
}
