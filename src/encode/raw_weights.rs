//! The weights of raw systems. There is one domain for each kind, with a weight for each rule, and
//! with the names that a text of the weights needs.

use crate::bdd::{Bdd, BitVector, KernelLimits, Manager, Var};
use crate::lang::raw::transformer::{Comparison, Condition, Term, Transformer, linear};
use crate::lang::raw::{RawSystem, RawVariable, RawWeights};
use crate::pds::Plain;
use crate::semiring::affine::{
    Affine, AffineExpression, Coefficients, MatrixSpace, Modular, Rationals,
};
use crate::semiring::{
    Boolean, ConstantPropagation, ConstantValues, MinPath, Precision, Relations, Semiring,
};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;

/// The most bits of all variables of a relation together.
const MOST_BITS: u32 = 1_024;

/// The weights of a raw system.
pub enum RawDomain {
    /// No weights: is there a run?
    Boolean(Plain<Boolean>),
    /// The least sums.
    MinPath(Plain<MinPath>),
    /// The relations between stores.
    Relation(Box<Plain<RawRelations>>),
    /// Affine relations of integers that never wrap.
    Rational(Plain<RawAffine<Rationals>>),
    /// Affine relations modulo 2^w.
    Modular(Plain<RawAffine<Modular>>),
    /// Constants. Results are safe, but not exact.
    Constants(Plain<RawConstants>),
}

/// The domain of a system's weights, by rule. `limits` holds for decision diagrams;
/// `limits.max_steps` also limits multiplications of numbers.
pub fn raw_domain(system: &RawSystem, limits: KernelLimits) -> Bounded<RawDomain> {
    let most = limits.max_steps;
    Ok(match &system.weights {
        RawWeights::Boolean => {
            RawDomain::Boolean(Plain { semiring: Boolean, weights: vec![true; system.rules.len()] })
        }
        RawWeights::MinPath => {
            let weights = system.rules.iter().map(|rule| Some(u64::from(rule.weight))).collect();
            RawDomain::MinPath(Plain { semiring: MinPath, weights })
        }
        RawWeights::Relation(variables) => {
            let mut semiring = RawRelations::new(variables, limits)?;
            let weights = system
                .rules
                .iter()
                .map(|rule| semiring.transformer(&rule.effect))
                .collect::<Bounded<_>>()?;
            RawDomain::Relation(Box::new(Plain { semiring, weights }))
        }
        RawWeights::Affine { variables, modulo: None } => {
            RawDomain::Rational(RawAffine::of(system, variables, Rationals, most)?)
        }
        RawWeights::Affine { variables, modulo: Some(width) } => {
            RawDomain::Modular(RawAffine::of(system, variables, Modular::new(*width), most)?)
        }
        RawWeights::Constants(variables) => {
            let constants = ConstantPropagation::new(variables.len(), most);
            let weights = system
                .rules
                .iter()
                .map(|rule| constants.assign(&assignments(&rule.effect)))
                .collect();
            RawDomain::Constants(Plain {
                semiring: RawConstants { constants, names: variables.clone() },
                weights,
            })
        }
    })
}

/// The levels of named variables. For bit k of all variables, least significant first, the levels
/// are old, middle, new of the first variable, then of the next.
#[derive(Clone)]
pub struct RawStores {
    variables: Vec<RawVariable>,
    /// By variable, bit: `[old, middle, new]`.
    levels: Vec<Vec<[Var; 3]>>,
}

impl RawStores {
    /// The variables.
    pub fn variables(&self) -> &[RawVariable] {
        &self.variables
    }

    /// The levels of a variable's bits before, least significant first.
    pub fn old(&self, variable: usize) -> Vec<Var> {
        self.levels[variable].iter().map(|bit| bit[0]).collect()
    }

    /// The levels of a variable's bits behind.
    pub fn new_levels(&self, variable: usize) -> Vec<Var> {
        self.levels[variable].iter().map(|bit| bit[2]).collect()
    }

    /// A store as literals over the values before.
    pub fn before(&self, store: &[u64]) -> Vec<(Var, bool)> {
        let bits = |(levels, value): (&Vec<[Var; 3]>, &u64)| -> Vec<(Var, bool)> {
            levels.iter().enumerate().map(|(k, bit)| (bit[0], value >> k & 1 == 1)).collect()
        };
        self.levels.iter().zip(store).flat_map(bits).collect()
    }

    /// Some store in a set of stores over the values behind (or before, if not `behind`). Returns
    /// `None` if the set is empty.
    pub fn pick(&self, kernel: &Manager, set: Bdd, behind: bool) -> Option<Vec<u64>> {
        let place = if behind { 2 } else { 0 };
        let all: Vec<Var> = self.levels.iter().flatten().map(|bit| bit[place]).collect();
        let mut bits = kernel.pick(set, &all)?.into_iter();
        let value = |levels: &Vec<[Var; 3]>| {
            (0..levels.len()).fold(0, |value, k| value | u64::from(bits.next() == Some(true)) << k)
        };
        Some(self.levels.iter().map(value).collect())
    }
}

/// Relations between the stores of named variables.
pub struct RawRelations {
    /// The domain.
    pub relations: Relations,
    /// The variables.
    pub stores: RawStores,
}

impl RawRelations {
    /// The domain of relations between these variables. Error: [`Limit::Depth`] for more than 1,024
    /// bits together.
    pub fn new(variables: &[RawVariable], limits: KernelLimits) -> Bounded<RawRelations> {
        let bits: u32 = variables.iter().map(|variable| variable.bits).sum();
        if bits > MOST_BITS {
            return Err(Limit::Depth);
        }
        let mut levels: Vec<Vec<[Var; 3]>> = vec![Vec::new(); variables.len()];
        let mut all = Vec::new();
        for bit in 0..variables.iter().map(|variable| variable.bits).max().unwrap_or(0) {
            for (own, _) in
                levels.iter_mut().zip(variables).filter(|(_, variable)| bit < variable.bits)
            {
                let first = 3 * all.len() as u32;
                own.push([Var(first), Var(first + 1), Var(first + 2)]);
                all.push([Var(first), Var(first + 1), Var(first + 2)]);
            }
        }
        let kernel = Manager::new(3 * bits, limits)?;
        Ok(RawRelations {
            relations: Relations::new(kernel, all),
            stores: RawStores { variables: variables.to_vec(), levels },
        })
    }

    /// The relation of a transformer.
    pub fn transformer(&mut self, transformer: &Transformer) -> Bounded<Bdd> {
        let mut relation = Bdd::TRUE;
        for condition in &transformer.conditions {
            let holds = self.condition(condition)?;
            relation = self.relations.kernel.and(relation, holds)?;
        }
        let primed = transformer.primed();
        for variable in (0..self.stores.levels.len()).rev() {
            let value = match transformer
                .assigned
                .iter()
                .find(|(assigned, _)| *assigned as usize == variable)
            {
                Some((_, None)) => continue,
                Some((_, Some(term))) => self.term(term)?,
                None if primed.contains(&(variable as u32)) => continue,
                None => self.term(&Term::Old(variable as u32))?,
            };
            let behind = self.stores.new_levels(variable);
            let behind = BitVector::from_variables(&mut self.relations.kernel, &behind)?;
            let taken =
                behind.equal(&mut self.relations.kernel, &value.sign_extend(behind.width()))?;
            relation = self.relations.kernel.and(relation, taken)?;
        }
        Ok(relation)
    }

    fn condition(&mut self, condition: &Condition) -> Bounded<Bdd> {
        match condition {
            Condition::Compare(how, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                let width = left.width().max(right.width());
                let (left, right) = (left.sign_extend(width), right.sign_extend(width));
                let kernel = &mut self.relations.kernel;
                match how {
                    Comparison::Equal => left.equal(kernel, &right),
                    Comparison::NotEqual => left.not_equal(kernel, &right),
                    Comparison::Less => left.signed_less(kernel, &right),
                    Comparison::LessEqual => left.signed_less_equal(kernel, &right),
                    Comparison::Greater => right.signed_less(kernel, &left),
                    Comparison::GreaterEqual => right.signed_less_equal(kernel, &left),
                }
            }
            Condition::Not(inner) => Ok(!self.condition(inner)?),
            Condition::All(items) => {
                let items =
                    items.iter().map(|item| self.condition(item)).collect::<Bounded<Vec<_>>>()?;
                self.relations.kernel.and_all(&items)
            }
            Condition::Any(items) => {
                let items =
                    items.iter().map(|item| self.condition(item)).collect::<Bounded<Vec<_>>>()?;
                self.relations.kernel.or_all(&items)
            }
        }
    }

    /// The value of a term as a signed number that is wide enough for it. (The parser accepts only
    /// terms below 2^62.)
    fn term(&mut self, term: &Term) -> Bounded<BitVector> {
        match term {
            Term::Number(n) => {
                Ok(BitVector::from_bits((0..64).map(|k| Bdd::constant(n >> k & 1 == 1)).collect())
                    .sign_extend(width_of(*n)))
            }
            Term::Old(variable) | Term::New(variable) => {
                let place = if matches!(term, Term::Old(_)) { 0 } else { 2 };
                let levels: Vec<Var> = self
                    .stores
                    .levels
                    .get(*variable as usize)
                    .into_iter()
                    .flatten()
                    .map(|bit| bit[place])
                    .collect();
                let value = BitVector::from_variables(&mut self.relations.kernel, &levels)?;
                Ok(value.zero_extend(value.width() + 1))
            }
            Term::Sum(items) => {
                let mut sum = BitVector::constant(0, 1);
                for (minus, item) in items {
                    let item = self.term(item)?;
                    let width = (sum.width().max(item.width()) + 1).min(64);
                    let (left, right) = (sum.sign_extend(width), item.sign_extend(width));
                    let kernel = &mut self.relations.kernel;
                    sum =
                        if *minus { left.sub(kernel, &right)? } else { left.add(kernel, &right)? };
                }
                Ok(sum)
            }
            Term::Product(items) => {
                let mut product = BitVector::constant(1, 2);
                for item in items {
                    let item = self.term(item)?;
                    let width = (product.width() + item.width()).min(64);
                    let (left, right) = (product.sign_extend(width), item.sign_extend(width));
                    product = left.mul(&mut self.relations.kernel, &right)?;
                }
                Ok(product)
            }
        }
    }

    /// The same relation in another arena, with these limits.
    pub fn copy(&self, relation: Bdd, limits: KernelLimits) -> Bounded<(RawRelations, Bdd)> {
        let mut copy = RawRelations::new(&self.stores.variables, limits)?;
        let relation = copied(&self.relations.kernel, relation, &mut copy.relations.kernel)?;
        Ok((copy, relation))
    }
}

/// The same function in another arena with the same levels.
pub fn copied(from: &Manager, relation: Bdd, to: &mut Manager) -> Bounded<Bdd> {
    let mut known: FxHashMap<Bdd, Bdd> =
        FxHashMap::from_iter([(Bdd::TRUE, Bdd::TRUE), (Bdd::FALSE, Bdd::FALSE)]);
    let mut waiting = vec![relation];
    while let Some(f) = waiting.last().copied() {
        let Some((v, high, low)) = from.root(f).filter(|_| !known.contains_key(&f)) else {
            waiting.pop();
            continue;
        };
        let missing: Vec<Bdd> =
            [high, low].into_iter().filter(|part| !known.contains_key(part)).collect();
        if missing.is_empty() {
            let test = to.var(v)?;
            let same = to.ite(test, known[&high], known[&low])?;
            known.insert(f, same);
        }
        waiting.extend(missing);
    }
    Ok(known[&relation])
}

/// The number of bits of a signed number.
fn width_of(n: i64) -> u32 {
    64 - if n < 0 { (!n).leading_zeros() } else { n.leading_zeros() } + 1
}

impl Semiring for RawRelations {
    type Weight = Bdd;
    fn zero(&self) -> Bdd {
        self.relations.zero()
    }
    fn one(&mut self) -> Bounded<Bdd> {
        self.relations.one()
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.relations.combine(left, right)
    }
    fn extend(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.relations.extend(left, right)
    }
}

/// Affine relations among named variables.
#[derive(Clone)]
pub struct RawAffine<C: Coefficients> {
    /// The domain.
    pub affine: Affine<C>,
    /// Names of the variables.
    pub names: Vec<String>,
}

impl<C: Coefficients> RawAffine<C> {
    fn of(
        system: &RawSystem,
        names: &[String],
        ring: C,
        most: u64,
    ) -> Bounded<Plain<RawAffine<C>>> {
        let mut affine = Affine::new(ring, names.len(), most);
        let mut weights = Vec::with_capacity(system.rules.len());
        for rule in &system.rules {
            weights.push(if *rule.effect == Transformer::default() {
                affine.one()?
            } else {
                affine.assign(&assignments(&rule.effect))?
            });
        }
        Ok(Plain { semiring: RawAffine { affine, names: names.to_vec() }, weights })
    }
}

/// The assigned expressions. An expression that is not affine counts as any value.
fn assignments(effect: &Transformer) -> Vec<(usize, Option<AffineExpression>)> {
    let expression = |term: &Term| {
        let sum = linear(term)?;
        let terms =
            sum.terms.into_iter().map(|(variable, factor)| (variable as usize, factor)).collect();
        Some(AffineExpression { constant: sum.constant, terms })
    };
    effect
        .assigned
        .iter()
        .map(|(variable, term)| (*variable as usize, term.as_ref().and_then(expression)))
        .collect()
}

impl<C: Coefficients> Semiring for RawAffine<C> {
    type Weight = MatrixSpace<C>;
    fn zero(&self) -> MatrixSpace<C> {
        self.affine.zero()
    }
    fn one(&mut self) -> Bounded<MatrixSpace<C>> {
        self.affine.one()
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.affine.combine(left, right)
    }
    fn extend(&mut self, left: &MatrixSpace<C>, right: &MatrixSpace<C>) -> Bounded<MatrixSpace<C>> {
        self.affine.extend(left, right)
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
}

/// Constants among named variables.
#[derive(Clone)]
pub struct RawConstants {
    /// The domain.
    pub constants: ConstantPropagation,
    /// Names of the variables.
    pub names: Vec<String>,
}

impl Semiring for RawConstants {
    type Weight = ConstantValues;
    fn zero(&self) -> ConstantValues {
        self.constants.zero()
    }
    fn one(&mut self) -> Bounded<ConstantValues> {
        self.constants.one()
    }
    fn combine(
        &mut self,
        left: &ConstantValues,
        right: &ConstantValues,
    ) -> Bounded<ConstantValues> {
        self.constants.combine(left, right)
    }
    fn extend(&mut self, left: &ConstantValues, right: &ConstantValues) -> Bounded<ConstantValues> {
        self.constants.extend(left, right)
    }
    fn precision(&self) -> Precision {
        self.constants.precision()
    }
}
