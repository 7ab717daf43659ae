//! Hints where a search for repairs should look first, from causes and from focus sequences.

use super::insertions::Initialisation;
use crate::analysis::focus::{Assumption, FocusSequence, Input, Inputs};
use crate::analysis::localize::judging::Judged;
use crate::analysis::localize::supergraph::SuperEdge;
use crate::bdd::Bdd;
use crate::lang::model::{EdgeId, Expression, ProcedureId, Program, VariableId};
use crate::util::order::sort_by_key;
use std::collections::{BTreeMap, BTreeSet};

/// The hints.
#[derive(Clone, Debug, Default)]
pub struct RepairHints {
    /// Statements, the most suspected first. The rest of the failing run comes after them, from its
    /// end.
    pub suspects: Vec<EdgeId>,
    /// Initialisations that are tried, from the assumptions of sequences about single variables.
    pub initialise: Vec<Initialisation>,
    /// Procedures that are never edited.
    pub trusted: Vec<ProcedureId>,
}

impl RepairHints {
    /// Adds what the causes of a failing run suspect. `judged`: the transitions of the run.
    /// `causes`: the causes of each variant, the best variant first. The present hints come after
    /// the causes. They come before the causes if every transition of the run is incorrect, because
    /// then the causes say nothing.
    pub fn with_causes(self, judged: &[Judged], causes: &[BTreeSet<SuperEdge>]) -> RepairHints {
        let edges: Vec<SuperEdge> = judged.iter().map(|judged| judged.transition.edge).collect();
        let mut suspects = Vec::new();
        for causes in causes {
            let runs: Vec<&[SuperEdge]> = edges
                .chunk_by(|a, b| causes.contains(a) == causes.contains(b))
                .filter(|run| causes.contains(&run[0]))
                .collect();
            // The inner vertices are the lines of a cause. The statement that leads to the cause
            // comes after them.
            let inner = runs.iter().flat_map(|run| if run.len() == 1 { *run } else { &run[1..] });
            suspects.extend(inner.map(|edge| edge.edge()));
            suspects.extend(runs.iter().map(|run| run[0].edge()));
        }
        let suspects = match judged.iter().all(|judged| !judged.edge_is_correct) {
            true => [self.suspects, suspects].concat(),
            false => [suspects, self.suspects].concat(),
        };
        RepairHints { suspects, ..self }
    }

    /// The hints of focus sequences: the statements of their neighborhoods of error statements,
    /// then all of their statements, by rank; and their assumptions about single variables.
    /// `inputs` has the variables of the assumptions.
    pub fn of_sequences(
        program: &Program,
        sequences: &[FocusSequence],
        inputs: Option<&Inputs>,
    ) -> RepairHints {
        let mut hints = RepairHints::default();
        let feasible: Vec<_> = sequences.iter().filter(|sequence| sequence.is_feasible()).collect();
        for sequence in &feasible {
            hints.suspects.extend(sequence.nest.iter().rev().map(|k| sequence.entries[*k]));
        }
        for sequence in &feasible {
            hints.suspects.extend(sequence.entries.iter().rev());
        }
        let Some(inputs) = inputs else { return hints };
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
            let scalar = program.variable(variable).scalar;
            let truths = &by_variable[&variable];
            let small = [0, 1, 2, 3, 4, -1].map(|number| scalar.wrap(number));
            let mut values: Vec<(usize, u64)> = Vec::new();
            for value in small {
                // Ranks a value by how many assumptions of the first ranks it negates.
                let negates =
                    truths.iter().take_while(|truth| !inputs.holds_for(**truth, value)).count();
                if negates > 0 && values.iter().all(|(_, known)| *known != value) {
                    values.push((negates, value));
                }
            }
            sort_by_key(&mut values, |(negates, _)| std::cmp::Reverse(*negates));
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

/// The only variable that an expression reads. Returns `None` if it reads several, an array, or a
/// value that a run picks.
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
