//! The lab of a raw system, over any semiring.

use super::weight::{Found, LabWeight};
use super::{Lab, LabDomain, LabProblem, LabRequest, MOST};
use crate::encode::pushdown_system;
use crate::lang::model::Span;
use crate::lang::raw::replay::Configuration;
use crate::lang::raw::{ConfigurationSet, Described, RawSystem, StackExpression, StateId};
use crate::pds::transducer::Seeds;
use crate::pds::{ForwardWeights, PAutomaton, Plain, RuleId, Star, read_set};
use crate::semiring::Semiring;
use crate::util::Bounded;
use crate::wire::lab::LabTask;
use std::rc::Rc;

impl<S: Semiring> Lab<Plain<S>> {
    pub(super) fn raw(
        system: Rc<RawSystem>,
        domain: Plain<S>,
        request: &LabRequest,
    ) -> Result<Self, LabProblem> {
        let base = match request.options.task {
            LabTask::Post => system.initial.clone(),
            LabTask::Pre => system.target.clone(),
            _ => every_empty_stack(&system),
        };
        let mut lab = Lab {
            pds: pushdown_system(&system),
            system,
            domain,
            program: None,
            task: request.options.task,
            base,
            recorded: Vec::new(),
            seeds: Seeds::default(),
            transducer: None,
            max_steps: request.options.max_steps,
            max_transitions: request.max_transitions,
            steps: 0,
            stopped: None,
        };
        if let (Some(text), true) =
            (&request.options.set, request.options.task != LabTask::Transducer)
        {
            lab.base = lab.read_set(text).map_err(LabProblem::Set)?;
        }
        let start = |lab: &mut Self| {
            let one = lab.domain.one()?;
            lab.weighted(&lab.base, &one)
        };
        lab.begin(start, Vec::new())?;
        Ok(lab)
    }
}

/// The set of all ⟨p, ε⟩.
fn every_empty_stack(system: &RawSystem) -> ConfigurationSet {
    let lines = (0..system.states.len() as u32).map(|k| Described {
        state: StateId(k),
        stack: StackExpression::Sequence(Vec::new()),
        span: Span::default(),
    });
    ConfigurationSet::Described(lines.collect())
}

impl<S: Semiring> LabDomain for Plain<S> {
    fn one(&mut self) -> Bounded<S::Weight> {
        self.semiring.one()
    }

    fn read(
        lab: &mut Lab<Self>,
        automaton: &PAutomaton<S::Weight>,
        star: Star,
        set: &PAutomaton<bool>,
    ) -> Bounded<LabWeight<S::Weight>> {
        let one = lab.domain.one()?;
        let reading = read_set(&mut lab.domain, automaton, set, star, &one, MOST)?;
        Ok(LabWeight {
            found: vec![Found { procedure: None, weight: reading.weight, paths: reading.paths }],
            ..LabWeight::default()
        })
    }

    fn transfer(
        lab: &mut Lab<Self>,
        from: &ConfigurationSet,
        to: &ConfigurationSet,
    ) -> Result<LabWeight<S::Weight>, LabProblem> {
        lab.transfer_sets(from, to)
    }

    fn weigh(lab: &mut Lab<Self>, _start: &Configuration, rules: &[u32]) -> Bounded<S::Weight> {
        let mut weight = lab.domain.one()?;
        for rule in rules {
            weight = lab.domain.after(&weight, RuleId(*rule))?;
        }
        Ok(weight)
    }
}
