//! A question about a program, ready to be searched: formula, automaton, product; and what makes a
//! lasso of its runs.

use super::product_search::FoundLasso;
use super::{LivenessQuestion, LivenessRefusal, Verdict};
use crate::analysis::liveness::atoms::NamedAtom;
use crate::analysis::liveness::automaton::Automaton;
use crate::analysis::liveness::fairness::fairly;
use crate::analysis::liveness::formula::AtomId;
use crate::analysis::liveness::lasso::{Violation, lasso};
use crate::analysis::liveness::parser::{Reading, parse, parse_named, termination};
use crate::analysis::liveness::product::{Counted, Product, Refused, TARGET, product, unending};
use crate::lang::model::Program;
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

/// What a formula can name beside variables and procedures.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    /// The labels of this text.
    Source(&'a str),
    /// These atoms, and no place: the program stands for a pushdown system.
    Atoms(&'a [NamedAtom]),
}

/// A question with its product.
pub(super) struct Prepared {
    /// No check of the product is an error by these.
    pub(super) options: EffectiveOptions,
    pub(super) reading: Reading,
    /// Of the negation, or of fair runs; `None` for termination without fairness.
    pub(super) automaton: Option<Automaton>,
    pub(super) product: Rc<Product>,
    pub(super) is_termination: bool,
    /// Do only runs count on which no choice is for ever the same?
    pub(super) fair: bool,
}

impl Prepared {
    /// Reads the question.
    pub(super) fn new(
        program: &Program,
        names: Names<'_>,
        options: &EffectiveOptions,
        question: &LivenessQuestion,
        fair: bool,
    ) -> Result<Prepared, LivenessRefusal> {
        let refused = |refused| match refused {
            Refused::Threads => LivenessRefusal::Threads,
            Refused::CalledMain => LivenessRefusal::CalledMain,
        };
        let is_termination = *question == LivenessQuestion::Termination;
        let reading = match question {
            LivenessQuestion::Termination => termination(),
            LivenessQuestion::Formula(text) => {
                let read = match names {
                    Names::Source(source) => parse(program, source, text),
                    Names::Atoms(atoms) => parse_named(program, atoms, text),
                };
                read.map_err(LivenessRefusal::Formula)?
            }
        };
        let mut violation = reading.formula.normal(false);
        if fair {
            violation = fairly(violation, reading.atoms.len() as AtomId);
        }
        let (automaton, product) = if is_termination && !fair {
            (None, unending(program).map_err(refused)?)
        } else {
            let automaton = Automaton::of(&violation).map_err(|_| LivenessRefusal::TooLarge)?;
            let counted = Counted { ended: !is_termination, fair };
            let product = product(program, &reading, &automaton, counted).map_err(refused)?;
            (Some(automaton), product)
        };
        let options =
            EffectiveOptions { error: Some(TARGET), open_width: false, ..options.clone() };
        let product = Rc::new(product);
        Ok(Prepared { options, reading, automaton, product, is_termination, fair })
    }

    /// Does no run at all satisfy the negation?
    pub(super) fn is_empty(&self) -> bool {
        self.automaton.as_ref().is_some_and(|automaton| automaton.states.is_empty())
    }

    /// The verdict of a lasso of the product, or of a part of it whose edges and locations have the
    /// same numbers.
    pub(super) fn replay(&self, program: &Program, found: &FoundLasso) -> Verdict {
        let FoundLasso { head, prefix, cycle } = found;
        let violation = Violation { is_endless: self.is_termination, is_fair: self.fair };
        let (product, reading) = (&self.product, &self.reading);
        match lasso(program, product, reading, head.location, prefix, cycle, violation) {
            Ok(lasso) => Verdict::Violated(Box::new(lasso)),
            Err(contradiction) => Verdict::Fault(contradiction),
        }
    }
}
