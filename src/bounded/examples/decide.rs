//! `decide FILE [SECONDS]`: what the bounded engine says of a program in C.
use faultline_bounded::{LARGEST_BOUND, check, default_checks};
use std::rc::Rc;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else { return };
    let seconds: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(20);
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let began = Instant::now();
    let tree = match faultline_c::parse(&text, &|_| None) {
        Ok(tree) => tree,
        Err(mistake) => return println!("refused: {} line {}", mistake, mistake.span.line),
    };
    let code = match faultline_c::compile(&tree) {
        Ok(code) => code,
        Err(mistake) => return println!("refused: {} line {}", mistake, mistake.span.line),
    };
    let mut checks = default_checks(&code);
    if let Some(list) = arguments.next() {
        let on = |name: &str| list.split(',').any(|one| one == name);
        checks.bounds = on("bounds");
        checks.division = on("division");
        checks.overflow = on("overflow");
        checks.shift = on("shift");
        checks.initialised = on("initialised");
    }
    if code.labels.iter().any(|l| l == "ERROR" || l == "error" || l.starts_with("__CPROVER_ASYNC"))
    {
        return println!("refused: label");
    }
    let stop = Rc::new(move || began.elapsed().as_secs() >= seconds);
    let outcome = check(&tree, &code, checks, LARGEST_BOUND, stop, &mut |_| {});
    print!(
        "{:.2}s bound {} nodes {} conflicts {} ",
        began.elapsed().as_secs_f64(),
        outcome.bound,
        outcome.nodes,
        outcome.conflicts
    );
    match outcome.verdict {
        faultline_bounded::Verdict::Fails(list) => {
            print!("unsafe");
            for found in list {
                let line = tree.points[found.point.index()].span.line;
                print!(
                    " | {:?} line {line} input {:?} {:?}",
                    found.failure,
                    String::from_utf8_lossy(&found.given.text),
                    found.given.choices
                );
            }
            println!();
        }
        faultline_bounded::Verdict::Safe => println!("safe"),
        faultline_bounded::Verdict::Unknown(reason) => println!("unknown {reason:?}"),
    }
}
