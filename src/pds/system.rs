//! Pushdown systems: control locations, stack symbols, rules (Schwoon 2002, Def. 2.1; at most two symbols on a right side).

/// A control location p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ControlLocation(pub u32);
/// A stack symbol γ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackSymbol(pub u32);
/// Index into [`Pds::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

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

/// A pushdown system. Weights live in the [`Domain`](super::Domain), by rule id.
#[derive(Clone, Debug)]
pub struct Pds {
    locations: u32,
    symbols: u32,
    rules: Vec<Rule>,
    by_left: Vec<Vec<RuleId>>,
    by_right: Vec<Vec<RuleId>>,
    by_below: Vec<Vec<RuleId>>,
    pops: Vec<RuleId>,
}

impl Pds {
    /// A system without rules.
    pub fn new(locations: u32, symbols: u32) -> Pds {
        let heads = (locations * symbols) as usize;
        Pds {
            locations,
            symbols,
            rules: Vec::new(),
            by_left: vec![Vec::new(); heads],
            by_right: vec![Vec::new(); heads],
            by_below: vec![Vec::new(); symbols as usize],
            pops: Vec::new(),
        }
    }

    fn head(&self, p: ControlLocation, symbol: StackSymbol) -> usize {
        (p.0 * self.symbols + symbol.0) as usize
    }

    /// Adds a rule; its id is the number of rules before.
    pub fn add(&mut self, rule: Rule) -> RuleId {
        let id = RuleId(self.rules.len() as u32);
        let left = self.head(rule.from, rule.symbol);
        self.by_left[left].push(id);
        match rule.right {
            Right::Pop => self.pops.push(id),
            Right::Step(top) => {
                let head = self.head(rule.to, top);
                self.by_right[head].push(id);
            }
            Right::Push(top, below) => {
                let head = self.head(rule.to, top);
                self.by_right[head].push(id);
                self.by_below[below.0 as usize].push(id);
            }
        }
        self.rules.push(rule);
        id
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
        self.rules[id.0 as usize]
    }
    /// Rules with the left side ⟨p, symbol⟩.
    pub fn from_head(&self, p: ControlLocation, symbol: StackSymbol) -> &[RuleId] {
        &self.by_left[self.head(p, symbol)]
    }
    /// Step and push rules whose right side starts ⟨p, symbol …⟩.
    pub fn to_head(&self, p: ControlLocation, symbol: StackSymbol) -> &[RuleId] {
        &self.by_right[self.head(p, symbol)]
    }
    /// Push rules whose second right symbol is this.
    pub fn with_below(&self, symbol: StackSymbol) -> &[RuleId] {
        &self.by_below[symbol.0 as usize]
    }
    /// All pop rules.
    pub fn pops(&self) -> &[RuleId] {
        &self.pops
    }
}
