//! The refinement loop as the page shows it: what it is asked for, what a run answers, and the
//! plain data of a round, of the abstract program and of a comparison. The engine's part of a round
//! is read off by `report::refinement_reading`.

use crate::util::Limit;
use crate::wire::cegar::{
    EdgeReport, FormulaReport, NodeReport, PointReport, RoundReport, RuleReport,
};
use crate::wire::graph::Graph;
use crate::wire::report::{Report, Verdict};
use serde::{Deserialize, Serialize};

/// Most nodes of a DAG that is drawn; a larger one is told in numbers.
pub const MOST_DRAWN: usize = 400;

/// Word, name and meaning of each heuristic, in the order of the thesis.
pub const HEURISTICS: [(&str, &str, &str); 6] = [
    (
        "strongest",
        "strongest",
        "What holds there on the traces: images of the statements, from the top down",
    ),
    ("weakest", "weakest", "What must not hold for an error: pre-images, from the bottom up"),
    ("both", "both", "The strongest and the weakest, two predicates at each place"),
    (
        "conciliated",
        "conciliated",
        "The weakest, without the bits that the strongest does not speak of",
    ),
    ("skip", "assume skip", "A statement is taken for a skip where the strongest allows that"),
    ("skip-conciliated", "assume skip, conciliated", "Both of these; the default"),
];

/// What the loop is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefinementAsk {
    /// A word of [`HEURISTICS`].
    pub interpolants: String,
    /// No predicates where abstract values already suffice.
    pub lazy: bool,
    /// Only to the first rank with an error.
    pub shallow: bool,
    /// Sliced first.
    pub slice: bool,
    /// Each round stays inside the error projection of the one before.
    pub project: bool,
    /// Only the chosen interpolants: the strongest and the weakest are not computed to be looked
    /// at.
    pub terse: bool,
    /// Predicates to begin with: `X = 0@12`, `X even@everywhere`.
    pub predicates: Vec<String>,
}

impl Default for RefinementAsk {
    fn default() -> RefinementAsk {
        RefinementAsk {
            interpolants: Heuristic::SkipConciliated.word().to_string(),
            lazy: false,
            shallow: false,
            slice: false,
            project: false,
            terse: false,
            predicates: Vec::new(),
        }
    }
}

impl RefinementAsk {
    /// For the engine. An unknown word is the default heuristic.
    pub fn options(&self) -> CegarOptions {
        let usual = CegarOptions::default();
        CegarOptions {
            heuristic: Heuristic::from_word(&self.interpolants).unwrap_or(usual.heuristic),
            lazy: self.lazy,
            extent: if self.shallow { Extent::FirstError } else { Extent::All },
            slice: self.slice,
            project: self.project,
            explain: !self.terse,
            ..usual
        }
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
    /// `location`, `pivot` or `returned`.
    pub place: String,
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
    /// Its word.
    pub interpolants: String,
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
    /// A word of [`HEURISTICS`].
    pub interpolants: String,
    /// Cycles.
    pub refinements: u32,
    /// Most predicates at one place.
    pub most: u32,
    /// Milliseconds, where the paper has a time.
    #[serde(default)]
    pub millis: Option<u64>,
}

/// A step of the timeline: a round and one of its phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundStep {
    /// From 1 on.
    pub round: u32,
    /// Its word.
    pub phase: String,
    /// Kernel steps that it took.
    pub steps: u64,
}

/// The timeline of some rounds.
pub fn timeline(rounds: &[RoundReport]) -> Vec<RoundStep> {
    let steps = |round: &RoundReport| {
        let number = round.round;
        let step = move |phase: &crate::wire::cegar::PhaseReport| RoundStep {
            round: number,
            phase: phase.phase.clone(),
            steps: phase.steps,
        };
        round.phases.iter().map(step).collect::<Vec<_>>()
    };
    rounds.iter().flat_map(steps).collect()
}

/// Which nodes and edges lie on a trace with a node: positions of nodes by number, and of edges in
/// the list.
pub fn together(view: &RoundView, node: u32) -> (Vec<u32>, Vec<usize>) {
    let mut nodes = vec![node];
    let mut edges = Vec::new();
    // Once down, once up; calls lead over bodies, whose own nodes are on traces of their own.
    for forward in [true, false] {
        let mut open = vec![node];
        let mut seen = std::collections::BTreeSet::from([node]);
        while let Some(at) = open.pop() {
            for (i, edge) in view.edges.iter().enumerate() {
                let (here, next) =
                    if forward { (edge.from, edge.to) } else { (edge.to, edge.from) };
                if here == at {
                    edges.push(i);
                    if seen.insert(next) {
                        nodes.push(next);
                        open.push(next);
                    }
                }
            }
        }
    }
    nodes.sort_unstable();
    edges.sort_unstable();
    edges.dedup();
    (nodes, edges)
}

/// The nodes that stand for a line, in the order of the parts, each from its top to its bottom.
pub fn nodes_of_line(view: &RoundView, line: u32) -> Vec<u32> {
    let here = |node: &&NodeReport| {
        line > 0 && node.line == line && !matches!(node.place.as_str(), "start" | "error")
    };
    view.nodes.iter().filter(here).map(|node| node.node).collect()
}

/// What a statement does to the bits, said as statements where its relation is a plain conjunction:
/// `assume b1`, `b2 := true`, `b1 := b2`. `None` where it is not, or where the stack below takes
/// part: the relation then stands for itself.
pub fn abstract_statements(relation: &str) -> Option<Vec<String>> {
    let is_bit = |text: &str| {
        text.strip_prefix('b')
            .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
    };
    let next = |text: &str| text.strip_suffix('\'').filter(|bit| is_bit(bit)).map(str::to_string);
    let (mut assumed, mut assigned) = (Vec::new(), Vec::new());
    for conjunct in relation.split(" ∧ ") {
        let (negated, plain) = match conjunct.strip_prefix('¬') {
            Some(plain) => (true, plain),
            None => (false, conjunct),
        };
        match conjunct.split_once(" = ").or(conjunct.split_once(" ≠ ")) {
            _ if is_bit(plain) => assumed.push(format!("assume {conjunct}")),
            None => assigned.push(format!("{} := {}", next(plain)?, !negated)),
            Some((left, right)) => {
                let not = if conjunct.contains('≠') { "¬" } else { "" };
                match (next(left), next(right)) {
                    (None, Some(target)) if is_bit(left) => {
                        assigned.push(format!("{target} := {not}{left}"))
                    }
                    (Some(target), None) if is_bit(right) => {
                        assigned.push(format!("{target} := {not}{right}"))
                    }
                    _ => return None,
                }
            }
        }
    }
    // Two statements about one bit would be read as done one after the other.
    let target = |text: &String| text.split(" := ").next().map(str::to_string);
    let mut targets: Vec<Option<String>> = assigned.iter().map(target).collect();
    targets.sort_unstable();
    let once = targets.windows(2).all(|pair| pair[0] != pair[1]);
    once.then(|| assumed.into_iter().chain(assigned).collect())
}

/// A node's place in a few characters: `12`, `call 12`, `start`, `error`, `end of f`.
pub fn short_place(node: &NodeReport) -> String {
    match node.place.as_str() {
        "location" => node.line.to_string(),
        "pivot" => format!("call {}", node.line),
        "returned" => format!("end of {}", node.procedure),
        other => other.to_string(),
    }
}

/// A way to choose interpolants. Whatever is chosen lies between the strongest and the weakest and
/// is tracked along every edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heuristic {
    /// The strongest everywhere (6.2).
    Strongest,
    /// The weakest everywhere (6.2).
    Weakest,
    /// Both the strongest and the weakest (6.2.2).
    Both,
    /// Bottom-up weakest ones, in which what the strongest does not mention is quantified out
    /// (6.3). It quantifies bits of variables.
    Conciliated,
    /// A statement is taken for a skip where the strongest interpolant allows that (6.4).
    Skip,
    /// First [`Heuristic::Skip`], then conciliated (6.5).
    SkipConciliated,
}

impl Heuristic {
    /// All six, in the order of the thesis.
    pub const ALL: [Heuristic; 6] = [
        Heuristic::Strongest,
        Heuristic::Weakest,
        Heuristic::Both,
        Heuristic::Conciliated,
        Heuristic::Skip,
        Heuristic::SkipConciliated,
    ];

    /// The stable word of the command line's contract.
    pub fn word(self) -> &'static str {
        match self {
            Heuristic::Strongest => "strongest",
            Heuristic::Weakest => "weakest",
            Heuristic::Both => "both",
            Heuristic::Conciliated => "conciliated",
            Heuristic::Skip => "skip",
            Heuristic::SkipConciliated => "skip-conciliated",
        }
    }

    /// The heuristic of this word.
    pub fn from_word(word: &str) -> Option<Heuristic> {
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.word() == word)
    }
}

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To all reachable configurations.
    All,
    /// To the first rank with an error (thesis, 8.1.1).
    FirstError,
}

/// What the loop is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CegarOptions {
    /// Which interpolants become predicates.
    pub heuristic: Heuristic,
    /// No predicates where the abstract values already imply the interpolant (thesis, 8.3).
    pub lazy: bool,
    /// How far the abstract program is explored (thesis, 8.1).
    pub extent: Extent,
    /// Statements outside of the slice of the errors do anything to what they write (thesis, 1.4).
    pub slice: bool,
    /// Each round stays on the rules that can lead to an error in the round before (Lal, Kidd,
    /// Reps, Touili 2007, 7.1).
    pub project: bool,
    /// The strongest and the weakest interpolants are kept beside the chosen ones, to be looked at.
    pub explain: bool,
    /// Most refinements; more is [`Limit::Rounds`].
    pub max_rounds: u32,
}

impl Default for CegarOptions {
    fn default() -> CegarOptions {
        let heuristic = Heuristic::SkipConciliated;
        CegarOptions {
            heuristic,
            lazy: false,
            extent: Extent::All,
            slice: false,
            project: false,
            explain: false,
            max_rounds: 1_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heuristic_has_a_name_and_its_word_is_read() {
        for (heuristic, (word, name, what)) in Heuristic::ALL.iter().zip(HEURISTICS) {
            assert_eq!(heuristic.word(), word);
            assert!(!name.is_empty() && !what.is_empty());
            assert_eq!(
                RefinementAsk { interpolants: word.into(), ..RefinementAsk::default() }
                    .options()
                    .heuristic,
                *heuristic
            );
        }
        assert_eq!(RefinementAsk::default().options().heuristic, CegarOptions::default().heuristic);
    }

    #[test]
    fn a_conjunction_over_bits_is_said_as_statements_and_nothing_else_is() {
        let said =
            |relation: &str| abstract_statements(relation).map(|statements| statements.join("; "));
        assert_eq!(said("b1").as_deref(), Some("assume b1"));
        assert_eq!(said("b1' ∧ ¬b2").as_deref(), Some("assume ¬b2; b1 := true"));
        assert_eq!(said("b1 = b2' ∧ ¬b1'").as_deref(), Some("b2 := b1; b1 := false"));
        assert_eq!(said("b12' ≠ b3").as_deref(), Some("b12 := ¬b3"));
        for other in [
            "b1 ∨ b2'",
            "(b1 ∧ b2') ∨ b3",
            "b1' ∧ b1 = b1 below",
            "b1 = b2",
            "b1' = b2'",
            "b1' ∧ b1' = b2",
            "3 of 8 stores",
            "true",
        ] {
            assert_eq!(said(other), None, "{other}");
        }
    }

    #[test]
    fn what_lies_on_a_trace_with_a_node_is_above_and_below_it() {
        let edge = |from, to| EdgeReport {
            round: 1,
            from,
            to,
            action: "execute".into(),
            statement: String::new(),
            body: None,
        };
        // Two ways from 0 to 4 that share their last edge, and a body apart.
        let edges = vec![edge(0, 1), edge(1, 3), edge(0, 2), edge(2, 3), edge(3, 4), edge(5, 6)];
        let view = RoundView {
            round: 1,
            nodes: Vec::new(),
            edges,
            traces: Vec::new(),
            graph: Graph::default(),
            added: Vec::new(),
        };
        assert_eq!(together(&view, 1), (vec![0, 1, 3, 4], vec![0, 1, 4]));
        assert_eq!(together(&view, 3), (vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]));
        assert_eq!(together(&view, 6), (vec![5, 6], vec![5]));
    }

    #[test]
    fn the_timeline_has_every_phase_of_every_round_in_order() {
        let phase = |word: &str| crate::wire::cegar::PhaseReport { phase: word.into(), steps: 7 };
        let round = |number, phases| RoundReport {
            round: number,
            predicates_added: 0,
            max_predicates: 0,
            bits: 0,
            rules_abstracted: 0,
            ranks: 0,
            dag_nodes: 0,
            dag_edges: 0,
            traces: 0,
            spurious: None,
            proved: 0,
            phases,
        };
        let steps = timeline(&[
            round(1, vec![phase("abstract"), phase("check")]),
            round(2, vec![phase("abstract")]),
        ]);
        let told: Vec<(u32, &str)> =
            steps.iter().map(|step| (step.round, step.phase.as_str())).collect();
        assert_eq!(told, [(1, "abstract"), (1, "check"), (2, "abstract")]);
    }
}
