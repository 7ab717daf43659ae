use super::support::*;
use faultline::analysis::cegar::heuristic::Heuristic;
use std::time::Instant;

#[test]
fn explore() {
    let name = std::env::var("FIG").unwrap_or("fig-6-3".into());
    let bits = std::env::var("BITS").ok().and_then(|b| b.parse().ok());
    let source = load(&name, None);
    for heuristic in Heuristic::ALL {
        if std::env::var("H").is_ok_and(|h| h != heuristic.word()) {
            continue;
        }
        let now = Instant::now();
        let cegar = run(&source, bits, heuristic);
        eprintln!("{name} {bits:?} {}: {} in {:?}", heuristic.word(), describe(&cegar), now.elapsed());
    }
}
