//! The answer about a formula as the page shows it: words, the automaton's picture, the JSON text,
//! and what a formula can speak about.

use crate::analysis::liveness::atoms::NamedAtom;
use crate::analysis::liveness::places::labels;
use crate::draw::buchi::picture;
use crate::draw::liveness as words;
use crate::draw::words::counted;
use crate::lang::model::{Program, Variable};
use crate::report::json;
use crate::report::liveness::{liveness_refusal, liveness_report};
use crate::session::{LivenessRefusal, LivenessSession};
use crate::util::Limit;
use crate::util::names::continues_name;
use crate::wire::liveness::{LivenessAnswer, LivenessFound, LivenessStatement};
use crate::wire::options::EffectiveOptions;

/// So many names are offered for a formula.
const MOST_NAMES: usize = 60;

/// What a formula can name.
pub enum Names<'a> {
    /// Globals, procedures and the labels of this text.
    Source(&'a str),
    /// Globals, and the atoms of a pushdown system.
    Atoms(&'a [NamedAtom]),
}

/// The answer of an analysis that is over.
pub fn answer(
    program: &Program,
    names: &Names<'_>,
    options: &EffectiveOptions,
    session: &LivenessSession,
) -> LivenessAnswer {
    let report = liveness_report(program, options, session);
    let json = json::render(&report);
    let counts = [words::what_counts(&report), words::FAIR].map(|sentence| format!("{sentence}."));
    let counts = counts.into_iter().take(1 + usize::from(report.fair));
    let proof = words::proved(&report).map(|sentence| format!("{sentence}."));
    let open = words::statements_unknown(&report).map(|sentence| format!("{sentence}."));
    let told = counts.chain(proof).chain(open).chain(report.fault.clone()).collect();
    let rounds = counted(report.rounds, "round");
    let steps = counted(report.steps, "step");
    let found = LivenessFound {
        verdict: report.verdict,
        goes_on: matches!(report.limit, Some(Limit::Nodes | Limit::Steps | Limit::Time)),
        headline: words::headline(&report),
        told,
        figures: vec![format!("The search took {rounds} and {steps} of the kernel.")],
        growth: report.lasso.as_ref().map(words::growth).unwrap_or_default(),
        automaton: report.automaton.as_ref().map(picture),
        formula: report.formula,
        options: report.options,
        lasso: report.lasso,
        violating: edges(&report.statements, |one| one.violating),
        innocent: edges(&report.statements, |one| one.reached && !one.violating),
        json,
    };
    LivenessAnswer {
        atoms: atoms(program, names),
        found: Some(Box::new(found)),
        ..LivenessAnswer::default()
    }
}

/// The numbers of some statements. These are in ascending order.
fn edges(
    statements: &[LivenessStatement],
    counts: impl Fn(&LivenessStatement) -> bool,
) -> Vec<u32> {
    statements.iter().filter(|one| counts(one)).map(|one| one.edge).collect()
}

/// A question that is refused. `text` is the formula.
pub fn refused(
    program: &Program,
    names: &Names<'_>,
    text: &str,
    refusal: &LivenessRefusal,
) -> LivenessAnswer {
    let is_of_text = matches!(refusal, LivenessRefusal::Formula(_));
    let mistake = liveness_refusal(text, refusal);
    LivenessAnswer {
        atoms: atoms(program, names),
        refusal: (!is_of_text).then(|| mistake.message.clone()),
        mistake: is_of_text.then_some(mistake),
        found: None,
    }
}

/// What was loaded cannot be asked about at all.
pub fn impossible(message: String) -> LivenessAnswer {
    LivenessAnswer { refusal: Some(message), ..LivenessAnswer::default() }
}

/// What can stand in a formula, as it is written there: atoms, globals, procedures, labels.
fn atoms(program: &Program, names: &Names<'_>) -> Vec<String> {
    let mut found = Vec::new();
    if let Names::Atoms(atoms) = names {
        found.extend(atoms.iter().map(|atom| atom.name.clone()));
    }
    for variable in program.variables.iter().filter(|v| v.owner.is_none() && can_stand(v)) {
        found.push(match variable.dimensions.len() {
            0 => variable.name.clone(),
            n => format!("{}{}", variable.name, "[0]".repeat(n)),
        });
    }
    if let Names::Source(source) = names {
        places(program, source, &mut found);
    }
    found.dedup();
    found.truncate(MOST_NAMES);
    found
}

/// Can a formula speak of the variable? Not of floating point.
fn can_stand(variable: &Variable) -> bool {
    variable.has_name() && !variable.scalar.floating
}

/// Labels, procedures and their locals.
fn places(program: &Program, source: &str, found: &mut Vec<String>) {
    found.extend(labels(source).into_iter().map(|label| format!("at({label})")));
    for procedure in program.procedures.iter().filter(|procedure| is_written(&procedure.name)) {
        found.push(format!("enter({})", procedure.name));
        found.push(format!("leave({})", procedure.name));
    }
    let locals = program.variables.iter().filter(|v| can_stand(v) && v.dimensions.is_empty());
    for variable in locals {
        if let Some(owner) = variable.owner {
            let owner = &program.procedure(owner).name;
            found.push(format!("inside({owner}: {} == 0)", variable.name));
        }
    }
}

/// Has the procedure a name of the source?
fn is_written(name: &str) -> bool {
    name.chars().all(continues_name)
}
