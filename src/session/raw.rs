//! A raw pushdown system in a session. Loading, stepping and running work as for programs.

use super::raw_run::{ReplayedRawRun, with_stores};
use super::raw_through::{RawSearch, RawSought, RawThrough};
use super::raw_weights::Totals;
use super::{Budgets, Outcome};
use crate::analysis::raw_analysis::RawAnalysis;
use crate::analysis::raw_reach::{
    AutomatonSize, LeastWeight, MOST_SETS, RawPhase, RawReach, RawRun,
};
use crate::analysis::raw_relation::RelationReach;
use crate::bdd::Bdd;
use crate::encode::RawRelations;
use crate::lang::model::EdgeId;
use crate::lang::raw::replay;
use crate::lang::raw::{RawSystem, RawWeights, StateId, SymbolId};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::Saturation;
use std::rc::Rc;

/// A system and the last run of its analysis.
pub struct RawSession {
    pub(super) system: Rc<RawSystem>,
    saturation: Saturation,
    started: Started,
}

/// The analysis of the system, if it was started.
enum Started {
    Not,
    /// A limit was hit before its first step.
    Refused(Limit),
    Run(Box<RawProgress>),
}

/// An analysis, with the results so far.
struct RawProgress {
    analysis: RawAnalysis,
    budgets: Budgets,
    alarm: Option<Alarm>,
    /// The effect of all runs together, if weights are affine or constants. It is computed after
    /// the analysis.
    totals: Option<Totals>,
    run: Option<ReplayedRawRun>,
    search: Option<RawSearch>,
    through: Option<RawThrough>,
    fault: Option<String>,
    limit: Option<Limit>,
    items: u64,
}

impl RawProgress {
    fn new(
        system: &Rc<RawSystem>,
        saturation: Saturation,
        project: bool,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Bounded<RawProgress> {
        let system = Rc::clone(system);
        let analysis = RawAnalysis::new(system, saturation, project, budgets, alarm.clone())?;
        Ok(RawProgress {
            analysis,
            budgets,
            alarm,
            totals: None,
            run: None,
            search: None,
            through: None,
            fault: None,
            limit: None,
            items: 0,
        })
    }

    /// Does one bounded piece of work. A run that was found is replayed immediately.
    fn advance(&mut self, system: &RawSystem) -> Bounded<()> {
        if self.search.is_some() {
            self.advance_through(system);
            return Ok(());
        }
        if let Some(totals) = &mut self.totals {
            totals.step();
            self.fault = self.fault.take().or_else(|| totals.fault());
            return Ok(());
        }
        self.analysis.step()?;
        if let Err(contradiction) = self.replay(system) {
            self.fault = Some(contradiction);
        }
        if let RawAnalysis::Plain(reach) = &self.analysis
            && reach.phase() == RawPhase::Done
            && reach.reachable() == Some(true)
            && self.fault.is_none()
        {
            self.totals = Totals::of(system, self.budgets.max_nodes, self.budgets.max_steps);
        }
        Ok(())
    }

    /// Replays the run that was found, if it differs from the earlier one.
    fn replay(&mut self, system: &RawSystem) -> Result<(), String> {
        match &self.analysis {
            RawAnalysis::Relation(reach) => {
                if let (Some(found), None) = (reach.run(), &self.run) {
                    self.run = Some(with_stores(system, found.clone())?);
                }
                reach.fault().map_or(Ok(()), |fault| Err(fault.to_string()))
            }
            RawAnalysis::Plain(reach) => {
                let known = |run: &ReplayedRawRun, found: &RawRun| {
                    run.rules == found.rules && run.start == found.start
                };
                if let Some(found) = reach.run()
                    && !self.run.as_ref().is_some_and(|run| known(run, found))
                {
                    let RawRun { start, rules } = found.clone();
                    let end = replay::replay(system, &start, &rules)?;
                    self.run = Some(ReplayedRawRun { start, rules, end, stores: Vec::new() });
                }
                let Some(run) = self.run.as_ref().filter(|_| reach.is_cheapest()) else {
                    return Ok(());
                };
                match (reach.least_weight(), replay::weight(system, &run.rules)) {
                    (Some(LeastWeight::Known(least)), weight) if weight != least => {
                        Err(format!("the run weighs {weight}, not {least}"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Begins a search, which replaces an earlier one. Returns false, and begins nothing, if the
    /// target is not known to be reachable, if a set is empty or names a rule that does not exist,
    /// or if there are more than [`MOST_SETS`] sets.
    fn seek_through(&mut self, system: &RawSystem, sets: Vec<Vec<u32>>) -> bool {
        let known = |set: &Vec<u32>| {
            !set.is_empty() && set.iter().all(|rule| (*rule as usize) < system.rules.len())
        };
        let Some(reachable) = self.analysis.reachable() else { return false };
        if sets.is_empty() || sets.len() > MOST_SETS || !sets.iter().all(known) {
            return false;
        }
        let never: Vec<usize> = match self.analysis.in_projection() {
            _ if !reachable => (0..sets.len()).collect(),
            Some(in_projection) => (0..sets.len())
                .filter(|k| !sets[*k].iter().any(|rule| in_projection[*rule as usize]))
                .collect(),
            None => Vec::new(),
        };
        if !never.is_empty() {
            self.through = Some(RawThrough { sets, answer: RawSought::None(never) });
            return true;
        }
        self.through = None;
        match RawSearch::new(system, sets, self.budgets, self.alarm.clone()) {
            Ok(search) => self.search = Some(search),
            Err(through) => self.through = Some(through),
        }
        true
    }

    /// Does a piece of the search in progress, if there is one.
    fn advance_through(&mut self, system: &RawSystem) {
        let Some(mut search) = self.search.take() else { return };
        match search.step(system) {
            Ok(None) => self.search = Some(search),
            Ok(Some(answer)) => self.through = Some(search.ended(answer)),
            Err(contradiction) => self.fault = Some(contradiction),
        }
    }

    /// Ends the search in progress, if there is one.
    fn cancel_through(&mut self, limit: Limit) {
        if let Some(search) = self.search.take() {
            self.through = Some(search.ended(RawSought::Unknown(limit)));
        }
    }

    fn stage(&self, saturation: Saturation) -> Stage {
        if self.fault.is_some() {
            return Stage::Done;
        }
        if self.search.is_some() {
            return Stage::Shortest;
        }
        if self.limit.is_some() {
            return Stage::Done;
        }
        match self.analysis.phase() {
            RawPhase::Done if self.totals.as_ref().is_some_and(|totals| !totals.is_done()) => {
                Stage::Forward
            }
            RawPhase::Done => Stage::Done,
            RawPhase::Saturating | RawPhase::Looking | RawPhase::Forward => match saturation {
                Saturation::Pre if self.analysis.reachable().is_none() => Stage::Backward,
                _ => Stage::Forward,
            },
            RawPhase::Backward => Stage::Backward,
            RawPhase::Statements => Stage::Statements,
            RawPhase::Shortest => Stage::Shortest,
        }
    }
}

impl RawSession {
    pub(super) fn new(system: RawSystem, saturation: Saturation) -> RawSession {
        RawSession { system: Rc::new(system), saturation, started: Started::Not }
    }

    /// Begins an analysis, and forgets earlier results.
    pub(super) fn start(&mut self, project: bool, budgets: Budgets, alarm: Option<Alarm>) {
        let run = RawProgress::new(&self.system, self.saturation, project, budgets, alarm);
        self.started = match run {
            Ok(run) => Started::Run(Box::new(run)),
            Err(limit) => Started::Refused(limit),
        };
    }

    pub(super) fn step(&mut self) -> bool {
        let saturation = self.saturation;
        let Started::Run(run) = &mut self.started else { return true };
        if run.stage(saturation) == Stage::Done {
            return true;
        }
        run.items += 1;
        if let Err(limit) = run.advance(&self.system) {
            run.limit = Some(limit);
        }
        run.stage(saturation) == Stage::Done
    }

    /// Ends the search in progress or, if there is none, the analysis.
    pub(super) fn stop(&mut self, limit: Limit) {
        let saturation = self.saturation;
        match &mut self.started {
            Started::Not => self.started = Started::Refused(limit),
            Started::Refused(_) => {}
            Started::Run(run) if run.search.is_some() => run.cancel_through(limit),
            Started::Run(run) if run.stage(saturation) != Stage::Done => run.limit = Some(limit),
            Started::Run(_) => {}
        }
    }

    /// Begins a search for a run that applies a rule of each set; see [`super::Session`].
    pub(super) fn seek_through(&mut self, sets: Vec<Vec<EdgeId>>) -> bool {
        let rules = sets.iter().map(|set| set.iter().map(|edge| edge.0).collect()).collect();
        let saturation = self.saturation;
        match &mut self.started {
            Started::Run(run) if run.stage(saturation) == Stage::Done => {
                run.seek_through(&self.system, rules)
            }
            _ => false,
        }
    }

    fn started(&self) -> Option<&RawProgress> {
        match &self.started {
            Started::Run(run) => Some(run),
            Started::Not | Started::Refused(_) => None,
        }
    }

    fn plain(&self) -> Option<&RawReach> {
        match &self.started()?.analysis {
            RawAnalysis::Plain(reach) => Some(reach),
            RawAnalysis::Relation(_) => None,
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let stage = match &self.started {
            Started::Not => Stage::Idle,
            Started::Refused(_) => Stage::Done,
            Started::Run(run) => run.stage(self.saturation),
        };
        let items = self.started().map_or(0, |run| run.items);
        let nodes = self.started().map_or(0, |run| run.analysis.live());
        Progress { stage, items, nodes, steps: self.statistics().1, ..Progress::default() }
    }

    pub(super) fn limit(&self) -> Option<Limit> {
        match &self.started {
            Started::Not => None,
            Started::Refused(limit) => Some(*limit),
            Started::Run(run) => run.limit,
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self.reachable() {
            _ if self.fault().is_some() => Outcome::Fault,
            Some(true) => Outcome::Unsafe,
            Some(false) => Outcome::Safe,
            None => Outcome::Unknown(self.limit().unwrap_or(Limit::Time)),
        }
    }

    /// The system.
    pub fn system(&self) -> &RawSystem {
        &self.system
    }

    /// The same as a shared pointer.
    pub fn shared_system(&self) -> Rc<RawSystem> {
        Rc::clone(&self.system)
    }

    /// The saturation that decides.
    pub fn saturation(&self) -> Saturation {
        self.saturation
    }

    /// Does an initial configuration reach a target? `None` until that is known.
    pub fn reachable(&self) -> Option<bool> {
        self.started()?.analysis.reachable()
    }

    /// A run that was replayed.
    pub fn run(&self) -> Option<&ReplayedRawRun> {
        self.started()?.run.as_ref()
    }

    /// Is it known that no run is shorter than this one?
    pub fn is_shortest(&self) -> bool {
        self.started().is_some_and(|run| run.analysis.is_shortest())
    }

    /// The least total weight of a run into the target. It is known at the end, if the system has
    /// weights and a run.
    pub fn least_weight(&self) -> Option<LeastWeight> {
        self.plain()?.least_weight()
    }

    /// The weight of the run that was replayed, if there are weights.
    pub fn run_weight(&self) -> Option<u64> {
        self.weight_of(self.run()?)
    }

    /// The weight of a run, if there are weights.
    pub fn weight_of(&self, run: &ReplayedRawRun) -> Option<u64> {
        (self.system.weights == RawWeights::MinPath)
            .then(|| replay::weight(&self.system, &run.rules))
    }

    /// The effect of all runs from the initial to the target configurations together, if weights
    /// are relations. `None` until it is known.
    pub fn relation(&self) -> Option<(&RawRelations, Bdd)> {
        match &self.started()?.analysis {
            RawAnalysis::Plain(_) => None,
            RawAnalysis::Relation(reach) => RelationReach::total(reach),
        }
    }

    /// The same if weights are affine or constants.
    pub fn totals(&self) -> Option<&Totals> {
        self.started()?.totals.as_ref()
    }

    /// Is there a run, but too long a one to be shown?
    pub fn is_run_too_long(&self) -> bool {
        self.started().is_some_and(|run| run.analysis.is_run_too_long())
    }

    /// How the replay contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        self.started()?.fault.as_deref()
    }

    /// By rule: does some run apply it? `None` until post\* is complete.
    pub fn reached(&self) -> Option<&[bool]> {
        self.started()?.analysis.reached()
    }

    /// By rule: is it on a run into the target? `None` until the projection is complete.
    pub fn in_projection(&self) -> Option<&[bool]> {
        self.started()?.analysis.in_projection()
    }

    /// The heads of configurations on such runs. `None` until the projection is complete.
    pub fn lit_heads(&self) -> Option<&[(StateId, SymbolId)]> {
        self.started()?.analysis.lit_heads()
    }

    /// The automata of post\* and of pre\*.
    pub fn sizes(&self) -> (Option<AutomatonSize>, Option<AutomatonSize>) {
        self.plain().map_or((None, None), RawReach::sizes)
    }

    /// The run through the rules that were last asked for.
    pub fn through(&self) -> Option<&RawThrough> {
        self.started()?.through.as_ref()
    }

    /// The most transitions at once, and the number of transitions that were looked at.
    pub(super) fn statistics(&self) -> (u64, u64) {
        self.started().map_or((0, 0), |run| run.analysis.statistics())
    }
}
