//! The effect of all runs of a raw system together on its integer variables, computed in small
//! steps.

use crate::analysis::raw_total::RawTotal;
use crate::bdd::KernelLimits;
use crate::encode::{RawAffine, RawConstants, RawDomain, raw_domain};
use crate::lang::raw::RawSystem;
use crate::pds::Plain;
use crate::semiring::affine::{MatrixSpace, Modular, Rationals};
use crate::semiring::{ConstantValues, Semiring};
use crate::util::{Bounded, Limit};

/// The combine of the weights of all runs into the target, over affine relations or constants.
pub struct Totals {
    total: Bounded<Total>,
    done: bool,
}

enum Total {
    Rational(Box<RawTotal<RawAffine<Rationals>>>),
    Modular(Box<RawTotal<RawAffine<Modular>>>),
    Constants(Box<RawTotal<RawConstants>>),
}

/// A weight with its domain.
pub enum TotalWeight {
    /// Affine relations of integers that never wrap.
    Rational(RawAffine<Rationals>, MatrixSpace<Rationals>),
    /// Affine relations modulo 2^w.
    Modular(RawAffine<Modular>, MatrixSpace<Modular>),
    /// Constants. Results are safe, but not exact.
    Constants(RawConstants, ConstantValues),
}

impl Totals {
    /// Prepares the computation. Returns `None` if the system's weights are of another kind.
    pub(super) fn of(system: &RawSystem, max_nodes: u64, max_steps: u64) -> Option<Totals> {
        let total = match raw_domain(system, KernelLimits { max_nodes, max_steps }) {
            Ok(RawDomain::Rational(domain)) => RawTotal::new(system, domain, max_nodes, max_steps)
                .map(|total| Total::Rational(total.into())),
            Ok(RawDomain::Modular(domain)) => RawTotal::new(system, domain, max_nodes, max_steps)
                .map(|total| Total::Modular(total.into())),
            Ok(RawDomain::Constants(domain)) => RawTotal::new(system, domain, max_nodes, max_steps)
                .map(|total| Total::Constants(total.into())),
            Ok(_) => return None,
            Err(limit) => Err(limit),
        };
        Some(Totals { done: total.is_err(), total })
    }

    pub(super) fn step(&mut self) {
        let stepped = match &mut self.total {
            Ok(Total::Rational(total)) => total.step(),
            Ok(Total::Modular(total)) => total.step(),
            Ok(Total::Constants(total)) => total.step(),
            Err(_) => Ok(true),
        };
        match stepped {
            Ok(done) => self.done = done,
            Err(limit) => {
                self.total = Err(limit);
                self.done = true;
            }
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The contradiction, if post\* and pre\* give different weights.
    pub(super) fn fault(&self) -> Option<String> {
        let contradicted = match &self.total {
            Ok(Total::Rational(total)) => total.is_contradicted(),
            Ok(Total::Modular(total)) => total.is_contradicted(),
            Ok(Total::Constants(total)) => total.is_contradicted(),
            Err(_) => false,
        };
        contradicted.then(|| "post* and pre* give different weights".to_string())
    }

    /// The weight, once it is known, or the limit that ended the search. (It comes with its own
    /// domain, which can give its words.)
    pub fn weight(&self) -> Bounded<Option<TotalWeight>> {
        fn of<S: Semiring + Clone>(total: &RawTotal<S>) -> Option<(S, S::Weight)> {
            let Plain { semiring, .. } = &total.domain;
            Some((semiring.clone(), total.total()?.clone()))
        }
        match &self.total {
            Ok(Total::Rational(total)) => {
                Ok(of(total).map(|(domain, weight)| TotalWeight::Rational(domain, weight)))
            }
            Ok(Total::Modular(total)) => {
                Ok(of(total).map(|(domain, weight)| TotalWeight::Modular(domain, weight)))
            }
            Ok(Total::Constants(total)) => {
                Ok(of(total).map(|(domain, weight)| TotalWeight::Constants(domain, weight)))
            }
            Err(limit) => Err(*limit),
        }
    }

    /// The limit that ended the search.
    pub fn limit(&self) -> Option<Limit> {
        self.total.as_ref().err().copied()
    }
}
