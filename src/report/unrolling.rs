//! The bounded engine's unrolling as pictures, one for each bound.

use super::bounded::{Question, limit, question};
use super::diagnostics::diagnostics;
use super::executed::Executed;
use crate::draw::layout::layout;
use crate::lang::diagnostic::Diagnostic;
use crate::wire::diagnostic::Severity;
use crate::wire::graph::{BoxKind, Cluster, Graph, GraphArrow, GraphBox, Point, Rectangle};
use crate::wire::lab::{LabOptions, LabReport};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
use crate::wire::unrolling::{MOST_BOUNDS, UnrolledBound, UnrollingEnd};
use faultline_bounded::{self as bounded, Cut, Reason, Unrolling, Verdict};
use std::rc::Rc;

/// Most copies of statements in a picture.
const MOST_COPIES: usize = 300;

/// Unrolls up to k = 1, 2, 3, …, until the bound decides, the pictures become too large, or the
/// time is up.
pub fn unrolling(
    source: &str,
    requested: &RequestedOptions,
    options: &EffectiveOptions,
    asked: LabOptions,
    stop: Rc<dyn Fn() -> bool>,
) -> LabReport {
    let Some(Question { tree, code, checks }) = question(source, requested, options) else {
        let message = "This program is not unrolled";
        let hint = "the bounded engine takes C with `int` of 32 bits that has a `main`, and no \
                    threads, rules, contracts or error labels";
        let one = Diagnostic::new(Severity::Error, Default::default(), message, hint);
        return LabReport::nothing(asked, diagnostics(source, &[one]));
    };
    let told = Executed { source, tree: &tree };
    let mut report = LabReport::nothing(asked, Vec::new());
    for bound in 1..=MOST_BOUNDS {
        let found = bounded::unroll(&tree, &code, checks, bound, MOST_COPIES, Rc::clone(&stop));
        match found {
            Ok(found) => report.bounds.push(drawn(&told, &found)),
            Err(reason) => {
                report.limit = Some(limit(Reason::Limit(reason)));
                break;
            }
        }
        let last = report.bounds.last();
        if last.is_some_and(|last| last.end != UnrollingEnd::Open || last.left_out > 0) {
            break;
        }
    }
    report
}

fn drawn(told: &Executed<'_>, found: &Unrolling) -> UnrolledBound {
    let mut graph = Graph {
        clusters: vec![Cluster {
            name: format!("k = {}", found.bound),
            line: 1,
            frameless: false,
            place: Rectangle::default(),
        }],
        ..Graph::default()
    };
    for (id, copy) in (0..).zip(&found.copies) {
        let is_condition = found.arrows.iter().any(|a| a.from == id && a.truth.is_some());
        graph.boxes.push(GraphBox {
            id,
            cluster: 0,
            line: told.line(copy.point),
            label: label(told, copy),
            kind: match copy.cut {
                Some(_) => BoxKind::Exit,
                None if is_condition => BoxKind::Condition,
                None => BoxKind::Statement,
            },
            statements: Vec::new(),
            stands_for: Vec::new(),
            heads_chain: false,
            place: Rectangle::default(),
        });
    }
    for (statement, arrow) in (0..).zip(&found.arrows) {
        let label = match arrow.truth {
            Some(true) => "true",
            Some(false) => "false",
            None => "",
        };
        graph.arrows.push(GraphArrow {
            from: arrow.from,
            to: arrow.to,
            label: label.into(),
            call: false,
            statement,
            also: Vec::new(),
            points: Vec::new(),
            label_at: Point::default(),
        });
    }
    layout(&mut graph);
    let which = |is: &dyn Fn(&bounded::Copy) -> bool| {
        let all = (0u32..).zip(&found.copies);
        all.filter(|(_, copy)| is(copy)).map(|(id, _)| id).collect::<Vec<u32>>()
    };
    UnrolledBound {
        bound: found.bound,
        graph,
        cut: which(&|copy| copy.cut.is_some()),
        fails: which(&|copy| copy.fails),
        unreached: which(&|copy| !copy.reached),
        left_out: found.left_out,
        nodes: found.nodes as u64,
        variables: found.variables as u64,
        literals: found.literals as u64,
        conflicts: found.conflicts,
        end: match &found.verdict {
            None => UnrollingEnd::Open,
            Some(Verdict::Safe | Verdict::Executed) => UnrollingEnd::Safe,
            Some(Verdict::Fails(_)) => UnrollingEnd::Fails,
            Some(Verdict::Unknown(_)) => UnrollingEnd::Unknown,
        },
        failing: match &found.verdict {
            Some(Verdict::Fails(list)) => list.first().map(|first| {
                let input = String::from_utf8_lossy(&first.given.text);
                (told.line(first.point), input.trim().to_string())
            }),
            _ => None,
        },
        limit: match &found.verdict {
            Some(Verdict::Unknown(reason)) => Some(limit(*reason)),
            _ => None,
        },
    }
}

/// The statement and its round: `i < n · round 2`.
fn label(told: &Executed<'_>, copy: &bounded::Copy) -> String {
    match copy.cut {
        Some(Cut::Rounds) => return "more rounds: not followed".into(),
        Some(Cut::Depth) => return "deeper calls: not followed".into(),
        Some(Cut::Length) => return "longer data: not followed".into(),
        None => {}
    }
    let statement = told.statement(copy.point);
    let rounds: Vec<String> = copy.rounds.iter().map(u32::to_string).collect();
    match rounds.len() {
        0 => statement,
        _ => format!("{statement} · round {}", rounds.join(".")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::wire::lab::LabTask;

    fn unrolled(source: &str) -> LabReport {
        let requested = RequestedOptions::default();
        let (session, _) = Session::load(source, &requested);
        let asked = LabOptions { task: LabTask::Unrolling, ..LabOptions::default() };
        unrolling(source, &requested, session.options(), asked, Rc::new(|| false))
    }

    #[test]
    fn bounds_grow_until_a_run_fails() {
        let report = unrolled(
            "#include <stdio.h>\n#include <assert.h>\nint main(void)\n{\n    int n, i = 0;\n    \
             if (scanf(\"%d\", &n) != 1) return 0;\n    while (i < n)\n        i = i + 1;\n    \
             assert(i != 2);\n}\n",
        );
        let ends: Vec<_> = report.bounds.iter().map(|bound| bound.end).collect();
        assert_eq!(ends, [UnrollingEnd::Open, UnrollingEnd::Fails]);
        let last = &report.bounds[1];
        assert_eq!(last.failing, Some((9, "2".to_string())));
        let labels: Vec<&str> = last.graph.boxes.iter().map(|b| b.label.as_str()).collect();
        assert!(labels.contains(&"i = i + 1 · round 2"), "{labels:?}");
        assert!(labels.contains(&"more rounds: not followed"), "{labels:?}");
        assert!(last.nodes > report.bounds[0].nodes);
        assert!(last.graph.size.x > 50.0 && last.graph.size.y > 200.0);
        assert_eq!(last.fails.len(), 1);
    }

    #[test]
    fn what_is_not_unrolled_is_said() {
        let report = unrolled("//! bits = 8\nint main(void) { return 0; }\n");
        assert!(report.bounds.is_empty() && !report.problems.is_empty(), "{report:?}");
    }
}
