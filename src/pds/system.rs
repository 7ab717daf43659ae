//! Pushdown systems: control locations, stack symbols, rules (Schwoon 2002, Def. 2.1; at most two
//! symbols on a right side).

use super::grouped::Grouped;
use crate::util::index_by;
use std::cell::OnceCell;

/// A control location p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ControlLocation(pub u32);
/// A stack symbol γ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackSymbol(pub u32);
/// Index into [`Pds::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

index_by!(ControlLocation, StackSymbol, RuleId);

/// The stack part of a rule's right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// ε: return.
    Pop,
    /// One symbol: a statement.
    Step(StackSymbol),
    /// Two symbols, the new top first: a call and its return site.
    Push(StackSymbol, StackSymbol),
}

/// ⟨from, symbol⟩ ↪ ⟨to, right⟩.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Control location before.
    pub from: ControlLocation,
    /// Top of the stack before.
    pub symbol: StackSymbol,
    /// Control location after.
    pub to: ControlLocation,
    /// What replaces the top.
    pub right: Right,
}

/// A pushdown system. The rules' weights are kept separately ([`Weights`](super::Weights)), by rule
/// id.
#[derive(Clone, Debug)]
pub struct Pds {
    locations: u32,
    symbols: u32,
    rules: Vec<Rule>,
    // Made when they are first asked for: post* asks for the first one alone.
    by_left: OnceCell<Grouped>,
    by_right: OnceCell<Grouped>,
    by_below: OnceCell<Grouped>,
    pops: OnceCell<Vec<RuleId>>,
}

impl Pds {
    /// A system without rules.
    pub fn new(locations: u32, symbols: u32) -> Pds {
        Pds::of(locations, symbols, Vec::new())
    }

    /// The system of these rules.
    pub fn of(locations: u32, symbols: u32, rules: Vec<Rule>) -> Pds {
        Pds {
            locations,
            symbols,
            rules,
            by_left: OnceCell::new(),
            by_right: OnceCell::new(),
            by_below: OnceCell::new(),
            pops: OnceCell::new(),
        }
    }

    fn head(&self, p: ControlLocation, symbol: StackSymbol) -> u64 {
        u64::from(p.0) * u64::from(self.symbols) + u64::from(symbol.0)
    }

    fn heads(&self) -> u64 {
        u64::from(self.locations) * u64::from(self.symbols)
    }

    fn numbered(&self) -> impl Iterator<Item = (RuleId, &Rule)> + Clone {
        (0..).map(RuleId).zip(&self.rules)
    }

    /// Adds a rule; its id is the number of rules before.
    pub fn add(&mut self, rule: Rule) -> RuleId {
        let id = RuleId(self.rules.len() as u32);
        self.rules.push(rule);
        self.by_left.take();
        self.by_right.take();
        self.by_below.take();
        self.pops.take();
        id
    }

    /// The system with only some of its rules, under their old ids. It is for post\* alone, because
    /// only [`Self::from_head`] leaves the other rules out.
    pub fn restricted(&self, keep: impl Fn(RuleId) -> bool) -> Pds {
        let kept: Vec<(u64, RuleId)> = self
            .numbered()
            .filter(|(id, _)| keep(*id))
            .map(|(id, rule)| (self.head(rule.from, rule.symbol), id))
            .collect();
        let fewer = Pds::of(self.locations, self.symbols, self.rules.clone());
        Pds { by_left: OnceCell::from(Grouped::of(self.heads(), kept.iter().copied())), ..fewer }
    }

    /// Number of control locations.
    pub fn locations(&self) -> u32 {
        self.locations
    }
    /// Number of stack symbols.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }
    /// All rules, by id.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
    /// One rule.
    pub fn rule(&self, id: RuleId) -> Rule {
        self.rules[id]
    }
    /// Rules with the left side ⟨p, symbol⟩.
    pub fn from_head(&self, p: ControlLocation, symbol: StackSymbol) -> &[RuleId] {
        let by_left = || {
            let head = |(id, rule): (RuleId, &Rule)| (self.head(rule.from, rule.symbol), id);
            Grouped::of(self.heads(), self.numbered().map(head))
        };
        self.by_left.get_or_init(by_left).get(self.head(p, symbol))
    }
    /// Step and push rules whose right side starts ⟨p, symbol …⟩.
    pub fn to_head(&self, p: ControlLocation, symbol: StackSymbol) -> &[RuleId] {
        let by_right = || {
            let head = |(id, rule): (RuleId, &Rule)| match rule.right {
                Right::Pop => None,
                Right::Step(top) | Right::Push(top, _) => Some((self.head(rule.to, top), id)),
            };
            Grouped::of(self.heads(), self.numbered().filter_map(head))
        };
        self.by_right.get_or_init(by_right).get(self.head(p, symbol))
    }
    /// Push rules whose second right symbol is this.
    pub fn with_below(&self, symbol: StackSymbol) -> &[RuleId] {
        let by_below = || {
            let below = |(id, rule): (RuleId, &Rule)| match rule.right {
                Right::Push(_, below) => Some((u64::from(below.0), id)),
                _ => None,
            };
            Grouped::of(u64::from(self.symbols), self.numbered().filter_map(below))
        };
        self.by_below.get_or_init(by_below).get(u64::from(symbol.0))
    }
    /// All pop rules.
    pub fn pops(&self) -> &[RuleId] {
        let pops = || {
            let pops = self.numbered().filter(|(_, rule)| rule.right == Right::Pop);
            pops.map(|(id, _)| id).collect()
        };
        self.pops.get_or_init(pops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_added_later_is_found_as_well() {
        let (p, q) = (ControlLocation(0), ControlLocation(1));
        let [a, b] = [StackSymbol(0), StackSymbol(1)];
        let rule = |from, symbol, to, right| Rule { from, symbol, to, right };
        let mut pds = Pds::of(2, 2, vec![rule(p, a, q, Right::Step(b))]);
        let found = |pds: &Pds| {
            let groups = [pds.from_head(p, a), pds.to_head(q, b), pds.with_below(a), pds.pops()];
            groups.map(<[RuleId]>::to_vec)
        };
        let [first, push, pop] = [RuleId(0), RuleId(1), RuleId(2)];
        assert_eq!(found(&pds), [vec![first], vec![first], vec![], vec![]]);
        assert_eq!(pds.add(rule(p, a, q, Right::Push(b, a))), push);
        assert_eq!(pds.add(rule(p, a, p, Right::Pop)), pop);
        assert_eq!(found(&pds), [vec![first, push, pop], vec![first, push], vec![push], vec![pop]]);
        let fewer = pds.restricted(|id| id != push);
        assert_eq!(fewer.from_head(p, a), [first, pop]);
    }
}
