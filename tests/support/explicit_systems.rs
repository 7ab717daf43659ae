//! Random pushdown systems without data, for benchmarks: any rules at all, and recursive programs
//! whose globals are control locations.
//!
//! Equal arguments give equal systems, on every machine. The shapes are those with which explicit
//! pushdown libraries are compared.

use super::Random;
use faultline::pds::{ControlLocation, Pds, Right, Rule, StackSymbol};

/// A system with its first configuration ⟨p0, γ0⟩, and a head whose pre\* is worth computing.
pub(crate) struct ExplicitSystem {
    pub(crate) pds: Pds,
    pub(crate) initial: (ControlLocation, StackSymbol),
    pub(crate) target: (ControlLocation, StackSymbol),
}

/// Rules between random heads: a quarter pop, half step, a quarter push. The target's control
/// location has no rule.
pub(crate) fn any_rules(states: u64, symbols: u64, rules: u64, seed: u64) -> ExplicitSystem {
    let mut random = Random::new(seed);
    let mut pds = Pds::new(states as u32, symbols as u32);
    for _ in 0..rules {
        let [from, to] = [0; 2].map(|_| ControlLocation(random.below(states - 1) as u32));
        let [symbol, top] = [0; 2].map(|_| StackSymbol(random.below(symbols) as u32));
        let right = match random.below(4) {
            0 => Right::Pop,
            1 | 2 => Right::Step(top),
            _ => Right::Push(top, symbol),
        };
        pds.add(Rule { from, symbol, to, right });
    }
    let nowhere = ControlLocation(states as u32 - 1);
    ExplicitSystem {
        pds,
        initial: (ControlLocation(0), StackSymbol(0)),
        target: (nowhere, StackSymbol(1)),
    }
}

/// A recursive program: `bits` Boolean globals as 2^bits control locations, `procedures` of
/// `statements` places; 15 % calls that may be left out, 35 % copies of one global to another, 20 %
/// arbitrary values, 30 % jumps that a global allows. The target is the first procedure's end, all
/// globals false.
pub(crate) fn recursive_program(
    bits: u64,
    procedures: u64,
    statements: u64,
    seed: u64,
) -> ExplicitSystem {
    let mut random = Random::new(seed);
    let values = 1u32 << bits;
    let place =
        |procedure: u64, statement: u64| StackSymbol((procedure * statements + statement) as u32);
    let mut pds = Pds::new(values, (procedures * statements) as u32);
    for procedure in 0..procedures {
        for statement in 0..statements {
            let symbol = place(procedure, statement);
            let kind = random.below(100);
            let [a, b] = [0; 2].map(|_| random.below(bits) as u32);
            let (callee, jump) = (random.below(procedures), random.below(statements));
            for g in 0..values {
                let mut add = |to: u32, right: Right| {
                    pds.add(Rule {
                        from: ControlLocation(g),
                        symbol,
                        to: ControlLocation(to),
                        right,
                    });
                };
                if statement == statements - 1 {
                    add(g, Right::Pop);
                    continue;
                }
                let next = place(procedure, statement + 1);
                match kind {
                    0..15 => {
                        add(g, Right::Push(place(callee, 0), next));
                        add(g, Right::Step(next));
                    }
                    15..50 => add(g & !(1 << a) | (g >> b & 1) << a, Right::Step(next)),
                    50..70 => {
                        add(g | 1 << a, Right::Step(next));
                        add(g & !(1 << a), Right::Step(next));
                    }
                    _ => {
                        add(g, Right::Step(next));
                        if g >> a & 1 == 1 {
                            add(g, Right::Step(place(procedure, jump)));
                        }
                    }
                }
            }
        }
    }
    ExplicitSystem {
        pds,
        initial: (ControlLocation(0), place(0, 0)),
        target: (ControlLocation(0), place(0, statements - 1)),
    }
}
