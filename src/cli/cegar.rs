//! `faultline cegar`: the refinement loop, round by round.

use super::arguments::{Cegar, Format, HeuristicName};
use super::text;
use crate::analysis::cegar::heuristic::Heuristic;
use crate::analysis::cegar::round::CegarOptions;
use crate::analysis::cegar::search::Extent;
use crate::draw::words;
use crate::report::cegar::{CegarReport, FormulaReport, NodeReport, cegar_report};
use crate::report::cegar_seed::seed;
use crate::session::{CegarSession, Job};
use crate::util::Limit;
use crate::wire::report::Verdict;
use std::fmt::Write;
use std::io::IsTerminal;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Runs and prints. Exit codes as of `check`.
pub(super) fn print(arguments: &Cegar) -> Result<Verdict, String> {
    let common = &arguments.common;
    if let Format::Dot | Format::Svg = common.format {
        return Err(
            "faultline: dot and svg are formats of `faultline graph`; a report is text or json\n"
                .to_string(),
        );
    }
    let (session, source) = super::load(common)?;
    let Some(program) = session.program() else {
        return Err(
            "faultline: `cegar` abstracts the data of programs; a raw pushdown system has none\n"
                .to_string(),
        );
    };
    let options = CegarOptions {
        heuristic: arguments.interpolants.into(),
        lazy: arguments.lazy,
        extent: if arguments.shallow { Extent::FirstError } else { Extent::All },
        slice: arguments.slice,
        project: arguments.project,
        explain: arguments.explain,
        max_rounds: arguments.max_rounds,
    };
    let program = Rc::new(program.clone());
    let mut cegar = CegarSession::new(program, session.options().error, options, common.budgets());
    for predicate in &arguments.predicates {
        seed(&mut cegar, predicate).map_err(|complaint| format!("faultline: {complaint}\n"))?;
    }
    run(&mut cegar, common.timeout);
    let report = cegar_report(&mut cegar, session.options(), options, arguments.explain);
    let printed = match common.format {
        Format::Json => super::json::render(&report),
        _ => {
            let style =
                text::Style { colour: std::io::stdout().is_terminal() && super::colours_wanted() };
            text::render(&report.report, &source, &[], style) + &rounds(&report)
        }
    };
    super::print(&printed);
    Ok(report.report.verdict)
}

/// To the end, or until the time is up.
fn run(cegar: &mut CegarSession, timeout: Option<f64>) {
    let alarm = Arc::new(AtomicBool::new(false));
    cegar.set_alarm(Arc::clone(&alarm));
    let end = timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let (finished, waiting) = channel::<()>();
    let timer = end.map(|end| {
        let alarm = Arc::clone(&alarm);
        thread::spawn(move || {
            let rest = end.saturating_duration_since(Instant::now());
            if waiting.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                alarm.store(true, Ordering::Relaxed);
            }
        })
    });
    while !cegar.step() {
        if end.is_some_and(|end| Instant::now() >= end) {
            cegar.stop(Limit::Time);
        }
    }
    drop(finished);
    if let Some(timer) = timer {
        // It has nothing to say, and what it could fail at leaves the alarm off.
        let _ = timer.join();
    }
    alarm.store(false, Ordering::Relaxed);
}

/// The rounds as a table; with `--explain` what they are made of.
fn rounds(report: &CegarReport) -> String {
    let mut out = String::new();
    let refinements =
        report.rounds.iter().filter(|round| round.predicates_added > 0).count() as u64;
    let most = report.rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0);
    let _ = writeln!(
        out,
        "\n{} with {} interpolants; at most {} at a place\n",
        words::counted(refinements, "refinement"),
        report.refinement.interpolants,
        words::counted(most.into(), "predicate")
    );
    let _ = writeln!(out, "  round   bits  DAG nodes   traces      added  spurious");
    for round in &report.rounds {
        let spurious = match round.spurious {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        let _ = writeln!(
            out,
            "  {:>5}  {:>5}  {:>9}  {:>7}  {:>9}  {spurious}",
            round.round, round.bits, round.dag_nodes, round.traces, round.predicates_added
        );
    }
    for node in report.interpolants.iter().flatten() {
        if node.place == "start" {
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
    out
}

fn interpolants(node: &NodeReport) -> String {
    let text = |formula: &Option<FormulaReport>| {
        formula.as_ref().map_or("-".to_string(), |formula| format!("[{}]", formula.text))
    };
    let place = match node.place.as_str() {
        "location" => format!("line {}", node.line),
        "pivot" => format!("call, line {}", node.line),
        other => other.to_string(),
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

impl From<HeuristicName> for Heuristic {
    fn from(name: HeuristicName) -> Heuristic {
        match name {
            HeuristicName::Strongest => Heuristic::Strongest,
            HeuristicName::Weakest => Heuristic::Weakest,
            HeuristicName::Both => Heuristic::Both,
            HeuristicName::Conciliated => Heuristic::Conciliated,
            HeuristicName::Skip => Heuristic::Skip,
            HeuristicName::SkipConciliated => Heuristic::SkipConciliated,
        }
    }
}
