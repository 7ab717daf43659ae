//! Whole analyses on random recursive programs: `cargo bench --bench programs` prints a table in
//! Markdown.
//!
//! Arguments: `GLOBALSxPROCEDURESxSTATEMENTS` for other programs than the usual four, `best=K` for
//! the least of K runs, `seconds=S` for the time after which a run is given up, `seed=N`,
//! `functional` to leave out the methods that go statement by statement, and `print` to print the
//! programs themselves instead. `files=FOLDER` measures the exact projections of the C programs in
//! a folder instead; those of `tests/bench/projections` once ended in a limit, or took ten seconds.

#[path = "clock.rs"]
mod clock;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::lang::model::EdgeId;
use faultline::session::{Budgets, Job, Outcome, Task};
use faultline::util::{Limit, Stage};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use support::boolean_programs::{Shape, program};

/// Nodes alive at most: more than the product allows itself, to see how long it would take.
const MAX_NODES: u64 = 48_000_000;

/// What a run took, and what came of it.
struct Run {
    statements: usize,
    lit: Option<usize>,
    outcome: Outcome,
    limit: Option<Limit>,
    /// By phase.
    seconds: Vec<(Stage, f64)>,
    peak_nodes: u64,
    bytes: u64,
}

impl Run {
    /// `None` where the phase was not begun.
    fn spent(&self, phases: &[Stage]) -> Option<f64> {
        let spent: Vec<f64> = self
            .seconds
            .iter()
            .filter(|(phase, _)| phases.contains(phase))
            .map(|(_, seconds)| *seconds)
            .collect();
        (!spent.is_empty()).then(|| spent.iter().sum())
    }

    fn total(&self) -> f64 {
        self.seconds.iter().map(|(_, seconds)| seconds).sum()
    }

    fn verdict(&self) -> String {
        match (self.outcome, self.limit) {
            (Outcome::Safe, _) => "safe".into(),
            (Outcome::Unsafe, None) => "unsafe".into(),
            (Outcome::Unsafe, Some(limit)) => format!("unsafe; rest unknown: {}", limit.word()),
            (Outcome::Unknown(limit), _) => format!("unknown: {}", limit.word()),
            (Outcome::Fault, _) => "fault".into(),
        }
    }
}

/// Methods that go statement by statement are asked about this many statements, spread evenly.
const SAMPLE: usize = 40;

/// One run; given up after `patience` seconds. `sample`: decide so many statements only.
fn run(source: &str, task: Task, sample: Option<usize>, patience: f64) -> Run {
    let mut session = support::load::session_with(source, &RequestedOptions::default());
    let statements = session
        .program()
        .map_or(0, |program| program.edges.iter().filter(|edge| edge.is_statement()).count());
    if let (Some(sample), Some(program)) = (sample, session.program()) {
        let edges: Vec<EdgeId> =
            program.edge_ids().filter(|id| program.edge(*id).is_statement()).collect();
        let chosen = edges.iter().step_by(edges.len().div_ceil(sample).max(1)).copied().collect();
        session.sample(Some(chosen));
    }
    session.start(task, Budgets { max_nodes: MAX_NODES, ..Budgets::default() });
    let clock = Clock::new();
    let mut seconds: Vec<(Stage, f64)> = Vec::new();
    let (start, mut last) = (clock.seconds(), clock.seconds());
    let mut step = 0u32;
    loop {
        let phase = session.stage();
        let over = session.step();
        step += 1;
        if over || session.stage() != phase || step.is_multiple_of(64) {
            let now = clock.seconds();
            match seconds.iter_mut().find(|(known, _)| *known == phase) {
                Some((_, spent)) => *spent += now - last,
                None => seconds.push((phase, now - last)),
            }
            last = now;
            if now - start > patience {
                session.stop(Limit::Time);
            }
        }
        if over {
            break;
        }
    }
    let (peak_nodes, _, bytes) = session.statistics();
    let lit = session.in_projection().map(|lit| {
        let program = session.program().expect("checked above");
        program.edges.iter().zip(lit).filter(|(edge, lit)| *lit && edge.is_statement()).count()
    });
    Run {
        statements,
        lit,
        outcome: session.outcome(),
        limit: session.limit(),
        seconds,
        peak_nodes,
        bytes,
    }
}

/// Milliseconds below a second.
fn time(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".into(),
        Some(seconds) if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        Some(seconds) => format!("{seconds:.2} s"),
    }
}

/// What deciding all statements one by one would take, from a sample of them.
fn extrapolated(source: &str, method: Method, patience: f64) -> String {
    let run = run(source, Task::Projection(method), Some(SAMPLE), patience);
    let Some(statements) = run.spent(&[Stage::Statements]).filter(|_| run.limit.is_none()) else {
        return format!("– ({})", run.limit.map_or("nothing fails", Limit::word));
    };
    let asked = run.statements.div_ceil(run.statements.div_ceil(SAMPLE).max(1));
    format!("{}, from {asked}", time(Some(statements * run.statements as f64 / asked as f64)))
}

fn row(shape: Shape, best: u32, patience: f64, sampling: bool) {
    let source = program(shape);
    let mut runs: Vec<Run> = (0..best)
        .map(|_| run(&source, Task::Projection(Method::Functional), None, patience))
        .collect();
    runs.sort_by(|a, b| a.total().total_cmp(&b.total()));
    let best = &runs[0];
    let (forward, backward) = (best.spent(&[Stage::Forward]), best.spent(&[Stage::Backward]));
    let projection = best.spent(&[Stage::Contexts, Stage::Statements]);
    let both = forward.unwrap_or(0.0) + backward.unwrap_or(0.0);
    println!(
        "| {} × {} × {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} MB |",
        shape.globals,
        shape.procedures,
        shape.statements,
        best.statements,
        best.verdict(),
        best.lit.map_or("–".into(), |lit| lit.to_string()),
        time(forward),
        time(best.spent(&[Stage::Witness])),
        time(backward),
        time(projection),
        projection.map_or("–".into(), |projection| format!("{:.2}", projection / both)),
        if sampling { extrapolated(&source, Method::PerNode, patience) } else { "–".into() },
        if sampling {
            extrapolated(&source, Method::DoublePrestar, patience)
        } else {
            "–".into()
        },
        best.peak_nodes,
        best.bytes >> 20,
    );
}

/// The projections of the C programs in a folder, and the share of those that were decided.
fn files(folder: &str, best: u32, patience: f64) {
    println!("| program | statements | verdict | in the projection | time | peak nodes |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let programs = support::load::files(folder, &["c"]);
    let mut decided = 0;
    for (name, source) in &programs {
        let runs =
            (0..best).map(|_| run(source, Task::Projection(Method::Functional), None, patience));
        let best = runs.min_by(|a, b| a.total().total_cmp(&b.total())).expect("best is not 0");
        decided += u32::from(best.lit.is_some() && best.limit.is_none());
        println!(
            "| {name} | {} | {} | {} | {} | {} |",
            best.statements,
            best.verdict(),
            best.lit.map_or("–".into(), |lit| lit.to_string()),
            time(Some(best.total())),
            best.peak_nodes,
        );
    }
    println!("\n{decided} of {} decided within {patience} s", programs.len());
}

fn main() {
    let mut folder: Option<String> = None;
    let (mut shapes, mut best, mut patience, mut seed, mut printing, mut sampling) =
        (Vec::new(), 1, 60.0, 7, false, true);
    for argument in std::env::args().skip(1) {
        if let Some(number) = argument.strip_prefix("best=") {
            best = number.parse().expect("best=K");
        } else if let Some(number) = argument.strip_prefix("seconds=") {
            patience = number.parse().expect("seconds=S");
        } else if let Some(number) = argument.strip_prefix("seed=") {
            seed = number.parse().expect("seed=N");
        } else if let Some(name) = argument.strip_prefix("files=") {
            folder = Some(name.to_string());
        } else if argument == "functional" {
            sampling = false;
        } else if argument == "print" {
            printing = true;
        } else if let [globals, procedures, statements] =
            argument.split('x').flat_map(str::parse).collect::<Vec<u64>>()[..]
        {
            shapes.push([globals, procedures, statements]);
        }
    }
    if let Some(folder) = folder {
        return files(&folder, best, patience);
    }
    if shapes.is_empty() {
        shapes = vec![[4, 100, 20], [8, 100, 20], [12, 100, 20], [16, 200, 20]];
    }
    if !printing {
        println!(
            "| globals × procedures × statements | statements | verdict | in the projection | post\\* | witness | pre\\* | projection | ÷ (post\\* + pre\\*) | per-node | double-pre\\* | peak nodes | kernel |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    }
    for [globals, procedures, statements] in shapes {
        let shape = Shape { globals, procedures, statements, seed };
        if printing { print!("{}", program(shape)) } else { row(shape, best, patience, sampling) }
    }
}
