//! The engine behind calls of a script: what the npm package `faultline` asks, as JSON texts.
//!
//! A call runs to its end in the thread that made it. So it has a budget of time: the caller gives
//! the clock.

use crate::report::{self, json};
use crate::session::{
    Job, Session, SwitchBound, Task, ThreadsMethod, ThreadsOptions, ThreadsSession,
};
use crate::util::{Alarm, Budgets, Limit};
use crate::wire::diagnostic::{DiagnosticView, Severity};
use crate::wire::options::RequestedOptions;
use crate::wire::projection::Method;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Seconds of a call that gives no time.
const SECONDS: f64 = 10.0;

/// What a call asks for, besides the program.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Asked {
    #[serde(flatten)]
    program: RequestedOptions,
    /// Which statements are on failing runs, as well?
    projection: bool,
    /// Of threads: the most context switches.
    switches: Option<SwitchBound>,
    /// Seconds.
    timeout: Option<f64>,
    max_nodes: Option<u64>,
    max_steps: Option<u64>,
}

/// The answer: a report, unless the program cannot be read.
#[derive(Serialize)]
struct Answer<R> {
    report: Option<R>,
    diagnostics: Vec<DiagnosticView>,
    /// Why the question cannot be answered at all.
    refusal: Option<String>,
}

impl<R: Serialize> Answer<R> {
    fn refused(why: String) -> String {
        json::render(&Answer::<R> { report: None, diagnostics: Vec::new(), refusal: Some(why) })
    }
}

/// A clock in milliseconds.
pub type Clock = Rc<dyn Fn() -> f64>;

/// Can a run of the program fail? `options` is JSON: the fields of [`RequestedOptions`], and
/// `projection`, `timeout` (seconds), `maxNodes`, `maxSteps`. The answer has `report` (what
/// `faultline check --format json` prints), `diagnostics` and `refusal`.
pub fn check(source: &str, options: &str, clock: Clock) -> String {
    let asked: Asked = match serde_json::from_str(options) {
        Ok(asked) => asked,
        Err(problem) => return Answer::<()>::refused(format!("the options: {problem}")),
    };
    let Loaded { mut session, diagnostics, is_readable } = load(source, &asked);
    let report = is_readable.then(|| {
        let task = match asked.projection {
            true => Task::Projection(Method::Functional),
            false => Task::Check,
        };
        session.use_portfolio(&asked.program);
        let end = end(&asked, &clock);
        session.set_alarm(alarm(&clock, end));
        session.start(task, budgets(&asked));
        run(&mut session, &clock, end);
        report::report(&session)
    });
    json::render(&Answer { report, diagnostics, refusal: None })
}

/// Can a program with threads fail within a bound on context switches? `options` as for [`check`],
/// and `switches`. `report` is what `faultline threads --format json` prints.
pub fn threads(source: &str, options: &str, clock: Clock) -> String {
    let asked: Asked = match serde_json::from_str(options) {
        Ok(asked) => asked,
        Err(problem) => return Answer::<()>::refused(format!("the options: {problem}")),
    };
    let Loaded { session, diagnostics, is_readable } = load(source, &asked);
    let Some(program) = session.shared_program().filter(|_| is_readable) else {
        let refusal = is_readable.then(|| "a raw pushdown system has no threads".to_string());
        return json::render(&Answer::<()> { report: None, diagnostics, refusal });
    };
    let switches = SwitchBound::in_force(asked.switches, session.options().switches);
    let options = ThreadsOptions { switches, at: None };
    let (method, budgets) = (ThreadsMethod::default(), budgets(&asked));
    let mut job = ThreadsSession::by(method, program, session.options(), options, budgets);
    let end = end(&asked, &clock);
    job.set_alarm(alarm(&clock, end));
    run(&mut job, &clock, end);
    let report = Some(report::threads_report(&mut job));
    json::render(&Answer { report, diagnostics, refusal: None })
}

/// A program that was loaded.
struct Loaded {
    session: Session,
    diagnostics: Vec<DiagnosticView>,
    is_readable: bool,
}

fn load(source: &str, asked: &Asked) -> Loaded {
    let (session, found) = Session::load(source, &asked.program);
    let is_readable = (session.program().is_some() || session.raw().is_some())
        && !found.iter().any(|found| found.severity == Severity::Error);
    let diagnostics = report::diagnostics::diagnostics(source, &found);
    Loaded { session, diagnostics, is_readable }
}

fn budgets(asked: &Asked) -> Budgets {
    let usual = Budgets::default();
    Budgets {
        max_nodes: asked.max_nodes.unwrap_or(usual.max_nodes),
        max_steps: asked.max_steps.unwrap_or(usual.max_steps),
        ..usual
    }
}

/// When the time of a call is up.
fn end(asked: &Asked, clock: &Clock) -> f64 {
    clock() + 1000.0 * asked.timeout.unwrap_or(SECONDS)
}

/// Ends operations inside a step when the time is up.
fn alarm(clock: &Clock, end: f64) -> Alarm {
    let clock = Rc::clone(clock);
    Alarm::new(move |_| (clock() > end).then_some(Limit::Time))
}

/// Runs a job to its end, or until the time is up.
fn run(job: &mut dyn Job, clock: &Clock, end: f64) {
    while !job.step() {
        if clock() > end {
            job.stop(Limit::Time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::Checks;
    use serde_json::Value;
    use std::cell::Cell;

    const FAILS: &str = "int x;\nvoid main() {\n  assert(x < 3);\n}\n";

    /// A clock that goes on by so many milliseconds whenever it is looked at.
    fn clock(tick: f64) -> Clock {
        let now = Cell::new(0.0);
        Rc::new(move || now.replace(now.get() + tick))
    }

    fn asked(call: fn(&str, &str, Clock) -> String, source: &str, options: &str) -> Value {
        serde_json::from_str(&call(source, options, clock(0.0))).expect("JSON")
    }

    #[test]
    fn a_check_reports_the_failing_run() {
        let answer = asked(check, FAILS, "{\"bits\": 4}");
        assert_eq!(answer["report"]["verdict"], "unsafe");
        assert_eq!(answer["report"]["error"]["line"], 3);
        assert_eq!(answer["report"]["options"]["bits"], 4);
        assert_eq!(answer["report"]["projection"], Value::Null);
        let answer = asked(check, FAILS, "{\"projection\": true}");
        assert!(answer["report"]["projection"]["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
    }

    #[test]
    fn what_cannot_be_read_has_diagnostics_and_no_report() {
        let answer = asked(check, "int main( {", "{}");
        assert_eq!(answer["report"], Value::Null);
        assert_eq!(answer["diagnostics"][0]["severity"], "error");
        let answer = asked(check, FAILS, "{\"bits\": \"many\"}");
        assert!(answer["refusal"].as_str().is_some_and(|why| why.contains("the options")));
    }

    #[test]
    fn a_check_that_does_not_exist_is_refused() {
        let of = |name: &str| {
            let checks =
                "\"bounds\": true, \"division\": true, \"overflow\": true, \"shift\": true";
            asked(check, FAILS, &format!("{{\"checks\": {{{checks}, \"{name}\": true}}}}"))
        };
        assert_eq!(of("race")["refusal"], Value::Null);
        assert!(of("rase")["refusal"].is_string());
        assert_eq!(of("rase")["report"], Value::Null);
    }

    #[test]
    fn the_types_list_the_checks() {
        let types = include_str!("../../static/package/index.d.ts");
        let (_, rest) = types.split_once("export interface Checks {").expect("it is declared");
        let (members, _) = rest.split_once('}').expect("it ends");
        let members = members.lines().map(str::trim).filter(|line| line.ends_with(": boolean;"));
        let names = members.map(|line| line.trim_end_matches(": boolean;").trim_end_matches('?'));
        assert_eq!(names.collect::<Vec<_>>().join(", "), Checks::NAMES);
    }

    #[test]
    fn the_clock_ends_a_call() {
        let hard = "unsigned any(void);\nint main(void) {\n  unsigned a = any(), b = any(), c = any();\n  \
                    assert(a * b * c != 1000003);\n  return 0;\n}\n";
        let text = check(hard, "{\"dialect\": \"c\", \"timeout\": 1}", clock(100.0));
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(answer["report"]["verdict"], "unknown");
        assert_eq!(answer["report"]["limit"], "time");
    }

    #[test]
    fn threads_have_a_report_of_their_own() {
        let tickets = include_str!("../../static/examples/threads-tickets.c");
        let answer = asked(threads, tickets, "{\"dialect\": \"c\"}");
        assert_eq!(answer["report"]["verdict"], "unsafe", "{answer}");
        assert_eq!(answer["report"]["error"]["line"], 12);
        let raw = asked(threads, "<p, a> --> <p, b>\n", "{\"dialect\": \"pds\"}");
        assert_eq!(raw["report"], Value::Null);
    }
}
