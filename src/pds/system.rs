//! Pushdown systems: control locations, stack symbols, rules (Schwoon 2002, Def. 2.1; at most two
//! symbols on a right side).

use crate::util::index_by;
use rustc_hash::FxHashMap;

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

/// The most heads for which a table has an entry each, whether rules have them or not.
const TABLE: u64 = 1 << 19;

/// Rules by a head ⟨p, γ⟩: a table, or, where most heads have no rule, a map.
#[derive(Clone, Debug)]
enum Heads {
    Table(Vec<Vec<RuleId>>),
    Map(FxHashMap<u64, Vec<RuleId>>),
}

impl Heads {
    fn new(heads: u64) -> Heads {
        if heads <= TABLE {
            Heads::Table(vec![Vec::new(); heads as usize])
        } else {
            Heads::Map(FxHashMap::default())
        }
    }

    fn add(&mut self, head: u64, rule: RuleId) {
        match self {
            Heads::Table(table) => table[head as usize].push(rule),
            Heads::Map(map) => map.entry(head).or_default().push(rule),
        }
    }

    fn retain(&mut self, keep: impl Fn(RuleId) -> bool) {
        match self {
            Heads::Table(table) => table.iter_mut().for_each(|rules| rules.retain(|id| keep(*id))),
            Heads::Map(map) => map.values_mut().for_each(|rules| rules.retain(|id| keep(*id))),
        }
    }

    fn get(&self, head: u64) -> &[RuleId] {
        match self {
            Heads::Table(table) => &table[head as usize],
            Heads::Map(map) => map.get(&head).map_or(&[], Vec::as_slice),
        }
    }
}

/// A pushdown system. The rules' weights are kept separately ([`Weights`](super::Weights)), by rule
/// id.
#[derive(Clone, Debug)]
pub struct Pds {
    locations: u32,
    symbols: u32,
    rules: Vec<Rule>,
    by_left: Heads,
    by_right: Heads,
    by_below: Vec<Vec<RuleId>>,
    pops: Vec<RuleId>,
}

impl Pds {
    /// A system without rules.
    pub fn new(locations: u32, symbols: u32) -> Pds {
        let heads = u64::from(locations) * u64::from(symbols);
        Pds {
            locations,
            symbols,
            rules: Vec::new(),
            by_left: Heads::new(heads),
            by_right: Heads::new(heads),
            by_below: vec![Vec::new(); symbols as usize],
            pops: Vec::new(),
        }
    }

    fn head(&self, p: ControlLocation, symbol: StackSymbol) -> u64 {
        u64::from(p.0) * u64::from(self.symbols) + u64::from(symbol.0)
    }

    /// Adds a rule; its id is the number of rules before.
    pub fn add(&mut self, rule: Rule) -> RuleId {
        let id = RuleId(self.rules.len() as u32);
        let left = self.head(rule.from, rule.symbol);
        self.by_left.add(left, id);
        match rule.right {
            Right::Pop => self.pops.push(id),
            Right::Step(top) => {
                let head = self.head(rule.to, top);
                self.by_right.add(head, id);
            }
            Right::Push(top, below) => {
                let head = self.head(rule.to, top);
                self.by_right.add(head, id);
                self.by_below[below].push(id);
            }
        }
        self.rules.push(rule);
        id
    }

    /// The system with only some of its rules, under their old ids. It is for post\* alone, because
    /// only [`Self::from_head`] leaves the other rules out.
    pub fn restricted(&self, keep: impl Fn(RuleId) -> bool) -> Pds {
        let mut fewer = self.clone();
        fewer.by_left.retain(keep);
        fewer
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
        self.by_left.get(self.head(p, symbol))
    }
    /// Step and push rules whose right side starts ⟨p, symbol …⟩.
    pub fn to_head(&self, p: ControlLocation, symbol: StackSymbol) -> &[RuleId] {
        self.by_right.get(self.head(p, symbol))
    }
    /// Push rules whose second right symbol is this.
    pub fn with_below(&self, symbol: StackSymbol) -> &[RuleId] {
        &self.by_below[symbol]
    }
    /// All pop rules.
    pub fn pops(&self) -> &[RuleId] {
        &self.pops
    }
}
