//! Reachability and projection of raw pushdown systems.
//!
//! Three ways to decide whether an initial configuration reaches a target, with the same answer:
//!
//! | way | looks at | unreachable once |
//! | --- | --- | --- |
//! | post\* | post\*(I) ∩ T | post\* is complete |
//! | pre\* | I ∩ pre\*(T) | pre\* is complete |
//! | both | post\*(I) ∩ pre\*(T), the two saturated in turn | either is complete |
//!
//! An unfinished saturation holds only configurations that are reached (or reach the target). So a
//! common configuration decides at any time. The analysis looks for one each time the automata have
//! doubled, and at the end. [`crate::pds::derive_forward`] and [`crate::pds::derive_backward`] lead
//! from it back to both ends, which gives the rules of a run.
//!
//! Once the answer is known, pre\* in costs finds a shortest run ([`crate::pds::derive_shortest`]),
//! with a budget of its own. If rules have weights, it finds a run of the least total weight, with
//! `max_steps` more steps.
//!
//! *Projection*: a rule ⟨p, γ⟩ ↪ ⟨p', w⟩ is on a run from I to T iff some u has ⟨p, γu⟩ in
//! post\*(I) and ⟨p', wu⟩ in pre\*(T); a head ⟨p, γ⟩ iff some u has ⟨p, γu⟩ in both. Both are read
//! off one product of the two finished automata, exactly.

mod passing;
mod projection;
mod shortest;

pub use passing::{MOST_SETS, passing};

use crate::encode::{configurations, pushdown_system};
use crate::lang::raw::replay::Configuration;
use crate::lang::raw::{RawSystem, RawWeights, StateId, SymbolId};
use crate::pds::{
    Common, Derived, PAutomaton, Pds, Plain, PostStar, PreStar, Product, RuleId, derive_backward,
    derive_forward,
};
use crate::semiring::{Boolean, CheapestPath};
use crate::util::{Bounded, Limit};
use crate::wire::options::Saturation;
use std::rc::Rc;

/// Most rules of a run that is read.
pub const LONGEST_RUN: usize = 100_000;
/// Transitions looked at in one step of the analysis.
const PIECE: u64 = 256;
/// The search for a shortest run may look at this many transitions, and [`SHARE`] times as many as
/// the analysis looked at before.
const SHORTEST_STEPS: u64 = 100_000;
/// See [`SHORTEST_STEPS`].
const SHARE: u64 = 4;
/// The size of the automata at which the first search for a common configuration begins.
const FIRST_LOOK: u64 = 256;

/// The phases of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawPhase {
    /// post\* or pre\* or both, until the answer is known.
    Saturating,
    /// A common configuration is searched for.
    Looking,
    /// post\* is completed, for the projection.
    Forward,
    /// pre\* is completed, for the projection.
    Backward,
    /// Rules and heads are decided.
    Statements,
    /// Verdict and projection are known; a shortest run is searched for.
    Shortest,
    /// The analysis is over.
    Done,
}

/// A run: its first configuration and the numbers of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRun {
    /// An initial configuration.
    pub start: Configuration,
    /// The rules, in the order in which they are applied; the last one leads into the target.
    pub rules: Vec<u32>,
}

/// The least total weight of a run into the target, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastWeight {
    /// The least weight is this.
    Known(u64),
    /// The least weight is 2^64 - 1 or more.
    Uncounted,
    /// A budget ended the search.
    Unknown(Limit),
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutomatonSize {
    /// States, control locations included.
    pub states: u32,
    /// Transitions.
    pub transitions: u32,
    /// Is it saturated?
    pub complete: bool,
}

/// The analysis in progress.
pub struct RawReach {
    system: Rc<RawSystem>,
    pds: Pds,
    domain: Plain<Boolean>,
    initial: PAutomaton<bool>,
    target: PAutomaton<bool>,
    post: Option<PostStar<Plain<Boolean>>>,
    pre: Option<PreStar<Plain<Boolean>>>,
    project: bool,
    phase: RawPhase,
    product: Option<Product>,
    next_look: u64,
    reachable: Option<bool>,
    run: Option<RawRun>,
    /// pre\* in costs.
    costs: Option<(PreStar<Plain<CheapestPath>>, Plain<CheapestPath>)>,
    costs_until: u64,
    is_shortest: bool,
    is_cheapest: bool,
    least_weight: Option<LeastWeight>,
    too_long: bool,
    reached: Option<Vec<bool>>,
    in_projection: Option<Vec<bool>>,
    heads: Option<Vec<(StateId, SymbolId)>>,
    max_nodes: u64,
    max_steps: u64,
    steps: u64,
    peak: u64,
}

impl RawReach {
    /// Prepares the analysis. `max_nodes`: most transitions and pairs of states at once;
    /// `max_steps`: most transitions looked at.
    pub fn new(
        system: Rc<RawSystem>,
        saturation: Saturation,
        project: bool,
        max_nodes: u64,
        max_steps: u64,
    ) -> Bounded<RawReach> {
        let pds = pushdown_system(&system);
        let initial = configurations(&system, &system.initial, max_nodes)?;
        let target = configurations(&system, &system.target, max_nodes)?;
        let domain = Plain { semiring: Boolean, weights: vec![true; pds.rules().len()] };
        let mut reach = RawReach {
            system,
            pds,
            domain,
            initial,
            target,
            post: None,
            pre: None,
            project,
            phase: RawPhase::Saturating,
            product: None,
            next_look: FIRST_LOOK,
            reachable: None,
            run: None,
            costs: None,
            costs_until: 0,
            is_shortest: false,
            is_cheapest: false,
            least_weight: None,
            too_long: false,
            reached: None,
            in_projection: None,
            heads: None,
            max_nodes,
            max_steps,
            steps: 0,
            peak: 0,
        };
        if saturation != Saturation::Pre {
            reach.begin_post();
        }
        if saturation != Saturation::Post {
            reach.begin_pre()?;
        }
        reach.count(0)?;
        Ok(reach)
    }

    fn begin_post(&mut self) {
        self.post
            .get_or_insert_with(|| PostStar::new(&self.domain, self.initial.clone(), Vec::new()));
    }

    fn begin_pre(&mut self) -> Bounded<()> {
        if self.pre.is_none() {
            self.pre =
                Some(PreStar::new(&self.pds, &mut self.domain, self.target.clone(), Vec::new())?);
        }
        Ok(())
    }

    /// The phase under way.
    pub fn phase(&self) -> RawPhase {
        self.phase
    }

    /// One bounded piece of work. After a limit the analysis may only be read.
    pub fn step(&mut self) -> Bounded<()> {
        match self.phase {
            RawPhase::Saturating => self.saturate(),
            RawPhase::Looking => self.look(),
            RawPhase::Forward => {
                self.begin_post();
                if self.step_post(PIECE)? {
                    self.forward_done()?;
                }
                Ok(())
            }
            RawPhase::Backward => {
                self.begin_pre()?;
                if self.step_pre(PIECE)? {
                    self.product = Some(Product::all(self.left(), self.right()));
                    self.phase = RawPhase::Statements;
                }
                Ok(())
            }
            RawPhase::Statements => {
                if self.step_product()? {
                    self.decide();
                }
                Ok(())
            }
            RawPhase::Shortest => {
                self.shorten();
                Ok(())
            }
            RawPhase::Done => Ok(()),
        }
    }

    fn saturate(&mut self) -> Bounded<()> {
        // post\* and pre\* take turns, so that neither runs far ahead.
        let post_done = self.step_post(PIECE)?;
        let pre_done = self.step_pre(PIECE)?;
        if post_done || pre_done || self.size() >= self.next_look {
            self.product = Some(Product::first(self.left(), self.right()));
            self.phase = RawPhase::Looking;
        }
        Ok(())
    }

    fn look(&mut self) -> Bounded<()> {
        if !self.step_product()? {
            return Ok(());
        }
        let common = self.product.take().and_then(|product| product.common());
        let complete = self.post_complete() || self.pre_complete();
        if let Some(common) = common {
            self.reachable = Some(true);
            match self.read_run(&common) {
                Ok(run) => self.run = Some(run),
                Err(_) => self.too_long = true,
            }
        } else if complete {
            self.reachable = Some(false);
        } else {
            self.next_look = 2 * self.size();
            self.phase = RawPhase::Saturating;
            return Ok(());
        }
        if self.project {
            self.phase = RawPhase::Forward;
        } else {
            if self.post_complete() {
                self.note_reached();
            }
            self.answered();
        }
        Ok(())
    }

    fn forward_done(&mut self) -> Bounded<()> {
        self.note_reached();
        if self.reachable == Some(true) {
            self.phase = RawPhase::Backward;
        } else {
            self.in_projection = Some(vec![false; self.system.rules.len()]);
            self.heads = Some(Vec::new());
            self.phase = RawPhase::Done;
        }
        Ok(())
    }

    /// Begins the search for a shorter run, once everything else is known.
    fn answered(&mut self) {
        self.is_shortest = self.run.as_ref().is_some_and(|run| run.rules.is_empty());
        let weighted = self.system.weights == RawWeights::MinPath;
        if weighted && self.is_shortest {
            self.is_cheapest = true;
            self.least_weight = Some(LeastWeight::Known(0));
        }
        self.phase = if self.reachable == Some(true) && !self.is_shortest {
            RawPhase::Shortest
        } else {
            RawPhase::Done
        };
        let share = SHORTEST_STEPS.saturating_add(SHARE.saturating_mul(self.steps));
        // The least weight is part of the question, and a shortest run is not.
        let most = if weighted { self.max_steps } else { share.min(self.max_steps) };
        self.costs_until = self.steps.saturating_add(most);
    }

    /// The run to the configuration that the initial automaton reads by the given transitions, and
    /// on by the rules `after`.
    fn run_of(&self, before: &Derived, after: &[RuleId]) -> RawRun {
        let symbols =
            before.given.iter().rev().filter_map(|id| self.initial.transition(*id).symbol);
        let stack = symbols.map(|symbol| SymbolId(symbol.0)).collect();
        let start = Configuration { state: StateId(before.location.0), stack };
        RawRun { start, rules: before.rules.iter().chain(after).map(|rule| rule.0).collect() }
    }

    /// Looks at some transitions of post\*. Returns whether post\* is complete; false if it is not
    /// wanted.
    fn step_post(&mut self, piece: u64) -> Bounded<bool> {
        let Some(post) = &mut self.post else { return Ok(false) };
        let mut looked = 0;
        while looked < piece && !post.is_done() {
            post.step(&self.pds, &mut self.domain)?;
            looked += 1;
        }
        let done = post.is_done();
        self.count(looked)?;
        Ok(done)
    }

    fn step_pre(&mut self, piece: u64) -> Bounded<bool> {
        let Some(pre) = &mut self.pre else { return Ok(false) };
        let mut looked = 0;
        while looked < piece && !pre.is_done() {
            pre.step(&self.pds, &mut self.domain)?;
            looked += 1;
        }
        let done = pre.is_done();
        self.count(looked)?;
        Ok(done)
    }

    /// Looks at some pairs of the product. Returns whether the exploration is over.
    fn step_product(&mut self) -> Bounded<bool> {
        let Some(mut product) = self.product.take() else { return Ok(true) };
        let most = self.max_nodes.saturating_sub(self.size());
        let mut looked = 0;
        while looked < 16 * PIECE && !product.is_done() {
            looked += product.step(self.left(), self.right(), most)?;
        }
        let done = product.is_done();
        self.product = Some(product);
        self.count(looked)?;
        Ok(done)
    }

    fn count(&mut self, steps: u64) -> Bounded<()> {
        self.steps += steps;
        let size = self.size() + self.product.as_ref().map_or(0, Product::size);
        self.peak = self.peak.max(size);
        match () {
            () if size > self.max_nodes => Err(Limit::Nodes),
            () if self.steps > self.max_steps => Err(Limit::Steps),
            () => Ok(()),
        }
    }

    fn size(&self) -> u64 {
        let post = self.post.as_ref().map_or(0, |post| post.automaton().transitions().len());
        let pre = self.pre.as_ref().map_or(0, |pre| pre.automaton().transitions().len());
        (post + pre) as u64
    }

    fn left(&self) -> &PAutomaton<bool> {
        self.post.as_ref().map_or(&self.initial, |post| post.automaton())
    }

    fn right(&self) -> &PAutomaton<bool> {
        self.pre.as_ref().map_or(&self.target, |pre| pre.automaton())
    }

    fn post_complete(&self) -> bool {
        self.post.as_ref().is_some_and(|post| post.is_done())
    }

    fn pre_complete(&self) -> bool {
        self.pre.as_ref().is_some_and(|pre| pre.is_done())
    }

    /// Goes back from the common configuration to an initial one, and on from it to a target.
    fn read_run(&self, common: &Common) -> Bounded<RawRun> {
        let given = |automaton: &PAutomaton<bool>| automaton.transitions().len() as u32;
        let before = match &self.post {
            Some(post) => derive_forward(
                &self.pds,
                post,
                given(&self.initial),
                common.location,
                &common.left,
                LONGEST_RUN,
            )?,
            None => {
                Derived { rules: Vec::new(), given: common.left.clone(), location: common.location }
            }
        };
        let after = match &self.pre {
            Some(pre) => {
                derive_backward(
                    &self.pds,
                    pre.automaton(),
                    given(&self.target),
                    common.location,
                    &common.right,
                    LONGEST_RUN,
                )?
                .rules
            }
            None => Vec::new(),
        };
        if before.rules.len() + after.len() > LONGEST_RUN {
            return Err(Limit::Depth);
        }
        Ok(self.run_of(&before, &after))
    }

    /// Does an initial configuration reach a target? `None` until that is known.
    pub fn reachable(&self) -> Option<bool> {
        self.reachable
    }

    /// A run from an initial configuration to a target, if there is one that has at most
    /// [`LONGEST_RUN`] rules.
    pub fn run(&self) -> Option<&RawRun> {
        self.run.as_ref()
    }

    /// Is it known that no run is shorter?
    pub fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    /// Is it known that no run weighs less? For systems with weights.
    pub fn is_cheapest(&self) -> bool {
        self.is_cheapest
    }

    /// The least total weight of a run into the target. It is known at the end, if the system has
    /// weights and a run.
    pub fn least_weight(&self) -> Option<LeastWeight> {
        self.least_weight
    }

    /// Is there a run, but longer than [`LONGEST_RUN`]?
    pub fn is_run_too_long(&self) -> bool {
        self.too_long
    }

    /// By rule: does some run from an initial configuration apply it? `None` until post\* is
    /// complete.
    pub fn reached(&self) -> Option<&[bool]> {
        self.reached.as_deref()
    }

    /// By rule: is it on some run from an initial configuration to a target? `None` until the
    /// projection is complete.
    pub fn in_projection(&self) -> Option<&[bool]> {
        self.in_projection.as_deref()
    }

    /// The heads ⟨p, γ⟩ of configurations on such runs, ascending. `None` until the projection is
    /// complete.
    pub fn lit_heads(&self) -> Option<&[(StateId, SymbolId)]> {
        self.heads.as_deref()
    }

    /// The automata of post\* and of pre\*, as far as they were made.
    pub fn sizes(&self) -> (Option<AutomatonSize>, Option<AutomatonSize>) {
        let size = |automaton: &PAutomaton<bool>, complete: bool| AutomatonSize {
            states: automaton.states(),
            transitions: automaton.transitions().len() as u32,
            complete,
        };
        let post = self.post.as_ref().map(|post| size(post.automaton(), post.is_done()));
        let pre = self.pre.as_ref().map(|pre| size(pre.automaton(), pre.is_done()));
        (post, pre)
    }

    /// The most transitions and pairs at once, and the number of those that were looked at.
    pub fn statistics(&self) -> (u64, u64) {
        (self.peak, self.steps)
    }

    /// The number of transitions and pairs now.
    pub fn live(&self) -> u64 {
        self.size() + self.product.as_ref().map_or(0, Product::size)
    }
}
