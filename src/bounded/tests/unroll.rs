//! The unrolling as it is drawn: how often each statement is there, and where it ends.

use faultline_bounded::{Checks, Cut, Unrolling, Verdict, unroll};
use std::rc::Rc;

fn unrolled(text: &str, bound: u32) -> (Unrolling, Vec<String>) {
    let tree = faultline_c::parse(text, &|_| None).unwrap_or_else(|m| panic!("{m}"));
    let code = faultline_c::compile(&tree).unwrap_or_else(|m| panic!("{m}"));
    let checks =
        Checks { bounds: true, division: true, overflow: true, shift: true, initialised: false };
    let found = unroll(&tree, &code, checks, bound, 200, Rc::new(|| false)).expect("no limit");
    let told = found.copies.iter().map(|copy| {
        let span = tree.points[copy.point.index()].span;
        let rounds: Vec<String> = copy.rounds.iter().map(u32::to_string).collect();
        let cut = if copy.cut.is_some() { "cut " } else { "" };
        format!("{cut}{} [{}]", &text[span.start as usize..span.end as usize], rounds.join(","))
    });
    (found.clone(), told.collect())
}

const LOOP: &str = "int scanf(const char *, ...);\nvoid __VERIFIER_assert(int);\n\
    int main(void) {\nint n, i = 0;\nscanf(\"%d\", &n);\nwhile (i < n)\ni = i + 1;\n\
    if (i == 3) { int z = 0; n = 1 / z; }\nreturn 0;\n}\n";

#[test]
fn each_round_is_there_once() {
    for bound in 1..=4u32 {
        let (found, told) = unrolled(LOOP, bound);
        let bodies = told.iter().filter(|copy| copy.starts_with("i = i + 1")).count() as u32;
        let fails = matches!(found.verdict, Some(Verdict::Fails(_)));
        // The round behind the last one that counts is where the runs are left.
        assert_eq!(bodies, bound + 1, "{told:?}");
        assert_eq!(fails, bound >= 3, "{bound}: {:?} {told:?}", found.verdict);
        let cuts: Vec<_> = found.copies.iter().filter_map(|copy| copy.cut).collect();
        assert_eq!(cuts, [Cut::Rounds], "{told:?}");
        let failing = found.copies.iter().filter(|copy| copy.fails).count();
        assert_eq!(failing, usize::from(fails), "{told:?}");
        let division = told.iter().position(|copy| copy.starts_with("n = 1 / z"));
        assert_eq!(division.is_some_and(|k| found.copies[k].reached), fails);
        let exits = found.arrows.iter().filter(|arrow| {
            arrow.truth == Some(false) && told[arrow.to as usize].starts_with("i == 3")
        });
        assert_eq!(exits.count() as u32, bound + 1, "{:?} {told:?}", found.arrows);
    }
}

#[test]
fn a_loop_up_to_a_constant_is_followed_to_its_end() {
    let text = "int main(void) {\nint s = 0;\nfor (int i = 0; i < 5; i++)\ns += i;\nreturn s;\n}\n";
    let (found, told) = unrolled(text, 1);
    assert!(matches!(found.verdict, Some(Verdict::Safe)), "{found:?}");
    let bodies: Vec<_> = told.iter().filter(|copy| copy.starts_with("s += i")).collect();
    assert_eq!(bodies.len(), 5, "{told:?}");
    assert!(bodies[4].ends_with("[5]"), "{bodies:?}");
    assert!(found.copies.iter().all(|copy| copy.cut.is_none()));
}

#[test]
fn a_condition_of_two_parts_has_one_arrow_for_each_outcome() {
    let text = "int scanf(const char *, ...);\nint main(void) {\nint n = 0;\nscanf(\"%d\", &n);\n\
        if (n < 1 || n > 9)\nn = 1;\nreturn n;\n}\n";
    let (found, told) = unrolled(text, 1);
    let condition = told.iter().position(|copy| copy.starts_with("n < 1")).expect("drawn") as u32;
    let outcomes: Vec<_> = found
        .arrows
        .iter()
        .filter(|arrow| arrow.from == condition)
        .map(|arrow| arrow.truth)
        .collect();
    assert_eq!(outcomes.len(), 2, "{:?}", found.arrows);
    assert!(outcomes.contains(&Some(true)) && outcomes.contains(&Some(false)), "{outcomes:?}");
}

#[test]
fn more_copies_than_asked_for_are_counted() {
    let tree = faultline_c::parse(LOOP, &|_| None).expect("C");
    let code = faultline_c::compile(&tree).expect("C");
    let checks =
        Checks { bounds: true, division: true, overflow: true, shift: true, initialised: true };
    let found = unroll(&tree, &code, checks, 8, 5, Rc::new(|| false)).expect("no limit");
    assert_eq!(found.copies.len(), 5);
    assert!(found.left_out > 10, "{}", found.left_out);
    assert!(found.arrows.iter().all(|arrow| arrow.to < 5));
}
