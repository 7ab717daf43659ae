//! All methods of the projection against the oracle, on random programs.

use crate::compare::{ask_oracle, target};
use crate::support::generate;
use crate::support::shrink::each;
use crate::{load, symbolic};
use faultline::lang::model::EdgeId;
use faultline::session::{Budgets, Job, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;

/// Four ways to the same answer, statement by statement; and the naive one never has less.
#[test]
fn the_exact_methods_agree() {
    let (mut compared, mut failing, mut deep) = (0, 0, 0);
    each(7000..7320, generate::sequential, |seed, source| {
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let ask = |method| {
            symbolic::projection(source, target(source), method, Budgets::default())
                .expect("no limit is hit")
        };
        let (expected, passed) = ask(Method::Functional);
        for method in [Method::PerNode, Method::DoublePrestar, Method::DoublePoststar] {
            let (lit, passed_by_method) = ask(method);
            for (number, edge) in program.edges.iter().enumerate() {
                let place = format!(
                    "{method:?}, seed {seed}, edge {number}, line {}, `{}`\n{source}",
                    edge.span.line, edge.text
                );
                assert_eq!(lit[number], expected[number], "{place}");
                assert_eq!(passed_by_method[number], passed[number], "behind {place}");
                assert!(
                    lit[number] == oracle.projection[number] || !edge.is_statement(),
                    "against the oracle: {place}"
                );
            }
        }
        let (naive, _) = ask(Method::Naive);
        assert!(
            expected.iter().zip(&naive).all(|(exact, naive)| *naive || !exact),
            "seed {seed}\n{source}"
        );
        compared += 1;
        failing += u32::from(oracle.is_unsafe);
        deep += u32::from(program.procedures.len() > 2);
    });
    assert!(
        compared >= 300 && failing * 3 >= compared && deep * 2 >= compared,
        "{compared} compared, {failing} fail, {deep} deep"
    );
}

/// Collecting garbage after every step, with what was freed poisoned, changes no method's answer.
#[test]
fn the_methods_keep_what_they_need() {
    let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
    let mut compared = 0;
    each(7500..7512, generate::sequential, |seed, source| {
        let Some((_, oracle)) = ask_oracle(source) else { return };
        for method in [Method::PerNode, Method::DoublePrestar, Method::DoublePoststar] {
            let plain = symbolic::projection(source, target(source), method, Budgets::default());
            let collected = symbolic::projection(source, target(source), method, budgets);
            assert_eq!(plain, collected, "{method:?}, seed {seed}\n{source}");
        }
        compared += u32::from(oracle.is_unsafe);
    });
    assert!(compared >= 4, "{compared}");
}

/// Which stores fail is the same question by every exact method.
#[test]
fn the_failing_stores_do_not_depend_on_the_method() {
    let mut compared = 0;
    each(7600..7612, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let ask = |method| {
            symbolic::store_counts(source, target(source), method).expect("no limit is hit")
        };
        let expected = ask(Method::Functional);
        for method in [Method::PerNode, Method::DoublePrestar, Method::DoublePoststar] {
            assert_eq!(ask(method), expected, "{method:?}, seed {seed}\n{source}");
        }
        compared += u32::from(
            expected.iter().any(|(_, failing)| failing != "0") && !program.edges.is_empty(),
        );
    });
    assert!(compared >= 4, "{compared}");
}

/// A sample is decided as among all, and nothing else is.
#[test]
fn a_sample_is_decided_like_the_whole() {
    let source = generate::program(
        (7000..7420).find(|seed| is_failing(&generate::program(*seed))).expect("some fail"),
    );
    let requested = RequestedOptions { error: target(&source), ..RequestedOptions::default() };
    for method in [Method::PerNode, Method::DoublePrestar, Method::DoublePoststar] {
        let (mut session, _) = Session::load(&source, &requested);
        let lit = |session: &mut Session| {
            session.start(Task::Projection(method), Budgets::default());
            session.run();
            session.in_projection().expect("no limit is hit")
        };
        let all = lit(&mut session);
        let chosen: Vec<usize> = (0..all.len()).filter(|k| k % 3 == 0).collect();
        assert!(chosen.iter().any(|k| all[*k]), "the sample must be worth it");
        session.sample(Some(chosen.iter().map(|k| EdgeId(*k as u32)).collect()));
        let some = lit(&mut session);
        for (k, found) in some.iter().enumerate() {
            assert_eq!(*found, all[k] && chosen.contains(&k), "{method:?}, edge {k}");
        }
    }
}

fn is_failing(source: &str) -> bool {
    ask_oracle(source)
        .is_some_and(|(_, oracle)| oracle.projection.iter().step_by(3).any(|lit| *lit))
}
