//! Random procedures alone with random contracts, against executing them on all arguments within
//! the bounds. The evaluator here shares no code with the engine.

use super::checked;
use faultline::session::Outcome;

/// Most elements, and the bits of `int`.
const ELEMENTS: usize = 2;
const BITS: u32 = 3;

/// A generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// A number of the body: it wraps.
enum Term {
    X,
    N,
    R,
    Constant(i64),
    /// `a[i]` in the loop, `a[0]` outside.
    Element,
    Sum(Box<Term>, Box<Term>),
    Difference(Box<Term>, Box<Term>),
}

/// The run leaves the array.
struct Outside;

struct Store {
    x: i64,
    a: Vec<i64>,
    r: i64,
    i: usize,
}

fn wrapped(n: i64) -> i64 {
    let half = 1 << (BITS - 1);
    (n + half).rem_euclid(2 * half) - half
}

impl Term {
    fn any(random: &mut Random, depth: u32) -> Term {
        let pair = |random: &mut Random| {
            (Box::new(Term::any(random, depth - 1)), Box::new(Term::any(random, depth - 1)))
        };
        match random.below(if depth == 0 { 7 } else { 10 }) {
            0 | 1 => Term::X,
            2 => Term::N,
            3 | 4 => Term::R,
            5 => Term::Constant(random.below(5) as i64 - 2),
            6 => Term::Element,
            7 | 8 => {
                let (l, r) = pair(random);
                Term::Sum(l, r)
            }
            _ => {
                let (l, r) = pair(random);
                Term::Difference(l, r)
            }
        }
    }

    fn text(&self, inside: bool) -> String {
        match self {
            Term::X => "x".into(),
            Term::N => "n".into(),
            Term::R => "r".into(),
            Term::Constant(n) => format!("({n})"),
            Term::Element => if inside { "a[i]" } else { "a[0]" }.into(),
            Term::Sum(l, r) => format!("({} + {})", l.text(inside), r.text(inside)),
            Term::Difference(l, r) => format!("({} - {})", l.text(inside), r.text(inside)),
        }
    }

    fn value(&self, store: &Store) -> Result<i64, Outside> {
        Ok(match self {
            Term::X => store.x,
            Term::N => store.a.len() as i64,
            Term::R => store.r,
            Term::Constant(n) => *n,
            Term::Element => *store.a.get(store.i).ok_or(Outside)?,
            Term::Sum(l, r) => wrapped(l.value(store)? + r.value(store)?),
            Term::Difference(l, r) => wrapped(l.value(store)? - r.value(store)?),
        })
    }
}

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

fn compared(op: usize, l: i64, r: i64) -> bool {
    match op {
        0 => l < r,
        1 => l <= r,
        2 => l > r,
        3 => l >= r,
        4 => l == r,
        _ => l != r,
    }
}

/// `if (l op r) r = value;`
struct Step {
    op: usize,
    left: Term,
    right: Term,
    value: Term,
}

impl Step {
    fn any(random: &mut Random) -> Step {
        Step {
            op: random.below(6) as usize,
            left: Term::any(random, 1),
            right: Term::any(random, 0),
            value: Term::any(random, 1),
        }
    }

    fn text(&self, inside: bool) -> String {
        let [left, right, value] =
            [&self.left, &self.right, &self.value].map(|term| term.text(inside));
        format!("if ({left} {} {right}) r = {value};", COMPARISONS[self.op])
    }

    fn run(&self, store: &mut Store) -> Result<(), Outside> {
        if compared(self.op, self.left.value(store)?, self.right.value(store)?) {
            store.r = self.value.value(store)?;
        }
        Ok(())
    }
}

/// What `ensures` says of the result: numbers do not wrap there.
enum Promise {
    /// `\result op x + n + constant`
    Sum(i64),
    /// `\forall integer i; 0 <= i < n ==> \result op a[i] + constant`
    All(i64),
    /// `\exists integer i; 0 <= i < n && \result op a[i]`, or `n == 0`.
    Some,
}

struct Procedure {
    start: i64,
    before: Option<Step>,
    inside: Step,
    op: usize,
    promise: Promise,
    /// `requires x op constant`
    requires: (usize, i64),
}

impl Procedure {
    fn any(random: &mut Random) -> Procedure {
        let constant = |random: &mut Random| random.below(5) as i64 - 2;
        Procedure {
            start: constant(random),
            before: (random.below(3) == 0).then(|| Step::any(random)),
            inside: Step::any(random),
            op: random.below(6) as usize,
            promise: match random.below(3) {
                0 => Promise::Sum(constant(random)),
                1 => Promise::All(constant(random)),
                _ => Promise::Some,
            },
            requires: (random.below(6) as usize, constant(random)),
        }
    }

    fn text(&self) -> String {
        let op = COMPARISONS[self.op];
        let promise = match self.promise {
            Promise::Sum(c) => format!("\\result {op} x + n + ({c})"),
            Promise::All(c) => {
                format!("\\forall integer i; 0 <= i < n ==> \\result {op} a[i] + ({c})")
            }
            Promise::Some => {
                format!("n == 0 || (\\exists integer i; 0 <= i < n && \\result {op} a[i])")
            }
        };
        let before = self.before.as_ref().map_or(String::new(), |step| step.text(false));
        let (of_x, constant) = (COMPARISONS[self.requires.0], self.requires.1);
        format!(
            "//! bits = {BITS}\n//! array = {ELEMENTS}\n/*@ requires x {of_x} ({constant});\n  @ \
             ensures {promise};\n  @*/\nint f(int x, int a[], int n) {{\n  int r = {};\n  {before}\n  \
             for (int i = 0; i < n; i++) {{ {} }}\n  return r;\n}}\n",
            self.start,
            self.inside.text(true)
        )
    }

    /// Does a run with these arguments fail?
    fn fails(&self, x: i64, a: &[i64]) -> bool {
        if !compared(self.requires.0, x, self.requires.1) {
            return false;
        }
        let mut store = Store { x, a: a.to_vec(), r: self.start, i: 0 };
        if self.before.as_ref().is_some_and(|step| step.run(&mut store).is_err()) {
            return true;
        }
        for i in 0..a.len() {
            store.i = i;
            if self.inside.run(&mut store).is_err() {
                return true;
            }
        }
        let r = store.r;
        !match self.promise {
            Promise::Sum(c) => compared(self.op, r, x + a.len() as i64 + c),
            Promise::All(c) => a.iter().all(|one| compared(self.op, r, one + c)),
            Promise::Some => a.is_empty() || a.iter().any(|one| compared(self.op, r, *one)),
        }
    }

    fn can_fail(&self) -> bool {
        let numbers = || -(1i64 << (BITS - 1))..1 << (BITS - 1);
        numbers().any(|x| {
            self.fails(x, &[])
                || numbers().any(|one| {
                    self.fails(x, &[one]) || numbers().any(|two| self.fails(x, &[one, two]))
                })
        })
    }
}

#[test]
fn random_procedures_alone_against_all_their_arguments() {
    let mut random = Random(0x5eed_0f5e);
    let (mut safe, mut failing) = (0, 0);
    for number in 0..300 {
        let procedure = Procedure::any(&mut random);
        let text = procedure.text();
        let expected = match procedure.can_fail() {
            true => Outcome::Unsafe,
            false => Outcome::Safe,
        };
        let (found, _) = checked("random", &text, &[]);
        assert_eq!(found, expected, "procedure {number}:\n{text}");
        match expected {
            Outcome::Safe => safe += 1,
            _ => failing += 1,
        }
    }
    assert!(safe >= 10 && failing >= 100, "{safe} safe, {failing} failing");
}
