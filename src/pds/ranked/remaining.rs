//! The least length that a run to a target still needs, whatever the data are. A search that first
//! looks where a target is near uses it.
//!
//! It is a shortest path in the graph of the rules, in which a return may go to any call of the
//! same callee. This estimate is never too high, and a rule never reduces it by more than its own
//! length. So a search in the order of the length so far plus the estimate finds everything at its
//! least length (Hart, Nilsson, Raphael 1968). An estimate that remembers the caller would be
//! higher, but a callee with two callers would reduce it by too much.

use crate::pds::system::{ControlLocation, Pds, Right, StackSymbol};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// For systems with one control location: least lengths to a target, by the symbol on top.
#[derive(Clone, Debug)]
pub(super) struct Remaining {
    /// The least length with this symbol on top; `None` if no target follows.
    at: Vec<Option<u64>>,
    /// By symbol: the number of its procedure.
    procedure: Vec<u32>,
    /// By procedure: the least length after it has returned.
    left: Vec<Option<u64>>,
}

impl Remaining {
    /// `cost`: the length of each rule. `targets`: symbols, each with the length that remains
    /// there. It is 0 unless something else must follow.
    pub(super) fn toward(pds: &Pds, cost: &[u64], targets: &[(StackSymbol, u64)]) -> Remaining {
        let procedure = procedures(pds);
        let symbols = procedure.len();
        let mut pops = vec![Vec::new(); symbols];
        for id in pds.pops() {
            let symbol = pds.rule(*id).symbol;
            pops[procedure[symbol] as usize].push((symbol, cost[*id]));
        }
        let mut remaining =
            Remaining { at: vec![None; symbols], procedure, left: vec![None; symbols] };
        let mut heap = BinaryHeap::new();
        heap.extend(targets.iter().map(|(symbol, further)| Reverse((*further, symbol.0))));
        let control = ControlLocation(0);
        while let Some(Reverse((length, number))) = heap.pop() {
            let known = &mut remaining.at[number as usize];
            if known.is_some() {
                continue;
            }
            *known = Some(length);
            let symbol = StackSymbol(number);
            for id in pds.to_head(control, symbol) {
                heap.push(Reverse((length.saturating_add(cost[*id]), pds.rule(*id).symbol.0)));
            }
            for id in pds.with_below(symbol) {
                let Right::Push(top, _) = pds.rule(*id).right else { continue };
                let callee = remaining.procedure[top] as usize;
                // Lengths come in ascending order, so the first one is the least.
                if remaining.left[callee].is_none() {
                    remaining.left[callee] = Some(length);
                    heap.extend(
                        pops[callee].iter().map(|(symbol, cost)| {
                            Reverse((length.saturating_add(*cost), symbol.0))
                        }),
                    );
                }
            }
        }
        remaining
    }

    /// The least length with this symbol on top.
    pub(super) fn at(&self, symbol: StackSymbol) -> Option<u64> {
        self.at[symbol]
    }

    /// The least length once the frame that was entered at this symbol is left.
    pub(super) fn left(&self, entry: StackSymbol) -> Option<u64> {
        self.left[self.procedure[entry] as usize]
    }
}

/// By symbol: the number of its procedure. Symbols that follow each other in a frame have the same
/// number, which is one of them.
fn procedures(pds: &Pds) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..pds.symbols()).collect();
    fn find(parent: &mut [u32], mut number: u32) -> u32 {
        while parent[number as usize] != number {
            parent[number as usize] = parent[parent[number as usize] as usize];
            number = parent[number as usize];
        }
        number
    }
    for rule in pds.rules() {
        let next = match rule.right {
            Right::Pop => continue,
            Right::Step(top) => top,
            Right::Push(_, below) => below,
        };
        let (a, b) = (find(&mut parent, rule.symbol.0), find(&mut parent, next.0));
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..pds.symbols()).map(|number| find(&mut parent, number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pds::{ControlLocation, Rule};

    #[test]
    fn a_return_goes_to_the_nearest_of_all_calls() {
        // main: 0 calls 3, 1 calls 3, 2 is the target; 3 steps to 4, which returns; 5 leads
        // nowhere.
        let mut pds = Pds::new(1, 6);
        let symbol = StackSymbol;
        let rules = [
            (0, Right::Push(symbol(3), symbol(1))),
            (1, Right::Push(symbol(3), symbol(2))),
            (3, Right::Step(symbol(4))),
            (4, Right::Pop),
            (3, Right::Step(symbol(5))),
        ];
        for (from, right) in rules {
            pds.add(Rule {
                from: ControlLocation(0),
                symbol: symbol(from),
                to: ControlLocation(0),
                right,
            });
        }
        let remaining = Remaining::toward(&pds, &[1, 1, 10, 2, 1], &[(symbol(2), 0)]);
        let at: Vec<_> = (0..6).map(|k| remaining.at(symbol(k))).collect();
        assert_eq!(at, [Some(13), Some(13), Some(0), Some(12), Some(2), None]);
        assert_eq!((remaining.left(symbol(3)), remaining.left(symbol(0))), (Some(0), None));
    }
}
