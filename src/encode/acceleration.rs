//! What any number of rounds of a loop do, as one relation.
//!
//! Without this, post\* goes round a loop once for every round that some run makes. That takes long
//! if the loop counts. The relation B of one round, from the loop's header back to it, comes from
//! post\* itself: it starts at the header with "nothing has changed yet", and stops when it comes
//! back there. T₀ = B and T_{i+1} = Tᵢ ∪ Tᵢ ∘ Tᵢ are the relations of 1 to 2^i rounds (Burch,
//! Clarke, McMillan, Dill, Hwang 1990, § 5, iterative squaring). The first of them that equals the
//! next one is the relation of any number of rounds. With it saturation goes round the loop once.
//!
//! The relation is about all stores, and may need larger diagrams than the stores that runs bring
//! to the loop. So it is computed only after a number of rounds, with a budget: first for all
//! stores, then for the reached values of the variables that the loop does not change. If the
//! budget is too small, saturation goes on round by round as before, and tries again after eight
//! times as many rounds. This changes how long saturation takes, never its weights.
//!
//! This file has the loops and the data about them; `program_domain::rounds` computes the
//! relations.
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
use crate::util::order::inserted;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The relations of several rounds of a loop.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// The stores for which the relations are complete, as values of the cells that the loop does
    /// not change.
    pub(super) within: Bdd,
    /// By i: the relation of 1 to 2^i rounds. The last one is the relation of any number of rounds.
    pub(super) powers: Vec<Bdd>,
    /// The last one, as an effect.
    pub(super) forward: Bdd,
    pub(super) backward: Bdd,
}

/// A loop, with the data about its rounds.
#[derive(Clone, Debug)]
pub(super) struct Summed {
    pub(super) header: LocationId,
    /// The rules of the loop's body and of all procedures that it calls.
    pub(super) rules: Rc<BTreeSet<RuleId>>,
    /// The cells that a round may change.
    pub(super) change: Change,
    /// The entry copies, and the changed cells now.
    pub(super) not_constant: VarSet,
    /// How often saturation has looked at the header.
    pub(super) looks: u64,
    pub(super) next_try: u64,
    /// Is a try in progress? If the loop's procedure calls itself, the try meets the loop again.
    pub(super) under_way: bool,
    pub(super) rounds: Option<Rc<Rounds>>,
    /// A system with these rules only, once it was needed.
    pub(super) system: Option<Rc<Pds>>,
}

/// The loops of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Acceleration {
    pub(super) loops: Vec<Summed>,
    pub(super) by_header: BTreeMap<StackSymbol, usize>,
    pub(super) when: AccelerateLoops,
    /// How many tries are in progress. A try inside another one is made at once.
    pub(super) trying: u32,
    /// The steps that failed tries have taken.
    pub(super) wasted: u64,
}

impl Acceleration {
    /// The loops of a program. `changed` gives the cells that a rule may change.
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

/// The rules that execute the edges of a loop.
fn rules_inside(program: &Program, system: &ProgramSystem, found: &Loop) -> BTreeSet<RuleId> {
    let inside = |id: &crate::lang::model::EdgeId| {
        found.contains(program.edge(*id).from) && found.contains(program.edge(*id).to)
    };
    inserted(program.edge_ids().filter(inside).map(|id| system.executes[id]))
}

/// These rules, and all rules of the procedures that they call, directly or not.
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
