//! The atoms from which the text of a predicate is made.

use rustc_hash::FxHashSet;

use super::formula::Literal;
use super::{NamedScalar, SEARCH_STEPS, values, within};
use crate::bdd::{Bdd, BitVector, Manager, Var};
use crate::util::limits::Bounded;

/// The most classes of values of a scalar. If more values behave differently, they make no atoms.
const MAX_CLASSES: usize = 8;
/// The most scalars of which pairs are formed; triples are formed of fewer scalars.
const MAX_IN_PAIRS: usize = 8;
const MAX_IN_TRIPLES: usize = 5;
/// Kernel steps for the atoms of one scalar, and for those of one pair.
const SCALAR_STEPS: u64 = 50_000;
const PAIR_STEPS: u64 = 30_000;

/// Atoms in both polarities; `positive[k]` and `negative[k]` are each other's negation.
#[derive(Default)]
pub(super) struct Atoms {
    pub(super) positive: Vec<Literal>,
    pub(super) negative: Vec<Literal>,
    known: FxHashSet<Bdd>,
}

impl Atoms {
    /// The program's own atoms over the predicate's variables come first, then the atoms that each
    /// variable suggests.
    pub(super) fn of_each(
        manager: &mut Manager,
        predicate: Bdd,
        relevant: &[&NamedScalar],
        own: &[(String, Bdd)],
    ) -> Atoms {
        let mut atoms = Atoms::default();
        let named: Vec<Var> = relevant.iter().flat_map(|s| s.bits.iter().copied()).collect();
        for (text, holds) in own {
            if manager.support(*holds).iter().all(|v| named.contains(v)) {
                let (text, negated) = with_negation(text);
                atoms.push(text, negated, *holds);
            }
        }
        let (truths, numbers): (Vec<&NamedScalar>, Vec<&NamedScalar>) =
            relevant.iter().copied().partition(|s| s.scalar.boolean);
        for scalar in truths.into_iter().chain(numbers) {
            within(manager, SCALAR_STEPS, |m| atoms.about_scalar(m, predicate, scalar));
        }
        atoms
    }

    /// Adds the atoms that a further predicate suggests for each variable.
    pub(super) fn also_of(
        &mut self,
        manager: &mut Manager,
        predicate: Bdd,
        relevant: &[&NamedScalar],
    ) {
        for scalar in relevant {
            within(manager, SCALAR_STEPS, |m| self.about_scalar(m, predicate, scalar));
        }
    }

    /// Adds what pairs and triples of variables suggest. Suggestions whose diagrams grow large
    /// (comparisons of variables that lie far apart in the order) are left out.
    pub(super) fn relate(
        &mut self,
        manager: &mut Manager,
        predicate: Bdd,
        relevant: &[&NamedScalar],
    ) {
        let (truths, numbers): (Vec<&NamedScalar>, Vec<&NamedScalar>) =
            relevant.iter().copied().partition(|s| s.scalar.boolean);
        let until = manager.steps() + SEARCH_STEPS;
        for few in [truths, numbers].iter().map(|kind| &kind[..kind.len().min(MAX_IN_PAIRS)]) {
            for (k, x) in few.iter().enumerate() {
                for y in few[k + 1..].iter().filter(|y| y.scalar == x.scalar) {
                    if manager.steps() > until {
                        break;
                    }
                    within(manager, PAIR_STEPS, |m| self.about_order(m, x, y));
                    if x.is_number() && y.is_number() {
                        within(manager, PAIR_STEPS, |m| self.about_equations(m, predicate, x, y));
                    }
                }
            }
        }
        if relevant.len() <= MAX_IN_TRIPLES && manager.steps() <= until {
            let numbers: Vec<&NamedScalar> =
                relevant.iter().copied().filter(|x| x.is_number()).collect();
            for x in &numbers {
                within(manager, PAIR_STEPS, |m| self.about_sums(m, predicate, x, &numbers));
            }
        }
        // An atom that is much larger than the predicate does not help to describe it, and makes
        // the search slow.
        let large = 4 * manager.node_count(predicate) + 256;
        self.positive.retain(|atom| manager.node_count(atom.holds) <= large);
        self.negative.retain(|atom| manager.node_count(atom.holds) <= large);
    }

    fn push(&mut self, text: String, negated: String, holds: Bdd) {
        if !holds.is_constant() && !self.known.contains(&holds) && !self.known.contains(&!holds) {
            self.known.insert(holds);
            self.positive.push(Literal { text, holds });
            self.negative.push(Literal { text: negated, holds: !holds });
        }
    }

    /// A value set, if both it and its complement have a text.
    fn push_set(&mut self, manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<()> {
        let inside = values::describe(manager, set, scalar, values::SHORT_LIST)?;
        let outside = values::describe(manager, !set, scalar, values::SHORT_LIST)?;
        if let (Some(inside), Some(outside)) = (inside, outside) {
            self.push(inside.text, outside.text, set);
        }
        Ok(())
    }

    fn about_scalar(
        &mut self,
        manager: &mut Manager,
        predicate: Bdd,
        scalar: &NamedScalar,
    ) -> Bounded<()> {
        let lowest = manager.var(scalar.bits[0])?;
        self.push_set(manager, lowest, scalar)?;
        if scalar.scalar.boolean {
            return Ok(());
        }
        let is_number = scalar.is_number();
        if scalar.scalar.signed {
            let sign = manager.var(scalar.bits[scalar.bits.len() - 1])?;
            self.push_set(manager, sign, scalar)?;
        }
        for class in classes(manager, predicate, scalar)?.unwrap_or_default() {
            self.push_set(manager, class.values, scalar)?;
        }
        // Takes what the predicate, and what its complement, implies about this scalar alone.
        let others: Vec<Var> =
            manager.support(predicate).into_iter().filter(|v| !scalar.bits.contains(v)).collect();
        let others = manager.var_set(&others);
        for side in [predicate, !predicate] {
            let projection = manager.exists(side, others)?;
            if projection.is_constant() {
                continue;
            }
            self.push_set(manager, projection, scalar)?;
            for bound in values::bounding_sets(manager, projection, scalar)? {
                self.push_set(manager, bound, scalar)?;
            }
            if !is_number {
                continue;
            }
            if let Some(congruence) = values::congruence(manager, projection, scalar)? {
                let negated = congruence.text.replacen(" = ", " ≠ ", 1);
                self.push(congruence.text, negated, congruence.holds);
            }
        }
        Ok(())
    }

    fn about_order(
        &mut self,
        manager: &mut Manager,
        x: &NamedScalar,
        y: &NamedScalar,
    ) -> Bounded<()> {
        let (a, b) = (x.vector(manager)?, y.vector(manager)?);
        let (x_name, y_name) = (&x.name, &y.name);
        let equal = a.equal(manager, &b)?;
        if x.values.is_some() && x.values != y.values {
            return Ok(());
        }
        self.push(format!("{x_name} = {y_name}"), format!("{x_name} ≠ {y_name}"), equal);
        if !x.is_number() {
            return Ok(());
        }
        let (a_number, b_number) = (x.number(manager)?, y.number(manager)?);
        let less = a_number.signed_less(manager, &b_number)?;
        self.push(format!("{x_name} < {y_name}"), format!("{y_name} ≤ {x_name}"), less);
        let greater = b_number.signed_less(manager, &a_number)?;
        self.push(format!("{y_name} < {x_name}"), format!("{x_name} ≤ {y_name}"), greater);
        let parity = manager.xor(a.bits()[0], b.bits()[0])?;
        self.push(format!("{x_name} + {y_name} odd"), format!("{x_name} + {y_name} even"), parity);
        Ok(())
    }

    /// Sum and difference modulo 2^width, where the predicate or its complement fixes them.
    fn about_equations(
        &mut self,
        manager: &mut Manager,
        predicate: Bdd,
        x: &NamedScalar,
        y: &NamedScalar,
    ) -> Bounded<()> {
        let (a, b) = (x.vector(manager)?, y.vector(manager)?);
        let (x_name, y_name, modulus) = (&x.name, &y.name, modulus_text(&[x, y]));
        let (sum, difference) = (a.add(manager, &b)?, a.sub(manager, &b)?);
        for side in [predicate, !predicate] {
            if let Some(c) = constant_under(manager, side, &sum)? {
                let holds = sum.equal_constant(manager, c)?;
                let shown = if x.scalar.signed && modulus.is_empty() {
                    x.scalar.show(c)
                } else {
                    c.to_string()
                };
                let text =
                    |relation: &str| format!("{x_name} + {y_name} {relation} {shown}{modulus}");
                self.push(text("="), text("≠"), holds);
            }
            if let Some(c) = constant_under(manager, side, &difference)? {
                let holds = difference.equal_constant(manager, c)?;
                let right = plus(y_name, c, x);
                let text = |relation: &str| format!("{x_name} {relation} {right}{modulus}");
                self.push(text("="), text("≠"), holds);
            }
        }
        Ok(())
    }

    /// y + z = x + c, for a constant c, where the predicate or its complement implies it. The two
    /// that are added are in the order of the program.
    fn about_sums(
        &mut self,
        manager: &mut Manager,
        predicate: Bdd,
        x: &NamedScalar,
        relevant: &[&NamedScalar],
    ) -> Bounded<()> {
        let peers: Vec<&&NamedScalar> =
            relevant.iter().filter(|s| s.scalar == x.scalar && s.name != x.name).collect();
        let value = x.vector(manager)?;
        for (k, y) in peers.iter().enumerate() {
            for z in &peers[k..] {
                let (a, b) = (y.vector(manager)?, z.vector(manager)?);
                // If the sum's lowest bit is not fixed, no constant fits.
                let low = manager.xor(a.bits()[0], b.bits()[0])?;
                let low = manager.xor(low, value.bits()[0])?;
                for side in [predicate, !predicate] {
                    if !manager.is_subset(side, low)? && !manager.disjoint(side, low)? {
                        continue;
                    }
                    let sum = a.add(manager, &b)?;
                    let offset = sum.sub(manager, &value)?;
                    let Some(c) = constant_under(manager, side, &offset)? else { continue };
                    let holds = offset.equal_constant(manager, c)?;
                    let right = plus(&x.name, c, x);
                    let modulus = modulus_text(&[x, y, z]);
                    let text = |relation: &str| {
                        format!("{} + {} {relation} {right}{modulus}", y.name, z.name)
                    };
                    self.push(text("="), text("≠"), holds);
                }
            }
        }
        Ok(())
    }
}

/// " (mod 16)" behind an equality of sums. Nothing where the sums of all of these wrap.
fn modulus_text(scalars: &[&NamedScalar]) -> String {
    match scalars.iter().all(|scalar| scalar.wraps) {
        true => String::new(),
        false => format!(" (mod {})", 1u128 << scalars[0].scalar.width),
    }
}

/// "y + 3", "y - 1", "y": the shorter way to a number modulo 2^width.
fn plus(name: &str, c: u64, scalar: &NamedScalar) -> String {
    let (modulus, c) = (1u128 << scalar.scalar.width, u128::from(c));
    match c {
        0 => name.to_string(),
        c if c <= modulus / 2 => format!("{name} + {c}"),
        c => format!("{name} - {}", modulus - c),
    }
}

/// The vector's value if it is the same wherever `side` holds.
fn constant_under(manager: &mut Manager, side: Bdd, vector: &BitVector) -> Bounded<Option<u64>> {
    let mut value = 0;
    for (k, bit) in vector.bits().iter().enumerate() {
        if manager.is_subset(side, *bit)? {
            value |= 1 << k;
        } else if !manager.disjoint(side, *bit)? {
            return Ok(None);
        }
    }
    Ok(Some(value))
}

/// Values of a scalar with the same rest of the predicate.
pub(super) struct Class {
    /// Over the scalar's bits.
    pub(super) values: Bdd,
    /// The predicate where the scalar has one of these values.
    pub(super) rest: Bdd,
}

/// The values of `scalar`, in classes: all values of a class leave the same rest of the predicate.
/// Returns `None` if there are too many classes.
pub(super) fn classes(
    manager: &mut Manager,
    predicate: Bdd,
    scalar: &NamedScalar,
) -> Bounded<Option<Vec<Class>>> {
    let others: Vec<Var> =
        manager.support(predicate).into_iter().filter(|v| !scalar.bits.contains(v)).collect();
    let others = manager.var_set(&others);
    let mut classes = Vec::new();
    let mut unseen = Bdd::TRUE;
    while !unseen.is_false() {
        if classes.len() == MAX_CLASSES {
            return Ok(None);
        }
        let value = manager.pick(unseen, &scalar.bits).expect("some value is unseen");
        let literals: Vec<(Var, bool)> = scalar.bits.iter().copied().zip(value).collect();
        let rest = manager.cofactor(predicate, &literals)?;
        let same = manager.iff(predicate, rest)?;
        let values = manager.forall(same, others)?;
        unseen = manager.difference(unseen, values)?;
        classes.push(Class { values, rest });
    }
    Ok(Some(classes))
}

/// A text of the program and its negation, both in a form that a connective can join.
fn with_negation(text: &str) -> (String, String) {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '[' || c == ']';
    if text.chars().all(word) {
        return (text.to_string(), format!("¬{text}"));
    }
    let pairs = [
        ("==", "=", "≠"),
        ("!=", "≠", "="),
        ("<=", "≤", ">"),
        (">=", "≥", "<"),
        ("<", "<", "≥"),
        (">", ">", "≤"),
    ];
    let parts: Vec<&str> = text.split(' ').collect();
    let compound = ["&&", "||", "!(", "?", "∧", "∨", "¬", "->", "→"]
        .iter()
        .any(|operator| text.contains(operator));
    let found: Vec<_> = parts
        .iter()
        .enumerate()
        .filter_map(|(k, p)| pairs.iter().find(|pair| pair.0 == *p).map(|pair| (k, pair)))
        .collect();
    if let ([(place, (_, same, opposite))], false) = (&found[..], compound) {
        let with = |operator: &str| {
            let mut parts = parts.clone();
            parts[*place] = operator;
            parts.join(" ")
        };
        return (with(same), with(opposite));
    }
    (format!("({text})"), format!("¬({text})"))
}
