//! A checker of refutations: each learnt clause must follow from those before it by unit
//! propagation alone (Goldberg, Novikov 2003). It shares nothing with the solver.

/// Clauses with two watched literals each, and an assignment.
struct Checker {
    clauses: Vec<i32>,
    /// By literal: where clauses begin that watch it (its first two literals are watched).
    watches: Vec<Vec<u32>>,
    /// By variable: 1, -1, or 0 if it has no value.
    values: Vec<i8>,
    trail: Vec<i32>,
    head: usize,
}

fn index(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl Checker {
    fn value(&self, lit: i32) -> i8 {
        let value = self.values[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }

    fn assign(&mut self, lit: i32) {
        self.values[lit.unsigned_abs() as usize] = if lit < 0 { -1 } else { 1 };
        self.trail.push(lit);
    }

    /// Adds a clause. Returns whether a conflict is there now, at the bottom.
    fn add(&mut self, clause: &[i32]) -> bool {
        // Those that have no false value first, so that they are watched.
        let mut list = clause.to_vec();
        list.sort_by_key(|lit| self.value(*lit) < 0);
        match list.as_slice() {
            [] => return true,
            [first, ..] if self.value(*first) < 0 => return true,
            [only] => {
                if self.value(*only) == 0 {
                    self.assign(*only);
                }
                return !self.propagate();
            }
            _ => {}
        }
        let at = self.clauses.len() as u32;
        self.watches[index(list[0])].push(at);
        self.watches[index(list[1])].push(at);
        let unit = self.value(list[1]) < 0 && self.value(list[0]) == 0;
        self.clauses.extend(&list);
        self.clauses.push(0);
        if unit {
            self.assign(list[0]);
            return !self.propagate();
        }
        false
    }

    /// Assigns what follows. Returns whether there is no conflict.
    fn propagate(&mut self) -> bool {
        while self.head < self.trail.len() {
            let gone = -self.trail[self.head];
            self.head += 1;
            let list = std::mem::take(&mut self.watches[index(gone)]);
            let mut kept = Vec::with_capacity(list.len());
            let mut sound = true;
            for (k, at) in list.iter().enumerate() {
                if !self.visit(*at as usize, gone, &mut kept) {
                    kept.extend(&list[k + 1..]);
                    sound = false;
                    break;
                }
            }
            self.watches[index(gone)] = kept;
            if !sound {
                return false;
            }
        }
        true
    }

    /// A watched literal of the clause became false. Returns whether the clause is no conflict.
    fn visit(&mut self, at: usize, gone: i32, kept: &mut Vec<u32>) -> bool {
        if self.clauses[at] == gone {
            self.clauses.swap(at, at + 1);
        }
        let first = self.clauses[at];
        if self.value(first) > 0 {
            kept.push(at as u32);
            return true;
        }
        let mut k = at + 2;
        while self.clauses[k] != 0 {
            let lit = self.clauses[k];
            if self.value(lit) >= 0 {
                self.clauses.swap(at + 1, k);
                self.watches[index(lit)].push(at as u32);
                return true;
            }
            k += 1;
        }
        kept.push(at as u32);
        if self.value(first) < 0 {
            return false;
        }
        self.assign(first);
        true
    }

    /// Does assuming these lead to a conflict by propagation? Takes the assumptions back.
    fn refutes(&mut self, list: impl Iterator<Item = i32>) -> bool {
        let bottom = self.trail.len();
        let mut conflict = false;
        for lit in list {
            match self.value(lit) {
                0 => self.assign(lit),
                value => conflict |= value < 0,
            }
        }
        let conflict = conflict || !self.propagate();
        for lit in self.trail.drain(bottom..) {
            self.values[lit.unsigned_abs() as usize] = 0;
        }
        self.head = bottom;
        conflict
    }
}

/// Do the clauses (a zero behind each) refute the assumptions, by these learnt clauses? `None` if
/// the time was up.
pub fn check(
    clauses: &[i32],
    learnt: &[i32],
    assumptions: &[i32],
    stop: &dyn Fn() -> bool,
) -> Option<bool> {
    let all = clauses.iter().chain(learnt).chain(assumptions);
    let most = all.map(|lit| lit.unsigned_abs() as usize).max().unwrap_or(0);
    let mut checker = Checker {
        clauses: Vec::with_capacity(clauses.len() + learnt.len()),
        watches: vec![Vec::new(); 2 * most + 2],
        values: vec![0; most + 1],
        trail: Vec::new(),
        head: 0,
    };
    for clause in clauses.split(|lit| *lit == 0) {
        if !clause.is_empty() && checker.add(clause) {
            return Some(true);
        }
    }
    for (k, clause) in learnt.split(|lit| *lit == 0).enumerate() {
        if k % 256 == 0 && stop() {
            return None;
        }
        if clause.is_empty() {
            continue;
        }
        if !checker.refutes(clause.iter().map(|lit| -lit)) {
            return Some(false);
        }
        if checker.add(clause) {
            return Some(true);
        }
    }
    Some(checker.refutes(assumptions.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_and_what_is_none() {
        // Two bits: all four combinations are excluded.
        let clauses = [1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0];
        assert_eq!(check(&clauses, &[1, 0], &[], &|| false), Some(true));
        assert_eq!(check(&clauses[..9], &[1, 0], &[], &|| false), Some(false));
        assert_eq!(check(&clauses[..9], &[1, 0], &[-2], &|| false), Some(true));
        assert_eq!(check(&clauses[..3], &[1, 0], &[], &|| false), Some(false));
        assert_eq!(check(&clauses, &[1, 0], &[], &|| true), None);
    }
}
