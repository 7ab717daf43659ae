//! What a failing run breaks of a rule or a contract.

use crate::lang::model::Subject;
use crate::wire::broken::{BrokenClause, BrokenReport, BrokenRule};

/// What of a rule or a contract is broken, by this call.
pub(super) fn broken(subject: &Subject, call: Option<&str>) -> Option<BrokenReport> {
    Some(match subject {
        Subject::Rule(broken) => BrokenReport::Rule(BrokenRule {
            name: broken.rule.clone(),
            says: broken.text.clone(),
            state: broken.state.clone(),
            event: call.filter(|_| !broken.at_exit).map(str::to_string),
        }),
        Subject::Contract(broken) => BrokenReport::Contract(BrokenClause {
            clause: broken.clause.clone(),
            call: call.filter(|_| broken.at_call).map(str::to_string),
        }),
        _ => return None,
    })
}
