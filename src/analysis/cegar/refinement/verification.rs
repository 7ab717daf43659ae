//! The interpolants of a round, proved obligation by obligation.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::check::{Claim, Obligation, obligations};
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::interpolants::{Family, Interpolants};
use crate::util::Bounded;
use std::rc::Rc;

/// A verification in progress.
pub(in crate::analysis) struct Verification {
    extracted: Rc<Extracted>,
    interpolants: Rc<Interpolants>,
    /// The obligations of one family.
    obligations: Vec<Obligation>,
    /// How many obligations were looked at, all families together.
    done: usize,
}

/// The result of one step.
pub(in crate::analysis) enum Verified {
    /// One more obligation holds.
    Holds,
    /// This obligation does not hold.
    Broken(Obligation),
    /// All obligations hold. These may be used.
    All(Rc<Extracted>, Rc<Interpolants>),
}

impl Verification {
    /// Prepares the obligations of every family.
    pub(in crate::analysis) fn new(
        extracted: Rc<Extracted>,
        interpolants: Rc<Interpolants>,
    ) -> Verification {
        let obligations = obligations(&extracted.dag);
        Verification { extracted, interpolants, obligations, done: 0 }
    }

    /// Looks at one obligation.
    pub(in crate::analysis) fn step(&mut self, program: &mut AbstractProgram) -> Bounded<Verified> {
        let (family, obligation) =
            (self.done / self.obligations.len(), self.done % self.obligations.len());
        let Some((family, bound)) = claims(&self.interpolants).nth(family) else {
            let extracted = Rc::clone(&self.extracted);
            return Ok(Verified::All(extracted, Rc::clone(&self.interpolants)));
        };
        let obligation = self.obligations[obligation];
        self.done += 1;
        let AbstractProgram { domain, program, .. } = program;
        let (layout, frames) = (&domain.layout, &domain.frames);
        let (dag, strongest) = (&self.extracted.dag, &self.interpolants.strongest);
        let claim = Claim { program, layout, frames, dag, strongest, family, bound };
        let holds = claim.holds(&mut domain.kernel, obligation)?;
        Ok(if holds { Verified::Holds } else { Verified::Broken(obligation) })
    }
}

/// Every family with its bounds: strongest and weakest, if the weakest were asked for, then the
/// chosen ones.
fn claims(interpolants: &Interpolants) -> impl Iterator<Item = (&Family, &Family)> {
    let Interpolants { strongest, weakest, chosen, bounds, .. } = interpolants;
    let outer =
        [(strongest, weakest), (weakest, weakest)].into_iter().filter(|_| !weakest.is_empty());
    outer.chain(chosen.iter().zip(bounds))
}
