//! The error projection of the abstract program: the rules that some abstract run to an error uses,
//! exactly (Lal, Kidd, Reps, Touili 2007, 4 and 7.1).
//!
//! The next round uses only these rules. A rule that is left out stays left out in all later
//! rounds, as their programs have fewer runs.
//!
//! The projection goes backward over what the search reached, with the same relations of abstract
//! bits (w: at the frame's entry, v: now, x: after the pop):
//!
//! | set | meaning |
//! | --- | --- |
//! | `inside[n]` (v) | from v at n an error is reached before the frame is left |
//! | `contexts[f]` (w, x) | some reached caller that enters f with w and goes on from x fails |
//! | `failing[n]` (w, v) | is reached at n and fails, in the frame or after it was left |
//!
//! A callee's own way to an error counts for every caller. Its return counts only for callers that
//! then fail. So no run is composed from two callers.
//!
//! Phases: `inside`, then `failing` with `contexts`, then one decision for each rule.

use super::abstract_program::AbstractProgram;
use super::search::AbstractSearch;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, RuleRole, symbol};
use crate::lang::model::LocationId;
use crate::pds::{Right, RuleId, StackSymbol};
use crate::util::Bounded;
use std::collections::BTreeSet;

/// A projection in progress.
pub struct Projection {
    /// By location: (w, v).
    reached: Vec<Bdd>,
    /// By procedure: (w, x).
    summaries: Vec<Bdd>,
    inside: Vec<Bdd>,
    failing: Vec<Bdd>,
    contexts: Vec<Bdd>,
    /// By rule: may some abstract run to an error use it?
    used: Vec<bool>,
    stage: Stage,
}

/// The set that is being computed.
enum Stage {
    /// `inside`: the rules whose sources are to be looked at again.
    Inside(BTreeSet<RuleId>),
    /// `failing` and `contexts`: the rules whose sources are to be looked at again.
    Outside(BTreeSet<RuleId>),
    /// `used`: the next rule.
    Decide(RuleId),
}

impl Projection {
    /// Starts with every rule that the search had; it must be done.
    pub fn new(program: &mut AbstractProgram, search: &AbstractSearch) -> Bounded<Projection> {
        let locations = program.program.locations.len();
        let mut reached = vec![Bdd::FALSE; locations];
        for (location, weight) in search.reached(program)? {
            reached[location] = weight;
        }
        let mut summaries = vec![Bdd::FALSE; program.program.procedures.len()];
        for frame in 0..search.ranked.frames() {
            let callee = program.procedure_entered(search.ranked.frame(frame).entry).0 as usize;
            for summary in &search.ranked.frame(frame).summaries {
                summaries[callee] = program.domain.kernel.or(summaries[callee], summary.weight)?;
            }
        }
        let used: Vec<bool> = (0..program.system.roles.len() as u32)
            .map(RuleId)
            .map(|rule| {
                let from = program.system.pds.rule(rule).symbol;
                from.0 as usize >= locations
                    || search.pds().from_head(CONTROL, from).contains(&rule)
            })
            .collect();
        let contexts = vec![Bdd::FALSE; summaries.len()];
        let nothing = vec![Bdd::FALSE; locations];
        Ok(Projection {
            reached,
            summaries,
            inside: nothing.clone(),
            failing: nothing,
            contexts,
            stage: Stage::Inside(those(&used)),
            used,
        })
    }

    /// Looks at one rule. The projection is over once this returns true.
    pub fn step(&mut self, program: &mut AbstractProgram) -> Bounded<bool> {
        match &mut self.stage {
            Stage::Inside(waiting) => match waiting.pop_last() {
                Some(rule) => self.look_inside(program, rule)?,
                None => self.begin_outside(program)?,
            },
            Stage::Outside(waiting) => match waiting.pop_last() {
                Some(rule) => self.look_outside(program, rule)?,
                None => {
                    self.stage = Stage::Decide(RuleId(0));
                    return self.decide(program, RuleId(0));
                }
            },
            Stage::Decide(rule) => {
                let rule = *rule;
                return self.decide(program, rule);
            }
        }
        Ok(false)
    }

    /// By rule: does an abstract run to an error use it?
    pub fn into_used(self) -> Vec<bool> {
        self.used
    }

    fn begin_outside(&mut self, program: &mut AbstractProgram) -> Bounded<()> {
        for location in 0..self.reached.len() {
            self.failing[location] =
                program.domain.kernel.and(self.reached[location], self.inside[location])?;
        }
        self.stage = Stage::Outside(those(&self.used));
        Ok(())
    }

    /// Decides one rule; true if there is none left.
    fn decide(&mut self, program: &mut AbstractProgram, rule: RuleId) -> Bounded<bool> {
        let Some(used) = self.used.get(rule.0 as usize).copied() else { return Ok(true) };
        self.used[rule] = used && self.is_used(program, rule)?;
        self.stage = Stage::Decide(RuleId(rule.0 + 1));
        Ok(false)
    }

    fn look_inside(&mut self, program: &mut AbstractProgram, rule: RuleId) -> Bounded<()> {
        let one = program.system.pds.rule(rule).right;
        let from = program.system.pds.rule(rule).symbol.0 as usize;
        if self.reached.get(from).is_none_or(|reached| reached.is_false()) {
            return Ok(());
        }
        let before = match (program.system.role(rule), one) {
            (RuleRole::Fail(..), _) => program.before_step(Bdd::TRUE, rule, Bdd::TRUE)?,
            (_, Right::Pop) => Bdd::FALSE,
            (_, Right::Step(to)) => program.before_step(Bdd::TRUE, rule, self.inside[to])?,
            (_, Right::Push(top, below)) => {
                let entered = program.before_entry(Bdd::TRUE, rule, self.inside[top])?;
                let summary = self.summaries[program.call_of(rule).callee];
                let (returned, _) =
                    program.before_call(Bdd::TRUE, rule, summary, self.inside[below])?;
                program.domain.kernel.or(entered, returned)?
            }
        };
        let all = program.domain.kernel.or(self.inside[from], before)?;
        if all != self.inside[from] {
            self.inside[from] = all;
            self.wake(program, StackSymbol(from as u32));
        }
        Ok(())
    }

    fn look_outside(&mut self, program: &mut AbstractProgram, rule: RuleId) -> Bounded<()> {
        let from = program.system.pds.rule(rule).symbol.0 as usize;
        let Some(reached) = self.reached.get(from).copied().filter(|reached| !reached.is_false())
        else {
            return Ok(());
        };
        let before = match (program.system.role(rule), program.system.pds.rule(rule).right) {
            (RuleRole::Fail(..), _) => return Ok(()),
            (_, Right::Pop) => {
                let procedure = program.program.location(LocationId(from as u32)).procedure;
                program.before_step(reached, rule, self.contexts[procedure])?
            }
            (_, Right::Step(to)) => program.before_step(reached, rule, self.failing[to])?,
            (_, Right::Push(_, below)) => {
                let callee = program.call_of(rule).callee;
                let summary = self.summaries[callee];
                let (before, needed) =
                    program.before_call(reached, rule, summary, self.failing[below])?;
                let context = &mut self.contexts[callee];
                let all = program.domain.kernel.or(*context, needed)?;
                if all != *context {
                    *context = all;
                    let exit = program.program.procedure(callee).exit;
                    self.look_again(program.system.pds.from_head(CONTROL, symbol(exit)));
                }
                before
            }
        };
        let all = program.domain.kernel.or(self.failing[from], before)?;
        if all != self.failing[from] {
            self.failing[from] = all;
            self.wake(program, StackSymbol(from as u32));
        }
        Ok(())
    }

    /// The rules that lead to a location are to be looked at again.
    fn wake(&mut self, program: &AbstractProgram, to: StackSymbol) {
        let pds = &program.system.pds;
        self.look_again(pds.to_head(CONTROL, to));
        self.look_again(pds.with_below(to));
    }

    fn look_again(&mut self, rules: &[RuleId]) {
        let (Stage::Inside(waiting) | Stage::Outside(waiting)) = &mut self.stage else { return };
        waiting.extend(rules.iter().filter(|rule| self.used[**rule]));
    }

    fn is_used(&mut self, program: &mut AbstractProgram, rule: RuleId) -> Bounded<bool> {
        let from = program.system.pds.rule(rule).symbol.0 as usize;
        // A rule that ends a run belongs to no location.
        let Some(reached) = self.reached.get(from).copied() else { return Ok(true) };
        if reached.is_false() {
            return Ok(false);
        }
        let before = match (program.system.role(rule), program.system.pds.rule(rule).right) {
            (RuleRole::Fail(..), _) => program.before_step(reached, rule, Bdd::TRUE)?,
            (_, Right::Pop) => {
                let procedure = program.program.location(LocationId(from as u32)).procedure;
                program.before_step(reached, rule, self.contexts[procedure])?
            }
            (_, Right::Step(to)) => program.before_step(reached, rule, self.failing[to])?,
            (_, Right::Push(top, below)) => {
                let entered = program.before_entry(reached, rule, self.inside[top])?;
                let summary = self.summaries[program.call_of(rule).callee];
                let (returned, _) =
                    program.before_call(reached, rule, summary, self.failing[below])?;
                program.domain.kernel.or(entered, returned)?
            }
        };
        Ok(!before.is_false())
    }
}

impl_roots!(Projection { reached, summaries, inside, failing, contexts });

/// The rules for which `used` is true.
fn those(used: &[bool]) -> BTreeSet<RuleId> {
    (0..).map(RuleId).zip(used).filter(|(_, used)| **used).map(|(rule, _)| rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::cegar::predicates::ProgramPoint;
    use crate::analysis::cegar::refinement::Cegar;
    use crate::analysis::cegar::round::CegarPhase;
    use crate::bdd::KernelLimits;
    use crate::encode::{Cell, Copy};
    use crate::lang::model::{EdgeId, ProcedureId, Program};
    use crate::pds::{RankedPostStarBuilder, SearchGoal};
    use crate::wire::options::RequestedOptions;
    use crate::wire::refinement::CegarOptions;
    use crate::wire::refinement::Extent;
    use std::rc::Rc;

    fn load(source: &str) -> Rc<Program> {
        Rc::new(crate::lang::load(source, &RequestedOptions::default()).program.expect("a program"))
    }

    fn projected(program: &mut AbstractProgram) -> Vec<bool> {
        let mut search = AbstractSearch::new(program, Extent::All, None).unwrap();
        while !search.step(program).unwrap() {}
        let mut projection = Projection::new(program, &search).unwrap();
        while !projection.step(program).unwrap() {}
        projection.into_used()
    }

    /// Forward, in the product with "the rule was passed": is an error reached then?
    fn passes(program: &mut AbstractProgram, rule: usize) -> bool {
        let rules = program.system.roles.len();
        let symbols = program.system.pds.symbols() as usize;
        let mut passes = vec![0; rules];
        passes[rule] = 1;
        let is_target =
            (0..symbols).map(|symbol| symbol >= program.program.locations.len()).collect();
        let goal = SearchGoal { cost: vec![1; rules], passes, all: 1, is_target };
        let entry = symbol(program.program.procedure(program.program.main_id()).entry);
        let initial = program.initial().unwrap();
        let priority = program.system.priority.clone();
        let pds = program.system.pds.clone();
        let search = RankedPostStarBuilder::new(entry, initial, goal).priority(priority);
        let mut ranked = search.start(&pds, program).unwrap();
        while !ranked.is_done() {
            ranked.step(&pds, program).unwrap();
        }
        ranked.found().is_some()
    }

    /// The exact projection of the abstract programs of all rounds, with recursion, agrees rule by
    /// rule with the product search.
    #[test]
    fn agrees_with_a_search_for_each_rule() {
        let (mut compared, mut left_out) = (0, 0);
        for (figure, heuristic) in [
            ("fig-2-1", "weakest"),
            ("fig-4-2", "both"),
            ("fig-5-10", "strongest"),
            ("fig-6-7", "skip"),
            ("fig-6-11", "skip"),
        ] {
            let path = format!("tests/golden/cegar/{figure}.cimple");
            let program = load(&std::fs::read_to_string(path).unwrap());
            let heuristic = crate::wire::refinement::Heuristic::from_word(heuristic).unwrap();
            let options = CegarOptions { heuristic, ..CegarOptions::default() };
            let mut cegar = Cegar::new(program, None, KernelLimits::NONE, options).unwrap();
            for _ in 0..3 {
                while !matches!(cegar.phase(), CegarPhase::Check | CegarPhase::Done) {
                    cegar.step();
                }
                if cegar.phase() == CegarPhase::Done {
                    break;
                }
                let abstracted = cegar.abstracted();
                let used = projected(abstracted);
                for (rule, used) in used.iter().enumerate() {
                    assert_eq!(
                        *used,
                        passes(abstracted, rule),
                        "{figure}: {:?}",
                        abstracted.system.roles[rule]
                    );
                    compared += 1;
                    left_out += u32::from(!used);
                }
                while cegar.phase() == CegarPhase::Check {
                    cegar.step();
                }
            }
        }
        assert!(compared > 200 && left_out > 5, "{compared} {left_out}");
    }

    /// Two callers whose runs end behind the call, each for its own value. The callee is reached,
    /// and it looks as if it could fail, but no run fails in it.
    #[test]
    fn runs_are_not_put_together_from_two_callers() {
        let source = "bool b; void p() { skip; } void main() { \
            if (*) { b = false; p(); assume(b); } else if (*) { b = true; p(); assume(!b); } error: skip; }";
        let program = load(source);
        let mut abstracted =
            AbstractProgram::new(Rc::clone(&program), None, KernelLimits::NONE).unwrap();
        let inside_p = |program: &AbstractProgram, rule: usize| match program.system.roles[rule] {
            RuleRole::Execute(edge) => {
                program.program.procedure(program.program.owner(edge)).name == "p"
            }
            RuleRole::Return(procedure) => program.program.procedure(procedure).name == "p",
            RuleRole::Fail(..) => false,
        };
        let mut answers = Vec::new();
        for seeded in [false, true] {
            if seeded {
                let cell = Cell { variable: program.globals().next().unwrap(), element: 0 };
                let level = abstracted.domain.layout.cell(cell, Copy::Now)[0];
                let b = abstracted.domain.kernel.var(level).unwrap();
                let locations = (0..program.locations.len() as u32)
                    .map(|k| ProgramPoint::Location(LocationId(k)));
                let pivots =
                    (0..program.edges.len() as u32).map(|k| ProgramPoint::Pivot(EdgeId(k)));
                let ends = (0..program.procedures.len() as u32)
                    .map(|k| ProgramPoint::Returned(ProcedureId(k)));
                for point in locations.chain(pivots).chain(ends) {
                    abstracted.add(point, b, 0);
                }
            }
            while !abstracted.abstraction.is_done() {
                abstracted.abstract_one().unwrap();
            }
            let used = projected(&mut abstracted);
            let all: Vec<bool> = (0..used.len())
                .filter(|rule| inside_p(&abstracted, *rule))
                .map(|rule| used[rule])
                .collect();
            assert!(used.contains(&true) && all.len() >= 2);
            answers.push((all.contains(&true), all.contains(&false)));
        }
        assert_eq!(answers, [(true, false), (false, true)]);
    }
}
