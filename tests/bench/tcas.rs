//! The 39 faulty versions of TCAS: how many lines does a person read before a faulty one?
//! `cargo bench --bench tcas` prints a table in Markdown.
//!
//! Arguments: `versions=v1,v2` for some of them, `only=mutants` for the order by mutants alone,
//! `only=focus` for focus statements alone, `steps=N` for the kernel steps of each search for
//! repairs. The versions are in the shared cases (`FAULTLINE_CASES`); where they are missing, that
//! is said.

#[path = "clock.rs"]
mod clock;
#[allow(dead_code)]
#[path = "../support/tcas.rs"]
mod tcas;

use clock::Clock;
use faultline::analysis::focus::focus_of_run;
use faultline::lang::interpreter::replay;
use faultline::lang::model::{EdgeId, ProcedureId, Program};
use faultline::report::suspects::suspects_report;
use faultline::session::{
    Budgets, FocusSession, Job, LocalizeOptions, RepairOptions, ReplayedRun, Session, Task,
};
use faultline::wire::localize::Variant;
use faultline::wire::options::{Dialect, Globals, RequestedOptions};
use faultline::wire::projection::Method;
use faultline::wire::repair::Verified;
use faultline::wire::repair::place;
use faultline::wire::suspects::{ChangeReport, SuspectsReport};
use std::path::PathBuf;
use std::rc::Rc;

/// Nodes of a kernel, at most.
const NODES: u64 = 8_000_000;

/// Focus sequences that are looked for: what the NEST is made of.
const SEQUENCES: usize = 12;
/// Kernel steps of the search for focus sequences.
const FOCUS_STEPS: u64 = 200_000_000;

struct Row {
    name: String,
    faulty: Vec<u32>,
    /// What is read, in order, by each way.
    reads: Vec<(&'static str, Option<Vec<u32>>)>,
    seconds: f64,
    note: String,
}

fn folder() -> Option<PathBuf> {
    let cases = std::env::var("FAULTLINE_CASES").unwrap_or_else(|_| "../shared/cases".into());
    let folder = PathBuf::from(cases);
    folder.join("tcas/index.tsv").exists().then_some(folder)
}

fn argument(name: &str) -> Option<String> {
    std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=').map(str::to_string))
}

/// The harness and the original are not to be blamed.
fn trusted(program: &Program) -> Vec<ProcedureId> {
    let own = |k: &u32| {
        program.procedures[*k as usize].name.starts_with("original_")
            || program.procedures[*k as usize].name == "main"
    };
    (0..program.procedures.len() as u32).filter(own).map(ProcedureId).collect()
}

/// Lines in this order, each once.
fn once(lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut found = Vec::new();
    for line in lines {
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// Lines of the focus statements of the failing run alone, from its end.
fn own_focus(program: &Rc<Program>, run: &ReplayedRun, trusted: &[ProcedureId]) -> Vec<u32> {
    let Ok(replayed) = replay(program, &run.run) else { return Vec::new() };
    let focus = focus_of_run(program, &replayed).focus;
    let kept =
        replayed.steps.iter().zip(&focus).filter(|(_, focus)| **focus).map(|(step, _)| step.edge);
    once(
        kept.rev()
            .filter(|edge| !trusted.contains(&program.owner(*edge)))
            .map(|edge| line_of(program, edge)),
    )
}

/// Lines by the best mutants of their statements; the same and behind them the run's focus.
fn by_mutants(
    session: &Session,
    trusted: &[ProcedureId],
    note: &mut String,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut suspects =
        session.suspects(&RequestedOptions::default(), trusted, Budgets::default())?;
    suspects.run();
    let report = suspects_report(&suspects);
    let mended = || {
        report.suspects.iter().filter_map(|suspect| Some((suspect.line, suspect.change.as_ref()?)))
    };
    let first = |(line, change): (u32, &ChangeReport)| {
        format!(
            "{line} ({}, {}, `{}` for `{}`)",
            change.mended, change.kept, change.new, change.old
        )
    };
    let firsts: Vec<String> = mended().take(5).map(first).collect();
    let SuspectsReport { known_failing, known_passing, changes_tried, runs_executed, .. } = report;
    *note = format!(
        "{known_failing} fail, {known_passing} pass, {changes_tried} changes, {runs_executed} runs{}; line (mended, kept, change): {}",
        report.limit.map_or(String::new(), |limit| format!(", {}", limit.word())),
        firsts.join(", ")
    );
    Some((
        once(mended().map(|(line, _)| line)),
        once(report.suspects.iter().map(|suspect| suspect.line)),
    ))
}

/// The first-ranked sequence and its NEST, lines from the end and in the order of the text; what
/// ended the search.
fn by_focus(source: &str, note: &mut String) -> Vec<(&'static str, Option<Vec<u32>>)> {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(tcas::BITS),
        globals: Some(Globals::Any),
        ..RequestedOptions::default()
    };
    let (session, diagnostics) = Session::load(source, &requested);
    let program = Rc::new(session.program().unwrap_or_else(|| panic!("{diagnostics:?}")).clone());
    let (program, trusted) = (&program, trusted(&program));
    let budgets = Budgets { max_nodes: NODES / 4, max_steps: FOCUS_STEPS, ..Budgets::default() };
    let clock = Clock::new();
    let started = clock.seconds();
    let most = argument("sequences").and_then(|most| most.parse().ok()).unwrap_or(SEQUENCES);
    let mut focus = FocusSession::new(Rc::clone(program), None, Vec::new(), most, budgets);
    while !focus.step() {}
    let first = focus.sequences().first().filter(|sequence| sequence.is_feasible());
    let length = first.map_or("no sequence".to_string(), |first| {
        let (count, end) =
            (focus.sequences().len(), if focus.is_complete() { ", all" } else { "" });
        format!("{count} sequences{end}, the first of {} statements", first.length)
    });
    let limit = focus.limit().map_or(String::new(), |limit| format!(", {}", limit.word()));
    *note = format!(
        "{length}, {} undecided{limit}, {:.1} s",
        focus.undecided(),
        clock.seconds() - started
    );
    let own = |edge: &EdgeId| !trusted.contains(&program.owner(*edge));
    let from_its_end = first.map(|s| {
        once(s.entries.iter().rev().copied().filter(own).map(|edge| line_of(program, edge)))
    });
    let by_text = |edges: &mut dyn Iterator<Item = EdgeId>| {
        let mut lines: Vec<u32> = edges.filter(own).map(|edge| line_of(program, edge)).collect();
        lines.sort_unstable();
        once(lines)
    };
    vec![
        ("NEST", first.map(|s| by_text(&mut s.nest.iter().map(|k| s.entries[*k])))),
        ("first sequence", first.map(|s| by_text(&mut s.entries.iter().copied()))),
        ("first sequence, from its end", from_its_end),
    ]
}

/// `any_start`: the program whose inputs are what its globals start with.
fn row(
    name: &str,
    faulty: &[u32],
    (source, any_start): (&str, &str),
    steps: u64,
    only: &str,
) -> Row {
    let clock = Clock::new();
    let started = clock.seconds();
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(tcas::BITS),
        ..RequestedOptions::default()
    };
    let budgets = Budgets { max_nodes: NODES, max_steps: 200_000_000, ..Budgets::default() };
    let (mut session, diagnostics) = Session::load(source, &requested);
    let program = Rc::new(session.program().unwrap_or_else(|| panic!("{diagnostics:?}")).clone());
    let trusted = trusted(&program);
    let blamed = |edge: &EdgeId| !trusted.contains(&program.owner(*edge));
    let line = |edge: EdgeId| program.edge(edge).span.line;
    let by_text = |edges: &mut dyn Iterator<Item = EdgeId>| {
        let mut lines: Vec<u32> = edges.filter(blamed).map(line).collect();
        lines.sort_unstable();
        once(lines)
    };
    let marked =
        |marks: &[bool]| by_text(&mut program.edge_ids().filter(|id| marks[id.0 as usize]));
    if only == "focus" {
        session.start(Task::Check, budgets);
        session.run();
        let mut note = "no failing run".to_string();
        let own = session.failing_run().map(|run| own_focus(&program, run, &trusted));
        let mut reads = vec![("run's focus", own.clone())];
        reads.extend(own.is_some().then(|| by_focus(any_start, &mut note)).into_iter().flatten());
        return Row {
            name: name.to_string(),
            faulty: faulty.to_vec(),
            reads,
            seconds: clock.seconds() - started,
            note,
        };
    }
    if only == "mutants" {
        session.start(Task::Check, budgets);
        session.run();
        let mut note = "no failing run".to_string();
        let (read, all) = by_mutants(&session, &trusted, &mut note).unzip();
        let reads = vec![("mutants", read), ("mutants, then the run's focus", all)];
        return Row {
            name: name.to_string(),
            faulty: faulty.to_vec(),
            reads,
            seconds: clock.seconds() - started,
            note,
        };
    }
    session.start(Task::Projection(Method::Functional), budgets);
    session.run();
    let mut reads: Vec<(&'static str, Option<Vec<u32>>)> = vec![
        ("slice", session.slice().map(marked)),
        ("projection", session.in_projection().map(|lit| marked(&lit))),
    ];
    let mut note = String::new();
    let Some(run) = session.failing_run() else {
        return Row {
            name: name.to_string(),
            faulty: faulty.to_vec(),
            reads,
            seconds: clock.seconds() - started,
            note: "no failing run".to_string(),
        };
    };
    let own = own_focus(&program, run, &trusted);
    reads.push(("run's focus", Some(own.clone())));
    let mut searched = String::new();
    reads.extend(by_focus(any_start, &mut searched));
    let options =
        LocalizeOptions { max_traces: 1, trusted: trusted.clone(), ..LocalizeOptions::default() };
    let mut localization = session.localize(options, budgets).expect("a program");
    localization.run();
    for (name, variant) in
        [("causes, edges", Variant::Edges), ("causes, transitions", Variant::Transitions)]
    {
        let lines = localization
            .traces()
            .first()
            .filter(|trace| trace.judged)
            .map(|trace| trace.lines(variant));
        let is_own = |line: &u32| {
            program.edge_ids().any(|id| blamed(&id) && self::line_of(&program, id) == *line)
        };
        reads.push((name, lines.map(|lines| lines.into_iter().filter(is_own).collect())));
    }
    let mut tried = String::new();
    let (read, then) = by_mutants(&session, &trusted, &mut tried).unzip();
    reads.push(("mutants", read));
    reads.push(("mutants, then the run's focus", then));
    let mut read = Vec::new();
    let options = RepairOptions { most: 3, max_steps: steps, ..RepairOptions::default() };
    if let Some(mut repair) = localization.repair(&requested, options, budgets) {
        repair.run();
        let repairs = repair.search().repairs();
        let by_repairs = once(
            repairs
                .iter()
                .filter(|r| r.verified == Verified::NoRunFails)
                .map(|r| place(source, r.edit.start as usize).0),
        );
        let diagnoses = once(repair.search_mut().diagnoses().into_iter().map(line));
        let (tried, checked) = (repair.search().effort().tried, repair.search().effort().checks);
        note = format!(
            "{tried} tried, {checked} checked{}",
            repair.limit().map_or(String::new(), |limit| format!(", {}", limit.word()))
        );
        for r in &repairs {
            note.push_str(&format!(
                "; {}: `{}`",
                place(source, r.edit.start as usize).0,
                r.edit.text.trim()
            ));
        }
        reads.push(("repairs", Some(by_repairs.clone())));
        reads.push(("diagnoses", Some(diagnoses.clone())));
        read.extend(by_repairs);
        read.extend(diagnoses);
    } else {
        reads.push(("repairs", None));
        reads.push(("diagnoses", None));
    }
    note.push_str(&format!("; {searched}; {tried}"));
    read.extend(reads[6].1.iter().flatten().copied().collect::<Vec<_>>());
    read.extend(own);
    read.extend(reads[0].1.iter().flatten().copied().collect::<Vec<_>>());
    reads.push(("all, in this order", Some(once(read))));
    Row {
        name: name.to_string(),
        faulty: faulty.to_vec(),
        reads,
        seconds: clock.seconds() - started,
        note,
    }
}

fn line_of(program: &Program, edge: EdgeId) -> u32 {
    program.edge(edge).span.line
}

/// Lines read up to the first faulty one.
fn until(row: &Row, read: &[u32]) -> Option<usize> {
    read.iter().position(|line| row.faulty.contains(line)).map(|at| at + 1)
}

fn main() {
    let Some(folder) = folder() else {
        println!("TCAS was left out: there are no shared cases");
        return;
    };
    let steps = argument("steps").and_then(|steps| steps.parse().ok()).unwrap_or(150_000_000);
    let only = argument("only").unwrap_or_default();
    let wanted = argument("versions");
    let wanted = |name: &str| {
        wanted.as_ref().is_none_or(|wanted| wanted.split(',').any(|w| format!("{w}.c") == name))
    };
    let original = tcas::read(&folder, "original.c");
    let mut rows: Vec<Row> = Vec::new();
    for (name, faulty) in tcas::faulty(&folder).into_iter().filter(|(name, _)| wanted(name)) {
        let version = tcas::read(&folder, &name);
        let sources = (
            &*tcas::harness(&version, &original),
            &*tcas::harness_of_any_start(&version, &original),
        );
        let row = row(&name, &faulty, sources, steps, &only);
        if rows.is_empty() {
            let ways: Vec<&str> = row.reads.iter().map(|(way, _)| *way).collect();
            println!("| version | faulty | {} | seconds | notes |", ways.join(" | "));
            println!("|{}", " --- |".repeat(ways.len() + 4));
        }
        let cell = |lines: &Option<Vec<u32>>| match lines {
            None => "limit".to_string(),
            Some(lines) => format!(
                "{} of {}",
                until(&row, lines).map_or("-".to_string(), |n| n.to_string()),
                lines.len()
            ),
        };
        let cells: Vec<String> = row.reads.iter().map(|(_, lines)| cell(lines)).collect();
        let faulty: Vec<String> = row.faulty.iter().map(u32::to_string).collect();
        println!(
            "| {} | {} | {} | {:.1} | {} |",
            row.name,
            faulty.join(", "),
            cells.join(" | "),
            row.seconds,
            row.note
        );
        rows.push(row);
    }
    println!(
        "\n| way | contains a faulty line | among the first five read | median of lines read where it does | limit |"
    );
    println!("| --- | --- | --- | --- | --- |");
    for k in 0..rows.first().map_or(0, |row| row.reads.len()) {
        let mut found: Vec<usize> =
            rows.iter().filter_map(|row| until(row, row.reads.get(k)?.1.as_ref()?)).collect();
        found.sort_unstable();
        let limits = rows
            .iter()
            .filter(|row| row.reads.get(k).is_none_or(|(_, lines)| lines.is_none()))
            .count();
        let five = found.iter().filter(|n| **n <= 5).count();
        let median = found.get(found.len() / 2).map_or("-".to_string(), usize::to_string);
        println!(
            "| {} | {} of {} | {five} | {median} | {limits} |",
            rows[0].reads[k].0,
            found.len(),
            rows.len()
        );
    }
}
