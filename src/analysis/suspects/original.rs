//! What the mutants of a statement share with the program itself.
//!
//! A mutant executes a known run as the program does, up to the first time that the changed
//! expression matters: there it takes another edge, ends, or writes another value. So the program
//! itself is executed once, and it is noted where an edge of the site could be taken. A mutant is
//! executed from the first of these places on where it differs; if it differs nowhere, its run is
//! the program's own. The result, and the steps that count, are those of the whole execution.

use super::known::KnownRun;
use crate::analysis::repair::execution::{End, Next, Standing};
use crate::lang::interpreter::{Configuration, Machine};
use crate::lang::model::{EdgeId, Operation};

/// The most places that are noted for one run.
const MOST_VISITS: usize = 24;
/// The most numbers that the places of all runs of a site may hold.
const ROOM: usize = 2_000_000;

/// A place in the program's own execution from which an edge of the site leaves.
#[derive(Debug)]
struct Visit {
    before: Standing,
    /// The edge that is taken there; `None` if the run ends there.
    takes: Option<EdgeId>,
    /// The state behind that edge, if the edge belongs to the site and has an effect.
    after: Option<Configuration>,
}

/// The program's own execution of a known run.
#[derive(Debug)]
struct Own {
    visits: Vec<Visit>,
    /// The result with the number of steps; `None` if not all places are noted.
    result: Option<(End, usize)>,
}

/// The program's own executions of known runs, as far as they matter for one site.
#[derive(Debug)]
pub(super) struct Original {
    edges: Vec<EdgeId>,
    /// By the number of the known run.
    own: Vec<Option<Own>>,
    room: usize,
}

impl Original {
    /// Nothing is executed yet. `edges`: the edges of the site.
    pub(super) fn new(edges: Vec<EdgeId>) -> Original {
        Original { edges, own: Vec::new(), room: ROOM }
    }

    /// The edges of the site.
    pub(super) fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Executes a mutant on a known run: how the run ends, and after how many steps. `program`: the
    /// machine of the program itself. `number`: the number of the run.
    pub(super) fn execute(
        &mut self,
        (program, mutant): (&Machine<'_>, &Machine<'_>),
        (number, run): (usize, &KnownRun),
        most: usize,
    ) -> (End, usize) {
        if self.own.len() <= number {
            self.own.resize_with(number + 1, || None);
        }
        if self.own[number].is_none() {
            self.own[number] = Some(self.executed(program, run, most));
        }
        let own = self.own[number].as_ref();
        let Own { visits, result } = own.expect("the run was executed just now");
        let mut ways = Vec::new();
        let differs = visits.iter().find(|visit| visit.differs(mutant, run, &mut ways));
        let from = match (differs, result) {
            (Some(visit), _) => Some(visit),
            (None, Some(result)) => return *result,
            (None, None) => visits.last(),
        };
        let from = match from {
            Some(visit) => visit.before.clone(),
            None => run.prepared.start(mutant),
        };
        run.prepared.execute_from(mutant, from, most, |_, _| {})
    }

    /// Executes the program itself.
    fn executed(&mut self, program: &Machine<'_>, run: &KnownRun, most: usize) -> Own {
        let from: Vec<_> = self.edges.iter().map(|id| program.program().edge(*id).from).collect();
        let mut standing = run.prepared.start(program);
        let (mut visits, mut ways) = (Vec::new(), Vec::new());
        while standing.taken < most {
            let is_visit = from.contains(&standing.configuration.location);
            if is_visit {
                let size = standing.size();
                if visits.len() >= MOST_VISITS || size > self.room {
                    return Own { visits, result: None };
                }
                self.room -= size;
            }
            let before = is_visit.then(|| standing.clone());
            let next = run.prepared.next(program, &standing, &mut ways);
            let (takes, ends) = match next {
                Next::Passes(id, choices, freed) => {
                    standing.pass(program, id, choices, freed);
                    (Some(id), None)
                }
                Next::Ends(end, failing) => {
                    (None, Some((end, standing.taken + usize::from(failing.is_some()))))
                }
            };
            if let Some(before) = before {
                let acts = |id: &EdgeId| {
                    let operation = &program.program().edge(*id).operation;
                    self.edges.contains(id)
                        && !matches!(operation, Operation::Skip | Operation::Assume(_))
                };
                let after = takes.filter(acts).map(|_| standing.configuration.clone());
                visits.push(Visit { before, takes, after });
            }
            if ends.is_some() {
                return Own { visits, result: ends };
            }
        }
        Own { visits, result: Some((End::Unfinished, most)) }
    }
}

impl Visit {
    /// Does the mutant do something else here than the program?
    fn differs(
        &self,
        mutant: &Machine<'_>,
        run: &KnownRun,
        ways: &mut Vec<(usize, EdgeId)>,
    ) -> bool {
        match (run.prepared.next(mutant, &self.before, ways), self.takes) {
            (Next::Passes(id, choices, freed), Some(own)) if id == own => {
                self.after.as_ref().is_some_and(|after| {
                    let mut configuration = self.before.configuration.clone();
                    mutant.pass(&mut configuration, id, choices, freed);
                    configuration != *after
                })
            }
            // Another edge, or an end: how the run ends can differ, too.
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::known::Search;
    use super::super::mutants::mutants;
    use super::super::pool::Pool;
    use super::super::sites::{mutant, sites};
    use super::*;
    use crate::analysis::repair::execution::MOST_STEPS;
    use crate::lang::interpreter::{ConcreteRun, ConcreteStep, Shape};
    use crate::lang::model::{ErrorKind, Program};
    use crate::wire::options::RequestedOptions;
    use std::sync::Arc;

    const LOOP: &str = "int s;\nint twice(int a) { return a + a; }\nvoid main() {\n  \
                        int n = nondet();\n  int i = 0;\n  while (i < 3) {\n    \
                        if (n > i) { s = twice(s) + 1; } else { s = s - i; }\n    i = i + 1;\n  \
                        }\n  assert(s != 7);\n}\n";

    fn program() -> Program {
        crate::lang::load(LOOP, &RequestedOptions::default()).program.expect("a program")
    }

    /// The run that picks 5 each time: it fails.
    fn failing(program: &Program) -> ConcreteRun {
        let step = |edge: EdgeId| ConcreteStep {
            edge,
            choices: vec![5; program.edge(edge).choices.len()],
            locals: None,
        };
        ConcreteRun { steps: program.edge_ids().map(step).collect(), ..ConcreteRun::default() }
    }

    /// A mutant's execution from where it differs ends as its whole execution does.
    #[test]
    fn shared_executions_are_the_whole_ones() {
        let program = program();
        let shape = Arc::new(Shape::of(&program));
        let machine = Machine::with_shape(&program, Arc::clone(&shape));
        let numbers = [0, 1, 2, 3, 5];
        let error = (10, ErrorKind::Assertion);
        let mut search = Search::new(&program, &failing(&program), error, &[], &numbers);
        while !search.step(&machine) {}
        assert!(!search.is_lost(), "the run fails");
        let known = search.finish(&program);
        let pool = Pool::of(&program, &known, &[], &numbers);
        let runs: Vec<&KnownRun> = known.failing.iter().chain(&known.passing).collect();
        assert!(!known.failing.is_empty() && !known.passing.is_empty());
        let mut changed = program.clone();
        let (mut compared, mut ended_otherwise) = (0, 0);
        for edge in program.edge_ids() {
            let offer = pool.offer(&program, edge);
            for (site, e) in sites(&program, edge) {
                let mut original = Original::new(site.edges());
                let all = mutants(&program, &offer, &e).into_iter();
                for mutant in all.filter_map(|change| mutant(&program, &site, change)) {
                    mutant.write(&mut changed);
                    let of_mutant = Machine::with_shape(&changed, Arc::clone(&shape));
                    for (number, run) in runs.iter().enumerate() {
                        let whole = run.prepared.execute(&of_mutant, MOST_STEPS, |_, _| {});
                        let machines = (&machine, &of_mutant);
                        let shared = original.execute(machines, (number, run), MOST_STEPS);
                        assert_eq!(shared, whole, "{mutant:?}");
                        compared += 1;
                        let own = run.prepared.execute(&machine, MOST_STEPS, |_, _| {});
                        ended_otherwise += usize::from(own != whole);
                    }
                    mutant.take_back(&mut changed, &program);
                }
            }
        }
        assert!(compared > 500 && ended_otherwise > 100, "{compared}, {ended_otherwise}");
    }
}
