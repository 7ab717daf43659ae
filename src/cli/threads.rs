//! `faultline threads`: can a program with threads fail with at most so many context switches, with
//! how few, and on which run?

use super::arguments::{Format, ThreadMethodName, Threads};
use super::clock::Clock;
use super::text;
use crate::draw::words::{counted, error_place, limit_sentence};
use crate::report::threads_report;
use crate::session::{Job, ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Limit;
use crate::wire::report::{Value, Values, Verdict};
use crate::wire::threads::{ThreadsReport, ThreadsVerdict};
use std::fmt::Write;
use std::rc::Rc;

/// The bound where nobody gives one.
const DEFAULT_SWITCHES: u32 = 2;

/// Analyses and prints. Exit codes: 0 nothing fails within the bound, 1 an error found, 3 unknown.
pub(super) fn print(arguments: &Threads) -> Result<Verdict, String> {
    let common = &arguments.common;
    if let Format::Dot | Format::Svg = common.format {
        return Err("faultline: dot and svg are formats of `faultline graph`\n".to_string());
    }
    let (mut session, _) = super::load(common)?;
    let clock = Clock::new(common, &mut session);
    let Some(program) = session.program() else {
        return Err("faultline: `threads` analyses programs; a raw pushdown system has `check` and `projection`\n".to_string());
    };
    if let Some(line) = arguments.at
        && !program.edges.iter().any(|edge| edge.is_statement() && edge.span.line == line)
    {
        return Err(format!("faultline: no statement starts on line {line}\n"));
    }
    let switches = arguments.switches.or(session.options().switches).unwrap_or(DEFAULT_SWITCHES);
    let asked = ThreadsOptions { switches, at: arguments.at };
    let method = match arguments.method {
        ThreadMethodName::QadeerRehof => ThreadsMethod::QadeerRehof,
        ThreadMethodName::Transducer => ThreadsMethod::Transducer,
    };
    let mut threads = ThreadsSession::by(
        method,
        Rc::new(program.clone()),
        session.options(),
        asked,
        common.budgets(),
    );
    threads.set_alarm(clock.alarm());
    clock.run(&mut threads);
    let report = threads_report(&mut threads);
    super::print(&match common.format {
        Format::Json => super::json::render(&report),
        _ => text(&report),
    });
    Ok(match report.verdict {
        ThreadsVerdict::NoErrorWithinBound => Verdict::Safe,
        ThreadsVerdict::Unsafe => Verdict::Unsafe,
        ThreadsVerdict::Unknown => Verdict::Unknown,
    })
}

fn text(report: &ThreadsReport) -> String {
    let mut out = String::new();
    let switches = |count: u32| match count {
        1 => "1 context switch".to_string(),
        count => format!("{count} context switches"),
    };
    match (report.verdict, &report.error) {
        (ThreadsVerdict::NoErrorWithinBound, _) => {
            let _ = writeln!(
                out,
                "No error within {}. (More of them are not looked at: this is no proof.)",
                switches(report.bound)
            );
        }
        (ThreadsVerdict::Unsafe, error) => {
            let what = error.as_ref().map_or(String::new(), |error| {
                format!(": {} ({})", error.message, error_place(error))
            });
            let _ = writeln!(
                out,
                "Unsafe with {}, and with no fewer{what}",
                switches(report.switches.unwrap_or(0))
            );
        }
        (ThreadsVerdict::Unknown, _) => {
            let why = match (&report.fault, report.limit) {
                (Some(fault), _) => format!("a defect of Faultline: {fault}"),
                (None, Some(Limit::Threads)) => {
                    "more threads may run than are looked at".to_string()
                }
                (None, Some(limit)) => limit_sentence(limit).to_string(),
                (None, None) => "it was not decided".to_string(),
            };
            let known = report
                .no_error_up_to
                .map_or(String::new(), |bound| format!("; no error within {}", switches(bound)));
            let _ = writeln!(out, "Unknown: {why}{known}");
        }
    }
    let name = |thread: u32| {
        report.threads.get(thread as usize).map_or("?", |thread| thread.name.as_str())
    };
    if let (Some(contexts), Some(trace)) = (&report.contexts, &report.trace) {
        let _ = writeln!(out);
        let width = trace.len().to_string().len();
        for (number, context) in contexts.iter().enumerate() {
            let how = if number == 0 { "runs first" } else { "goes on" };
            let _ =
                writeln!(out, "{} {how}, with {}", name(context.thread), listed(&context.globals));
            let steps = context.from_step as usize..context.to_step as usize;
            for (step, entry) in steps.clone().zip(&trace[steps]) {
                let indent = "  ".repeat(entry.depth.min(20) as usize);
                text::line(
                    &mut out,
                    &format!(
                        "  {:>width$}  line {:>4}  {indent}{}",
                        step + 1,
                        entry.line,
                        entry.statement
                    ),
                );
            }
        }
        for blocked in &report.blocked {
            text::line(
                &mut out,
                &format!(
                    "{} waits for ever: line {}, {}",
                    name(blocked.thread),
                    blocked.line,
                    blocked.statement
                ),
            );
        }
        if report.shortest != Some(true) {
            let _ = writeln!(out, "A run with as few switches may be shorter.");
        }
    }
    if !report.reachable.is_empty() {
        let _ = writeln!(out);
        let place =
            report.at.map_or(String::new(), |line| format!(" while some thread is at line {line}"));
        let _ = writeln!(out, "Values of the globals that are reached{place}");
        for level in &report.reachable {
            let _ = writeln!(out, "  with {}: {}", switches(level.bound), level.count);
            if report.at.is_some() {
                for values in &level.new {
                    let _ = writeln!(out, "    {}", listed(values));
                }
                if level.more {
                    let _ = writeln!(out, "    and more");
                }
            }
        }
    }
    if !report.interfaces.is_empty() {
        let _ = writeln!(out);
        let _ = writeln!(out, "Interfaces");
        for one in &report.interfaces {
            let visits = if one.visits == 1 {
                "1 context".to_string()
            } else {
                format!("{} contexts", one.visits)
            };
            let nodes = counted(one.nodes, "node");
            let _ = writeln!(
                out,
                "  {}, {visits}: {nodes} ({} states)",
                name(one.thread),
                one.transducer_states
            );
        }
    }
    if let Some(lines) = &report.first_switch {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let _ = writeln!(out);
        text::line(
            &mut out,
            &format!("A first switch can lead to an error at line {}", lines.join(", ")),
        );
    }
    let used = &report.statistics;
    let _ = writeln!(out);
    let nodes = counted(used.peak_nodes, "decision-diagram node");
    text::line(&mut out, &format!("at most {nodes} at once, {}", counted(used.steps, "step")));
    out
}

fn listed(values: &Values) -> String {
    let one = |(name, value): &(String, Value)| format!("{name} = {value}");
    if values.0.is_empty() {
        "no globals".to_string()
    } else {
        values.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
