//! A round is read for its picture within a number of kernel steps, however large its formulas are.

use crate::support::load::program;
use faultline::report::refinement_reading::RoundReading;
use faultline::session::{Budgets, CegarSession, Job, Outcome};
use faultline::wire::refinement::CegarOptions;

/// Kernel steps of all formulas together, and what each node has once these are spent.
const ROUND_STEPS: u64 = 8_000_000;
const NODE_STEPS: u64 = 30_000;

/// A token goes round; sums that do not matter make the interpolants large.
const RING: &str = "int state0 = 1, state1 = 0, state2 = 0, state3 = 0, turn = 0, junk, waste;
void pass(int from) { assert(turn == from); junk = junk * 3 + waste; waste = junk + from; }
void step() {
  if (state0 == 1) { if (*) { state0 = 0; pass(0); turn = 1; state1 = 1; } }
  if (state1 == 1) { if (*) { state1 = 0; pass(1); turn = 2; state2 = 1; } }
  if (state2 == 1) { if (*) { state2 = 0; pass(2); turn = 3; state3 = 1; } }
  if (state3 == 1) { if (*) { state3 = 0; pass(3); turn = 0; state0 = 1; } }
}
void main() { while (*) { step(); } }
";

#[test]
fn a_round_is_read_within_its_steps() {
    let options = CegarOptions::default();
    let mut cegar = CegarSession::new(program(RING), None, options, Budgets::default());
    cegar.run();
    assert_eq!((cegar.outcome(), cegar.fault()), (Outcome::Safe, None));
    let mut most = 0;
    for round in 1..=cegar.rounds().len() as u32 {
        let begun = cegar.statistics().1;
        let mut reading = RoundReading::new(&cegar, round).unwrap();
        let mut pieces = 1;
        while !reading.step(&mut cegar) {
            pieces += 1;
        }
        let steps = cegar.statistics().1 - begun;
        println!("round {round}: {pieces} pieces, {steps} steps");
        assert!(steps <= ROUND_STEPS + pieces * NODE_STEPS, "round {round}: {steps} steps");
        let view = reading.finish(&cegar);
        assert_eq!(view.nodes.is_empty(), view.graph.boxes.is_empty());
        most = most.max(steps);
    }
    assert!(most >= ROUND_STEPS, "no round is as large as that: {most} steps");
}
