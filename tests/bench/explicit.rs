//! Saturation of pushdown systems without data: `cargo bench --bench explicit` prints two tables in
//! Markdown.
//!
//! Arguments: names of `.pds` or PDAAAL's JSON files to measure instead, and `best=K` for the least
//! of K runs. Memory is what the process holds more once its first saturation is over than before;
//! so every row is measured in a process of its own.

#[path = "clock.rs"]
mod clock;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::encode::{configurations, pushdown_system};
use faultline::pds::{
    ControlLocation, PAutomaton, Pds, Plain, PostStar, PreStar, StackSymbol, Transition,
};
use faultline::semiring::{Boolean, MinPath, Semiring};
use faultline::wire::dialect::Dialect;
use faultline::wire::options::RequestedOptions;
use std::time::Instant;
use support::explicit_systems::{ExplicitSystem, any_rules, recursive_program};

/// What one saturation took.
#[derive(Clone, Copy)]
struct Saturated {
    seconds: f64,
    transitions: usize,
    /// Beyond what was held before; `None` where the system does not tell.
    bytes: Option<u64>,
}

/// Bytes of memory in use, where the system tells (Linux).
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

fn measured<A>(saturate: impl FnOnce() -> (A, usize)) -> Saturated {
    let before = resident();
    let (clock, wall) = (Clock::new(), Instant::now());
    let began = clock.seconds();
    let (held, transitions) = saturate();
    let seconds = match clock.seconds() - began {
        // The system counts in ticks.
        few if few < 0.05 => wall.elapsed().as_secs_f64(),
        many => many,
    };
    let bytes = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
    drop(held);
    Saturated { seconds, transitions, bytes }
}

fn post<S: Semiring>(
    pds: &Pds,
    domain: &mut Plain<S>,
    initial: PAutomaton<S::Weight>,
) -> Saturated {
    measured(|| {
        let mut saturation = PostStar::new(domain, initial, Vec::new());
        while !saturation.is_done() {
            saturation.step(pds, domain).expect("nothing is limited");
        }
        let transitions = saturation.automaton().transitions().len();
        (saturation, transitions)
    })
}

fn pre<S: Semiring>(pds: &Pds, domain: &mut Plain<S>, target: PAutomaton<S::Weight>) -> Saturated {
    measured(|| {
        let mut saturation =
            PreStar::new(pds, domain, target, Vec::new()).expect("nothing is limited");
        while !saturation.is_done() {
            saturation.step(pds, domain).expect("nothing is limited");
        }
        let transitions = saturation.automaton().transitions().len();
        (saturation, transitions)
    })
}

/// Accepts ⟨p, γ⟩ alone.
fn one_configuration<S: Semiring>(
    pds: &Pds,
    domain: &mut Plain<S>,
    head: (ControlLocation, StackSymbol),
) -> PAutomaton<S::Weight> {
    let mut automaton = PAutomaton::new(pds.locations());
    let end = automaton.add_state();
    automaton.set_final(end);
    let one = domain.semiring.one().expect("nothing is limited");
    automaton
        .insert(Transition { from: head.0.into(), symbol: Some(head.1), to: end, via: None }, one);
    automaton
}

/// Least time of `best` runs, memory of the first.
fn repeat(best: u32, mut run: impl FnMut() -> Saturated) -> Saturated {
    let first = run();
    let seconds = (1..best).map(|_| run().seconds).fold(first.seconds, f64::min);
    Saturated { seconds, ..first }
}

fn words(run: Saturated) -> String {
    let time = match run.seconds {
        seconds if seconds < 0.001 => format!("{:.2} ms", seconds * 1e3),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    };
    let bytes = match run.bytes {
        Some(bytes) if run.transitions >= 10_000 => format!("{}", bytes / run.transitions as u64),
        _ => "–".into(),
    };
    format!("{time} | {} | {bytes}", run.transitions)
}

fn both<S: Semiring>(system: &ExplicitSystem, mut domain: Plain<S>, best: u32) -> [Saturated; 2] {
    let initial = one_configuration(&system.pds, &mut domain, system.initial);
    let target = one_configuration(&system.pds, &mut domain, system.target);
    let forward = repeat(best, || post(&system.pds, &mut domain, initial.clone()));
    let backward = repeat(best, || pre(&system.pds, &mut domain, target.clone()));
    [forward, backward]
}

fn row<S: Semiring>(
    name: &str,
    weights: &str,
    system: &ExplicitSystem,
    domain: Plain<S>,
    best: u32,
) {
    let [forward, backward] = both(system, domain, best);
    println!(
        "| {name} | {} | {weights} | {} | {} |",
        system.pds.rules().len(),
        words(forward),
        words(backward)
    );
}

fn boolean(pds: &Pds) -> Plain<Boolean> {
    Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] }
}

fn lengths(pds: &Pds) -> Plain<MinPath> {
    Plain { semiring: MinPath, weights: vec![Some(1); pds.rules().len()] }
}

fn file(name: &str, best: u32) {
    let source = std::fs::read_to_string(name).expect("a file that can be read");
    let extension = name.rsplit('.').next().unwrap_or_default();
    let requested = RequestedOptions {
        dialect: Dialect::of_extension(extension),
        ..RequestedOptions::default()
    };
    let loaded = faultline::lang::raw::load(&source, &requested);
    let Some(system) = loaded.system else { panic!("{name}: {:?}", loaded.diagnostics) };
    let pds = pushdown_system(&system);
    let mut domain = boolean(&pds);
    let initial = configurations(&system, &system.initial, u64::MAX).expect("nothing is limited");
    let target = configurations(&system, &system.target, u64::MAX).expect("nothing is limited");
    let forward = repeat(best, || post(&pds, &mut domain, initial.clone()));
    let backward = repeat(best, || pre(&pds, &mut domain, target.clone()));
    println!(
        "| {name} | {} | Boolean | {} | {} |",
        pds.rules().len(),
        words(forward),
        words(backward)
    );
}

/// The rows of the table, by number.
fn generated(number: u32, best: u32) -> bool {
    let program = |bits: u64, procedures: u64| {
        (
            format!("program, {bits} globals, {procedures} × 20"),
            recursive_program(bits, procedures, 20, 7),
        )
    };
    let growth = [25, 80, 250, 800, 2_500];
    match number {
        0 => {
            let system = any_rules(1_000, 300, 300_000, 7);
            row("any rules, 1,000 × 300", "Boolean", &system, boolean(&system.pds), best);
        }
        1 | 2 => {
            let (name, system) = program([4, 6][number as usize - 1], 100);
            row(&name, "Boolean", &system, boolean(&system.pds), best);
        }
        3..=12 => {
            let (name, system) = program(4, growth[(number as usize - 3) / 2]);
            if !number.is_multiple_of(2) {
                row(&name, "Boolean", &system, boolean(&system.pds), best);
            } else {
                row(&name, "shortest paths", &system, lengths(&system.pds), best);
            }
        }
        _ => return false,
    }
    true
}

/// Another process of this program, for one row.
fn apart(argument: &str, best: u32) -> bool {
    let program = std::env::current_exe().expect("a program knows itself");
    let status =
        std::process::Command::new(program).arg(argument).arg(format!("best={best}")).status();
    status.is_ok_and(|status| status.success())
}

fn main() {
    let (mut files, mut best, mut only) = (Vec::new(), 1, None);
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        if let Some(number) = argument.strip_prefix("best=") {
            best = number.parse().expect("best=K");
        } else if let Some(what) = argument.strip_prefix("only=") {
            only = Some(what.to_string());
        } else {
            files.push(argument);
        }
    }
    if let Some(only) = only {
        match only.parse() {
            Ok(number) => std::process::exit(i32::from(!generated(number, best))),
            Err(_) => file(&only, best),
        }
        return;
    }
    println!(
        "| system | rules | weights | post\\* | transitions | bytes each | pre\\* | transitions | bytes each |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    if files.is_empty() {
        (0..).take_while(|number| apart(&format!("only={number}"), best)).count();
    }
    for name in files {
        apart(&format!("only={name}"), best);
    }
}
