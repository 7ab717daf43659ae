//! Words that end in a loop, and the formulas that hold on them, by the definition alone. No
//! automaton takes part: tests compare automata with this, and a lasso is shown only if this says
//! that it violates its formula.

use super::formula::{AtomId, Formula, Temporal};

/// The infinite word `letters[..from] letters[from..]^ω`. A letter has the value of each atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LassoWord {
    /// The letters up to the end of the loop.
    pub letters: Vec<Vec<bool>>,
    /// Where the loop begins; less than the number of letters.
    pub from: usize,
}

impl LassoWord {
    /// The position after this one.
    fn after(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.from }
    }

    /// By position: does the formula hold on the word that begins there?
    pub fn holds(&self, formula: &Formula) -> Vec<bool> {
        let n = self.letters.len();
        let of = |a: &Formula| self.holds(a);
        let zip = |a: &Formula, b: &Formula, f: fn(bool, bool) -> bool| -> Vec<bool> {
            of(a).into_iter().zip(of(b)).map(|(a, b)| f(a, b)).collect()
        };
        match formula {
            Formula::Constant(value) => vec![*value; n],
            Formula::Atom(atom) => self.letters.iter().map(|letter| value(letter, *atom)).collect(),
            Formula::Not(a) => of(a).into_iter().map(|a| !a).collect(),
            Formula::And(a, b) => zip(a, b, |a, b| a && b),
            Formula::Or(a, b) => zip(a, b, |a, b| a || b),
            Formula::Implies(a, b) => zip(a, b, |a, b| !a || b),
            Formula::Iff(a, b) => zip(a, b, |a, b| a == b),
            Formula::Next(a) => {
                let a = of(a);
                (0..n).map(|at| a[self.after(at)]).collect()
            }
            Formula::Finally(a) => self.least(&vec![true; n], &of(a)),
            Formula::Globally(a) => self.greatest(&vec![false; n], &of(a)),
            Formula::Binary(Temporal::Until, a, b) => self.least(&of(a), &of(b)),
            Formula::Binary(Temporal::Release, a, b) => self.greatest(&of(a), &of(b)),
            Formula::Binary(Temporal::WeakUntil, a, b) => {
                let (until, a) = (self.least(&of(a), &of(b)), of(a));
                let always = self.greatest(&vec![false; n], &a);
                until.into_iter().zip(always).map(|(until, always)| until || always).collect()
            }
        }
    }

    /// a U b: the least solution of z = b || a && X z.
    fn least(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let mut z = b.to_vec();
        // Each round but the last makes some position true.
        loop {
            let mut changed = false;
            for at in (0..z.len()).rev() {
                if !z[at] && a[at] && z[self.after(at)] {
                    z[at] = true;
                    changed = true;
                }
            }
            if !changed {
                return z;
            }
        }
    }

    /// a R b: the greatest solution of z = b && (a || X z).
    fn greatest(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let mut z = b.to_vec();
        loop {
            let mut changed = false;
            for at in (0..z.len()).rev() {
                if z[at] && !a[at] && !z[self.after(at)] {
                    z[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return z;
            }
        }
    }
}

fn value(letter: &[bool], atom: AtomId) -> bool {
    letter.get(atom as usize).copied().unwrap_or(false)
}
