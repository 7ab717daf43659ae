//! A row of the report: how one submission did.

use serde::{Deserialize, Serialize};

/// Does a submission do what it should?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All tests pass, and no difference from the reference was found.
    Passes,
    /// A test fails, or there is a difference from the reference.
    Fails,
    /// A limit was hit before that was clear, or it differs on an input that may not count.
    Unknown,
    /// It is not read, or is no program.
    Refused,
}

impl Verdict {
    /// All, as reports list them.
    pub const ALL: [Verdict; 4] =
        [Verdict::Passes, Verdict::Fails, Verdict::Unknown, Verdict::Refused];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Passes => "passes",
            Verdict::Fails => "fails",
            Verdict::Unknown => "unknown",
            Verdict::Refused => "refused",
        }
    }
}

/// A line that may be wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// Which, from 1.
    pub line: u32,
    /// How much speaks for it: 1 for the first.
    pub score: f64,
    /// What kind of mistake it is, if a change says so.
    pub kind: Option<String>,
}

/// How a submission did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Whose it is.
    pub name: String,
    /// The program's path in the folder.
    pub file: String,
    /// Does it do what it should?
    pub verdict: Verdict,
    /// The names of the tests that it does not pass.
    pub failed: Vec<String>,
    /// An input on which it fails: the smallest that differs from the reference, or a test's.
    pub input: Option<String>,
    /// What should be printed on it.
    pub expected: Option<String>,
    /// What is printed on it.
    pub output: Option<String>,
    /// Lines that may be wrong, worst first.
    pub suspects: Vec<Suspect>,
    /// What kind of mistake it is.
    pub kind: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// One sentence.
    pub message: String,
    /// How it fails: submissions with equal failed tests and equal ways are one group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub way: String,
}

impl Row {
    /// A row without an answer.
    pub fn new(verdict: Verdict, message: String) -> Row {
        Row {
            name: String::new(),
            file: String::new(),
            verdict,
            failed: vec![],
            input: None,
            expected: None,
            output: None,
            suspects: vec![],
            kind: None,
            seconds: 0.0,
            message,
            way: String::new(),
        }
    }

    /// The lines of the suspects, as text.
    pub fn lines(&self) -> String {
        let lines: Vec<String> = self.suspects.iter().map(|one| one.line.to_string()).collect();
        lines.join(", ")
    }
}
