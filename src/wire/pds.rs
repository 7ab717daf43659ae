//! What `faultline pds` answers: the automata of a saturation without their pictures, and the
//! answers to the questions that were asked of them.

use crate::util::Limit;
use crate::wire::lab::{LabAnswer, LabRole, LabTask, LabWitness};
use crate::wire::options::EffectiveOptions;
use serde::Serialize;

/// The whole answer. The keys are stable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PdsReport {
    /// `pds`.
    pub analysis: &'static str,
    /// In force.
    pub options: EffectiveOptions,
    /// `post`, `pre` or `transducer`.
    pub saturate: LabTask,
    /// The set that was saturated.
    pub set: String,
    /// What the weights are.
    pub weights: String,
    /// One; of a transducer `A_pop`, `A_grow` and the transducer.
    pub automata: Vec<PdsAutomaton>,
    /// The weight of `--weight`, or of `--from` and `--to`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<LabAnswer>,
    /// Of `--witness-of`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<LabWitness>,
    /// Whole sentences.
    pub notes: Vec<String>,
    /// The limit that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Is there more to a weight than "there is a run"? For the text.
    #[serde(skip)]
    pub weighted: bool,
    /// The rules by number, as the text writes them.
    #[serde(skip)]
    pub rules: Vec<String>,
}

/// An automaton without its picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PdsAutomaton {
    /// `post*`, `pre*`, `A_pop`, `A_grow`, `transducer`.
    pub title: String,
    /// Is it saturated?
    pub complete: bool,
    /// Transitions looked at.
    pub steps: u32,
    /// By number.
    pub states: Vec<PdsState>,
    /// By number.
    pub transitions: Vec<PdsTransition>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PdsState {
    /// In words.
    pub name: String,
    /// What it stands for.
    pub role: LabRole,
    /// Does a configuration end here?
    pub accepting: bool,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PdsTransition {
    /// Number of a state.
    pub from: u32,
    /// `ε`, a symbol, or `input/output`.
    pub symbol: String,
    /// Number of a state.
    pub to: u32,
    /// In words.
    pub weight: String,
    /// Was it there before saturation?
    pub given: bool,
}
