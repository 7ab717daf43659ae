//! What reaches the nodes of a DAG, and what fails from them, by explicit stores that the
//! interpreter steps: no diagram, no relation.

use super::picture::World;
use faultline::analysis::cegar::dag::{Action, CounterexampleDag, DagEdge, DagPoint, NodeId};
use faultline::bdd::{Bdd, Var};
use faultline::encode::Copy;
use faultline::lang::interpreter::{Assignment, Configuration, Frame, Machine, Outcome};
use faultline::lang::model::{
    EdgeId, Initial, LocationId, Operation, ProcedureId, Program, Scalar, VariableId,
};
use faultline::readable::node_scalars;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A store at a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Store {
    /// In a body: globals and parameters as the frame was entered.
    entry: Vec<u64>,
    globals: Vec<u64>,
    /// Parameters and the other locals; at the end of a body the returned value alone, if there is
    /// one.
    locals: Vec<u64>,
    /// At a pivot: the callee's parameters.
    arguments: Vec<u64>,
}

/// Everything about one DAG.
pub(crate) struct Explicit<'a> {
    program: &'a Program,
    dag: &'a CounterexampleDag,
    machine: Machine<'a>,
    globals: Vec<VariableId>,
    /// By node: what reaches it.
    pub(crate) reached: Vec<BTreeSet<Store>>,
    /// Does some trace fail from here?
    bad: HashMap<(NodeId, Store), bool>,
}

fn product(types: &[Scalar]) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for scalar in types {
        all = all
            .iter()
            .flat_map(|prefix| {
                (0..=scalar.mask()).map(move |value| [&prefix[..], &[value]].concat())
            })
            .collect();
    }
    all
}

impl<'a> Explicit<'a> {
    /// Steps every store down the DAG. The programs have scalars only.
    pub(crate) fn new(program: &'a Program, dag: &'a CounterexampleDag) -> Explicit<'a> {
        let globals = program.globals().collect();
        let reached = vec![BTreeSet::new(); dag.node_count()];
        let mut explicit = Explicit {
            program,
            dag,
            machine: Machine::new(program),
            globals,
            reached,
            bad: HashMap::new(),
        };
        for part in dag.parts().iter().rev() {
            for node in &part.nodes {
                explicit.reached[node.0 as usize] = explicit.reach(*node);
            }
        }
        explicit
    }

    /// Does some trace of the DAG fail?
    pub(crate) fn is_real(&self) -> bool {
        !self.reached[self.dag.bottom().0 as usize].is_empty()
    }

    fn owned(&self, procedure: ProcedureId) -> Vec<VariableId> {
        let procedure = self.program.procedure(procedure);
        procedure.parameters.iter().chain(&procedure.locals).copied().collect()
    }

    fn types(&self, variables: &[VariableId]) -> Vec<Scalar> {
        variables.iter().map(|id| self.program.variable(*id).scalar).collect()
    }

    fn nothing(&self) -> Store {
        Store { entry: Vec::new(), globals: Vec::new(), locals: Vec::new(), arguments: Vec::new() }
    }

    fn reach(&self, node: NodeId) -> BTreeSet<Store> {
        let procedure = self.dag.procedure(node);
        if self.dag.incoming(node).is_empty() {
            if !self.dag.is_in_body(node) {
                return BTreeSet::from([self.nothing()]);
            }
            let parameters = self.program.procedure(procedure).parameters.len();
            let start = |(globals, locals): (&Vec<u64>, &Vec<u64>)| Store {
                entry: [&globals[..], &locals[..parameters]].concat(),
                globals: globals.clone(),
                locals: locals.clone(),
                arguments: Vec::new(),
            };
            let locals = product(&self.types(&self.owned(procedure)));
            return product(&self.types(&self.globals))
                .iter()
                .flat_map(|globals| locals.iter().map(move |l| (globals, l)))
                .map(start)
                .collect();
        }
        let mut all = BTreeSet::new();
        for id in self.dag.incoming(node) {
            let edge = self.dag.edge(*id);
            for store in &self.reached[edge.from.0 as usize] {
                all.extend(self.along(edge, store));
            }
        }
        all
    }

    /// What an edge makes of a store.
    fn along(&self, edge: DagEdge, store: &Store) -> Vec<Store> {
        let procedure = self.dag.procedure(edge.from);
        let location = || match self.dag.node(edge.from).point {
            DagPoint::Location(location) => location,
            _ => panic!("statements start at locations"),
        };
        match edge.action {
            Action::Begin => {
                let fixed = |id: &VariableId| match &self.program.variable(*id).initial {
                    Initial::Exactly(values) => Some(values[0]),
                    Initial::Any => None,
                };
                let globals = product(&self.types(&self.globals));
                let fits = |g: &&Vec<u64>| {
                    self.globals
                        .iter()
                        .zip(*g)
                        .all(|(id, value)| fixed(id).is_none_or(|wanted| wanted == *value))
                };
                let locals = product(&self.types(&self.owned(procedure)));
                let start = |globals: &Vec<u64>, locals: &Vec<u64>| Store {
                    globals: globals.clone(),
                    locals: locals.clone(),
                    ..self.nothing()
                };
                globals
                    .iter()
                    .filter(fits)
                    .flat_map(|globals| locals.iter().map(move |locals| start(globals, locals)))
                    .collect()
            }
            Action::Execute(id) => self
                .execute(procedure, location(), store, id)
                .filter_map(|outcome| self.next(outcome, store))
                .collect(),
            Action::Fail(id, check) => {
                let fails = self
                    .execute(procedure, location(), store, id)
                    .any(|outcome| outcome == Outcome::Error(check));
                if fails { vec![self.nothing()] } else { Vec::new() }
            }
            Action::Push(id) => {
                let Operation::Call { callee, .. } = &self.program.edge(id).operation else {
                    panic!("only calls push")
                };
                let count = self.program.procedure(*callee).parameters.len();
                let pushed = |outcome: Outcome| match outcome {
                    Outcome::Next(Configuration { frames, .. }) => {
                        let arguments = frames.last().expect("a frame").values[..count]
                            .iter()
                            .map(|value| value[0])
                            .collect();
                        Some(Store { arguments, ..store.clone() })
                    }
                    _ => None,
                };
                self.execute(procedure, location(), store, id).filter_map(pushed).collect()
            }
            Action::Enter => {
                let callee = self.dag.procedure(edge.to);
                let others = self.types(&self.owned(callee)[store.arguments.len()..]);
                let locals = product(&others)
                    .into_iter()
                    .map(|others| [&store.arguments[..], &others[..]].concat());
                locals
                    .map(|locals| Store {
                        globals: store.globals.clone(),
                        locals,
                        ..self.nothing()
                    })
                    .collect()
            }
            Action::Return(body) => {
                let entered = [&store.globals[..], &store.arguments[..]].concat();
                let ends = &self.reached[self.dag.body(body).bottom().0 as usize];
                ends.iter()
                    .filter(|end| end.entry == entered)
                    .map(|end| self.resumed(edge, store, end))
                    .collect()
            }
            Action::Pop => vec![self.popped(procedure, store)],
        }
    }

    /// A pivot's store after its callee was left like this.
    fn resumed(&self, edge: DagEdge, pivot: &Store, end: &Store) -> Store {
        let DagPoint::Pivot(call) = self.dag.node(edge.from).point else {
            panic!("calls return from pivots")
        };
        let mut after =
            Store { globals: end.globals.clone(), arguments: Vec::new(), ..pivot.clone() };
        if let Operation::Call { result: Some(into), .. } = &self.program.edge(call).operation {
            let owned = self.owned(self.dag.procedure(edge.from));
            let slot = owned.iter().position(|id| id == into).expect("a result goes to a local");
            after.locals[slot] = end.locals[0];
        }
        after
    }

    fn popped(&self, procedure: ProcedureId, store: &Store) -> Store {
        let result = self.program.procedure(procedure).result;
        let kept = self
            .owned(procedure)
            .iter()
            .zip(&store.locals)
            .filter(|(id, _)| Some(**id) == result)
            .map(|(_, v)| *v)
            .collect();
        Store { locals: kept, ..store.clone() }
    }

    fn execute(
        &self,
        procedure: ProcedureId,
        location: LocationId,
        store: &Store,
        id: EdgeId,
    ) -> impl Iterator<Item = Outcome> {
        let singles = |values: &[u64]| values.iter().map(|value| vec![*value]).collect();
        let frame = Frame { procedure, values: singles(&store.locals), call: None };
        let configuration =
            Configuration { globals: singles(&store.globals), frames: vec![frame], location };
        let edge = self.program.edge(id);
        let free = match &edge.operation {
            Operation::Havoc(variables) => variables.clone(),
            _ => Vec::new(),
        };
        let mut outcomes = BTreeMap::new();
        for choices in product(&edge.choices) {
            for values in product(&self.types(&free)) {
                let arbitrary: Assignment =
                    free.iter().copied().zip(values.iter().map(|value| vec![*value])).collect();
                let outcome = self.machine.execute(&configuration, id, &choices, &arbitrary);
                outcomes.insert(format!("{outcome:?}"), outcome);
            }
        }
        outcomes.into_values()
    }

    fn next(&self, outcome: Outcome, store: &Store) -> Option<Store> {
        let Outcome::Next(Configuration { globals, frames, .. }) = outcome else { return None };
        let flat = |values: &[Vec<u64>]| values.iter().map(|value| value[0]).collect();
        Some(Store { globals: flat(&globals), locals: flat(&frames[0].values), ..store.clone() })
    }

    /// Does some trace fail from this store? At the end of a body: is a caller that its pivot says
    /// to be safe brought to one that is not?
    pub(crate) fn fails(&mut self, world: &World, node: NodeId, store: &Store) -> bool {
        let key = (node, store.clone());
        if let Some(known) = self.bad.get(&key) {
            return *known;
        }
        let bad = match self.dag.node(node).point {
            DagPoint::Error => true,
            DagPoint::Returned => self.misleads(world, node, store),
            _ => {
                let edges: Vec<DagEdge> =
                    self.dag.outgoing(node).iter().map(|id| self.dag.edge(*id)).collect();
                edges.iter().any(|edge| {
                    self.along(*edge, store).iter().any(|after| self.fails(world, edge.to, after))
                })
            }
        };
        self.bad.insert(key, bad);
        bad
    }

    fn misleads(&mut self, world: &World, node: NodeId, end: &Store) -> bool {
        let body = self.dag.node(node).instance;
        let (globals, arguments) = end.entry.split_at(self.globals.len());
        let uses: Vec<DagEdge> = self.dag.uses(body).map(|id| self.dag.edge(id)).collect();
        for edge in uses {
            let caller = self.dag.procedure(edge.from);
            for locals in product(&self.types(&self.owned(caller))) {
                let now = Store {
                    entry: Vec::new(),
                    globals: globals.to_vec(),
                    locals,
                    arguments: arguments.to_vec(),
                };
                for entry in self.entries(world, edge.from, &now) {
                    let pivot = Store { entry, ..now.clone() };
                    if !self.fails(world, edge.from, &pivot)
                        && self.fails(world, edge.to, &self.resumed(edge, &pivot, end))
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The entries that a frame may have had, given its store now: what its procedure does not
    /// change is the same.
    fn entries(&self, world: &World, node: NodeId, now: &Store) -> Vec<Vec<u64>> {
        if !self.dag.is_in_body(node) {
            return vec![Vec::new()];
        }
        let procedure = self.dag.procedure(node);
        let parameters = &self.program.procedure(procedure).parameters;
        let entered: Vec<VariableId> = self.globals.iter().chain(parameters).copied().collect();
        let current = [&now.globals[..], &now.locals[..parameters.len()]].concat();
        let tracked = &world.domain.frames[procedure.0 as usize].tracked;
        let fits = |entry: &Vec<u64>| {
            let same = |k: usize| {
                tracked.iter().any(|cell| cell.variable == entered[k]) || entry[k] == current[k]
            };
            (0..entered.len()).all(same)
        };
        product(&self.types(&entered)).into_iter().filter(fits).collect()
    }

    /// Some store over a node's signature, picked by `number` (below the type's size).
    pub(crate) fn sample(
        &self,
        world: &World,
        node: NodeId,
        number: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Store> {
        let place = self.dag.node(node).point;
        if matches!(place, DagPoint::Start | DagPoint::Error) {
            return None;
        }
        let procedure = self.dag.procedure(node);
        let mut of = |variables: &[VariableId]| -> Vec<u64> {
            self.types(variables).iter().map(|scalar| number(scalar.mask() + 1)).collect()
        };
        let mut store = Store {
            globals: of(&self.globals),
            locals: of(&self.owned(procedure)),
            ..self.nothing()
        };
        if let DagPoint::Pivot(call) = place
            && let Operation::Call { callee, .. } = &self.program.edge(call).operation
        {
            store.arguments = of(&self.program.procedure(*callee).parameters.clone());
        }
        let entries = self.entries(world, node, &store);
        store.entry = entries[number(entries.len() as u64) as usize].clone();
        Some(if place == DagPoint::Returned { self.popped(procedure, &store) } else { store })
    }

    /// Is the store in a predicate at its node?
    pub(crate) fn holds(&self, world: &World, node: NodeId, predicate: Bdd, store: &Store) -> bool {
        let procedure = self.dag.procedure(node);
        let owned = self.owned(procedure);
        let parameters = &self.program.procedure(procedure).parameters;
        let at_end = self.dag.node(node).point == DagPoint::Returned;
        let value = |level: Var| -> bool {
            let (cell, copy) =
                world.domain.layout.owner(level).expect("predicates mention no choices");
            let id = cell.variable;
            let global = self.globals.iter().position(|other| *other == id);
            let parameter = parameters.iter().position(|other| *other == id);
            let entered =
                || global.or(parameter.map(|k| self.globals.len() + k)).map(|k| store.entry[k]);
            let bits = match copy {
                Copy::Entry => entered().expect("entries are of globals and parameters"),
                Copy::Now if global.is_some() => store.globals[global.unwrap()],
                Copy::Now if at_end && parameter.is_some() => entered().unwrap(),
                Copy::Now if at_end => store.locals[0],
                Copy::Now => {
                    store.locals
                        [owned.iter().position(|other| *other == id).expect("a local of the frame")]
                }
                Copy::Middle => {
                    let DagPoint::Pivot(call) = self.dag.node(node).point else {
                        panic!("only pivots speak of arguments")
                    };
                    let Operation::Call { callee, .. } = &self.program.edge(call).operation else {
                        panic!("pivots belong to calls")
                    };
                    let passed = &self.program.procedure(*callee).parameters;
                    store.arguments[passed
                        .iter()
                        .position(|other| *other == id)
                        .expect("a parameter of the callee")]
                }
            };
            let bit = world
                .domain
                .layout
                .cell(cell, copy)
                .iter()
                .position(|other| *other == level)
                .expect("a level of the cell");
            bits >> bit & 1 == 1
        };
        world.domain.kernel.eval(predicate, &value)
    }

    /// How many stores over the node's signature satisfy a predicate.
    pub(crate) fn count(&self, world: &World, node: NodeId, predicate: Bdd) -> u64 {
        let scalars = node_scalars(self.program, &world.domain, self.dag, node);
        let over: Vec<Var> =
            scalars.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
        world.domain.kernel.sat_count(predicate, &over).to_u64().expect("few stores")
    }
}
