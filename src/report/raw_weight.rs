//! Weights of raw systems in words. No other module knows how the weights of each domain are read.
//!
//! | weights | words |
//! | --- | --- |
//! | boolean | `true` |
//! | minpath | `7` |
//! | relation | `x' = x + 1 ∧ y' = 3`: a formula over the values before (x) and behind (x') |
//! | affine | `y' = 3, x' = x + 1`: equalities that hold between them on every path; all others follow from these |
//! | constants | `x' = x + 1, y' = 3`, a variable that may have any value is left out |
//!
//! "No path" is `no path` in all of them.

use crate::bdd::Bdd;
use crate::encode::{RawAffine, RawConstants, RawRelations};
use crate::lang::model::Scalar;
use crate::readable::{NamedScalar, readable};
use crate::report::affine::equation;
use crate::semiring::affine::{AffineExpression, Coefficients, MatrixSpace};
use crate::semiring::{Boolean, ConstantValues, MinPath, PathLength, Semiring};
use num_bigint::BigInt;
use num_traits::Zero;

/// "0", in every domain.
const NO_PATH: &str = "no path";
/// The text of a weight that allows every effect.
const ANYTHING: &str = "any values";

/// A domain whose weights can be read.
pub trait InWords: Semiring {
    /// The weight as a text. It never fails: if a budget runs out, the text says less.
    fn in_words(&mut self, weight: &Self::Weight) -> String;
}

impl InWords for Boolean {
    fn in_words(&mut self, weight: &bool) -> String {
        if *weight { "true".to_string() } else { NO_PATH.to_string() }
    }
}

impl InWords for MinPath {
    fn in_words(&mut self, weight: &PathLength) -> String {
        weight.map_or(NO_PATH.to_string(), |length| length.to_string())
    }
}

impl InWords for RawRelations {
    fn in_words(&mut self, weight: &Bdd) -> String {
        if weight.is_false() {
            return NO_PATH.to_string();
        }
        if weight.is_true() {
            return ANYTHING.to_string();
        }
        let variables = self.stores.variables().to_vec();
        let named = |k: usize, name: String, bits| NamedScalar {
            name,
            scalar: Scalar::int(variables[k].bits as u8, false),
            bits,
            values: None,
            wraps: false,
        };
        let behind = (0..variables.len())
            .map(|k| named(k, format!("{}'", variables[k].name), self.stores.new_levels(k)));
        let before =
            (0..variables.len()).map(|k| named(k, variables[k].name.clone(), self.stores.old(k)));
        let scalars: Vec<NamedScalar> = behind.chain(before).collect();
        let found = readable(&mut self.relations.kernel, *weight, &scalars, &[]);
        if found.exact { found.text } else { format!("{} pairs of stores", found.stores.short()) }
    }
}

impl<C: Coefficients> InWords for RawAffine<C> {
    fn in_words(&mut self, weight: &MatrixSpace<C>) -> String {
        if self.is_zero(weight) {
            return NO_PATH.to_string();
        }
        let Ok(equalities) = self.affine.transitions(weight) else {
            return "equalities that are too large".to_string();
        };
        let behind = self.names.iter().rev().map(|name| format!("{name}'"));
        let names: Vec<String> = behind.chain(self.names.iter().rev().cloned()).collect();
        let sentence = |row: &Vec<C::Number>| {
            let mut numbers = self.affine.ring().readable(row);
            let constant = -numbers.pop().unwrap_or_default();
            let terms: Vec<(&str, BigInt)> = names
                .iter()
                .map(String::as_str)
                .zip(numbers)
                .filter(|(_, factor)| !factor.is_zero())
                .collect();
            equation(&terms, &constant)
        };
        let sentences: Vec<String> = equalities.rows().iter().map(sentence).collect();
        if sentences.is_empty() { ANYTHING.to_string() } else { sentences.join(", ") }
    }
}

impl InWords for RawConstants {
    fn in_words(&mut self, weight: &ConstantValues) -> String {
        let Some(values) = weight else { return NO_PATH.to_string() };
        let sentence = |(name, value): (&String, &Option<AffineExpression>)| {
            let value = value.as_ref()?;
            let new = format!("{name}'");
            let negated = value
                .terms
                .iter()
                .map(|(variable, factor)| (self.names[*variable].as_str(), -factor));
            let terms: Vec<(&str, BigInt)> =
                std::iter::once((new.as_str(), BigInt::from(1))).chain(negated).collect();
            Some(equation(&terms, &value.constant))
        };
        let known: Vec<String> = self.names.iter().zip(values).filter_map(sentence).collect();
        if known.is_empty() { ANYTHING.to_string() } else { known.join(", ") }
    }
}
