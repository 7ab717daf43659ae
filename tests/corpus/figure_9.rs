//! `tcas`, again: Figure 9 of *Error Explanation by Focus-Statement Sequences* from the suite's
//! program, and our program of that figure against it.

use crate::support::figure_9::{printed, program_of_ours, projects_to};
use crate::support::tcas::read;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, Globals, RequestedOptions};
use std::path::Path;

/// The Siemens suite's program, its threshold an input (no `initialize()`), without `main`.
fn suites_tcas(folder: &Path) -> String {
    let original = read(folder, "original.c");
    let (before, _) = original.split_once("main(argc").expect("its main");
    before.replace("Positive_RA_Alt_Thresh[Alt_Layer_Value]", "Alim").replacen(
        "int ALIM",
        "int Alim;\nint ALIM",
        1,
    )
}

/// Figure 9 from the suite's program.
pub(crate) fn of_the_suite(folder: &Path) {
    let before = suites_tcas(folder);
    let plain =
        before.replace("Climb_Inhibit ? Up_Separation + NOZCROSS : Up_Separation", "Up_Separation");
    let inhibited = before.replace(
        "Climb_Inhibit ? Up_Separation + NOZCROSS : Up_Separation",
        "Up_Separation + NOZCROSS",
    );
    assert!(plain != before && inhibited != before);
    let five = ["Own_Tracked_Alt", "Other_Tracked_Alt", "Up_Separation", "Down_Separation", "Alim"];
    for (before, more) in [(&plain, ""), (&inhibited, " + 100")] {
        for (value, upwards) in [("UPWARD_RA", true), ("DOWNWARD_RA", false)] {
            let source = format!(
                "{before}int main() {{ int r = alt_sep_test(); assert(r != {value}); return 0; }}\n"
            );
            projects_to(&source, &five, &printed(&five, upwards, more));
        }
    }
}

/// Our program of Figure 9 gives the suite's advisory, for all inputs of 11 bits.
pub(crate) fn is_the_suites_program(folder: &Path) {
    let suites = suites_tcas(folder);
    let own: String = program_of_ours()
        .lines()
        .filter(|line| !line.starts_with("//!") && !line.starts_with("enum"))
        .map(|line| {
            let line = line
                .split("//!")
                .next()
                .unwrap_or_default()
                .replace("int altSep = UNRESOLVED", "altSep = UNRESOLVED");
            format!("{line}\n")
        })
        .collect();
    let own = own
        .replace("bool climbInhibit = false;", "bool climbInhibit;\nint altSep;")
        .replace("bool ", "_Bool ");
    let suites = suites.replace("typedef int bool;", "").replace("bool ", "int ");
    let harness = "int main() {
    ownTrackedAlt = Own_Tracked_Alt, otherTrackedAlt = Other_Tracked_Alt, ownAltRate = Own_Tracked_Alt_Rate;
    upSeparation = Up_Separation, downSeparation = Down_Separation, currentSeparation = Cur_Vertical_Sep;
    positiveRAAltThresh = Alim, climbInhibit = Climb_Inhibit != 0;
    confident = High_Confidence != 0, reportsAgree = Two_of_Three_Reports_Valid != 0;
    otherEquipped = Other_Capability == TCAS_TA, otherSilent = Other_RAC == NO_INTENT;
    int expected = alt_sep_test();
    advise();
    assert(altSep == expected);
    return 0;
}
";
    let check = |source: &str| {
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            globals: Some(Globals::Any),
            bits: Some(11),
            ..RequestedOptions::default()
        };
        let (mut session, diagnostics) = Session::load(source, &requested);
        assert!(session.program().is_some(), "{diagnostics:?}");
        session.start(Task::Check, Budgets::default());
        session.run();
        session.outcome()
    };
    let source = format!("{suites}\n{own}\n{harness}");
    assert_eq!(check(&source), Outcome::Safe);
    // It would tell.
    let other = source.replace("currentSeparation > 600", "currentSeparation > 599");
    assert!(other != source && check(&other) == Outcome::Unsafe);
}
