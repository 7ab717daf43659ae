//! Focus-statement sequences in the program's words.

use crate::analysis::focus::{Assumption, FocusSequence, Input, Inputs};
use crate::lang::model::{BinaryOperator, Expression, Origin, Program, VariableId, VariableKind};
use crate::report::build_report;
use crate::report::comparison::is_turned;
use crate::report::expression_words::{Words, operand, written};
use crate::session::{FocusSession, Job, Outcome, Session};
use crate::util::order::sort_by_key;
use crate::wire::focus::{AssumptionReport, FocusReport, SequenceReport, SequenceStatement};
use crate::wire::report::Analysis;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The report of a check and an enumeration that are over. If names are given, only assumptions
/// over variables of these names are shown. `uninterpreted`: the variables that the enumeration had
/// to ignore.
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
        analysis: Analysis::Focus,
        verdict: report.verdict,
        limit: focus.and_then(FocusSession::limit).or(report.limit),
        options: report.options,
        width: report.width,
        error: report.error,
        trace: report.trace,
        inputs: inputs.to_vec(),
        uninterpreted: uninterpreted.to_vec(),
        sequences: sequences.unwrap_or_default(),
        complete: focus.map_or(session.outcome() == Outcome::Safe, FocusSession::is_complete),
        undecided: focus.map_or(0, FocusSession::undecided),
    }
}

/// The report of a sequence. If names are given, it has only the assumptions over variables of
/// these names.
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

/// The program's name of the value that a variable stands for, without its place. `None` for a
/// value that a run picks, and for a value that the front end made.
fn plain_name<'a>(program: &'a Program, inputs: &Inputs, variable: VariableId) -> Option<&'a str> {
    let of = match inputs.input(variable) {
        None => variable,
        Some(Input::Local(of, _) | Input::Saved(of, _) | Input::Havoc(of, _)) => of,
        Some(Input::Choice(..)) => return None,
    };
    Some(program.variable(of)).filter(|own| own.has_name()).map(|own| own.name.as_str())
}

/// A value that the front end made, in words: the result of a procedure that returned none, by its
/// call; an intermediate value, by its line.
fn made(program: &Program, variable: VariableId) -> Option<String> {
    let own = program.variable(variable);
    if own.kind != VariableKind::Temporary
        && let Origin::Expression(text) = &own.origin
    {
        return Some(text.clone());
    }
    match (own.kind, own.owner) {
        (VariableKind::Result, Some(owner)) => Some(format!("{}()", program.procedure(owner).name)),
        (VariableKind::Temporary | VariableKind::Result, _) => {
            Some(format!("any@{}", own.span.line))
        }
        _ => None,
    }
}

/// Does an expression mention only variables of these names?
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

/// The names that an expression mentions, each once. Does it also mention a value that a run picks,
/// which has no name?
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

/// The name of an assumption's variable by itself. A variable has its name, with its procedure if
/// that is not main. A value that a run picks has its line. The result of a procedure that returned
/// none is `f()`.
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

/// A variable's name; a local's has its procedure's: `main::x`.
pub(in crate::report) fn qualified(program: &Program, variable: VariableId) -> String {
    let own = program.variable(variable);
    match own.owner {
        Some(owner) => format!("{}::{}", program.procedure(owner).name, own.name),
        None => own.name.clone(),
    }
}

/// Different names for the variables of one sequence's assumptions. A local of main with the name
/// of a global gets its procedure, too. Variables that still have the same name (a statement that
/// picks twice, a local of two calls) are numbered in the order of the run: `any@3#1`, `any@3#2`.
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
        sort_by_key(&mut group, |variable| (moment(variable), *variable));
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
    let dotted = program.memory.dotted;
    let words =
        Words { name: &name, turned: &|_, _| None, picked: "*", plain_truth: false, dotted };
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
