//! Causes by correct traces.
#![allow(missing_docs)]
use faultline::analysis::localize::Variant;
use faultline::lang::options::RequestedOptions;
use faultline::session::{Budgets, Ending, LocalizeOptions, LocalizeSession, Outcome, Session};

fn localize(source: &str, options: LocalizeOptions) -> LocalizeSession {
    let (session, diagnostics) = Session::load(source, &RequestedOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut localization = session.localize(options, Budgets::default()).expect("a program");
    localization.run();
    assert_eq!(localization.fault(), None, "{source}");
    localization
}
#[test]
fn look() {
    for f in ["1", "1-branch", "8", "9", "9-tracked", "10", "10-abstract"] {
        let s = std::fs::read_to_string(format!("tests/golden/localize/fig-{f}.cimple")).unwrap();
        for variant in Variant::ALL {
            let l = localize(&s, LocalizeOptions { variant, ..LocalizeOptions::default() });
            println!("{f} {variant:?} {:?} {:?}", l.outcome(), l.ending());
            for t in l.traces() {
                println!(
                    "   {:?} causes {:?} / {:?} steps {:?}",
                    t.path(),
                    t.lines(Variant::Edges),
                    t.lines(Variant::Transitions),
                    t.steps
                );
                for j in &t.transitions {
                    let e = l.program().edge(j.transition.edge.edge());
                    println!(
                        "       {:?} line {} {} {:?} {} {}",
                        j.transition.edge, e.span.line, e.text, e.kind, j.edge_is_correct, j.is_correct
                    );
                }
            }
        }
    }
}
