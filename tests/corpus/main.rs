//! Real programs with known answers, written by others: one module per folder of the corpus.
//!
//! The corpus is no part of the product. It is read from the folder that `FAULTLINE_CASES` names,
//! or from `../shared/cases` next to the checkout. Where that folder is missing, every test counts
//! as ignored, and one line says why. This needs a harness of its own (`libtest-mimic`): Rust's can
//! only ignore a test when it is compiled. The harness takes the usual arguments.
#![allow(unreachable_pub, missing_docs)]

mod bp;
mod c;
mod cbmc;
mod competition;
mod figure_9;
mod index;
mod java;
mod memory;
mod pds;
mod refinement;
mod refusals;
mod remopla;
mod rules;
mod students;
#[path = "../support/mod.rs"]
mod support;
mod tcas;
mod threads;

use libtest_mimic::{Arguments, Completion, Trial};
use std::path::Path;
use std::process::ExitCode;

/// A test, given the corpus' folder.
type Test = fn(&Path);

/// All tests, and the file or folder of the corpus that each needs.
const TESTS: [(&str, &str, Test); 22] = [
    ("bp::known_answers", "bp", bp::known_answers),
    ("bp::benchmarks_fail_within_few_steps", "../bench", bp::benchmarks_fail_within_few_steps),
    ("bp::never_failing_is_the_known_answer", "bp", bp::never_failing_is_the_known_answer),
    ("bp::printed_and_read_back", "bp", bp::printed_and_read_back),
    ("c::the_index_is_complete", "c", c::the_index_is_complete),
    ("c::sequential_programs", "c", c::sequential_programs),
    ("c::threaded_programs", "c", c::threaded_programs),
    ("c::printed_programs_read_the_same", "c", c::printed_programs_read_the_same),
    ("cbmc::known_answers", "c/cbmc", cbmc::known_answers),
    (
        "competition::refinement_contradicts_no_known_answer",
        "c/svcomp12",
        competition::refinement_contradicts_no_known_answer,
    ),
    ("figure_9::of_the_suite", "tcas", figure_9::of_the_suite),
    ("figure_9::is_the_suites_program", "tcas", figure_9::is_the_suites_program),
    ("java::known_answers", "java", java::known_answers),
    ("memory::known_answers", "c/memory", memory::known_answers),
    ("pds::known_answers", "pds", pds::known_answers),
    (
        "refinement::every_heuristic_gives_the_verdict_of_check",
        "c",
        refinement::every_heuristic_gives_the_verdict_of_check,
    ),
    ("remopla::explored_or_refused", "remopla", remopla::explored_or_refused),
    ("rules::known_answers", "rules", rules::known_answers),
    (
        "students::tests_tell_wrong_from_correct",
        "students",
        students::tests_tell_wrong_from_correct,
    ),
    (
        "tcas::every_faulty_version_has_a_projection",
        "tcas",
        tcas::every_faulty_version_has_a_projection,
    ),
    ("threads::boolean_programs", "bp", threads::boolean_programs),
    ("threads::c_programs", "c", threads::c_programs),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let corpus = index::folder();
    if !corpus.is_dir() && !arguments.list {
        println!("left out: tests/corpus, as there is no folder {}", corpus.display());
    }
    let trial = |(name, needed, test): (&'static str, &str, Test)| {
        let (corpus, needed) = (corpus.clone(), corpus.join(needed));
        Trial::ignorable_test(name, move || {
            if !needed.exists() {
                return Ok(Completion::ignored_with(format!("no {}", needed.display())));
            }
            test(&corpus);
            Ok(Completion::Completed)
        })
    };
    libtest_mimic::run(&arguments, TESTS.into_iter().map(trial).collect()).exit_code()
}
