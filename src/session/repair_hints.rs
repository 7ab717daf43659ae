//! Where a search for repairs looks first, and what focus sequences say of that.

use super::FocusSession;
use crate::analysis::focus::{Assumption, Input};
use crate::analysis::repair::insertions::Initialisation;
use crate::bdd::Bdd;
use crate::lang::model::{EdgeId, Expression, ProcedureId, VariableId};
use std::collections::BTreeMap;

/// Where to look.
#[derive(Clone, Debug, Default)]
pub struct RepairHints {
    /// Statements, the most suspected first. The rest of the failing run comes after them, from its
    /// end.
    pub suspects: Vec<EdgeId>,
    /// What sequences assume of single variables.
    pub initialise: Vec<Initialisation>,
    /// Procedures that are never edited.
    pub trusted: Vec<ProcedureId>,
}

impl RepairHints {
    /// What focus sequences suspect: their neighborhoods of error statements, then all of their
    /// statements, by rank; and what they assume of single variables.
    pub fn of_focus(focus: &FocusSession) -> RepairHints {
        let mut hints = RepairHints::default();
        let feasible: Vec<_> =
            focus.sequences().iter().filter(|sequence| sequence.is_feasible()).collect();
        for sequence in &feasible {
            hints.suspects.extend(sequence.nest.iter().rev().map(|k| sequence.entries[*k]));
        }
        for sequence in &feasible {
            hints.suspects.extend(sequence.entries.iter().rev());
        }
        let Some(inputs) = focus.inputs() else { return hints };
        let mut by_variable: BTreeMap<VariableId, Vec<Bdd>> = BTreeMap::new();
        let mut order: Vec<VariableId> = Vec::new();
        for Assumption { expression, truth, .. } in
            feasible.iter().flat_map(|sequence| &sequence.assumptions)
        {
            let Some(variable) = only_variable(expression) else { continue };
            let own = match inputs.input(variable) {
                None => variable,
                Some(Input::Local(of, _)) => of,
                Some(_) => continue,
            };
            if !order.contains(&own) {
                order.push(own);
            }
            by_variable.entry(own).or_default().push(*truth);
        }
        let mut statements: Vec<EdgeId> = Vec::new();
        for edge in feasible.iter().flat_map(|sequence| &sequence.entries) {
            if !statements.contains(edge) {
                statements.push(*edge);
            }
        }
        for variable in order {
            let scalar = focus.program().variable(variable).scalar;
            let truths = &by_variable[&variable];
            let small = [0, 1, 2, 3, 4, -1].map(|number| scalar.wrap(number));
            let mut values: Vec<(usize, u64)> = Vec::new();
            for value in small {
                // By how many assumptions of the first ranks it negates.
                let negates =
                    truths.iter().take_while(|truth| !inputs.holds_for(**truth, value)).count();
                if negates > 0 && values.iter().all(|(_, known)| *known != value) {
                    values.push((negates, value));
                }
            }
            values.sort_by_key(|(negates, _)| std::cmp::Reverse(*negates));
            let values = values.into_iter().map(|(_, value)| value).take(3).collect();
            hints.initialise.push(Initialisation {
                variable,
                values,
                statements: statements.clone(),
            });
        }
        hints
    }
}

/// The only variable that an expression reads; `None` if it reads another one, an array, or what a
/// run picks.
fn only_variable(e: &Expression) -> Option<VariableId> {
    let mut found = None;
    let mut rest = vec![e];
    while let Some(e) = rest.pop() {
        match e {
            Expression::Constant(..) => {}
            Expression::Variable(id, _) if found.is_none_or(|known| known == *id) => {
                found = Some(*id)
            }
            Expression::Variable(..) | Expression::Element(..) | Expression::Choice(..) => {
                return None;
            }
            Expression::Unary(_, a) | Expression::Cast(_, a) => rest.push(a),
            Expression::Binary(_, a, b) => rest.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => rest.extend([&**a, &**b, &**c]),
        }
    }
    found
}
