//! The proofs behind "safe", refereed by a SAT solver: every obligation of every invariant, as CNF
//! from a second bit-blaster, must be unsatisfiable when negated. And the product's own check of
//! invariants agrees with the referee on broken ones.
//!
//! The solver is `batsat`: MiniSat in plain Rust, one small dependency, still kept up; nothing
//! faster is needed for formulas of this size.

mod circuit;
mod obligations;
use crate::support::Random;
use crate::support::generate;
use crate::support::load;
use crate::support::shrink::each;
use faultline::analysis::invariant::Invariant;
use faultline::analysis::invariant::check::{Errors, Obligation, holds, obligations};
use faultline::analysis::reach::Reach;
use faultline::bdd::{Bdd, Var};
use faultline::encode::{Cell, Copy};
use faultline::lang::model::{LocationId, Program, VariableId};
use faultline::session::{Budgets, Job, Outcome, Proof, Session, Task};
use faultline::wire::options::RequestedOptions;
use obligations::Claim;
use std::rc::Rc;

/// Seeds of random programs; some 230 are safe.
const SEEDS: u64 = 620;

/// The line of the only error that counts, if the program marks one.
fn target(source: &str) -> Option<u32> {
    source.lines().position(|line| line.ends_with("// target")).map(|line| line as u32 + 1)
}

fn checked(source: &str, error: Option<u32>) -> Session {
    let requested = RequestedOptions { error, ..RequestedOptions::default() };
    let mut session = load::session_with(source, &requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

fn claim<'a>(reach: &'a Reach, invariant: &'a Invariant) -> Claim<'a> {
    Claim {
        program: &reach.program,
        layout: &reach.domain.layout,
        kernel: &reach.domain.kernel,
        invariant,
    }
}

fn product_holds(reach: &mut Reach, invariant: &Invariant, obligation: Obligation) -> bool {
    let program = reach.program.clone();
    holds(&program, &reach.domain.layout, &mut reach.domain.kernel, invariant, obligation).unwrap()
}

/// Checks the invariant of a safe program; how many obligations that were. `None`: it is not safe.
fn referee(name: &str, source: &str, error: Option<u32>) -> Option<usize> {
    let session = checked(source, error);
    if session.outcome() == Outcome::Unsafe {
        return None;
    }
    assert_eq!(
        (session.outcome(), session.proof()),
        (Outcome::Safe, Some(Proof::Checked)),
        "{name}\n{source}"
    );
    let (reach, invariant) = proved(session);
    let claim = claim(&reach, &invariant);
    let all = claim.obligations(error);
    for obligation in &all {
        assert!(claim.holds(*obligation), "{name}: {obligation:?} is satisfiable\n{source}");
    }
    Some(all.len())
}

#[test]
fn every_safe_random_program_has_a_proof() {
    let (mut safe, mut proved) = (0, 0);
    each(0..SEEDS, generate::sequential, |seed, source| {
        if let Some(count) = referee(&format!("seed {seed}"), source, target(source)) {
            safe += 1;
            proved += count;
        }
    });
    assert!(safe >= 180 && proved >= 5_000, "{safe} programs, {proved} obligations");
}

#[test]
fn every_safe_example_has_a_proof() {
    let mut safe = 0;
    for (name, source) in load::files("static/examples", &["cimple", "bp", "rem"]) {
        // Those that are there for refinement are too large for the solver; the loop checks their
        // invariants (`tests/cegar`). Programs with threads are never called safe.
        if !name.starts_with("refine-") && !name.starts_with("threads-") {
            safe += u32::from(referee(&name, &source, None).is_some());
        }
    }
    assert!(safe >= 2, "{safe}");
}

/// Arithmetic that the random programs hardly use: the two bit-blasters agree on it, or one of
/// these proofs would fail.
#[test]
fn every_operator_has_a_proof() {
    let int = "//! bits = 4
        int a, b, c;
        int twice(int n) { return n * 2; }
        void main() {
            int q = nondet(); int r = nondet(); int t[3];
            if (b != 0) { q = a / b; r = a % b; assert(q * b + r == a); }
            if (0 <= c && c < 4) { q = a << c; r = a >> c; assert(c > 0 || (q == a && r == a)); }
            c = a & b; assert((c | a) == a); c = a ^ b; assert((c ^ b) == a); assert(~(~c) == c); assert(-(-c) == c);
            if (0 <= c && c <= 2) { t[c] = 5; t[2 - c] = 6; assert(t[2 - c] == 6); assert(c == 1 || t[c] == 5); }
            q = twice(a); assert(q == a + a); assert(q % 2 == 0);
        }";
    let session = checked(int, None);
    assert_eq!(session.outcome(), Outcome::Safe);
    assert!(referee("operators", int, None).is_some_and(|count| count > 40));
}

/// A loop whose counter is at most 3; line 4 asserts it.
const LOOP: &str = "//! bits = 4
void main() {
    int i = 0;
    while (i < 3) { assert(i <= 2); i = i + 1; }
    assert(i == 3);
}
";

/// The obligations that the product and the SAT solver refuse; they must be the same.
fn refused(reach: &mut Reach, invariant: &Invariant) -> Vec<Obligation> {
    let all: Vec<Obligation> = obligations(&reach.program, Errors::All);
    let by_product: Vec<Obligation> =
        all.iter().copied().filter(|o| !product_holds(reach, invariant, *o)).collect();
    let by_solver: Vec<Obligation> =
        all.into_iter().filter(|o| !claim(reach, invariant).holds(*o)).collect();
    assert_eq!(by_product, by_solver);
    by_product
}

fn relations(program: &Program, invariant: &Invariant) -> Vec<Bdd> {
    (0..program.locations.len() as u32).map(|k| invariant.at(LocationId(k))).collect()
}

/// post\* of a program, and the invariant that it gives, about every bit.
fn proved(mut session: Session) -> (Reach, Invariant) {
    let invariant = session.invariant().unwrap().unwrap();
    let (mut reach, _) = session.into_reach().unwrap();
    let program = Rc::clone(&reach.program);
    let invariant = invariant.whole(&mut reach.domain, &program).unwrap();
    (reach, invariant)
}

#[test]
fn an_invariant_that_is_not_inductive_is_refused() {
    let (mut reach, invariant) = proved(checked(LOOP, None));
    let program = Rc::clone(&reach.program);
    assert_eq!(refused(&mut reach, &invariant), []);
    // Without the store i = 2 at the head of the loop, what comes round from i = 1 falls out, and
    // nothing else is wrong.
    let head = program.edges.iter().find(|edge| edge.text.starts_with("while")).unwrap().from;
    let i = (0..).map(VariableId).find(|id| program.variable(*id).name == "i").unwrap();
    let levels = reach.domain.layout.cell(Cell { variable: i, element: 0 }, Copy::Now);
    let two = reach
        .domain
        .kernel
        .cube(&levels.iter().enumerate().map(|(k, level)| (*level, k == 1)).collect::<Vec<_>>())
        .unwrap();
    let mut at = relations(&program, &invariant);
    let kernel = &mut reach.domain.kernel;
    let head = head.0 as usize;
    assert!(!kernel.disjoint(at[head], two).unwrap());
    at[head] = kernel.difference(at[head], two).unwrap();
    let broken = Invariant::new(at, vec![invariant.tracked(program.main_id()).to_vec()]);
    let refused = refused(&mut reach, &broken);
    assert!(
        matches!(refused[..], [Obligation::Statement(edge)] if program.edge(edge).text == "i = i + 1"),
        "{refused:?}"
    );
}

#[test]
fn an_invariant_that_does_not_exclude_the_error_is_refused() {
    let (mut reach, invariant) = proved(checked(LOOP, None));
    let at = vec![Bdd::TRUE; relations(&reach.program, &invariant).len()];
    let refused = refused(&mut reach, &Invariant::new(at, vec![Vec::new()]));
    assert!(
        refused.len() == 2 && refused.iter().all(|o| matches!(o, Obligation::Excludes(..))),
        "{refused:?}"
    );
}

#[test]
fn an_invariant_that_forgets_a_write_is_refused() {
    let source = "int g; void main() { g = 1; assert(g == 1); }";
    let (mut reach, invariant) = proved(checked(source, None));
    let program = Rc::clone(&reach.program);
    let at = relations(&program, &invariant);
    let forgetful = Invariant::new(at, vec![Vec::new()]);
    let refused: Vec<Obligation> = obligations(&program, Errors::All)
        .into_iter()
        .filter(|o| !product_holds(&mut reach, &forgetful, *o))
        .collect();
    assert!(refused.contains(&Obligation::Keeps(program.main_id())), "{refused:?}");
}

/// One store is taken out of, or put into, one relation: product and solver refuse the same
/// obligations.
#[test]
fn the_two_checks_agree_on_mutilated_invariants() {
    let (mut mutilated, mut broken) = (0, 0);
    each(0..80, generate::sequential, |seed, source| {
        let session = checked(source, None);
        if session.outcome() != Outcome::Safe {
            return;
        }
        let (mut reach, invariant) = proved(session);
        let mut random = Random::new(seed);
        let mut at = relations(&reach.program, &invariant);
        let place = random.below(at.len() as u64) as usize;
        let mut support: Vec<Var> = reach.domain.kernel.support(at[place]);
        support.truncate(24);
        let literals: Vec<(Var, bool)> =
            support.into_iter().map(|level| (level, random.flip())).collect();
        let store = reach.domain.kernel.cube(&literals).unwrap();
        at[place] = if random.flip() {
            reach.domain.kernel.or(at[place], store).unwrap()
        } else {
            reach.domain.kernel.difference(at[place], store).unwrap()
        };
        let count = reach.program.procedures.len() as u32;
        let tracked = (0..count)
            .map(|k| invariant.tracked(faultline::lang::model::ProcedureId(k)).to_vec())
            .collect();
        broken += u32::from(!refused(&mut reach, &Invariant::new(at, tracked)).is_empty());
        mutilated += 1;
    });
    assert!(mutilated >= 20 && broken >= 5, "{mutilated} mutilated, {broken} broken by it");
}
