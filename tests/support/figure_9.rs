//! Figure 9 of *Error Explanation by Focus-Statement Sequences*: the resolution advisory, in our
//! own program and in the Siemens suite's.

use super::load::{golden, program_with};
use super::meaning::{meaning, same};
use faultline::analysis::focus::{Assumption, FocusAnalysis, Question};
use faultline::bdd::{Bdd, KernelLimits};
use faultline::wire::options::{Globals, RequestedOptions};
use std::rc::Rc;

/// The five variables of Figure 9 as the program calls them: own and other altitude, upward and
/// downward separation, threshold.
pub(crate) type Five = [&'static str; 5];

/// What Figure 9 prints for an advisory; `more` is what an inhibited climb adds to the upward
/// separation where both are compared.
pub(crate) fn printed(five: &Five, upwards: bool, more: &str) -> String {
    let [own, other, up, down, enough] = five;
    match upwards {
        true => format!("{other} > {own} ∧ {up}{more} > {down} ∧ {down} < {enough}"),
        false => format!("{own} > {other} ∧ {up}{more} ≤ {down} ∧ {up} ≥ {enough}"),
    }
}

/// All sequences' assumptions, projected onto the five variables, are together the formula wherever
/// the upward separation and 100 do not wrap; how many sequences there are.
pub(crate) fn projects_to(source: &str, five: &Five, formula: &str) -> usize {
    let requested = RequestedOptions { globals: Some(Globals::Any), ..RequestedOptions::default() };
    let (program, options) = program_with(source, &requested);
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    assert!(analysis.is_complete() && !analysis.sequences().is_empty());
    let inputs = five.map(str::to_string);
    let mut union = Vec::new();
    for sequence in analysis.sequences() {
        let own = analysis.inputs_ref();
        let over = |a: &&Assumption| {
            faultline::report::focus::speaks_only_of(&program, own, &a.expression, &inputs)
        };
        union.push(sequence.assumptions.iter().filter(over).cloned().collect::<Vec<_>>());
    }
    let kernel = &mut analysis.inputs().kernel;
    let mut any = Bdd::FALSE;
    for set in &union {
        let all: Vec<Bdd> = set.iter().map(|assumption| assumption.truth).collect();
        let all = kernel.and_all(&all).expect("no limit");
        any = kernel.or(any, all).expect("no limit");
    }
    // The program's sums wrap, the formula's do not: where none wraps they are to agree.
    let fits = format!("{} ≤ {}", five[2], (1i64 << (options.bits - 1)) - 1 - 100);
    let small = meaning(&program, &mut analysis, &fits);
    let any = analysis.inputs().kernel.and(any, small).expect("no limit");
    let whole = Assumption { truth: any, ..union[0][0].clone() };
    assert!(same(&program, &mut analysis, &[whole], &format!("({formula}) ∧ {fits}")), "{formula}");
    union.len()
}

/// The five variables in `fig-9.cimple`, by their printed names.
pub(crate) const FIVE: Five =
    ["ownTrackedAlt", "otherTrackedAlt", "upSeparation", "downSeparation", "positiveRAAltThresh"];

pub(crate) fn program_of_ours() -> String {
    golden("focus/fig-9.cimple")
}
