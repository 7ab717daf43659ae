//! Causes of errors beside the check that finds them: `cargo bench --bench localize` prints tables
//! in Markdown.
//!
//! Three groups of failing sequential programs: the gallery's, random recursive Boolean programs,
//! and the C programs of the shared cases (`FAULTLINE_CASES`) that `check` fails soon. For each the
//! time of `check`, of the causes in one round of `localize` (one failing run, `--max-traces 1`;
//! its check counts), and of the whole round with its parts; and the same of all rounds. The
//! closest correct run is no part of the causes where they are known before it is searched; else it
//! is. The slice, to compare with, is apart. What is counted is the session's work, without reading
//! the text. A run of less than 20 ms is timed by the clock on the wall, since the processor's is
//! too coarse for it: of many runs the least counts. Longer ones take processor time.
//!
//! Arguments: `gallery`, `random` or `corpus` for one group, `GLOBALSxPROCEDURES` for other random
//! programs, `seeds=N`, `best=K` for the least of K runs (of short ones: of many more), `seconds=S`
//! after which a run is given up, `only=PART` of a name, `total` to leave out the lines of single
//! programs.

#[path = "clock.rs"]
mod clock;
#[path = "../corpus/index.rs"]
mod index;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::session::{Budgets, Ending, Job, LocalizeOptions, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use std::time::Instant;
use support::boolean_programs::{Shape, program};
use support::load::{gallery as gallery_of_tree, in_dialect};

/// Below this the processor's clock, which moves by some milliseconds at once, says nothing.
const SHORT: f64 = 0.02;
/// A short run is repeated for so long, times `best`, in seconds.
const REPEAT: f64 = 0.02;
/// Kernel steps within which `check` must fail a C program of the cases.
const CORPUS_STEPS: u64 = 3_000_000;
/// The parts of a round: what [`faultline::util::Stage::word`] says.
const PARTS: [&str; 7] = ["check", "ahead", "close", "closest", "forward", "backward", "judging"];

#[derive(Clone, Copy)]
struct Patience {
    best: u32,
    seconds: f64,
}

/// What one run took.
#[derive(Clone, Default)]
struct Run {
    seconds: f64,
    steps: u64,
    /// Of these, what the causes did not need: seconds and steps of the closest correct run.
    apart: (f64, u64),
    /// By part.
    parts: [f64; 7],
    rounds: u64,
    failed: bool,
    limit: Option<Limit>,
}

/// The least of several runs.
fn best(patience: Patience, mut run: impl FnMut() -> Run) -> Run {
    let mut least: Option<Run> = None;
    let (mut spent, mut runs) = (0.0, 0);
    loop {
        let (clock, wall) = (Clock::new(), Instant::now());
        let from = clock.seconds();
        let mut one = run();
        let (wall, processor) = (wall.elapsed().as_secs_f64(), clock.seconds() - from);
        let measured = one.seconds;
        if processor > SHORT {
            one.seconds = measured.min(processor);
            one.parts = one.parts.map(|part| part * one.seconds / measured);
            one.apart.0 *= one.seconds / measured;
        }
        (spent, runs) = (spent + wall, runs + 1);
        let gave_up = one.limit == Some(Limit::Time);
        if least.as_ref().is_none_or(|least| one.seconds < least.seconds) {
            least = Some(one);
        }
        if let Some(least) = least.take_if(|_| {
            gave_up || runs >= patience.best && spent >= REPEAT * f64::from(patience.best)
        }) {
            return least;
        }
    }
}

fn check(session: &mut Session, patience: Patience) -> Run {
    let start = Instant::now();
    session.start(Task::Check, Budgets::default());
    let mut step = 0u32;
    while !session.step() {
        step += 1;
        if step.is_multiple_of(256) && start.elapsed().as_secs_f64() > patience.seconds {
            session.stop(Limit::Time);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (failed, limit) = (session.outcome() == Outcome::Unsafe, session.limit());
    Run { seconds, steps: session.statistics().1, failed, limit, ..Run::default() }
}

/// Where a localization is to end.
#[derive(Clone, Copy)]
enum Until {
    /// After so many failing runs.
    Traces(u32),
    /// In the first round, where the closest correct run begins.
    Causes,
}

fn localize(session: &Session, until: Until, patience: Patience) -> Run {
    let start = Instant::now();
    let max_traces = if let Until::Traces(traces) = until { traces } else { 1 };
    let options = LocalizeOptions { max_traces, ..LocalizeOptions::default() };
    let mut localization = session.localize(options, Budgets::default()).expect("a program");
    let mut parts = [0.0; 7];
    let (mut stage, mut since, mut step) = (localization.progress().stage.word(), start, 0u32);
    let mut over = false;
    // The closest run of the round at hand, until it is known what it is for.
    let (mut closest, mut apart) = ((0.0, 0), (0.0, 0));
    let mut steps = localization.steps();
    while !over {
        over = localization.step();
        step += 1;
        if over || localization.progress().stage.word() != stage || step.is_multiple_of(256) {
            let now = Instant::now();
            let (spent, taken) =
                ((now - since).as_secs_f64(), localization.steps().saturating_sub(steps));
            if let Some(part) = PARTS.iter().position(|part| *part == stage) {
                parts[part] += spent;
            }
            if matches!(stage, "close" | "closest") {
                closest = (closest.0 + spent, closest.1 + taken);
                match localization.progress().stage.word() {
                    "close" | "closest" => {}
                    // The next round, or the end.
                    "check" | "done" => apart = (apart.0 + closest.0, apart.1 + closest.1),
                    _ => closest = (0.0, 0),
                }
            } else {
                closest = (0.0, 0);
            }
            (stage, since, steps) =
                (localization.progress().stage.word(), now, localization.steps());
            if matches!(until, Until::Causes) && matches!(stage, "close" | "closest") {
                break;
            }
            if (now - start).as_secs_f64() > patience.seconds {
                localization.stop(Limit::Time);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let limit = match localization.ending() {
        Some(Ending::Limit(limit)) => Some(limit),
        _ => None,
    };
    let rounds = localization.traces().len() as u64;
    Run {
        seconds,
        steps: localization.steps(),
        apart,
        parts,
        rounds,
        failed: localization.outcome() == Outcome::Unsafe,
        limit,
    }
}

/// All that is measured of a program.
#[derive(Clone, Default)]
struct Row {
    check: Run,
    /// Of one round, until its causes are known.
    causes: Run,
    one: Run,
    all: Run,
    slice: f64,
}

/// `None` if it is no program that `check` fails.
fn measure(
    source: &str,
    requested: &RequestedOptions,
    patience: Patience,
    steps: u64,
) -> Option<Row> {
    let (mut session, _) = Session::load(source, requested);
    if session.program().is_none_or(|program| program.concurrency.has_threads()) {
        return None;
    }
    let first = check(&mut session, patience);
    if !first.failed || first.steps > steps {
        return None;
    }
    // A session of its own for each run: none is made in memory that is warm from the one before.
    let fresh = || Session::load(source, requested).0;
    let one = best(patience, || localize(&fresh(), Until::Traces(1), patience));
    let causes = if one.apart.0 > 0.0 {
        best(patience, || localize(&fresh(), Until::Causes, patience))
    } else {
        one.clone()
    };
    let all = best(patience, || {
        localize(&fresh(), Until::Traces(LocalizeOptions::default().max_traces), patience)
    });
    let line = session.failing_run()?.check.line;
    let localization = session.localize(LocalizeOptions::default(), Budgets::default())?;
    let slice = best(patience, || {
        let start = Instant::now();
        let failed = localization.slice(line).is_some();
        Run { seconds: start.elapsed().as_secs_f64(), failed, ..Run::default() }
    });
    let check = best(patience, || check(&mut fresh(), patience));
    Some(Row { check, causes, one, all, slice: slice.seconds })
}

fn time(seconds: f64) -> String {
    match seconds {
        0.0 => "–".into(),
        _ if seconds < 0.001 => format!("{:.2} ms", seconds * 1e3),
        _ if seconds < 0.01 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

impl Run {
    fn causes(&self) -> f64 {
        self.seconds - self.apart.0
    }
}

impl Row {
    fn print(&self, name: &str) {
        let limit =
            |run: &Run| run.limit.map_or(String::new(), |limit| format!(" ({})", limit.word()));
        let part =
            |k: usize| if PARTS[k] == "closest" { self.one.parts[k] } else { self.causes.parts[k] };
        let parts: Vec<String> = (0..PARTS.len()).map(|k| time(part(k))).collect();
        let checks = self.check.seconds * (self.all.rounds.max(1) as f64);
        let thousands = |steps: u64| format!("{:.1}", steps as f64 / 1e3);
        println!(
            "| {name} | {} | {}{} | {:.2} | {} | {:.2} | {} | {} | {} | {:.2} | {}{} | {:.2} | {} |",
            time(self.check.seconds),
            time(self.causes.seconds),
            limit(&self.one),
            self.causes.seconds / self.check.seconds,
            time(self.one.seconds),
            self.one.seconds / self.check.seconds,
            parts.join(" | "),
            time(self.slice),
            self.all.rounds,
            self.all.causes() / checks,
            time(self.all.seconds),
            limit(&self.all),
            self.all.seconds / checks,
            [self.check.steps, self.causes.steps, self.one.steps, self.all.steps]
                .map(thousands)
                .join(" | "),
        );
    }

    fn add(&mut self, other: &Row) {
        for (sum, one) in [
            (&mut self.check, &other.check),
            (&mut self.causes, &other.causes),
            (&mut self.one, &other.one),
            (&mut self.all, &other.all),
        ] {
            sum.seconds += one.seconds;
            sum.steps += one.steps;
            sum.rounds += one.rounds;
            sum.apart = (sum.apart.0 + one.apart.0, sum.apart.1 + one.apart.1);
            sum.parts.iter_mut().zip(one.parts).for_each(|(sum, one)| *sum += one);
        }
        self.slice += other.slice;
    }
}

/// A group's table.
struct Table<'a> {
    only: Option<&'a str>,
    lines: bool,
    patience: Patience,
    rows: Vec<Row>,
}

impl Table<'_> {
    fn head(&mut self, group: &str) {
        self.rows.clear();
        println!("\n{group}\n");
        println!(
            "| program | `check` | causes | ÷ | one round | ÷ | {} | slice | rounds | causes ÷ (rounds × check) | all rounds | ÷ (rounds × check) | thousand steps: check | causes | one round | all rounds |",
            PARTS.join(" | ")
        );
        println!("{}", "| --- ".repeat(PARTS.len() + 15) + "|");
    }

    fn measure(&mut self, name: &str, source: &str, requested: &RequestedOptions, steps: u64) {
        if self.only.is_some_and(|only| !name.contains(only)) {
            return;
        }
        if let Some(row) = measure(source, requested, self.patience, steps) {
            if self.lines {
                row.print(name);
            }
            self.rows.push(row);
        }
    }

    fn total(&self) {
        let mut total = Row::default();
        self.rows.iter().for_each(|row| total.add(row));
        if total.all.rounds > 0 {
            // Rounds of all programs; the ratio is to each one's own rounds.
            let checks: f64 =
                self.rows.iter().map(|row| row.check.seconds * row.all.rounds as f64).sum();
            let rounds = total.all.rounds;
            total.all.rounds = 1;
            let (causes, whole) = (total.all.causes() / checks, total.all.seconds / checks);
            total.print(&format!("all {}", self.rows.len()));
            println!(
                "\nIn all {rounds} rounds: causes take {causes:.2} checks for each, all of it {whole:.2}."
            );
            for (what, of) in
                [("Causes", (|row| &row.causes) as fn(&Row) -> &Run), ("One round", |row| &row.one)]
            {
                let mut ratios: Vec<f64> =
                    self.rows.iter().map(|row| of(row).seconds / row.check.seconds).collect();
                ratios.sort_by(f64::total_cmp);
                let within = ratios.iter().filter(|ratio| **ratio <= 2.0).count();
                println!(
                    "{what} within twice the check: {within} of {}; median {:.2}, worst {:.2}.",
                    ratios.len(),
                    ratios[ratios.len() / 2],
                    ratios[ratios.len() - 1]
                );
            }
        }
    }
}

fn gallery(table: &mut Table) {
    table.head("The gallery's examples that fail");
    for listed in gallery_of_tree().iter().filter(|listed| listed.entry["verdict"] == "unsafe") {
        let requested = in_dialect(listed.dialect);
        table.measure(&listed.file, &listed.source, &requested, u64::MAX);
    }
    table.total();
}

fn random(table: &mut Table, shapes: &[[u64; 2]], seeds: u64) {
    for [globals, procedures] in shapes {
        table.head(&format!(
            "Random Boolean programs, {globals} globals, {procedures} procedures of 20 statements"
        ));
        for seed in 1..=seeds {
            let source =
                program(Shape { globals: *globals, procedures: *procedures, statements: 20, seed });
            table.measure(
                &format!("{globals} × {procedures}, seed {seed}"),
                &source,
                &RequestedOptions::default(),
                u64::MAX,
            );
        }
        table.total();
    }
}

fn corpus(table: &mut Table) {
    let Some(folder) = index::folder_or_line() else { return };
    table.head(&format!(
        "C programs of the cases that fail within {} million kernel steps",
        CORPUS_STEPS / 1_000_000
    ));
    for case in index::cases(&folder, "c/index.tsv")
        .into_iter()
        .filter(|case| case.name.starts_with("c/seq/") && case.known == "unsafe")
    {
        let checks = Some(Checks {
            bounds: true,
            division: true,
            overflow: true,
            shift: true,
            ..Checks::NONE
        });
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            bits: Some(32),
            checks,
            ..RequestedOptions::default()
        };
        let name = case.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".c");
        let patience = table.patience;
        // What check does not fail soon is left out without being waited for.
        table.patience.seconds = patience.seconds.min(5.0);
        table.measure(name, &case.source, &requested, CORPUS_STEPS);
        table.patience = patience;
    }
    table.total();
}

fn main() {
    let mut patience = Patience { best: 3, seconds: 60.0 };
    let (mut group, mut only, mut seeds, mut shapes, mut lines) = (None, None, 4, Vec::new(), true);
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        match word.split_once('=') {
            Some(("best", value)) => patience.best = value.parse().expect("best=K"),
            Some(("seconds", value)) => patience.seconds = value.parse().expect("seconds=S"),
            Some(("seeds", value)) => seeds = value.parse().expect("seeds=N"),
            Some(("only", value)) => only = Some(value.to_string()),
            _ if word == "total" => lines = false,
            _ => match word.split('x').flat_map(str::parse).collect::<Vec<u64>>()[..] {
                [globals, procedures] => shapes.push([globals, procedures]),
                _ => group = Some(word),
            },
        }
    }
    if shapes.is_empty() {
        shapes = vec![[4, 100], [8, 100], [12, 100]];
    } else {
        group = Some("random".to_string());
    }
    let wanted = |name: &str| group.as_deref().is_none_or(|group| group == name);
    let mut table = Table { only: only.as_deref(), lines, patience, rows: Vec::new() };
    if wanted("gallery") {
        gallery(&mut table);
    }
    if wanted("random") {
        random(&mut table, &shapes, seeds);
    }
    if wanted("corpus") {
        corpus(&mut table);
    }
}
