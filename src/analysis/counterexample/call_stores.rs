//! Stores around calls, for walks that go back along a run: which callers enter a callee with a
//! store, and what a callee's exit may be between a caller's stores before and after the call.

use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{Cell, Copy, Valuation};
use crate::lang::model::{EdgeId, Operation, ProcedureId};
use crate::pds::RuleId;
use crate::util::Bounded;

/// The stores in which a call enters its callee with this store.
pub(in crate::analysis) fn callers_entering(
    reach: &mut Reach,
    rule: RuleId,
    callee: ProcedureId,
    entered: &Valuation,
) -> Bounded<Bdd> {
    let frame = reach.domain.frames[callee].clone();
    let outside: Vec<Cell> = frame
        .parameters
        .iter()
        .chain(&frame.changed_globals)
        .chain(&frame.constant_globals)
        .copied()
        .collect();
    let entered = reach.domain.fixed(&outside, Copy::Now, entered)?;
    reach.domain.before_entry(rule, entered)
}

/// The possible stores at a callee's entry and exit, given its caller's stores before and after the
/// call.
pub(in crate::analysis) fn known_at_exit(
    reach: &mut Reach,
    rule: RuleId,
    edge: EdgeId,
    before: &Valuation,
    after: &Valuation,
) -> Bounded<Bdd> {
    let program = reach.program.clone();
    let Operation::Call { callee, result, .. } = &program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let frame = reach.domain.frames[*callee].clone();
    let caller = reach.domain.visible(program.owner(edge));
    // Globals before and after, and the result, are known; the parameters follow from the caller's
    // store.
    let mut known = reach.domain.fixed(&frame.changed_globals, Copy::Entry, before)?;
    let globals = reach.domain.fixed(
        frame.changed_globals.iter().chain(&frame.constant_globals),
        Copy::Now,
        after,
    )?;
    known = reach.domain.kernel.and(known, globals)?;
    let forgotten = &reach.domain.forgotten[edge];
    let target = result
        .map(|variable| Cell { variable, element: 0 })
        .filter(|cell| !forgotten.contains(cell));
    if let (Some(target), Some(cell)) = (target, frame.result) {
        let mut returned = Valuation::default();
        returned.0.insert(cell, after.get(target));
        let returned = reach.domain.fixed([&cell], Copy::Now, &returned)?;
        known = reach.domain.kernel.and(known, returned)?;
    }
    let at_call = reach.domain.fixed(&caller, Copy::Now, before)?;
    let mut arguments = reach.domain.entering(rule, at_call)?;
    let globals: Vec<Cell> =
        frame.changed_globals.iter().chain(&frame.constant_globals).copied().collect();
    let globals =
        reach.domain.kernel.var_set(&reach.domain.layout.cells_levels(&globals, Copy::Now));
    arguments = reach.domain.kernel.exists(arguments, globals)?;
    let (constant, changed): (Vec<Cell>, Vec<Cell>) =
        frame.parameters.iter().copied().partition(|cell| frame.constant_parameters.contains(cell));
    let mut shift = reach.domain.layout.shift(&constant, Copy::Middle, Copy::Now);
    shift.extend(reach.domain.layout.shift(&changed, Copy::Middle, Copy::Entry));
    let shift = reach.domain.kernel.renaming(&shift);
    arguments = reach.domain.kernel.rename(arguments, shift)?;
    reach.domain.kernel.and(known, arguments)
}

/// The least entry and store of a nonempty set of such pairs.
pub(in crate::analysis) fn pick_stores(
    reach: &Reach,
    procedure: ProcedureId,
    stores: Bdd,
) -> (Valuation, Valuation) {
    let mut cells: Vec<(Cell, Copy)> =
        reach.domain.visible(procedure).into_iter().map(|cell| (cell, Copy::Now)).collect();
    cells.extend(reach.domain.frames[procedure].tracked.iter().map(|cell| (*cell, Copy::Entry)));
    let model = reach.domain.pick(stores, &cells).expect("only nonempty stores are picked from");
    let (mut entry, mut now) = (Valuation::default(), Valuation::default());
    for ((cell, copy), bits) in model {
        let valuation = if copy == Copy::Entry { &mut entry } else { &mut now };
        valuation.0.insert(cell, bits);
    }
    (entry, now)
}

/// The same for a procedure's frame.
pub(in crate::analysis) fn fix_stores(
    reach: &mut Reach,
    procedure: ProcedureId,
    entry: &Valuation,
    now: &Valuation,
) -> Bounded<Bdd> {
    let tracked = reach.domain.frames[procedure].tracked.clone();
    let visible = reach.domain.visible(procedure);
    let entry = reach.domain.fixed(&tracked, Copy::Entry, entry)?;
    let now = reach.domain.fixed(&visible, Copy::Now, now)?;
    reach.domain.kernel.and(entry, now)
}
