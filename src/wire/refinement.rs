//! The refinement loop as the page shows it: what it is asked for, what a run answers, and the
//! plain data of a round, of the abstract program and of a comparison. The engine's part of a round
//! is read off by `report::refinement_reading`.

use crate::util::Limit;
use crate::wire::cegar::{
    DecisionReport, EdgeReport, FormulaReport, NodePlace, NodeReport, PointReport, RoundReport,
    RuleReport,
};
pub use crate::wire::cegar_options::{CegarOptions, CegarPhase, Extent, Heuristic};
use crate::wire::graph::Graph;
use crate::wire::report::{Report, Verdict};
use serde::{Deserialize, Serialize};

/// Most nodes of a DAG that is drawn; a larger one is told in numbers.
pub const MOST_DRAWN: usize = 400;

/// What the page asks of the loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefinementAsk {
    /// As the engine takes it.
    #[serde(flatten)]
    pub options: CegarOptions,
    /// Only the chosen interpolants: the strongest and the weakest are not computed to be looked
    /// at.
    pub terse: bool,
    /// Predicates to begin with: `X = 0@12`, `X even@everywhere`.
    pub predicates: Vec<String>,
    /// Is it the loop of what the program's first directive asks, `//! ltl` or `//! terminates`,
    /// instead of its assertions? Of the other fields it needs none.
    #[serde(rename = "formula")]
    pub of_formula: bool,
}

impl RefinementAsk {
    /// For the engine.
    pub fn options(&self) -> CegarOptions {
        CegarOptions { explain: !self.terse, ..self.options }
    }
}

/// The answer to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefinementReport {
    /// What was asked.
    pub ask: RefinementAsk,
    /// Verdict and run. `None` where there is no program, or where something is wrong with the
    /// predicates.
    pub answer: Option<Report>,
    /// In order; the last one finds no error, or a real one, or was cut short.
    pub rounds: Vec<RoundReport>,
    /// What is wrong with the predicates that were given.
    pub problems: Vec<String>,
    /// Predicates in the end, of all points.
    pub predicates: u64,
    /// What gave the verdict, if there is one.
    #[serde(default)]
    pub decided: Option<DecisionReport>,
    /// In the loop for formulas: the answer in a few words, and how the last round ends.
    #[serde(default)]
    pub said: Vec<String>,
}

/// One round, to be drawn and inspected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundView {
    /// From 1 on.
    pub round: u32,
    /// The DAG's nodes, each part from its top to its bottom.
    pub nodes: Vec<NodeReport>,
    /// Its edges.
    pub edges: Vec<EdgeReport>,
    /// For each of [`RoundView::nodes`]: how many traces pass it (at most 2^64 - 1).
    pub traces: Vec<u64>,
    /// The picture, with places. A box's number is its node's, its cluster the part; empty if there
    /// is no DAG, or a larger one than is drawn.
    pub graph: Graph,
    /// What was added after it.
    pub added: Vec<AddedReport>,
}

/// A predicate that a round added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedReport {
    /// 1-based.
    pub line: u32,
    /// What kind of place it is; neither start nor error.
    pub place: NodePlace,
    /// Whose.
    pub procedure: String,
    /// The predicate.
    pub formula: FormulaReport,
}

/// The abstract program of the last round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AbstractView {
    /// The predicates of every point, with the round that added each.
    pub points: Vec<PointReport>,
    /// Each statement beside what it does to the bits.
    pub rules: Vec<RuleReport>,
}

/// A heuristic on the current program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareRow {
    /// Which.
    pub interpolants: Heuristic,
    /// What came out.
    pub verdict: Verdict,
    /// The limit that ended it, if so.
    pub limit: Option<Limit>,
    /// Refinements.
    pub refinements: u32,
    /// Predicates of all points.
    pub predicates: u64,
    /// Most predicates at one place.
    pub most: u32,
    /// Nodes of the largest DAG.
    pub nodes: u32,
    /// Kernel steps.
    pub steps: u64,
    /// Wall-clock milliseconds.
    pub millis: u64,
}

/// What a paper prints of a figure, to stand beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperTable {
    /// `Fig. 6.2`.
    pub figure: String,
    /// One row for each heuristic that it has numbers of.
    pub rows: Vec<PaperRow>,
    /// Why ours differ, or what the numbers are of.
    #[serde(default)]
    pub note: String,
}

/// A heuristic in a paper's figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperRow {
    /// Which.
    pub interpolants: Heuristic,
    /// Cycles.
    pub refinements: u32,
    /// Most predicates at one place.
    pub most: u32,
    /// Milliseconds, where the paper has a time.
    #[serde(default)]
    pub millis: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_written_flat_and_read_back_by_word() {
        for heuristic in Heuristic::ALL {
            let options = CegarOptions { heuristic, ..CegarOptions::default() };
            let ask = RefinementAsk { options, terse: true, ..RefinementAsk::default() };
            let json = serde_json::to_value(&ask).expect("plain data");
            assert_eq!(json["interpolants"], heuristic.word());
            assert_eq!((&json["shallow"], &json["terse"]), (&false.into(), &true.into()));
            assert_eq!(serde_json::from_value::<RefinementAsk>(json).expect("read"), ask);
        }
        let old = r#"{"interpolants":"weakest","shallow":true,"predicates":["x = 0@3"]}"#;
        let ask: RefinementAsk = serde_json::from_str(old).expect("read");
        assert_eq!(
            (ask.options.heuristic, ask.options.extent, ask.options.max_rounds),
            (Heuristic::Weakest, Extent::FirstError, CegarOptions::default().max_rounds)
        );
        assert!(ask.options().explain && ask.predicates.len() == 1);
    }
}
