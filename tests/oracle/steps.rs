//! One statement at a time on interned explicit stores.

use crate::stores::{Layout, Liveness, Store};
use crate::support::interner::Interner;
use faultline::lang::model::*;
use rustc_hash::FxHashSet;

/// A valuation of the globals, or of one frame.
pub type Valuation = u32;

/// What executing an edge comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// On to the edge's target with these globals and locals.
    Goes(Valuation, Valuation),
    /// The callee starts with this frame.
    Calls(Valuation),
    /// Its check of this number fails: the run ends.
    Fails(usize),
}

/// The successor relation of a program.
pub struct Steps<'a> {
    pub program: &'a Program,
    pub layout: Layout,
    pub liveness: Liveness,
    pub globals: Interner<Vec<u64>>,
    pub locals: Interner<Vec<u64>>,
    edges_from: Vec<Vec<EdgeId>>,
    /// At most so many values are enumerated at one point; more than that, and the oracle gives up.
    pub fan: u64,
}

impl<'a> Steps<'a> {
    pub fn new(program: &'a Program, liveness: Liveness) -> Steps<'a> {
        let mut edges_from = vec![Vec::new(); program.locations.len()];
        for edge in program.edge_ids() {
            edges_from[program.edge(edge).from.0 as usize].push(edge);
        }
        Steps {
            program,
            layout: Layout::new(program),
            liveness,
            globals: Interner::default(),
            locals: Interner::default(),
            edges_from,
            fan: 1 << 12,
        }
    }

    /// The globals that the program may start with.
    pub fn initial_globals(&mut self) -> Option<Vec<Valuation>> {
        let mut slots = Vec::new();
        for variable in self.program.globals() {
            let variable = self.program.variable(variable);
            match &variable.initial {
                Initial::Exactly(values) => slots.extend(values.iter().map(|v| vec![*v])),
                Initial::Any => {
                    slots.extend((0..variable.elements()).map(|_| all_values(variable.scalar)))
                }
            }
        }
        let all = product(&slots, self.fan)?;
        Some(all.into_iter().map(|values| self.globals.number(values)).collect())
    }

    /// All frames at a location of `procedure` where the variables of `fixed` have the values
    /// given, and live ones any.
    pub fn frames(
        &mut self,
        procedure: ProcedureId,
        location: LocationId,
        fixed: &[(VariableId, Vec<u64>)],
    ) -> Option<Vec<Valuation>> {
        let program = self.program;
        let mut slots = vec![vec![0]; self.layout.frames[procedure.0 as usize]];
        let owned = program.procedure(procedure);
        for variable in owned
            .parameters
            .iter()
            .chain(&owned.locals)
            .copied()
            .filter(|v| self.liveness.live(location, *v))
        {
            let place = self.layout.place(variable);
            match fixed.iter().find(|(v, _)| *v == variable) {
                Some((_, values)) => values
                    .iter()
                    .enumerate()
                    .for_each(|(i, value)| slots[place.base + i] = vec![*value]),
                None => slots[place.base..place.base + place.length]
                    .fill(all_values(program.variable(variable).scalar)),
            }
        }
        let all = product(&slots, self.fan)?;
        Some(all.into_iter().map(|values| self.locals.number(values)).collect())
    }

    /// The value that a procedure returns from its exit.
    pub fn returned(&self, procedure: ProcedureId, locals: Valuation) -> Option<u64> {
        let result = self.program.procedure(procedure).result?;
        Some(self.locals.value(locals)[self.layout.place(result).base])
    }

    /// The caller's frame while `call` is pending: dead locals, and the one that the result
    /// overwrites, are 0.
    pub fn pending(&mut self, call: EdgeId, locals: Valuation) -> Valuation {
        let edge = self.program.edge(call);
        let Operation::Call { result, .. } = &edge.operation else {
            unreachable!("only calls are pending")
        };
        let mut frame = self.locals.value(locals).clone();
        self.bury(self.program.owner(call), edge.to, &mut frame);
        for variable in result.iter().filter(|v| !self.layout.place(**v).global) {
            frame[self.layout.place(*variable).base] = 0;
        }
        self.locals.number(frame)
    }

    /// All frames that [`Steps::pending`] can give for this call.
    pub fn all_pending(&mut self, call: EdgeId) -> Option<Vec<Valuation>> {
        let edge = self.program.edge(call);
        let Operation::Call { result, .. } = &edge.operation else {
            unreachable!("only calls are pending")
        };
        let fixed: Vec<_> = result.iter().map(|v| (*v, vec![0])).collect();
        self.frames(self.program.owner(call), edge.to, &fixed)
    }

    /// Globals and caller's frame after `call` returned `value`.
    pub fn resume(
        &mut self,
        call: EdgeId,
        globals: Valuation,
        locals: Valuation,
        value: Option<u64>,
    ) -> (Valuation, Valuation) {
        let edge = self.program.edge(call);
        let Operation::Call { result, .. } = &edge.operation else {
            unreachable!("only calls return")
        };
        let Some(variable) = result else { return (globals, locals) };
        let value = value.expect("a call with a result has a callee with one");
        let place = self.layout.place(*variable);
        if place.global {
            let mut values = self.globals.value(globals).clone();
            values[place.base] = value;
            (self.globals.number(values), locals)
        } else {
            let mut values = self.locals.value(locals).clone();
            values[place.base] = value;
            self.bury(self.program.owner(call), edge.to, &mut values);
            (globals, self.locals.number(values))
        }
    }

    /// The edges that leave a location.
    pub fn edges_from(&self, location: LocationId) -> Vec<EdgeId> {
        self.edges_from[location.0 as usize].clone()
    }

    /// Everything that executing an edge can come to, without repetitions; nothing if its
    /// assumption cannot hold; `None` if that is too much to list.
    pub fn along(
        &mut self,
        id: EdgeId,
        globals: Valuation,
        locals: Valuation,
    ) -> Option<Vec<Outcome>> {
        let picks: Vec<_> = self.program.edge(id).choices.iter().map(|s| all_values(*s)).collect();
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        for choices in product(&picks, self.fan)? {
            for outcome in self.execute(id, globals, locals, &choices)? {
                if seen.insert(outcome) {
                    found.push(outcome);
                }
            }
        }
        Some(found)
    }

    /// Do, for some choices, the edge's checks up to the k-th (inclusive) hold?
    pub fn may_pass(
        &self,
        id: EdgeId,
        check: usize,
        globals: Valuation,
        locals: Valuation,
    ) -> Option<bool> {
        let edge = self.program.edge(id);
        let picks: Vec<_> = edge.choices.iter().map(|s| all_values(*s)).collect();
        let passes = |choices: Vec<u64>| {
            let (globals, locals) = (self.globals.value(globals), self.locals.value(locals));
            let store = Store { layout: &self.layout, globals, locals, choices: &choices };
            edge.checks[..=check].iter().all(|check| store.holds(&check.condition))
        };
        Some(product(&picks, self.fan)?.into_iter().any(passes))
    }

    /// Everything that can happen next at `location`.
    pub fn next(
        &mut self,
        location: LocationId,
        globals: Valuation,
        locals: Valuation,
    ) -> Option<Vec<(EdgeId, Outcome)>> {
        let mut found = Vec::new();
        for edge in self.edges_from(location) {
            found.extend(
                self.along(edge, globals, locals)?.into_iter().map(|outcome| (edge, outcome)),
            );
        }
        Some(found)
    }

    fn execute(
        &mut self,
        id: EdgeId,
        globals: Valuation,
        locals: Valuation,
        choices: &[u64],
    ) -> Option<Vec<Outcome>> {
        let edge = &self.program.edges[id.0 as usize];
        let owner = self.program.owner(id);
        let store = Store {
            layout: &self.layout,
            globals: self.globals.value(globals),
            locals: self.locals.value(locals),
            choices,
        };
        if let Some(failed) = edge.checks.iter().position(|check| !store.holds(&check.condition)) {
            return Some(vec![Outcome::Fails(failed)]);
        }
        let (mut new_globals, mut new_locals) = (store.globals.to_vec(), store.locals.to_vec());
        let mut havocked: Vec<(VariableId, Vec<u64>)> = Vec::new();
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(condition) if !store.holds(condition) => return Some(Vec::new()),
            Operation::Assume(_) => {}
            Operation::Assign(pairs) => {
                for (place, right) in pairs {
                    let index = match place {
                        Place::Variable(_) => Some(0),
                        Place::Element(variable, index) => store.index(*variable, index),
                    };
                    let target = self.layout.place(place.variable());
                    let slots = if target.global { &mut new_globals } else { &mut new_locals };
                    if let Some(index) = index {
                        slots[target.base + index] = store.value(right);
                    }
                }
            }
            Operation::Havoc(variables) => {
                for variable in variables {
                    let place = self.layout.place(*variable);
                    if place.global || self.liveness.live(edge.to, *variable) {
                        havocked
                            .push((*variable, all_values(self.program.variable(*variable).scalar)));
                    }
                }
            }
            Operation::Call { callee, arguments, .. } => {
                let parameters = &self.program.procedure(*callee).parameters;
                let fixed: Vec<_> = parameters
                    .iter()
                    .zip(arguments)
                    .map(|(p, a)| (*p, vec![store.value(a)]))
                    .collect();
                let entry = self.program.procedure(*callee).entry;
                return Some(
                    self.frames(*callee, entry, &fixed)?.into_iter().map(Outcome::Calls).collect(),
                );
            }
        }
        let mut slots: Vec<(bool, usize)> = Vec::new();
        let mut values: Vec<Vec<u64>> = Vec::new();
        for (variable, all) in havocked {
            let place = self.layout.place(variable);
            for i in 0..place.length {
                slots.push((place.global, place.base + i));
                values.push(all.clone());
            }
        }
        let mut outcomes = Vec::new();
        for picked in product(&values, self.fan)? {
            for ((global, slot), value) in slots.iter().zip(picked) {
                if *global { new_globals[*slot] = value } else { new_locals[*slot] = value }
            }
            let mut kept = new_locals.clone();
            self.bury(owner, edge.to, &mut kept);
            outcomes.push(Outcome::Goes(
                self.globals.number(new_globals.clone()),
                self.locals.number(kept),
            ));
        }
        Some(outcomes)
    }

    /// Sets the dead locals of a frame to 0.
    fn bury(&self, procedure: ProcedureId, location: LocationId, frame: &mut [u64]) {
        let owned = self.program.procedure(procedure);
        for variable in owned
            .parameters
            .iter()
            .chain(&owned.locals)
            .filter(|v| !self.liveness.live(location, **v))
        {
            let place = self.layout.place(*variable);
            frame[place.base..place.base + place.length].fill(0);
        }
    }
}

/// All bit patterns of a type; a huge type gives a list that [`product`] refuses.
fn all_values(scalar: Scalar) -> Vec<u64> {
    (0..=scalar.mask().min(1 << 13)).collect()
}

/// All ways to pick one value for each slot; `None` if more than `limit`.
fn product(slots: &[Vec<u64>], limit: u64) -> Option<Vec<Vec<u64>>> {
    let size = slots.iter().try_fold(1u64, |size, slot| size.checked_mul(slot.len() as u64))?;
    if size > limit {
        return None;
    }
    let mut all = vec![Vec::with_capacity(slots.len())];
    for slot in slots {
        all = all
            .into_iter()
            .flat_map(|chosen: Vec<u64>| {
                slot.iter().map(move |v| [chosen.as_slice(), &[*v]].concat())
            })
            .collect();
    }
    Some(all)
}
