//! The rules and heads that are on runs, read off the finished automata.

use super::RawReach;
use crate::lang::raw::{StateId, SymbolId};
use crate::pds::{Right, StackSymbol, State};

impl RawReach {
    /// Every transition of the finished post\* reads some configuration, since the initial
    /// automaton has no dead ends.
    pub(super) fn note_reached(&mut self) {
        let Some(post) = &self.post else { return };
        let mut heads = vec![Vec::new(); self.system.states.len()];
        for transition in post.automaton().transitions() {
            if let (Some(p), Some(symbol)) =
                (post.automaton().control(transition.from), transition.symbol)
            {
                heads[p].push(symbol.0);
            }
        }
        heads.iter_mut().for_each(|symbols: &mut Vec<u32>| symbols.sort_unstable());
        let reached =
            |from: StateId, symbol: SymbolId| heads[from].binary_search(&symbol.0).is_ok();
        self.reached =
            Some(self.system.rules.iter().map(|rule| reached(rule.from, rule.symbol)).collect());
    }

    pub(super) fn decide(&mut self) {
        let Some(mut product) = self.product.take() else { return };
        product.mark();
        let (left, right) = (self.left(), self.right());
        let reading = |from: State, symbol: StackSymbol| {
            product.right_reading(from, symbol).iter().map(|id| right.transition(*id).to)
        };
        let mut in_projection = vec![false; self.pds.rules().len()];
        let mut heads = Vec::new();
        for transition in left.transitions() {
            let (Some(p), Some(symbol)) = (left.control(transition.from), transition.symbol) else {
                continue;
            };
            let rest = transition.to;
            if reading(transition.from, symbol).any(|to| product.accepts_from(rest, to)) {
                heads.push((StateId(p.0), SymbolId(symbol.0)));
            }
            for &id in self.pds.from_head(p, symbol) {
                let rule = self.pds.rule(id);
                let to = State::from(rule.to);
                let meets = match rule.right {
                    Right::Pop => product.accepts_from(rest, to),
                    Right::Step(top) => reading(to, top).any(|q| product.accepts_from(rest, q)),
                    Right::Push(top, below) => reading(to, top).any(|middle| {
                        reading(middle, below).any(|q| product.accepts_from(rest, q))
                    }),
                };
                in_projection[id] |= meets;
            }
        }
        heads.sort_unstable();
        heads.dedup();
        self.in_projection = Some(in_projection);
        self.heads = Some(heads);
        self.answered();
    }
}
