//! `faultline cegar`: the refinement loop, round by round.

use super::arguments::{Cegar, Format};
use super::clock::Clock;
use super::console;
use super::text::{self, Style};
use crate::draw::refinement::{decided, named_first};
use crate::draw::words;
use crate::report::cegar::cegar_report;
use crate::report::cegar_seed::seed;
use crate::report::json;
use crate::session::CegarSession;
use crate::wire::cegar::{
    CegarReport, Decider, DecisionReport, FormulaReport, NodePlace, NodeReport, RoundReport,
};
use crate::wire::refinement::CegarOptions;
use crate::wire::refinement::Extent;
use crate::wire::report::Verdict;
use std::fmt::Write;

/// Runs the loop and prints the report. The exit codes are those of `check`.
pub(super) fn print(arguments: &Cegar) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    let (mut session, source) = console::load(common)?;
    let program = console::program(
        &session,
        "`cegar` abstracts the data of programs; a raw pushdown system has none",
    )?;
    let options = CegarOptions {
        heuristic: arguments.interpolants.unwrap_or(CegarOptions::default().heuristic),
        lazy: arguments.lazy,
        extent: if arguments.shallow { Extent::FirstError } else { Extent::All },
        slice: arguments.slice,
        project: arguments.project,
        follow: arguments.interpolants.is_none() && !arguments.only_predicates,
        explain: arguments.explain,
        max_rounds: arguments.max_rounds,
    };
    let mut cegar = CegarSession::new(program, session.options().error, options, common.budgets());
    for predicate in &arguments.predicates {
        seed(&mut cegar, predicate).map_err(|complaint| format!("faultline: {complaint}\n"))?;
    }
    let clock = Clock::new(common, &mut session);
    clock.run(&mut cegar);
    let time_left = || !clock.is_over();
    let explain = arguments.explain.then_some(&time_left as &dyn Fn() -> bool);
    let report = cegar_report(&mut cegar, session.options(), options, explain);
    let printed = match common.format {
        Format::Json => json::render(&report),
        _ => text::render(&report.report, &source, &[], Style::of_output()) + &rounds(&report),
    };
    console::print(&printed)?;
    let open = report.report.verdict == Verdict::Unknown;
    console::suggest_width(&report.report.options, report.report.limit.filter(|_| open));
    Ok(report.report.verdict)
}

/// The rounds as a table; with `--explain` also interpolants, predicates and abstract statements.
fn rounds(report: &CegarReport) -> String {
    let mut out = String::new();
    let refinements = report.rounds.iter().filter(|round| round.is_refined()).count() as u64;
    let most = report.rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0);
    let _ = writeln!(
        out,
        "\n{} with {} interpolants; at most {} at a place\n",
        words::counted(refinements, "refinement"),
        report.refinement.heuristic,
        words::counted(most.into(), "predicate")
    );
    let _ = writeln!(out, "  round   bits  DAG nodes   traces      added  spurious");
    for round in report.rounds.iter().filter(|round| round.follows.is_none()) {
        let _ = writeln!(
            out,
            "  {:>5}  {:>5}  {:>9}  {:>7}  {:>9}  {}",
            round.round,
            round.bits,
            round.dag_nodes,
            round.traces,
            round.predicates_added,
            is_spurious(round)
        );
    }
    out += &following(&report.rounds, report.decided.as_ref());
    for node in report.interpolants.iter().flatten() {
        if node.place == NodePlace::Start {
            let _ = writeln!(out, "\nround {}: strongest, weakest, chosen", node.round);
        }
        let _ = writeln!(out, "{}", interpolants(node));
    }
    if let Some(points) = &report.predicates {
        let _ = writeln!(out, "\npredicates (the round that added them)");
        for point in points {
            let _ = writeln!(
                out,
                "  line {} ({}, {}) {}",
                point.line, point.procedure, point.place, point.statement
            );
            for (bit, predicate) in point.predicates.iter().enumerate() {
                let _ = writeln!(
                    out,
                    "    b{} = [{}] ({})",
                    bit + 1,
                    predicate.formula.text,
                    predicate.round
                );
            }
        }
    }
    if let Some(rules) = &report.abstract_rules {
        let _ = writeln!(out, "\nstatements and what they do to the bits");
        for rule in rules {
            let _ =
                writeln!(out, "  line {}  {}  [{}]", rule.line, rule.concrete, rule.relation.text);
        }
    }
    if let Some(limit) = report.unexplained {
        let _ = writeln!(out, "\nThe explanation is not whole: {}.", words::limit_sentence(limit));
    }
    out
}

/// The rounds that follow variables; empty if there is none.
fn following(rounds: &[RoundReport], decision: Option<&DecisionReport>) -> String {
    let mut out = String::new();
    let Some(first) = rounds.iter().position(|round| round.follows.is_some()) else { return out };
    let seeded = named_first(&rounds[first - 1].followed);
    let named = if seeded.is_empty() { "none".to_string() } else { seeded };
    let _ = writeln!(
        out,
        "\nPredicates have had their share. From round {} on, whole variables are followed, at first \
        those that predicates mention: {named}.\n",
        rounds[first].round
    );
    let _ = writeln!(out, "  round  variables  DAG nodes  spurious  followed as well from then on");
    for round in &rounds[first..] {
        let row = format!(
            "  {:>5}  {:>9}  {:>9}  {:<8}  {}",
            round.round,
            round.follows.unwrap_or_default(),
            round.dag_nodes,
            is_spurious(round),
            named_first(&round.followed)
        );
        let _ = writeln!(out, "{}", row.trim_end());
    }
    if let Some(decision) = decision.filter(|decision| decision.by == Decider::Followed) {
        let _ = writeln!(out, "\n{}", decided(decision));
    }
    out
}

fn is_spurious(round: &RoundReport) -> &'static str {
    match round.spurious {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}

fn interpolants(node: &NodeReport) -> String {
    let text = |formula: &Option<FormulaReport>| {
        formula.as_ref().map_or("-".to_string(), |formula| format!("[{}]", formula.text))
    };
    let place = match node.place {
        NodePlace::Location => format!("line {}", node.line),
        NodePlace::Pivot => format!("call, line {}", node.line),
        NodePlace::Start | NodePlace::Returned | NodePlace::Error => node.place.to_string(),
    };
    let chosen =
        if node.chosen.is_empty() { "-".to_string() } else { format!("[{}]", node.readable) };
    format!(
        "  {:>3}  {} {place}: {}, {}, {chosen}",
        node.node,
        node.procedure,
        text(&node.strongest),
        text(&node.weakest)
    )
}
