//! C programs with pointers: what the checker says about random ones is compared with an evaluator
//! of its own, which runs each program on objects for each value of its input.

mod bytes;
mod cells;
mod endless;
mod frames;
mod lines;
mod sanitizers;
mod written;

use crate::support::Random;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};

/// Values of a program's input.
const INPUTS: u32 = 4;

/// A run of a program that an evaluator knows: does it fail?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Well,
    Fails,
}

fn verdict(source: &str, bits: u32) -> Outcome {
    judged(source, bits, false).outcome()
}

/// A session with its answer; `leak`: memory that is lost is an error.
fn judged(source: &str, bits: u32, leak: bool) -> Session {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(bits),
        checks: Some(Checks { bounds: true, division: true, leak, ..Checks::NONE }),
        ..RequestedOptions::default()
    };
    let (mut session, said) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{source}\n{said:?}");
    session.start(Task::Check, Budgets { max_nodes: 2_000_000, ..Budgets::default() });
    while session.outcome() != Outcome::Unsafe && !session.step() {}
    session
}

/// A session with its answer, by all that can decide it, for so many objects on the heap.
fn judged_with(source: &str, bits: u32, heap: u32) -> Session {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(bits),
        heap: Some(heap),
        ..RequestedOptions::default()
    };
    let (mut session, said) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{source}\n{said:?}");
    session.use_portfolio(&requested);
    session.start(Task::Check, Budgets { max_nodes: 1_000_000, ..Budgets::default() });
    session.run();
    session
}

/// Compares so many random programs; most of them must be decided.
fn compare(
    seeds: std::ops::Range<u64>,
    (bits, leak): (u32, bool),
    program: impl Fn(&mut Random) -> (String, Vec<Ends>),
) {
    let (mut safe, mut failing, mut open) = (0, 0, 0);
    let all = seeds.end - seeds.start;
    for seed in seeds {
        let (source, ends) = program(&mut Random::new(seed));
        let fails = ends.contains(&Ends::Fails);
        match judged(&source, bits, leak).outcome() {
            Outcome::Safe => {
                assert!(!fails, "seed {seed}: safe, but a run fails\n{source}");
                safe += 1;
            }
            Outcome::Unsafe => {
                assert!(fails, "seed {seed}: unsafe, but no run fails\n{source}");
                failing += 1;
            }
            _ => open += 1,
        }
    }
    assert!(open * 4 <= all, "{open} of {all} are open");
    assert!(safe * 8 >= all && failing * 8 >= all, "{safe} safe and {failing} failing of {all}");
}

#[test]
fn lists_aliases_and_procedures() {
    compare(0..300, (8, false), cells::program);
}

#[test]
fn recursion_with_addresses_of_locals() {
    compare(3000..3150, (8, false), frames::program);
}

#[test]
fn unions_and_parts_of_structs() {
    compare(0..90, (32, false), bytes::program);
}

#[test]
fn unions_where_pointers_have_32_bits() {
    let program = |random: &mut Random| {
        let (source, ends) = bytes::program(random);
        (format!("//! model = ilp32\n{source}"), ends)
    };
    compare(2000..2060, (32, false), program);
}

#[test]
fn memory_that_is_lost() {
    let program = |random: &mut Random| {
        let (source, ends) = cells::main(random, cells::Kind::Lost);
        (format!("{}{source}", cells::HEAD), ends)
    };
    compare(1000..1120, (8, true), program);
}
