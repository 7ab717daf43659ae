//! Suggested repairs: edits that a check of the edited program has proved to help, in small steps.
//!
//! Candidates come in the order of suspicion. Each edited program is first executed by the
//! interpreter on the failing runs that are known; if it fails on none, it is checked like any
//! program, within a budget of its own. A failing run that the check finds refutes it, and is tried
//! on all later candidates. What is offered never fails any more, or never at the same error; its
//! assertion is still reached by some run (for an error without a condition: some run still ends).

mod repaired;
mod verifying;

use super::{Budgets, Job, LocalizeSession, RepairHints, ReplayedRun, Session};
use crate::analysis::localize::supergraph::SuperEdge;
use crate::analysis::repair::holes::Hole;
use crate::analysis::repair::insertions::{initialisations, missing_statements};
use crate::analysis::repair::mutations::{Pool, larger_arrays, may_be_edited, mutations};
use crate::analysis::repair::source::Source;
use crate::analysis::repair::trials::{Bench, End, Trial};
use crate::analysis::repair::{Candidate, Edit};
use crate::lang::model::{EdgeId, ErrorKind, Program, Span};
use crate::util::{Limit, Progress, Stage};
use crate::wire::localize::Variant;
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use crate::wire::repair::RepairKind;
use crate::wire::repair::Verified;
pub use repaired::{Refuted, Repair, RepairOptions};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Checks for finding one number.
const MOST_CHECKS_PER_NUMBER: u32 = 14;
/// Numbers up to this one are looked for.
const GREATEST_NUMBER: i128 = 2_047;
/// Known runs that every edited program is tried on, of those that fail and of those that do not.
const MOST_TRIALS: usize = 40;
/// Runs beside a known one that are looked at.
const MOST_NEIGHBOURS: usize = 600;
/// Statements of the order of suspicion whose edits are tried, at most.
const MOST_SUSPECTS: usize = 60;

/// A number that is looked for.
struct Number {
    hole: Hole,
    edit: (u32, u32),
    edge: EdgeId,
    score: u32,
    left: Vec<i128>,
    seen: usize,
    checks: u32,
}

struct Checking {
    session: Box<Session>,
    candidate: Candidate,
    /// Only this error counts now; the other one was met before.
    second: Option<(u32, ErrorKind)>,
    number: bool,
}

/// A search for repairs in progress.
pub struct RepairSession {
    source: String,
    requested: RequestedOptions,
    program: Rc<Program>,
    run: ReplayedRun,
    options: RepairOptions,
    budgets: Budgets,
    candidates: VecDeque<Candidate>,
    open_numbers: VecDeque<Number>,
    /// Constants of the program.
    numbers: Vec<i128>,
    /// In the order of suspicion.
    suspects: Vec<EdgeId>,
    /// Known failing runs of the program itself.
    failing: Vec<Trial>,
    trials: Vec<Trial>,
    /// The same in the order in which they came, but for the neighbours.
    history: Vec<Trial>,
    checking: Option<Checking>,
    repairs: Vec<Repair>,
    refuted: Vec<Refuted>,
    tried: u32,
    checks: u32,
    used: u64,
    limit: Option<Limit>,
    done: bool,
    alarm: Option<Arc<AtomicBool>>,
    /// Until candidates are collected.
    hints: Option<RepairHints>,
    /// Rounds of [`RepairSession::try_neighbours`] that are to come, from these runs on.
    near: VecDeque<Vec<Trial>>,
    /// Do known runs of the program come to an end? Then an edit that makes a known run endless is
    /// no repair.
    ends: bool,
    /// By statement: its hole, how many failing runs were looked at, and whether all of them can
    /// pass with other values.
    blame: BTreeMap<EdgeId, (Option<Hole>, usize, bool)>,
    /// Only errors on this line count, in the program and in its edits.
    only: Option<u32>,
}

impl Session {
    /// Looks for repairs of the failing run that a finished check found; `None` if there is none.
    /// `requested`: what the program was loaded with.
    pub fn repair(
        &self,
        requested: &RequestedOptions,
        hints: RepairHints,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        let (program, run) = (self.shared_program()?, self.failing_run()?.clone());
        let mut session = RepairSession::new(
            (self.source(), self.options(), requested),
            program,
            run,
            hints,
            options,
            budgets,
        );
        session.alarm = self.alarm.clone();
        Some(session)
    }
}

impl LocalizeSession {
    /// Looks for repairs of its first failing run, at its causes first; `None` if no run fails.
    pub fn repair(
        &self,
        requested: &RequestedOptions,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        self.repair_beside(requested, RepairHints::default(), options, budgets)
    }

    /// The same with more places to look at: after the causes; before them where every step of the
    /// run is one, as then they say nothing.
    pub fn repair_beside(
        &self,
        requested: &RequestedOptions,
        beside: RepairHints,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        let first = self.traces().first()?;
        let program = Rc::clone(self.program());
        let (effective, localize) = self.options();
        let mut suspects = Vec::new();
        for variant in Variant::ALL {
            let causes = first.causes(variant);
            let judged: Vec<SuperEdge> =
                first.transitions.iter().map(|judged| judged.transition.edge).collect();
            let runs: Vec<&[SuperEdge]> = judged
                .chunk_by(|a, b| causes.contains(a) == causes.contains(b))
                .filter(|run| causes.contains(&run[0]))
                .collect();
            // Inner vertices are the lines of a cause; what leads to it comes after them.
            let inner = runs.iter().flat_map(|run| if run.len() == 1 { *run } else { &run[1..] });
            suspects.extend(inner.map(|edge| edge.edge()));
            suspects.extend(runs.iter().map(|run| run[0].edge()));
        }
        let everything = first.transitions.iter().all(|judged| !judged.edge_is_correct);
        let suspects = if everything {
            [beside.suspects, suspects].concat()
        } else {
            [suspects, beside.suspects].concat()
        };
        let hints = RepairHints {
            suspects,
            initialise: beside.initialise,
            trusted: localize.trusted.clone(),
        };
        let mut session = RepairSession::new(
            (self.source(), effective, requested),
            program,
            first.run.clone(),
            hints,
            options,
            budgets,
        );
        session.alarm = self.alarm().cloned();
        Some(session)
    }
}

/// At most so many of them, evenly.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let stride = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(stride).collect()
}

impl Job for RepairSession {
    fn step(&mut self) -> bool {
        if self.done {
            return true;
        }
        if let Some(hints) = self.hints.take() {
            self.collect(&hints);
            return false;
        }
        if let Some(from) = self.near.pop_front() {
            self.try_neighbours(&from);
            return false;
        }
        if self.checking.is_some() {
            self.check();
            return self.done;
        }
        let found =
            self.repairs.iter().filter(|repair| repair.verified == Verified::NoRunFails).count();
        if found >= self.options.most || self.candidates.is_empty() && self.open_numbers.is_empty()
        {
            self.done = true;
        } else if self.used >= self.options.max_steps {
            self.stop(Limit::Steps);
        } else if self.tried >= self.options.most_candidates {
            self.stop(Limit::Rounds);
        } else {
            self.next();
        }
        self.done
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.limit = Some(limit);
            self.checking = None;
            self.done = true;
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        self.alarm = Some(alarm);
    }

    fn progress(&self) -> Progress {
        let stage = if self.done { Stage::Done } else { Stage::Repairs };
        let nodes = self.checking.as_ref().map_or(0, |checking| checking.session.progress().nodes);
        Progress { stage, items: u64::from(self.tried), nodes, steps: self.used }
    }
}

impl RepairSession {
    fn new(
        (source, effective, requested): (&str, &EffectiveOptions, &RequestedOptions),
        program: Rc<Program>,
        run: ReplayedRun,
        hints: RepairHints,
        options: RepairOptions,
        budgets: Budgets,
    ) -> RepairSession {
        // The width that was found for the program stays, whatever an edit writes.
        let requested = RequestedOptions {
            dialect: Some(effective.dialect),
            bits: Some(effective.bits),
            ..requested.clone()
        };
        let mut session = RepairSession {
            source: source.to_string(),
            history: vec![Trial::of(&program, &run.run)],
            trials: vec![Trial::of(&program, &run.run)],
            requested,
            program,
            run,
            options,
            budgets,
            candidates: VecDeque::new(),
            open_numbers: VecDeque::new(),
            numbers: Vec::new(),
            suspects: Vec::new(),
            failing: Vec::new(),
            checking: None,
            repairs: Vec::new(),
            refuted: Vec::new(),
            tried: 0,
            checks: 0,
            used: 0,
            limit: None,
            done: false,
            alarm: None,
            hints: None,
            near: VecDeque::new(),
            ends: false,
            blame: BTreeMap::new(),
            only: effective.error,
        };
        if matches!(effective.dialect, Dialect::Cimple | Dialect::C)
            && !session.program.concurrency.has_threads()
        {
            session.hints = Some(hints);
        }
        session
    }

    /// All candidates, best first.
    fn collect(&mut self, hints: &RepairHints) {
        let program = Rc::clone(&self.program);
        let text = self.source.clone();
        let source = Source::new(&text, &program, &hints.trusted);
        let pool = Pool::of(&source, &program);
        let on_run: BTreeSet<EdgeId> = self.run.entries.iter().map(|entry| entry.edge).collect();
        let mut suspects: Vec<EdgeId> = Vec::new();
        let rest = self.run.entries.iter().rev().map(|entry| entry.edge);
        let mut spans: Vec<Span> = Vec::new();
        for edge in hints.suspects.iter().copied().chain(rest) {
            let span = program.edge(edge).span;
            let looked_at =
                !hints.trusted.contains(&program.owner(edge)) && program.edge(edge).is_statement();
            if looked_at && !spans.contains(&span) && suspects.len() < MOST_SUSPECTS {
                spans.push(span);
                suspects.push(edge);
            }
        }
        self.numbers = pool.numbers();
        self.suspects = suspects.clone();
        self.near.push_back(vec![self.trials[0].clone()]);
        let mut candidates = initialisations(&source, &program, &hints.initialise);
        candidates.extend(missing_statements(&source, &program, &on_run, &suspects));
        if self.run.check.kind == ErrorKind::Bounds
            && let Some(failing) = self.run.entries.last()
        {
            candidates.extend(larger_arrays(&source, &program, failing.edge));
        }
        for (suspicion, edge) in (0u32..).zip(&suspects) {
            candidates.extend(mutations(&source, &program, &pool, *edge, suspicion));
        }
        candidates.sort_by_key(|candidate| candidate.score);
        let mut seen: BTreeSet<(u32, u32, String)> = BTreeSet::new();
        candidates.retain(|c| seen.insert((c.edit.start, c.edit.end, c.edit.text.clone())));
        self.candidates = candidates.into();
        for (suspicion, edge) in (0u32..).zip(&suspects) {
            let statement = source.statement(&program, *edge);
            if !may_be_edited(&program, *edge) {
                continue;
            }
            for k in statement.filter(|k| !source.is_left_out(*k)) {
                let Some(value) = source.number(k) else { continue };
                if let Some(hole) = Hole::of_number(&program, program.edge(*edge).span, value) {
                    let greatest = GREATEST_NUMBER.min(
                        hole.scalar()
                            .number(hole.scalar().mask() >> u32::from(hole.scalar().signed)),
                    );
                    let left = (0..=greatest).collect();
                    let edit = (source.start(k), source.end(k));
                    self.open_numbers.push_back(Number {
                        hole,
                        edit,
                        edge: *edge,
                        score: suspicion + 4,
                        left,
                        seen: 0,
                        checks: 0,
                    });
                }
            }
        }
    }

    /// Runs beside a failing one, some of which fail and some of which do not: what they show of an
    /// edited program is as real as any run.
    fn try_neighbours(&mut self, from: &[Trial]) {
        let program = Rc::clone(&self.program);
        let bench = Bench::new(&program);
        let (mut failing, mut passing) = (Vec::new(), Vec::new());
        for trial in
            from.iter().flat_map(|trial| spread(trial.neighbours(&self.numbers), MOST_NEIGHBOURS))
        {
            match bench.run(&trial) {
                End::Fails(line, kind) if (line, kind) == self.error() => failing.push(trial),
                End::Fails(..) | End::Unfinished => {}
                end @ (End::Passes | End::Blocked) => {
                    self.ends |= end == End::Passes;
                    passing.push(trial);
                }
            }
        }
        let is_first = self.failing.is_empty();
        if is_first {
            self.failing.push(self.trials[0].clone());
            // Two values away: from where it fails, and from where it does not.
            self.near.push_back(spread(failing.clone(), 4));
            self.near.extend(spread(passing.clone(), 6).into_iter().map(|trial| vec![trial]));
        }
        let most = if is_first { MOST_TRIALS } else { MOST_TRIALS / 4 };
        let failing = spread(failing, most);
        self.trials.extend(failing.iter().cloned());
        self.failing.extend(failing);
        self.trials.extend(spread(passing, most));
    }

    /// Statements that alone could be to blame: for every known failing run of the program some
    /// other value of what they assign, or the other outcome, avoids the failure (Griesmayer,
    /// Staber, Bloem 2007). In the order of suspicion. A statement that is not among them is not
    /// the only fault.
    pub fn diagnoses(&mut self) -> Vec<EdgeId> {
        let suspects = self.suspects.clone();
        suspects.into_iter().filter(|edge| self.could_be_to_blame(*edge) == Some(true)).collect()
    }

    /// Is the statement a diagnosis of all failing runs that are known by now? `None` where it
    /// neither assigns one thing nor decides.
    fn could_be_to_blame(&mut self, edge: EdgeId) -> Option<bool> {
        let unknown = || (Hole::of_statement(&self.program, edge), 0, true);
        let (hole, seen, possible) = self.blame.entry(edge).or_insert_with(unknown);
        let hole = hole.as_ref()?;
        let scalar = hole.scalar();
        let values: Vec<i128> = match scalar.mask() {
            mask if mask < 4 => (0..=mask).map(|bits| scalar.number(bits)).collect(),
            mask => {
                let most = scalar.number(mask >> u32::from(scalar.signed));
                let least = if scalar.signed { -most - 1 } else { 0 };
                self.numbers
                    .iter()
                    .copied()
                    .filter(|number| scalar.holds(*number))
                    .chain([least, most])
                    .collect()
            }
        };
        while *possible && *seen < self.failing.len() {
            *possible = hole.can_pass(&self.failing[*seen], &values, self.ends);
            *seen += 1;
        }
        Some(*possible)
    }

    /// The next candidate, or a piece of the search for a number.
    fn next(&mut self) {
        let numbers_first = match (self.candidates.front(), self.open_numbers.front()) {
            (Some(candidate), Some(number)) => number.score < candidate.score,
            (None, Some(_)) => true,
            _ => false,
        };
        if numbers_first {
            return self.next_number();
        }
        match self.candidates.pop_front() {
            Some(candidate) if self.is_within(&candidate) && self.is_hopeless(candidate.edge) => {}
            Some(candidate) => self.begin(candidate, false),
            None => self.done = true,
        }
    }

    /// Does the failing run execute the statement once at most? Where it does so more often, one
    /// value for all times says too little to leave edits out.
    fn is_executed_once(&self, edge: EdgeId) -> bool {
        let span = self.program.edge(edge).span;
        self.run.entries.iter().filter(|entry| self.program.edge(entry.edge).span == span).count()
            <= 1
    }

    /// Can no edit of this statement alone help?
    fn is_hopeless(&mut self, edge: EdgeId) -> bool {
        self.is_executed_once(edge) && self.could_be_to_blame(edge) == Some(false)
    }

    /// Does the edit change its statement alone?
    fn is_within(&self, candidate: &Candidate) -> bool {
        let span = self.program.edge(candidate.edge).span;
        let inserts = matches!(
            candidate.edit.kind,
            RepairKind::Initialisation | RepairKind::MissingStatement
        );
        !inserts && span.start <= candidate.edit.start && candidate.edit.end <= span.end
    }

    fn next_number(&mut self) {
        if let Some(edge) = self.open_numbers.front().map(|number| number.edge)
            && self.is_hopeless(edge)
        {
            self.open_numbers.pop_front();
            return;
        }
        let Some(number) = self.open_numbers.front_mut() else { return };
        if let Some(trial) = self.history.get(number.seen) {
            number.left = number.hole.passing(trial, &number.left, self.ends);
            number.seen += 1;
            if number.left.is_empty() {
                self.open_numbers.pop_front();
            }
            return;
        }
        // The middle halves what is left, whichever side a counterexample excludes.
        let middle = number.left.len() / 2;
        if number.checks >= MOST_CHECKS_PER_NUMBER || number.left.is_empty() {
            self.open_numbers.pop_front();
            return;
        }
        number.checks += 1;
        let value = number.left.remove(middle);
        let edit = Edit {
            start: number.edit.0,
            end: number.edit.1,
            text: value.to_string(),
            kind: RepairKind::Constant,
        };
        let candidate = Candidate { edit, edge: number.edge, score: number.score };
        self.begin(candidate, true);
    }

    /// Reads the edited program, tries the known runs on it, and begins its check.
    fn begin(&mut self, candidate: Candidate, number: bool) {
        self.tried += 1;
        let edited = candidate.edit.apply(&self.source);
        let loaded = crate::lang::load(&edited, &self.requested);
        let Some(program) = loaded.program else { return };
        let mut other = None;
        {
            let bench = Bench::new(&program);
            for k in 0..self.trials.len() {
                match bench.run(&self.trials[k]) {
                    End::Fails(line, kind) if (line, kind) == self.error() => {
                        // What refuted one is likely to refute the next.
                        self.trials.swap(k, k / 2);
                        return self.refute(&candidate, (line, kind));
                    }
                    End::Fails(line, kind) => other = Some((line, kind)),
                    End::Unfinished if self.ends => return,
                    End::Passes | End::Blocked | End::Unfinished => {}
                }
            }
        }
        self.begin_check(candidate, &edited, other, number);
    }

    fn error(&self) -> (u32, ErrorKind) {
        (self.run.check.line, self.run.check.kind)
    }

    /// Best first: those after which no run fails, those that keep all lines in use, in the order
    /// in which they were tried.
    pub fn repairs(&self) -> Vec<Repair> {
        let mut repairs = self.repairs.clone();
        repairs.sort_by_key(|repair| (repair.verified, repair.unreached.len()));
        repairs
    }

    /// Initialisations that do not hold.
    pub fn refuted(&self) -> &[Refuted] {
        &self.refuted
    }

    /// Edits looked at, checks of edited programs, kernel steps of these.
    pub fn effort(&self) -> (u32, u32, u64) {
        (self.tried, self.checks, self.used)
    }

    /// The line whose errors alone were looked for, if the options name one.
    pub fn only_line(&self) -> Option<u32> {
        self.only
    }

    /// The text that the edits are for.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The program that is mended.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The failing run.
    pub fn failing_run(&self) -> &ReplayedRun {
        &self.run
    }
}
