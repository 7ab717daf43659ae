//! What each number of context switches adds, in words, for page and command line.

use crate::draw::words::error_place;
use crate::wire::report::ErrorKind;
use crate::wire::threads::ThreadsReport;

/// "3 combinations of the globals' values, 1 of them new", "the same 7 combinations of the globals'
/// values, but now `main` can fail: assertion at line 13".
/// Empty if the report does not tell of so many switches.
pub fn level(report: &ThreadsReport, bound: u32) -> String {
    let Some(level) = report.reachable.iter().find(|level| level.bound == bound) else {
        return String::new();
    };
    let noun = match level.count.as_str() {
        "1" => "combination",
        _ => "combinations",
    };
    let all = format!("{} {noun} of the globals' values", level.count);
    let fails = (report.switches == Some(bound)).then(|| failure(report));
    let fails = fails.unwrap_or_default();
    match (bound, level.new.len()) {
        (0, _) if fails.is_empty() => all,
        (0, _) => format!("{all}; {fails}"),
        (_, 0) if fails.is_empty() => format!("the same {all}"),
        (_, 0) => format!("the same {all}, but now {fails}"),
        (_, new) => {
            let more = if level.more { " or more" } else { "" };
            let fails = if fails.is_empty() { fails } else { format!("; {fails}") };
            format!("{all}, {new}{more} of them new{fails}")
        }
    }
}

/// "`main` can fail: assertion at line 13": who fails, and where.
fn failure(report: &ThreadsReport) -> String {
    let Some(error) = &report.error else { return "a run fails".into() };
    let place = error_place(error);
    let last = report.trace.as_deref().and_then(<[_]>::last);
    let thread = last.and_then(|entry| report.threads.get(entry.thread as usize));
    match (error.kind, thread) {
        (ErrorKind::Deadlock | ErrorKind::Race, _) | (_, None) => format!("a run fails: {place}"),
        (_, Some(thread)) => format!("`{}` can fail: {place}", thread.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::lanes::tests::example;
    use crate::wire::report::{ErrorReport, Value, Values};
    use crate::wire::threads::ReachableReport;

    #[test]
    fn a_level_says_what_it_counts_and_who_can_fail_now() {
        let level_of = |bound, count: &str, new: i128, more| ReachableReport {
            bound,
            count: count.into(),
            new: (0..new).map(|x| Values(vec![("x".into(), Value::Number(x))])).collect(),
            more,
        };
        let error = ErrorReport::new(13, ErrorKind::Assertion, String::new(), None);
        let mut report = ThreadsReport { error: Some(error), ..example() };
        report.reachable =
            vec![level_of(0, "1", 1, false), level_of(1, "7", 6, true), level_of(2, "7", 0, false)];
        assert_eq!(level(&report, 0), "1 combination of the globals' values");
        assert_eq!(
            level(&report, 1),
            "7 combinations of the globals' values, 6 or more of them new"
        );
        let fails = "`main` can fail: assertion at line 13";
        assert_eq!(
            level(&report, 2),
            format!("the same 7 combinations of the globals' values, but now {fails}")
        );
        report.switches = Some(1);
        assert!(level(&report, 1).ends_with(&format!("of them new; {fails}")));
        report.switches = None;
        assert_eq!(level(&report, 2), "the same 7 combinations of the globals' values");
        assert_eq!(level(&report, 3), "");
    }
}
