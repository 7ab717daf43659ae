//! And-inverter graph with exclusive-or and choice nodes, structurally hashed: equal parts of a
//! program's unrolling are one node (Kuehlmann and others 2002).

use rustc_hash::FxHashMap;

/// A node of a [`Circuit`], or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

/// Never.
pub const FALSE: Lit = Lit(0);
/// Always.
pub const TRUE: Lit = Lit(1);

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl Lit {
    /// Which node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the node's negation?
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// `TRUE` or `FALSE`, if it is one of them.
    pub fn constant(self) -> Option<bool> {
        match self {
            FALSE => Some(false),
            TRUE => Some(true),
            _ => None,
        }
    }

    /// The literal itself, or its negation.
    fn negated_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        if value { TRUE } else { FALSE }
    }
}

/// What a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// `FALSE`: the first node.
    Constant,
    /// Any value.
    Input,
    /// Both.
    And(Lit, Lit),
    /// One of both.
    Xor(Lit, Lit),
    /// If the first, then the second, else the third.
    Choose(Lit, Lit, Lit),
}

/// Dividend and divisor, or quotient and remainder.
type Pair = (Vec<Lit>, Vec<Lit>);

/// All nodes. Operands stand before what uses them.
#[derive(Debug)]
pub struct Circuit {
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
    /// What always holds of inputs that stand for a result: by input.
    defined: FxHashMap<u32, Lit>,
    /// Quotient and remainder by dividend and divisor, so that `a / b` and `a % b` share them.
    pub(crate) quotients: FxHashMap<Pair, Pair>,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            nodes: vec![Node::Constant],
            known: FxHashMap::default(),
            defined: FxHashMap::default(),
            quotients: FxHashMap::default(),
        }
    }
}

impl Circuit {
    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// What a node computes.
    pub fn node(&self, index: usize) -> Node {
        self.nodes[index]
    }

    /// A new input.
    pub fn input(&mut self) -> Lit {
        self.nodes.push(Node::Input);
        Lit((self.nodes.len() as u32 - 1) << 1)
    }

    /// The inputs stand for a result that this condition defines: for all values of what it speaks
    /// of there are values of them.
    pub(crate) fn define(&mut self, inputs: &[Lit], condition: Lit) {
        for input in inputs {
            self.defined.insert(input.node() as u32, condition);
        }
    }

    /// What always holds of an input.
    pub fn definition(&self, node: usize) -> Option<Lit> {
        self.defined.get(&(node as u32)).copied()
    }

    fn hashed(&mut self, node: Node) -> Lit {
        let nodes = &mut self.nodes;
        let index = *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        });
        Lit(index << 1)
    }

    /// The operands, if the literal is a conjunction.
    fn conjunction(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match (lit.negated(), self.nodes[lit.node()]) {
            (false, Node::And(a, b)) => Some((a, b)),
            _ => None,
        }
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == FALSE || a == !b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((l, r)) = self.conjunction(y) {
                // x ∧ (x ∧ r), x ∧ (¬x ∧ r)
                if x == l || x == r {
                    return y;
                }
                if x == !l || x == !r {
                    return FALSE;
                }
            }
            if let Some((l, r)) = self.conjunction(!y) {
                // x ∧ ¬(x ∧ r) = x ∧ ¬r, x ∧ ¬(¬x ∧ r) = x
                if x == !l || x == !r {
                    return x;
                }
                if x == l {
                    return self.and(x, !r);
                }
                if x == r {
                    return self.and(x, !l);
                }
                // ¬(p ∧ q) ∧ ¬(p ∧ ¬q) = ¬p: two branches meet again.
                if let Some((l2, r2)) = self.conjunction(!x) {
                    for (p, q) in [(l, r), (r, l)] {
                        if (p == l2 && q == !r2) || (p == r2 && q == !l2) {
                            return !p;
                        }
                    }
                }
            }
        }
        self.hashed(Node::And(a, b))
    }

    /// One of both, or both.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One of both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.negated() ^ b.negated();
        let (a, b) = (a.negated_if(a.negated()), b.negated_if(b.negated()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        // Both are not negated: `FALSE` is the only constant.
        if a == b {
            return Lit::from(negate);
        }
        if a == FALSE {
            return b.negated_if(negate);
        }
        self.hashed(Node::Xor(a, b)).negated_if(negate)
    }

    /// Both the same.
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `a` if the condition holds, else `b`.
    pub fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (condition, a, b) =
            if condition.negated() { (!condition, b, a) } else { (condition, a, b) };
        if condition == FALSE {
            return b;
        }
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(condition, a);
        }
        if a == TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == FALSE || b == condition {
            return self.and(condition, a);
        }
        if b == TRUE || b == !condition {
            return self.or(!condition, a);
        }
        let negate = a.negated();
        self.hashed(Node::Choose(condition, a.negated_if(negate), b.negated_if(negate)))
            .negated_if(negate)
    }

    /// All of them.
    pub fn all(&mut self, list: &[Lit]) -> Lit {
        match list {
            [] => TRUE,
            [one] => *one,
            _ => {
                let (a, b) = list.split_at(list.len() / 2);
                let (a, b) = (self.all(a), self.all(b));
                self.and(a, b)
            }
        }
    }

    /// One of them at least.
    pub fn any(&mut self, list: &[Lit]) -> Lit {
        match list {
            [] => FALSE,
            [one] => *one,
            _ => {
                let (a, b) = list.split_at(list.len() / 2);
                let (a, b) = (self.any(a), self.any(b));
                self.or(a, b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_meet() {
        let mut c = Circuit::default();
        let (p, q) = (c.input(), c.input());
        let (left, right) = (c.and(p, q), c.and(p, !q));
        assert_eq!(c.or(left, right), p);
        assert_eq!(c.choose(q, p, p), p);
        assert_eq!(c.choose(!q, TRUE, FALSE), !q);
        assert_eq!(c.xor(p, !p), TRUE);
        assert_eq!(c.and(p, left), left);
        let beside = c.and(p, !left);
        assert_eq!(beside, right);
    }
}
