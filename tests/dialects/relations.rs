//! Constraints and relations, against a table: for every pair of states before and after, the pair
//! is reached iff the relation allows it.

use crate::support::Random;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Over values before (0 to 2) and after (3 to 5).
enum Relation {
    Value(usize),
    Not(Box<Relation>),
    Two(char, Box<Relation>, Box<Relation>),
}

fn random(depth: u64, values: u64, random_bits: &mut Random) -> Relation {
    if depth == 0 || random_bits.below(5) == 0 {
        return Relation::Value(random_bits.below(values) as usize);
    }
    let mut part = || Box::new(random(depth - 1, values, random_bits));
    let (left, right) = (part(), part());
    match random_bits.below(5) {
        0 => Relation::Not(left),
        1 => Relation::Two('&', left, right),
        2 => Relation::Two('|', left, right),
        3 => Relation::Two('=', left, right),
        _ => Relation::Two('!', left, right),
    }
}

impl Relation {
    /// Bit k of `state` is value k.
    fn holds(&self, state: u32) -> bool {
        match self {
            Relation::Value(k) => state >> k & 1 == 1,
            Relation::Not(inner) => !inner.holds(state),
            Relation::Two(sign, left, right) => {
                let (left, right) = (left.holds(state), right.holds(state));
                match sign {
                    '&' => left && right,
                    '|' => left || right,
                    '=' => left == right,
                    _ => left != right,
                }
            }
        }
    }

    fn mentions(&self, value: usize) -> bool {
        match self {
            Relation::Value(k) => *k == value,
            Relation::Not(inner) => inner.mentions(value),
            Relation::Two(_, left, right) => left.mentions(value) || right.mentions(value),
        }
    }

    fn show(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Relation::Value(k @ 0..3), _) => NAMES[*k].to_string(),
            (Relation::Value(k), Dialect::BooleanProgram) if k % 2 == 0 => {
                format!("'{}", NAMES[k - 3])
            }
            (Relation::Value(k), _) => format!("{}'", NAMES[k - 3]),
            (Relation::Not(inner), _) => format!("!{}", inner.show(dialect)),
            (Relation::Two(sign, left, right), _) => {
                let sign = match sign {
                    '&' => "&&",
                    '|' => "||",
                    '=' => "==",
                    _ => "!=",
                };
                format!("({} {sign} {})", left.show(dialect), right.show(dialect))
            }
        }
    }
}

/// Which pairs are reached: bits 0 to 2 of the index are the state before, 3 to 5 the one after.
fn reached(dialect: Dialect, statement: &str) -> Vec<bool> {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let pair = |state: u32| {
        let literal =
            |k: usize, name: &str| format!("{}{name}", if state >> k & 1 == 1 { "" } else { "!" });
        let parts: Vec<String> = ["oa", "ob", "oc", "a", "b", "c"]
            .iter()
            .enumerate()
            .map(|(k, name)| literal(k, name))
            .collect();
        let not = format!("!({})", parts.join(" && "));
        let source = match dialect {
            Dialect::BooleanProgram => {
                format!(
                    "decl a, b, c;\nvoid main() begin\n decl oa, ob, oc;\n oa, ob, oc := a, b, c;\n {statement}\n assert({not});\nend"
                )
            }
            _ => {
                format!(
                    "bool a, b, c;\nmodule void main() {{\n bool oa, ob, oc;\n oa = a, ob = b, oc = c;\n {statement}\n assert({not});\n}}"
                )
            }
        };
        let (mut session, diagnostics) = Session::load(&source, &requested);
        assert!(session.program().is_some(), "{diagnostics:?}\n{source}");
        session.start(Task::Check, Budgets::default());
        session.run();
        match session.outcome() {
            Outcome::Safe => false,
            Outcome::Unsafe => true,
            other => panic!("{other:?}\n{source}"),
        }
    };
    (0..64).map(pair).collect()
}

#[test]
fn constraints_behind_assignments() {
    for seed in 0..12 {
        let bits = &mut Random::new(seed);
        let (value, constraint) = (random(1, 6, bits), random(3, 6, bits));
        let statement = format!(
            "a, b := *, {} constrain {};",
            value.show(Dialect::BooleanProgram),
            constraint.show(Dialect::BooleanProgram)
        );
        let allowed = |state: u32| {
            let (before, after) = (state & 7, state >> 3);
            before >> 2 == after >> 2
                && (after >> 1 & 1 == 1) == value.holds(state)
                && constraint.holds(state)
        };
        let expected: Vec<bool> = (0..64).map(allowed).collect();
        assert_eq!(reached(Dialect::BooleanProgram, &statement), expected, "{statement}");
    }
}

#[test]
fn relations_of_guards() {
    for seed in 100..112 {
        let relation = random(3, 6, &mut Random::new(seed));
        let statement = format!("skip ({});", relation.show(Dialect::Remopla));
        let allowed = |state: u32| {
            let kept =
                |k: usize| relation.mentions(k + 3) || state >> k & 1 == state >> (k + 3) & 1;
            (0..3).all(kept) && relation.holds(state)
        };
        let expected: Vec<bool> = (0..64).map(allowed).collect();
        assert_eq!(reached(Dialect::Remopla, &statement), expected, "{statement}");
    }
}

/// `schoose [p, n]`: T where p, else F where n, else either.
#[test]
fn schoose() {
    let allowed = |state: u32| {
        let (p, n) = (state >> 1 & 1 == 1, state >> 2 & 1 == 1);
        let chosen = if p {
            Some(true)
        } else if n {
            Some(false)
        } else {
            None
        };
        (state >> 1 & 3) == (state >> 4 & 3)
            && chosen.is_none_or(|value| value == (state >> 3 & 1 == 1))
    };
    let expected: Vec<bool> = (0..64).map(allowed).collect();
    assert_eq!(reached(Dialect::BooleanProgram, "a := schoose [b, c];"), expected);
}

/// Several results, in their order.
#[test]
fn results_and_parallel_assignment() {
    let expected: Vec<bool> =
        (0..64u32).map(|state| (state >> 3) == (state >> 1 & 3 | (state & 1) << 2)).collect();
    assert_eq!(reached(Dialect::BooleanProgram, "a, b, c := b, c, a;"), expected);
    assert_eq!(reached(Dialect::Remopla, "a = b, b = c, c = a;"), expected);
    let text = |not: &str| {
        format!(
            "decl a, b, c;\nbool<3> turn(x, y, z) begin\n return y, z, x;\nend\nvoid main() begin\n decl oa, ob, oc;\n oa, ob, oc := a, b, c;\n a, b, c := turn(a, b, c);\n assert({not});\nend"
        )
    };
    let requested =
        RequestedOptions { dialect: Some(Dialect::BooleanProgram), ..RequestedOptions::default() };
    for (not, expected) in [
        ("a = ob & b = oc & c = oa", Outcome::Safe),
        ("a = ob & b = oc & c != oa", Outcome::Unsafe),
    ] {
        let (mut session, diagnostics) = Session::load(&text(not), &requested);
        assert!(session.program().is_some(), "{diagnostics:?}\n{}", text(not));
        session.start(Task::Check, Budgets::default());
        session.run();
        assert_eq!(session.outcome(), expected);
    }
}
