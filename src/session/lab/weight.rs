//! Questions to a lab: the weight of a set, the weight of the runs from one set to another, and why
//! a transition is there.

use super::{Lab, LabDomain, LabProblem, LabRunFound, MOST, NO_TRANSDUCER};
use crate::analysis::recorded::Recorded;
use crate::lang::model::ProcedureId;
use crate::lang::raw::ConfigurationSet;
use crate::pds::{Compose, PAutomaton, ReadPath, Star, State, read_set};
use crate::util::Limit;
use crate::wire::lab::LabTask;

/// A weight. In a program it belongs to the procedure on top.
#[derive(Clone, Debug)]
pub struct Found<W> {
    /// The procedure whose frame is on top of the stack.
    pub procedure: Option<ProcedureId>,
    /// The weight. In a program these are the stores on top.
    pub weight: W,
    /// Paths whose weights combine to it.
    pub paths: Vec<ReadPath<W>>,
}

/// The answer to a question about a weight.
#[derive(Clone, Debug)]
pub struct LabWeight<W> {
    /// The weights. Empty only if a program does not reach the set.
    pub found: Vec<Found<W>>,
    /// A run that was replayed.
    pub run: Option<LabRunFound<W>>,
    /// Was the automaton not saturated at this step, so that the weight may become greater?
    pub unfinished: bool,
    /// For pre\* of a program: are there runs that first return from the frame on top? They are not
    /// counted.
    pub returns_left_out: bool,
    /// post\* of the first set computed the transducer's weight a second time: do the two agree?
    /// `None`: this second computation hit a limit.
    pub agrees: Option<bool>,
}

impl<W> Default for LabWeight<W> {
    fn default() -> Self {
        LabWeight {
            found: Vec::new(),
            run: None,
            unfinished: false,
            returns_left_out: false,
            agrees: Some(true),
        }
    }
}

impl<D: LabDomain> Lab<D> {
    /// The weight of a set in a recorded automaton as it was after a step (`None`: at the end).
    pub fn weight(
        &mut self,
        which: usize,
        set: &str,
        step: Option<u32>,
    ) -> Result<LabWeight<D::Weight>, LabProblem> {
        let set = self.read_set(set).map_err(LabProblem::Set)?;
        if which >= self.recorded.len() {
            return Err(LabProblem::Refused(
                "the transducer has no sets: it leads from one to another",
                "ask from where to where",
            ));
        }
        if self.task == LabTask::Transducer && which == 1 {
            let hint = "ask the transducer for a weight from one configuration to another";
            return Err(LabProblem::Refused(
                "A_grow has no accepting states: what grew out of each head ends in a state of its own",
                hint,
            ));
        }
        let query = self.set_automaton(&set)?;
        // It is taken out while the domain is used together with it.
        let recorded = self.recorded.remove(which);
        let answer = self.weight_in(&recorded, &query, step).and_then(|mut answer| {
            let last = recorded.recording().steps().len() as u32 - 1;
            answer.unfinished = !recorded.is_done() || step.is_some_and(|step| step < last);
            let base = self.base.clone();
            let ends = match recorded.star() {
                Star::Post => (&base, &set),
                Star::Pre => (&set, &base),
            };
            for k in 0..answer.found.len() {
                let (paths, weight) =
                    (answer.found[k].paths.clone(), answer.found[k].weight.clone());
                answer.run =
                    answer.run.take().or(self.find_run(&recorded, step, &paths, &weight, ends)?);
            }
            Ok(answer)
        });
        self.recorded.insert(which, recorded);
        Ok(answer?)
    }

    fn weight_in(
        &mut self,
        recorded: &Recorded<D>,
        query: &PAutomaton<bool>,
        step: Option<u32>,
    ) -> Result<LabWeight<D::Weight>, Limit> {
        let automaton = recorded.automaton_at(step);
        D::read(self, &automaton, recorded.star(), query)
    }

    /// The weight of all runs from one set to another: see [`LabDomain::transfer`].
    pub fn transfer(&mut self, from: &str, to: &str) -> Result<LabWeight<D::Weight>, LabProblem> {
        let from = self.read_set(from).map_err(LabProblem::Set)?;
        let to = self.read_set(to).map_err(LabProblem::SecondSet)?;
        D::transfer(self, &from, &to)
    }

    /// Takes out the recording with this number, so that the domain can be used together with it.
    /// `work` gets both.
    pub fn with_recorded<T>(
        &mut self,
        which: usize,
        work: impl FnOnce(&mut Self, &Recorded<D>) -> T,
    ) -> Option<T> {
        if which >= self.recorded.len() {
            return None;
        }
        let recorded = self.recorded.remove(which);
        let done = work(self, &recorded);
        self.recorded.insert(which, recorded);
        Some(done)
    }

    /// Can the rest of a stack be read from a pair of states, one of an automaton and one of a set?
    pub(super) fn accepts_from<W>(
        automaton: &PAutomaton<W>,
        set: &PAutomaton<bool>,
        from: (State, State),
    ) -> bool {
        let mut seen = std::collections::BTreeSet::from([from]);
        let mut waiting = vec![from];
        while let Some((left, right)) = waiting.pop() {
            if automaton.is_final(left) && set.is_final(right) {
                return true;
            }
            for id in automaton.outgoing(left) {
                let transition = automaton.transition(*id);
                for read in set.outgoing(right).iter().map(|read| set.transition(*read)) {
                    if read.symbol == transition.symbol && seen.insert((transition.to, read.to)) {
                        waiting.push((transition.to, read.to));
                    }
                }
            }
        }
        false
    }
}

impl<D: LabDomain + Compose> Lab<D> {
    /// [`LabDomain::transfer`] by the transducer.
    pub(super) fn transfer_sets(
        &mut self,
        from: &ConfigurationSet,
        to: &ConfigurationSet,
    ) -> Result<LabWeight<D::Weight>, LabProblem> {
        let Some(transducer) = &self.transducer else { return Err(NO_TRANSDUCER) };
        let one = self.domain.one()?;
        let (start, end) = (configurations(&self.system, from)?, configurations(&self.system, to)?);
        let image = transducer.image(&mut self.domain, &start)?;
        let reading = read_set(&mut self.domain, &image, &end, Star::Post, &one, MOST)?;
        let mut answer = LabWeight {
            found: vec![Found {
                procedure: None,
                weight: reading.weight.clone(),
                paths: Vec::new(),
            }],
            ..LabWeight::default()
        };
        let start = self.weighted(from, &one)?;
        let mut post = Recorded::post(&self.domain, start, Vec::new());
        for _ in 0..self.max_steps {
            post.step(&self.pds, &mut self.domain)?;
        }
        if !post.is_done() {
            answer.agrees = None;
            return Ok(answer);
        }
        let direct = read_set(&mut self.domain, post.automaton(), &end, Star::Post, &one, MOST)?;
        answer.agrees = Some(direct.weight == reading.weight);
        answer.run = self.find_run(&post, None, &direct.paths, &direct.weight, (from, to))?;
        Ok(answer)
    }
}

fn configurations(
    system: &crate::lang::raw::RawSystem,
    set: &crate::lang::raw::ConfigurationSet,
) -> Result<PAutomaton<bool>, Limit> {
    crate::encode::configurations(system, set, MOST)
}
