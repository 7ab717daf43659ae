//! A store that post\* knew of at some moment, and what was known before it.

use super::call_stores::{callers_entering, fix_stores, known_at_exit, pick_stores};
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, RuleRole, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{Entry, RuleId, StackSymbol, State, Transition};
use crate::util::Bounded;

/// A store at a location in a frame, with the moment at which post* knew of it.
#[derive(Clone, Debug)]
pub(super) struct KnownStore {
    pub(super) location: LocationId,
    pub(super) state: State,
    pub(super) entry: Valuation,
    pub(super) now: Valuation,
    pub(super) moment: u64,
}

/// One way back from a store.
pub(super) struct Candidate {
    pub(super) rule: RuleId,
    pub(super) moment: u64,
    /// The entries and stores before the step, among those that were known at `moment`.
    pub(super) stores: Bdd,
    /// For a whole call: what the summary gained, and when.
    pub(super) summary: Option<Entry<Bdd>>,
}

/// The frame never returned on this run. So any caller that was known before is possible; this
/// takes the earliest one.
pub(super) fn leave_to_caller(reach: &mut Reach, at: &KnownStore) -> Bounded<(EdgeId, KnownStore)> {
    let mut best: Option<(u64, Bdd, RuleId, State)> = None;
    // Callees that started with the weight 1 have the moments of their entries in their own list.
    let entered_at = match reach.entered(at.state) {
        Some(_) => Some(entered_at(reach, at)?),
        None => None,
    };
    for id in reach.callers().remove(&at.state).unwrap_or_default() {
        let transition = reach.poststar.automaton().transition(id);
        let rule = transition.via.expect("callers are those with a push rule");
        let procedure = reach.program.location(at.location).procedure;
        let before = callers_entering(reach, rule, procedure, &at.now)?;
        if let Some(moment) = entered_at {
            let calls = reach.domain.kernel.and(*reach.poststar.automaton().weight(id), before)?;
            let history = reach.entered(transition.to).unwrap_or_default().to_vec();
            for (known, entries) in history.into_iter().take_while(|(known, _)| *known < moment) {
                if best.as_ref().is_some_and(|best| best.0 <= known) {
                    break;
                }
                let stores = reach.domain.kernel.and(calls, entries)?;
                if !stores.is_false() {
                    best = Some((known, stores, rule, transition.to));
                    break;
                }
            }
            continue;
        }
        for entry in reach.poststar.history().before(id, at.moment).to_vec() {
            if best.as_ref().is_some_and(|best| best.0 <= entry.moment) {
                break;
            }
            let stores = reach.domain.kernel.and(entry.gained, before)?;
            if !stores.is_false() {
                best = Some((entry.moment, stores, rule, transition.to));
                break;
            }
        }
    }
    let (moment, stores, rule, state) =
        best.expect("a callee is entered only from callers known before");
    let RuleRole::Execute(edge) = reach.system.role(rule) else {
        unreachable!("push rules are calls")
    };
    let procedure = reach.program.owner(edge);
    let moment = if entered_at.is_some() { u64::MAX - 1 } else { moment };
    let caller =
        pick_known(reach, reach.program.edge(edge).from, state, procedure, stores, moment)?;
    Ok((edge, locate(reach, caller)?))
}

/// Is this among the stores with which the saturation started?
pub(super) fn starts_here(reach: &Reach, at: &KnownStore) -> bool {
    let start = Transition {
        from: CONTROL.into(),
        symbol: Some(symbol(at.location)),
        to: at.state,
        via: None,
    };
    let first = reach
        .poststar
        .automaton()
        .find(start)
        .and_then(|id| reach.poststar.history().all(id).first());
    reach.poststar.automaton().find(start) == Some(0)
        && first.is_some_and(|first| first.moment == at.moment)
}

/// Returns the better of two candidates: `best`, and the earliest stores at `from` before `moment`
/// that lie in `before`.
#[expect(clippy::too_many_arguments, reason = "one search, spelled out")]
pub(super) fn earliest(
    reach: &mut Reach,
    best: Option<Candidate>,
    rule: RuleId,
    from: StackSymbol,
    state: State,
    before: Bdd,
    moment: u64,
    summary: Option<Entry<Bdd>>,
) -> Bounded<Option<Candidate>> {
    if before.is_false() {
        return Ok(best);
    }
    let transition = Transition { from: CONTROL.into(), symbol: Some(from), to: state, via: None };
    let Some(id) = reach.poststar.automaton().find(transition) else { return Ok(best) };
    let entries = reach.poststar.history().before(id, moment).to_vec();
    for entry in entries {
        let moment = entry.moment.max(summary.as_ref().map_or(0, |summary| summary.moment));
        if best.as_ref().is_some_and(|best| best.moment <= moment) {
            break;
        }
        let stores = reach.domain.kernel.and(entry.gained, before)?;
        if !stores.is_false() {
            return Ok(Some(Candidate { rule, moment, stores, summary }));
        }
    }
    Ok(best)
}

/// The callee at its exit, given the caller before and after the call.
pub(super) fn enter_callee_from_its_exit(
    reach: &mut Reach,
    rule: RuleId,
    edge: EdgeId,
    before: &KnownStore,
    after: &KnownStore,
    summary: &Entry<Bdd>,
) -> Bounded<KnownStore> {
    let program = reach.program.clone();
    let Operation::Call { callee, .. } = program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let known = known_at_exit(reach, rule, edge, &before.now, &after.now)?;
    let known = reach.domain.kernel.and(known, summary.gained)?;
    // The summary has forgotten the callee's locals at its exit, so they are looked up.
    let middle = reach
        .poststar
        .middle(CONTROL, symbol(program.procedure(callee).entry))
        .expect("it was called");
    let exit = program.procedure(callee).exit;
    let transition =
        Transition { from: CONTROL.into(), symbol: Some(symbol(exit)), to: middle, via: None };
    let id = reach.poststar.automaton().find(transition).expect("it returned");
    for entry in reach.poststar.history().before(id, summary.moment).to_vec() {
        let stores = reach.domain.kernel.and(entry.gained, known)?;
        if !stores.is_false() {
            return pick_known(reach, exit, middle, callee, stores, entry.moment);
        }
    }
    unreachable!("a summary is made of what reached the exit before")
}

/// The moment at which a frame was known to be entered with the known store at its entry.
pub(super) fn entered_at(reach: &mut Reach, at: &KnownStore) -> Bounded<u64> {
    let here = fix(reach, at)?;
    for (moment, entries) in reach.entered(at.state).unwrap_or_default().to_vec() {
        if !reach.domain.kernel.and(entries, here)?.is_false() {
            return Ok(moment);
        }
    }
    unreachable!("weights were cut down to the entries that are known")
}

pub(super) fn pick_known(
    reach: &mut Reach,
    location: LocationId,
    state: State,
    procedure: ProcedureId,
    stores: Bdd,
    moment: u64,
) -> Bounded<KnownStore> {
    let (entry, now) = pick_stores(reach, procedure, stores);
    Ok(KnownStore { location, state, entry, now, moment })
}

/// The store with the moment at which post\* first knew of it, which is not after `at.moment`.
pub(super) fn locate(reach: &mut Reach, at: KnownStore) -> Bounded<KnownStore> {
    let here = fix(reach, &at)?;
    let transition = Transition {
        from: CONTROL.into(),
        symbol: Some(symbol(at.location)),
        to: at.state,
        via: None,
    };
    let id = reach.poststar.automaton().find(transition).expect("the store was found on it");
    for entry in reach.poststar.history().before(id, at.moment + 1).to_vec() {
        if !reach.domain.kernel.and(entry.gained, here)?.is_false() {
            return Ok(KnownStore { moment: entry.moment, ..at });
        }
    }
    unreachable!("the store was picked from what was known by then")
}

/// The diagram of exactly this entry and this store.
pub(super) fn fix(reach: &mut Reach, at: &KnownStore) -> Bounded<Bdd> {
    let procedure = reach.program.location(at.location).procedure;
    fix_stores(reach, procedure, &at.entry, &at.now)
}
