//! A formula of linear temporal logic, or termination: question and report.

use crate::util::{Limit, words};
use crate::wire::graph::Point;
use crate::wire::options::EffectiveOptions;
use crate::wire::report::{Analysis, ProofReport, TraceEntry};
use serde::{Deserialize, Serialize};

words! {
    /// The answer.
    pub enum LivenessVerdict {
        /// Every run satisfies it.
        Holds = "holds",
        /// A concrete run does not, for ever; it was replayed.
        Violated = "violated",
        /// A limit was hit.
        Unknown = "unknown",
    }
}

words! {
    /// What a run does once it has come to the end of a lasso's prefix.
    pub enum LassoEnding {
        /// It goes round the cycle.
        Cycle = "cycle",
        /// It is at the end of the program, and stays there.
        End = "end",
        /// The last statement fails, and the run stays there.
        Failure = "failure",
        /// The last statement ends the program, and the run stays there.
        Exit = "exit",
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LivenessAsk {
    /// Does every run satisfy this formula?
    Formula(String),
    /// Does every run end?
    Termination,
}

/// The text of a directive; in a pushdown system it stands behind `#!`.
fn directive_of(line: &str) -> Option<&str> {
    let line = line.trim();
    Some(line.strip_prefix("//!").or_else(|| line.strip_prefix("#!"))?.trim())
}

/// The questions that the directives of a program ask, in order: `//! ltl = FORMULA` and
/// `//! terminates`.
pub fn asked_in(source: &str) -> Vec<LivenessAsk> {
    let directive = |line: &str| {
        let text = directive_of(line)?;
        match text.split_once('=') {
            Some((key, formula)) if key.trim() == "ltl" => {
                Some(LivenessAsk::Formula(formula.trim().to_string()))
            }
            None if text == "terminates" => Some(LivenessAsk::Termination),
            _ => None,
        }
    };
    source.lines().filter_map(directive).collect()
}

/// Does the directive `//! fair` stand in the program?
pub fn is_fair_in(source: &str) -> bool {
    source.lines().any(|line| directive_of(line) == Some("fair"))
}

/// A mistake in a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaMistake {
    /// What is wrong.
    pub message: String,
    /// The first letter that is wrong, counted from 0.
    pub start: u32,
    /// The letter behind it.
    pub end: u32,
}

/// What the page shows of an answer. The words, the picture of the automaton and the JSON text are
/// made beside the engine, so that the page, which everybody loads first, need not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LivenessAnswer {
    /// What can stand in a formula about the program, as it is written there.
    pub atoms: Vec<String>,
    /// What is wrong in the formula, if it cannot be read.
    pub mistake: Option<FormulaMistake>,
    /// Why there is no answer otherwise, in a sentence.
    pub refusal: Option<String>,
    /// The answer.
    pub found: Option<Box<LivenessFound>>,
}

/// An answer, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LivenessFound {
    /// The answer.
    pub verdict: LivenessVerdict,
    /// Did a limit end it that a larger budget moves?
    pub goes_on: bool,
    /// The answer in a sentence.
    pub headline: String,
    /// The formula as it was understood; none for termination.
    pub formula: Option<String>,
    /// What a person should know besides, a sentence each.
    pub told: Vec<String>,
    /// The numbers of the engine, a sentence each.
    pub figures: Vec<String>,
    /// In force.
    pub options: EffectiveOptions,
    /// The run.
    pub lasso: Option<LassoReport>,
    /// What a round leaves on the stack, in a sentence.
    pub growth: String,
    /// The statements (edges) that some run executes which violates what is asked, ascending. Empty
    /// if there is no such run, or a limit was hit first.
    pub violating: Vec<u32>,
    /// The statements that other runs execute, and none of these, ascending.
    pub innocent: Vec<u32>,
    /// The automaton of the formula's negation.
    pub automaton: Option<AutomatonPicture>,
    /// The report as JSON.
    pub json: String,
}

/// An automaton as it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutomatonPicture {
    /// What stands inside the `svg` element.
    pub content: String,
    /// Its extent.
    pub size: Point,
    /// The same in words, a sentence for each state.
    pub spoken: Vec<String>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivenessReport {
    /// [`Analysis::Ltl`] or [`Analysis::Terminates`].
    pub analysis: Analysis,
    /// The answer.
    pub verdict: LivenessVerdict,
    /// The limit that was hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// How a check contradicts the engine, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The formula as it was understood; none for termination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// Do only runs count on which no choice is for ever the same?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    /// In force.
    pub options: EffectiveOptions,
    /// The width of C's `int` that this holds for, where nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// For "holds": was the ranking checked?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// For "violated": the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasso: Option<LassoReport>,
    /// For "violated": what is known of each statement. Empty if a limit was hit first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<LivenessStatement>,
    /// The limit that was hit before the statements were known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements_limit: Option<Limit>,
    /// The automaton of the formula's negation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automaton: Option<AutomatonReport>,
    /// The rounds of the refinement loop, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refinement: Option<Vec<LassoRoundReport>>,
    /// Rounds of the search, or of the refinement loop.
    pub rounds: u64,
    /// Steps of the kernel.
    pub steps: u64,
}

/// A statement of a program of which some run violates what is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivenessStatement {
    /// 1-based.
    pub line: u32,
    /// As in the source; a condition says its outcome: `if (x > 0): true`.
    pub statement: String,
    /// Does some run that violates what is asked execute it?
    pub violating: bool,
    /// Does any run execute it?
    pub reached: bool,
    /// The statement (edge) number; for the page.
    pub edge: u32,
}

/// A run that goes round a cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LassoReport {
    /// The run up to the cycle.
    pub prefix: Vec<TraceEntry>,
    /// One round. Empty if the run has ended and stays in its last state.
    pub cycle: Vec<TraceEntry>,
    /// The calls that one round leaves on the stack, outermost first.
    pub grows: Vec<GrownCall>,
    /// What comes behind the prefix.
    pub ends: LassoEnding,
    /// The states of the run up to the end of the first round.
    pub states: Vec<StateReport>,
    /// The state at which the cycle begins.
    pub from: u32,
    /// The value of each subformula in each state.
    pub table: Vec<FormulaRow>,
}

/// A call that is added to the stack in each round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrownCall {
    /// The procedure that is called.
    pub procedure: String,
    /// Line of the call.
    pub line: u32,
    /// The call, as in the source.
    pub statement: String,
}

/// A state of a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateReport {
    /// The line where the run stands.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// The entry of prefix and cycle (counted through, from 0) whose statement comes next; at the
    /// end of a round, or of the run, the number of entries.
    pub entry: u32,
}

/// A subformula and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaRow {
    /// As text.
    pub formula: String,
    /// By state.
    pub values: Vec<bool>,
}

/// A round of the refinement loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LassoRoundReport {
    /// From 1 on.
    pub round: u32,
    /// Predicates of all places while it ran; those for the automaton's state are among them.
    pub predicates: u32,
    /// The most predicates at one place.
    pub bits: u32,
    /// The abstract run up to its cycle; with `cycle` empty there was none.
    pub prefix: Vec<LassoStep>,
    /// One round of the cycle.
    pub cycle: Vec<LassoStep>,
    /// The cycle cannot be executed so many times behind the prefix, and once less it can; 0 if the
    /// prefix cannot be executed. None if it can be executed for ever, or if there was no lasso.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u64>,
    /// Can the cycle be executed for ever?
    pub real: bool,
    /// Squares of the cycle's relation that were computed, the relation itself included.
    pub squares: u32,
    /// Properties of interpolants that were proved.
    pub proved: u64,
    /// New predicates, one for each place of the source and formula.
    pub added: Vec<AddedPredicate>,
    /// Variables of which every bit is a predicate from then on.
    pub followed: Vec<String>,
}

/// A step of an abstract run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LassoStep {
    /// 1-based.
    pub line: u32,
    /// As in the source; a condition says its outcome: `if (x > 0): true`.
    pub statement: String,
}

/// A predicate that a round has added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedPredicate {
    /// The line of its place.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// As text.
    pub formula: String,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonReport {
    /// By state, state 0 being the start: does it accept?
    pub accepting: Vec<bool>,
    /// Its moves.
    pub moves: Vec<AutomatonMove>,
}

/// A move of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonMove {
    /// From this state.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// On letters of which this holds, as text: `lock != 0 && !fails`.
    pub guard: String,
}

#[cfg(test)]
mod tests {
    use super::{LivenessAsk, asked_in};

    #[test]
    fn directives_ask() {
        let source = "//! bits = 4\n//! ltl = G (x == 1 -> F !x)\n//! terminates\nint x;\n";
        let formula = LivenessAsk::Formula("G (x == 1 -> F !x)".to_string());
        assert_eq!(asked_in(source), [formula, LivenessAsk::Termination]);
        assert!(!super::is_fair_in(source));
        let raw = "#! ltl = G F up\n<p, a> -> <p, a>\n";
        assert_eq!(asked_in(raw), [LivenessAsk::Formula("G F up".to_string())]);
        assert!(super::is_fair_in("//! terminates\n  //!  fair \nint x;\n"));
    }
}
