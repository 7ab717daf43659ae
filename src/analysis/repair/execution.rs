//! A known run prepared for the edges of one program, and the execution of a program with the
//! values that the run picked.

use crate::lang::interpreter::{Assignment, ConcreteRun, Configuration, Machine, Stop};
use crate::lang::model::{
    EdgeId, ErrorKind, Expression, Initial, LocationId, Operation, Program, VariableId,
};

/// Most steps of a run.
pub const MOST_STEPS: usize = 20_000;
/// The most pending calls of a trial. An edit may cause endless recursion.
pub(in crate::analysis) const MOST_FRAMES: usize = 200;

/// How a run of the edited program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It fails at this line.
    Fails(u32, ErrorKind),
    /// It reaches the program's end, or exits.
    Passes,
    /// An assumption does not hold: the program has no run with these values.
    Blocked,
    /// It takes more steps, or more pending calls, than a trial may have. Perhaps it never ends.
    Unfinished,
}

impl End {
    /// Can an edit whose run ends like this be a repair? `ends`: known runs of the program come to
    /// an end. Then an edit with runs that do not end is no repair.
    pub fn speaks_for_an_edit(self, ends: bool) -> bool {
        match self {
            End::Fails(..) => false,
            End::Passes | End::Blocked => true,
            End::Unfinished => !ends,
        }
    }
}

/// The values that a known run picks when it executes an edge once. It is small, because most steps
/// pick nothing and there are many of them.
#[derive(Clone, Debug)]
pub(super) struct PreparedPick {
    /// Position in the known run.
    at: usize,
    /// Choices, and values of what is freed; `None` if there are none.
    values: Option<Box<(Vec<u64>, Assignment)>>,
}

impl PreparedPick {
    /// `at`: its position in the known run.
    pub(super) fn new(at: usize, choices: Vec<u64>, freed: Assignment) -> PreparedPick {
        let is_empty = choices.is_empty() && freed.is_empty();
        PreparedPick { at, values: (!is_empty).then(|| Box::new((choices, freed))) }
    }
}

/// The values that a known run picks, by the edges of one program.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) globals: Assignment,
    pub(super) locals: Assignment,
    /// By edge, in the order of its executions.
    pub(super) picks: Vec<Vec<PreparedPick>>,
}

impl Prepared {
    /// The values that a run of the program picks, for the program itself or for a program that
    /// differs from it only in expressions. This function does not check that the run is one of the
    /// program.
    pub fn of(program: &Program, run: &ConcreteRun) -> Prepared {
        let mut picks = vec![Vec::new(); program.edges.len()];
        for (at, step) in run.steps.iter().enumerate() {
            if let Some(of_edge) = picks.get_mut(step.edge.0 as usize) {
                let freed = step.locals.clone().unwrap_or_default();
                of_edge.push(PreparedPick::new(at, step.choices.clone(), freed));
            }
        }
        let open =
            |(id, _): &&(VariableId, Vec<u64>)| program.variable(*id).initial == Initial::Any;
        let globals = run.initial_globals.iter().filter(open).cloned().collect();
        Prepared { globals, locals: run.initial_locals.clone(), picks }
    }

    /// Executes the machine's program with the same values at the same edges, and zeros elsewhere.
    /// Of several open edges it takes the one that the known run took first, or else the first.
    /// `most`: the largest number of steps. `observe` gets each executed edge with the
    /// configuration before it. Returns how the run ends, and after how many steps.
    pub fn execute(
        &self,
        machine: &Machine<'_>,
        most: usize,
        observe: impl FnMut(&Configuration, EdgeId),
    ) -> (End, usize) {
        self.execute_from(machine, self.start(machine), most, observe)
    }

    /// Where an execution begins.
    pub(in crate::analysis) fn start(&self, machine: &Machine<'_>) -> Standing {
        Standing {
            configuration: machine.initial(&self.globals, &self.locals),
            executed: vec![0; machine.program().edges.len()],
            taken: 0,
        }
    }

    /// As [`Self::execute`], from here on. The steps that led here count.
    pub(in crate::analysis) fn execute_from(
        &self,
        machine: &Machine<'_>,
        mut standing: Standing,
        most: usize,
        mut observe: impl FnMut(&Configuration, EdgeId),
    ) -> (End, usize) {
        let mut ways = Vec::new();
        while standing.taken < most {
            match self.next(machine, &standing, &mut ways) {
                Next::Passes(id, choices, freed) => {
                    observe(&standing.configuration, id);
                    standing.pass(machine, id, choices, freed);
                }
                Next::Ends(end, failing) => {
                    if let Some(id) = failing {
                        observe(&standing.configuration, id);
                    }
                    return (end, standing.taken + usize::from(failing.is_some()));
                }
            }
        }
        (End::Unfinished, most)
    }

    /// What an execution does next. `ways` is a buffer.
    pub(in crate::analysis) fn next(
        &self,
        machine: &Machine<'_>,
        standing: &Standing,
        ways: &mut Vec<(usize, EdgeId)>,
    ) -> Next<'_> {
        let Standing { configuration, executed, .. } = standing;
        if configuration.frames.len() > MOST_FRAMES {
            return Next::Ends(End::Unfinished, None);
        }
        match self.onward(machine, configuration, |id| executed[id] as usize, ways) {
            Onward::Fails(id, check) => {
                let check = &machine.program().edge(id).checks[check];
                let pending = configuration.frames.iter().rev().filter_map(|frame| frame.call);
                let told = machine.program().told(id, pending);
                let line = told.map_or(check.line, |call| call.span.line);
                Next::Ends(End::Fails(line, check.kind), Some(id))
            }
            Onward::Passes(id, choices, freed) => Next::Passes(id, choices, freed),
            Onward::Nowhere if is_an_end(machine, configuration.location) => {
                Next::Ends(End::Passes, None)
            }
            Onward::Nowhere => Next::Ends(End::Blocked, None),
        }
    }

    /// The next step, given how often each edge was executed. `ways` is a buffer.
    pub(in crate::analysis) fn onward(
        &self,
        machine: &Machine<'_>,
        configuration: &Configuration,
        executed: impl Fn(EdgeId) -> usize,
        ways: &mut Vec<(usize, EdgeId)>,
    ) -> Onward<'_> {
        let out = machine.shape().out(configuration.location);
        ways.clear();
        match out {
            // No order is needed.
            [id] => ways.push((0, *id)),
            _ => {
                let pick = |id: EdgeId| self.picks.get(id.0 as usize)?.get(executed(id));
                let at = |id: &EdgeId| (pick(*id).map_or(usize::MAX, |pick| pick.at), *id);
                ways.extend(out.iter().map(at));
                ways.sort_unstable();
            }
        }
        for (_, id) in ways.iter() {
            let (choices, freed) = self.pick(*id, executed(*id));
            match machine.stops(configuration, *id, choices) {
                Some(Stop::Blocked) => {}
                Some(Stop::Error(check)) => return Onward::Fails(*id, check),
                None => return Onward::Passes(*id, choices, freed),
            }
        }
        Onward::Nowhere
    }

    /// The choices and the values of freed variables that the known run picked when it executed an
    /// edge for the n-th time. Empty if it did not.
    pub(in crate::analysis) fn pick(&self, id: EdgeId, nth: usize) -> (&[u64], &Assignment) {
        let pick = self.picks.get(id.0 as usize).and_then(|list| list.get(nth));
        let values = pick.and_then(|pick| pick.values.as_deref());
        values.map_or((&[][..], const { &Vec::new() }), |(choices, freed)| (&choices[..], freed))
    }

    /// How many times the known run executed an edge before its k-th step.
    pub(in crate::analysis) fn executed_before(&self, id: EdgeId, k: usize) -> usize {
        self.picks.get(id.0 as usize).map_or(0, |list| list.partition_point(|pick| pick.at < k))
    }
}

/// An execution that is not over.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Standing {
    /// The state that is reached.
    pub(in crate::analysis) configuration: Configuration,
    /// By edge: how often it was executed.
    executed: Vec<u32>,
    /// The number of steps.
    pub(in crate::analysis) taken: usize,
}

impl Standing {
    /// Executes an edge that nothing stops.
    pub(in crate::analysis) fn pass(
        &mut self,
        machine: &Machine<'_>,
        id: EdgeId,
        choices: &[u64],
        freed: &Assignment,
    ) {
        machine.pass(&mut self.configuration, id, choices, freed);
        self.executed[id] += 1;
        self.taken += 1;
    }

    /// How many numbers it holds.
    pub(in crate::analysis) fn size(&self) -> usize {
        let Configuration { globals, frames, .. } = &self.configuration;
        let numbers =
            |values: &[Vec<u64>]| values.iter().map(|value| 4 + value.len()).sum::<usize>();
        numbers(globals)
            + frames.iter().map(|frame| numbers(&frame.values)).sum::<usize>()
            + self.executed.len() / 2
    }
}

/// What an execution does next.
pub(in crate::analysis) enum Next<'a> {
    /// It executes this edge, with these choices and these values of freed variables.
    Passes(EdgeId, &'a [u64], &'a Assignment),
    /// It ends, at this edge if one of its checks fails.
    Ends(End, Option<EdgeId>),
}

/// The next step of an execution.
pub(in crate::analysis) enum Onward<'a> {
    /// It executes this edge, with these choices and these values of freed variables.
    Passes(EdgeId, &'a [u64], &'a Assignment),
    /// This check of the edge fails.
    Fails(EdgeId, usize),
    /// No edge can be executed.
    Nowhere,
}

/// Does every run end here, because no edge leaves the location or the program exits?
fn is_an_end(machine: &Machine<'_>, location: LocationId) -> bool {
    let exits = |id: &EdgeId| {
        matches!(
            &machine.program().edge(*id).operation,
            Operation::Assume(Expression::Constant(0, _))
        )
    };
    machine.shape().out(location).iter().all(exits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    fn end(source: &str) -> End {
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let nothing = Prepared::of(&program, &ConcreteRun::default());
        nothing.execute(&Machine::new(&program), MOST_STEPS, |_, _| {}).0
    }

    #[test]
    fn the_four_ways_to_end() {
        assert_eq!(
            end("int x; void main() {\n assert(x == 1);\n}"),
            End::Fails(2, ErrorKind::Assertion)
        );
        assert_eq!(end("int x; void main() { x = 1; assert(x == 1); }"), End::Passes);
        assert_eq!(
            end("int x; void main() { x = 1; assume(x == 2); assert(x == 2); }"),
            End::Blocked
        );
        assert_eq!(end("int x; void main() { while (x == 0) { skip; } }"), End::Unfinished);
        assert_eq!(end("int x; void f() { f(); } void main() { f(); }"), End::Unfinished);
        assert_eq!(end("void main() { assume(false); }"), End::Passes, "as a program that exits");
    }

    #[test]
    fn only_what_ends_speaks_for_an_edit_where_runs_end() {
        let ends =
            [End::Fails(1, ErrorKind::Assertion), End::Passes, End::Blocked, End::Unfinished];
        assert_eq!(ends.map(|end| end.speaks_for_an_edit(true)), [false, true, true, false]);
        assert_eq!(ends.map(|end| end.speaks_for_an_edit(false)), [false, true, true, true]);
    }

    /// Executing in place gives the same run as executing with copies.
    #[test]
    fn a_replayed_run_fails_at_the_same_place() {
        let source = "int x; int g(int a) { if (a > 2) { return a + 1; } return 0; }\nvoid main() { int y = nondet(); x = g(y);\n assert(x != 4); }";
        let requested = RequestedOptions::default();
        let program = crate::lang::load(source, &requested).program.expect("a program");
        let machine = Machine::new(&program);
        let mut passed = 0;
        for y in 0..8u64 {
            let step = |edge: EdgeId| crate::lang::interpreter::ConcreteStep {
                edge,
                choices: vec![y; program.edge(edge).choices.len()],
                locals: None,
            };
            let run = ConcreteRun {
                steps: program.edge_ids().map(step).collect(),
                ..ConcreteRun::default()
            };
            let (end, steps) =
                Prepared::of(&program, &run).execute(&machine, MOST_STEPS, |_, _| {});
            assert!(steps > 3);
            let expected = if y == 3 { End::Fails(3, ErrorKind::Assertion) } else { End::Passes };
            assert_eq!(end, expected, "{y}");
            passed += usize::from(end == End::Passes);
        }
        assert_eq!(passed, 7);
    }
}
