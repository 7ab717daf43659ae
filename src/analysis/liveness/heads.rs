//! Repeating heads, symbolically.
//!
//! A head is a place with a store: the top of the stack. In the *graph of heads* a head leads to
//! those that one statement leads to, that a whole call leads to (by the callee's summary), and
//! that a call enters (the stack grows). A head repeats if it is on a cycle of this graph that
//! passes an accepting head. An accepting run exists iff a repeating head is reached (Schwoon 2002,
//! Thm 3.1; Esparza, Hansel, Rossmanith, Schwoon 2000).
//!
//! The edges are relations, and the heads of a place a diagram. The heads from which accepting ones
//! can be reached again and again are a greatest fixpoint (Emerson and Lei 1986): begin with all
//! heads; keep those that reach an accepting one of what is left, by at least one edge; until none
//! goes. What goes in each round is kept: its number is a ranking, which proves that no accepting
//! run exists (see [`super::ranking`]).

use super::product::{Accepts, Product};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CallSite, Cell, Copy, RuleRole, Valuation};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::pds::{ForwardWeights, RuleId};
use crate::util::{Bounded, Limit};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most rounds whose sets are kept for a proof.
const MOST_KEPT: usize = 5_000;
/// The most layers of heads from the start in which a near one is looked for.
const MOST_LAYERS: u32 = 300;
/// The most heads that are tried before one on a cycle is found.
const MOST_TRIES: u32 = 2_000;

/// An edge of the graph of heads.
#[derive(Clone, Copy, Debug)]
struct HeadEdge {
    rule: RuleId,
    from: LocationId,
    to: LocationId,
    kind: EdgeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EdgeKind {
    /// A statement.
    Step,
    /// A call, into the callee.
    Enter(ProcedureId),
    /// A whole call.
    Over(ProcedureId),
}

/// A head with one store.
#[derive(Clone, Debug)]
pub struct Head {
    /// The place in the product.
    pub location: LocationId,
    /// What is visible there.
    pub store: Valuation,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub enum Found {
    /// A reached head that repeats and accepts.
    Repeating(Head),
    /// None is reached.
    Nothing,
}

/// A search for a repeating head, in progress.
pub struct Heads {
    edges: Vec<HeadEdge>,
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
    /// By procedure.
    summaries: Vec<Option<Bdd>>,
    /// By location: the heads that accept.
    accepting: Vec<Bdd>,
    /// By location: what is left.
    left: Vec<Bdd>,
    /// By location: the heads from which an accepting run begins, once the rounds are over.
    recurring: Rc<[Bdd]>,
    /// What was left at the beginning of each round, until the search is over.
    rounds: Vec<Vec<Bdd>>,
    /// How many rounds there were.
    count: u64,
    /// Were all of them kept?
    is_complete: bool,
    phase: Phase,
}

enum Phase {
    /// The heads of locations before this one are known.
    Collecting(u32),
    /// Backward: from which heads is an accepting one reached?
    Round(Spread),
    /// Forward from the start, layer by layer: which accepting head is near?
    Near { layer: Vec<Bdd>, seen: Vec<Bdd>, layers: u32 },
    /// Forward: is it reached again?
    Trying { head: Head, spread: Spread, tries: u32 },
}

/// Heads that a search has come to, with those that are new.
struct Spread {
    seen: Vec<Bdd>,
    new: Vec<Bdd>,
    waiting: BTreeSet<(u32, LocationId)>,
    /// What was added last, by location.
    last: Vec<Bdd>,
}

impl_roots!(Spread { seen, new, last });

impl crate::bdd::Roots for Heads {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.summaries.roots(roots);
        self.accepting.roots(roots);
        self.left.roots(roots);
        roots.extend(self.recurring.iter());
        self.rounds.roots(roots);
        match &self.phase {
            Phase::Collecting(_) => {}
            Phase::Near { layer, seen, .. } => {
                layer.roots(roots);
                seen.roots(roots);
            }
            Phase::Round(spread) | Phase::Trying { spread, .. } => spread.roots(roots),
        }
    }
}

impl Spread {
    fn nothing(count: usize) -> Spread {
        let (seen, new) = (vec![Bdd::FALSE; count], vec![Bdd::FALSE; count]);
        Spread { seen, new, waiting: BTreeSet::new(), last: vec![Bdd::FALSE; count] }
    }

    fn add(&mut self, reach: &mut Reach, at: LocationId, rank: u32, heads: Bdd) -> Bounded<()> {
        let kernel = &mut reach.domain.kernel;
        let new = kernel.difference(heads, self.seen[at])?;
        if !new.is_false() {
            self.seen[at] = kernel.or(self.seen[at], new)?;
            self.new[at] = kernel.or(self.new[at], new)?;
            self.waiting.insert((rank, at));
            self.last[at.0 as usize] = new;
        }
        Ok(())
    }

    fn take(&mut self) -> Option<(LocationId, Bdd)> {
        let (_, at) = self.waiting.pop_first()?;
        Some((at, std::mem::replace(&mut self.new[at], Bdd::FALSE)))
    }
}

impl Heads {
    /// Prepares the search. `reach`: the complete post\* of the product.
    pub fn new(product: &Product, reach: &Reach) -> Heads {
        let program = Rc::clone(&reach.program);
        let mut edges = Vec::new();
        for (rule, role) in reach.system.roles.iter().enumerate() {
            let RuleRole::Execute(edge) = *role else { continue };
            let rule = RuleId(rule as u32);
            let (from, to) = (program.edge(edge).from, program.edge(edge).to);
            match CallSite::of(&program, edge) {
                None => edges.push(HeadEdge { rule, from, to, kind: EdgeKind::Step }),
                Some(_) => {
                    let callee = reach.domain.callee_of(rule);
                    let entry = program.procedure(callee).entry;
                    edges.push(HeadEdge { rule, from, to: entry, kind: EdgeKind::Enter(callee) });
                    edges.push(HeadEdge { rule, from, to, kind: EdgeKind::Over(callee) });
                }
            }
        }
        let count = program.locations.len();
        let (mut into, mut out) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (k, edge) in edges.iter().enumerate() {
            into[edge.to].push(k);
            out[edge.from].push(k);
        }
        let procedures = (0..program.procedures.len() as u32).map(ProcedureId);
        assert_eq!(product.accepts.len(), count);
        Heads {
            edges,
            into,
            out,
            summaries: procedures.map(|callee| reach.summary(callee)).collect(),
            accepting: Vec::new(),
            left: Vec::new(),
            recurring: Rc::new([]),
            rounds: Vec::new(),
            count: 0,
            is_complete: true,
            phase: Phase::Collecting(0),
        }
    }

    /// What was left at the beginning of each round. `None` if there were too many to keep.
    pub fn rounds(&self) -> Option<&[Vec<Bdd>]> {
        self.is_complete.then_some(&self.rounds)
    }

    /// By location: the accepting heads.
    pub fn accepting(&self) -> &[Bdd] {
        &self.accepting
    }

    /// Are all heads collected, and is none of them accepting?
    pub fn accepts_none(&self) -> bool {
        let is_collected = self.accepting.len() == self.into.len();
        is_collected && self.accepting.iter().all(|heads| heads.is_false())
    }

    /// By location: the heads from which an accepting run begins, whatever is below them on the
    /// stack. Known once a repeating head is found.
    pub fn recurring(&self) -> Rc<[Bdd]> {
        Rc::clone(&self.recurring)
    }

    /// Rounds so far.
    pub fn rank(&self) -> u64 {
        self.count
    }

    /// Does a bounded piece of work. Returns the answer once it is known.
    pub fn step(&mut self, product: &Product, reach: &mut Reach) -> Bounded<Option<Found>> {
        match &mut self.phase {
            Phase::Collecting(next) => {
                let location = LocationId(*next);
                *next += 1;
                self.collect(product, reach, location)?;
                if self.left.len() == reach.program.locations.len() {
                    self.begin_round(reach)?;
                }
                Ok(None)
            }
            Phase::Round(_) => self.step_round(reach),
            Phase::Near { .. } => self.step_near(reach).map(|()| None),
            Phase::Trying { .. } => self.step_try(reach),
        }
    }

    fn collect(
        &mut self,
        product: &Product,
        reach: &mut Reach,
        location: LocationId,
    ) -> Bounded<()> {
        let stores = reach.stores_at(location)?;
        let accepting = match product.accepts[location] {
            Accepts::None => Bdd::FALSE,
            Accepts::All => stores,
            here if product.words.is_some() => {
                let accepting = accepting_words(product, reach, location, here)?;
                reach.domain.kernel.and(stores, accepting)?
            }
            Accepts::ByState => match product.state {
                None => stores,
                Some(state) => {
                    let mut all = Bdd::FALSE;
                    for value in &product.accepting {
                        let one = equals(reach, state, *value)?;
                        all = reach.domain.kernel.or(all, one)?;
                    }
                    reach.domain.kernel.and(stores, all)?
                }
            },
            Accepts::ByCall => match product.passed {
                None => Bdd::FALSE,
                Some(passed) => {
                    let one = equals(reach, passed, 1)?;
                    reach.domain.kernel.and(stores, one)?
                }
            },
        };
        self.left.push(stores);
        self.accepting.push(accepting);
        Ok(())
    }

    fn ranks(reach: &Reach, at: LocationId) -> u32 {
        reach.system.priority[at.0 as usize]
    }

    /// One edge, backward: the heads in `left` from which it leads into these.
    fn before(&self, reach: &mut Reach, edge: HeadEdge, heads: Bdd) -> Bounded<Bdd> {
        let before = match edge.kind {
            EdgeKind::Step => reach.domain.before_reached(edge.rule, heads)?,
            EdgeKind::Enter(callee) => {
                let entered = reach.domain.without_others(callee, heads)?;
                reach.domain.before_entry(edge.rule, entered)?
            }
            EdgeKind::Over(callee) => match self.summaries[callee.0 as usize] {
                Some(summary) => reach.domain.before_call(edge.rule, summary, heads)?,
                None => Bdd::FALSE,
            },
        };
        reach.domain.kernel.and(before, self.left[edge.from])
    }

    /// One edge, forward: the heads in `left` into which it leads from these.
    fn after(&self, reach: &mut Reach, edge: HeadEdge, heads: Bdd) -> Bounded<Bdd> {
        let after = match edge.kind {
            EdgeKind::Step => reach.domain.after(&heads, edge.rule)?,
            EdgeKind::Enter(callee) => {
                let entered = reach.domain.enter(&heads, edge.rule)?;
                reach.domain.forget_entry(callee, entered)?
            }
            EdgeKind::Over(callee) => match self.summaries[callee.0 as usize] {
                Some(summary) => reach.domain.return_after(&heads, edge.rule, &summary)?,
                None => Bdd::FALSE,
            },
        };
        reach.domain.kernel.and(after, self.left[edge.to])
    }

    /// Heads that lead into accepting ones of what is left, by one edge.
    fn begin_round(&mut self, reach: &mut Reach) -> Bounded<()> {
        self.count += 1;
        if self.rounds.len() < MOST_KEPT {
            self.rounds.push(self.left.clone());
        } else {
            self.is_complete = false;
        }
        let mut spread = Spread::nothing(self.left.len());
        for edge in self.edges.clone() {
            let target = reach.domain.kernel.and(self.accepting[edge.to], self.left[edge.to])?;
            if !target.is_false() {
                let before = self.before(reach, edge, target)?;
                let rank = u32::MAX - Heads::ranks(reach, edge.from);
                spread.add(reach, edge.from, rank, before)?;
            }
        }
        self.phase = Phase::Round(spread);
        Ok(())
    }

    fn step_round(&mut self, reach: &mut Reach) -> Bounded<Option<Found>> {
        let Phase::Round(spread) = &mut self.phase else { return Ok(None) };
        if let Some((at, heads)) = spread.take() {
            for edge in self.into[at].clone() {
                let edge = self.edges[edge];
                let before = self.before(reach, edge, heads)?;
                let rank = u32::MAX - Heads::ranks(reach, edge.from);
                let Phase::Round(spread) = &mut self.phase else { return Ok(None) };
                spread.add(reach, edge.from, rank, before)?;
            }
            return Ok(None);
        }
        let seen = std::mem::take(&mut spread.seen);
        if seen.iter().all(|heads| heads.is_false()) {
            self.left = seen;
            return Ok(Some(Found::Nothing));
        }
        if seen == self.left {
            self.rounds.clear();
            self.recurring = seen.as_slice().into();
            self.left = seen;
            let program = Rc::clone(&reach.program);
            let initial = reach.domain.initial(&program)?;
            let initial = reach.domain.forget_entry(program.main_id(), initial)?;
            let entry = program.procedure(program.main_id()).entry;
            let mut layer = vec![Bdd::FALSE; self.left.len()];
            layer[entry.0 as usize] = reach.domain.kernel.and(initial, self.left[entry])?;
            self.phase = Phase::Near { seen: layer.clone(), layer, layers: 0 };
            return Ok(None);
        }
        self.left = seen;
        self.begin_round(reach)?;
        Ok(None)
    }

    /// Goes to the next layer, or tries an accepting head of this one. Every way to a head that is
    /// left passes only such heads.
    fn step_near(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Phase::Near { layer, seen, layers } = &mut self.phase else { return Ok(()) };
        let (layer, mut seen, layers) = (std::mem::take(layer), std::mem::take(seen), *layers);
        let is_last = layers == MOST_LAYERS || layer.iter().all(|heads| heads.is_false());
        let among = if is_last { None } else { Some(&layer[..]) };
        if let Some(head) = self.pick(reach, among)? {
            return self.try_head(reach, head, 0);
        }
        let mut next = vec![Bdd::FALSE; layer.len()];
        for edge in self.edges.clone() {
            let heads = layer[edge.from.0 as usize];
            if heads.is_false() {
                continue;
            }
            let after = self.after(reach, edge, heads)?;
            let to = edge.to.0 as usize;
            let new = reach.domain.kernel.difference(after, seen[to])?;
            seen[to] = reach.domain.kernel.or(seen[to], new)?;
            next[to] = reach.domain.kernel.or(next[to], new)?;
        }
        self.phase = Phase::Near { layer: next, seen, layers: layers + 1 };
        Ok(())
    }

    /// An accepting head of what is left, and of `among` if it is given.
    fn pick(&self, reach: &mut Reach, among: Option<&[Bdd]>) -> Bounded<Option<Head>> {
        let program = Rc::clone(&reach.program);
        for at in (0..self.left.len() as u32).map(LocationId) {
            let mut heads = reach.domain.kernel.and(self.left[at], self.accepting[at])?;
            if let Some(among) = among {
                heads = reach.domain.kernel.and(heads, among[at.0 as usize])?;
            }
            if !heads.is_false() {
                return Ok(Some(pick_head(reach, &program, at, heads)));
            }
        }
        Ok(None)
    }

    /// Begins to look whether this head is on a cycle.
    fn try_head(&mut self, reach: &mut Reach, head: Head, tries: u32) -> Bounded<()> {
        let start = fix_head(reach, &head)?;
        let mut spread = Spread::nothing(self.left.len());
        for edge in self.out[head.location].clone() {
            let edge = self.edges[edge];
            let after = self.after(reach, edge, start)?;
            spread.add(reach, edge.to, Heads::ranks(reach, edge.to), after)?;
        }
        self.phase = Phase::Trying { head, spread, tries };
        Ok(())
    }

    fn step_try(&mut self, reach: &mut Reach) -> Bounded<Option<Found>> {
        let Phase::Trying { head, spread, tries } = &mut self.phase else { return Ok(None) };
        let (head, tries) = (head.clone(), *tries);
        let start = fix_head(reach, &head)?;
        let again = reach.domain.kernel.and(spread.seen[head.location], start)?;
        if !again.is_false() {
            return Ok(Some(Found::Repeating(head)));
        }
        if let Some((at, heads)) = spread.take() {
            for edge in self.out[at].clone() {
                let edge = self.edges[edge];
                let after = self.after(reach, edge, heads)?;
                let rank = Heads::ranks(reach, edge.to);
                let Phase::Trying { spread, .. } = &mut self.phase else { return Ok(None) };
                spread.add(reach, edge.to, rank, after)?;
            }
            return Ok(None);
        }
        // It is on no cycle. What it reaches never comes back to it, and holds a cycle.
        let (reached, last) = (std::mem::take(&mut spread.seen), std::mem::take(&mut spread.last));
        if tries >= MOST_TRIES {
            return Err(Limit::Rounds);
        }
        for (left, reached) in self.left.iter_mut().zip(&reached) {
            *left = reach.domain.kernel.and(*left, *reached)?;
        }
        // What was reached last is rather on a cycle than what only leads there.
        let next = match self.pick(reach, Some(&last))? {
            Some(next) => Some(next),
            None => self.pick(reach, None)?,
        };
        let next = next.ok_or(Limit::Rounds)?;
        self.try_head(reach, next, tries + 1)?;
        Ok(None)
    }
}

/// The stores in which a scalar has this value.
fn equals(reach: &mut Reach, variable: crate::lang::model::VariableId, bits: u64) -> Bounded<Bdd> {
    let cell = Cell { variable, element: 0 };
    let mut store = Valuation::default();
    store.0.insert(cell, bits);
    reach.domain.fixed([&cell], Copy::Now, &store)
}

/// The stores of the abstraction of a product whose bits accept.
fn accepting_words(
    product: &Product,
    reach: &mut Reach,
    location: LocationId,
    accepts: Accepts,
) -> Bounded<Bdd> {
    let procedure = reach.program.location(location).procedure;
    let word = product.words.as_ref().and_then(|words| {
        Some((*words.of_procedure.get(procedure.0 as usize)?, words.state_bits as usize))
    });
    let Some((variable, state_bits)) = word else { return Ok(Bdd::FALSE) };
    let (kernel, layout) = (&mut reach.domain.kernel, &reach.domain.layout);
    let word = layout.value(kernel, Cell { variable, element: 0 }, Copy::Now)?;
    let (first, count, values): (usize, usize, &[u64]) = match accepts {
        Accepts::ByCall => (state_bits, 1, &[1]),
        _ if state_bits == 0 => return Ok(Bdd::TRUE),
        _ => (0, state_bits, &product.accepting),
    };
    let mut any = Bdd::FALSE;
    for value in values {
        let mut same = Bdd::TRUE;
        for k in 0..count {
            let bit = word.bits().get(first + k).copied().unwrap_or(Bdd::FALSE);
            let literal = if value >> k & 1 == 1 { bit } else { !bit };
            same = kernel.and(same, literal)?;
        }
        any = kernel.or(any, same)?;
    }
    Ok(any)
}

/// The least head of a nonempty set.
fn pick_head(reach: &Reach, program: &Program, at: LocationId, heads: Bdd) -> Head {
    let cells: Vec<(Cell, Copy)> = reach
        .domain
        .visible(program.location(at).procedure)
        .into_iter()
        .map(|cell| (cell, Copy::Now))
        .collect();
    let model = reach.domain.pick(heads, &cells).unwrap_or_default();
    let store = Valuation(model.into_iter().map(|((cell, _), bits)| (cell, bits)).collect());
    Head { location: at, store }
}

/// The set of this head alone.
fn fix_head(reach: &mut Reach, head: &Head) -> Bounded<Bdd> {
    let procedure = reach.program.location(head.location).procedure;
    let visible = reach.domain.visible(procedure);
    reach.domain.fixed(&visible, Copy::Now, &head.store)
}
