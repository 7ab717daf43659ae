//! The refinement loop for formulas and termination, with the searches that it asks for.

use super::Verdict;
use super::prepared::Prepared;
use super::product_search::{Answer, ProductSearch};
use crate::analysis::liveness::product::Product;
use crate::analysis::liveness::refinement::{Refinement, Turn};
use crate::bdd::KernelLimits;
use crate::lang::model::Program;
use crate::session::{Budgets, Proof};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

/// What a step comes to.
pub(super) enum Refined {
    /// There is more to do.
    NotYet,
    /// The answer.
    Over(Verdict),
}

/// The work under way.
enum Work {
    /// The loop itself.
    Loop,
    /// The search of an abstract product.
    Abstract(Box<ProductSearch>),
    /// The search of the part of the product that goes along a real lasso.
    Concrete(Box<ProductSearch>),
}

/// The loop, and the search under way.
pub(super) struct Refining {
    refinement: Refinement,
    work: Work,
    options: EffectiveOptions,
    budgets: Budgets,
    /// What is known of the last abstraction's ranking.
    proof: Proof,
    /// Kernel steps of the searches that are over.
    searched: u64,
    alarm: Option<Alarm>,
}

impl Refining {
    pub(super) fn new(
        program: &Program,
        question: &Prepared,
        budgets: Budgets,
        max_rounds: u32,
        alarm: Option<Alarm>,
    ) -> Bounded<Refining> {
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let product = Rc::clone(&question.product);
        let mut refinement = Refinement::new(program, product, limits, max_rounds)?;
        refinement.set_alarm(alarm.clone());
        let options = question.options.clone();
        let (work, proof) = (Work::Loop, Proof::Checked);
        Ok(Refining { refinement, work, options, budgets, proof, searched: 0, alarm })
    }

    pub(super) fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    pub(super) fn refinement_mut(&mut self) -> &mut Refinement {
        &mut self.refinement
    }

    /// Rounds of the loop, and steps of all kernels.
    pub(super) fn statistics(&self) -> (u64, u64) {
        (self.refinement.rounds().len() as u64, self.steps())
    }

    fn steps(&self) -> u64 {
        let under_way = match &self.work {
            Work::Loop => 0,
            Work::Abstract(search) | Work::Concrete(search) => search.statistics().1,
        };
        self.refinement.steps() + self.searched + under_way
    }

    /// Does a bounded piece of work.
    pub(super) fn step(&mut self, program: &Program, question: &Prepared) -> Bounded<Refined> {
        match std::mem::replace(&mut self.work, Work::Loop) {
            Work::Loop => match self.refinement.step()? {
                Turn::NotYet => Ok(Refined::NotYet),
                Turn::Search(product) => {
                    self.work = Work::Abstract(self.search(product)?);
                    Ok(Refined::NotYet)
                }
                Turn::Concretize(part) => {
                    self.work = Work::Concrete(self.search(part)?);
                    Ok(Refined::NotYet)
                }
                // A run that needs more objects than the model has ends where it does.
                Turn::Holds(_) if !program.cut_offs.is_empty() => Err(Limit::Heap),
                Turn::Holds(Ok(())) => Ok(Refined::Over(Verdict::Holds(self.proof))),
                Turn::Holds(Err(limit)) => {
                    Ok(Refined::Over(Verdict::Holds(Proof::Unchecked(limit))))
                }
                Turn::Contradiction(fault) => Ok(Refined::Over(Verdict::Fault(fault))),
            },
            Work::Abstract(mut search) => {
                let Some(answer) = search.step()? else {
                    self.work = Work::Abstract(search);
                    return Ok(Refined::NotYet);
                };
                self.searched += search.statistics().1;
                match answer {
                    Answer::Nothing(proof) => {
                        self.proof = proof;
                        match search.take_ranked() {
                            Some((mut reach, rounds)) => {
                                self.refinement.nothing(&mut reach.domain, &rounds);
                            }
                            None => self.refinement.nothing_proved(),
                        }
                    }
                    Answer::Lasso(found) => {
                        self.refinement.found(found.head.location, &found.prefix, &found.cycle);
                    }
                    // Runs that end are not looked for by themselves.
                    Answer::Ended(_) | Answer::Recurring => {}
                    Answer::Fault(fault) => return Ok(Refined::Over(Verdict::Fault(fault))),
                }
                Ok(Refined::NotYet)
            }
            Work::Concrete(mut search) => {
                let Some(answer) = search.step()? else {
                    self.work = Work::Concrete(search);
                    return Ok(Refined::NotYet);
                };
                self.searched += search.statistics().1;
                Ok(Refined::Over(match answer {
                    Answer::Lasso(found) => question.replay(program, &found),
                    Answer::Nothing(_) | Answer::Ended(_) | Answer::Recurring => {
                        let fault = "a cycle that can be executed for ever has no run";
                        Verdict::Fault(fault.to_string())
                    }
                    Answer::Fault(fault) => Verdict::Fault(fault),
                }))
            }
        }
    }

    /// Prepares the search of a product, with what is left of the steps.
    fn search(&self, product: Rc<Product>) -> Bounded<Box<ProductSearch>> {
        let left = self.budgets.max_steps.saturating_sub(self.steps());
        if left == 0 {
            return Err(Limit::Steps);
        }
        let budgets = Budgets { max_steps: left, ..self.budgets };
        let (options, alarm) = (self.options.clone(), self.alarm.clone());
        Ok(Box::new(ProductSearch::new(product, options, budgets, alarm, false)))
    }

    /// What it is doing.
    pub(super) fn progress(&self) -> Progress {
        let items = self.refinement.rounds().len() as u64;
        match &self.work {
            Work::Loop => {
                Progress { stage: Stage::Refine, items, steps: self.steps(), ..Progress::default() }
            }
            Work::Abstract(search) | Work::Concrete(search) => search.progress(),
        }
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub(super) fn set_alarm(&mut self, alarm: Alarm) {
        self.refinement.set_alarm(Some(alarm.clone()));
        if let Work::Abstract(search) | Work::Concrete(search) = &mut self.work {
            search.set_alarm(alarm.clone());
        }
        self.alarm = Some(alarm);
    }
}
