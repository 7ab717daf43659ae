//! Assumptions of focus sequences against formulas of a paper, as diagrams.

use faultline::analysis::focus::{Assumption, FocusAnalysis};
use faultline::bdd::Bdd;
use faultline::lang::model::{Program, Scalar, VariableId};
use faultline::readable::NamedScalar;
use faultline::readable::predicate::parse;

/// The conjunction of assumptions, and the paper's formula over the program's variables, are the
/// same. A formula of the paper, over integers that do not wrap.
pub(crate) fn meaning(program: &Program, analysis: &mut FocusAnalysis, formula: &str) -> Bdd {
    let inputs = analysis.inputs();
    let mut named = Vec::new();
    for k in 0..program.variables.len() as u32 {
        let variable = program.variable(VariableId(k));
        if variable.is_array() || variable.name.is_empty() {
            continue;
        }
        let scalar: Scalar = variable.scalar;
        let bits = inputs.bits(VariableId(k), 0, scalar).expect("no limit");
        named.push(NamedScalar {
            name: variable.name.clone(),
            scalar,
            bits,
            values: None,
            wraps: false,
        });
    }
    parse(&mut inputs.kernel, formula, &named)
        .unwrap_or_else(|error| panic!("{formula}: {error:?}"))
}

pub(crate) fn same(
    program: &Program,
    analysis: &mut FocusAnalysis,
    assumptions: &[Assumption],
    formula: &str,
) -> bool {
    let paper = meaning(program, analysis, formula);
    let inputs = analysis.inputs();
    let all: Vec<Bdd> = assumptions.iter().map(|assumption| assumption.truth).collect();
    inputs.kernel.and_all(&all).expect("no limit") == paper
}
