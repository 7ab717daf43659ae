//! The product's focus statements against the definition of them (`definition`), on random
//! programs: of every failing run, and of every sequence that the search lists. What it lists says
//! all failing runs, with the statements that the definition gives them.

use crate::definition::{Definition, Without};
use crate::explicit::{Settings, explore};
use crate::focus::{Failing, assumed, random_run, sequences};
use crate::idle_checks::without_idle_checks;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::focus::focus_of_run;
use faultline::lang::interpreter::{Replay, replay};
use faultline::lang::model::Program;
use std::rc::Rc;

/// Programs looked at.
const PROGRAMS: std::ops::Range<u64> = 0..250;
/// Failing runs tried of each, by chance.
const RUNS: u64 = 25;

fn words(program: &Program, run: &Replay, inside: &[bool]) -> Vec<String> {
    let kept = (0..inside.len()).filter(|k| inside[*k]);
    kept.map(|k| {
        let edge = program.edge(run.steps[k].edge);
        format!("step {k}, line {}: {} {}", edge.span.line, edge.text, edge.outcome)
    })
    .collect()
}

#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    /// Programs where the definition says nothing.
    endless: u32,
    runs: u32,
    /// Statements that are no focus statements.
    left_out: usize,
    /// Runs that would have other focus statements without a part of the definition.
    by_control: u32,
    by_hiding: u32,
    by_potential: u32,
}

#[test]
fn the_focus_statements_of_a_run_are_those_of_the_definition() {
    let mut tally = Tally::default();
    each(PROGRAMS, generate::sequential, |seed, source| {
        let program = Rc::new(without_idle_checks(&crate::load(source).expect("a good program")));
        let Some(definition) = Definition::new(&program) else {
            tally.endless += 1;
            return;
        };
        tally.programs += 1;
        for try_ in 0..RUNS {
            let Some(run) = random_run(&program, seed * 100 + try_) else { continue };
            let again = replay(&program, &run).expect("the machine made it");
            let expected = definition.focus(&again, Without::Nothing);
            let found = focus_of_run(&program, &again).focus;
            assert_eq!(
                words(&program, &again, &found),
                words(&program, &again, &expected),
                "found and expected, run {try_} of seed {seed}\n{source}"
            );
            tally.runs += 1;
            tally.left_out += expected.iter().filter(|kept| !**kept).count();
            let differs = |without| u32::from(definition.focus(&again, without) != expected);
            tally.by_control += differs(Without::Control);
            tally.by_hiding += differs(Without::Hiding);
            tally.by_potential += differs(Without::Potential);
        }
    });
    assert!(tally.runs > 1_000 && tally.left_out > 5_000, "{tally:?}");
    // Whoever left one of these out would be found out.
    assert!(
        tally.by_control > 300
            && tally.by_hiding > 80
            && tally.by_potential > 30
            && tally.endless < 20,
        "{tally:?}"
    );
}

#[test]
fn the_sequences_of_a_program_are_those_of_the_definition() {
    let (mut programs, mut feasible, mut runs, mut exact) = (0, 0, 0, 0);
    each(PROGRAMS, generate::sequential, |seed, source| {
        let program = Rc::new(without_idle_checks(&crate::load(source).expect("a good program")));
        let (Some(definition), Some(mut analysis)) =
            (Definition::new(&program), sequences(&program, Vec::new()))
        else {
            return;
        };
        let place = format!("seed {seed}\n{source}");
        programs += 1;
        if analysis.undecided() > 0 {
            // The definition does not ask whether a loop ends that does not matter: behind one that
            // never does, nothing fails.
            let explicit = explore(&program, Settings::default())
                .unwrap_or_else(|| panic!("too large: {place}"));
            assert!(
                !explicit.is_unsafe,
                "{} sequences without a run, {place}",
                analysis.undecided()
            );
            return;
        }
        for sequence in analysis.sequences() {
            let Some(confirmed) = &sequence.confirmed else { continue };
            let expected = definition.focus(&confirmed.replay, Without::Nothing);
            let failing = Failing::with(&program, &confirmed.run, &confirmed.replay, &expected);
            assert_eq!(
                sequence.entries,
                failing.own,
                "{:?}, {place}",
                words(&program, &confirmed.replay, &expected)
            );
            feasible += 1;
        }
        let all = assumed(&program, &mut analysis);
        for try_ in 0..RUNS {
            let Some(run) = random_run(&program, seed * 100 + try_) else { continue };
            if !analysis.is_complete() {
                continue;
            }
            let again = replay(&program, &run).expect("the machine made it");
            let failing =
                Failing::with(&program, &run, &again, &definition.focus(&again, Without::Nothing));
            let inputs = analysis.inputs_ref();
            let with = || {
                analysis.sequences().iter().zip(&all).filter(|(sequence, _)| sequence.is_feasible())
            };
            let own = with().any(|(sequence, (whole, ..))| {
                sequence.entries == failing.own && failing.fulfils(inputs, *whole)
            });
            let shorter = || {
                with().any(|(_, (_, of_start, lines))| {
                    lines.is_subset(&failing.lines) && failing.fulfils(inputs, *of_start)
                })
            };
            assert!(
                own || shorter(),
                "run {try_} is said by no sequence: {:?}, {place}",
                failing.lines
            );
            runs += 1;
            exact += u32::from(own);
        }
    });
    assert!(
        programs > 200 && feasible > 60 && runs > 60 && exact > 20,
        "{feasible} sequences; {exact} of {runs} runs are listed as they are"
    );
}
