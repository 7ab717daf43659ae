//! `pds/difftest.jsonl`: random reachability instances in PDAAAL's JSON, with answers on which
//! several engines agree.

use faultline::analysis::raw_reach::LeastWeight;
use faultline::lang::raw::replay::replay;
use faultline::lang::raw::{RawSystem, RawWeights, pdaaal};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions, Saturation};
use faultline::wire::projection::Method;
use serde_json::Value;
use std::path::Path;

const WAYS: [Saturation; 3] = [Saturation::Post, Saturation::Pre, Saturation::Both];

/// Runs to the end.
fn project(source: &str, saturation: Saturation) -> Session {
    let requested = RequestedOptions {
        dialect: Some(Dialect::Pdaaal),
        saturation: Some(saturation),
        ..RequestedOptions::default()
    };
    let (mut session, found) = Session::load(source, &requested);
    assert!(session.raw().is_some(), "{found:?}");
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    session
}

/// The answer; where a target is reached, a run shows it.
fn reachable(session: &Session) -> bool {
    let raw = session.raw().expect("a raw system");
    match session.outcome() {
        Outcome::Unsafe => {
            let run = raw.run().expect("a run is shown");
            assert_eq!(replay(raw.system(), &run.start, &run.rules).as_ref(), Ok(&run.end));
            true
        }
        Outcome::Safe => false,
        other => panic!("{other:?}: {:?}", session.fault()),
    }
}

fn system(session: &Session) -> RawSystem {
    session.raw().expect("a raw system").system().clone()
}

/// Every instance gets its known answer by post\*, by pre\* and by both meeting, with a run that
/// replays where a target is reached, and the same projection each time.
pub(crate) fn known_answers(folder: &Path) {
    let text = std::fs::read_to_string(folder.join("pds/difftest.jsonl"))
        .expect("the corpus has its instances");
    let (mut count, mut yes) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let (id, known) = (&case["id"], case["reachable"].as_bool().expect("the answer is known"));
        let source = case["instance"].to_string();
        let mut projections = Vec::new();
        for way in WAYS {
            let session = project(&source, way);
            assert_eq!(reachable(&session), known, "case {id} by {way:?}");
            let raw = session.raw().expect("a raw system");
            projections.push((
                raw.in_projection().map(<[bool]>::to_vec),
                raw.lit_heads().map(<[_]>::to_vec),
                raw.reached().map(<[bool]>::to_vec),
            ));
            if way == WAYS[0] {
                let printed = pdaaal::print(raw.system()).expect("an instance can be printed");
                let again = project(&printed, way);
                assert_eq!(
                    system(&again).without_places(),
                    system(&session).without_places(),
                    "case {id} printed and read"
                );
                // Where every rule weighs 1, the least weight is the length of a shortest run.
                let ones = RawSystem { weights: RawWeights::MinPath, ..system(&session) };
                let ones = project(&pdaaal::print(&ones).expect("an instance can be printed"), way);
                assert!(
                    reachable(&ones) == known && raw.run().is_none_or(|_| raw.is_shortest()),
                    "case {id}"
                );
                let length = raw.run().map(|run| LeastWeight::Known(run.rules.len() as u64));
                assert_eq!(
                    ones.raw().and_then(|raw| raw.least_weight()),
                    length,
                    "case {id} with weights"
                );
            }
        }
        assert!(
            projections[0].0.is_some() && projections.iter().all(|one| *one == projections[0]),
            "case {id}: projections"
        );
        count += 1;
        yes += u32::from(known);
    }
    assert!(count >= 500 && yes >= 175, "the corpus is complete: {count} cases, {yes} reachable");
}
