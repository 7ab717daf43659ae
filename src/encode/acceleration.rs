//! What any number of rounds of a loop do, as one relation.
//!
//! post\* goes round a loop once for every round that some run makes, which takes long where
//! numbers are counted. But the relation B of one round, from the loop's header back to it, is
//! found by post\* itself, started at the header with "nothing has changed yet" and held when it
//! comes back. T₀ = B and T_{i+1} = Tᵢ ∪ Tᵢ ∘ Tᵢ relate what 1 to 2^i rounds do (Burch, Clarke,
//! McMillan, Dill, Hwang 1990, § 5, iterative squaring), and the first one that equals the next
//! relates what all numbers of rounds do. With that saturation goes round once.
//!
//! The relation is about all stores, and may need larger diagrams than the stores that runs bring
//! to the loop. So it is tried only after a number of rounds, with a budget: first for all stores,
//! then for the reached values of the variables that the loop does not change. If the budget is too
//! small, rounds are made one by one as before, and after eight times as many rounds it is tried
//! again. This changes how long saturation takes, never its weights.
//!
//! This file has the loops and what is known of them; `program_domain::rounds` sums them up.
//!
//! | notation | here |
//! | --- | --- |
//! | Tᵢ | [`Rounds::powers`], changed cells before in [`Copy::Entry`], after in [`Copy::Now`] |
//! | its limit, to pass weights through | `forward` and `backward`, in the copies of an effect |

use super::effect::Change;
use super::frame::Frame;
use super::layout::{Cell, Copy, Layout};
use super::program_system::{ProgramSystem, symbol};
use crate::bdd::{Bdd, Manager, VarSet, impl_roots};
use crate::cfg::{Loop, loops};
use crate::lang::model::{LocationId, Operation, ProcedureId, Program};
use crate::pds::{Pds, RuleId, StackSymbol};
use crate::util::AccelerateLoops;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What rounds of a loop do.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// The stores for which this says everything, as values of the cells that the loop does not
    /// change.
    pub(super) within: Bdd,
    /// By i: what 1 to 2^i rounds do; the last one is what all do.
    pub(super) powers: Vec<Bdd>,
    /// The last one as an effect.
    pub(super) forward: Bdd,
    pub(super) backward: Bdd,
}

/// A loop, and what is known of its rounds.
#[derive(Clone, Debug)]
pub(super) struct Summed {
    pub(super) header: LocationId,
    /// The rules of its body and of all that it calls.
    pub(super) rules: Rc<BTreeSet<RuleId>>,
    /// What a round may change.
    pub(super) change: Change,
    /// Entry copies, and changed cells now.
    pub(super) not_constant: VarSet,
    /// Looks at its header.
    pub(super) looks: u64,
    pub(super) next_try: u64,
    /// Is a try under way? Where its procedure calls itself the loop is met again.
    pub(super) under_way: bool,
    pub(super) rounds: Option<Rc<Rounds>>,
    /// The rules alone, once they were needed.
    pub(super) system: Option<Rc<Pds>>,
}

/// The loops of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Acceleration {
    pub(super) loops: Vec<Summed>,
    pub(super) by_header: BTreeMap<StackSymbol, usize>,
    pub(super) when: AccelerateLoops,
    /// Tries under way: those inside another one are made at once.
    pub(super) trying: u32,
    /// Steps spent on tries that failed.
    pub(super) wasted: u64,
}

impl Acceleration {
    /// `changed[r]`: the cells that rule r may change.
    pub(super) fn new(
        kernel: &mut Manager,
        layout: &Layout,
        frames: &[Frame],
        program: &Program,
        system: &ProgramSystem,
        changed: &dyn Fn(RuleId) -> Vec<Cell>,
    ) -> Acceleration {
        let mut acceleration = Acceleration::default();
        for found in loops(program) {
            let procedure = program.location(found.header).procedure;
            let inside = rules_inside(program, system, &found);
            let cells = inside.iter().flat_map(|rule| changed(*rule)).collect();
            let change = Change::new(kernel, layout, cells);
            let frame = &frames[procedure];
            let visible: Vec<Cell> = frame
                .locals
                .iter()
                .chain(&frame.changed_globals)
                .chain(&frame.constant_globals)
                .copied()
                .collect();
            let mut not_constant = layout.cells_levels(&visible, Copy::Entry);
            not_constant.extend(layout.cells_levels(&change.cells, Copy::Now));
            let not_constant = kernel.var_set(&not_constant);
            acceleration.by_header.insert(symbol(found.header), acceleration.loops.len());
            acceleration.loops.push(Summed {
                header: found.header,
                rules: Rc::new(with_callees(program, system, inside)),
                change,
                not_constant,
                looks: 0,
                next_try: acceleration.when.first_try(),
                under_way: false,
                rounds: None,
                system: None,
            });
        }
        acceleration
    }
}

impl_roots!(Acceleration { loops });
impl_roots!(Summed { rounds });
impl_roots!(Rounds { within, powers, forward, backward });

/// The executing rules of a loop's edges.
fn rules_inside(program: &Program, system: &ProgramSystem, found: &Loop) -> BTreeSet<RuleId> {
    let inside = |id: &crate::lang::model::EdgeId| {
        found.contains(program.edge(*id).from) && found.contains(program.edge(*id).to)
    };
    program.edge_ids().filter(inside).map(|id| system.executes[id]).collect()
}

/// These rules, and all of the procedures that they call, and so on.
fn with_callees(
    program: &Program,
    system: &ProgramSystem,
    mut rules: BTreeSet<RuleId>,
) -> BTreeSet<RuleId> {
    let mut called: BTreeSet<ProcedureId> = BTreeSet::new();
    let callee = |rule: &RuleId| match system.role(*rule) {
        super::RuleRole::Execute(edge) => match program.edge(edge).operation {
            Operation::Call { callee, .. } => Some(callee),
            _ => None,
        },
        _ => None,
    };
    let mut waiting: Vec<ProcedureId> = rules.iter().filter_map(callee).collect();
    while let Some(procedure) = waiting.pop() {
        if !called.insert(procedure) {
            continue;
        }
        for (k, rule) in system.pds.rules().iter().enumerate() {
            let location = rule.symbol.0 as usize;
            if program
                .locations
                .get(location)
                .is_some_and(|location| location.procedure == procedure)
            {
                let id = RuleId(k as u32);
                rules.insert(id);
                waiting.extend(callee(&id));
            }
        }
    }
    rules
}
