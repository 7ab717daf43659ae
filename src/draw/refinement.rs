//! Readings of a round of the refinement loop: its steps on the timeline, which nodes lie on a
//! trace together, short names of places, and what a statement does to the abstract bits.

use crate::draw::words::counted;
use crate::wire::cegar::{
    Decider, DecisionReport, NodePlace, NodeReport, PhaseReport, RefinedReport, RoundReport,
};
use crate::wire::refinement::{CegarPhase, RoundView};
use std::collections::BTreeSet;

/// So many names of variables are told; of the others, how many there are.
const MOST_NAMED: usize = 12;

/// The first names of a list: `x, y, main::z and 14 more`.
pub fn named_first(names: &[String]) -> String {
    match names.len().saturating_sub(MOST_NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..MOST_NAMED].join(", ")),
    }
}

/// The variables that a round follows: those of all rounds before it, in the order in which they
/// were found.
pub fn followed_in(rounds: &[RoundReport], round: u32) -> Vec<String> {
    let before = rounds.iter().filter(|other| other.round < round);
    before.flat_map(|other| other.followed.iter().cloned()).collect()
}

/// What gave a verdict, as a sentence.
pub fn decided(decision: &DecisionReport) -> String {
    let DecisionReport { by, predicates, followed, variables } = *decision;
    match by {
        Decider::Predicates if predicates == 0 => "Decided without any predicate.".into(),
        Decider::Predicates => format!("Decided by {}.", counted(predicates, "predicate")),
        Decider::Followed if followed == variables => {
            format!("Decided by following all {variables} variables, so without any abstraction.")
        }
        Decider::Followed => {
            format!("Decided by following {followed} of {variables} variables.")
        }
        Decider::Distances => format!(
            "Decided by the distances between {followed} variables: nothing else of them matters. \
             The proof is about these distances."
        ),
        Decider::Execution => "Decided by executing the program.".into(),
        Decider::Summary => {
            "This holds for any number of objects on the heap: any two of each type were told \
             apart, and nothing was assumed of the others."
                .into()
        }
    }
}

/// Why another method than the usual one decided.
const TOO_LONG: &str = "Following the values of all variables took too long.";

/// Who decided, where following all values did not come to an end: "Following the values of all
/// variables took too long. Refinement decided, in 7 rounds, by following 44 of 64 variables."
pub fn decided_instead(refined: &RefinedReport) -> String {
    match &refined.decided {
        Some(decision) if decision.by == Decider::Distances => {
            return format!("{TOO_LONG} {}", decided(decision));
        }
        Some(decision) if matches!(decision.by, Decider::Summary | Decider::Execution) => {
            return decided(decision);
        }
        _ => {}
    }
    let rounds = counted(refined.rounds.into(), "round");
    let how = refined.decided.as_ref().map_or_else(String::new, |decision| {
        decided(decision).trim_start_matches("Decided").trim_end_matches('.').to_string()
    });
    format!("{TOO_LONG} Refinement decided, in {rounds},{how}.")
}

/// A step of the timeline: a round and one of its phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundStep {
    /// From 1 on.
    pub round: u32,
    /// Which phase.
    pub phase: CegarPhase,
    /// Kernel steps that it took.
    pub steps: u64,
}

/// The timeline of some rounds.
pub fn timeline(rounds: &[RoundReport]) -> Vec<RoundStep> {
    let steps = |round: &RoundReport| {
        let number = round.round;
        let step = move |phase: &PhaseReport| RoundStep {
            round: number,
            phase: phase.phase,
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
        let mut seen = BTreeSet::from([node]);
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
        line > 0 && node.line == line && !matches!(node.place, NodePlace::Start | NodePlace::Error)
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
    match node.place {
        NodePlace::Location => node.line.to_string(),
        NodePlace::Pivot => format!("call {}", node.line),
        NodePlace::Returned => format!("end of {}", node.procedure),
        NodePlace::Start | NodePlace::Error => node.place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::cegar::{EdgeAction, EdgeReport};
    use crate::wire::graph::Graph;

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
    fn followed_variables_and_decisions_are_told_in_words() {
        let names: Vec<String> = (0..15).map(|k| format!("x{k}")).collect();
        assert_eq!(named_first(&names[..2]), "x0, x1");
        assert!(named_first(&names).ends_with("x11 and 3 more"));
        let decision = |by, followed| DecisionReport { by, predicates: 3, followed, variables: 9 };
        assert_eq!(decided(&decision(Decider::Predicates, 0)), "Decided by 3 predicates.");
        let followed = |count| decided(&decision(Decider::Followed, count));
        assert_eq!(followed(4), "Decided by following 4 of 9 variables.");
        assert!(followed(9).starts_with("Decided by following all 9 variables"));
        let refined = RefinedReport { rounds: 7, decided: Some(decision(Decider::Followed, 4)) };
        assert_eq!(
            decided_instead(&refined),
            "Following the values of all variables took too long. Refinement decided, in 7 \
             rounds, by following 4 of 9 variables."
        );
    }

    #[test]
    fn what_lies_on_a_trace_with_a_node_is_above_and_below_it() {
        let edge = |from, to| EdgeReport {
            round: 1,
            from,
            to,
            action: EdgeAction::Execute,
            statement: String::new(),
            outcome: String::new(),
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
        let phase = |word| PhaseReport { phase: word, steps: 7, said: Vec::new() };
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
            follows: None,
            followed: Vec::new(),
        };
        let steps = timeline(&[
            round(1, vec![phase(CegarPhase::Abstract), phase(CegarPhase::Check)]),
            round(2, vec![phase(CegarPhase::Abstract)]),
        ]);
        let told: Vec<(u32, &str)> =
            steps.iter().map(|step| (step.round, step.phase.word())).collect();
        assert_eq!(told, [(1, "abstract"), (1, "check"), (2, "abstract")]);
    }
}
