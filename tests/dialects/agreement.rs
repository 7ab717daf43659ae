//! The same random program in all dialects: the same verdict, the same statements reached and on
//! failing runs.

use crate::program::{Program, random};
use crate::write::{Writer, write, writers};
use faultline::lang::model::StatementKind;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use std::collections::BTreeSet;

/// What is the same in all dialects: conditions, jumps and returns stand elsewhere or are no
/// statements in some of them.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    is_unsafe: bool,
    reached: BTreeSet<u32>,
    projected: BTreeSet<u32>,
}

/// `None`: a limit was hit.
fn answer(source: &str, writer: &dyn Writer) -> Option<Answer> {
    let requested =
        RequestedOptions { dialect: Some(writer.dialect()), ..RequestedOptions::default() };
    let (mut session, diagnostics) = Session::load(source, &requested);
    assert!(
        session.program().is_some(),
        "{:?} does not load: {diagnostics:?}\n{source}",
        writer.dialect()
    );
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    let is_unsafe = match session.outcome() {
        Outcome::Safe => false,
        Outcome::Unsafe => true,
        Outcome::Unknown(_) => return None,
        Outcome::Fault => panic!("{:?}\n{source}", session.fault()),
    };
    let (reached, lit) = (session.executed()?.to_vec(), session.in_projection()?);
    let program = session.program()?;
    let lines = |marks: &[bool]| {
        let shown = |kind| {
            matches!(
                kind,
                StatementKind::Assignment
                    | StatementKind::Call
                    | StatementKind::Assumption
                    | StatementKind::Assertion
                    | StatementKind::Skip
            )
        };
        program
            .edges
            .iter()
            .zip(marks)
            .filter(|(edge, mark)| **mark && shown(edge.kind))
            .map(|(edge, _)| edge.span.line)
            .collect()
    };
    Some(Answer { is_unsafe, reached: lines(&reached), projected: lines(&lit) })
}

/// Compares all dialects that can say it; gives what they agree on.
fn agree(program: &Program, with_numbers: bool, seed: u64) -> Option<Answer> {
    let mut first: Option<Answer> = None;
    for writer in writers().iter().filter(|writer| writer.counts() || !with_numbers) {
        let source = write(program, writer.as_ref());
        let found = answer(&source, writer.as_ref())?;
        match &first {
            None => first = Some(found),
            Some(first) => {
                assert_eq!(*first, found, "seed {seed}, {:?}:\n{source}", writer.dialect())
            }
        }
    }
    first
}

fn compare(seeds: std::ops::Range<u64>, with_numbers: bool) {
    let (mut failing, mut proper, mut compared) = (0, 0, 0);
    let all = seeds.end - seeds.start;
    for seed in seeds {
        let Some(found) = agree(&random(seed, with_numbers), with_numbers, seed) else { continue };
        compared += 1;
        failing += u64::from(found.is_unsafe);
        proper +=
            u64::from(!found.projected.is_empty() && found.projected.len() < found.reached.len());
    }
    assert!(10 * compared >= 9 * all, "{compared} of {all} compared");
    assert!(failing > compared / 5 && failing < compared, "{failing} of {compared} can fail");
    assert!(proper > compared / 10, "{proper} of {compared} have a projection of their own");
}

#[test]
fn boolean_programs_in_all_dialects() {
    compare(0..200, false);
}

#[test]
fn small_integers_where_they_are() {
    compare(1000..1100, true);
}
