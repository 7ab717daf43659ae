//! Explains a failing interleaving, once it is found: which thread executes which statement in some
//! run that fails within as few switches, and the correct run whose schedule differs least.
//!
//! The statements come from an explicit search ([`FailingStatements`]), or from the interfaces of
//! the threads where configurations are too many. The run that is shown must lie within them;
//! else the answer is a defect. The correct run is replayed by the interpreter.

use super::{InterleavedFailure, ThreadsSession};
use crate::analysis::interfaces::{ContextMark, Interfaces};
use crate::analysis::threads::ThreadSystem;
use crate::analysis::threads::closest_schedule::{Closest, ClosestSchedule, MOST_STATES};
use crate::analysis::threads::failing_statements::{ByThread, FailingStatements};
use crate::analysis::threads::race_watch::{RaceWatch, Watched};
use crate::bdd::KernelLimits;
use crate::lang::interpreter::{Ended, replay_interleaved};
use crate::lang::model::Program;
use crate::session::{Budgets, Job};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use std::rc::Rc;

/// The most kernel steps of the interfaces.
const STEPS: u64 = 20_000_000;

/// What is known of a correct run.
#[derive(Clone, Debug)]
pub enum Correct {
    /// The closest one, replayed, and how many steps it has in common with the failing run.
    Run(Box<InterleavedFailure>, usize),
    /// With the failing run's inputs none is correct, whatever the schedule.
    Never,
    /// A limit ended the search.
    Unknown(Limit),
    /// Of a data race none is looked for: its two accesses are not ordered by any schedule.
    Race,
}

/// The explanation of the failing run of a session, in small steps.
pub struct ThreadsExplanation {
    program: Rc<Program>,
    watch: Option<RaceWatch>,
    system: Rc<ThreadSystem>,
    found: InterleavedFailure,
    error_line: Option<u32>,
    switches: u32,
    budgets: Budgets,
    phase: Phase,
    statements: Option<Bounded<ByThread>>,
    correct: Option<Correct>,
    fault: Option<String>,
    alarm: Option<Alarm>,
}

enum Phase {
    Explicit(Box<FailingStatements>),
    Symbolic(Box<Interfaces>),
    Closest(Box<ClosestSchedule>),
    Done,
}

impl ThreadsExplanation {
    /// Explains the failing run of an analysis that is over; `None` if it found none.
    #[inline(never)]
    pub fn new(session: &ThreadsSession) -> Option<ThreadsExplanation> {
        let found = session.found.clone()?;
        let switches = session.switches?;
        let error_line = session.options.error;
        let system = Rc::clone(&session.system);
        let watch = session.watch.clone();
        let explicit = FailingStatements::new(system, error_line, watch, switches);
        Some(ThreadsExplanation {
            program: Rc::clone(&session.program),
            watch: session.watch.clone(),
            system: Rc::clone(&session.system),
            found,
            error_line,
            switches,
            budgets: session.budgets,
            phase: Phase::Explicit(Box::new(explicit)),
            statements: None,
            correct: None,
            fault: None,
            alarm: session.alarm.clone(),
        })
    }

    /// The bound: the least number of switches that fails.
    pub fn switches(&self) -> u32 {
        self.switches
    }

    /// By thread of the system, by edge of the program: does some failing run within the bound
    /// execute it? An error is the limit that left this open; `None` before the end.
    pub fn statements(&self) -> Option<&Bounded<ByThread>> {
        self.statements.as_ref()
    }

    /// The correct run; `None` before the end.
    pub fn correct(&self) -> Option<&Correct> {
        self.correct.as_ref()
    }

    /// How the parts of the explanation contradict each other, if they do.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn search(&mut self) -> Bounded<()> {
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Explicit(mut search) => {
                let Some(answer) = search.answer() else {
                    search.step();
                    self.phase = Phase::Explicit(search);
                    return Ok(());
                };
                match answer {
                    Ok(found) => self.know(found.clone()),
                    // Interfaces do not tell a race from another failure.
                    Err(limit) if self.watch.is_some() => return Err(*limit),
                    Err(_) => self.phase = Phase::Symbolic(Box::new(self.interfaces()?)),
                }
            }
            Phase::Symbolic(mut interfaces) => {
                if interfaces.is_done() {
                    let found = interfaces.projection_by_thread(self.switches)?;
                    self.know(found);
                    return Ok(());
                }
                interfaces.step()?;
                if interfaces.kernel().is_collection_due() {
                    interfaces.collect_garbage();
                }
                self.phase = Phase::Symbolic(interfaces);
            }
            Phase::Closest(mut search) => {
                if !search.step() {
                    self.phase = Phase::Closest(search);
                    return Ok(());
                }
                self.correct = search.answer().map(|answer| self.replayed(answer));
            }
            Phase::Done => {}
        }
        Ok(())
    }

    fn interfaces(&self) -> Bounded<Interfaces> {
        let (system, mark) = ((*self.system).clone(), ContextMark::Statement);
        let limits = KernelLimits {
            max_nodes: self.budgets.max_nodes,
            max_steps: self.budgets.max_steps.min(STEPS),
        };
        let mut interfaces =
            Interfaces::new(system, self.error_line, self.switches, mark, limits)?.exhaustive();
        interfaces.domain().kernel.set_alarm(self.alarm.clone());
        interfaces.raise(self.switches);
        Ok(interfaces)
    }

    /// Takes the statements of the searched program, and goes on to the correct run.
    fn know(&mut self, found: ByThread) {
        let statements = match &self.watch {
            None => found,
            Some(watch) => found.iter().map(|one| self.unwatched(watch, one)).collect(),
        };
        if let Some((thread, text)) = self.missing(&statements) {
            self.fault = Some(format!(
                "{thread} executes `{text}` in the run that was shown, which the statements of \
                 failing runs do not have"
            ));
            self.statements = Some(Err(Limit::Steps));
        } else {
            self.statements = Some(Ok(statements));
        }
        self.go_on();
    }

    /// Goes on to the correct run.
    fn go_on(&mut self) {
        if matches!(self.found.replay.ended, Ended::Race(_)) {
            self.correct = Some(Correct::Race);
            self.phase = Phase::Done;
            return;
        }
        let program = Rc::clone(&self.program);
        let search = ClosestSchedule::new(program, &self.found.run, MOST_STATES);
        self.phase = Phase::Closest(Box::new(search));
    }

    /// The same of the program itself, if what was searched is watched for races.
    fn unwatched(&self, watch: &RaceWatch, found: &[bool]) -> Vec<bool> {
        let mut own = vec![false; self.program.edges.len()];
        for id in watch.program.edge_ids().filter(|id| found.get(id.0 as usize) == Some(&true)) {
            match watch.original(id) {
                Watched::Own(edge) | Watched::Announces(edge) => own[edge.0 as usize] = true,
                Watched::Added => {}
            }
        }
        own
    }

    /// A statement of the shown run that is not among these, and its thread.
    fn missing(&self, statements: &ByThread) -> Option<(String, String)> {
        let (thread, step) = self.found.run.steps.iter().find(|(thread, step)| {
            !statements.get(*thread).is_some_and(|one| one[step.edge.0 as usize])
        })?;
        let text = self.program.edge(step.edge).text.clone();
        Some((self.system.threads[*thread].name.clone(), text))
    }

    /// Executes the correct run.
    fn replayed(&mut self, answer: &Closest) -> Correct {
        let found = match answer {
            Closest::Found(found) => found,
            Closest::Never => return Correct::Never,
            Closest::Unknown(limit) => return Correct::Unknown(*limit),
        };
        match replay_interleaved(&self.program, &found.run) {
            Ok(replay) if replay.ended == Ended::Neither => {
                let run = InterleavedFailure {
                    run: found.run.clone(),
                    replay,
                    threads: self.found.threads.clone(),
                    check: None,
                    length: 0,
                };
                Correct::Run(Box::new(run), found.common)
            }
            Ok(_) => self.contradicted("the correct run fails when it is replayed".to_string()),
            Err(error) => self.contradicted(format!("of the correct run: {error}")),
        }
    }

    fn contradicted(&mut self, how: String) -> Correct {
        self.fault = Some(how);
        Correct::Unknown(Limit::Steps)
    }
}

// None of it is inlined into what the first part of the engine has (`static/delivery/later.mjs`):
// only the worker's queue calls it.
impl Job for ThreadsExplanation {
    #[inline(never)]
    fn step(&mut self) -> bool {
        if let Err(limit) = self.search() {
            self.statements = Some(Err(limit));
            self.go_on();
        }
        matches!(self.phase, Phase::Done)
    }

    /// What is known stays.
    #[inline(never)]
    fn stop(&mut self, limit: Limit) {
        self.phase = Phase::Done;
        self.statements.get_or_insert(Err(limit));
        self.correct.get_or_insert(Correct::Unknown(limit));
    }

    #[inline(never)]
    fn limit(&self) -> Option<Limit> {
        let open = self.statements.as_ref().and_then(|found| found.as_ref().err().copied());
        open.or(match self.correct {
            Some(Correct::Unknown(limit)) => Some(limit),
            _ => None,
        })
    }

    #[inline(never)]
    fn progress(&self) -> Progress {
        let (stage, items) = match &self.phase {
            Phase::Explicit(search) => (Stage::Statements, search.len()),
            Phase::Symbolic(_) => (Stage::Statements, 0),
            Phase::Closest(search) => (Stage::Closest, search.len()),
            Phase::Done => (Stage::Done, 0),
        };
        let kernel = match &self.phase {
            Phase::Symbolic(interfaces) => Some(interfaces.kernel()),
            _ => None,
        };
        let (nodes, steps) = kernel.map_or((0, 0), |k| (k.live_nodes(), k.steps()));
        Progress { stage, items: items as u64, nodes, steps, ..Progress::default() }
    }

    #[inline(never)]
    fn set_alarm(&mut self, alarm: Alarm) {
        if let Phase::Symbolic(interfaces) = &mut self.phase {
            interfaces.domain().kernel.set_alarm(Some(alarm.clone()));
        }
        self.alarm = Some(alarm);
    }
}
