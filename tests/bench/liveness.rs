//! Formulas: `cargo bench --bench liveness` prints two tables in Markdown.
//!
//! The first has the formula `G !fails` beside the check that decides the same, on random recursive
//! programs (`support::boolean_programs`) and on the gallery's. The second has formulas of growing
//! size on one program, `G (a0 -> F b0) && G (a1 -> F b1) && …`. Milliseconds until the answer are
//! the mean of as many runs as take half a second, since the system counts processor time in steps
//! of a few milliseconds. Arguments: `best=K` for the least of K whole runs, `seconds=S` after
//! which a run is given up. Kernel steps depend on no machine.

#[path = "clock.rs"]
mod clock;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::session::liveness::Verdict;
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessSession, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::options::RequestedOptions;
use std::fmt::Write;
use support::boolean_programs::{Shape, program};

/// Seconds that the runs of a mean take together, and the most runs.
const TOGETHER: f64 = 0.5;
const MOST_RUNS: u32 = 2_000;

/// How far a run goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Answer,
    End,
}

/// What a run took, and what came of it.
struct Run {
    answer: String,
    /// Until the answer.
    seconds: f64,
    /// Kernel steps until the answer.
    known: u64,
    steps: u64,
    /// Until the statements of violating runs, where there are some.
    whole: f64,
    states: usize,
}

/// Steps a job until it knows its answer, and then perhaps to its end. The clock read `began`
/// before the job was made. Seconds and kernel steps until the answer, and seconds until the end.
fn timed<J: Job>(
    job: &mut J,
    (clock, began): (&Clock, f64),
    until: Until,
    patience: f64,
    steps: impl Fn(&J) -> u64,
    answered: impl Fn(&J) -> bool,
) -> (f64, u64, f64) {
    let mut known = None;
    let mut count = 0u32;
    loop {
        let is_over = job.step();
        count += 1;
        if known.is_none() && answered(job) {
            known = Some((clock.seconds() - began, steps(job)));
        }
        if is_over || until == Until::Answer && known.is_some() {
            let whole = clock.seconds() - began;
            let (seconds, steps) = known.unwrap_or((whole, steps(job)));
            return (seconds, steps, whole);
        }
        if count.is_multiple_of(64) && clock.seconds() - began > patience {
            job.stop(Limit::Time);
        }
    }
}

/// Post\*, the run and its proof, as the formula has them; no search for a shortest run.
fn check(source: &str, until: Until, patience: f64) -> Run {
    let mut session = support::load::session_with(source, &RequestedOptions::default());
    let clock = Clock::new();
    let began = (&clock, clock.seconds());
    session.start(Task::Check, Budgets::default());
    let steps = |session: &Session| session.statistics().1;
    let (seconds, known, whole) = timed(&mut session, began, until, patience, steps, |session| {
        session.failing_run().is_some()
    });
    let answer = match session.outcome() {
        Outcome::Safe => "safe".to_string(),
        Outcome::Unsafe => "unsafe".to_string(),
        Outcome::Unknown(limit) => format!("unknown: {}", limit.word()),
        Outcome::Fault => "fault".to_string(),
    };
    Run { answer, seconds, known, whole, steps: session.statistics().1, states: 0 }
}

fn formula(source: &str, formula: &str, until: Until, patience: f64) -> Run {
    let session = support::load::session_with(source, &RequestedOptions::default());
    let program = session.shared_program().expect("a program");
    let question = LivenessQuestion::Formula(formula.to_string());
    let budgets = Budgets::default();
    let clock = Clock::new();
    let began = (&clock, clock.seconds());
    let made =
        LivenessSession::new(program, source, session.options(), &question, false, budgets, None);
    let mut job = made.unwrap_or_else(|refusal| panic!("{formula}: {refusal:?}"));
    let states = job.automaton().map_or(0, |automaton| automaton.states.len());
    let steps = |job: &LivenessSession| job.statistics().1;
    let (seconds, known, whole) =
        timed(&mut job, began, until, patience, steps, |job| job.verdict().is_some());
    let answer = match job.verdict() {
        Some(Verdict::Holds(_)) => "holds".to_string(),
        Some(Verdict::Violated(_)) => "violated".to_string(),
        Some(Verdict::Unknown(limit)) => format!("unknown: {}", limit.word()),
        Some(Verdict::Fault(_)) | None => "fault".to_string(),
    };
    Run { answer, seconds, known, whole, steps: job.statistics().1, states }
}

fn least(best: u32, run: impl Fn() -> Run) -> Run {
    (0..best).map(|_| run()).min_by(|a, b| a.whole.total_cmp(&b.whole)).expect("best is not 0")
}

/// Seconds until the answer.
fn mean(run: impl Fn(Until) -> Run) -> f64 {
    let (mut together, mut runs) = (0.0, 0);
    let clock = Clock::new();
    let began = clock.seconds();
    while runs < MOST_RUNS && clock.seconds() - began < TOGETHER {
        together += run(Until::Answer).seconds;
        runs += 1;
    }
    together / f64::from(runs)
}

/// `count` flags that are raised, and lowered again by a recursive procedure.
fn flags(count: u32) -> (String, String) {
    let mut text = String::new();
    let mut parts = Vec::new();
    for k in 0..count {
        let _ = writeln!(text, "bool a{k}, b{k};");
        parts.push(format!("G (a{k} -> F b{k})"));
    }
    let _ = writeln!(text, "void answer() {{\n  if (*) {{\n    answer();\n  }}");
    for k in 0..count {
        let _ = writeln!(text, "  if (a{k}) {{ b{k} = true; a{k} = false; }}");
    }
    let _ = writeln!(text, "}}\nvoid main() {{\n  while (*) {{");
    for k in 0..count {
        let _ = writeln!(text, "    b{k} = false;\n    if (*) {{ a{k} = true; }}");
    }
    let _ = writeln!(text, "    answer();\n  }}\n  answer();\n}}");
    (text, parts.join(" && "))
}

fn argument(name: &str) -> Option<f64> {
    std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn main() {
    let best = argument("best").unwrap_or(1.0) as u32;
    let patience = argument("seconds").unwrap_or(60.0);
    let mut programs: Vec<(String, String)> = Vec::new();
    for [globals, procedures, statements] in [[4, 25, 10], [4, 100, 20], [8, 25, 10], [8, 100, 20]]
    {
        let shape = Shape { globals, procedures, statements, seed: 7 };
        programs.push((format!("{globals} × {procedures} × {statements}"), program(shape)));
    }
    for count in [2, 4] {
        programs.push((format!("{count} flags, safe"), flags(count).0));
    }
    let files = support::load::files("static/examples", &["cimple"]);
    let is_shown = |name: &str| ["coffee", "even-odd", "mailbox", "retry", "stack"].contains(&name);
    programs
        .extend(files.into_iter().filter(|(name, _)| is_shown(name.trim_end_matches(".cimple"))));
    println!(
        "| program | `check` | ms | kernel steps | `G !fails` | ms | kernel steps | ratio | with all \
         statements, s |"
    );
    println!("| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |");
    for (name, source) in &programs {
        let run_check = |until| check(source, until, patience);
        let run_formula = |until| formula(source, "G !fails", until, patience);
        let (checked, asked) = (mean(run_check), mean(run_formula));
        let (check, formula) = (run_check(Until::End), least(best, || run_formula(Until::End)));
        println!(
            "| {name} | {} | {:.2} | {} | {} | {:.2} | {} | {:.2} | {:.3} |",
            check.answer,
            checked * 1e3,
            check.known,
            formula.answer,
            asked * 1e3,
            formula.known,
            asked / checked,
            formula.whole,
        );
    }
    println!("\n| flags | states of the automaton | answer | seconds | kernel steps |");
    println!("| ---: | ---: | --- | ---: | ---: |");
    for count in 1..=5 {
        let (source, text) = flags(count);
        let run = least(best, || formula(&source, &text, Until::End, patience));
        let Run { states, answer, seconds, steps, .. } = run;
        println!("| {count} | {states} | {answer} | {seconds:.3} | {steps} |");
    }
}
