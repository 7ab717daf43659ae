//! The search for repairs. It decides which edit is tried next, and what follows from the result.
//!
//! Candidates come in the order of suspicion. The interpreter first executes each edited program on
//! the known failing runs. If none of them fails, the edited program must be checked like any
//! program. The search does not do this check: [`RepairSearch::step`] asks for it, and
//! [`RepairSearch::checked`] takes its answer. A failing run that the check finds refutes the edit,
//! and is tried on all later candidates. An edited program that is offered never fails any more, or
//! never at the same error. Some run of it still reaches the assertion or, for an error without a
//! condition, some run still ends.

use super::blame::Blame;
use super::candidates::{Collected, Edits, collect};
use super::found::{Refuted, Repair, RepairOptions};
use super::known_runs::{KnownRuns, Tried};
use super::open_number::Narrowed;
use super::proof::Proved;
use super::trials::Trial;
use super::{Candidate, Edit, RepairHints, person};
use crate::analysis::replay::ReplayedRun;
use crate::lang::model::{EdgeId, ErrorKind, Program};
use crate::util::Limit;
use crate::util::order::sort_by_key;
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use crate::wire::repair::{RepairKind, Verified};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// Kernel steps that a search goes on for if it has as many repairs as are wanted, but some of them
/// only lead around a part of the failing run: a better one may come.
const STEPS_FOR_BETTER: u64 = 4_000_000;

/// The most kernel steps for the check of one edited program.
const STEPS_PER_CHECK: u64 = 100_000_000;

/// A search in progress.
pub struct RepairSearch {
    program: FailingProgram,
    options: RepairOptions,
    phase: Phase,
    /// Statements in the order of suspicion.
    suspects: Vec<EdgeId>,
    /// Constants of the program.
    numbers: Vec<i128>,
    known: KnownRuns,
    blame: Blame,
    repairs: Vec<Repair>,
    refuted: Vec<Refuted>,
    effort: Effort,
    /// Kernel steps when there were as many repairs as are wanted.
    many_since: Option<u64>,
}

/// The program that is to be repaired.
pub struct FailingProgram {
    /// Its text.
    pub source: String,
    /// What the text and its edits are loaded with.
    pub requested: RequestedOptions,
    /// The options in force.
    pub effective: EffectiveOptions,
    /// The program.
    pub program: Rc<Program>,
    /// The failing run.
    pub run: ReplayedRun,
}

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Edits looked at.
    pub tried: u32,
    /// Checks of edited programs.
    pub checks: u32,
    /// Kernel steps of these.
    pub steps: u64,
}

/// The phase of a search.
enum Phase {
    /// Candidates are to be collected.
    Collecting(RepairHints),
    /// The neighbours of these groups of runs are to be executed, group by group.
    Exploring { groups: VecDeque<Vec<Trial>>, edits: Edits },
    /// Edits are tried.
    Trying(Edits),
}

/// The next thing to do.
pub enum Turn {
    /// Another step.
    More,
    /// Check this edited program, and give the answer to [`RepairSearch::checked`].
    Check(Box<Attempt>),
    /// Nothing: everything was tried, enough was found, or a limit was hit.
    Over(Option<Limit>),
}

/// An edited program that is to be checked.
pub struct Attempt {
    /// Its text.
    pub source: String,
    /// The options with which it is loaded.
    pub requested: RequestedOptions,
    /// Kernel steps that the check may take.
    pub max_steps: u64,
    candidate: Candidate,
    /// Another error that was met before: now only the error that is to be repaired counts.
    stays: Option<(u32, ErrorKind)>,
    /// Does the edit try a value for a number that is looked for?
    is_number: bool,
}

/// What the check of an edited program found.
pub enum Checked<'c> {
    /// No run fails, and the invariant behind that was checked.
    Safe {
        /// The edited program.
        program: &'c Program,
        /// By edge: does some run execute it?
        executed: &'c [bool],
    },
    /// This run of it fails.
    Unsafe {
        /// The edited program.
        program: &'c Program,
        /// The run.
        run: &'c ReplayedRun,
    },
    /// Neither is known.
    Open,
}

impl FailingProgram {
    fn error(&self) -> (u32, ErrorKind) {
        (self.run.check.line, self.run.check.kind)
    }

    /// Does the failing run execute the statement at most once? If it does so more often, one value
    /// for all times is too weak a reason to leave edits out.
    fn executes_once(&self, edge: EdgeId) -> bool {
        let span = |edge| self.program.edge(edge).span;
        self.run.entries.iter().filter(|entry| span(entry.edge) == span(edge)).count() <= 1
    }
}

impl RepairSearch {
    /// Prepares the search. It has nothing to try for programs with threads, and for languages
    /// whose text is not edited.
    pub fn new(
        program: FailingProgram,
        hints: RepairHints,
        options: RepairOptions,
    ) -> RepairSearch {
        let FailingProgram { requested, effective, .. } = program;
        // An edited program keeps the width of integers that was found for the program.
        let requested = RequestedOptions {
            dialect: Some(effective.dialect),
            bits: Some(effective.bits),
            ..requested
        };
        let program = FailingProgram { requested, effective, ..program };
        let is_edited = matches!(program.effective.dialect, Dialect::Cimple | Dialect::C)
            && !program.program.concurrency.has_threads();
        let phase = match is_edited {
            true => Phase::Collecting(hints),
            false => Phase::Trying(Edits::default()),
        };
        RepairSearch {
            known: KnownRuns::new(&program.program, &program.run.run, program.error()),
            program,
            options,
            phase,
            suspects: Vec::new(),
            numbers: Vec::new(),
            blame: Blame::default(),
            repairs: Vec::new(),
            refuted: Vec::new(),
            effort: Effort::default(),
            many_since: None,
        }
    }

    /// One piece of work.
    pub fn step(&mut self) -> Turn {
        match std::mem::replace(&mut self.phase, Phase::Trying(Edits::default())) {
            Phase::Collecting(hints) => {
                let FailingProgram { source, program, run, .. } = &self.program;
                let Collected { suspects, numbers, edits } = collect(source, program, run, &hints);
                (self.suspects, self.numbers) = (suspects, numbers);
                let groups = VecDeque::from([vec![self.known.first().clone()]]);
                self.phase = Phase::Exploring { groups, edits };
                Turn::More
            }
            Phase::Exploring { mut groups, edits } => {
                if let Some(from) = groups.pop_front() {
                    let program = &self.program.program;
                    groups.extend(self.known.explore(program, &self.numbers, &from));
                }
                self.phase = match groups.is_empty() {
                    true => Phase::Trying(edits),
                    false => Phase::Exploring { groups, edits },
                };
                Turn::More
            }
            Phase::Trying(mut edits) => {
                let turn = self.try_next(&mut edits);
                self.phase = Phase::Trying(edits);
                turn
            }
        }
    }

    fn try_next(&mut self, edits: &mut Edits) -> Turn {
        let all_mended = self.repairs.iter().filter(|one| one.verified == Verified::NoRunFails);
        let whole = all_mended.clone().filter(|one| one.leaves_nothing_out()).count();
        if whole >= self.options.most || edits.is_empty() {
            return Turn::Over(None);
        }
        if all_mended.count() >= self.options.most {
            let since = *self.many_since.get_or_insert(self.effort.steps);
            if self.effort.steps - since >= STEPS_FOR_BETTER {
                return Turn::Over(None);
            }
        }
        if self.effort.steps >= self.options.max_steps {
            return Turn::Over(Some(Limit::Steps));
        }
        if self.effort.tried >= self.options.most_candidates {
            return Turn::Over(Some(Limit::Rounds));
        }
        let attempt = match edits.is_number_next() {
            true => self.next_value(edits).and_then(|candidate| self.begin(candidate, true)),
            false => self.next_candidate(edits).and_then(|candidate| self.begin(candidate, false)),
        };
        attempt.map_or(Turn::More, |attempt| Turn::Check(Box::new(attempt)))
    }

    /// The next candidate, unless it cannot help.
    fn next_candidate(&mut self, edits: &mut Edits) -> Option<Candidate> {
        let candidate = edits.candidates.pop_front()?;
        let left_out = self.is_within(&candidate) && self.is_hopeless(candidate.edge);
        (!left_out).then_some(candidate)
    }

    /// Does a piece of the search for a number. Returns a value to try, once there is one.
    fn next_value(&mut self, edits: &mut Edits) -> Option<Candidate> {
        let number = edits.numbers.front_mut()?;
        if self.is_hopeless(number.edge) {
            edits.numbers.pop_front();
            return None;
        }
        match number.narrow(&self.known) {
            Narrowed::More => None,
            Narrowed::Guess(candidate) => Some(candidate),
            Narrowed::Over => {
                edits.numbers.pop_front();
                None
            }
        }
    }

    /// Reads the edited program and tries the known runs on it. Returns the program to be checked,
    /// if no known run refutes it.
    fn begin(&mut self, candidate: Candidate, is_number: bool) -> Option<Attempt> {
        self.effort.tried += 1;
        let edited = candidate.edit.apply(&self.program.source);
        let program = crate::lang::load(&edited, &self.program.requested).program?;
        match self.known.try_on(&program) {
            Tried::Refuted => {
                self.refute(&candidate, self.program.error());
                None
            }
            Tried::Endless => None,
            Tried::Open(other) => Some(self.attempt(candidate, other, is_number)),
        }
    }

    fn attempt(
        &mut self,
        candidate: Candidate,
        stays: Option<(u32, ErrorKind)>,
        is_number: bool,
    ) -> Attempt {
        self.effort.checks += 1;
        let mut requested = self.program.requested.clone();
        if stays.is_some() {
            requested.error = Some(self.program.run.check.line);
        }
        let most = match self.many_since {
            Some(since) => (since + STEPS_FOR_BETTER).min(self.options.max_steps),
            None => self.options.max_steps,
        };
        Attempt {
            source: candidate.edit.apply(&self.program.source),
            requested,
            max_steps: most.saturating_sub(self.effort.steps).min(STEPS_PER_CHECK),
            candidate,
            stays,
            is_number,
        }
    }

    fn refute(&mut self, candidate: &Candidate, fails: (u32, ErrorKind)) {
        if candidate.edit.kind == RepairKind::Initialisation {
            self.refuted.push(Refuted { edit: candidate.edit.clone(), fails });
        }
    }

    /// Takes the answer of a check, which took so many kernel steps. Returns what to check next of
    /// the same edit: if the edited program meets another error, the next check says whether the
    /// error that is to be repaired is gone.
    pub fn checked(
        &mut self,
        attempt: Attempt,
        answer: &Checked<'_>,
        steps: u64,
    ) -> Option<Box<Attempt>> {
        self.effort.steps += steps;
        let Attempt { candidate, stays, is_number, .. } = attempt;
        match answer {
            Checked::Open => None,
            Checked::Safe { program, executed } => {
                let proved = Proved { program, executed, candidate: &candidate, stays };
                if proved.still_passes(self.program.error()) {
                    if let (true, Phase::Trying(edits)) = (is_number, &mut self.phase) {
                        edits.numbers.pop_front();
                    }
                    self.repairs.extend(proved.repair(&self.program.program, &self.program.run));
                }
                None
            }
            Checked::Unsafe { program, run } => {
                let fails = (run.check.line, run.check.kind);
                self.known.add(&self.program.program, program, &run.run);
                if fails != self.program.error() && stays.is_none() && !is_number {
                    return Some(Box::new(self.attempt(candidate, Some(fails), false)));
                }
                self.refute(&candidate, fails);
                None
            }
        }
    }

    /// Can no edit of this statement alone help?
    fn is_hopeless(&mut self, edge: EdgeId) -> bool {
        self.program.executes_once(edge) && self.could_be_to_blame(edge) == Some(false)
    }

    /// Does the edit change its statement alone?
    fn is_within(&self, candidate: &Candidate) -> bool {
        let span = self.program.program.edge(candidate.edge).span;
        let inserts = matches!(
            candidate.edit.kind,
            RepairKind::Initialisation | RepairKind::MissingStatement
        );
        !inserts
            && !candidate.moves
            && span.start <= candidate.edit.start
            && candidate.edit.end <= span.end
    }

    fn could_be_to_blame(&mut self, edge: EdgeId) -> Option<bool> {
        self.blame.is_possible(&self.program.program, edge, &self.numbers, &self.known)
    }

    /// Statements that alone could be to blame for all failing runs that are known by now
    /// (Griesmayer, Staber, Bloem 2007), in the order of suspicion.
    pub fn diagnoses(&mut self) -> Vec<EdgeId> {
        let suspects = self.suspects.clone();
        suspects.into_iter().filter(|edge| self.could_be_to_blame(*edge) == Some(true)).collect()
    }

    /// The repairs that are wanted, best first: those that leave alone how errors are reported,
    /// then those after which no run fails, then those that keep all lines in use, then what a
    /// person would write first, and otherwise in the order in which they were tried. No two read
    /// alike.
    pub fn repairs(&self) -> Vec<Repair> {
        let mut repairs = self.repairs.clone();
        let source = self.program.source.as_str();
        sort_by_key(&mut repairs, |repair| {
            let Edit { start, end, .. } = repair.edit;
            let replaced = source.get(start as usize..end as usize).unwrap_or_default();
            // What `if (x = 2)` led to was not meant.
            match person::is_typo(&repair.edit, replaced) {
                true => (repair.weakens, repair.verified, 0, false, 0),
                false => (
                    repair.weakens,
                    repair.verified,
                    repair.unreached.len(),
                    repair.idle > 0,
                    repair.oddness,
                ),
            }
        });
        // Two that read alike are one to a person.
        let mut seen = BTreeSet::new();
        repairs.retain(|repair| {
            let Edit { start, end, text, kind } = &repair.edit;
            let line = source.get(..*start as usize).unwrap_or_default().matches('\n').count();
            let replaced = source.get(*start as usize..*end as usize).unwrap_or_default();
            seen.insert((line, replaced, text.clone(), *kind))
        });
        repairs.truncate(self.options.most);
        repairs
    }

    /// Initialisations that were tried and do not repair the program.
    pub fn refuted(&self) -> &[Refuted] {
        &self.refuted
    }

    /// What it has done.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The program that is to be repaired.
    pub fn program(&self) -> &FailingProgram {
        &self.program
    }
}
