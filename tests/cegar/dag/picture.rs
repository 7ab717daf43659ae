//! Counterexample DAGs as the thesis prints them: nodes by their printed names, edges by the
//! source's lines.

use crate::support::load;
use crate::support::load::golden;
use faultline::analysis::cegar::check::check;
use faultline::analysis::cegar::concrete::Concrete;
use faultline::analysis::cegar::dag::{
    Action, CounterexampleDag, DagPoint, InstanceId, Mode, NodeId,
};
use faultline::analysis::cegar::dag_builder::DagBuilder;
use faultline::analysis::cegar::interpolants::Interpolants;
use faultline::analysis::cegar::interpolation::Interpolation;
use faultline::bdd::{Bdd, KernelLimits, Manager, roots_of};
use faultline::encode::{Cell, Copy, Layout, ProgramDomain, ProgramSystem, Relations};
use faultline::lang::model::{EdgeId, Operation, Program};
use faultline::readable::node_scalars;
use faultline::readable::predicate::parse;
use faultline::readable::{NamedScalar, readable};
use faultline::wire::refinement::Heuristic;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A program with its concrete rules.
pub(crate) struct World {
    pub(crate) program: Rc<Program>,
    pub(crate) system: ProgramSystem,
    pub(crate) domain: ProgramDomain,
    pub(crate) relations: Relations,
}

impl World {
    pub(crate) fn load(source: &str) -> World {
        let program = load::program(source);
        let layout = Layout::new(&program);
        let kernel = Manager::new(layout.levels(), KernelLimits::NONE).unwrap();
        let system = ProgramSystem::new(&program, None);
        let domain = ProgramDomain::new(&program, &system, layout, kernel).unwrap();
        World { program, system, domain, relations: Relations::new() }
    }

    pub(crate) fn concrete(&mut self) -> Concrete<'_> {
        Concrete {
            program: &self.program,
            domain: &mut self.domain,
            relations: &mut self.relations,
        }
    }

    /// Node by node, with a collection after each: every root must be listed.
    pub(crate) fn interpolate(
        &mut self,
        dag: &CounterexampleDag,
        heuristic: Heuristic,
    ) -> Interpolants {
        let mut interpolation = Interpolation::new(dag, heuristic);
        while !interpolation.is_done() {
            interpolation.step(&mut self.concrete(), dag).unwrap();
            let roots = roots_of(&[&self.domain, &self.relations, &interpolation]);
            self.domain.kernel.collect(&roots);
        }
        interpolation.into_result()
    }

    /// The number of obligations that hold, or the first that does not.
    pub(crate) fn check(
        &mut self,
        dag: &CounterexampleDag,
        interpolants: &Interpolants,
    ) -> Result<u64, faultline::analysis::cegar::check::Broken> {
        let ProgramDomain { kernel, layout, frames, .. } = &mut self.domain;
        check(&self.program, layout, frames, kernel, dag, interpolants).unwrap()
    }
}

/// A figure's program and the DAG that it prints.
pub(crate) struct Picture {
    pub(crate) world: World,
    builder: DagBuilder,
    nodes: BTreeMap<String, NodeId>,
    /// In whose frame new nodes are.
    instance: InstanceId,
    ranks: u32,
}

impl Picture {
    pub(crate) fn of(file: &str) -> Picture {
        let world = World::load(&golden(&format!("cegar/{file}.cimple")));
        let builder = DagBuilder::new(&world.program);
        let instance = builder.main();
        Picture { world, builder, nodes: BTreeMap::new(), instance, ranks: 0 }
    }

    fn node(&mut self, name: &str, point: DagPoint) -> NodeId {
        if let Some(known) = self.nodes.get(name) {
            return *known;
        }
        self.ranks += 1;
        let node = self.builder.node(self.instance, point, self.ranks);
        self.nodes.insert(name.to_string(), node);
        node
    }

    /// The statement on a line that has this outcome (a condition's, else none) and checks nothing.
    fn statement(&self, line: u32, outcome: &str) -> EdgeId {
        let fits = |id: &EdgeId| {
            let edge = self.world.program.edge(*id);
            edge.span.line == line && edge.outcome == outcome && edge.checks.is_empty()
        };
        self.world
            .program
            .edge_ids()
            .find(fits)
            .unwrap_or_else(|| panic!("a statement {outcome} on line {line}"))
    }

    /// The program starts at the statement of this line.
    pub(crate) fn begins(mut self, name: &str) -> Picture {
        let entry = self.world.program.procedure(self.world.program.main_id()).entry;
        let node = self.node(name, DagPoint::Location(entry));
        let start = self.builder.start();
        self.builder.edge(start, node, Action::Begin);
        self
    }

    /// A statement between two nodes.
    pub(crate) fn step(mut self, from: &str, to: &str, line: u32, outcome: &str) -> Picture {
        let id = self.statement(line, outcome);
        let (source, target) = (self.world.program.edge(id).from, self.world.program.edge(id).to);
        let from = self.node(from, DagPoint::Location(source));
        let to = self.node(to, DagPoint::Location(target));
        self.builder.edge(from, to, Action::Execute(id));
        self
    }

    /// The error label on this line.
    pub(crate) fn fails(mut self, from: &str, line: u32) -> Picture {
        let on_line = |id: &EdgeId| {
            self.world.program.edge(*id).checks.iter().any(|check| check.line == line)
        };
        let id = self.world.program.edge_ids().find(on_line).expect("an error on the line");
        let location = self.world.program.edge(id).from;
        let from = self.node(from, DagPoint::Location(location));
        let error = self.builder.error();
        self.builder.edge(from, error, Action::Fail(id, 0));
        self
    }

    /// The call on this line, as far as its pivot point.
    pub(crate) fn push(mut self, from: &str, pivot: &str, line: u32) -> Picture {
        let id = self.statement(line, "");
        let location = self.world.program.edge(id).from;
        let from = self.node(from, DagPoint::Location(location));
        let pivot = self.node(pivot, DagPoint::Pivot(id));
        self.builder.edge(from, pivot, Action::Push(id));
        self
    }

    fn enter_callee(
        &mut self,
        pivot: &str,
        entry: &str,
        mode: Mode,
    ) -> (NodeId, NodeId, InstanceId) {
        let pivot = self.nodes[pivot];
        let call = self
            .world
            .program
            .edge_ids()
            .find(|id| self.place_is(pivot, *id))
            .expect("the pivot's call");
        let Operation::Call { callee, .. } = self.world.program.edge(call).operation else {
            panic!("a pivot belongs to a call")
        };
        self.instance = self.builder.instance(callee, mode);
        let location = self.world.program.procedure(callee).entry;
        let entry = self.node(entry, DagPoint::Location(location));
        (pivot, entry, self.instance)
    }

    fn place_is(&self, pivot: NodeId, call: EdgeId) -> bool {
        self.builder.point(pivot) == DagPoint::Pivot(call)
    }

    /// Into a callee that does not return; nodes that are new from here on are in its frame.
    pub(crate) fn enters(mut self, pivot: &str, entry: &str) -> Picture {
        let (pivot, entry, _) = self.enter_callee(pivot, entry, Mode::PushOnly);
        self.builder.edge(pivot, entry, Action::Enter);
        self
    }

    /// Over a callee, whose nodes `inside` adds, to the return site.
    pub(crate) fn returns(
        mut self,
        pivot: &str,
        to: &str,
        entry: &str,
        inside: impl FnOnce(Picture) -> Picture,
    ) -> Picture {
        let caller = self.instance;
        let (pivot, _, body) = self.enter_callee(pivot, entry, Mode::Body);
        self = inside(self);
        self.instance = caller;
        let DagPoint::Pivot(call) = self.builder.point(pivot) else {
            panic!("calls return to behind a pivot")
        };
        let site = self.world.program.edge(call).to;
        let to = self.node(to, DagPoint::Location(site));
        self.builder.edge(pivot, to, Action::Return(body));
        self
    }

    /// From a body's exit to its end.
    pub(crate) fn pops(mut self, from: &str, end: &str) -> Picture {
        let from = self.nodes[from];
        let end = self.node(end, DagPoint::Returned);
        self.builder.edge(from, end, Action::Pop);
        self
    }

    pub(crate) fn finish(self) -> Finished {
        let dag = self.builder.finish(&self.world.program).expect("the printed DAG is one");
        Finished { world: self.world, dag, nodes: self.nodes }
    }
}

/// A figure, ready to be interpolated.
pub(crate) struct Finished {
    pub(crate) world: World,
    pub(crate) dag: CounterexampleDag,
    pub(crate) nodes: BTreeMap<String, NodeId>,
}

impl Finished {
    pub(crate) fn scalars(&self, name: &str) -> Vec<NamedScalar> {
        node_scalars(&self.world.program, &self.world.domain, &self.dag, self.nodes[name])
    }

    /// The predicate that a printed formula is at a node. `∃L0. …` is over another value of L.
    pub(crate) fn formula(&mut self, name: &str, text: &str) -> Bdd {
        let mut scalars = self.scalars(name);
        let Some(body) = text.strip_prefix("∃L0. ") else {
            return parse(&mut self.world.domain.kernel, text, &scalars)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
        };
        let variables = &self.world.program.variables;
        let local = (0..)
            .zip(variables)
            .find(|(_, variable)| variable.name == "L")
            .map(|(k, _)| k)
            .expect("a variable L");
        let cell = Cell { variable: faultline::lang::model::VariableId(local), element: 0 };
        let bits = self.world.domain.layout.cell(cell, Copy::Middle);
        let other = NamedScalar {
            name: "L0".to_string(),
            scalar: self.world.domain.layout.scalar(cell),
            bits: bits.clone(),
            values: None,
            wraps: false,
        };
        scalars.push(other);
        let kernel = &mut self.world.domain.kernel;
        let inside =
            parse(kernel, body, &scalars).unwrap_or_else(|error| panic!("{text}: {error}"));
        let bits = kernel.var_set(&bits);
        kernel.exists(inside, bits).unwrap()
    }

    /// What the family says at each node is the formula that the figure prints there.
    pub(crate) fn expect(&mut self, what: &str, family: &[Bdd], printed: &[(&str, &str)]) {
        for (name, text) in printed {
            let wanted = self.formula(name, text);
            let found = family[self.nodes[*name].0 as usize];
            if found != wanted {
                let scalars = self.scalars(name);
                let shown = readable(&mut self.world.domain.kernel, found, &scalars, &[]).text;
                panic!("{what} at {name}: [{shown}] instead of [{text}]");
            }
        }
    }

    /// So many traces pass each node.
    pub(crate) fn expect_traces(&self, printed: &[(&str, u64)]) {
        let traces = self.dag.traces_through();
        for (name, count) in printed {
            assert_eq!(traces[self.nodes[*name].0 as usize], *count, "{name}");
        }
    }

    /// What is shown of a family, where it is a formula, says just that.
    pub(crate) fn expect_readable(&mut self, family: &[Bdd]) {
        let names: Vec<String> = self.nodes.keys().cloned().collect();
        for name in names {
            let scalars = self.scalars(&name);
            let predicate = family[self.nodes[&name].0 as usize];
            let shown = readable(&mut self.world.domain.kernel, predicate, &scalars, &[]);
            if shown.exact {
                assert_eq!(
                    parse(&mut self.world.domain.kernel, &shown.text, &scalars),
                    Ok(predicate),
                    "{name}: {}",
                    shown.text
                );
            }
        }
    }
}
