//! Tests of a program, and its comparison with a reference solution.

use crate::util::words;
use crate::wire::closest::ClosestRun;
use crate::wire::exercise::HiddenTest;
use crate::wire::trace::TraceEntry;
use serde::{Deserialize, Serialize};

words! {
    /// Do all tests pass?
    pub enum TestVerdict {
        /// All.
        Passes = "passes",
        /// One fails.
        Fails = "fails",
        /// A limit was hit before that was clear.
        Unknown = "unknown",
    }
}

words! {
    /// How a test went.
    pub enum TestResult {
        /// As expected.
        Passed = "passed",
        /// Something else was printed, or the exit code is another one.
        Failed = "failed",
        /// The run never ends.
        Endless = "endless",
        /// The run does what no program may do.
        Error = "error",
        /// The run was not at its end when a limit was reached.
        Limit = "limit",
    }
}

words! {
    /// How far two outputs differ.
    pub enum OutputDifference {
        /// Only white space.
        WhiteSpace = "white-space",
        /// The numbers are the same, the words around them are not.
        Words = "words",
        /// What was printed is right, and something is missing.
        Less = "less",
        /// Behind what is right, more was printed.
        More = "more",
        /// Values.
        Values = "values",
        /// The exit code.
        Exit = "exit",
    }
}

words! {
    /// Does the program do what the reference does?
    pub enum Equivalence {
        /// On every input of the domain.
        Equal = "equal",
        /// There is an input on which it does not.
        Different = "different",
        /// No difference was found.
        Unknown = "unknown",
    }
}

/// What is asked about a program with its tests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestsRequest {
    /// The program.
    pub source: String,
    /// The tests; those in comments of the program come first.
    pub tests: Vec<TestText>,
    /// How outputs are compared; empty: byte by byte.
    pub compare: String,
    /// Shall lines be ranked and changes be tried, if a test fails?
    pub explain: bool,
    /// Of an exercise: tests of whose outputs only hashes are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenTest>,
    /// Of an exercise: a solution, which says what they should print; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
}

/// A test as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestText {
    /// Its name.
    pub name: String,
    /// What the program reads.
    pub input: String,
    /// What it should print.
    pub expected: String,
}

impl TestText {
    /// Does it say nothing?
    pub fn is_blank(&self) -> bool {
        self.input.trim().is_empty() && self.expected.trim().is_empty()
    }

    /// With an input whose last line ends: a terminal ends a line before the program reads it.
    pub fn ended(&self) -> TestText {
        let mut test = self.clone();
        if !test.input.is_empty() && !test.input.ends_with('\n') {
            test.input.push('\n');
        }
        test
    }
}

/// The answer to `test`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestsReport {
    /// Do all tests pass?
    pub verdict: TestVerdict,
    /// Each test, in order.
    pub tests: Vec<TestReport>,
    /// Lines that may be wrong, worst first; only where it was asked for and a test fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<SuspectLine>,
    /// Which lines the tests execute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageReport>,
    /// How many changes were tried.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tried: u32,
    /// Were some changes left out, because time or steps ran out?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Is the program in a language whose lines are only ranked: no changes are tried, and no run
    /// is stepped through?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_ranked: bool,
}

/// Lines on which statements start, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageReport {
    /// Some test executes a statement of the line.
    pub reached: Vec<u32>,
    /// No test executes one.
    pub missed: Vec<u32>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestReport {
    /// Its name.
    pub name: String,
    /// How it went.
    pub result: TestResult,
    /// The line to look at first: it printed the first wrong character, should have printed more,
    /// failed, or is the loop that never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it reads.
    pub input: String,
    /// What was expected.
    pub expected: String,
    /// What was printed.
    pub got: String,
    /// How far they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<FirstDifference>,
    /// What the run does that it may not, or why it does not end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    /// The class of an exception that nothing catches, and what it says; or what is not known of
    /// the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// A variable that is read before it has a value, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_value: Option<NoValue>,
    /// The passing run that is closest to it; only where it was asked for and the test fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closest: Option<ClosestRun>,
    /// How many statements were executed.
    pub steps: u64,
    /// Of an exercise: are its texts not shown by themselves?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// The first difference of two outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstDifference {
    /// How far the outputs differ.
    pub kind: OutputDifference,
    /// The line of the output, from 1.
    pub line: u32,
    /// The byte of the output.
    pub at: u32,
    /// The line that was expected.
    pub expected: String,
    /// The line that was printed.
    pub got: String,
}

words! {
    /// What a run does that it may not, and why it is not at its end.
    pub enum RunError {
        /// An assertion does not hold.
        Assertion = "assertion",
        /// Division by zero.
        Division = "division",
        /// A null pointer is followed.
        Null = "null-pointer",
        /// An address leads to no object.
        Wild = "no-object",
        /// A place outside of its object.
        Outside = "outside-object",
        /// Freed memory is used.
        Freed = "freed",
        /// A variable is used after its block was left.
        OutOfScope = "out-of-scope",
        /// A string literal is written.
        ReadOnly = "read-only",
        /// Memory is freed twice.
        FreedTwice = "freed-twice",
        /// What is freed was not allocated.
        InvalidFree = "invalid-free",
        /// `abort` is called.
        Abort = "abort",
        /// Calls nest too deeply.
        Depth = "depth",
        /// What is called is no procedure.
        NoProcedure = "no-procedure",
        /// It throws an exception that nothing catches.
        Exception = "exception",
        /// A limit: the library does something that is not known.
        NotKnown = "not-known",
        /// A limit: the test was not begun when the time was up.
        Time = "time",
        /// A limit: operations.
        Steps = "steps",
        /// A limit: memory.
        Memory = "memory",
        /// A limit: output.
        Output = "output",
    }
}

/// A read of what has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoValue {
    /// The variable; empty if it is none.
    pub name: String,
    /// Where it is read.
    pub line: u32,
}

/// A line that may be wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuspectLine {
    /// Which, from 1.
    pub line: u32,
    /// How much speaks for it: 1 for the first.
    pub score: f64,
    /// What kind of mistake it is, if a change says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// A change with which all tests pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<TextChange>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextChange {
    /// The first byte that is replaced.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// What stands there.
    pub old: String,
    /// What is written instead.
    pub new: String,
}

/// What is asked about a program and its reference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EquivalentRequest {
    /// The program.
    pub source: String,
    /// The reference.
    pub reference: String,
    /// The inputs that count; empty: what the reference reads.
    pub domain: String,
    /// Tests, whose inputs are tried first.
    pub tests: Vec<TestText>,
    /// How outputs are compared; empty: byte by byte.
    pub compare: String,
}

/// The answer to `equivalent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EquivalentReport {
    /// Does the program do what the reference does?
    pub verdict: Equivalence,
    /// An input on which it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What the program prints on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What the reference prints on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The line of the program to look at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How the program's run on it went, as a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestReport>,
    /// How the answer was found: tests, enumeration, random.
    pub method: String,
    /// How many inputs were executed on both sides.
    pub tried: u32,
    /// How many inputs did not count: on them the reference fails, or a run hits a limit.
    pub skipped: u32,
    /// The inputs that count.
    pub domain: String,
    /// Was the domain read off the reference?
    pub inferred: bool,
}

/// The answer to a request with tests, as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestsAnswer {
    /// The tests were run.
    Report(TestsView),
    /// They cannot be run.
    Refused(RefusedView),
}

/// The answer to a comparison with a reference, as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComparedAnswer {
    /// Both were executed.
    Report(ComparedView),
    /// They cannot be compared.
    Refused(RefusedView),
}

words! {
    /// Whose text cannot be read.
    pub enum Whose {
        /// The program's.
        Program = "program",
        /// The reference's.
        Reference = "reference",
        /// The question's: the domain, or that there is no test.
        Question = "question",
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedView {
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// Where; `None` if it is no place in a program.
    pub line: Option<u32>,
    /// Whose text it is about.
    pub whose: Whose,
}

/// A report of tests in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestsView {
    /// Do all tests pass?
    pub verdict: TestVerdict,
    /// How many pass, in one sentence.
    pub headline: String,
    /// Each test, in order.
    pub tests: Vec<TestView>,
    /// Lines that may be wrong, worst first; `None`: nobody asked.
    pub suspects: Option<Vec<SuspectView>>,
    /// What the tests execute, in one sentence; empty: nothing is known.
    pub covered: String,
    /// The lines that no test executes.
    pub missed: Vec<u32>,
    /// How many changes were tried.
    pub tried: u32,
    /// Were some changes left out?
    pub cut: bool,
    /// Is the program in a language whose lines are only ranked: no changes are tried, and no run
    /// is stepped through?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_ranked: bool,
    /// The report as JSON, to take away.
    pub json: String,
}

/// A test in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestView {
    /// Its name.
    pub name: String,
    /// How it went.
    pub result: TestResult,
    /// What is wrong, a sentence each.
    pub told: Vec<String>,
    /// The line of the program to look at first.
    pub line: Option<u32>,
    /// How it compares with the passing run that is closest to it, a sentence each; only beside
    /// suspects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closest: Vec<String>,
    /// What it reads.
    pub input: String,
    /// What was expected.
    pub expected: String,
    /// What was printed.
    pub got: String,
    /// The first wrong line of the output, from 1.
    pub wrong: Option<u32>,
    /// The first wrong byte of the output, if it is printed.
    pub wrong_byte: Option<u32>,
    /// Of an exercise: are its texts not shown by themselves?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// What is asked about one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecuteRequest {
    /// The program.
    pub source: String,
    /// What it reads.
    pub input: String,
    /// The run is over once this byte of the output is printed.
    pub until: Option<u32>,
}

/// A run with an input, statement by statement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExecutedRun {
    /// The statements; of a long run the last.
    pub trace: Vec<TraceEntry>,
    /// What was read and printed before each of them, and after the last.
    pub text: Vec<TextSoFar>,
    /// All that is printed.
    pub output: String,
    /// All that there is to read.
    pub input: String,
    /// Is its first statement the program's first one? Of a long run the last are told.
    pub whole: bool,
}

/// How far a run is with its texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSoFar {
    /// Bytes of the input that were read.
    pub read: u32,
    /// Bytes of the output that were printed.
    pub printed: u32,
}

/// A line that may be wrong, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuspectView {
    /// Which, from 1.
    pub line: u32,
    /// How much speaks for it: 1 for the first.
    pub score: f64,
    /// What kind of mistake it is.
    pub kind: Option<String>,
    /// A change with which all tests pass.
    pub change: Option<String>,
}

/// A comparison with a reference in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedView {
    /// Does the program do what the reference does?
    pub verdict: Equivalence,
    /// The same in one sentence.
    pub headline: String,
    /// The program's run on an input where it does not.
    pub test: Option<TestView>,
    /// The inputs that count.
    pub domain: String,
    /// Was the domain read off the reference?
    pub inferred: bool,
    /// How many inputs did not count: on them the reference fails, or a run hits a limit.
    pub skipped: u32,
}
