//! The options that a program is read and checked with: flags beat the directives in its first
//! lines, those beat the defaults.

use crate::util::words;
pub use crate::wire::dialect::Dialect;
use serde::{Deserialize, Serialize};

/// Values of uninitialised globals at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Globals {
    /// All zero.
    Zero,
    /// Arbitrary.
    Any,
}

/// Which built-in checks are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// Array index outside.
    pub bounds: bool,
    /// Division by zero.
    pub division: bool,
    /// Signed overflow.
    pub overflow: bool,
    /// Shift by a negative amount, or by the width or more.
    pub shift: bool,
    /// C: memory on the heap that nothing points to when `main` ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leak: bool,
    /// Threads: two accesses to one place that nothing orders, at least one of them a write.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub race: bool,
    /// C: a variable, an element or a result that is read although nothing gave it a value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub initialised: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Checks { bounds: true, division: true, ..Checks::NONE }
    }
}

impl Checks {
    /// No check is on.
    pub const NONE: Checks = Checks {
        bounds: false,
        division: false,
        overflow: false,
        shift: false,
        leak: false,
        race: false,
        initialised: false,
    };

    /// The names of all checks, as directives and the command line give them.
    pub const NAMES: &str = "bounds, division, overflow, shift, leak, race, initialised";

    /// Reads `none`, or a list of the checks that are on. Errors: the word that is not a check, or
    /// an empty one if there is none.
    pub fn parse(list: &str) -> Result<Checks, String> {
        let mut checks = Checks::NONE;
        if list.trim() == "none" {
            return Ok(checks);
        }
        for word in list.split([',', ' ']).filter(|word| !word.is_empty()) {
            *match word {
                "bounds" => &mut checks.bounds,
                "division" => &mut checks.division,
                "overflow" => &mut checks.overflow,
                "shift" => &mut checks.shift,
                "leak" => &mut checks.leak,
                "race" => &mut checks.race,
                "initialised" => &mut checks.initialised,
                other => return Err(other.to_string()),
            } = true;
        }
        if checks == Checks::NONE { Err(String::new()) } else { Ok(checks) }
    }

    /// The names of those that are on, in the order of `NAMES`.
    pub fn on(&self) -> Vec<&'static str> {
        let &Checks { bounds, division, overflow, shift, leak, race, initialised } = self;
        let on = [bounds, division, overflow, shift, leak, race, initialised];
        Checks::NAMES.split(", ").zip(on).filter(|(_, on)| *on).map(|(name, _)| name).collect()
    }
}

words! {
    /// Widths of C's `long` and of pointers.
    #[derive(Default)]
    pub enum DataModel {
        /// `long`, pointers and `size_t` have twice the bits of `int`.
        #[default]
        Lp64 = "lp64",
        /// They have the bits of `int`.
        Ilp32 = "ilp32",
    }
}

impl DataModel {
    /// Is it the usual one?
    pub fn is_usual(&self) -> bool {
        *self == DataModel::Lp64
    }
}

words! {
    /// Which saturation decides whether a raw pushdown system reaches its target.
    #[derive(Default)]
    pub enum Saturation {
        /// post\* of the initial configurations.
        #[default]
        Post = "post",
        /// pre\* of the target.
        Pre = "pre",
        /// Both in turn, until they meet.
        Both = "both",
    }
}

/// Width of C's `int`, where neither program nor user gives another one.
pub const C_BITS: u32 = 32;
/// Width of `int` in the other languages, where neither program nor user gives one.
pub const CIMPLE_BITS: u32 = 4;

/// What the user asked for; `None` means "not said": then the directive, then the default counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestedOptions {
    /// Language; `None`: it is guessed from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Macros that C's preprocessor is to know from the start: `NAME` or `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// Width of `int`.
    pub bits: Option<u32>,
    /// Uninitialised globals.
    pub globals: Option<Globals>,
    /// Built-in checks.
    pub checks: Option<Checks>,
    /// Only the error on this line counts.
    pub error: Option<u32>,
    /// The only question is whether a run comes to this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<u32>,
    /// A label that is an error besides `error` and `ERROR`.
    pub label: Option<String>,
    /// Of a C program: most objects of each type on the heap at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap: Option<u32>,
    /// Of a C program: how wide `long` and pointers are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<DataModel>,
    /// Of a raw pushdown system: which saturation decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saturation: Option<Saturation>,
    /// Rules beside a C program, besides those that it names itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleText>,
    /// Of a C program: the procedure that starts alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Of a procedure alone: most elements of an array and characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<u32>,
}

/// A rule beside a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// The name of a rule that is built in, or that by which messages call it.
    pub name: String,
    /// Its text; `None` for one that is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl EffectiveOptions {
    /// The width of `int` in force, if nobody asked for it.
    pub fn width(&self) -> Option<u32> {
        self.open_width.then_some(self.bits)
    }
}

/// The options in force, echoed in every report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveOptions {
    /// Language.
    pub dialect: Dialect,
    /// Width of `int`, 1 to 32.
    pub bits: u32,
    /// Is the width of `int` left to Faultline? In C it is, if neither the program nor the user
    /// gives one: then it is [`C_BITS`], and a narrower one where those exceed a budget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open_width: bool,
    /// Uninitialised globals.
    pub globals: Globals,
    /// Built-in checks.
    pub checks: Checks,
    /// Only the error on this line counts.
    pub error: Option<u32>,
    /// The only question is whether a run comes to this line: then that is the only error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<u32>,
    /// A label that is an error besides `error` and `ERROR`.
    pub label: Option<String>,
    /// Most context switches of the threads' analysis, if the program says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// Most objects of each type on the heap at once, if the program takes some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<u32>,
    /// Widths of C's `long` and of pointers.
    #[serde(default, skip_serializing_if = "DataModel::is_usual")]
    pub model: DataModel,
    /// The names of the rules beside a C program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The procedure that starts alone, if somebody asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Most elements of an array, and characters of a text, among the arguments of a procedure that
    /// starts alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<u32>,
}
