//! The closest correct run as a cheapest run of another program.
//!
//! The program has one more global, the *position*. It follows T in the same states
//! (`following(k)`), executes T's statements in other states (`beside(k)`), or is `apart`. Leaving
//! one of these for the next has a cost that outweighs all costs that come after it. So a cheapest
//! run to the correct end
//! ([`ShortestRun::with_costs`](crate::analysis::shortest_run::ShortestRun::with_costs)) is a
//! closest one ([`super`]). All ids of the program stay, so its steps are steps of the program
//! itself.

use super::super::correct_end_program::{CorrectEndProgram, and, assignment, equals};
use super::ClosestRun;
use super::closeness::{Costs, FailingRun, STEP};
use crate::analysis::counterexample::Counterexample;
use crate::encode::Valuation;
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep};
use crate::lang::model::{
    Edge, EdgeId, Expression, Initial, LocationId, Operation, Place, ProcedureId, Program, Scalar,
    StatementKind, VariableId,
};
use crate::util::{Bounded, Limit};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Longest failing run, in statements, and most values that it picks.
const MAX_LENGTH: usize = 2_000;
const MAX_PICKS: usize = 4_000;

/// The program whose cheapest failing run is the closest correct run, and how its runs are read.
pub struct AlignmentProgram {
    /// Fails, by a check of `END_LINE`, exactly where the
    /// program comes to the correct end.
    pub program: Rc<Program>,
    /// By edge: what executing it costs.
    pub costs: Vec<u64>,
    /// By edge: the statement of the original program that it executes.
    origins: Vec<Option<EdgeId>>,
    /// Edges at which a run stops sharing transitions, with the number of transitions that it
    /// shares. `None`: it starts in another state already.
    partings: BTreeMap<EdgeId, Option<usize>>,
    /// Edges that execute T's k-th statement in other states, with k.
    beside: BTreeMap<EdgeId, usize>,
    failing: Rc<FailingRun>,
    main: ProcedureId,
}

struct Builder<'a> {
    asked: CorrectEndProgram<'a>,
    failing: &'a ConcreteRun,
    partings: BTreeMap<EdgeId, Option<usize>>,
    beside: BTreeMap<EdgeId, usize>,
    position: VariableId,
    scalar: Scalar,
    /// By location on T: the location where runs that are apart go on.
    apart_at: BTreeMap<LocationId, LocationId>,
    /// The location beside T, before T's last statement.
    last_beside: Option<LocationId>,
    costs: Costs,
    /// The least number of statements that runs share.
    least_shared: Option<usize>,
}

impl<'a> Builder<'a> {
    fn new(
        source: &'a Program,
        failing: &'a FailingRun,
        least_shared: Option<usize>,
    ) -> Builder<'a> {
        let costs = failing.costs();
        let failing = &failing.run;
        let length = failing.steps.len() as u64;
        let mut asked = CorrectEndProgram::new(source);
        let scalar = Scalar::int((u64::BITS - (2 * length + 2).leading_zeros()) as u8, false);
        let position = asked.program.add_global(String::new(), scalar);
        let mut builder = Builder {
            asked,
            failing,
            partings: BTreeMap::new(),
            beside: BTreeMap::new(),
            position,
            scalar,
            apart_at: BTreeMap::new(),
            last_beside: None,
            costs,
            least_shared,
        };
        for step in &failing.steps {
            let from = source.edge(step.edge).from;
            if !builder.apart_at.contains_key(&from) {
                let free = builder.asked.place(from);
                builder.apart_at.insert(from, free);
                let at = builder.is_at(builder.apart());
                builder.asked.add(from, free, Operation::Assume(at), 0);
            }
        }
        for id in source.edge_ids() {
            if let Some(free) = builder.apart_at.get(&source.edge(id).from) {
                builder.asked.program.edges[id].from = *free;
            }
        }
        builder
    }

    fn length(&self) -> u64 {
        self.failing.steps.len() as u64
    }

    fn beside(&self, k: usize) -> u64 {
        self.length() + k as u64
    }

    fn apart(&self) -> u64 {
        2 * self.length()
    }

    fn is_at(&self, position: u64) -> Expression {
        equals(
            Expression::Variable(self.position, self.scalar),
            Expression::Constant(position, self.scalar),
        )
    }

    fn go_to(&self, position: u64) -> Operation {
        Operation::Assign(vec![(
            Place::Variable(self.position),
            Expression::Constant(position, self.scalar),
        )])
    }

    /// Adds the edges for T's k-th statement: a run follows T, goes beside it, or leaves it.
    fn statement(&mut self, k: usize, compared: &[(VariableId, Vec<u64>)]) {
        let id = self.failing.steps[k].edge;
        let from = self.asked.source.edge(id).from;
        let left = self.length() - 1 - k as u64;
        let same = compared.iter().map(|(id, values)| self.asked.has(*id, values)).reduce(and);
        let follows = self.asked.place(from);
        let here = self.is_at(k as u64);
        let guard = same.clone().map_or(here.clone(), |same| and(here.clone(), same));
        self.asked.add(from, follows, Operation::Assume(guard), 0);
        if let Some(least) = self.least_shared {
            // A run that starts as T does and parts later is apart immediately. Beside T it would
            // have to pay for the values that it picks.
            if k >= least {
                let parting = self.asked.add(
                    follows,
                    self.apart_at[&from],
                    self.go_to(self.apart()),
                    left * (self.costs.transition + STEP),
                );
                self.partings.insert(parting, Some(k));
            }
            if left > 0 {
                self.execute(id, follows, k as u64 + 1);
            }
            return;
        }
        let arrives = self.asked.place(from);
        let goes_beside = self.asked.place(from);
        if let Some(same) = same {
            let differs = self.asked.place(from);
            self.asked.add(from, differs, Operation::Assume(and(here, same.negated())), 0);
            let parting = self.asked.add(
                differs,
                arrives,
                self.go_to(self.beside(k)),
                (left + 1) * self.costs.transition,
            );
            self.partings.insert(parting, k.checked_sub(1));
        }
        let parting = self.asked.add(
            follows,
            goes_beside,
            self.go_to(self.beside(k)),
            left * self.costs.transition,
        );
        self.partings.insert(parting, Some(k));
        // Beside T each variable that was picked is compared with T's value.
        let here = self.is_at(self.beside(k));
        self.asked.add(from, arrives, Operation::Assume(here), 0);
        let mut at = arrives;
        for (number, (id, values)) in compared.iter().enumerate() {
            let next =
                if number + 1 == compared.len() { goes_beside } else { self.asked.place(from) };
            let equal = self.asked.has(*id, values);
            self.asked.add(at, next, Operation::Assume(equal.clone()), 0);
            self.asked.add(at, next, Operation::Assume(equal.negated()), self.costs.pick);
            at = next;
        }
        if compared.is_empty() {
            self.asked.add(arrives, goes_beside, Operation::Skip, 0);
        }
        let apart = self.apart_at[&from];
        self.asked.add(goes_beside, apart, self.go_to(self.apart()), left * STEP);
        if left == 0 {
            self.last_beside = Some(goes_beside);
            return;
        }
        self.execute(id, follows, k as u64 + 1);
        let copy = self.execute(id, goes_beside, self.beside(k + 1));
        self.beside.insert(copy, k);
    }

    /// Adds a copy of the statement that leads to a position.
    fn execute(&mut self, id: EdgeId, from: LocationId, position: u64) -> EdgeId {
        let before = self.asked.place(from);
        self.asked.add(from, before, self.go_to(position), 0);
        let copy = Edge {
            from: before,
            kind: StatementKind::Hidden,
            ..self.asked.source.edge(id).clone()
        };
        self.asked.push(copy, Some(id), 0)
    }
}

impl AlignmentProgram {
    /// Builds the program for a failing run (of the program with the halts of earlier rounds).
    /// `least_shared`: only runs that share at least so many statements with it are searched; the
    /// program is smaller then. [`Limit::Depth`] if the run is too long.
    pub fn new(
        program: &Program,
        failing: Rc<FailingRun>,
        least_shared: Option<usize>,
    ) -> Bounded<AlignmentProgram> {
        let length = failing.run.steps.len();
        let Some(last) = failing
            .run
            .steps
            .last()
            .filter(|_| length <= MAX_LENGTH && failing.count_picks() <= MAX_PICKS)
        else {
            return Err(Limit::Depth);
        };
        let mut builder = Builder::new(program, &failing, least_shared);
        for (k, compared) in failing.picks.iter().enumerate() {
            builder.statement(k, compared);
        }
        let ends: Vec<LocationId> = builder
            .last_beside
            .into_iter()
            .chain(builder.apart_at.get(&program.edge(last.edge).from).copied())
            .collect();
        let Builder { mut asked, partings, beside, .. } = builder;
        asked.correct_end(last.edge, failing.check, &ends);
        let CorrectEndProgram { program: asked, costs, origins, .. } = asked;
        let main = program.main_id();
        Ok(AlignmentProgram {
            program: Rc::new(asked),
            costs,
            origins,
            partings,
            beside,
            failing,
            main,
        })
    }

    /// Reads a failing run of this program as a correct run of the original one. Values that do not
    /// matter are as in T.
    pub fn read(&self, found: &Counterexample) -> ClosestRun {
        let parting = found.steps.iter().find_map(|step| self.partings.get(&step.edge));
        let shared = parting.copied().flatten();
        let main = self.program.procedure(self.main);
        let mut initial = &found.initial;
        let mut steps = Vec::new();
        for step in &found.steps {
            let Some(origin) = self.origins[step.edge] else {
                if matches!(self.program.edge(step.edge).operation, Operation::Call { .. }) {
                    initial = &step.after;
                }
                continue;
            };
            let k = steps.len();
            let shown = match self.failing.run.steps.get(k) {
                Some(same) if shared.is_some_and(|shared| k < shared) => same.clone(),
                _ => {
                    let like = self.beside.get(&step.edge).and_then(|k| {
                        Some((self.failing.run.steps.get(*k)?, self.failing.picks.get(k + 1)?))
                    });
                    let locals = match &self.program.edge(step.edge).operation {
                        Operation::Call { callee, .. } => Some(
                            self.assignment(&self.program.procedure(*callee).locals, &step.after),
                        ),
                        Operation::Havoc(variables) => {
                            Some(self.assignment(variables, &step.after))
                        }
                        _ => None,
                    };
                    let locals = locals.map(|mut locals| {
                        if let Some((ConcreteStep { locals: Some(same), .. }, matters)) = like {
                            keep_what_does_not_matter(&mut locals, same, matters);
                        }
                        locals
                    });
                    ConcreteStep { edge: origin, choices: step.choices.clone(), locals }
                }
            };
            steps.push(shown);
        }
        let globals: Vec<VariableId> = self
            .program
            .globals()
            .filter(|id| self.program.variable(*id).initial == Initial::Any)
            .collect();
        let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
        let mut initial_globals = self.assignment(&globals, &found.initial);
        let mut initial_locals = self.assignment(&locals, initial);
        if let Some(matters) = self.failing.picks.first() {
            let differs = parting == Some(&None);
            let matters = if differs { matters.as_slice() } else { &[] };
            keep_what_does_not_matter(
                &mut initial_globals,
                &self.failing.run.initial_globals,
                matters,
            );
            keep_what_does_not_matter(
                &mut initial_locals,
                &self.failing.run.initial_locals,
                matters,
            );
        }
        ClosestRun { run: ConcreteRun { initial_globals, initial_locals, steps }, shared }
    }

    fn assignment(&self, variables: &[VariableId], valuation: &Valuation) -> Assignment {
        assignment(&self.program, variables, valuation)
    }
}

/// Takes T's values for the variables that do not matter.
fn keep_what_does_not_matter(
    values: &mut Assignment,
    same: &Assignment,
    matters: &[(VariableId, Vec<u64>)],
) {
    for (id, bits) in values {
        if let Some((_, old)) = same.iter().find(|(other, _)| other == id)
            && !matters.iter().any(|(other, _)| other == id)
        {
            bits.clone_from(old);
        }
    }
}
