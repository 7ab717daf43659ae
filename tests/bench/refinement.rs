//! The refinement loop: `cargo bench --bench refinement` prints tables in Markdown.
//!
//! Without a word: the thesis's measured figures with each heuristic. `corpus`: how many sequential
//! programs of the corpus each heuristic decides as `check` does, and how many obligations of
//! interpolants were proved. `random`: the same for random programs. Further arguments: `best=K`
//! for the least of K runs, `seconds=S` after which a run of a figure is given up, `steps=N` of the
//! kernel, `only=PART` of a name, `heuristic=WORD`, `from=SEED`, `count=N`, `list` to name each
//! program.

#[path = "clock.rs"]
mod clock;
#[path = "../corpus/index.rs"]
mod index;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::analysis::cegar::round::{CegarPhase, Ending};
use faultline::lang::model::Program;
use faultline::session::{Budgets, CegarSession, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Heuristic;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the words of the command line ask for.
struct Arguments {
    best: u32,
    seconds: f64,
    steps: u64,
    from: u64,
    count: u64,
    list: bool,
    phases: bool,
    only: Option<String>,
    heuristic: Option<Heuristic>,
    what: Option<String>,
}

fn arguments() -> Arguments {
    let mut all = Arguments {
        best: 3,
        seconds: 10.0,
        steps: 20_000_000,
        from: 9_000,
        count: 400,
        list: false,
        phases: false,
        only: None,
        heuristic: None,
        what: None,
    };
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        match word.split_once('=') {
            Some(("best", value)) => all.best = value.parse().expect("best=K"),
            Some(("seconds", value)) => all.seconds = value.parse().expect("seconds=S"),
            Some(("steps", value)) => all.steps = value.parse().expect("steps=N"),
            Some(("from", value)) => all.from = value.parse().expect("from=SEED"),
            Some(("count", value)) => all.count = value.parse().expect("count=N"),
            Some(("heuristic", value)) => all.heuristic = Heuristic::from_word(value),
            Some(("only", value)) => all.only = Some(value.to_string()),
            None if word == "list" => all.list = true,
            None if word == "phases" => all.phases = true,
            _ => all.what = Some(word),
        }
    }
    all
}

fn main() {
    let arguments = arguments();
    match arguments.what.as_deref() {
        Some("corpus") => corpus(&arguments),
        Some("random") => random(&arguments),
        _ => figures(&arguments),
    }
}

/// The thesis's measured figures: name, file, bits, another size of arrays.
const FIGURES: [(&str, &str, Option<u32>, Option<u32>); 8] = [
    ("6.2", "fig-6-1", Some(5), None),
    ("6.3, 16 bits", "fig-6-3", Some(16), None),
    ("6.6", "fig-6-5", None, None),
    ("6.10", "fig-6-9", None, None),
    ("6.10, arrays of 8", "fig-6-9", None, Some(8)),
    ("6.10, arrays of 16", "fig-6-9", None, Some(16)),
    ("6.10, arrays of 64", "fig-6-9", None, Some(64)),
    ("6.11", "fig-6-11", None, None),
];

fn figures(arguments: &Arguments) {
    println!(
        "| figure | heuristic | answer | refinements | predicates | obligations | steps (million) | seconds |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, file, bits, size) in FIGURES {
        let mut source = support::load::golden(&format!("cegar/{file}.cimple"));
        if let Some(size) = size {
            source = source.replace("X[4], Y[4]", &format!("X[{size}], Y[{size}]"));
        }
        let loaded = faultline::lang::load(
            &source,
            &RequestedOptions { bits, ..RequestedOptions::default() },
        );
        let program = Rc::new(loaded.program.expect("a program"));
        if arguments.only.as_ref().is_some_and(|only| !file.starts_with(only.as_str())) {
            continue;
        }
        let one = size.map(|_| Heuristic::SkipConciliated);
        for heuristic in Heuristic::ALL
            .into_iter()
            .filter(|heuristic| one.or(arguments.heuristic).is_none_or(|one| one == *heuristic))
        {
            figure(arguments, name, &program, heuristic);
        }
    }
}

fn figure(arguments: &Arguments, name: &str, program: &Rc<Program>, heuristic: Heuristic) {
    let mut least = f64::INFINITY;
    let mut last = None;
    for _ in 0..arguments.best {
        let options = CegarOptions::pure(heuristic);
        let clock = Clock::new();
        let start = clock.seconds();
        let mut session = CegarSession::new(
            Rc::clone(program),
            None,
            options,
            Budgets { max_steps: arguments.steps, ..Budgets::default() },
        );
        let mut by_phase: BTreeMap<CegarPhase, f64> = BTreeMap::new();
        let (mut phase, mut since, mut step) = (session.phase(), start, 0_u32);
        while !session.step() {
            step += 1;
            if session.phase() != phase || step.is_multiple_of(256) {
                let now = clock.seconds();
                *by_phase.entry(phase).or_default() += now - since;
                (phase, since) = (session.phase(), now);
                if now - start > arguments.seconds {
                    session.stop(Limit::Time);
                }
            }
        }
        let now = clock.seconds();
        *by_phase.entry(phase).or_default() += now - since;
        let gave_up = matches!(session.outcome(), Outcome::Unknown(_));
        least = least.min(now - start);
        last = Some((session, by_phase));
        if gave_up {
            break;
        }
    }
    let Some((session, by_phase)) = last else { return };
    let answer = match (session.outcome(), session.limit()) {
        (Outcome::Safe, None) => "safe".to_string(),
        (Outcome::Safe, Some(limit)) => format!("safe; proof unknown: {}", limit.word()),
        (Outcome::Unsafe, _) => "unsafe".to_string(),
        (Outcome::Unknown(limit), _) => format!("unknown: {}", limit.word()),
        (Outcome::Fault, _) => "fault".to_string(),
    };
    let refinements = session.cegar().map_or(0, |cegar| cegar.refinements());
    let predicates =
        session.cegar().map_or(0, |cegar| cegar.abstract_program().predicates.longest());
    let obligations: u64 = session.rounds().iter().map(|round| round.proved).sum();
    let steps = session.statistics().1 as f64 / 1e6;
    println!(
        "| {name} | {} | {answer} | {refinements} | {predicates} | {obligations} | {steps:.2} | {least:.3} |",
        heuristic.word()
    );
    if arguments.phases {
        for round in session.rounds() {
            let nodes = round.extracted.as_ref().map_or(0, |extracted| extracted.dag.node_count());
            let all = round
                .steps
                .iter()
                .map(|(phase, steps)| format!("{} {steps}", phase.word()))
                .collect::<Vec<_>>()
                .join(", ");
            println!(
                "    bits {}, predicates {}, rules {}, DAG {nodes}: {all}",
                round.bits, round.predicates, round.rules_abstracted
            );
        }
        for (phase, seconds) in by_phase {
            println!("    {} {seconds:.3} s", phase.word());
        }
    }
}

/// What one heuristic made of many programs.
#[derive(Default)]
struct Column {
    safe: u32,
    failing: u32,
    unproved: u32,
    undecided: BTreeMap<&'static str, u32>,
    contradictions: u32,
    rounds: u64,
    obligations: u64,
    seconds: f64,
}

#[derive(Default)]
struct Table {
    programs: u32,
    decided: u32,
    columns: BTreeMap<Heuristic, Column>,
}

impl Table {
    fn add(&mut self, name: &str, program: &Rc<Program>, expected: Outcome, arguments: &Arguments) {
        self.programs += 1;
        if !matches!(expected, Outcome::Safe | Outcome::Unsafe) {
            if arguments.list {
                println!("{name}: check says {expected:?}");
            }
            return;
        }
        self.decided += 1;
        let mut line = Vec::new();
        for heuristic in Heuristic::ALL {
            let options = CegarOptions::pure(heuristic);
            let clock = Clock::new();
            let start = clock.seconds();
            let budgets =
                Budgets { max_steps: arguments.steps, max_nodes: 2_000_000, ..Budgets::default() };
            let mut session = CegarSession::new(Rc::clone(program), None, options, budgets);
            let mut step = 0_u32;
            while !session.step() {
                step += 1;
                if step.is_multiple_of(64) && clock.seconds() - start > arguments.seconds {
                    session.stop(Limit::Time);
                }
            }
            let column = self.columns.entry(heuristic).or_default();
            column.seconds += clock.seconds() - start;
            column.rounds += session.rounds().len() as u64;
            column.obligations += session.rounds().iter().map(|round| round.proved).sum::<u64>();
            let found = session.outcome();
            match found {
                Outcome::Unknown(limit) => *column.undecided.entry(limit.word()).or_default() += 1,
                _ if found != expected => {
                    column.contradictions += 1;
                    println!(
                        "CONTRADICTION {name} {heuristic:?}: check {expected:?}, found {found:?} {:?}",
                        session.fault()
                    );
                }
                Outcome::Safe => {
                    column.safe += 1;
                    let proof = session.cegar().and_then(|cegar| cegar.ending());
                    column.unproved += u32::from(proof != Some(Ending::Safe(Ok(()))));
                }
                _ => column.failing += 1,
            }
            let rounds = session.rounds().len();
            line.push(format!(
                "{} {found:?} r{rounds} {:.1}M {:.2}s",
                heuristic.word(),
                session.statistics().1 as f64 / 1e6,
                clock.seconds() - start
            ));
        }
        if arguments.list {
            println!("{name}: check {expected:?}; {}", line.join("; "));
        }
    }

    fn print(&self) {
        println!("{} programs, {} decided by check", self.programs, self.decided);
        println!(
            "| heuristic | safe | unsafe | undecided | contradictions | rounds | obligations proved | invariants unproved | seconds |"
        );
        println!("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
        for (heuristic, column) in &self.columns {
            let undecided: Vec<String> =
                column.undecided.iter().map(|(limit, count)| format!("{count} {limit}")).collect();
            println!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} |",
                heuristic.word(),
                column.safe,
                column.failing,
                undecided.join(", "),
                column.contradictions,
                column.rounds,
                column.obligations,
                column.unproved,
                column.seconds
            );
        }
    }
}

fn checked(
    source: &str,
    requested: &RequestedOptions,
    steps: u64,
) -> Option<(Rc<Program>, Outcome)> {
    let (mut session, _) = Session::load(source, requested);
    let program = Rc::new(session.program()?.clone());
    session.start(
        Task::Check,
        Budgets { max_steps: steps, max_nodes: 4_000_000, ..Budgets::default() },
    );
    session.run();
    Some((program, session.outcome()))
}

/// Known safe: with the suites' own errors only; known unsafe: with every check on.
fn corpus(arguments: &Arguments) {
    let Some(folder) = index::folder_or_line() else { return };
    let mut table = Table::default();
    let c = index::cases(&folder, "c/index.tsv")
        .into_iter()
        .filter(|case| case.name.starts_with("c/seq/"));
    let c = c.map(|case| (case, Dialect::C, Some(32)));
    let boolean = index::cases(&folder, "bp/index.tsv")
        .into_iter()
        .map(|case| (case, Dialect::BooleanProgram, None));
    for (case, dialect, bits) in c.chain(boolean) {
        if arguments.only.as_ref().is_some_and(|only| !case.name.contains(only.as_str())) {
            continue;
        }
        let all = case.known == "unsafe";
        let checks = (dialect == Dialect::C).then_some(Checks {
            bounds: all,
            division: all,
            overflow: all,
            shift: all,
            ..Checks::NONE
        });
        let requested = RequestedOptions {
            dialect: Some(dialect),
            bits,
            checks,
            ..RequestedOptions::default()
        };
        let Some((program, expected)) = checked(&case.source, &requested, arguments.steps) else {
            continue;
        };
        table.add(&case.name, &program, expected, arguments);
    }
    table.print();
}

fn random(arguments: &Arguments) {
    let mut table = Table::default();
    for seed in arguments.from..arguments.from + arguments.count {
        let source = support::generate::program(seed);
        let Some((program, expected)) =
            checked(&source, &RequestedOptions::default(), arguments.steps)
        else {
            continue;
        };
        table.add(&format!("seed {seed}"), &program, expected, arguments);
    }
    table.print();
}
