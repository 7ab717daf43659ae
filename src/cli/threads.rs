//! `faultline threads`: can a program with threads fail, with how few context switches, and on
//! which run? The bound on switches is given, or it rises by itself until more bring nothing new.

use super::arguments::{Format, Threads};
use super::clock::Clock;
use super::console;
use super::text;
use crate::draw::lanes::{part_of, told_part, told_race};
use crate::draw::thread_words;
use crate::draw::unchecked;
use crate::draw::words::{counted, error_place, limit_sentence, listed};
use crate::lang::model::Program;
use crate::report::json;
use crate::report::{correct_report, schedule_report, threads_explained, threads_report};
use crate::session::schedule::ScheduleSession;
use crate::session::{Session, SwitchBound, ThreadsExplanation, ThreadsOptions, ThreadsSession};
use crate::util::Limit;
use crate::wire::report::{TraceEntry, Values, Verdict};
use crate::wire::threads::{RaisingEnd, ThreadsReport, ThreadsVerdict, USUAL_SWITCHES};
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;

/// A bound that rises by itself rises for so long, if the command gives no time.
const RISING: Duration = Duration::from_secs(10);

/// Analyses and prints. Exit codes: 0 nothing fails (within the bound), 1 an error found, 3
/// unknown.
pub(super) fn print(arguments: &Threads) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    let (mut session, _) = console::load(common)?;
    let clock = Clock::new(common, &mut session);
    let program = console::program(
        &session,
        "`threads` analyses programs; a raw pushdown system has `check` and `projection`",
    )?;
    if let Some(line) = arguments.at
        && !program.edge_ids().any(|id| program.stands_at(id, line))
    {
        return Err(format!("faultline: no statement starts on line {line}\n"));
    }
    if let Some(schedule) = &arguments.schedule {
        return follow(arguments, &session, program, &clock, schedule);
    }
    let switches = SwitchBound::in_force(arguments.switches, session.options().switches);
    let asked = ThreadsOptions { switches, at: arguments.at };
    let mut threads =
        ThreadsSession::by(arguments.method, program, session.options(), asked, common.budgets());
    let stage = (switches == SwitchBound::Rising && common.timeout.is_none()).then_some(RISING);
    clock.run_staged(&mut threads, stage);
    let mut report = threads_report(&mut threads);
    if let Some(mut job) = ThreadsExplanation::new(&threads).filter(|_| arguments.explain) {
        clock.run(&mut job);
        report.explanation = Some(threads_explained(&threads, &job, &report));
    }
    console::print(&match common.format {
        Format::Json => json::render(&report),
        _ => text(&report),
    })?;
    let open = report.verdict == ThreadsVerdict::Unknown;
    console::suggest_width(&report.options, report.limit.filter(|_| open));
    Ok(claimed(report.verdict, report.raised, report.bound))
}

/// What the exit code claims. A bound that a limit ended before it came to what is usual claims
/// nothing.
fn claimed(verdict: ThreadsVerdict, raised: Option<RaisingEnd>, bound: u32) -> Verdict {
    match verdict {
        ThreadsVerdict::NoErrorWithinBound
            if raised == Some(RaisingEnd::Limit) && bound < USUAL_SWITCHES =>
        {
            Verdict::Unknown
        }
        ThreadsVerdict::Safe | ThreadsVerdict::NoErrorWithinBound => Verdict::Safe,
        ThreadsVerdict::Unsafe => Verdict::Unsafe,
        ThreadsVerdict::Unknown => Verdict::Unknown,
    }
}

/// Follows a schedule, and prints what can come next. Exit codes: 1 the run fails, else 0.
fn follow(
    arguments: &Threads,
    session: &Session,
    program: Rc<Program>,
    clock: &Clock,
    schedule: &str,
) -> Result<Verdict, String> {
    let mut job = ScheduleSession::new(program, session.options(), schedule)
        .map_err(|why| format!("faultline: {why}\n"))?;
    clock.run(&mut job);
    let report = schedule_report(&job);
    console::print(&match arguments.common.format {
        Format::Json => json::render(&report),
        _ => chosen(&report),
    })?;
    Ok(match report.verdict {
        ThreadsVerdict::Unsafe => Verdict::Unsafe,
        _ => Verdict::Safe,
    })
}

/// The run so far, and what can come next.
fn chosen(report: &ThreadsReport) -> String {
    let mut out = String::new();
    match &report.error {
        Some(error) => {
            let _ = writeln!(out, "The run fails: {} ({})", error.message, error_place(error));
            if let Some(detail) = &error.detail {
                let _ = writeln!(out, "  {detail}");
            }
        }
        None => {
            let steps = report.trace.as_ref().map_or(0, Vec::len);
            let _ = writeln!(
                out,
                "{} so far, {}",
                counted(steps as u64, "step"),
                switches(report.bound)
            );
        }
    }
    run(report, &mut out);
    if !report.next.is_empty() {
        let _ = writeln!(out, "\nNext");
    }
    for next in &report.next {
        let (thread, line, told) = (name(report, next.thread), next.line, &next.told);
        let choose = next.schedule.as_deref().map_or(String::new(), |schedule| {
            let word = schedule.rsplit(',').next().unwrap_or(schedule);
            let future = next.future.map_or("", |future| future.told());
            format!("  [{word}]  {future}")
        });
        text::line(&mut out, &format!("  {thread}  line {line:>4}  {told}{choose}"));
    }
    out
}

fn text(report: &ThreadsReport) -> String {
    let mut out = String::new();
    verdict(report, &mut out);
    if let Some(said) = unchecked::sentence(&report.options, true, &report.unchecked) {
        text::line(&mut out, &format!("  {said}"));
        for question in unchecked::questions(&report.unchecked) {
            text::asked(&mut out, question.label, &question.of_threads());
        }
    }
    run(report, &mut out);
    explanation(report, &mut out);
    values(report, &mut out);
    interfaces(report, &mut out);
    let used = &report.statistics;
    let _ = writeln!(out);
    let nodes = counted(used.peak_nodes, "decision-diagram node");
    text::line(&mut out, &format!("at most {nodes} at once, {}", counted(used.steps, "step")));
    out
}

fn verdict(report: &ThreadsReport, out: &mut String) {
    match (report.verdict, &report.error) {
        (ThreadsVerdict::Safe, _) => {
            let _ = writeln!(out, "Safe, whatever the number of context switches");
            if report.options.checks.race {
                let _ = writeln!(out, "  no data race, whatever the number of switches");
            }
            if let Some(bound) = report.converged {
                let with = switches(bound);
                text::line(out, &format!("  with {with} nothing is reached that fewer do not"));
            }
            if let Some(count) = report.proof.and_then(|proof| proof.configurations) {
                let set = counted(count, "configuration");
                text::line(out, &format!("  proof: {set} of all threads, closed under every step"));
            }
            if report.proof.is_some_and(|proof| proof.by_callers) {
                text::line(out, "  (of the frames below recursive calls it knows who called)");
            }
        }
        (ThreadsVerdict::NoErrorWithinBound, _) => {
            let _ = writeln!(out, "No error within {}{}", switches(report.bound), beyond(report));
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
            if let Some(detail) = error.as_ref().and_then(|error| error.detail.as_ref()) {
                let _ = writeln!(out, "  {detail}");
            }
        }
        (ThreadsVerdict::Unknown, _) => {
            let why = match (&report.fault, report.limit) {
                (Some(fault), _) => format!("a defect of Faultline: {fault}"),
                (None, Some(limit)) => stopped(limit).to_string(),
                (None, None) => "it was not decided".to_string(),
            };
            let known = report
                .no_error_up_to
                .map_or(String::new(), |bound| format!("; no error within {}", switches(bound)));
            let _ = writeln!(out, "No answer: {why}{known}");
        }
    }
}

/// What is known of more switches than were looked at.
fn beyond(report: &ThreadsReport) -> String {
    match (report.raised, report.limit) {
        (Some(RaisingEnd::NothingNew), _) => {
            let why = report.proof.and_then(|proof| proof.limit).map(stopped);
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            format!(
                ". (More of them seem to reach nothing new, but the check of that was not \
                 finished{why}. This is no proof.)"
            )
        }
        (Some(RaisingEnd::Limit), Some(limit)) => {
            format!(". (More of them were not tried: {}. This is no proof.)", stopped(limit))
        }
        _ => ". (More of them are not looked at: this is no proof.)".to_string(),
    }
}

fn stopped(limit: Limit) -> &'static str {
    match limit {
        Limit::Threads => "more threads may run than are looked at",
        limit => limit_sentence(limit),
    }
}

/// Prints the interleaved run, context by context.
fn run(report: &ThreadsReport, out: &mut String) {
    let (Some(contexts), Some(trace)) = (&report.contexts, &report.trace) else { return };
    let _ = writeln!(out);
    let width = trace.len().to_string().len();
    for (number, context) in contexts.iter().enumerate() {
        let how = if number == 0 { "runs first" } else { "goes on" };
        let thread = name(report, context.thread);
        let _ = writeln!(out, "{thread} {how}, with {}", globals(&context.globals));
        let steps = context.from_step as usize..context.to_step as usize;
        for (step, entry) in steps.clone().zip(&trace[steps]) {
            let race = report.race.as_ref();
            let is_last = step + 1 == trace.len();
            let race = race.filter(|race| is_last || race.step as usize == step);
            let part = match race {
                Some(race) => Some(told_race(race, is_last)),
                None => part_of(report, step).map(told_part),
            };
            let part = part.map(|part| format!("  ({part})"));
            let part = part.unwrap_or_default();
            let (step, indent) = (step + 1, "  ".repeat(entry.depth.min(20) as usize));
            let TraceEntry { line, statement, .. } = entry;
            text::line(
                out,
                &format!("  {step:>width$}  line {line:>4}  {indent}{statement}{part}"),
            );
        }
    }
    for blocked in &report.blocked {
        let (thread, line) = (name(report, blocked.thread), blocked.line);
        text::line(out, &format!("{thread} waits for ever: line {line}, {}", blocked.statement));
    }
    if report.shortest == Some(false) {
        let _ = writeln!(out, "A run with as few switches may be shorter.");
    }
}

/// Prints which statements of which thread take part, and the closest correct schedule.
fn explanation(report: &ThreadsReport, out: &mut String) {
    let Some(explained) = &report.explanation else { return };
    let within = switches(explained.bound);
    match (&explained.fault, explained.limit) {
        (Some(fault), _) => {
            text::line(out, &format!("\nNo explanation: a defect of Faultline: {fault}"));
            return;
        }
        (None, Some(limit)) => {
            let why = stopped(limit);
            text::line(out, &format!("\nStatements that take part: not known ({why})"));
        }
        (None, None) => {
            text::line(out, &format!("\nStatements of runs that fail within {within}"));
            for one in &explained.statements {
                let _ = writeln!(out, "{}", name(report, one.thread));
                for lit in &one.statements {
                    text::line(out, &format!("  line {:>4}  {}", lit.line, lit.statement));
                }
            }
        }
    }
    let _ = writeln!(out, "\nThe closest correct schedule");
    text::line(out, &format!("  {}", explained.told));
    if let Some(correct) = correct_report(report, explained) {
        run(&correct, out);
    }
}

/// Prints which values the globals have, bound by bound.
fn values(report: &ThreadsReport, out: &mut String) {
    if report.reachable.is_empty() {
        return;
    }
    let place =
        report.at.map_or(String::new(), |line| format!(" while some thread is at line {line}"));
    let _ = writeln!(out, "\nValues of the globals that are reached{place}");
    for level in &report.reachable {
        let told = thread_words::level(report, level.bound);
        let _ = writeln!(out, "  with {}: {told}", switches(level.bound));
        if report.at.is_some() {
            for values in &level.new {
                let _ = writeln!(out, "    {}", globals(values));
            }
            if level.more {
                let _ = writeln!(out, "    and more");
            }
        }
    }
}

/// Prints the size of each thread's interface, and the lines where a first switch matters.
fn interfaces(report: &ThreadsReport, out: &mut String) {
    if !report.interfaces.is_empty() {
        let _ = writeln!(out, "\nInterfaces");
    }
    for one in &report.interfaces {
        let (thread, visits) = (name(report, one.thread), counted(one.visits.into(), "context"));
        let (nodes, states) = (counted(one.nodes, "node"), one.transducer_states);
        let _ = writeln!(out, "  {thread}, {visits}: {nodes} ({states} states)");
    }
    if let Some(lines) = &report.first_switch {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let _ = writeln!(out);
        text::line(
            out,
            &format!("A first switch can lead to an error at line {}", lines.join(", ")),
        );
    }
}

fn switches(count: u32) -> String {
    match count {
        1 => "1 context switch".to_string(),
        count => format!("{count} context switches"),
    }
}

fn name(report: &ThreadsReport, thread: u32) -> &str {
    report.threads.get(thread as usize).map_or("?", |thread| thread.name.as_str())
}

fn globals(values: &Values) -> String {
    if values.0.is_empty() { "no globals".to_string() } else { listed(&values.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_within_the_usual_switches_claims_nothing() {
        let exit = |raised, bound| claimed(ThreadsVerdict::NoErrorWithinBound, raised, bound);
        for bound in 0..USUAL_SWITCHES {
            assert_eq!(exit(Some(RaisingEnd::Limit), bound), Verdict::Unknown);
            assert_eq!(exit(None, bound), Verdict::Safe, "a bound that was asked for");
        }
        assert_eq!(exit(Some(RaisingEnd::Limit), USUAL_SWITCHES), Verdict::Safe);
    }
}
