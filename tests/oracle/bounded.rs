//! How many calls must be pending at once in a failing run? Summaries for a growing bound on the
//! stack: a second exact answer to "can it fail", for programs whose recursion is shallow, and the
//! measure of depth that the generator's shares are stated in.

use crate::steps::{Outcome, Steps, Valuation};
use crate::stores::Liveness;
use faultline::lang::model::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What starting a procedure with a given store and at most so many calls below it can end in.
#[derive(Default)]
struct Summary {
    fails: bool,
    exits: Vec<(Valuation, Option<u64>)>,
}

struct Bounded<'a> {
    steps: Steps<'a>,
    error: Option<u32>,
    summaries: FxHashMap<(ProcedureId, Valuation, Valuation, u32), Rc<Summary>>,
}

/// The least number of pending calls with which a run can fail, or `None` if no run with at most
/// `most` pending calls fails. The outer `None`: too much to list.
pub fn least_depth(program: &Program, error: Option<u32>, most: u32) -> Option<Option<u32>> {
    let mut bounded = Bounded {
        steps: Steps::new(program, Liveness::new(program)),
        error,
        summaries: FxHashMap::default(),
    };
    let main = program.main_id();
    let frames = bounded.steps.frames(main, program.procedure(main).entry, &[])?;
    let stores = bounded.steps.initial_globals()?;
    for depth in 0..=most {
        for frame in &frames {
            for globals in &stores {
                if bounded.summary(main, *globals, *frame, depth)?.fails {
                    return Some(Some(depth));
                }
            }
        }
    }
    Some(None)
}

impl Bounded<'_> {
    fn summary(
        &mut self,
        procedure: ProcedureId,
        globals: Valuation,
        frame: Valuation,
        depth: u32,
    ) -> Option<Rc<Summary>> {
        let key = (procedure, globals, frame, depth);
        if let Some(known) = self.summaries.get(&key) {
            return Some(known.clone());
        }
        let program = self.steps.program;
        let mut summary = Summary::default();
        let mut seen: FxHashSet<(LocationId, Valuation, Valuation)> = FxHashSet::default();
        let mut work = vec![(program.procedure(procedure).entry, globals, frame)];
        while let Some((location, globals, locals)) = work.pop() {
            if !seen.insert((location, globals, locals)) {
                continue;
            }
            if location == program.procedure(procedure).exit {
                summary.exits.push((globals, self.steps.returned(procedure, locals)));
            }
            for (edge, outcome) in self.steps.next(location, globals, locals)? {
                match outcome {
                    Outcome::Goes(globals, locals) => {
                        work.push((program.edge(edge).to, globals, locals))
                    }
                    Outcome::Fails(check) => {
                        summary.fails |= self
                            .error
                            .is_none_or(|target| target == program.edge(edge).checks[check].line);
                    }
                    Outcome::Calls(frame) if depth > 0 => {
                        let Operation::Call { callee, .. } = &program.edge(edge).operation else {
                            unreachable!("only calls call")
                        };
                        let below = self.summary(*callee, globals, frame, depth - 1)?;
                        summary.fails |= below.fails;
                        let pending = self.steps.pending(edge, locals);
                        for (globals, value) in &below.exits {
                            let (globals, locals) =
                                self.steps.resume(edge, *globals, pending, *value);
                            work.push((program.edge(edge).to, globals, locals));
                        }
                    }
                    Outcome::Calls(_) => {}
                }
            }
        }
        let summary = Rc::new(summary);
        self.summaries.insert(key, summary.clone());
        Some(summary)
    }
}
