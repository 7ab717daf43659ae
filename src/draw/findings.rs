//! Every check that can fail, in words. What was not checked is in [`crate::draw::unchecked`].

use crate::draw::failure::sentence;
use crate::draw::words::error_place;
use crate::util::Limit;
use crate::wire::report::FailureReport;

/// "array index outside at line 7": what fails, and where.
pub fn place(failure: &FailureReport) -> String {
    error_place(&failure.error())
}

/// "The index i is 5, and the array a has 5 elements, 0 to 4.": the values of its run.
pub fn reason(failure: &FailureReport) -> String {
    sentence(&failure.error())
}

/// "3 checks can fail. Each has a run of its own:"
pub fn failures_title(failures: usize, limit: Option<Limit>) -> String {
    let more = match limit {
        Some(Limit::Time) => ", and the time was up before all were decided",
        Some(_) => ", and a limit was hit before all were decided",
        None => "",
    };
    format!("{failures} checks can fail{more}. Each has a run of its own:")
}
