//! A shortest failing run, of all of them or of those through given statements.
//!
//! Length is the number of statements executed, as a trace lists them; what the front end made and
//! bare jumps cost nothing. The search is [`RankedPostStar`]; the run is read backwards off its
//! layers. A store of rank r was reached over some statement of cost c from a store of rank r - c
//! exactly, and of an earlier moment (statements may cost nothing), so the walk never has to look
//! back twice.
//!
//! Differs from Lal, Kidd, Reps, Touili 2007, Def. 9 and App. B: instead of a chop of two weighted
//! automata with a regular set in between, one search over the product of the system with the set
//! of statements passed; it stops at the first failing run.

use super::counterexample::{
    Counterexample, MAX_STEPS, Step, callers_entering, fix_stores, known_at_exit, pick_stores,
};
use super::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, ProgramDomain, RuleRole, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{Key, Layer, Measure, Point, RankedPostStar, Right, RuleId, Summary};
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// Most sets that a run can be asked to go through.
pub const MAX_SETS: usize = 8;

/// What a search came to.
#[derive(Clone, Debug)]
pub enum Shortest {
    /// This run; none is shorter.
    Run(Box<Counterexample>),
    /// There is none (at most as long as was asked for).
    None,
}

/// A store in a frame.
#[derive(Clone, Debug)]
struct Place {
    key: Key,
    entry: Valuation,
    now: Valuation,
    rank: u64,
    moment: u64,
}

struct Walk {
    error: super::counterexample::Counterexample,
    place: Place,
    /// Callers whose callee is being walked, with their call edge.
    waiting: Vec<(EdgeId, Place)>,
}

/// A search for a shortest run, in progress.
pub struct ShortestRun {
    search: RankedPostStar<ProgramDomain>,
    at_most: Option<u64>,
    walk: Option<Walk>,
}

impl ShortestRun {
    /// Among the runs that execute a statement of each of these sets (at most [`MAX_SETS`]; the
    /// others are left out). Only runs of at most `at_most` statements count, if given.
    pub fn new(
        reach: &mut Reach,
        through: &[Vec<EdgeId>],
        at_most: Option<u64>,
    ) -> Bounded<ShortestRun> {
        let measure = measure(reach, &through[..through.len().min(MAX_SETS)]);
        ShortestRun::by(reach, measure, at_most)
    }

    /// A cheapest failing run, where executing an edge costs this much (failing, nothing). Only
    /// runs of at most this cost count, if given.
    pub fn with_costs(
        reach: &mut Reach,
        costs: &[u64],
        at_most: Option<u64>,
    ) -> Bounded<ShortestRun> {
        let mut measure = measure(reach, &[]);
        for (cost, role) in measure.cost.iter_mut().zip(&reach.system.roles) {
            *cost = match role {
                RuleRole::Execute(edge) => costs.get(edge.0 as usize).copied().unwrap_or(0),
                RuleRole::Fail(..) | RuleRole::Return(_) => 0,
            };
        }
        ShortestRun::by(reach, measure, Some(at_most.unwrap_or(u64::MAX / 2)))
    }

    fn by(reach: &mut Reach, measure: Measure, at_most: Option<u64>) -> Bounded<ShortestRun> {
        let program = Rc::clone(&reach.program);
        let weight = reach.domain.initial(&program)?;
        let entry = symbol(program.procedures[program.main].entry);
        let longest = at_most.unwrap_or(MAX_STEPS as u64);
        let mut search = RankedPostStar::new(
            &mut reach.domain,
            entry,
            weight,
            measure,
            longest,
            reach.system.priority.clone(),
        )?;
        search.head_for_targets(&reach.system.pds);
        Ok(ShortestRun { search, at_most, walk: None })
    }

    /// No run that counts is shorter than this.
    pub fn rank(&self) -> u64 {
        self.search.rank()
    }

    /// One bounded piece of work; the answer, once it is known.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Shortest>> {
        if let Some(walk) = &mut self.walk {
            let done = walk.step(&self.search, reach)?;
            return Ok(done.map(|run| Shortest::Run(Box::new(run))));
        }
        if let Some(key) = self.search.found() {
            self.walk = Some(Walk::new(&self.search, reach, key)?);
        } else if !self.search.is_done() {
            self.search.step(&reach.system.pds, &mut reach.domain)?;
        } else if self.search.was_cut() && self.at_most.is_none() {
            return Err(Limit::Depth);
        } else {
            return Ok(Some(Shortest::None));
        }
        Ok(None)
    }
}

impl_roots!(ShortestRun { search });

/// What each rule counts and passes.
fn measure(reach: &Reach, through: &[Vec<EdgeId>]) -> Measure {
    let mut bits = vec![0u32; reach.program.edges.len()];
    for (k, set) in through.iter().enumerate() {
        for edge in set {
            bits[edge.0 as usize] |= 1 << k;
        }
    }
    let of_rule = |role: &RuleRole| match role {
        RuleRole::Execute(edge) => {
            (u64::from(reach.program.edge(*edge).is_traced()), bits[edge.0 as usize])
        }
        // Where the run fails, the trace says so, whatever the edge.
        RuleRole::Fail(edge, _) => (1, bits[edge.0 as usize]),
        RuleRole::Return(_) => (0, 0),
    };
    let (cost, passes) = reach.system.roles.iter().map(of_rule).unzip();
    let mut is_target = vec![false; reach.system.pds.symbols() as usize];
    for site in &reach.system.errors {
        is_target[site.symbol.0 as usize] = true;
    }
    Measure { cost, passes, all: (1 << through.len()) - 1, is_target }
}

impl Walk {
    fn new(search: &RankedPostStar<ProgramDomain>, reach: &mut Reach, key: Key) -> Bounded<Walk> {
        let layer = search.layers(key).last().expect("a target is found with its layer").clone();
        let site = reach.system.errors.iter().find(|site| Point::At(site.symbol) == key.point);
        let error = *site.expect("only errors are targets");
        let procedure = reach.program.owner(error.edge);
        let (entry, now) = pick_stores(reach, procedure, layer.gained);
        let failed = Place { key, entry, now, rank: layer.rank, moment: layer.moment };
        let here = fix_stores(reach, procedure, &failed.entry, &failed.now)?;
        let rules = reach.system.pds.to_head(CONTROL, error.symbol).to_vec();
        let (_, place) = over_steps(search, reach, &failed, here, &rules)?
            .expect("an error is reached over its check");
        let program = Rc::clone(&reach.program);
        let choices =
            reach.domain.choices_of_failure(&program, error.edge, error.check, &place.now)?;
        let choices = choices.expect("the store was picked among those that fail here");
        let last =
            Step { edge: error.edge, before: place.now.clone(), after: place.now.clone(), choices };
        // Last statement first, until the walk is over.
        let error = Counterexample { initial: Valuation::default(), steps: vec![last], error };
        Ok(Walk { error, place, waiting: Vec::new() })
    }

    /// One statement back. The run, once the start is reached.
    fn step(
        &mut self,
        search: &RankedPostStar<ProgramDomain>,
        reach: &mut Reach,
    ) -> Bounded<Option<Counterexample>> {
        // Statements that cost nothing are steps as well.
        if self.error.steps.len() > 2 * MAX_STEPS {
            return Err(Limit::Depth);
        }
        let place = self.place.clone();
        let procedure = procedure_at(reach, place.key);
        let here = fix_stores(reach, procedure, &place.entry, &place.now)?;
        if is_start(search, reach, &place, here)? {
            return self.leave(search, reach, place);
        }
        let Point::At(top) = place.key.point else { unreachable!("a walk is inside its frames") };
        let rules = reach.system.pds.to_head(CONTROL, top).to_vec();
        if let Some((rule, before)) = over_steps(search, reach, &place, here, &rules)? {
            let RuleRole::Execute(edge) = reach.system.role(rule) else {
                unreachable!("only executed edges lead to locations")
            };
            let program = Rc::clone(&reach.program);
            let choices = reach.domain.choices_of_step(&program, edge, &before.now, &place.now)?;
            let choices = choices.expect("the store before was picked among those that lead here");
            self.error.steps.push(Step {
                edge,
                before: before.now.clone(),
                after: place.now,
                choices,
            });
            self.place = before;
            return Ok(None);
        }
        let (rule, before, summary) = over_call(search, reach, &place, here)?
            .expect("whatever has a rank was reached from a lower one");
        let RuleRole::Execute(edge) = reach.system.role(rule) else {
            unreachable!("push rules are calls")
        };
        self.place = exit_of_callee(search, reach, rule, edge, &before, &place, &summary)?;
        self.waiting.push((edge, before));
        Ok(None)
    }

    /// A frame's entry is reached: on to its caller.
    fn leave(
        &mut self,
        search: &RankedPostStar<ProgramDomain>,
        reach: &mut Reach,
        place: Place,
    ) -> Bounded<Option<Counterexample>> {
        let (edge, caller) = match self.waiting.pop() {
            Some(waiting) => waiting,
            None if place.key.frame == 0 => {
                let mut steps = std::mem::take(&mut self.error.steps);
                steps.reverse();
                return Ok(Some(Counterexample {
                    initial: place.now,
                    steps,
                    error: self.error.error,
                }));
            }
            None => any_caller(search, reach, &place)?,
        };
        let program = Rc::clone(&reach.program);
        let choices = reach.domain.choices_of_call(&program, edge, &caller.now, &place.now)?;
        let choices = choices.expect("the caller was picked among those that enter like this");
        self.error.steps.push(Step { edge, before: caller.now.clone(), after: place.now, choices });
        self.place = caller;
        Ok(None)
    }
}

fn procedure_at(reach: &Reach, key: Key) -> ProcedureId {
    let Point::At(top) = key.point else { unreachable!("places are at locations") };
    reach.program.location(LocationId(top.0)).procedure
}

/// Was the frame entered in this very store?
fn is_start(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    place: &Place,
    here: Bdd,
) -> Bounded<bool> {
    let frame = search.frame(place.key.frame);
    if place.key.point != Point::At(frame.entry) || place.key.passed != frame.passed {
        return Ok(false);
    }
    for layer in
        search.layers_at(Key { point: Point::Start, ..place.key }, place.rank, place.moment)
    {
        if !reach.domain.kernel.and(layer.gained, here)?.is_false() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What may have been passed before a rule, if `passed` is what was passed after it.
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

/// The first layer of a key, at this rank and before the moment, that meets some stores; and a
/// store of both.
fn meet(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    key: Key,
    rank: u64,
    moment: u64,
    stores: Bdd,
) -> Bounded<Option<Place>> {
    if stores.is_false() {
        return Ok(None);
    }
    for Layer { rank, moment, gained } in search.layers_at(key, rank, moment) {
        let common = reach.domain.kernel.and(*gained, stores)?;
        if !common.is_false() {
            let (entry, now) = pick_stores(reach, procedure_at(reach, key), common);
            return Ok(Some(Place { key, entry, now, rank: *rank, moment: *moment }));
        }
    }
    Ok(None)
}

/// Back over one of these rules, if the place was reached over one that does not call.
fn over_steps(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    place: &Place,
    here: Bdd,
    rules: &[RuleId],
) -> Bounded<Option<(RuleId, Place)>> {
    for rule in rules {
        let measure = search.measure();
        let (cost, passes) = (measure.cost[rule.0 as usize], measure.passes[rule.0 as usize]);
        let Some(rank) = place.rank.checked_sub(cost) else { continue };
        if !matches!(reach.system.pds.rule(*rule).right, Right::Step(_)) {
            continue;
        }
        let point = Point::At(reach.system.pds.rule(*rule).symbol);
        let before = reach.domain.before_step(*rule, here)?;
        for passed in before_passing(passes, place.key.passed) {
            let key = Key { point, passed, ..place.key };
            if let Some(found) = meet(search, reach, key, rank, place.moment, before)? {
                return Ok(Some((*rule, found)));
            }
        }
    }
    Ok(None)
}

/// Back over a whole call, if the place was reached by a return.
fn over_call(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    place: &Place,
    here: Bdd,
) -> Bounded<Option<(RuleId, Place, Summary<Bdd>)>> {
    let Point::At(below) = place.key.point else { unreachable!("a walk is inside its frames") };
    for rule in reach.system.pds.with_below(below).to_vec() {
        let Right::Push(top, _) = reach.system.pds.rule(rule).right else { continue };
        let measure = search.measure();
        let (cost, passes) = (measure.cost[rule.0 as usize], measure.passes[rule.0 as usize]);
        for entered in masks_below(place.key.passed) {
            let Some(callee) = search.frame_of(top, entered) else { continue };
            for summary in &search.frame(callee).summaries {
                let fits = summary.passed == place.key.passed && summary.moment < place.moment;
                let Some(rank) = place.rank.checked_sub(cost + summary.length).filter(|_| fits)
                else {
                    continue;
                };
                let point = Point::At(reach.system.pds.rule(rule).symbol);
                let mut before = None;
                for passed in before_passing(passes, entered) {
                    let key = Key { point, passed, ..place.key };
                    if search.layers_at(key, rank, place.moment).is_empty() {
                        continue;
                    }
                    let stores = match before {
                        Some(stores) => stores,
                        None => reach.domain.before_call(rule, summary.weight, here)?,
                    };
                    before = Some(stores);
                    if let Some(found) = meet(search, reach, key, rank, place.moment, stores)? {
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
    before: &Place,
    after: &Place,
    summary: &Summary<Bdd>,
) -> Bounded<Place> {
    let program = Rc::clone(&reach.program);
    let Operation::Call { callee, .. } = program.edge(edge).operation else {
        unreachable!("only calls have callees")
    };
    let known = known_at_exit(reach, rule, edge, &before.now, &after.now)?;
    let known = reach.domain.kernel.and(known, summary.weight)?;
    let callee = program.procedure(callee);
    let entered = before.key.passed | search.measure().passes[rule.0 as usize];
    let frame = search.frame_of(symbol(callee.entry), entered).expect("it was called");
    let key = Key { frame, point: Point::At(symbol(callee.exit)), passed: summary.passed };
    let exit = meet(search, reach, key, summary.entered + summary.length, summary.moment, known)?;
    Ok(exit.expect("a summary is made of what reached the exit before"))
}

/// The frame never returned on this run: any caller of the right rank will do.
fn any_caller(
    search: &RankedPostStar<ProgramDomain>,
    reach: &mut Reach,
    place: &Place,
) -> Bounded<(EdgeId, Place)> {
    let procedure = procedure_at(reach, place.key);
    for caller in &search.frame(place.key.frame).callers {
        let rank = caller.layer.rank + search.measure().cost[caller.rule.0 as usize];
        if rank != place.rank || caller.layer.moment >= place.moment {
            continue;
        }
        let before = callers_entering(reach, caller.rule, procedure, &place.now)?;
        let common = reach.domain.kernel.and(caller.layer.gained, before)?;
        if !common.is_false() {
            let RuleRole::Execute(edge) = reach.system.role(caller.rule) else {
                unreachable!("push rules are calls")
            };
            let (entry, now) = pick_stores(reach, procedure_at(reach, caller.key), common);
            let place = Place {
                key: caller.key,
                entry,
                now,
                rank: caller.layer.rank,
                moment: caller.layer.moment,
            };
            return Ok((edge, place));
        }
    }
    unreachable!("a callee is entered only from callers known before")
}
