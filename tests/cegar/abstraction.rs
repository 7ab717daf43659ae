//! Existential abstraction: the paper's example, and every rule of random programs against an
//! enumeration of stores.

use crate::runs::set_up;
use faultline::analysis::cegar::abstraction::AbstractRule;
use faultline::analysis::cegar::bits::AbstractCopy;
use faultline::analysis::cegar::round::CegarPhase;
use faultline::bdd::Bdd;
use faultline::encode::RuleRole;
use faultline::lang::model::Operation;
use faultline::pds::RuleId;
use faultline::report::cegar_seed::seed;
use faultline::session::{Budgets, CegarSession, Job};
use faultline::wire::refinement::CegarOptions;

fn abstracted(source: &str, predicates: &[&str]) -> CegarSession {
    let (mut session, _) = set_up(source, None, CegarOptions::default(), Budgets::default());
    for predicate in predicates {
        assert_eq!(seed(&mut session, predicate), Ok(1), "{predicate}");
    }
    while session.phase() == CegarPhase::Abstract {
        session.step();
    }
    session
}

/// The abstract rule of the only assignment.
fn assignment(session: &mut CegarSession) -> Bdd {
    let program = std::rc::Rc::clone(session.program());
    let cegar = session.cegar_mut().expect("it was set up");
    let abstracted = cegar.abstracted();
    let is_assignment = |rule: &RuleId| match abstracted.system.role(*rule) {
        RuleRole::Execute(edge) => matches!(program.edge(edge).operation, Operation::Assign(_)),
        _ => false,
    };
    let rule = (0..abstracted.system.roles.len() as u32)
        .map(RuleId)
        .find(is_assignment)
        .expect("an assignment");
    match abstracted.abstraction.rule(rule) {
        AbstractRule::Step(relation) => relation,
        AbstractRule::Call(_) => panic!("an assignment is no call"),
    }
}

/// Ex. 4.1: Y := 2X, with X even before and Y even, 4 divides Y after: l3' = l1 ∧ l2' = 1. (The
/// paper's text has l3 := l1; its figure prints the same.) Bits are shared: l1 and l2 are both the
/// first bit (7.1).
#[test]
fn example_4_1() {
    let source =
        "//! bits = 4\nunsigned X, Y;\nvoid main() {\n  Y = 2 * X;\n  assert(Y % 2 == 0);\n}\n";
    let mut session = abstracted(source, &["X even@4", "Y even@5", "Y % 4 = 0@5"]);
    let relation = assignment(&mut session);
    let abstracted = session.cegar_mut().expect("it was set up").abstracted();
    let bits = abstracted.bits;
    let kernel = &mut abstracted.domain.kernel;
    let mut bit = |number, copy| {
        let level = bits.level(number, copy).expect("a bit");
        kernel.var(level).expect("no limit")
    };
    let (l1, l2, l3) =
        (bit(0, AbstractCopy::Now), bit(0, AbstractCopy::Next), bit(1, AbstractCopy::Next));
    let same = kernel.iff(l1, l3).expect("no limit");
    assert_eq!(relation, kernel.and(same, l2).expect("no limit"));
    assert_eq!(abstracted.predicates.longest(), 2);
}

/// Every pair of stores of a statement, explicitly: the abstract rule has exactly their bits.
#[test]
fn a_rule_is_exactly_the_image_of_its_stores() {
    let source =
        "//! bits = 3\nunsigned X, Y;\nvoid main() {\n  X = X * Y + 3;\n  assert(X != Y);\n}\n";
    let mut session = abstracted(
        source,
        &["X < Y@4", "X odd@4", "Y = 5@4", "X ≤ 2@5", "X = Y@5", "X + Y even@5"],
    );
    let relation = assignment(&mut session);
    let abstracted = session.cegar_mut().expect("it was set up").abstracted();
    let bits = abstracted.bits;
    let mut found = std::collections::BTreeSet::new();
    for x in 0..8_u32 {
        for y in 0..8_u32 {
            let next = (x * y + 3) % 8;
            found.insert([x < y, x % 2 == 1, y == 5, next <= 2, next == y, (next + y) % 2 == 0]);
        }
    }
    assert!(found.len() > 10 && found.len() < 60);
    for all in 0..64_u32 {
        let value = |k: usize| all >> k & 1 == 1;
        let assigned = |level| match bits.owner(level) {
            Some((bit, AbstractCopy::Now)) => value(bit),
            Some((bit, AbstractCopy::Next)) => value(bit + 3),
            other => panic!("a rule over {other:?}"),
        };
        let holds = abstracted.domain.kernel.eval(relation, &assigned);
        let expected =
            found.contains(&[value(0), value(1), value(2), value(3), value(4), value(5)]);
        assert_eq!(holds, expected, "{all:06b}");
    }
}
