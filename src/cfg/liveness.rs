//! Liveness: which of a procedure's own variables may still be read after a location?
//!
//! Classic backward liveness (Aho, Sethi, Ullman, § 10.6), in each procedure on its own: callers
//! and callees do not see one another's locals. The result is live at the exit. A write to one
//! element keeps the rest of the array, so the array stays live.

use crate::lang::model::{
    Expression, Location, Operation, Place, ProcedureId, Program, Variable, VariableId,
    VariableKind,
};
use crate::util::order::inserted;
use std::collections::BTreeSet;

/// By location: the parameters, locals and temporaries of its procedure that may still be read, on
/// some path through its graph, before they are overwritten.
pub fn live_locals(program: &Program) -> Vec<BTreeSet<VariableId>> {
    let locals = Locals::of(program);
    let mut live: Vec<Vec<u64>> =
        program.locations.iter().map(|location| locals.none(location.procedure)).collect();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    // By edge: the variables that it reads, and the variables that stay live over it.
    let mut effects: Vec<(Vec<u64>, Vec<u64>)> = Vec::with_capacity(program.edges.len());
    for (k, edge) in program.edges.iter().enumerate() {
        into[edge.to].push(k);
        let mut used = locals.none(program.location(edge.from).procedure);
        let mut kept: Vec<u64> = used.iter().map(|_| u64::MAX).collect();
        let mut read = |variable| locals.set(&mut used, variable, true);
        edge.checks.iter().for_each(|check| visit_reads(&check.condition, &mut read));
        visit_reads_by(&edge.operation, &mut read);
        overwritten(program, &edge.operation, |variable| locals.set(&mut kept, variable, false));
        effects.push((used, kept));
    }
    for procedure in &program.procedures {
        procedure
            .result
            .iter()
            .for_each(|result| locals.set(&mut live[procedure.exit], *result, true));
    }
    // Later locations first: most programs then need few rounds.
    let mut waiting: Vec<usize> = (0..program.locations.len()).collect();
    let mut waits = vec![true; program.locations.len()];
    while let Some(location) = waiting.pop() {
        waits[location] = false;
        for &edge in &into[location] {
            let from = program.edges[edge].from.0 as usize;
            let (used, kept) = &effects[edge];
            let mut grew = false;
            for (word, used) in used.iter().enumerate() {
                let before = live[location][word] & kept[word] | used;
                grew |= before & !live[from][word] != 0;
                live[from][word] |= before;
            }
            if grew && !std::mem::replace(&mut waits[from], true) {
                waiting.push(from);
            }
        }
    }
    let named = |(words, location): (Vec<u64>, &Location)| -> BTreeSet<VariableId> {
        inserted(locals.members(&words, location.procedure))
    };
    live.into_iter().zip(&program.locations).map(named).collect()
}

/// The variables of the procedures as bits.
struct Locals {
    /// By variable: its number in its procedure; `None` for globals.
    numbers: Vec<Option<usize>>,
    /// By procedure: its variables, by number.
    variables: Vec<Vec<VariableId>>,
}

impl Locals {
    fn of(program: &Program) -> Locals {
        let mut variables: Vec<Vec<VariableId>> = vec![Vec::new(); program.procedures.len()];
        let number = |(k, variable): (usize, &Variable)| {
            let own = &mut variables
                [variable.owner.filter(|_| variable.kind != VariableKind::Global)?.0 as usize];
            own.push(VariableId(k as u32));
            Some(own.len() - 1)
        };
        let numbers = program.variables.iter().enumerate().map(number).collect();
        Locals { numbers, variables }
    }

    fn none(&self, procedure: ProcedureId) -> Vec<u64> {
        vec![0; self.variables[procedure].len().div_ceil(64)]
    }

    /// Sets a variable's bit. Globals have none.
    fn set(&self, words: &mut [u64], variable: VariableId, value: bool) {
        let Some(number) = self.numbers[variable] else { return };
        if let Some(word) = words.get_mut(number / 64) {
            *word = *word & !(1 << (number % 64)) | u64::from(value) << (number % 64);
        }
    }

    fn members<'a>(
        &'a self,
        words: &'a [u64],
        procedure: ProcedureId,
    ) -> impl Iterator<Item = VariableId> + 'a {
        let own = &self.variables[procedure];
        own.iter()
            .enumerate()
            .filter(|(number, _)| words[number / 64] >> (number % 64) & 1 == 1)
            .map(|(_, variable)| *variable)
    }
}

/// Visits the variables whose every element an operation sets.
fn overwritten(program: &Program, operation: &Operation, mut set: impl FnMut(VariableId)) {
    match operation {
        Operation::Skip | Operation::Assume(_) => {}
        Operation::Havoc(variables) => variables.iter().copied().for_each(set),
        Operation::Call { result, .. } => result.iter().copied().for_each(set),
        Operation::Assign(list) => {
            for (place, _) in list {
                if let Place::Variable(v) = place
                    && program.variable(*v).elements() == 1
                {
                    set(*v);
                }
            }
        }
    }
}

/// Adds the variables that an operation reads.
pub fn read_by(operation: &Operation, used: &mut BTreeSet<VariableId>) {
    visit_reads_by(operation, &mut |variable| {
        used.insert(variable);
    });
}

/// Adds the variables that an expression reads. Its nesting is bounded by the front end.
pub fn read_in(expression: &Expression, used: &mut BTreeSet<VariableId>) {
    visit_reads(expression, &mut |variable| {
        used.insert(variable);
    });
}

fn visit_reads_by(operation: &Operation, read: &mut impl FnMut(VariableId)) {
    match operation {
        Operation::Skip | Operation::Havoc(_) => {}
        Operation::Assume(condition) => visit_reads(condition, read),
        Operation::Call { arguments, .. } => {
            arguments.iter().for_each(|argument| visit_reads(argument, read))
        }
        Operation::Assign(list) => {
            for (place, value) in list {
                visit_reads(value, read);
                if let Place::Element(_, index) = place {
                    visit_reads(index, read);
                }
            }
        }
    }
}

fn visit_reads(expression: &Expression, read: &mut impl FnMut(VariableId)) {
    match expression {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(v, _) => read(*v),
        Expression::Element(v, index, _) => {
            read(*v);
            visit_reads(index, read);
        }
        Expression::Unary(_, inner) | Expression::Cast(_, inner) => visit_reads(inner, read),
        Expression::Binary(_, left, right) => {
            visit_reads(left, read);
            visit_reads(right, read);
        }
        Expression::Conditional(condition, then, other) => {
            visit_reads(condition, read);
            visit_reads(then, read);
            visit_reads(other, read);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    /// The textbook algorithm: it applies the definition to all edges, round after round.
    fn textbook(program: &Program) -> Vec<BTreeSet<VariableId>> {
        let mut live: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); program.locations.len()];
        for procedure in &program.procedures {
            live[procedure.exit].extend(procedure.result);
        }
        loop {
            let mut stable = true;
            for edge in &program.edges {
                let mut before = live[edge.to].clone();
                overwritten(program, &edge.operation, |variable| {
                    before.remove(&variable);
                });
                edge.checks.iter().for_each(|check| read_in(&check.condition, &mut before));
                read_by(&edge.operation, &mut before);
                before.retain(|variable| program.variable(*variable).kind != VariableKind::Global);
                for variable in before {
                    stable &= !live[edge.from].insert(variable);
                }
            }
            if stable {
                return live;
            }
        }
    }

    #[test]
    fn the_gallerys_programs_have_the_live_variables_of_the_definition() {
        let mut some = 0;
        for entry in std::fs::read_dir("static/examples").expect("the gallery") {
            let path = entry.expect("a file").path();
            let extension = path.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
            let Some(dialect) = crate::wire::options::Dialect::of_extension(extension) else {
                continue;
            };
            let source = std::fs::read_to_string(&path).expect("an example");
            let requested =
                RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
            if dialect.is_raw() {
                continue;
            }
            let Some(program) = crate::lang::load(&source, &requested).program else { continue };
            assert_eq!(live_locals(&program), textbook(&program), "{}", path.display());
            some += 1;
        }
        assert!(some > 20, "{some} programs");
    }

    #[test]
    fn more_variables_than_a_word_has_bits() {
        let declarations: String = (0..80).map(|k| format!("int v{k}; ")).collect();
        let sum: Vec<String> = (0..80).map(|k| format!("v{k}")).collect();
        let source = format!(
            "int g; void main() {{ {declarations} v75 = 1; while (*) {{ v70 = v70 + 1; }} g = {}; }}",
            sum.join(" + ")
        );
        let program =
            crate::lang::load(&source, &RequestedOptions::default()).program.expect("a program");
        let live = live_locals(&program);
        assert_eq!(live, textbook(&program));
        assert_eq!(
            live[program.procedure(program.main_id()).entry.0 as usize].len(),
            79,
            "all but v75"
        );
    }
}
