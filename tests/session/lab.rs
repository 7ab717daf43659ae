//! The pushdown lab as a session: recordings replay to the automaton, weights as of any step,
//! witnesses, the transducer, limits, and questions that cannot be answered.

use crate::support::load::{in_dialect, session_with};
use faultline::draw::lab_dot::automaton_dot;
use faultline::report::lab::{lab_report, lab_transfer, lab_weight, lab_witness};
use faultline::session::lab::{LabRequest, LabSession};
use faultline::session::{Budgets, Job, Session};
use faultline::wire::lab::LabTask;
use faultline::wire::lab::{LabAnswer, LabAutomaton, LabCause, LabOptions, LabReport, LabRole};
use faultline::wire::options::Dialect;

pub(crate) fn load(source: &str, dialect: Dialect) -> Session {
    session_with(source, &in_dialect(dialect))
}

pub(crate) fn example(file: &str) -> Session {
    load(
        &crate::support::load::example(file),
        Dialect::of_extension(file.rsplit('.').next().expect("an extension")).expect("a language"),
    )
}

pub(crate) fn record(session: &Session, options: &LabOptions) -> (LabSession, LabReport) {
    let request = LabRequest {
        options: options.clone(),
        max_transitions: 2_000,
        // Programs with products of 32 bits end here instead of after seconds.
        budgets: Budgets { max_nodes: 500_000, ..Budgets::default() },
    };
    let mut lab =
        LabSession::new(session, &request).unwrap_or_else(|problem| panic!("{problem:?}"));
    lab.run();
    let report = lab_report(&mut lab, options);
    check(&report);
    (lab, report)
}

pub(crate) fn task(task: LabTask) -> LabOptions {
    LabOptions { task, ..LabOptions::default() }
}

/// Replaying all changes gives what is there at the end; every step looks at what was first in the
/// worklist; everything has its place.
pub(crate) fn check(report: &LabReport) {
    for automaton in &report.automata {
        let mut weights: Vec<Option<String>> = vec![None; automaton.transitions.len()];
        let mut waiting: Vec<u32> = Vec::new();
        for (k, step) in automaton.steps.iter().enumerate() {
            assert_eq!(step.looked_at.is_none(), k == 0);
            assert!(
                step.looked_at.is_none() || step.looked_at.as_ref() == waiting.first(),
                "step {k}"
            );
            for change in &step.changes {
                let weight = &mut weights[change.transition as usize];
                assert_eq!(change.is_new, weight.is_none());
                *weight = Some(change.weight.clone());
                assert!(
                    change.premises.iter().all(|premise| weights_before(automaton, k, *premise)),
                    "step {k}: {change:?}"
                );
                assert!(
                    !change.words.is_empty()
                        && (change.cause == LabCause::Given)
                            == (change.rule.is_none() && change.premises.is_empty())
                );
            }
            assert!(step.waiting.len() <= 24 && step.waiting.len() <= step.waiting_count as usize);
            waiting = step.waiting.clone();
        }
        if !automaton.steps.is_empty() {
            // A step that met a limit is undone: what it looked at waits, though no step is shown.
            let cut = report.limit.is_some();
            assert!(automaton.complete == waiting.is_empty() || cut && !automaton.complete);
            for (transition, weight) in automaton.transitions.iter().zip(&weights) {
                assert_eq!(Some(&transition.weight), weight.as_ref());
            }
        }
        for transition in &automaton.transitions {
            let arrow = &automaton.arrows[transition.arrow as usize];
            assert_eq!((arrow.from, arrow.to), (transition.from, transition.to));
            assert!(transition.row < arrow.rows);
        }
        for state in &automaton.states {
            assert!(
                state.radius > 0.0
                    && state.x >= state.radius
                    && state.x + state.radius <= automaton.size.x,
                "{state:?} {:?}",
                automaton.size
            );
            assert!(
                state.y >= state.radius && state.y + state.radius <= automaton.size.y,
                "{state:?}"
            );
        }
        for (k, one) in automaton.states.iter().enumerate() {
            for other in &automaton.states[k + 1..] {
                let apart = (one.x - other.x).hypot(one.y - other.y);
                assert!(apart > one.radius + other.radius, "{} covers {}", one.name, other.name);
            }
        }
        for arrow in &automaton.arrows {
            let (from, to) =
                (&automaton.states[arrow.from as usize], &automaton.states[arrow.to as usize]);
            let (first, last) = (arrow.points[0], arrow.points[arrow.points.len() - 1]);
            assert!(
                ((first.x - from.x).hypot(first.y - from.y) - from.radius).abs() < 1.0,
                "an arrow begins at its circle"
            );
            assert!(
                ((last.x - to.x).hypot(last.y - to.y) - to.radius).abs() < 1.0,
                "an arrow ends at its circle"
            );
        }
    }
}

/// Was a transition there before a step, or made in it?
fn weights_before(automaton: &LabAutomaton, step: usize, transition: u32) -> bool {
    automaton.steps[..=step]
        .iter()
        .flat_map(|step| &step.changes)
        .any(|change| change.transition == transition)
}

pub(crate) fn transition(
    automaton: &LabAutomaton,
    from: &str,
    symbol: &str,
    to: &str,
) -> Option<u32> {
    let name = |k: u32| automaton.states[k as usize].name.as_str();
    let found = automaton
        .transitions
        .iter()
        .position(|t| name(t.from) == from && t.symbol == symbol && name(t.to) == to);
    found.map(|k| k as u32)
}

pub(crate) fn weight(lab: &mut LabSession, set: &str) -> String {
    let answer = lab_weight(lab, 0, set, None);
    assert!(answer.problems.is_empty(), "{answer:?}");
    answer.weight.expect("a weight")
}

/// Schwoon 2002, the running example: post\* of ⟨p0, g0 g0⟩ has the transitions of its Fig. 3.3
/// (there from Alg. 2 with states for the right sides' tops), here named by their heads.
#[test]
fn poststar_of_the_running_example() {
    let (mut lab, report) = record(&example("saturation.pds"), &task(LabTask::Post));
    assert!(
        report.notes.is_empty() && report.problems.is_empty() && !report.weighted,
        "{:?}",
        report.notes
    );
    let automaton = &report.automata[0];
    assert_eq!(report.set, "<p0, g0 g0>");
    for (from, symbol, to) in [
        ("p0", "g0", "s1"),
        ("s1", "g0", "end"),
        ("p1", "g1", "p1, g1"),
        ("p1, g1", "g0", "s1"),
        ("p2", "g2", "p2, g2"),
        ("p2, g2", "g0", "p1, g1"),
        ("p0", "g1", "p2, g2"),
        ("p0", "ε", "p2, g2"),
        ("p0", "g0", "p1, g1"),
    ] {
        assert!(transition(automaton, from, symbol, to).is_some(), "{from} {symbol} {to}");
    }
    // Each round of the three rules leaves one symbol more.
    for (set, there) in [
        ("<p0, g0 g0>", true),
        ("<p0, g0 g0 g0>", true),
        ("<p0, g0 g0 g0 g0 g0 g0>", true),
        ("<p1, g1 g0 g0>", true),
        ("<p0, g0>", false),
        ("<p1, x>", false),
        ("<p0, g1 g0+ >, <p1, x>", true),
    ] {
        let answer = lab_weight(&mut lab, 0, set, None);
        assert_eq!(
            (answer.weight.as_deref(), answer.is_zero),
            (Some(if there { "1" } else { "0" }), !there),
            "{set}"
        );
        assert_eq!(answer.run.is_some(), there, "{set}");
        assert!(answer.notes.is_empty(), "{set}: {:?}", answer.notes);
    }
    let run = lab_weight(&mut lab, 0, "<p0, g0 g0 g0>", None).run.expect("a run");
    assert_eq!((run.start.as_str(), run.length), ("<p0, g0 g0>", 4));
    assert_eq!(run.steps.last().map(|step| step.configuration.as_str()), Some("<p0, g0 g0 g0>"));
}

/// As of a step, what came later is not there.
#[test]
fn weights_as_of_a_step() {
    let (mut lab, report) = record(&example("saturation.pds"), &task(LabTask::Post));
    let mut there = Vec::new();
    for step in 0..report.automata[0].steps.len() as u32 {
        let answer = lab_weight(&mut lab, 0, "<p0, g0 g0 g0>", Some(step));
        assert_eq!(
            answer.notes.is_empty(),
            step + 1 == report.automata[0].steps.len() as u32,
            "an unfinished automaton is said to be so"
        );
        there.push(answer.weight == Some("1".to_string()));
    }
    let first = there.iter().position(|there| *there).expect("at the end it is there");
    assert!(first > 1 && there[first..].iter().all(|there| *there));
    // A weight that is raised: of the two ways to ⟨there, ip⟩ the slow link is known first.
    let (mut lab, report) = record(&example("delay.pds"), &task(LabTask::Post));
    let steps = report.automata[0].steps.len() as u32;
    let weights: Vec<_> = (0..steps)
        .filter_map(|step| lab_weight(&mut lab, 0, "<there, ip>", Some(step)).weight)
        .collect();
    let mut different = weights.clone();
    different.dedup();
    assert_eq!(different, ["∞", "9", "4"]);
    assert_eq!(weight(&mut lab, "<there, ip>"), "4");
    assert_eq!(lab_weight(&mut lab, 0, "<there, ip>", Some(0)).run, None);
}

/// pre\* and post\* agree: post\*(I) weighs T as pre\*(T) weighs I.
#[test]
fn both_saturations_agree() {
    for (file, initial, target) in
        [("delay.pds", "<here, ip>", "<there, ip>"), ("growth.pds", "<p1, a>", "<p2, b b b b b>")]
    {
        let (mut post, _) = record(&example(file), &task(LabTask::Post));
        let (mut pre, report) = record(&example(file), &task(LabTask::Pre));
        assert_eq!(report.set, target);
        assert_eq!(weight(&mut post, target), weight(&mut pre, initial), "{file}");
        let run = lab_weight(&mut pre, 0, initial, None).run.expect("a run");
        assert_eq!(Some(run.weight), lab_weight(&mut post, 0, target, None).weight);
        assert_eq!(run.steps.last().map(|step| step.configuration.as_str()), Some(target));
    }
}

/// Lal, Touili, Kidd, Reps 2007, Fig. 7: from ⟨p1, a⟩ the transducer leads to ⟨p2, b^n⟩ with weight
/// n, for n ≥ 2.
#[test]
fn figure_7_through_the_lab() {
    let (mut lab, report) = record(&example("growth.pds"), &task(LabTask::Transducer));
    let titles: Vec<&str> =
        report.automata.iter().map(|automaton| automaton.title.as_str()).collect();
    assert_eq!(titles, ["A_pop", "A_grow", "transducer"]);
    assert!(report.weighted && report.automata.iter().all(|automaton| automaton.complete));
    for n in 1..12 {
        let answer =
            lab_transfer(&mut lab, "<p1, a>", &format!("<p2, {}>", vec!["b"; n].join(" ")));
        let expected = if n >= 2 { n.to_string() } else { "∞".to_string() };
        assert_eq!(answer.weight, Some(expected), "b^{n}");
        assert_eq!(
            (answer.run.map(|run| run.length), answer.notes.len()),
            ((n >= 2).then_some(n as u32 - 1), 0),
            "b^{n}"
        );
    }
    // A regular set weighs the least of its configurations; what lies below is copied.
    let weigh = |lab: &mut LabSession, from: &str, to: &str| lab_transfer(lab, from, to).weight;
    assert_eq!(weigh(&mut lab, "<p1, a>", "<p2, b b b b+>").as_deref(), Some("4"));
    assert_eq!(weigh(&mut lab, "<p1, a a>", "<p2, b b b a>").as_deref(), Some("3"));
    assert_eq!(weigh(&mut lab, "<p1, a>, <p2, b>", "<p2, b+>").as_deref(), Some("0"));
    // A_grow: what grew out of ⟨p1, a⟩; its weights are those of the figure's property.
    let grow = &report.automata[1];
    let looped = transition(grow, "p1, a", "b", "p1, a").expect("⟨p1, a⟩ grows by b");
    assert_eq!(grow.transitions[looped as usize].weight, "1");
    let grown = transition(grow, "p2, b", "b", "q(p1, a)").expect("⟨p1, a⟩ becomes ⟨p2, b b⟩");
    assert_eq!(grow.transitions[grown as usize].weight, "2");
    assert!(
        grow.states
            .iter()
            .any(|state| state.role == LabRole::Callee || state.role == LabRole::Seed)
    );
    assert!(
        lab_weight(&mut lab, 1, "<p1, a>", None).problems[0]
            .message
            .starts_with("A_grow has no accepting states")
    );
    assert!(!lab_weight(&mut lab, 2, "<p1, a>", None).problems.is_empty());
}

#[test]
fn witnesses_name_rules_and_premises() {
    let (mut lab, report) = record(&example("delay.pds"), &task(LabTask::Post));
    let automaton = &report.automata[0];
    let id = transition(automaton, "there", "ip", "end").expect("reached");
    let witness = lab_witness(&mut lab, 0, id, None).expect("no limit").expect("it is there");
    let root = &witness.nodes[0];
    assert_eq!((root.transition, root.weight.as_str(), root.derivations.len()), (id, "4", 1));
    assert_eq!(root.derivations[0].cause, LabCause::Return);
    let run = witness.run.expect("a run");
    assert_eq!((run.start.as_str(), run.length, run.weight.as_str()), ("<here, ip>", 3, "4"));
    // Before the tunnel was found the slow link is why.
    let steps = automaton.steps.len() as u32;
    let slow = (0..steps)
        .filter_map(|step| lab_witness(&mut lab, 0, id, Some(step)).expect("no limit"))
        .next()
        .expect("some step");
    assert_eq!((slow.nodes[0].weight.as_str(), slow.run.map(|run| run.length)), ("9", Some(1)));
    assert_eq!(lab_witness(&mut lab, 0, id, Some(0)), Ok(None));
    assert_eq!(lab_witness(&mut lab, 7, 0, None), Ok(None));
    assert_eq!(lab_witness(&mut lab, 0, 9_999, None), Ok(None));
}

/// At every step Graphviz's text has one arrow for each pair of states with transitions that are
/// there then, all of their symbols with their weights of then, and marks those that the step
/// changed. Replayed from the changes here.
#[test]
fn an_automaton_in_dot_is_that_of_the_step() {
    let (_, report) = record(&example("growth.pds"), &task(LabTask::Post));
    let automaton = &report.automata[0];
    let mut weights = std::collections::BTreeMap::new();
    let mut changed = 0;
    for (k, step) in automaton.steps.iter().enumerate() {
        weights
            .extend(step.changes.iter().map(|change| (change.transition, change.weight.clone())));
        let dot = automaton_dot(automaton, k, true);
        assert!(dot.starts_with("digraph \"post*\" {\n") && dot.ends_with("}\n"), "{dot}");
        let (mut expected, mut now) = (
            std::collections::BTreeMap::<_, Vec<String>>::new(),
            std::collections::BTreeSet::new(),
        );
        for (transition, weight) in &weights {
            let t = &automaton.transitions[*transition as usize];
            expected.entry((t.from, t.to)).or_default().push(format!("{}  {weight}", t.symbol));
            if k > 0 && step.changes.iter().any(|change| change.transition == *transition) {
                now.insert((t.from, t.to));
            }
        }
        changed += now.len();
        let arrows: Vec<&str> = dot.lines().filter(|line| line.contains(" -> ")).collect();
        assert_eq!(arrows.len(), expected.len(), "step {k}: {dot}");
        for ((from, to), texts) in expected {
            let start = format!("  n{from} -> n{to} [label=\"{}\"", texts.join("\\n"));
            let found = arrows
                .iter()
                .find(|line| line.starts_with(&start))
                .unwrap_or_else(|| panic!("step {k}: {start} in {dot}"));
            assert_eq!(found.contains("penwidth"), now.contains(&(from, to)), "step {k}: {found}");
            assert!(
                [from, to].iter().all(|state| dot.contains(&format!("  n{state} [label="))),
                "step {k}"
            );
        }
    }
    assert!(changed > 2, "{changed}");
    let last = automaton_dot(automaton, automaton.steps.len() - 1, false);
    assert!(last.contains("peripheries=2") && !last.contains("  3"), "{last}");
}

#[test]
fn bad_sets_are_told() {
    let (mut lab, _) = record(&example("growth.pds"), &task(LabTask::Post));
    for (set, wanted) in [
        ("", "expected `<`"),
        ("<p1, a", "expected `>`"),
        ("<q, a>", "there is no state `q`"),
        ("<p1, c>", "there is no stack symbol `c`"),
        ("<p1, a> a", "behind the end"),
        ("<p1, *>", "nothing to repeat"),
        ("p1 a", "expected `<`"),
        ("<p1, a>,", "expected `<`"),
        ("∞", "expected `<`"),
    ] {
        let answer = lab_weight(&mut lab, 0, set, None);
        assert!(
            answer.problems.first().is_some_and(|problem| problem.message.contains(wanted)),
            "{set}: {answer:?}"
        );
        assert_eq!(answer.weight, None);
    }
    assert_eq!(weight(&mut lab, "<p1>|<p2, . . (a|b)?>, <p1, a*>"), "0");
    let LabAnswer { problems, problems_to, .. } = {
        let (mut lab, _) = record(&example("growth.pds"), &task(LabTask::Transducer));
        lab_transfer(&mut lab, "<p1, a>", "<p3, a>")
    };
    assert_eq!((problems.len(), problems_to.len()), (0, 1));
    let request = LabRequest {
        options: LabOptions { task: LabTask::Post, set: Some("<p9>".to_string()), max_steps: 9 },
        max_transitions: 9,
        budgets: Budgets::default(),
    };
    assert!(LabSession::new(&example("growth.pds"), &request).is_err());
}

/// A set of one's own instead of the system's.
#[test]
fn other_sets_are_saturated() {
    let options = LabOptions { set: Some("<p1, g1 .*>".to_string()), ..task(LabTask::Pre) };
    let (mut lab, report) = record(&example("saturation.pds"), &options);
    assert_eq!(report.set, "<p1, g1 .*>");
    assert_eq!(weight(&mut lab, "<p0, g0 g0>"), "1");
    assert_eq!(weight(&mut lab, "<p0, x>"), "0");
}

#[test]
fn limits_are_said_in_words() {
    let (mut lab, report) =
        record(&example("saturation.pds"), &LabOptions { max_steps: 3, ..task(LabTask::Post) });
    assert_eq!((report.automata[0].steps.len(), report.automata[0].complete), (4, false));
    assert!(report.notes[0].contains("ends after 3 steps"), "{:?}", report.notes);
    assert!(!lab_weight(&mut lab, 0, "<p0, g0 g0>", None).notes.is_empty());
    let rules: String = (0..3_000).map(|k| format!("<p, a{k}> -> <p, a{}>\n", k + 1)).collect();
    let session = load(&format!("{rules}initial <p, a0>\ntarget <p, a9>\n"), Dialect::Pds);
    let (_, report) = record(&session, &task(LabTask::Post));
    assert!(
        report.notes.iter().any(|note| note.contains("2,000 transitions")),
        "{:?}",
        report.notes
    );
    let request = LabRequest {
        options: LabOptions { task: LabTask::Transducer, set: None, max_steps: 9 },
        max_transitions: 9,
        budgets: Budgets::default(),
    };
    assert!(LabSession::new(&session, &request).is_err());
    // A callee inside a callee, hundreds deep: too many arrows over too many ranks, so the circles
    // stand in a square.
    let rules: String = (0..400).map(|k| format!("<p, a{k}> -> <p, a{} b>\n", k + 1)).collect();
    let session = load(
        &format!("{rules}<p, a400> -> <p>\n<p, b> -> <p>\ninitial <p, a0>\ntarget <p>\n"),
        Dialect::Pds,
    );
    let (mut lab, report) = record(&session, &task(LabTask::Post));
    assert!(report.automata[0].complete && report.automata[0].states.len() > 400);
    let answer = lab_weight(&mut lab, 0, "<p, b b .*>", None);
    assert_eq!((answer.is_zero, answer.run.map(|run| run.length > 400)), (false, Some(true)));
}

/// Whatever is typed into the field: an answer or a diagnostic with a place inside the text.
#[test]
fn any_text_is_answered() {
    let (mut lab, _) = record(&example("saturation.pds"), &task(LabTask::Post));
    let pieces = [
        "<", ">", "p0", "g0", "g1", ",", " ", "*", "+", "?", "|", "(", ")", ".", "q", "ü", "->",
        "\n", "<p0, g0>", "()",
    ];
    let mut state = 7u64;
    let mut answered = 0;
    for _ in 0..3_000 {
        // Half of them begin well, and half end well.
        let mut text = String::from(if state & 1 << 40 == 0 { "" } else { "<p0, " });
        for _ in 0..1 + state % 9 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        text.push_str(if state & 1 << 41 == 0 { "" } else { ">" });
        let answer = lab_weight(&mut lab, 0, &text, None);
        assert_eq!(answer.problems.is_empty(), answer.weight.is_some(), "{text}");
        let length = text.encode_utf16().count() as u32;
        assert!(
            answer
                .problems
                .iter()
                .all(|problem| problem.from <= length && !problem.hint.is_empty()),
            "{text}: {answer:?}"
        );
        answered += usize::from(answer.weight.is_some());
    }
    assert!(answered > 40, "{answered}");
    assert!(!lab_weight(&mut lab, 0, &"(".repeat(50_000), None).problems.is_empty());
    assert!(
        !lab_weight(&mut lab, 0, &format!("<p0, {}", "(".repeat(50_000)), None).problems.is_empty()
    );
}
