//! A row of the report: how one submission did.

use serde::{Deserialize, Serialize};

/// Does a submission do what it should?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All tests pass, no difference from the reference was found, and no run breaks a rule or a
    /// contract.
    Passes,
    /// A test fails, there is a difference from the reference, or a run breaks what was checked.
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

/// What the engine says of rules, or of a procedure alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// What was asked: the names of the rules, or of the procedure.
    pub asked: String,
    /// Can it fail? Refused: the engine does not read the program.
    pub verdict: Verdict,
    /// Of an unknown: which limit was hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// One sentence or two.
    pub message: String,
    /// What a run breaks, worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Broken>,
}

/// What a run breaks that the engine found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// The kind of error, as a word: `rule`, `contract`, `division`, …
    pub kind: String,
    /// The line at which it is told.
    pub line: u32,
    /// What is wrong, without an end.
    pub message: String,
    /// Of a rule: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Of a rule: what it says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// Of a rule: the state that it was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Of a rule: the call that breaks it; none where the program ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Of a contract: the clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What the failing run reads, if it reads something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What else it takes from outside: arguments, results of procedures without a body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
}

/// A value that a run takes from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// A parameter, a variable, or a procedure without a body.
    pub name: String,
    /// In the program's notation.
    pub value: String,
}

impl Broken {
    /// The kind of mistake: of a rule with its name.
    pub fn mistake(&self) -> String {
        match &self.rule {
            Some(rule) => format!("rule {rule}"),
            None => self.kind.clone(),
        }
    }

    /// In which way it fails: what tells it from other ways, and does not depend on lines or names
    /// of a program.
    pub fn way(&self) -> String {
        match (&self.rule, &self.clause) {
            (Some(rule), _) => {
                let parts: Vec<&str> =
                    [&self.says, &self.state].into_iter().flatten().map(String::as_str).collect();
                format!("rule {rule}: {}", parts.join(", "))
            }
            (None, Some(clause)) => clause.clone(),
            (None, None) => self.kind.clone(),
        }
    }

    /// What the run takes, on one line: `n = 3; input "1 2"`.
    pub fn takes(&self) -> String {
        let mut parts: Vec<String> =
            self.given.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
        parts.extend(self.input.iter().map(|input| format!("input {}", quoted(input))));
        parts.join("; ")
    }
}

/// A text in quotes, on one line and short.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", short.escape_debug().to_string().replace("\\'", "'"))
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
    /// How the tests fail: submissions that fail on equal tests in equal ways are one group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub way: String,
    /// What the engine says of rules, and of a procedure alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// Opens the program in the page, where it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
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
            checked: vec![],
            link: None,
        }
    }

    /// All that runs break, as the engine found it.
    pub fn broken(&self) -> impl Iterator<Item = &Broken> {
        self.checked.iter().flat_map(|checked| &checked.broken)
    }

    /// The kinds of its mistakes, each once.
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = self.kind.iter().cloned().collect();
        for kind in self.broken().map(Broken::mistake) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The lines of the suspects, as text.
    pub fn lines(&self) -> String {
        let lines: Vec<String> = self.suspects.iter().map(|one| one.line.to_string()).collect();
        lines.join(", ")
    }
}
