//! What must hold of any text that is read as a program.

use crate::printing::essence;
use faultline::lang::{load, reprint};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::projection::Method;

/// Longest text; longer ones only take time.
pub const LONGEST: usize = 6000;

/// Budgets that end an analysis within milliseconds.
const SMALL: Budgets = Budgets { max_nodes: 30_000, max_steps: 4_000, ..Budgets::USUAL };

/// Reads a text. If it is a program, small budgets end its analysis without a fault. Returns
/// whether it is a program.
pub fn program(source: &str, dialect: Dialect) -> bool {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let loaded = load(source, &requested);
    if loaded.program.is_none() {
        assert!(!loaded.diagnostics.is_empty(), "no program, and nothing is said");
        return false;
    }
    analysed(source, &requested);
    true
}

/// The same, and the program is the same one once printed.
pub fn printed_program(source: &str, dialect: Dialect) -> bool {
    if !program(source, dialect) {
        return false;
    }
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let printed = reprint(source, dialect).expect("what loads is printed");
    let [first, again] = [source, &printed].map(|text| load(text, &requested));
    let (Some(first), Some(second)) = (first.program, again.program) else {
        panic!("printed, it does not load: {:?}\n{printed}", again.diagnostics)
    };
    assert!(essence(&first) == essence(&second), "printed, it is another program:\n{printed}");
    true
}

/// Reads a text as a pushdown system, and analyses it.
pub fn system(source: &str, dialect: Dialect) -> bool {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let loaded = faultline::lang::raw::load(source, &requested);
    if loaded.system.is_none() {
        assert!(!loaded.diagnostics.is_empty(), "no system, and nothing is said");
        return false;
    }
    analysed(source, &requested);
    true
}

/// Checks and projects with small budgets: no panic, and the interpreter agrees.
fn analysed(source: &str, requested: &RequestedOptions) {
    let (mut session, _) = Session::load(source, requested);
    session.start(Task::Projection(Method::Functional), SMALL);
    session.run();
    assert!(session.outcome() != Outcome::Fault, "{:?}", session.fault());
    assert_eq!(session.fault(), None);
}
