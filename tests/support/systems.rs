//! Random pushdown systems, saturated with any domain.

use super::random::Random;
use faultline::bdd::{KernelLimits, Manager, Var};
use faultline::pds::{
    BackwardWeights, ControlLocation, ForwardWeights, PAutomaton, Pds, Plain, PostStar, PreStar,
    Right, Rule, StackSymbol,
};
use faultline::semiring::Relations;

/// How large a system is, and which rules it has.
pub(crate) struct Mix {
    pub(crate) locations: u32,
    pub(crate) symbols: u32,
    /// The least number of rules, and how many numbers are possible.
    pub(crate) rules: (u64, u64),
    /// Parts of rules that pop, that step, and that push.
    pub(crate) parts: [u64; 3],
}

impl Mix {
    pub(crate) fn system(&self, random: &mut Random) -> Pds {
        let mut pds = Pds::new(self.locations, self.symbols);
        let symbol = |random: &mut Random| StackSymbol(random.below(self.symbols.into()) as u32);
        // One location is no choice.
        let location = |random: &mut Random| match self.locations {
            1 => ControlLocation(0),
            many => ControlLocation(random.below(many.into()) as u32),
        };
        let [pop, step, push] = self.parts;
        for _ in 0..self.rules.0 + random.below(self.rules.1) {
            let part = random.below(pop + step + push);
            let right = if part < pop {
                Right::Pop
            } else if part < pop + step {
                Right::Step(symbol(random))
            } else {
                Right::Push(symbol(random), symbol(random))
            };
            pds.add(Rule {
                from: location(random),
                symbol: symbol(random),
                to: location(random),
                right,
            });
        }
        pds
    }
}

/// Every stack of at most so many of these symbols.
pub(crate) fn stacks(symbols: u32, up_to: usize) -> Vec<Vec<StackSymbol>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..up_to {
        last = last
            .iter()
            .flat_map(|s| (0..symbols).map(move |k| [s.clone(), vec![StackSymbol(k)]].concat()))
            .collect();
        all.extend(last.clone());
    }
    all
}

/// A relation of so many random pairs on each rule, over stores of two bits.
pub(crate) fn relations(pds: &Pds, random: &mut Random, pairs: usize) -> Plain<Relations> {
    let kernel = Manager::new(6, KernelLimits::NONE).expect("six levels");
    let mut semiring =
        Relations::new(kernel, vec![[Var(0), Var(1), Var(2)], [Var(3), Var(4), Var(5)]]);
    let weights = pds.rules().iter().map(|_| {
        let pairs: Vec<(u64, u64)> =
            (0..pairs).map(|_| (random.below(4), random.below(4))).collect();
        semiring.from_pairs(&pairs).expect("no limit")
    });
    let weights = weights.collect();
    Plain { semiring, weights }
}

/// post\*.
pub(crate) fn saturate_post<D: ForwardWeights>(
    pds: &Pds,
    domain: &mut D,
    initial: PAutomaton<D::Weight>,
) -> PAutomaton<D::Weight> {
    let mut post = PostStar::new(domain, initial, Vec::new());
    while !post.is_done() {
        post.step(pds, domain).expect("no limit");
    }
    post.automaton().clone()
}

/// pre\*.
pub(crate) fn saturate_pre<D: BackwardWeights>(
    pds: &Pds,
    domain: &mut D,
    target: PAutomaton<D::Weight>,
) -> PAutomaton<D::Weight> {
    let mut pre = PreStar::new(pds, domain, target, Vec::new()).expect("no limit");
    while !pre.is_done() {
        pre.step(pds, domain).expect("no limit");
    }
    pre.automaton().clone()
}
