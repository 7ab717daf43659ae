//! The states reachable under y = x² + x + 13 modulo 2^n from {0, 1}, one image after the other, in
//! the order x0 y0 x1 y1 ….

use faultline::bdd::{Bdd, BitVector, KernelLimits, Manager, Natural, Var};

/// What a run found and what it took.
pub(crate) struct Run {
    pub(crate) images: u64,
    pub(crate) states: Natural,
    pub(crate) peak_nodes: u64,
    pub(crate) steps: u64,
    pub(crate) bytes: u64,
}

/// Images until nothing is new, without collections.
pub(crate) fn run(bits: u32) -> Run {
    let mut manager = Manager::new(2 * bits, KernelLimits::NONE).expect("few levels");
    let m = &mut manager;
    let old: Vec<Var> = (0..bits).map(|k| Var(2 * k)).collect();
    let new: Vec<Var> = (0..bits).map(|k| Var(2 * k + 1)).collect();
    let x = BitVector::from_variables(m, &old).expect("no limits");
    let y = BitVector::from_variables(m, &new).expect("no limits");
    let square = x.mul(m, &x).expect("no limits");
    let sum = square.add(m, &x).expect("no limits");
    let next = sum.add(m, &BitVector::constant(13, bits)).expect("no limits");
    let relation = y.equal(m, &next).expect("no limits");
    let quantified = m.var_set(&old);
    let back = m.renaming(&new.iter().copied().zip(old.iter().copied()).collect::<Vec<_>>());
    let mut reached = x.equal_constant(m, 0).expect("no limits");
    let one = x.equal_constant(m, 1).expect("no limits");
    reached = m.or(reached, one).expect("no limits");
    let mut frontier = reached;
    let mut images = 0;
    while frontier != Bdd::FALSE {
        let image = m.and_exists(relation, frontier, quantified).expect("no limits");
        let image = m.rename(image, back).expect("no limits");
        frontier = m.difference(image, reached).expect("no limits");
        reached = m.or(reached, frontier).expect("no limits");
        images += 1;
    }
    Run {
        images,
        states: m.sat_count(reached, &old),
        peak_nodes: m.peak_nodes(),
        steps: m.steps(),
        bytes: m.bytes(),
    }
}
