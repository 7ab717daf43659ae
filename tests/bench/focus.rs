//! Focus-statement sequences of a program with one procedure called 2, 4, … 256 times:
//! `cargo bench --bench focus` prints a table in Markdown.
//!
//! Each program is searched three ways: with procedure summaries; without them, each call walked
//! statement by statement; and with the procedure's text in place of each call. Arguments:
//! `diamonds=M` for conditions inside the procedure that do not matter (2^M ways through it),
//! `most=K` for the largest number of calls, `best=N` for the least of N runs.

#[path = "clock.rs"]
mod clock;

use clock::Clock;
use faultline::analysis::focus::{FocusAnalysis, Question};
use faultline::bdd::KernelLimits;
use faultline::lang::model::{ProcedureId, Program};
use faultline::wire::options::RequestedOptions;
use std::fmt::Write;
use std::rc::Rc;

/// Beyond these a search ends in a limit.
const LIMITS: KernelLimits = KernelLimits { max_nodes: 8_000_000, max_steps: 200_000_000 };

/// What the procedure has to do with the error.
struct Variant {
    name: &'static str,
    globals: &'static str,
    /// What it does beside conditions that do not matter.
    matters: &'static str,
    before: &'static str,
    /// After the first call.
    between: &'static str,
    error: fn(u32) -> String,
}

const VARIANTS: [Variant; 3] = [
    Variant {
        name: "at each call, on two of its ways",
        globals: "int x, c;",
        matters: "if (c > 0) { x = x + 1; } else { x = x + 2; }\n  x = x + 3;\n  x = x - 3;",
        before: "x = 0;",
        between: "",
        error: |calls| format!("x != {calls}"),
    },
    Variant {
        name: "at the first call",
        globals: "int a[2];",
        matters: "a[1] = a[1] + 1;",
        before: "a[1] = 0;",
        between: "a[0] = a[1];",
        error: |_| "a[0] != 1".to_string(),
    },
    Variant {
        name: "at none",
        globals: "int a[2];",
        matters: "a[1] = a[1] + 1;",
        before: "a[0] = 1;",
        between: "",
        error: |_| "a[0] != 1".to_string(),
    },
];

/// The procedure's body.
fn body(variant: &Variant, diamonds: u32) -> String {
    let mut text = String::new();
    for k in 0..diamonds {
        let _ = writeln!(text, "  if (y > {k}) {{ y = y - 1; }} else {{ z = z + y; }}");
    }
    text + "  " + variant.matters + "\n"
}

fn program(variant: &Variant, calls: u32, diamonds: u32, inlined: bool) -> String {
    let mut text = format!("//! bits = 16\n{} int y, z;\n", variant.globals);
    if !inlined {
        let _ = writeln!(text, "void q() {{\n{}}}", body(variant, diamonds));
    }
    let _ = writeln!(text, "void main() {{\n  {}", variant.before);
    for k in 0..calls {
        text += &if inlined { body(variant, diamonds) } else { "  q();\n".to_string() };
        if k == 0 {
            let _ = writeln!(text, "  {}", variant.between);
        }
    }
    let _ = writeln!(text, "  assert({});\n}}", (variant.error)(calls));
    text
}

struct Row {
    seconds: f64,
    statements: u64,
    nodes: usize,
    /// Sequences, if all were found.
    found: Option<usize>,
}

fn measure(source: &str, summaries: bool, best: u32) -> Row {
    let loaded = faultline::lang::load(source, &RequestedOptions::default());
    let program =
        Rc::new(loaded.program.unwrap_or_else(|| panic!("{source}\n{:?}", loaded.diagnostics)));
    let mut row: Option<Row> = None;
    for _ in 0..best {
        // The clock is coarse: again until it has moved.
        let clock = Clock::new();
        let (began, mut runs) = (clock.seconds(), 0u32);
        let (new, seconds) = loop {
            let new = search(&program, summaries);
            runs += 1;
            let seconds = clock.seconds() - began;
            if seconds > 0.05 {
                break (new, seconds / f64::from(runs));
            }
        };
        if row.as_ref().is_none_or(|row| seconds < row.seconds) {
            row = Some(Row { seconds, ..new });
        }
    }
    row.expect("at least one run")
}

fn search(program: &Rc<Program>, summaries: bool) -> Row {
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(program), question, LIMITS).expect("room to begin");
    if !summaries {
        analysis.walk_every_call();
    }
    while let Ok(false) = analysis.step() {}
    let procedures = (0..program.procedures.len() as u32).map(ProcedureId);
    let statements = procedures.map(|procedure| analysis.walked(procedure)).sum();
    let found = analysis.is_complete().then(|| analysis.sequences().len());
    Row { seconds: 0.0, statements, nodes: analysis.nodes(), found }
}

fn argument(name: &str) -> Option<u32> {
    std::env::args()
        .find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn main() {
    let (diamonds, most, best) = (
        argument("diamonds").unwrap_or(8),
        argument("most").unwrap_or(256),
        argument("best").unwrap_or(3).max(1),
    );
    println!(
        "Statements looked at / nodes of the search / milliseconds; 2^{diamonds} ways through the procedure that do not matter.\n"
    );
    println!("| it matters | calls | summaries | each call walked | text in place of calls |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for variant in &VARIANTS {
        let mut calls = 2;
        while calls <= most {
            let (called, inlined) =
                (program(variant, calls, diamonds, false), program(variant, calls, diamonds, true));
            let rows = [
                measure(&called, true, best),
                measure(&called, false, best),
                measure(&inlined, true, best),
            ];
            let cell = |row: &Row| {
                let limit = if row.found.is_some() { "" } else { " (limit)" };
                format!("{} / {} / {:.2}{limit}", row.statements, row.nodes, row.seconds * 1e3)
            };
            println!(
                "| {} | {calls} | {} | {} | {} |",
                variant.name,
                cell(&rows[0]),
                cell(&rows[1]),
                cell(&rows[2])
            );
            let mut found = rows.iter().filter_map(|row| row.found);
            let first = found.next();
            assert!(found.all(|other| Some(other) == first), "all three find the same");
            calls *= 2;
        }
    }
}
