//! Which stores fail at a statement: from below by witnesses, from above by triples, and exactly in
//! between, on random programs.

use crate::compare::target;
use crate::load;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::annotated::triples;
use faultline::analysis::annotated::witnesses::Witnesses;
use faultline::analysis::error_projection::{ErrorProjection, Phase};
use faultline::analysis::reach::Reach;
use faultline::bdd::Bdd;
use faultline::encode::{Cell, Copy, Valuation};
use faultline::lang::model::{EdgeId, Program};
use faultline::session::{Budgets, Job, Session, Sought, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use std::rc::Rc;

/// Over statements that some run executes.
#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    failing: u32,
    statements: u32,
    /// Of the statements: in the error projection.
    lit: u32,
    witnesses: usize,
    /// Of those in the projection: witnesses bring every store that fails.
    under_is_exact: u32,
    /// Triples give no store more.
    over_is_exact: u32,
    /// Of those where triples give more: all that arrive.
    over_is_everything: u32,
    /// Kernel steps of post\*, pre\* and the projection, and beyond.
    projection_steps: u64,
    exact_steps: u64,
    under_steps: u64,
    over_steps: u64,
}

/// A complete projection, and what all three ways build upon.
struct Projected {
    reach: Reach,
    projection: ErrorProjection,
}

impl Projected {
    fn new(program: &Rc<Program>, error: Option<u32>) -> Projected {
        let mut reach =
            Budgets::default().reach(Rc::clone(program), error, None).expect("no limit is hit");
        while !reach.is_done() {
            reach.step().expect("no limit is hit");
        }
        let mut projection =
            ErrorProjection::new(&mut reach, Method::Functional).expect("no limit is hit");
        while projection.phase() != Phase::Done {
            projection.step(&mut reach).expect("no limit is hit");
        }
        let mut projected = Projected { reach, projection };
        for edge in program.edge_ids() {
            projected.arriving(edge);
        }
        projected
    }

    fn steps(&self) -> u64 {
        self.reach.domain.kernel.steps()
    }

    fn arriving(&mut self, edge: EdgeId) -> Bdd {
        let from = self.reach.program.edge(edge).from;
        self.reach.exact_stores_at(from).expect("no limit is hit")
    }

    fn exact(&mut self, edge: EdgeId) -> Bdd {
        self.projection.failing_at(&mut self.reach, edge).expect("no limit is hit")
    }

    fn by_triples(&mut self, edge: EdgeId) -> Bdd {
        triples::failing_at(&mut self.reach, &self.projection, edge).expect("no limit is hit")
    }

    fn by_witnesses(&mut self, witnesses: &Witnesses, edge: EdgeId) -> Bdd {
        witnesses.failing_at(&mut self.reach, edge).expect("no limit is hit")
    }

    /// Only what is in scope before the edge is compared.
    fn in_scope(&mut self, edge: EdgeId, stores: Bdd) -> Bdd {
        let program = &self.reach.program;
        let shown = &program.scope(program.edge(edge).scope).variables;
        let domain = &mut self.reach.domain;
        let hidden: Vec<Cell> = domain
            .visible(program.owner(edge))
            .into_iter()
            .filter(|cell| !shown.contains(&cell.variable))
            .collect();
        let hidden = domain.layout.cells_levels(&hidden, Copy::Now);
        let hidden = domain.kernel.var_set(&hidden);
        domain.kernel.exists(stores, hidden).expect("no limit is hit")
    }
}

/// Failing runs until every statement of the projection is on one: the run that was found, and then
/// a shortest one through each statement that no earlier one executes. And the kernel steps beyond
/// the projection's.
fn witnesses(source: &str) -> (Witnesses, u64) {
    let requested = RequestedOptions { error: target(source), ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    let before = session.statistics().1;
    let mut witnesses = Witnesses::default();
    let lit = session.in_projection().expect("no limit is hit");
    let run = session.failing_run().expect("it fails");
    witnesses.add(run.entries.iter().map(|entry| (entry.edge, entry.values.clone())));
    for edge in (0..lit.len()).filter(|k| lit[*k]).map(|k| EdgeId(k as u32)) {
        if witnesses.is_lit(edge) || !session.seek_through(vec![vec![edge]]) {
            continue;
        }
        session.run();
        if let Some(Sought::Run(run)) = session.through().map(|through| &through.answer) {
            witnesses.add(run.entries.iter().map(|entry| (entry.edge, entry.values.clone())));
        }
    }
    assert_eq!(session.fault(), None, "{source}");
    (witnesses, session.statistics().1 - before)
}

fn compare(seed: u64, source: &str, tally: &mut Tally) {
    // A few random programs have literals that do not fit.
    let Ok(program) = load(source) else { return };
    let program = Rc::new(program);
    let mut projected = Projected::new(&program, target(source));
    let lit = projected.projection.in_projection().to_vec();
    tally.programs += 1;
    tally.failing += u32::from(lit.contains(&true));
    if !lit.contains(&true) {
        return;
    }
    // Each way in a kernel of its own: none finds in its caches what another left there.
    let before = projected.steps();
    for edge in program.edge_ids() {
        projected.exact(edge);
    }
    tally.exact_steps += projected.steps() - before;
    projected = Projected::new(&program, target(source));
    for edge in program.edge_ids() {
        projected.by_triples(edge);
    }
    tally.over_steps += projected.steps() - before;
    projected = Projected::new(&program, target(source));
    let (witnesses, under_steps) = witnesses(source);
    tally.under_steps += under_steps;
    tally.projection_steps += before;
    tally.witnesses += witnesses.count();
    for edge in program.edge_ids() {
        let [reached, under, exact, over] = [
            projected.arriving(edge),
            projected.by_witnesses(&witnesses, edge),
            projected.exact(edge),
            projected.by_triples(edge),
        ]
        .map(|stores| projected.in_scope(edge, stores));
        let kernel = &mut projected.reach.domain.kernel;
        let place = format!(
            "seed {seed}, line {}, `{}`\n{source}",
            program.edge(edge).span.line,
            program.edge(edge).text
        );
        assert!(
            kernel.implies(under, exact).expect("no limit is hit").is_true(),
            "a witness brings a store that does not fail: {place}"
        );
        assert!(
            kernel.implies(exact, over).expect("no limit is hit").is_true(),
            "triples lack a store that fails: {place}"
        );
        assert!(
            kernel.implies(over, reached).expect("no limit is hit").is_true(),
            "triples have a store that never arrives: {place}"
        );
        assert_eq!(
            witnesses.is_lit(edge),
            lit[edge.0 as usize],
            "witnesses are on the projection, and cover it: {place}"
        );
        assert_eq!(over.is_false(), !lit[edge.0 as usize], "the third component is exact: {place}");
        if reached.is_false() || !program.edge(edge).is_statement() {
            continue;
        }
        tally.statements += 1;
        if lit[edge.0 as usize] {
            tally.lit += 1;
            tally.under_is_exact += u32::from(under == exact);
            tally.over_is_exact += u32::from(over == exact);
            tally.over_is_everything += u32::from(over != exact && over == reached);
        }
    }
}

#[test]
fn the_exact_stores_lie_between() {
    let mut tally = Tally::default();
    each(8000..8340, generate::sequential, |seed, source| compare(seed, source, &mut tally));
    assert!(tally.programs >= 300 && tally.failing >= 100, "{tally:?}");
    assert!(tally.under_is_exact > 0 && tally.under_is_exact < tally.lit, "{tally:?}");
    assert!(tally.over_is_exact > 0 && tally.over_is_exact < tally.lit, "{tally:?}");
}

/// With g = 1 the procedure is entered from the first call only, whose failing runs have g = 0; it
/// can be left with g = 2, with which the second call fails.
const MIXED: &str = "//! bits = 3
int g;
void p() {
  skip;
  if (*) { g = 2; }
}
void f(int k) {
  p();
  assert(!(k == 0 && g == 0) && !(k == 1 && g == 2));
}
void main() {
  if (*) {
    g = 0;
    if (*) { g = 1; }
    f(0);
  } else {
    g = 2;
    f(1);
  }
}
";

#[test]
fn triples_mix_calling_contexts() {
    let program = load(MIXED).expect("a good program");
    let edge = program
        .edge_ids()
        .find(|id| program.edge(*id).span.line == 4 && program.edge(*id).is_statement())
        .expect("it is there");
    let g = Cell { variable: program.globals().next().expect("it is there"), element: 0 };
    let mut projected = Projected::new(&Rc::new(program), None);
    let (witnesses, _) = witnesses(MIXED);
    let (reached, exact) = (projected.arriving(edge), projected.exact(edge));
    let over = projected.by_triples(edge);
    let under = projected.by_witnesses(&witnesses, edge);
    let domain = &mut projected.reach.domain;
    let mut values = |stores| -> Vec<u64> {
        let holds = |value: &u64| {
            let value = domain
                .fixed(&[g], Copy::Now, &Valuation([(g, *value)].into()))
                .expect("no limit is hit");
            !domain.kernel.and(stores, value).expect("no limit is hit").is_false()
        };
        (0..8).filter(holds).collect()
    };
    assert_eq!(values(reached), [0, 1, 2]);
    assert_eq!(values(exact), [0, 2]);
    assert_eq!(values(over), [0, 1, 2]);
    let under = values(under);
    assert!(!under.is_empty() && under.iter().all(|value| [0, 2].contains(value)), "{under:?}");
}
