//! Programs with threads: `cargo bench --bench threads` prints three tables in Markdown: Qadeer and
//! Rehof's tree beside interfaces and the whole answer on the same programs, and closed sets with
//! and without partial order reduction. Nothing in them fails, so both searches explore every bound
//! whole; the answer may be a proof for any number of switches. `best=K`: the least of K runs.

#[path = "clock.rs"]
mod clock;
#[path = "../support/mod.rs"]
mod support;

use clock::Clock;
use faultline::analysis::thread_search::{ThreadQuestion, ThreadSearch};
use faultline::analysis::threads::ThreadSystem;
use faultline::analysis::threads::closed_set::{ClosedSet, MOST_CONFIGURATIONS};
use faultline::lang::model::Program;
use faultline::session::{
    Budgets, Job, Outcome, SwitchBound, ThreadsMethod, ThreadsOptions, ThreadsSession,
};
use faultline::util::Limit;
use faultline::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use std::fmt::Write;
use std::rc::Rc;
use support::Random;

/// Beyond these a row ends in `limit`.
const MOST_NODES: u64 = 4_000_000;
const MOST_STEPS: u64 = 60_000_000;

/// Threads with a local, choices, loops, branches and calls of a recursive procedure over so many
/// Boolean globals.
///
/// Not by `support::generate`: nothing may fail here, and both numbers are chosen.
fn program(threads: u64, bits: u64, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for bit in 0..bits {
        let _ = writeln!(text, "bool g{bit} = {};", if bit % 3 == 0 { "true" } else { "false" });
    }
    let global = |random: &mut Random| format!("g{}", random.below(bits));
    let value = |random: &mut Random| match random.below(4) {
        0 => format!("!{}", global(random)),
        1 => format!("{} ^ l", global(random)),
        2 => "l".to_string(),
        _ => format!("{} & {}", global(random), global(random)),
    };
    let assign = |random: &mut Random| format!("{} = {};", global(random), value(random));
    for thread in 0..threads {
        let head =
            if thread == 0 { "void main()".to_string() } else { format!("thread t{thread}") };
        let _ = writeln!(
            text,
            "{head} {{\n  bool l = {};",
            if thread % 2 == 0 { "true" } else { "false" }
        );
        // Many stores: every thread may turn its share of the globals.
        for bit in (thread..bits).step_by(threads as usize) {
            let _ = writeln!(text, "  if (*) {{ g{bit} = !g{bit}; }}");
        }
        for _ in 0..3 {
            let (one, other) = (assign(&mut random), assign(&mut random));
            let _ = match random.below(4) {
                0 => {
                    writeln!(text, "  if ({}) {{ {one} }} else {{ {other} }}", global(&mut random))
                }
                1 => writeln!(text, "  while (*) {{ {one} l = {}; }}", global(&mut random)),
                2 => writeln!(text, "  step({});", global(&mut random)),
                _ => writeln!(text, "  {one} l = {};", global(&mut random)),
            };
        }
        text += "  step(l);\n}\n";
    }
    let (one, other) = (assign(&mut random), assign(&mut random));
    let _ = writeln!(
        text,
        "void step(bool l) {{\n  {one}\n  if ({}) {{ step(!l); }}\n  {other}\n}}",
        global(&mut random)
    );
    text
}

struct Row {
    seconds: f64,
    limit: Option<Limit>,
    peak: u64,
    /// Nodes of the tree; or states, transitions and diagram nodes of the interfaces.
    size: String,
}

/// The search alone, up to so many switches.
fn searched(
    method: ThreadsMethod,
    program: &Program,
    switches: u32,
) -> (Option<Limit>, Option<ThreadSearch>) {
    let budgets = Budgets { max_nodes: MOST_NODES, max_steps: MOST_STEPS, ..Budgets::default() };
    let system = ThreadSystem::new(program, switches);
    let question = ThreadQuestion { system: &system, error_line: None, switches, at: None };
    let mut search = match ThreadSearch::new(method, question, budgets) {
        Ok(search) => search,
        Err(limit) => return (Some(limit), None),
    };
    loop {
        if search.is_done() {
            if search.bound() >= Some(switches) {
                return (None, Some(search));
            }
            search.raise();
        } else if let Err(limit) = search.step() {
            return (Some(limit), Some(search));
        }
        search.collect_if_due();
    }
}

fn measure(method: ThreadsMethod, program: &Program, switches: u32, best: u32) -> Row {
    let mut row: Option<Row> = None;
    for _ in 0..best {
        let clock = Clock::new();
        let began = clock.seconds();
        let (limit, search) = searched(method, program, switches);
        let seconds = clock.seconds() - began;
        let size = match &search {
            Some(ThreadSearch::Tree(tree)) => tree.nodes().len().to_string(),
            Some(ThreadSearch::Interfaces(interfaces)) => {
                let sizes = interfaces.sizes();
                let (states, transitions) =
                    sizes.iter().fold((0, 0), |(s, t), one| (s + one.states, t + one.transitions));
                let nodes = sizes.iter().flat_map(|one| &one.nodes).max().copied().unwrap_or(0);
                format!("{states} / {transitions} / {nodes}")
            }
            None => String::new(),
        };
        let peak = search.map_or(0, |search| search.kernel().peak_nodes());
        if row.as_ref().is_none_or(|row| seconds < row.seconds) {
            row = Some(Row { seconds, limit, peak, size });
        }
    }
    row.expect("at least one run")
}

/// The whole answer, which may be a proof for any number of switches.
fn answered(
    program: &Rc<Program>,
    options: &EffectiveOptions,
    switches: u32,
    best: u32,
) -> (f64, String) {
    let mut least = (f64::INFINITY, String::new());
    for _ in 0..best {
        let clock = Clock::new();
        let began = clock.seconds();
        let asked = ThreadsOptions { switches: SwitchBound::AtMost(switches), at: None };
        let budgets = Budgets::default();
        let mut session = ThreadsSession::new(Rc::clone(program), options, asked, budgets);
        session.run();
        let seconds = clock.seconds() - began;
        if seconds < least.0 {
            let answer = match (session.outcome(), session.proof()) {
                (_, Some(Ok(proof))) => format!("any number ({})", proof.configurations),
                (Outcome::Unknown(limit), _) => format!("limit: {}", limit.word()),
                _ => switches.to_string(),
            };
            least = (seconds, answer);
        }
    }
    least
}

fn time(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

fn print(what: &str, program: &str, switches: u32, best: u32) {
    let (program, options) = support::load::program_with(program, &RequestedOptions::default());
    let mut line = format!("| {what} |");
    for method in [ThreadsMethod::QadeerRehof, ThreadsMethod::Transducer] {
        let row = measure(method, &program, switches, best);
        let took = match row.limit {
            Some(limit) => format!("limit: {} ({:.1} s)", limit.word(), row.seconds),
            None => time(row.seconds),
        };
        let _ = write!(line, " {took} | {} | {} |", row.size, row.peak);
    }
    let (seconds, answer) = answered(&program, &options, switches, best);
    println!("{line} {} | {answer} |", time(seconds));
}

/// Closed sets of C programs of the gallery with partial order reduction and without.
fn closed_sets() {
    let grown = |mut set: ClosedSet| {
        let clock = Clock::new();
        let began = clock.seconds();
        while set.answer().is_none() {
            set.step();
        }
        format!("{} | {:.1} ms", set.len(), (clock.seconds() - began) * 1e3)
    };
    for name in ["threads-handshake", "threads-race-mutex", "threads-tickets-mutex"] {
        let requested = support::load::in_dialect(Dialect::C);
        let source = support::load::example(&format!("{name}.c"));
        let (program, _) = support::load::program_with(&source, &requested);
        let whole = grown(ClosedSet::unreduced(&program, None, MOST_CONFIGURATIONS));
        let reduced = grown(ClosedSet::new(&program, None, MOST_CONFIGURATIONS));
        println!("| `{name}.c` | {whole} | {reduced} |");
    }
}

fn main() {
    let best = std::env::args()
        .find_map(|argument| argument.strip_prefix("best=")?.parse().ok())
        .unwrap_or(1);
    let columns = "Qadeer-Rehof | nodes of the tree | peak BDD nodes | interfaces | states / transitions / nodes of the largest interface | peak BDD nodes | answer | no error with switches (configurations) |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |";
    println!("| threads, switches (6 global bits) | {columns}");
    for threads in [2, 3] {
        for switches in 0..=7 {
            print(&format!("{threads}, {switches}"), &program(threads, 6, 7), switches, best);
        }
    }
    println!("\n| global bits (2 threads, 3 switches) | {columns}");
    for bits in [2, 4, 6, 8, 10, 12, 14, 16] {
        print(&bits.to_string(), &program(2, bits, 7), 3, best);
    }
    println!(
        "\n| program | configurations without reduction | time | with reduction | time |\n| --- | --- | --- | --- | --- |"
    );
    closed_sets();
}
