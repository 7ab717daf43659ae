//! The thesis's figures on the DAGs that it prints. Every formula here is the thesis's own.

use super::picture::{Finished, Picture};
use faultline::analysis::cegar::check::{Claim, Obligation};
use faultline::analysis::cegar::dag::Action;
use faultline::analysis::cegar::interpolants::{Family, Interpolants};
use faultline::analysis::cegar::lazy::needed;
use faultline::bdd::Bdd;
use faultline::encode::Frame;
use faultline::wire::refinement::Heuristic;

/// Interpolants of a spurious figure, all of whose properties hold.
fn spurious(figure: &mut Finished, heuristic: Heuristic) -> Interpolants {
    let interpolants = figure.world.interpolate(&figure.dag, heuristic);
    assert!(interpolants.is_spurious(&figure.dag));
    let proved = figure
        .world
        .check(&figure.dag, &interpolants)
        .unwrap_or_else(|broken| panic!("{heuristic:?}: {broken:?}"));
    assert!(proved > 0);
    interpolants
}

/// All six heuristics leave interpolants whose properties hold.
fn every_heuristic(figure: &mut Finished) {
    for heuristic in Heuristic::ALL {
        let families = spurious(figure, heuristic).chosen.len();
        assert_eq!(families, if heuristic == Heuristic::Both { 2 } else { 1 });
    }
}

/// Does the obligation hold of this family, with these frames instead of the program's own?
fn holds_of(
    figure: &mut Finished,
    interpolants: &Interpolants,
    family: &Family,
    frames: Option<&[Frame]>,
    obligation: Obligation,
) -> bool {
    let domain = &mut figure.world.domain;
    let claim = Claim {
        program: &figure.world.program,
        layout: &domain.layout,
        frames: frames.unwrap_or(&domain.frames),
        dag: &figure.dag,
        strongest: &interpolants.strongest,
        family,
        bound: &interpolants.weakest,
    };
    claim.holds(&mut domain.kernel, obligation).unwrap()
}

/// Figs 4.2 to 4.7. The node behind (X odd) is our error label's.
#[test]
fn figure_4_7() {
    let mut figure = Picture::of("fig-4-2")
        .begins("1")
        .step("1", "2", 2, "")
        .step("2", "3", 3, "true")
        .step("3", "6", 4, "")
        .step("2", "4", 3, "false")
        .step("4", "6", 5, "false")
        .step("4", "5", 5, "true")
        .step("5", "4'", 6, "")
        .step("4'", "6", 5, "false")
        .step("6", "7", 7, "")
        .step("7", "label", 8, "true")
        .fails("label", 8)
        .finish();
    assert_eq!(figure.dag.trace_count(), 3);
    figure.expect_traces(&[
        ("1", 3),
        ("3", 1),
        ("4", 2),
        ("5", 1),
        ("4'", 1),
        ("6", 3),
        ("label", 3),
    ]);
    let interpolants = spurious(&mut figure, Heuristic::Weakest);
    let printed = [
        ("1", "true"),
        ("2", "X even"),
        ("3", "X even"),
        ("4", "X even"),
        ("5", "X even ∨ Y even"),
        ("4'", "X even ∨ Y odd"),
        ("6", "X + Y even"),
        ("7", "X even"),
        ("label", "false"),
    ];
    figure.expect("weakest", &interpolants.weakest, &printed);
    figure.expect("chosen", &interpolants.chosen[0], &printed);
    figure.expect_readable(&interpolants.weakest);
    assert!(interpolants.weakest[figure.dag.top().0 as usize].is_true());
    assert!(interpolants.weakest[figure.dag.bottom().0 as usize].is_false());
    every_heuristic(&mut figure);
}

/// 6.2.1 says [Y = X·(X+1)] of node 2; what holds there is ∃X0. X = X0·(X0+1), which makes X even.
#[test]
fn figure_4_7_strongest_at_2() {
    let mut figure = Picture::of("fig-4-2")
        .begins("1")
        .step("1", "2", 2, "")
        .step("2", "3", 3, "true")
        .step("3", "6", 4, "")
        .step("6", "7", 7, "")
        .step("7", "label", 8, "true")
        .fails("label", 8)
        .finish();
    let interpolants = spurious(&mut figure, Heuristic::Strongest);
    let (found, even) =
        (interpolants.strongest[figure.nodes["2"].0 as usize], figure.formula("2", "X even"));
    let mut products: Vec<i32> =
        (0..32).map(|x| x * (x + 1) % 32).map(|x| if x < 16 { x } else { x - 32 }).collect();
    products.sort_unstable();
    products.dedup();
    let listed = products.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    let wanted = figure.formula("2", &format!("X ∈ {{{listed}}}"));
    assert_eq!(found, wanted);
    assert!(figure.world.domain.kernel.is_subset(found, even).unwrap());
}

/// Figs 5.2, 5.3 and 5.7's DAG. The node `exit` behind G := P is ours.
fn figure_5_2() -> Finished {
    Picture::of("fig-2-1")
        .begins("m0")
        .step("m0", "m1", 12, "")
        .push("m1", "f0m2", 13)
        .returns("f0m2", "m2", "f0", |body| {
            body.step("f0", "f1", 4, "true")
                .step("f0", "f2", 4, "false")
                .step("f1", "f3", 5, "")
                .step("f2", "f3", 7, "")
                .step("f3", "exit", 8, "")
                .pops("exit", "ε")
        })
        .step("m2", "label", 14, "true")
        .fails("label", 14)
        .finish()
}

fn figure_5_8_dag() -> Finished {
    Picture::of("fig-5-8")
        .begins("m0")
        .step("m0", "m1", 6, "")
        .push("m1", "f0m2", 7)
        .enters("f0m2", "f0")
        .step("f0", "label", 2, "true")
        .fails("label", 2)
        .finish()
}

/// Every obligation that ties caller and callee together finds a predicate that breaks it.
#[test]
fn calls_are_not_tracked_by_any_predicate() {
    // Where, what is said there, and what must notice. The weakest interpolants hold elsewhere.
    let holds = |figure: &mut Finished,
                 name: &str,
                 text: &str,
                 frames: Option<&[Frame]>,
                 obligation: Obligation|
     -> bool {
        let interpolants = figure.world.interpolate(&figure.dag, Heuristic::Weakest);
        let mut family = interpolants.weakest.clone();
        family[figure.nodes[name].0 as usize] = figure.formula(name, text);
        holds_of(figure, &interpolants, &family, frames, obligation)
    };
    let out = |figure: &Finished, name: &str| figure.dag.outgoing(figure.nodes[name])[0];

    let mut figure = figure_5_8_dag();
    let (push, enter) = (out(&figure, "m1"), out(&figure, "f0m2"));
    for (name, text, obligation) in [
        ("f0", "P ≠ 1 ∧ P ≠ 2", Obligation::PushOnly(push, enter)),
        ("f0", "P ≠ 1 ∧ P ≠ 2", Obligation::Tracked(enter)),
        ("f0m2", "P of foo ≠ 1 ∧ L ≠ 2", Obligation::Tracked(push)),
        ("m1", "true", Obligation::PushOnly(push, enter)),
    ] {
        assert!(
            !holds(&mut figure, name, text, None, obligation),
            "{name} [{text}] {obligation:?}"
        );
        assert!(holds(&mut figure, "label", "false", None, obligation), "{obligation:?}");
    }

    let mut figure = figure_5_2();
    let (push, returns, pop) = (out(&figure, "m1"), out(&figure, "f0m2"), out(&figure, "exit"));
    let body = figure.dag.parts()[1].instance;
    for (name, text, obligation) in [
        ("ε", "P at entry even → G = 0 ∨ G = 1", Obligation::Tracked(returns)),
        ("f0m2", "true", Obligation::Tracked(returns)),
        ("m2", "G = 0 ∧ L = 0", Obligation::Tracked(returns)),
        ("m1", "L even ∨ L = 1", Obligation::Tracked(push)),
        ("exit", "true", Obligation::Tracked(pop)),
        ("f0", "P = 0", Obligation::Entered(body)),
    ] {
        assert!(
            !holds(&mut figure, name, text, None, obligation),
            "{name} [{text}] {obligation:?}"
        );
        assert!(holds(&mut figure, "label", "false", None, obligation), "{obligation:?}");
    }
    // foo writes G and P.
    let mut frames = figure.world.domain.frames.clone();
    assert!(holds(&mut figure, "label", "false", Some(&frames), Obligation::Keeps(body)));
    frames.iter_mut().for_each(|frame| frame.tracked.truncate(1));
    assert!(!holds(&mut figure, "label", "false", Some(&frames), Obligation::Keeps(body)));
}

fn figure_4_8() -> Finished {
    Picture::of("fig-4-8")
        .begins("1")
        .step("1", "2", 3, "")
        .step("2", "3", 4, "")
        .step("3", "label", 5, "true")
        .fails("label", 5)
        .finish()
}

#[test]
fn figure_4_8_columns() {
    let mut figure = figure_4_8();
    let interpolants = spurious(&mut figure, Heuristic::Both);
    figure.expect(
        "strongest",
        &interpolants.chosen[0],
        &[("1", "true"), ("2", "X = 0"), ("3", "X = 0 ∧ Y = 0"), ("label", "false")],
    );
    figure.expect(
        "weakest",
        &interpolants.chosen[1],
        &[("1", "true"), ("2", "true"), ("3", "Y = 0"), ("label", "false")],
    );
    every_heuristic(&mut figure);
}

/// Example 4.11: the weakest at node 2 with the strongest at node 3 lie between I and J, but are
/// not tracked.
#[test]
fn figure_4_8_mixed_is_refused() {
    let mut figure = figure_4_8();
    let mut interpolants = spurious(&mut figure, Heuristic::Strongest);
    let two = figure.nodes["2"].0 as usize;
    let mut family = interpolants.strongest.clone();
    family[two] = interpolants.weakest[two];
    let edge = figure.dag.outgoing(figure.nodes["2"])[0];
    for node in ["1", "2", "3", "label"] {
        let between = Obligation::Between(figure.nodes[node]);
        assert!(holds_of(&mut figure, &interpolants, &family, None, between));
    }
    assert!(!holds_of(&mut figure, &interpolants, &family, None, Obligation::Tracked(edge)));
    interpolants.chosen = vec![family];
    let broken = figure.world.check(&figure.dag, &interpolants).expect_err("tracking is violated");
    assert_eq!(broken.obligation, Obligation::Tracked(edge));
}

/// Figs 2.1, 5.3 and 5.7, with 10 bits for 561.
#[test]
fn figures_5_3_and_5_7() {
    let mut figure = figure_5_2();
    assert_eq!(figure.dag.trace_count(), 2);
    figure.expect_traces(&[("m1", 2), ("f0", 2), ("f1", 1), ("f2", 1), ("ε", 2), ("m2", 2)]);
    let interpolants = spurious(&mut figure, Heuristic::Both);
    let strongest = [
        ("m0", "true"),
        ("m1", "∃L0. L = L0 * (L0 + 1) (mod 1024)"),
        ("f0m2", "∃L0. P of foo = L ∧ L = L0 * (L0 + 1) (mod 1024)"),
        ("m2", "∃L0. G = 0 ∧ L = L0 * (L0 + 1) (mod 1024)"),
        ("label", "false"),
        ("f0", "P = P at entry ∧ G = G at entry"),
        ("f1", "P = P at entry ∧ P at entry even ∧ G = G at entry"),
        ("f2", "P = P at entry ∧ P at entry odd ∧ G = G at entry"),
        (
            "f3",
            "(P at entry even ∧ P = 0 ∧ G = G at entry) ∨ (P at entry odd ∧ P = 561 ∧ G = G at entry)",
        ),
        ("ε", "(P at entry even ∧ G = 0) ∨ (P at entry odd ∧ G = 561)"),
    ];
    figure.expect("strongest", &interpolants.chosen[0], &strongest);
    let weakest = [
        ("m0", "true"),
        ("m1", "L even"),
        ("f0m2", "P of foo even"),
        ("m2", "G = 0"),
        ("label", "false"),
        ("f0", "P odd → P at entry odd"),
        ("f1", "true"),
        ("f2", "P at entry odd"),
        ("f3", "P at entry even → P = 0"),
        ("ε", "P at entry even → G = 0"),
    ];
    figure.expect("weakest", &interpolants.chosen[1], &weakest);
    figure.expect_readable(&interpolants.weakest);
    every_heuristic(&mut figure);
}

#[test]
fn figure_5_8() {
    let mut figure = figure_5_8_dag();
    let interpolants = spurious(&mut figure, Heuristic::Both);
    let strongest = [
        ("m0", "true"),
        ("m1", "L = 0"),
        ("f0m2", "P of foo = L ∧ L = 0"),
        ("f0", "P = 0"),
        ("label", "false"),
    ];
    figure.expect("strongest", &interpolants.strongest, &strongest);
    let weakest = [
        ("m0", "true"),
        ("m1", "L ≠ 1"),
        ("f0m2", "P of foo ≠ 1"),
        ("f0", "P ≠ 1"),
        ("label", "false"),
    ];
    figure.expect("weakest", &interpolants.weakest, &weakest);
    every_heuristic(&mut figure);
}

/// Fig. 6.4; Example 6.6 says that assume-skip gives the conciliated column.
#[test]
fn figure_6_4() {
    let mut figure = Picture::of("fig-6-4")
        .begins("1")
        .step("1", "2", 3, "")
        .step("2", "3", 4, "")
        .step("3", "4", 5, "true")
        .step("4", "5", 6, "true")
        .step("5", "6", 7, "true")
        .fails("6", 7)
        .finish();
    let strongest = [
        ("1", "true"),
        ("2", "X = 0"),
        ("3", "X = 0 ∧ Y = 0"),
        ("4", "X = 0 ∧ Y = 0 ∧ Z ≠ 0"),
        ("5", "false"),
        ("6", "false"),
    ];
    let weakest = [
        ("1", "true"),
        ("2", "W = 0 ∨ X = 0 ∨ Z = 0"),
        ("3", "W = 0 ∨ X = 0 ∨ Z = 0"),
        ("4", "W = 0 ∨ X = 0"),
        ("5", "W = 0"),
        ("6", "false"),
    ];
    let conciliated = [
        ("1", "true"),
        ("2", "X = 0"),
        ("3", "X = 0"),
        ("4", "X = 0"),
        ("5", "false"),
        ("6", "false"),
    ];
    let interpolants = spurious(&mut figure, Heuristic::Both);
    figure.expect("strongest", &interpolants.strongest, &strongest);
    figure.expect("weakest", &interpolants.weakest, &weakest);
    for heuristic in [Heuristic::Conciliated, Heuristic::Skip] {
        let interpolants = spurious(&mut figure, heuristic);
        figure.expect(heuristic.word(), &interpolants.chosen[0], &conciliated);
    }
    every_heuristic(&mut figure);
}

/// Figs 6.7 and 6.8: foo gets no predicate.
#[test]
fn figure_6_8() {
    let mut figure = Picture::of("fig-6-7")
        .begins("m0")
        .step("m0", "m1", 7, "")
        .push("m1", "f0m2", 8)
        .returns("f0m2", "m2", "f0", |body| body.step("f0", "exit", 3, "").pops("exit", "ε"))
        .step("m2", "label", 9, "true")
        .fails("label", 9)
        .finish();
    let interpolants = spurious(&mut figure, Heuristic::Skip);
    let skip = [
        ("m0", "true"),
        ("m1", "B = 0"),
        ("f0m2", "B = 0"),
        ("m2", "B = 0"),
        ("f0", "true"),
        ("ε", "true"),
        ("label", "false"),
    ];
    figure.expect("skip", &interpolants.chosen[0], &skip);
    figure.expect(
        "strongest",
        &interpolants.strongest,
        &[("m0", "true"), ("m1", "B = 0"), ("f0m2", "B = 0"), ("f0", "G = G at entry")],
    );
    every_heuristic(&mut figure);
}

/// Figs 8.1 and 8.2: X = 0 is known at 2 and 11, so the only new predicate is [X ≠ 561] at 12.
#[test]
fn figure_8_2() {
    let mut figure = Picture::of("fig-8-1")
        .begins("1")
        .step("1", "2", 5, "")
        .step("2", "11", 6, "")
        .step("11", "12", 7, "false")
        .step("12", "label", 9, "true")
        .fails("label", 9)
        .finish();
    let interpolants = spurious(&mut figure, Heuristic::Weakest);
    figure.expect(
        "weakest",
        &interpolants.weakest,
        &[("11", "Y = 42 ∨ X ≠ 561"), ("12", "X ≠ 561"), ("label", "false")],
    );
    let mut known = vec![Bdd::TRUE; figure.dag.node_count()];
    let nowhere = known.clone();
    for name in ["2", "11"] {
        known[figure.nodes[name].0 as usize] = figure.formula(name, "X = 0");
    }
    let weakest = &interpolants.weakest;
    let mut new = |known: &Vec<Bdd>| -> Vec<String> {
        let needed = needed(&mut figure.world.concrete(), &figure.dag, weakest, known).unwrap();
        let wanted = |node: usize| needed[node] && !weakest[node].is_constant();
        figure
            .nodes
            .iter()
            .filter(|(_, node)| wanted(node.0 as usize))
            .map(|(name, _)| name.clone())
            .collect()
    };
    assert_eq!(new(&known), ["12"]);
    assert_eq!(new(&nowhere), ["11", "12", "2"]);
}

/// Fig. 5.10: main calls f, f calls itself, the inner call returns and the outer one fails. A
/// spurious one, and its real twin.
#[test]
fn figure_5_10() {
    for (file, real) in [("fig-5-10", false), ("fig-5-10-real", true)] {
        let mut figure = Picture::of(file)
            .begins("m0")
            .step("m0", "mi", 9, "")
            .push("mi", "f0mi+1", 10)
            .enters("f0mi+1", "f0")
            .step("f0", "fj", 3, "true")
            .push("fj", "f0fj+1", 4)
            .returns("f0fj+1", "fj+1", "inner f0", |body| {
                body.step("inner f0", "inner exit", 3, "false").pops("inner exit", "ε")
            })
            .step("fj+1", "label", 5, "true")
            .fails("label", 5)
            .finish();
        let enters =
            figure.dag.edge_ids().filter(|id| figure.dag.edge(*id).action == Action::Enter).count();
        assert_eq!((enters, figure.dag.parts().len()), (1, 2));
        if real {
            let interpolants = figure.world.interpolate(&figure.dag, Heuristic::Weakest);
            assert!(!interpolants.is_spurious(&figure.dag));
            super::traces::expect_replayed(&mut figure.world, &figure.dag, &interpolants);
        } else {
            let interpolants = spurious(&mut figure, Heuristic::Both);
            figure.expect(
                "strongest",
                &interpolants.strongest,
                &[("f0mi+1", "n of f = 2 ∧ G = 0"), ("f0", "n = 2 ∧ G = 0"), ("ε", "n = 0")],
            );
            every_heuristic(&mut figure);
        }
    }
}
