//! Focus-statement sequences in the program's words.

use crate::analysis::focus::{Assumption, FocusSequence, Input, Inputs};
use crate::lang::model::{BinaryOperator, Expression, Program, VariableId, VariableKind};
use crate::report::build_report;
use crate::report::comparison::is_turned;
use crate::report::expression_words::{Words, operand, written};
use crate::session::{FocusSession, Job, Outcome, Session};
use crate::util::Limit;
use crate::wire::options::EffectiveOptions;
use crate::wire::report::{ErrorReport, TraceEntry, Verdict};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The ways to fail, by rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FocusReport {
    /// `focus`.
    pub analysis: String,
    /// Does the program fail?
    pub verdict: Verdict,
    /// What ended the check or the enumeration early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// In force.
    pub options: EffectiveOptions,
    /// Of the failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// A failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
    /// Only assumptions over these variables are shown; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// Variables that were not interpreted during the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uninterpreted: Vec<String>,
    /// Empty for a safe program, unless variables are not interpreted.
    pub sequences: Vec<SequenceReport>,
    /// Are these all, up to the rule that leaves out what contains an earlier one?
    pub complete: bool,
    /// Sequences whose assumptions can hold, and for which no run was found: not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// One way to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceReport {
    /// From 1; equal ranks are equally good.
    pub rank: u32,
    /// Number of statements.
    pub length: u32,
    /// The lines of the statements, in the order of execution; several statements in a row on one
    /// line are one.
    pub lines: Vec<u32>,
    /// The statements.
    pub statements: Vec<SequenceStatement>,
    /// Over inputs and uninitialised variables.
    pub assumptions: Vec<AssumptionReport>,
    /// How many assumptions are not shown, as they speak of other variables than those asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden_assumptions: u32,
    /// Does some failing run have it? (One was executed, if so.)
    pub feasible: bool,
    /// Lines of the neighborhood of error statements; empty if it is not feasible.
    pub nest: Vec<u32>,
    /// Reduce found it identical to the sequence at this position (from 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u32>,
}

/// A statement of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceStatement {
    /// 1-based.
    pub line: u32,
    /// Its procedure.
    pub procedure: String,
    /// As in the source.
    pub statement: String,
    /// Of a condition: how it came out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// Is it in the neighborhood of error statements?
    pub nest: bool,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssumptionReport {
    /// Over the values at the program's start, and what the run picks.
    pub text: String,
    /// Of the condition that needs it.
    pub line: u32,
    /// Reduce deleted it: another sequence needs its negation, at the same place.
    pub deleted: bool,
}

/// The report of a check and an enumeration that are over. Only assumptions over the variables of
/// these names are shown, if any are given; `uninterpreted`: what the enumeration was asked to
/// leave aside.
pub fn focus_report(
    session: &Session,
    focus: Option<&FocusSession>,
    inputs: &[String],
    uninterpreted: &[String],
) -> FocusReport {
    let report = build_report::report(session);
    let sequences = focus.and_then(|focus| {
        let own = focus.inputs()?;
        Some(
            focus
                .sequences()
                .iter()
                .map(|sequence| sequence_report(focus.program(), own, sequence, inputs))
                .collect(),
        )
    });
    FocusReport {
        analysis: "focus".to_string(),
        verdict: report.verdict,
        limit: focus.and_then(FocusSession::limit).or(report.limit),
        options: report.options,
        error: report.error,
        trace: report.trace,
        inputs: inputs.to_vec(),
        uninterpreted: uninterpreted.to_vec(),
        sequences: sequences.unwrap_or_default(),
        complete: focus.map_or(session.outcome() == Outcome::Safe, FocusSession::is_complete),
        undecided: focus.map_or(0, FocusSession::undecided),
    }
}

/// A sequence; only its assumptions over the variables of these names, if any are given.
pub fn sequence_report(
    program: &Program,
    inputs: &Inputs,
    sequence: &FocusSequence,
    only: &[String],
) -> SequenceReport {
    let shown = sequence.entries.iter().enumerate().filter(|(k, _)| sequence.shown[*k]);
    let statements: Vec<SequenceStatement> = shown
        .map(|(k, id)| {
            let edge = program.edge(*id);
            SequenceStatement {
                line: edge.span.line,
                procedure: program.procedure(program.owner(*id)).name.clone(),
                statement: edge.text.clone(),
                outcome: edge.outcome.clone(),
                nest: sequence.nest.contains(&k),
            }
        })
        .collect();
    let mut nest: Vec<u32> = statements
        .iter()
        .filter(|statement| statement.nest)
        .map(|statement| statement.line)
        .collect();
    nest.dedup();
    let wanted = |assumption: &&Assumption| {
        only.is_empty() || speaks_only_of(program, inputs, &assumption.expression, only)
    };
    let names = names(program, inputs, &sequence.assumptions);
    let hidden_assumptions =
        sequence.assumptions.iter().filter(|assumption| !wanted(assumption)).count() as u32;
    SequenceReport {
        rank: sequence.rank,
        length: sequence.length,
        lines: sequence.lines.clone(),
        statements,
        assumptions: sequence
            .assumptions
            .iter()
            .filter(wanted)
            .map(|assumption| AssumptionReport {
                text: assumption_text(program, &names, assumption),
                line: program.edge(assumption.edge).span.line,
                deleted: assumption.deleted,
            })
            .collect(),
        hidden_assumptions,
        feasible: sequence.is_feasible(),
        nest: if sequence.is_feasible() { nest } else { Vec::new() },
        same_as: sequence.same_as.map(|k| k as u32),
    }
}

/// The program's name of what a variable stands for, without where it is from. None for what a run
/// picks, and for what the front end made.
fn plain_name<'a>(program: &'a Program, inputs: &Inputs, variable: VariableId) -> Option<&'a str> {
    let of = match inputs.input(variable) {
        None => variable,
        Some(Input::Local(of, _) | Input::Saved(of, _) | Input::Havoc(of, _)) => of,
        Some(Input::Choice(..)) => return None,
    };
    Some(program.variable(of)).filter(|own| own.has_name()).map(|own| own.name.as_str())
}

/// What the front end made, in words: the result of a procedure that returned none, by its call; a
/// value on the way, by its line.
fn made(program: &Program, variable: VariableId) -> Option<String> {
    let own = program.variable(variable);
    match (own.kind, own.owner) {
        (VariableKind::Result, Some(owner)) => Some(format!("{}()", program.procedure(owner).name)),
        (VariableKind::Temporary | VariableKind::Result, _) => {
            Some(format!("any@{}", own.span.line))
        }
        _ => None,
    }
}

/// Does an expression speak of variables of these names alone?
pub fn speaks_only_of(
    program: &Program,
    inputs: &Inputs,
    e: &Expression,
    names: &[String],
) -> bool {
    let known = |variable: VariableId| {
        plain_name(program, inputs, variable).is_some_and(|name| names.iter().any(|n| n == name))
    };
    match e {
        Expression::Constant(..) => true,
        Expression::Choice(..) => false,
        Expression::Variable(variable, _) => known(*variable),
        Expression::Element(array, index, _) => {
            known(*array) && speaks_only_of(program, inputs, index, names)
        }
        Expression::Unary(_, a) | Expression::Cast(_, a) => {
            speaks_only_of(program, inputs, a, names)
        }
        Expression::Binary(_, a, b) => {
            [a, b].iter().all(|e| speaks_only_of(program, inputs, e, names))
        }
        Expression::Conditional(a, b, c) => {
            [a, b, c].iter().all(|e| speaks_only_of(program, inputs, e, names))
        }
    }
}

/// The names that an expression speaks of, each once; and does it also speak of something that a
/// run picks, which has no name?
pub fn variable_names(program: &Program, inputs: &Inputs, e: &Expression) -> (Vec<String>, bool) {
    fn collect(
        program: &Program,
        inputs: &Inputs,
        e: &Expression,
        names: &mut Vec<String>,
    ) -> bool {
        let mut add = |variable: VariableId| match plain_name(program, inputs, variable) {
            Some(name) => {
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_string());
                }
                false
            }
            None => true,
        };
        match e {
            Expression::Constant(..) => false,
            Expression::Choice(..) => true,
            Expression::Variable(variable, _) => add(*variable),
            Expression::Element(array, index, _) => {
                add(*array) | collect(program, inputs, index, names)
            }
            Expression::Unary(_, a) | Expression::Cast(_, a) => collect(program, inputs, a, names),
            Expression::Binary(_, a, b) => {
                collect(program, inputs, a, names) | collect(program, inputs, b, names)
            }
            Expression::Conditional(a, b, c) => [a, b, c]
                .into_iter()
                .fold(false, |picks, e| collect(program, inputs, e, names) | picks),
        }
    }
    let mut names = Vec::new();
    let picks = collect(program, inputs, e, &mut names);
    (names, picks)
}

/// What a variable of an assumption is called by itself: by its name, with the procedure if that is
/// not main; what a run picks, by its line; what a procedure returned that returns nothing, as
/// `f()`.
fn own_name(program: &Program, inputs: &Inputs, variable: VariableId) -> String {
    let of = match inputs.input(variable) {
        None => Some(variable),
        Some(Input::Local(of, _) | Input::Saved(of, _) | Input::Havoc(of, _)) => Some(of),
        Some(Input::Choice(..)) => None,
    };
    if let Some(made) = of.and_then(|of| made(program, of)) {
        return made;
    }
    match inputs.input(variable) {
        None => program.variable(variable).name.clone(),
        Some(Input::Local(of, _) | Input::Saved(of, _)) => qualified(program, of),
        Some(Input::Havoc(of, _)) => program.variable(of).name.clone(),
        Some(Input::Choice(edge, ..)) => format!("any@{}", program.edge(edge).span.line),
    }
}

fn qualified(program: &Program, variable: VariableId) -> String {
    let own = program.variable(variable);
    match own.owner {
        Some(owner) => format!("{}::{}", program.procedure(owner).name, own.name),
        None => own.name.clone(),
    }
}

/// The variables of one sequence's assumptions, each under a name of its own. A local of main that
/// has the name of a global is called by its procedure, too; what still has one name (a statement
/// that picks twice, a local of two calls) is numbered in the order of the run: `any@3#1`,
/// `any@3#2`.
fn names(
    program: &Program,
    inputs: &Inputs,
    assumptions: &[Assumption],
) -> BTreeMap<VariableId, String> {
    let mut all: BTreeSet<VariableId> = BTreeSet::new();
    let mut waiting: Vec<&Expression> =
        assumptions.iter().map(|assumption| &assumption.expression).collect();
    while let Some(e) = waiting.pop() {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(variable, _) => {
                all.insert(*variable);
            }
            Expression::Element(array, index, _) => {
                all.insert(*array);
                waiting.push(index);
            }
            Expression::Unary(_, a) | Expression::Cast(_, a) => waiting.push(a),
            Expression::Binary(_, a, b) => waiting.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => waiting.extend([&**a, &**b, &**c]),
        }
    }
    let grouped = |names: BTreeMap<VariableId, String>| -> BTreeMap<String, Vec<VariableId>> {
        let mut groups: BTreeMap<String, Vec<VariableId>> = BTreeMap::new();
        names
            .into_iter()
            .for_each(|(variable, name)| groups.entry(name).or_default().push(variable));
        groups
    };
    let mut called: BTreeMap<VariableId, String> =
        all.into_iter().map(|variable| (variable, own_name(program, inputs, variable))).collect();
    for group in grouped(called.clone()).into_values().filter(|group| group.len() > 1) {
        for variable in group {
            if inputs.input(variable).is_none() && made(program, variable).is_none() {
                called.insert(variable, qualified(program, variable));
            }
        }
    }
    for (name, mut group) in
        grouped(called.clone()).into_iter().filter(|(_, group)| group.len() > 1)
    {
        // Ordinals count from the sequence's end.
        let moment = |variable: &VariableId| match inputs.input(*variable) {
            None => None,
            Some(
                Input::Local(_, at)
                | Input::Havoc(_, at)
                | Input::Choice(_, _, at)
                | Input::Saved(_, at),
            ) => Some(Reverse(at)),
        };
        group.sort_by_key(|variable| (moment(variable), *variable));
        for (number, variable) in (1u32..).zip(group) {
            called.insert(variable, format!("{name}#{number}"));
        }
    }
    called
}

/// An assumption in the program's words, its operands in the order of the condition that made it.
fn assumption_text(
    program: &Program,
    names: &BTreeMap<VariableId, String>,
    assumption: &Assumption,
) -> String {
    let name = |variable: VariableId| names.get(&variable).cloned().unwrap_or_default();
    let words = Words { name: &name, turned: &|_, _| None, picked: "*", plain_truth: false };
    match &assumption.expression {
        Expression::Binary(operator, left, right)
            if is_turned(*operator, &program.edge(assumption.edge).text) =>
        {
            let sign = if *operator == BinaryOperator::Less { ">" } else { ">=" };
            let [left, right] = [left, right].map(|e| operand(&words, e));
            format!("{right} {sign} {left}")
        }
        e => written(&words, e),
    }
}
