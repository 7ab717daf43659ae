//! `c/svcomp12`: programs of a competition of 2012, half of four of its families. The refinement
//! loop with its defaults, in miniature: predicates, followed variables and the rival all have
//! their share within a small budget. No verdict contradicts the known answer.

use crate::index::cases;
use faultline::analysis::cegar::refinement::Shares;
use faultline::analysis::cegar::round::Ending;
use faultline::session::{Budgets, CegarSession, Job, Outcome, Session};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::refinement::CegarOptions;
use std::path::Path;
use std::rc::Rc;

const FAMILIES: [&str; 4] = ["locks", "ntdrivers-simplified", "ssh-simplified", "systemc"];

/// A part of what the loop has by default.
const SHARES: Shares =
    Shares { predicates: 100_000, interpolants: 100_000, searches: 100_000, rival: 3 };
/// Kernel steps for each program; the table in `docs/measurements.md` has no such limit.
const STEPS: u64 = 1_200_000;

pub(crate) fn refinement_contradicts_no_known_answer(folder: &Path) {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(32),
        ..RequestedOptions::default()
    };
    let budgets = Budgets { max_nodes: 1_000_000, max_steps: STEPS, ..Budgets::default() };
    let (mut read, mut decided, mut followed, mut wrong) = (0, 0, 0, Vec::new());
    let folder = folder.join("c/svcomp12");
    for case in cases(&folder, "index.tsv") {
        if !FAMILIES.iter().any(|family| case.name.starts_with(&format!("{family}__"))) {
            continue;
        }
        let (session, _) = Session::load(&case.source, &requested);
        let program = session.program().cloned().unwrap_or_else(|| panic!("{}", case.name));
        read += 1;
        let options = CegarOptions::default();
        let mut loops = CegarSession::new(Rc::new(program), None, options, budgets);
        loops.cegar_mut().expect("it is small").set_shares(SHARES);
        loops.run();
        if let Some(fault) = loops.fault() {
            wrong.push(format!("{}: {fault}", case.name));
        }
        let found = match (loops.outcome(), loops.cegar().and_then(|cegar| cegar.ending())) {
            (Outcome::Safe, Some(Ending::Safe(Ok(())))) => "safe",
            (Outcome::Unsafe, _) => "unsafe",
            _ => continue,
        };
        if found != case.known {
            wrong.push(format!("{}: known {}, found {found}", case.name, case.known));
        }
        decided += 1;
        followed += u32::from(loops.rounds().last().is_some_and(|round| round.follows.is_some()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(read, 52);
    assert!(decided >= 20 && followed >= 10, "{decided} decided, {followed} by variables");
}
