//! Which stores fail at a statement: from below by witnesses, from above by triples, and exactly in
//! between, on random programs.

use crate::compare::target;
use crate::load;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::error_projection::Method;
use faultline::bdd::Bdd;
use faultline::encode::{Cell, Copy, Valuation};
use faultline::lang::model::{EdgeId, Program};
use faultline::session::{Budgets, Job, Session, Task};
use faultline::wire::options::RequestedOptions;

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

/// Only what is in scope before the edge is shown, and compared.
fn in_scope(session: &mut Session, edge: EdgeId, stores: Bdd) -> Bdd {
    let program = session.shared_program().expect("it is loaded");
    let shown = &program.scope(program.edge(edge).scope).variables;
    let domain = &mut session.reach_mut().expect("it ran").domain;
    let hidden: Vec<Cell> = domain
        .visible(program.owner(edge))
        .into_iter()
        .filter(|cell| !shown.contains(&cell.variable))
        .collect();
    let hidden = domain.layout.cells_levels(&hidden, Copy::Now);
    let hidden = domain.kernel.var_set(&hidden);
    domain.kernel.exists(stores, hidden).expect("no limit is hit")
}

fn steps(session: &mut Session) -> u64 {
    session.reach_mut().map_or(0, |reach| reach.domain.kernel.steps())
}

/// A session with a complete projection, and what all three ways build upon.
fn projected(source: &str, program: &Program) -> Session {
    let requested = RequestedOptions { error: target(source), ..RequestedOptions::default() };
    let (mut session, _) = Session::load(source, &requested);
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    for edge in program.edge_ids() {
        session
            .reach_mut()
            .expect("it ran")
            .exact_stores_at(program.edge(edge).from)
            .expect("no limit is hit");
    }
    session
}

fn compare(seed: u64, source: &str, tally: &mut Tally) {
    // A few random programs have literals that do not fit.
    let Ok(program) = load(source) else { return };
    let mut session = projected(source, &program);
    let lit = session.in_projection().expect("no limit is hit");
    tally.programs += 1;
    tally.failing += u32::from(lit.contains(&true));
    if !lit.contains(&true) {
        return;
    }
    // Each way in a session of its own: none finds in the kernel's caches what another left there.
    let before = steps(&mut session);
    for edge in program.edge_ids() {
        session.stores(edge).expect("no limit is hit");
    }
    tally.exact_steps += steps(&mut session) - before;
    session = projected(source, &program);
    for edge in program.edge_ids() {
        session.failing_by_triples(edge).expect("no limit is hit");
    }
    tally.over_steps += steps(&mut session) - before;
    session = projected(source, &program);
    let witnesses = session.witnesses(usize::MAX);
    assert_eq!(session.fault(), None, "seed {seed}\n{source}");
    tally.under_steps += steps(&mut session) - before;
    tally.projection_steps += before;
    tally.witnesses += witnesses.count();
    for edge in program.edge_ids() {
        let (reached, exact) =
            session.stores(edge).expect("no limit is hit").expect("post* is complete");
        let exact = exact.expect("the projection is complete");
        let over = session
            .failing_by_triples(edge)
            .expect("no limit is hit")
            .expect("the projection is complete");
        let under = witnesses
            .failing_at(session.reach_mut().expect("it ran"), edge)
            .expect("no limit is hit");
        let [reached, under, exact, over] =
            [reached, under, exact, over].map(|stores| in_scope(&mut session, edge, stores));
        let kernel = &mut session.reach_mut().expect("it ran").domain.kernel;
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
    let mut session = projected(MIXED, &program);
    let witnesses = session.witnesses(usize::MAX);
    let (reached, exact) =
        session.stores(edge).expect("no limit is hit").expect("post* is complete");
    let over = session
        .failing_by_triples(edge)
        .expect("no limit is hit")
        .expect("the projection is complete");
    let reach = session.reach_mut().expect("it ran");
    let under = witnesses.failing_at(reach, edge).expect("no limit is hit");
    let mut values = |stores| -> Vec<u64> {
        let holds = |value: &u64| {
            let value = reach
                .domain
                .fixed(&[g], Copy::Now, &Valuation([(g, *value)].into()))
                .expect("no limit is hit");
            !reach.domain.kernel.and(stores, value).expect("no limit is hit").is_false()
        };
        (0..8).filter(holds).collect()
    };
    assert_eq!(values(reached), [0, 1, 2]);
    assert_eq!(values(exact.expect("the projection is complete")), [0, 2]);
    assert_eq!(values(over), [0, 1, 2]);
    let under = values(under);
    assert!(!under.is_empty() && under.iter().all(|value| [0, 2].contains(value)), "{under:?}");
}
