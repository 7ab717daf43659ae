//! Raw systems whose weights are relations between stores: is there a run, with values of the
//! variables that satisfy the relation of every rule?
//!
//! post\* over relations gives the effect on the variables of all runs from the initial to the
//! target configurations. pre\* over *weighted* relations (Lal, Touili, Kidd, Reps 2007, Def. 10)
//! gives the same effect, with the least number of rules for each pair of stores. A shortest run is
//! read off it forwards, each time to a configuration and a store from which one rule less is
//! needed. The two saturations must agree on the relation.
//!
//! *Projection*: a rule is on such a run iff ⊕ over all stacks u of post\*(⟨m, γ u⟩) ⊗ pre\*(⟨m, γ
//! u⟩) is not 0, m being the location from which it alone is applied ([`RawQuestion`]), by
//! functional weights ([`FunctionalSummary`]).

mod walk;

use self::walk::Walk;
use super::raw_reach::RawPhase;
use super::raw_total::configuration;
use crate::bdd::{Bdd, KernelLimits, Renaming, VarSet};
use crate::encode::{RawQuestion, RawRelations, RawRole, RawStores, copied};
use crate::lang::raw::replay::Configuration;
use crate::lang::raw::transformer::Store;
use crate::lang::raw::{RawSystem, RawVariable, StateId, SymbolId};
use crate::pds::{
    Backward, Compose, ControlLocation, Forward, FunctionalSummary, PAutomaton, Plain, PostStar,
    PreStar, Read, StackAutomaton, StackSymbol, State, read_backward, read_forward,
};
use crate::semiring::{CheapestPath, Levels, PathCost, Relations, Semiring, WeightedRelations};
use crate::util::{Alarm, Bounded, Limit};
use crate::wire::options::Saturation;
use std::rc::Rc;

/// Most rules of a run that is read.
pub const LONGEST_RUN: usize = 10_000;
/// Transitions looked at in one step.
const PIECE: u64 = 64;

type Lengths = Levels<Option<PathCost>>;

/// A run with the values of all variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationRun {
    /// An initial configuration.
    pub start: Configuration,
    /// The rules, in the order in which they are applied.
    pub rules: Vec<u32>,
    /// The stores before each rule, and at the end.
    pub stores: Vec<Store>,
}

/// The analysis in progress.
pub struct RelationReach {
    system: Rc<RawSystem>,
    question: RawQuestion,
    saturation: Saturation,
    project: bool,
    phase: RawPhase,
    /// Relations, for post\* and the projection.
    domain: Plain<RawRelations>,
    one: Bdd,
    post: PostStar<Plain<RawRelations>>,
    /// Weighted relations, for pre\*, in an arena of their own.
    costs: Plain<WeightedRelations<CheapestPath>>,
    costs_one: Lengths,
    pre: PreStar<Plain<WeightedRelations<CheapestPath>>>,
    pre_done: bool,
    stores: RawStores,
    news: VarSet,
    old_to_new: Renaming,
    reachable: Option<bool>,
    total: Option<Bdd>,
    walk: Option<Walk>,
    run: Option<RelationRun>,
    too_long: bool,
    reached: Option<Vec<bool>>,
    in_projection: Option<Vec<bool>>,
    heads: Option<Vec<(StateId, SymbolId)>>,
    query: Option<Query>,
    fault: Option<String>,
    max_nodes: u64,
    max_steps: u64,
    steps: u64,
    peak: u64,
}

/// The projection in progress: the relations of pre\*, and the next rule or head.
struct Query {
    forward: PAutomaton<Bdd>,
    rule: usize,
    heads: Vec<(ControlLocation, StackSymbol)>,
}

impl RelationReach {
    /// Prepares the analysis. `max_nodes`: most transitions, and most nodes of either arena;
    /// `max_steps`: most transitions looked at, and kernel steps. While `alarm` is on, everything
    /// ends with [`Limit::Time`].
    pub fn new(
        system: Rc<RawSystem>,
        variables: &[RawVariable],
        saturation: Saturation,
        project: bool,
        max_nodes: u64,
        max_steps: u64,
        alarm: Option<Alarm>,
    ) -> Bounded<RelationReach> {
        let limits = KernelLimits { max_nodes, max_steps };
        let question = RawQuestion::new(&system, true, max_nodes)?;
        let mut semiring = RawRelations::new(variables, limits)?;
        semiring.relations.kernel.set_alarm(alarm.clone());
        let mut own = Vec::new();
        for rule in &system.rules {
            own.push(semiring.transformer(&rule.effect)?);
        }
        let one = semiring.one()?;
        let domain = Plain { weights: question.weights(&own, &one), semiring };
        let post = PostStar::new(
            &domain,
            configuration(&question, question.first.0, &question.first.1, &one),
            Vec::new(),
        );

        let RawRelations { mut relations, stores } = RawRelations::new(variables, limits)?;
        relations.kernel.set_alarm(alarm);
        let news: Vec<_> = relations.bits().iter().map(|bit| bit[2]).collect();
        let news = relations.kernel.var_set(&news);
        let pairs: Vec<_> = relations.bits().iter().map(|bit| (bit[0], bit[2])).collect();
        let old_to_new = relations.kernel.renaming(&pairs);
        let mut costs = with_costs(&question, &domain, relations)?;
        let costs_one = costs.semiring.one()?;
        let target = configuration(&question, question.last.0, &question.last.1, &costs_one);
        let pre = PreStar::new(&question.pds, &mut costs, target, Vec::new())?;
        let phase =
            if saturation == Saturation::Pre { RawPhase::Backward } else { RawPhase::Forward };
        Ok(RelationReach {
            system,
            question,
            saturation,
            project,
            phase,
            domain,
            one,
            post,
            costs,
            costs_one,
            pre,
            pre_done: false,
            stores,
            news,
            old_to_new,
            reachable: None,
            total: None,
            walk: None,
            run: None,
            too_long: false,
            reached: None,
            in_projection: None,
            heads: None,
            query: None,
            fault: None,
            max_nodes,
            max_steps,
            steps: 0,
            peak: 0,
        })
    }

    /// The phase under way.
    pub fn phase(&self) -> RawPhase {
        self.phase
    }

    /// One bounded piece of work. After a limit the analysis may only be read.
    pub fn step(&mut self) -> Bounded<()> {
        match self.phase {
            RawPhase::Forward => {
                for _ in 0..PIECE {
                    if self.post.is_done() {
                        return self.forward_done();
                    }
                    self.count()?;
                    self.post.step(&self.question.pds, &mut self.domain)?;
                }
                Ok(())
            }
            RawPhase::Backward => {
                for _ in 0..PIECE {
                    if self.pre.is_done() {
                        return self.backward_done();
                    }
                    self.count()?;
                    self.pre.step(&self.question.pds, &mut self.costs)?;
                }
                Ok(())
            }
            RawPhase::Shortest => {
                self.count()?;
                self.walk_on()
            }
            RawPhase::Statements => {
                self.count()?;
                self.decide()
            }
            _ => {
                self.phase = RawPhase::Done;
                Ok(())
            }
        }
    }

    fn count(&mut self) -> Bounded<()> {
        self.steps += 1;
        self.peak = self.peak.max(self.live());
        match () {
            () if self.live() > self.max_nodes => Err(Limit::Nodes),
            () if self.steps > self.max_steps => Err(Limit::Steps),
            () => Ok(()),
        }
    }

    fn forward_done(&mut self) -> Bounded<()> {
        let last = self.question.last;
        let total = read_backward(
            &mut self.domain,
            self.post.read(),
            last.0,
            &StackAutomaton::exactly(&last.1),
            &self.one,
        )?;
        self.note_reached()?;
        self.conclude(total);
        self.phase = match (self.pre_done, self.reachable) {
            (false, Some(true)) => RawPhase::Backward,
            (false, _) if self.saturation == Saturation::Both => RawPhase::Backward,
            _ => self.after_both()?,
        };
        Ok(())
    }

    fn backward_done(&mut self) -> Bounded<()> {
        self.pre_done = true;
        let first = self.question.first;
        let set = StackAutomaton::exactly(&first.1);
        let lengths =
            read_forward(&mut self.costs, self.pre.read(), first.0, &set, &self.costs_one)?;
        let mut total = Bdd::FALSE;
        for (_, pairs) in &lengths {
            total = self.costs.semiring.relations.kernel.or(total, *pairs)?;
        }
        let total = copied(
            &self.costs.semiring.relations.kernel,
            total,
            &mut self.domain.semiring.relations.kernel,
        )?;
        self.conclude(total);
        if let Some((Some(left), pairs)) = lengths.first()
            && self.fault.is_none()
        {
            self.begin_walk(*left, *pairs)?;
        }
        self.phase = match () {
            () if self.walk.is_some() => RawPhase::Shortest,
            () => self.after_walk()?,
        };
        Ok(())
    }

    /// Takes over the relation that one of the saturations gives. Both must give the same relation.
    fn conclude(&mut self, total: Bdd) {
        if self.total.is_some_and(|known| known != total) {
            self.fault = Some("post* and pre* give different relations".to_string());
            self.phase = RawPhase::Done;
        }
        self.total = Some(total);
        self.reachable = Some(!total.is_false());
    }

    fn after_walk(&mut self) -> Bounded<RawPhase> {
        if self.fault.is_some() || !self.project || self.post.is_done() {
            self.after_both()
        } else {
            Ok(RawPhase::Forward)
        }
    }

    fn after_both(&mut self) -> Bounded<RawPhase> {
        if self.fault.is_some() || !self.project {
            return Ok(RawPhase::Done);
        }
        if self.reachable != Some(true) {
            self.in_projection = Some(vec![false; self.system.rules.len()]);
            self.heads = Some(Vec::new());
            return Ok(RawPhase::Done);
        }
        let mut forward = PAutomaton::new(self.pre.automaton().locations());
        while forward.states() < self.pre.automaton().states() {
            forward.add_state();
        }
        for state in
            (0..forward.states()).map(State).filter(|state| self.pre.automaton().is_final(*state))
        {
            forward.set_final(state);
        }
        for (transition, lengths) in
            self.pre.automaton().transitions().iter().zip(self.pre.automaton().weights())
        {
            let mut relation = Bdd::FALSE;
            for (_, pairs) in lengths {
                relation = self.costs.semiring.relations.kernel.or(relation, *pairs)?;
            }
            let relation = copied(
                &self.costs.semiring.relations.kernel,
                relation,
                &mut self.domain.semiring.relations.kernel,
            )?;
            forward.insert(*transition, relation);
        }
        let mut heads: Vec<(ControlLocation, StackSymbol)> = Vec::new();
        for transition in self.post.automaton().transitions() {
            if let (Some(p), Some(symbol)) =
                (self.post.automaton().control(transition.from), transition.symbol)
                && self.question.is_own(p)
                && symbol.0 < self.question.own_symbols()
            {
                heads.push((p, symbol));
            }
        }
        heads.sort_unstable();
        heads.dedup();
        self.in_projection = None;
        self.query = Some(Query { forward, rule: 0, heads });
        Ok(RawPhase::Statements)
    }

    /// A rule is applied on some run iff some store that reaches its head satisfies its relation.
    fn note_reached(&mut self) -> Bounded<()> {
        let mut reached = Vec::with_capacity(self.system.rules.len());
        for (k, role) in self.question.roles.iter().enumerate() {
            let RawRole::Own(own) = role else { continue };
            let symbol = self.question.pds.rules()[k].symbol;
            let set = StackAutomaton::top(symbol);
            let arrives = read_backward(
                &mut self.domain,
                self.post.read(),
                self.question.middle(*own),
                &set,
                &self.one,
            )?;
            let weight = self.domain.weights[k];
            let passes = self.domain.compose(&arrives, &weight)?;
            reached.push(!passes.is_false());
        }
        self.reached = Some(reached);
        Ok(())
    }

    /// Decides one rule or one head.
    fn decide(&mut self) -> Bounded<()> {
        let Some(mut query) = self.query.take() else { return Ok(()) };
        let in_projection = self.in_projection.get_or_insert_default();
        if query.rule < self.system.rules.len() {
            let middle = self.question.middle(query.rule as u32);
            let on_a_run = passes(
                &mut self.domain,
                self.post.read(),
                Read::of(&query.forward),
                middle,
                &StackAutomaton::all(),
                self.one,
            )?;
            in_projection.push(on_a_run);
            query.rule += 1;
        } else if let Some((p, symbol)) = query.heads.pop() {
            let set = StackAutomaton::top(symbol);
            if passes(
                &mut self.domain,
                self.post.read(),
                Read::of(&query.forward),
                p,
                &set,
                self.one,
            )? {
                self.heads.get_or_insert_default().push((StateId(p.0), SymbolId(symbol.0)));
            }
        } else {
            let heads = self.heads.get_or_insert_default();
            heads.sort_unstable();
            self.phase = RawPhase::Done;
            return Ok(());
        }
        self.query = Some(query);
        Ok(())
    }

    /// Does an initial configuration reach a target? `None` until that is known.
    pub fn reachable(&self) -> Option<bool> {
        self.reachable
    }

    /// A shortest run, if it is short enough.
    pub fn run(&self) -> Option<&RelationRun> {
        self.run.as_ref()
    }

    /// Is there a run, but longer than [`LONGEST_RUN`]?
    pub fn is_run_too_long(&self) -> bool {
        self.too_long
    }

    /// The effect of all runs together on the variables, once it is known, with the domain of this
    /// weight.
    pub fn total(&self) -> Option<(&RawRelations, Bdd)> {
        self.total.map(|total| (&self.domain.semiring, total))
    }

    /// By rule: does some run apply it? `None` until post\* is complete.
    pub fn reached(&self) -> Option<&[bool]> {
        self.reached.as_deref()
    }

    /// By rule: is it on a run into the target? `None` until the projection is complete.
    pub fn in_projection(&self) -> Option<&[bool]> {
        self.in_projection.as_deref().filter(|_| self.heads_known())
    }

    /// The heads of configurations on such runs. `None` until the projection is complete.
    pub fn lit_heads(&self) -> Option<&[(StateId, SymbolId)]> {
        self.heads.as_deref().filter(|_| self.heads_known())
    }

    fn heads_known(&self) -> bool {
        self.phase == RawPhase::Done && self.query.is_none()
    }

    /// The contradiction between the saturations, if there is one.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The most transitions at once, and the number of transitions that were looked at.
    pub fn statistics(&self) -> (u64, u64) {
        (self.peak, self.steps)
    }

    /// The number of transitions now.
    pub fn live(&self) -> u64 {
        (self.post.automaton().transitions().len() + self.pre.automaton().transitions().len())
            as u64
    }
}

/// The relations of the rules with their costs. Each rule of the system weighs 1, and every rule of
/// the question has the length 1.
fn with_costs(
    question: &RawQuestion,
    domain: &Plain<RawRelations>,
    mut relations: Relations,
) -> Bounded<Plain<WeightedRelations<CheapestPath>>> {
    let mut weights = Vec::new();
    for (role, weight) in question.roles.iter().zip(&domain.weights) {
        let cost = PathCost { weight: u64::from(*role != RawRole::Silent), length: 1 };
        let relation = copied(&domain.semiring.relations.kernel, *weight, &mut relations.kernel)?;
        weights.push((cost, relation));
    }
    let semiring = WeightedRelations { relations, values: CheapestPath };
    let weights =
        weights.into_iter().map(|(cost, relation)| semiring.level(Some(cost), relation)).collect();
    Ok(Plain { semiring, weights })
}

/// Does some run go from the first configuration to the last one through a configuration in this
/// set?
fn passes(
    domain: &mut Plain<RawRelations>,
    backward: Read<'_, Bdd, Backward>,
    forward: Read<'_, Bdd, Forward>,
    p: ControlLocation,
    set: &StackAutomaton,
    one: Bdd,
) -> Bounded<bool> {
    let mut summary = FunctionalSummary::new(p, one);
    while !summary.is_done() {
        summary.step(domain, backward, forward, set)?;
    }
    Ok(!summary.total(domain, backward, forward, set)?.is_false())
}
