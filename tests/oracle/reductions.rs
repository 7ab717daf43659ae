//! Every reduction that the engine makes before or during saturation, switched off by itself, all
//! of them switched off, and all made as often as they can be: verdict, reached statements, exact
//! projection and shortest length stay the oracle's.

use crate::compare::difference;
use crate::explicit::{Settings, explore, shortest_lengths};
use crate::load;
use crate::loops;
use crate::narrow;
use crate::shortest::{length, projected, target};
use crate::support::generate;
use crate::support::shrink::each;
use crate::support::tree::Program;
use crate::symbolic::answer;
use faultline::session::Budgets;
use faultline::util::{AccelerateLoops, Narrow, Order, Unread};

const USUAL: Budgets = Budgets::USUAL;
/// As often as can be.
const ALL: Budgets =
    Budgets { narrow: Narrow::Saving(1), loops: AccelerateLoops::After(1), ..USUAL };
const NONE: Budgets = Budgets {
    narrow: Narrow::Never,
    order: Order::Declared,
    unread: Unread::Kept,
    loops: AccelerateLoops::Never,
    ..USUAL
};

const SWITCHES: [(&str, Budgets); 6] = [
    ("all reductions", ALL),
    ("all bits stored", Budgets { narrow: Narrow::Never, ..ALL }),
    ("the order of the text", Budgets { order: Order::Declared, ..ALL }),
    ("unread locals kept", Budgets { unread: Unread::Kept, ..ALL }),
    ("round by round", Budgets { loops: AccelerateLoops::Never, ..ALL }),
    ("no reduction", NONE),
];

/// How many programs were compared, and how many of them have variables that can be narrowed.
fn agree(make: impl Fn(u64) -> Program, seeds: std::ops::Range<u64>) -> (u32, u32) {
    let (mut compared, mut narrowed) = (0, 0);
    each(seeds, make, |seed, source| {
        let program = load(source).expect("a program");
        let error = target(source);
        let settings = Settings { error, cap: 8_000, ..Settings::default() };
        let Some(oracle) = explore(&program, settings) else { return };
        let lengths = shortest_lengths(&program, settings);
        for (switch, budgets) in SWITCHES {
            let what = format!("{switch}, seed {seed}\n{source}");
            let mut product = answer(source, error, budgets);
            // The naive projection looks at all stores, of which narrow variables have fewer.
            if let Some(product) = &mut product {
                product.naive.clone_from(&oracle.naive);
            }
            assert_eq!(difference(&program, &oracle, &product), None, "{what}");
            let Some(lengths) = &lengths else { continue };
            let session = projected(source, budgets);
            let found = session.failing_run().map(|run| length(&session, run));
            assert_eq!(found, lengths.overall, "{what}");
        }
        compared += 1;
        narrowed += u32::from(narrow::partial(&program) > 0);
    });
    (compared, narrowed)
}

#[test]
fn no_reduction_changes_an_answer() {
    let (compared, narrowed) = agree(loops::program, 5000..5040);
    assert!(compared >= 15 && narrowed >= 5, "{narrowed} of {compared}");
    let (compared, narrowed) = agree(generate::sequential, 5000..5120);
    assert!(compared >= 100 && narrowed >= 15, "{narrowed} of {compared}");
}
