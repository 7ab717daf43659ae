//! The shrinker itself, with failures that are made up.

use crate::load;
use crate::support::generate;
use crate::support::shrink::{each, shrink};
use crate::support::tree::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is left is all that the failure needs: a loop with a call of a procedure that loads.
#[test]
fn shrinking_keeps_what_fails_and_drops_the_rest() {
    let source = "int g;\nint f(int p) {\n  g = p + 1;\n  return g;\n}\nvoid main() {\n  g = 2;\n  \
                  if (*) {\n    while (g > 0) {\n      g = f(g);\n      g--;\n    }\n  } else {\n    \
                  g = 3;\n  }\n  assert(g == 0);\n}\n";
    let fails = |text: &str| text.contains("while") && text.contains("g--") && load(text).is_ok();
    let small = shrink(&Program::of_text(source), fails).to_string();
    assert_eq!(small, "int g;\nvoid main() {\n  while (g > 0) {\n    g--;\n  }\n}\n");
}

/// Expressions give way to constants and to their own parts.
#[test]
fn expressions_shrink() {
    let mut shrunken = 0;
    for seed in 0..40 {
        let program = generate::sequential(seed);
        let fails = |text: &str| text.contains(" ? ") && load(text).is_ok();
        if !fails(&program.to_string()) {
            continue;
        }
        let small = shrink(&program, fails).to_string();
        assert!(fails(&small), "{small}");
        assert!(small.lines().count() <= 8, "of seed {seed}:\n{small}");
        assert_eq!(small.matches(" ? ").count(), 1, "of seed {seed}:\n{small}");
        shrunken += 1;
    }
    assert!(shrunken >= 5, "{shrunken}");
}

/// A failing check shows the smallest program that fails in the same place, not one that fails
/// elsewhere.
#[test]
fn a_failing_check_shows_a_small_program() {
    let shown = catch_unwind(AssertUnwindSafe(|| {
        each(0..50, generate::sequential, |_, source| {
            load(source).expect("it loads");
            assert!(!source.contains("switch"), "it has a switch");
        });
    }));
    let shown = shown.expect_err("some have a switch");
    let shown = shown.downcast_ref::<String>().expect("a text");
    assert!(shown.starts_with("seed ") && shown.contains("it has a switch"), "{shown}");
    let (_, small) = shown.split_once("fails there:\n").expect("a program");
    assert!(load(small).is_ok() && small.contains("switch"), "{shown}");
    assert!(small.lines().count() <= 7, "{shown}");
}
