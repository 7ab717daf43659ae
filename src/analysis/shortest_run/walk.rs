//! The walk back from a failing check to the start, over the layers of the search.
//!
//! A store of rank r was reached over some statement of cost c from a store of rank r - c exactly,
//! and of an earlier moment (statements may cost nothing). So the walk never has to look further
//! back.

use crate::analysis::counterexample::{
    Counterexample, MAX_STEPS, Step, callers_entering, fix_stores, known_at_exit, pick_stores,
};
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, ProgramDomain, RuleRole, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{FramePosition, Layer, RankedPostStar, Right, RuleId, SearchNode, Summary};
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// A store in a layer of the search.
#[derive(Clone, Debug)]
struct LayerStore {
    key: SearchNode,
    entry: Valuation,
    now: Valuation,
    rank: u64,
    moment: u64,
}

/// A walk back from a failing check to the start, in progress.
pub(super) struct Walk {
    /// Its steps: the last statement first.
    error: Counterexample,
    at: LayerStore,
    /// Callers whose callee is being walked, with their call edge.
    waiting: Vec<(EdgeId, LayerStore)>,
}

impl Walk {
    pub(super) fn new(
        search: &RankedPostStar<ProgramDomain>,
        reach: &mut Reach,
        key: SearchNode,
    ) -> Bounded<Walk> {
        let layer = search.layers(key).last().expect("a target is found with its layer").clone();
        let site =
            reach.system.errors.iter().find(|site| FramePosition::At(site.symbol) == key.position);
        let error = *site.expect("only errors are targets");
        let procedure = reach.program.owner(error.edge);
        let (entry, now) = pick_stores(reach, procedure, layer.gained);
        let failed = LayerStore { key, entry, now, rank: layer.rank, moment: layer.moment };
        let here = fix_stores(reach, procedure, &failed.entry, &failed.now)?;
        let rules = reach.system.pds.to_head(CONTROL, error.symbol).to_vec();
        let (_, at) = over_steps(search, reach, &failed, here, &rules)?
            .expect("an error is reached over its check");
        let program = Rc::clone(&reach.program);
        let choices =
            reach.domain.choices_of_failure(&program, error.edge, error.check, &at.now)?;
        let choices = choices.expect("the store was picked among those that fail here");
        let last =
            Step { edge: error.edge, before: at.now.clone(), after: at.now.clone(), choices };
        // The steps begin with the last statement until the walk is over.
        let error = Counterexample { initial: Valuation::default(), steps: vec![last], error };
        Ok(Walk { error, at, waiting: Vec::new() })
    }

    /// Goes one statement back. Returns the run once the start is reached.
    pub(super) fn step(
        &mut self,
        search: &RankedPostStar<ProgramDomain>,
        reach: &mut Reach,
    ) -> Bounded<Option<Counterexample>> {
        // Statements that cost nothing are steps as well.
        if self.error.steps.len() > 2 * MAX_STEPS {
            return Err(Limit::Depth);
        }
        let at = self.at.clone();
        let procedure = procedure_at(reach, at.key);
        let here = fix_stores(reach, procedure, &at.entry, &at.now)?;
        if is_start(search, reach, &at, here)? {
            return self.leave(search, reach, at);
        }
        let FramePosition::At(top) = at.key.position else {
            unreachable!("a walk is inside its frames")
        };
        let rules = reach.system.pds.to_head(CONTROL, top).to_vec();
        if let Some((rule, before)) = over_steps(search, reach, &at, here, &rules)? {
            let RuleRole::Execute(edge) = reach.system.role(rule) else {
                unreachable!("only executed edges lead to locations")
            };
            let program = Rc::clone(&reach.program);
            let choices = reach.domain.choices_of_step(&program, edge, &before.now, &at.now)?;
            let choices = choices.expect("the store before was picked among those that lead here");
            self.error.steps.push(Step {
                edge,
                before: before.now.clone(),
                after: at.now,
                choices,
            });
            self.at = before;
            return Ok(None);
        }
        let (rule, before, summary) = over_call(search, reach, &at, here)?
            .expect("a store with a rank was reached from a lower one");
        let RuleRole::Execute(edge) = reach.system.role(rule) else {
            unreachable!("push rules are calls")
        };
        self.at = exit_of_callee(search, reach, rule, edge, &before, &at, &summary)?;
        self.waiting.push((edge, before));
        Ok(None)
    }

    /// Goes on from a frame's entry to its caller.
    fn leave(
        &mut self,
        search: &RankedPostStar<ProgramDomain>,
        reach: &mut Reach,
        at: LayerStore,
    ) -> Bounded<Option<Counterexample>> {
        let (edge, caller) = match self.waiting.pop() {
            Some(waiting) => waiting,
            None if at.key.frame == 0 => {
                let mut steps = std::mem::take(&mut self.error.steps);
                steps.reverse();
                return Ok(Some(Counterexample {
                    initial: at.now,
                    steps,
                    error: self.error.error,
                }));
            }
            None => any_caller(search, reach, &at)?,
        };
        let program = Rc::clone(&reach.program);
        let choices = reach.domain.choices_of_call(&program, edge, &caller.now, &at.now)?;
        let choices = choices.expect("the caller was picked among those that enter like this");
        self.error.steps.push(Step { edge, before: caller.now.clone(), after: at.now, choices });
        self.at = caller;
        Ok(None)
    }
}

fn procedure_at(reach: &Reach, key: SearchNode) -> ProcedureId {
    let FramePosition::At(top) = key.position else { unreachable!("a walk is at locations only") };
    reach.program.location(LocationId(top.0)).procedure
}

/// Is this the store with which the frame was entered?
fn is_start(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    at: &LayerStore,
    here: Bdd,
) -> Bounded<bool> {
    let frame = search.frame(at.key.frame);
    if at.key.position != FramePosition::At(frame.entry) || at.key.passed != frame.passed {
        return Ok(false);
    }
    for layer in search.layers_at(
        SearchNode { position: FramePosition::Start, ..at.key },
        at.rank,
        at.moment,
    ) {
        if !reach.domain.kernel.and(layer.gained, here)?.is_false() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The sets that may have been passed before a rule, if `passed` are those passed after it.
fn before_passing(passes: u32, passed: u32) -> Vec<u32> {
    if passes & !passed != 0 {
        return Vec::new();
    }
    let mut masks = Vec::new();
    let mut left_in = passes;
    loop {
        masks.push(passed & !passes | left_in);
        if left_in == 0 {
            return masks;
        }
        left_in = (left_in - 1) & passes;
    }
}

/// A store of the first layer of a key, at this rank and before the moment, that meets these
/// stores.
fn meet(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    key: SearchNode,
    rank: u64,
    moment: u64,
    stores: Bdd,
) -> Bounded<Option<LayerStore>> {
    if stores.is_false() {
        return Ok(None);
    }
    for Layer { rank, moment, gained } in search.layers_at(key, rank, moment) {
        let common = reach.domain.kernel.and(*gained, stores)?;
        if !common.is_false() {
            let (entry, now) = pick_stores(reach, procedure_at(reach, key), common);
            return Ok(Some(LayerStore { key, entry, now, rank: *rank, moment: *moment }));
        }
    }
    Ok(None)
}

/// Goes back over one of these rules, if the store was reached over one that does not call.
fn over_steps(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    at: &LayerStore,
    here: Bdd,
    rules: &[RuleId],
) -> Bounded<Option<(RuleId, LayerStore)>> {
    for rule in rules {
        let measure = search.goal();
        let (cost, passes) = (measure.cost[*rule], measure.passes[*rule]);
        let Some(rank) = at.rank.checked_sub(cost) else { continue };
        if !matches!(reach.system.pds.rule(*rule).right, Right::Step(_)) {
            continue;
        }
        let point = FramePosition::At(reach.system.pds.rule(*rule).symbol);
        let before = reach.domain.before_step(*rule, here)?;
        for passed in before_passing(passes, at.key.passed) {
            let key = SearchNode { position: point, passed, ..at.key };
            if let Some(found) = meet(search, reach, key, rank, at.moment, before)? {
                return Ok(Some((*rule, found)));
            }
        }
    }
    Ok(None)
}

/// Goes back over a whole call, if the store was reached by a return.
fn over_call(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    at: &LayerStore,
    here: Bdd,
) -> Bounded<Option<(RuleId, LayerStore, Summary<Bdd>)>> {
    let FramePosition::At(below) = at.key.position else {
        unreachable!("a walk is inside its frames")
    };
    for rule in reach.system.pds.with_below(below).to_vec() {
        let Right::Push(top, _) = reach.system.pds.rule(rule).right else { continue };
        let measure = search.goal();
        let (cost, passes) = (measure.cost[rule], measure.passes[rule]);
        for entered in masks_below(at.key.passed) {
            let Some(callee) = search.frame_of(top, entered) else { continue };
            for summary in &search.frame(callee).summaries {
                let fits = summary.passed == at.key.passed && summary.moment < at.moment;
                let Some(rank) = at.rank.checked_sub(cost + summary.length).filter(|_| fits) else {
                    continue;
                };
                let point = FramePosition::At(reach.system.pds.rule(rule).symbol);
                let mut before = None;
                for passed in before_passing(passes, entered) {
                    let key = SearchNode { position: point, passed, ..at.key };
                    if search.layers_at(key, rank, at.moment).is_empty() {
                        continue;
                    }
                    let stores = match before {
                        Some(stores) => stores,
                        None => reach.domain.before_call(rule, summary.weight, here)?,
                    };
                    before = Some(stores);
                    if let Some(found) = meet(search, reach, key, rank, at.moment, stores)? {
                        return Ok(Some((rule, found, summary.clone())));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// All subsets of a set.
fn masks_below(set: u32) -> impl Iterator<Item = u32> {
    (0..=set).filter(move |mask| mask & !set == 0)
}

/// The callee at its exit, given the caller before and after the call.
fn exit_of_callee(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    rule: RuleId,
    edge: EdgeId,
    before: &LayerStore,
    after: &LayerStore,
    summary: &Summary<Bdd>,
) -> Bounded<LayerStore> {
    let program = Rc::clone(&reach.program);
    let Operation::Call { callee, .. } = program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let known = known_at_exit(reach, rule, edge, &before.now, &after.now)?;
    let known = reach.domain.kernel.and(known, summary.weight)?;
    let callee = program.procedure(callee);
    let entered = before.key.passed | search.goal().passes[rule];
    let frame = search.frame_of(symbol(callee.entry), entered).expect("it was called");
    let key = SearchNode {
        frame,
        position: FramePosition::At(symbol(callee.exit)),
        passed: summary.passed,
    };
    let exit = meet(search, reach, key, summary.entered + summary.length, summary.moment, known)?;
    Ok(exit.expect("a summary is made of what reached the exit before"))
}

/// A caller of the right rank, for a frame that never returned on this run. Any such caller will
/// do.
fn any_caller(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    at: &LayerStore,
) -> Bounded<(EdgeId, LayerStore)> {
    let procedure = procedure_at(reach, at.key);
    for caller in &search.frame(at.key.frame).callers {
        let rank = caller.layer.rank + search.goal().cost[caller.rule];
        if rank != at.rank || caller.layer.moment >= at.moment {
            continue;
        }
        let before = callers_entering(reach, caller.rule, procedure, &at.now)?;
        let common = reach.domain.kernel.and(caller.layer.gained, before)?;
        if !common.is_false() {
            let RuleRole::Execute(edge) = reach.system.role(caller.rule) else {
                unreachable!("push rules are calls")
            };
            let (entry, now) = pick_stores(reach, procedure_at(reach, caller.node), common);
            let at = LayerStore {
                key: caller.node,
                entry,
                now,
                rank: caller.layer.rank,
                moment: caller.layer.moment,
            };
            return Ok((edge, at));
        }
    }
    unreachable!("a callee is entered only from callers known before")
}
