//! The obligations of an inductive invariant as CNF, over whole stores: no equation is left out
//! because the analysis knows that it holds.

use super::circuit::{Circuit, Word};
use batsat::Lit;
use faultline::analysis::invariant::Invariant;
use faultline::analysis::invariant::check::Obligation;
use faultline::bdd::{Bdd, Manager};
use faultline::encode::{Cell, Copy, Layout};
use faultline::lang::model::{
    EdgeId, Expression, Initial, LocationId, Operation, Place, ProcedureId, Program, VariableId,
    VariableKind,
};
use std::collections::{BTreeMap, HashMap};

/// What the obligations are about.
pub struct Claim<'a> {
    pub program: &'a Program,
    pub layout: &'a Layout,
    pub kernel: &'a Manager,
    pub invariant: &'a Invariant,
}

/// The elements of every variable of a frame, and of the globals.
type Store = BTreeMap<VariableId, Vec<Word>>;

impl Claim<'_> {
    /// The obligations that a SAT solver decides, enumerated from the program alone.
    pub fn obligations(&self, error: Option<u32>) -> Vec<Obligation> {
        let edges = self.program.edge_ids().flat_map(|id| {
            let checks = self.program.edge(id).checks.iter().enumerate();
            let enabled = checks.filter(|(_, check)| error.is_none_or(|line| line == check.line));
            let excluded: Vec<Obligation> =
                enabled.map(|(k, _)| Obligation::Excludes(id, k)).collect();
            excluded.into_iter().chain([Obligation::Statement(id)])
        });
        [Obligation::Start].into_iter().chain(edges).collect()
    }

    /// Is the negation of an obligation unsatisfiable?
    pub fn holds(&self, obligation: Obligation) -> bool {
        match obligation {
            Obligation::Start => self.start(),
            // That untouched variables stay is part of every relation here, so of the statements'
            // obligations.
            // Its relations are about whole values.
            Obligation::Keeps(_) | Obligation::Writes(_) => true,
            Obligation::Statement(edge) => match &self.program.edge(edge).operation {
                Operation::Call { callee, arguments, result } => {
                    self.enters(edge, *callee, arguments)
                        && self.returns(edge, *callee, arguments, *result)
                }
                _ => self.statement(edge),
            },
            Obligation::Excludes(edge, check) => self.excludes(edge, check),
        }
    }

    fn locals(&self, procedure: ProcedureId) -> Vec<VariableId> {
        let procedure = self.program.procedure(procedure);
        let mut all: Vec<VariableId> = procedure
            .parameters
            .iter()
            .chain(&procedure.locals)
            .chain(&procedure.result)
            .copied()
            .collect();
        all.sort();
        all.dedup();
        all
    }

    fn fresh(
        &self,
        circuit: &mut Circuit,
        variables: impl IntoIterator<Item = VariableId>,
    ) -> Store {
        let one = |id: VariableId| {
            let variable = self.program.variable(id);
            (
                id,
                (0..variable.elements())
                    .map(|_| circuit.fresh_word(variable.scalar.width))
                    .collect(),
            )
        };
        variables.into_iter().map(one).collect()
    }

    /// A frame's entry, and a store now, in R_n.
    fn somewhere(&self, circuit: &mut Circuit, location: LocationId) -> (Store, Store) {
        let owner = self.program.location(location).procedure;
        let outside =
            self.program.globals().chain(self.program.procedure(owner).parameters.iter().copied());
        let entry = self.fresh(circuit, outside);
        let now = self.fresh(circuit, self.program.globals().chain(self.locals(owner)));
        let inside = self.relation(circuit, location, &entry, &now);
        circuit.assume(inside);
        (entry, now)
    }

    /// R_n as a literal: the diagram, and that what is not tracked is as it was at the entry.
    fn relation(
        &self,
        circuit: &mut Circuit,
        location: LocationId,
        entry: &Store,
        now: &Store,
    ) -> Lit {
        let owner = self.program.location(location).procedure;
        let tracked = self.invariant.tracked(owner);
        let mut parts = vec![self.diagram(circuit, self.invariant.at(location), entry, now)];
        for (variable, elements) in entry {
            for (element, word) in (0..).zip(elements) {
                if !tracked.contains(&Cell { variable: *variable, element }) {
                    parts.push(circuit.equal(word, &now[variable][element as usize]));
                }
            }
        }
        circuit.all(parts)
    }

    fn diagram(&self, circuit: &mut Circuit, root: Bdd, entry: &Store, now: &Store) -> Lit {
        let mut done: HashMap<Bdd, Lit> = HashMap::new();
        let mut pending = vec![root];
        while let Some(&f) = pending.last() {
            let lit = |done: &HashMap<Bdd, Lit>, circuit: &Circuit, f: Bdd| {
                if f.is_constant() {
                    Some(circuit.constant(f.is_true()))
                } else {
                    done.get(&f).copied()
                }
            };
            if lit(&done, circuit, f).is_some() {
                pending.pop();
                continue;
            }
            let (level, high, low) = self.kernel.root(f).expect("constants are done");
            let (Some(then), Some(otherwise)) =
                (lit(&done, circuit, high), lit(&done, circuit, low))
            else {
                pending.extend([high, low]);
                continue;
            };
            let (cell, copy) = self.layout.owner(level).expect("no relation speaks of choices");
            let bit = self
                .layout
                .cell(cell, copy)
                .iter()
                .position(|other| *other == level)
                .expect("the owner has this level");
            let store = match copy {
                Copy::Entry => entry,
                Copy::Now => now,
                Copy::Middle => panic!("no relation speaks of the middle"),
            };
            let decision = store[&cell.variable][cell.element as usize][bit];
            done.insert(f, circuit.ite(decision, then, otherwise));
            pending.pop();
        }
        if root.is_constant() { circuit.constant(root.is_true()) } else { done[&root] }
    }

    fn value(
        &self,
        circuit: &mut Circuit,
        expression: &Expression,
        store: &Store,
        choices: &[Word],
    ) -> Word {
        circuit.value(expression, &|variable| store[&variable].clone(), choices)
    }

    fn choices(&self, circuit: &mut Circuit, edge: EdgeId) -> Vec<Word> {
        self.program
            .edge(edge)
            .choices
            .iter()
            .map(|scalar| circuit.fresh_word(scalar.width))
            .collect()
    }

    fn pass(
        &self,
        circuit: &mut Circuit,
        edge: EdgeId,
        checks: usize,
        store: &Store,
        choices: &[Word],
    ) {
        for check in &self.program.edge(edge).checks[..checks] {
            let holds = self.value(circuit, &check.condition, store, choices)[0];
            circuit.assume(holds);
        }
    }

    fn start(&self) -> bool {
        let mut circuit = Circuit::new();
        let main = self.program.main_id();
        let store = self.fresh(&mut circuit, self.program.globals().chain(self.locals(main)));
        for (id, words) in &store {
            let variable = self.program.variable(*id);
            if let (VariableKind::Global, Initial::Exactly(values)) =
                (variable.kind, &variable.initial)
            {
                for (word, bits) in words.iter().zip(values) {
                    let wanted = circuit.number(*bits, variable.scalar.width.into());
                    let fixed = circuit.equal(word, &wanted);
                    circuit.assume(fixed);
                }
            }
        }
        self.misses(
            circuit,
            self.program.procedure(main).entry,
            &self.outside(main, &store),
            &store,
        )
    }

    /// What a frame's entry remembers of a store.
    fn outside(&self, procedure: ProcedureId, store: &Store) -> Store {
        let kept = self
            .program
            .globals()
            .chain(self.program.procedure(procedure).parameters.iter().copied());
        kept.map(|variable| (variable, store[&variable].clone())).collect()
    }

    /// Can these stores not lie outside R_n?
    fn misses(
        &self,
        mut circuit: Circuit,
        location: LocationId,
        entry: &Store,
        now: &Store,
    ) -> bool {
        let inside = self.relation(&mut circuit, location, entry, now);
        circuit.assume(!inside);
        !circuit.satisfiable()
    }

    fn statement(&self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        let mut circuit = Circuit::new();
        let (entry, now) = self.somewhere(&mut circuit, edge.from);
        let choices = self.choices(&mut circuit, id);
        self.pass(&mut circuit, id, edge.checks.len(), &now, &choices);
        let mut after = now.clone();
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(condition) => {
                let holds = self.value(&mut circuit, condition, &now, &choices)[0];
                circuit.assume(holds);
            }
            Operation::Assign(list) => {
                for (place, value) in list {
                    let value = self.value(&mut circuit, value, &now, &choices);
                    match place {
                        Place::Variable(variable) => {
                            after.insert(*variable, vec![value]);
                        }
                        Place::Element(array, index) => {
                            let (at, signed) = (
                                self.value(&mut circuit, index, &now, &choices),
                                index.scalar().signed,
                            );
                            for (k, element) in after
                                .get_mut(array)
                                .expect("a variable in scope")
                                .iter_mut()
                                .enumerate()
                            {
                                let here = circuit.is(&at, signed, k as i128);
                                *element = circuit.choose(here, &value, element);
                            }
                        }
                    }
                }
            }
            Operation::Havoc(variables) => {
                after.extend(self.fresh(&mut circuit, variables.iter().copied()))
            }
            Operation::Call { .. } => panic!("calls have obligations of their own"),
        }
        self.misses(circuit, edge.to, &entry, &after)
    }

    fn enters(&self, id: EdgeId, callee: ProcedureId, arguments: &[Expression]) -> bool {
        let edge = self.program.edge(id);
        let mut circuit = Circuit::new();
        let (_, now) = self.somewhere(&mut circuit, edge.from);
        let choices = self.choices(&mut circuit, id);
        self.pass(&mut circuit, id, edge.checks.len(), &now, &choices);
        let entered = self.entered(&mut circuit, callee, arguments, &now, &choices);
        let entry = self.program.procedure(callee).entry;
        self.misses(circuit, entry, &self.outside(callee, &entered), &entered)
    }

    /// The callee's store at its entry.
    fn entered(
        &self,
        circuit: &mut Circuit,
        callee: ProcedureId,
        arguments: &[Expression],
        now: &Store,
        choices: &[Word],
    ) -> Store {
        let mut store = self.fresh(circuit, self.locals(callee));
        store.extend(self.program.globals().map(|global| (global, now[&global].clone())));
        for (parameter, argument) in self.program.procedure(callee).parameters.iter().zip(arguments)
        {
            store.insert(*parameter, vec![self.value(circuit, argument, now, choices)]);
        }
        store
    }

    fn returns(
        &self,
        id: EdgeId,
        callee: ProcedureId,
        arguments: &[Expression],
        result: Option<VariableId>,
    ) -> bool {
        let edge = self.program.edge(id);
        let mut circuit = Circuit::new();
        let (entry, now) = self.somewhere(&mut circuit, edge.from);
        let choices = self.choices(&mut circuit, id);
        self.pass(&mut circuit, id, edge.checks.len(), &now, &choices);
        let entered = self.entered(&mut circuit, callee, arguments, &now, &choices);
        let left = self.fresh(&mut circuit, self.program.globals().chain(self.locals(callee)));
        let exit = self.program.procedure(callee).exit;
        let inside = self.relation(&mut circuit, exit, &self.outside(callee, &entered), &left);
        circuit.assume(inside);
        let mut after = now;
        for global in self.program.globals() {
            after.insert(global, left[&global].clone());
        }
        if let (Some(target), Some(returned)) = (result, self.program.procedure(callee).result) {
            after.insert(target, left[&returned].clone());
        }
        self.misses(circuit, edge.to, &entry, &after)
    }

    fn excludes(&self, id: EdgeId, check: usize) -> bool {
        let mut circuit = Circuit::new();
        let (_, now) = self.somewhere(&mut circuit, self.program.edge(id).from);
        let choices = self.choices(&mut circuit, id);
        self.pass(&mut circuit, id, check, &now, &choices);
        let holds = self.value(
            &mut circuit,
            &self.program.edge(id).checks[check].condition,
            &now,
            &choices,
        )[0];
        circuit.assume(!holds);
        !circuit.satisfiable()
    }
}
