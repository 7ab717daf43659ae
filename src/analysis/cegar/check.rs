//! Proves the properties of interpolants (thesis, 4.3.4, 5.2 and 6.1), apart from the code that
//! computed them.
//!
//! Each family K, whether chosen, strongest or weakest, has these properties:
//!
//! * it is 1 at the top and 0 at the bottom, and at the top of a body it holds where entry and now
//!   are the same;
//! * I ⊨ K ⊨ J at every node, and K mentions only its node's signature (in a body J is the
//!   weakest for K‹, see [`super::interpolants`]);
//! * K1 ∧ C ⊨ K2 along every edge; in particular K(m_i) ∧ Push ⊨ K‹, and K‹ ∧ K> ⊨ K(m_i+1)
//!   ("modular tracking");
//! * K(m_i) ∧ Push ∧ G = G‹ ∧ P = P‹ ⊨ K(f0) for a callee that does not return;
//! * the procedure of a body writes nothing that its predicates treat as constant.
//!
//! Interpolants are images and preimages under the relations of `encode`. The check substitutes
//! into K2 instead, statement by statement, from the program's text (Dijkstra 1975). The two share
//! only the kernel and the layout of bits.

use super::dag::{Action, CounterexampleDag, DagEdge, DagEdgeId, DagPoint, InstanceId, NodeId};
use super::interpolants::{Family, Interpolants};
use crate::analysis::invariant::check::keeps;
use crate::analysis::invariant::weakest::{Evaluator, Substitution, becomes, read_from};
use crate::bdd::{Bdd, BitVector, Manager, Var};
use crate::encode::{Cell, Copy, Frame, Layout};
use crate::lang::model::{
    EdgeId, Initial, Operation, ProcedureId, Program, VariableId, VariableKind,
};
use crate::util::Bounded;

/// Something that must hold of a family of interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// 1 at the top.
    Top,
    /// 0 at the bottom.
    Bottom,
    /// I ⊨ K ⊨ bound.
    Between(NodeId),
    /// K mentions only the signature of its node.
    Signature(NodeId),
    /// K1 ∧ C ⊨ K2 along an edge.
    Tracked(DagEdgeId),
    /// The first edge pushes and the second enters: K(m_i) ∧ Push ∧ G = G‹ ∧ P = P‹ ⊨ K(f0).
    PushOnly(DagEdgeId, DagEdgeId),
    /// K holds at the top of a body where entry and now are the same.
    Entered(InstanceId),
    /// The procedure of a body writes no global or parameter of which its predicates keep no entry
    /// copy.
    Keeps(InstanceId),
}

/// Which family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// I.
    Strongest,
    /// J.
    Weakest,
    /// The k-th chosen one.
    Chosen(usize),
}

/// A property that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Of which family.
    pub which: Which,
    /// What.
    pub obligation: Obligation,
}

/// All obligations of one family, in order.
pub fn obligations(dag: &CounterexampleDag) -> Vec<Obligation> {
    let mut all = vec![Obligation::Top, Obligation::Bottom];
    for node in dag.node_ids() {
        all.extend([Obligation::Signature(node), Obligation::Between(node)]);
    }
    for edge in dag.edge_ids() {
        all.push(Obligation::Tracked(edge));
        if dag.edge(edge).action == Action::Enter {
            all.extend(
                dag.incoming(dag.edge(edge).from)
                    .iter()
                    .map(|push| Obligation::PushOnly(*push, edge)),
            );
        }
    }
    for body in &dag.parts()[1..] {
        all.extend([Obligation::Entered(body.instance), Obligation::Keeps(body.instance)]);
    }
    all
}

/// A family of interpolants whose properties are claimed, with all that the proof needs.
pub struct Claim<'a> {
    /// The program.
    pub program: &'a Program,
    /// The levels of variables.
    pub layout: &'a Layout,
    /// The frames, by procedure.
    pub frames: &'a [Frame],
    /// The DAG.
    pub dag: &'a CounterexampleDag,
    /// I.
    pub strongest: &'a Family,
    /// K.
    pub family: &'a Family,
    /// The bound of K: J, or see [`Interpolants::bounds`].
    pub bound: &'a Family,
}

/// Checks all properties of I, of J if it was asked for, and of every chosen family of a spurious
/// DAG. Returns the number of obligations, or the first obligation that does not hold. It makes
/// diagrams and keeps none; the caller must not collect garbage meanwhile.
pub fn check(
    program: &Program,
    layout: &Layout,
    frames: &[Frame],
    kernel: &mut Manager,
    dag: &CounterexampleDag,
    interpolants: &Interpolants,
) -> Bounded<Result<u64, Broken>> {
    let Interpolants { strongest, weakest, chosen, bounds, .. } = interpolants;
    let mut families = Vec::new();
    if !weakest.is_empty() {
        families
            .extend([(Which::Strongest, strongest, weakest), (Which::Weakest, weakest, weakest)]);
    }
    families.extend(
        chosen
            .iter()
            .zip(bounds)
            .enumerate()
            .map(|(k, (family, bound))| (Which::Chosen(k), family, bound)),
    );
    let all = obligations(dag);
    for (which, family, bound) in &families {
        let claim = Claim { program, layout, frames, dag, strongest, family, bound };
        for obligation in &all {
            if !claim.holds(kernel, *obligation)? {
                return Ok(Err(Broken { which: *which, obligation: *obligation }));
            }
        }
    }
    Ok(Ok((all.len() * families.len()) as u64))
}

impl Claim<'_> {
    /// Does an obligation hold? Makes diagrams, but keeps none.
    pub fn holds(&self, kernel: &mut Manager, obligation: Obligation) -> Bounded<bool> {
        match obligation {
            Obligation::Top => Ok(self.at(self.dag.top()).is_true()),
            Obligation::Bottom => Ok(self.at(self.dag.bottom()).is_false()),
            Obligation::Between(node) => {
                let k = node.0 as usize;
                let (Some(strongest), Some(bound)) = (self.strongest.get(k), self.bound.get(k))
                else {
                    return Ok(false);
                };
                Ok(kernel.is_subset(*strongest, self.at(node))?
                    && kernel.is_subset(self.at(node), *bound)?)
            }
            Obligation::Signature(node) => {
                let signature = self.signature(node);
                Ok(kernel
                    .support(self.at(node))
                    .iter()
                    .all(|level| signature.binary_search(level).is_ok()))
            }
            Obligation::Tracked(edge) => self.tracked(kernel, self.dag.edge(edge)),
            Obligation::PushOnly(push, enter) => {
                let (DagEdge { from, action: Action::Push(edge), .. }, to) =
                    (self.dag.edge(push), self.dag.edge(enter).to)
                else {
                    return Ok(false);
                };
                self.pushes(kernel, edge, self.at(from), |claim, kernel| {
                    claim.entry_at_pivot(kernel, to)
                })
            }
            Obligation::Entered(body) => {
                let same = read_from(
                    kernel,
                    self.layout,
                    self.tracked_cells(body),
                    Copy::Entry,
                    Copy::Now,
                )?;
                Ok(kernel.compose_all(self.at(self.dag.body(body).top()), &same)?.is_true())
            }
            Obligation::Keeps(body) => {
                let tracked = |procedure: ProcedureId| &self.frames[procedure].tracked[..];
                Ok(keeps(self.program, &tracked, self.dag.instance(body).procedure))
            }
        }
    }

    fn at(&self, node: NodeId) -> Bdd {
        self.family.get(node.0 as usize).copied().unwrap_or(Bdd::TRUE)
    }

    fn tracked_cells(&self, instance: InstanceId) -> &[Cell] {
        &self.frames[self.dag.instance(instance).procedure].tracked
    }

    /// The levels that a predicate at a node may mention, ascending (see the table in
    /// [`super::dag`]).
    fn signature(&self, node: NodeId) -> Vec<Var> {
        let procedure = self.program.procedure(self.dag.procedure(node));
        let mut cells = Vec::new();
        let mut add = |variables: &mut dyn Iterator<Item = VariableId>, copy: Copy| {
            for cell in variables.flat_map(|variable| self.layout.cells(variable)) {
                cells.extend(self.layout.cell(cell, copy));
            }
        };
        let globals = || self.program.globals();
        let locals = || {
            procedure.parameters.iter().chain(&procedure.locals).chain(&procedure.result).copied()
        };
        match self.dag.node(node).point {
            DagPoint::Start | DagPoint::Error => return Vec::new(),
            DagPoint::Location(_) => add(&mut globals().chain(locals()), Copy::Now),
            DagPoint::Pivot(edge) => {
                add(&mut globals().chain(locals()), Copy::Now);
                if let Operation::Call { callee, .. } = &self.program.edge(edge).operation {
                    add(
                        &mut self.program.procedure(*callee).parameters.iter().copied(),
                        Copy::Middle,
                    );
                }
            }
            DagPoint::Returned => {
                let tracked = self.tracked_cells(self.dag.node(node).instance);
                let constant = |id: &VariableId| !tracked.iter().any(|cell| cell.variable == *id);
                let parameters = procedure.parameters.iter().copied().filter(constant);
                add(&mut globals().chain(parameters).chain(procedure.result), Copy::Now);
            }
        }
        if self.dag.is_in_body(node) {
            cells.extend(
                self.layout
                    .cells_levels(self.tracked_cells(self.dag.node(node).instance), Copy::Entry),
            );
        }
        cells.sort();
        cells
    }

    fn tracked(&self, kernel: &mut Manager, edge: DagEdge) -> Bounded<bool> {
        let (here, after) = (self.at(edge.from), self.at(edge.to));
        // 0 implies everything, and everything implies 1, whatever the statement does.
        if here.is_false() || after.is_true() {
            return Ok(true);
        }
        match edge.action {
            Action::Begin => {
                let begun = kernel.compose_all(after, &self.initial())?;
                kernel.is_subset(here, begun)
            }
            Action::Execute(id) => self.executes(kernel, id, here, after),
            Action::Fail(id, check) => {
                let mut evaluator = Evaluator { kernel, layout: self.layout, edge: id, care: here };
                let earlier = evaluator.passes(self.program, check)?;
                let passes = evaluator.truth(&self.program.edge(id).checks[check].condition)?;
                let fails = kernel.difference(earlier, passes)?;
                let here = kernel.and(here, fails)?;
                kernel.is_subset(here, after)
            }
            Action::Push(id) => self.pushes(kernel, id, here, |_, _| Ok(after)),
            Action::Enter => {
                let entry = self.entry_at_pivot(kernel, edge.to)?;
                kernel.is_subset(here, entry)
            }
            Action::Return(body) => self.returns(kernel, edge, body),
            Action::Pop => kernel.is_subset(here, after),
        }
    }

    /// The substitution of the initial values for the globals.
    fn initial(&self) -> Substitution {
        let mut fixed = Vec::new();
        for (k, variable) in self.program.variables.iter().enumerate() {
            let (VariableKind::Global, Initial::Exactly(values)) =
                (variable.kind, &variable.initial)
            else {
                continue;
            };
            for (cell, bits) in self.layout.cells(VariableId(k as u32)).zip(values) {
                let value = BitVector::constant(*bits, variable.scalar.width.into());
                fixed.extend(becomes(self.layout, cell, Copy::Now, &value));
            }
        }
        fixed
    }

    /// K1 ∧ C ⊨ K2 for an edge that is no call.
    fn executes(&self, kernel: &mut Manager, id: EdgeId, here: Bdd, after: Bdd) -> Bounded<bool> {
        let edge = self.program.edge(id);
        let mut evaluator = Evaluator { kernel, layout: self.layout, edge: id, care: here };
        let mut goes_on = evaluator.passes(self.program, edge.checks.len())?;
        let weakest = match &edge.operation {
            Operation::Skip => after,
            Operation::Assume(condition) => {
                let condition = evaluator.truth(condition)?;
                goes_on = kernel.and(goes_on, condition)?;
                after
            }
            Operation::Assign(list) => {
                let substitution = evaluator.assignment(list)?;
                kernel.compose_all(after, &substitution)?
            }
            Operation::Havoc(variables) => {
                let cells: Vec<Cell> =
                    variables.iter().flat_map(|variable| self.layout.cells(*variable)).collect();
                let free = kernel.var_set(&self.layout.cells_levels(&cells, Copy::Now));
                kernel.forall(after, free)?
            }
            Operation::Call { .. } => return Ok(false),
        };
        let here = kernel.and(here, goes_on)?;
        kernel.is_subset(here, weakest)
    }

    /// K1 ∧ Push ⊨ the predicate at the pivot, with the arguments substituted for the callee's
    /// parameters.
    fn pushes(
        &self,
        kernel: &mut Manager,
        id: EdgeId,
        here: Bdd,
        pivot: impl FnOnce(&Self, &mut Manager) -> Bounded<Bdd>,
    ) -> Bounded<bool> {
        let Operation::Call { callee, arguments, .. } = &self.program.edge(id).operation else {
            return Ok(false);
        };
        if here.is_false() {
            return Ok(true);
        }
        let pivot = pivot(self, kernel)?;
        if pivot.is_true() {
            return Ok(true);
        }
        let mut evaluator = Evaluator { kernel, layout: self.layout, edge: id, care: here };
        let passes = evaluator.passes(self.program, self.program.edge(id).checks.len())?;
        let mut substitution = Vec::new();
        for (parameter, argument) in
            self.program.procedure(*callee).parameters.iter().zip(arguments)
        {
            let value = evaluator.value(argument)?;
            substitution.extend(becomes(
                self.layout,
                Cell { variable: *parameter, element: 0 },
                Copy::Middle,
                &value,
            ));
        }
        let weakest = kernel.compose_all(pivot, &substitution)?;
        let here = kernel.and(here, passes)?;
        kernel.is_subset(here, weakest)
    }

    /// K at the entry of a callee for all values of its other locals, over its parameters at the
    /// pivot.
    fn entry_at_pivot(&self, kernel: &mut Manager, entry: NodeId) -> Bounded<Bdd> {
        let procedure = self.program.procedure(self.dag.procedure(entry));
        let others: Vec<Cell> = procedure
            .locals
            .iter()
            .chain(&procedure.result)
            .flat_map(|id| self.layout.cells(*id))
            .collect();
        let others = kernel.var_set(&self.layout.cells_levels(&others, Copy::Now));
        let entered = kernel.forall(self.at(entry), others)?;
        let parameters: Vec<Cell> =
            procedure.parameters.iter().flat_map(|id| self.layout.cells(*id)).collect();
        let substitution = read_from(kernel, self.layout, &parameters, Copy::Now, Copy::Middle)?;
        kernel.compose_all(entered, &substitution)
    }

    /// K‹ ∧ K> ⊨ K(m_i+1). [`Copy::Now`] is the caller's store at the call. [`Copy::Middle`] holds
    /// the values at the callee's end of its result and of the globals that it may change.
    fn returns(&self, kernel: &mut Manager, edge: DagEdge, body: InstanceId) -> Bounded<bool> {
        let DagPoint::Pivot(id) = self.dag.node(edge.from).point else { return Ok(false) };
        let Operation::Call { callee, result, .. } = &self.program.edge(id).operation else {
            return Ok(false);
        };
        let procedure = self.program.procedure(*callee);
        let tracked = self.tracked_cells(body);
        let is_global =
            |cell: &&Cell| self.program.variable(cell.variable).kind == VariableKind::Global;
        let changed: Vec<Cell> = tracked.iter().filter(is_global).copied().collect();
        let parameters: Vec<Cell> =
            procedure.parameters.iter().flat_map(|id| self.layout.cells(*id)).collect();
        let (changed_parameters, constant): (Vec<Cell>, Vec<Cell>) =
            parameters.iter().partition(|cell| tracked.contains(cell));
        let returned = procedure.result.map(|variable| Cell { variable, element: 0 });

        let mut effect = read_from(kernel, self.layout, &changed, Copy::Entry, Copy::Now)?;
        let mut at_end = changed.clone();
        at_end.extend(returned);
        effect.extend(read_from(
            kernel,
            self.layout,
            &changed_parameters,
            Copy::Entry,
            Copy::Middle,
        )?);
        effect.extend(read_from(kernel, self.layout, &constant, Copy::Now, Copy::Middle)?);
        effect.extend(read_from(kernel, self.layout, &at_end, Copy::Now, Copy::Middle)?);
        let effect = kernel.compose_all(self.at(self.dag.body(body).bottom()), &effect)?;

        let mut substitution = read_from(kernel, self.layout, &changed, Copy::Now, Copy::Middle)?;
        if let (Some(target), Some(returned)) = (result, returned) {
            let levels = self.layout.cell(returned, Copy::Middle);
            let value = BitVector::from_variables(kernel, &levels)?;
            substitution.extend(becomes(
                self.layout,
                Cell { variable: *target, element: 0 },
                Copy::Now,
                &value,
            ));
        }
        let weakest = kernel.compose_all(self.at(edge.to), &substitution)?;
        let around = kernel.and(self.at(edge.from), effect)?;
        kernel.is_subset(around, weakest)
    }
}
