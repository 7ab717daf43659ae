//! An interleaved run as swim lanes: a lane for each thread, a row for each statement, a crossing
//! for each context switch.

use crate::draw::words::listed;
use crate::wire::report::{Value, Values};
use crate::wire::threads::{PartReport, RaceReport, ThreadsReport, ThreadsVerdict};
use std::collections::BTreeSet;

/// A context of more statements than this is folded: its first and last few are shown.
pub const FOLD_OVER: usize = 14;
/// So many statements are shown on either side of a fold.
const SHOWN: usize = 5;

/// The lanes and what they hold, top to bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Who has a lane, in the order of threads: those that run, and those that wait for ever.
    pub lanes: Vec<Lane>,
    /// The rows.
    pub rows: Vec<LaneRow>,
    /// Threads that have no lane, by name: they take no part.
    pub idle: Vec<String>,
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Number of the thread in the report.
    pub thread: u32,
    /// Its name.
    pub name: String,
}

/// A global at the beginning of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneValue {
    /// As in the source.
    pub name: String,
    /// Its value, as in the source.
    pub value: String,
    /// Is it another one than at the beginning of the context before?
    pub changed: bool,
}

/// A row. Lanes are counted from 0, left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneRow {
    /// A context begins.
    Context {
        /// Which, from 0: its number is also that of the switch into it, but 0, where the run
        /// starts.
        context: usize,
        /// Who ran before; `None` at the start.
        from: Option<usize>,
        /// Who runs now.
        to: usize,
        /// What it finds.
        globals: Vec<LaneValue>,
    },
    /// A statement.
    Step {
        /// Index into the run.
        step: usize,
        /// Whose.
        lane: usize,
        /// Does the run fail here?
        fails: bool,
        /// What it does, if it is only a part of its statement ([`told_part`]).
        part: Option<String>,
    },
    /// Statements that are not shown.
    Fold {
        /// Of which context.
        context: usize,
        /// Whose.
        lane: usize,
        /// How many.
        steps: usize,
    },
    /// A thread waits for ever.
    Blocked {
        /// Who.
        lane: usize,
        /// Where.
        line: u32,
        /// For what.
        statement: String,
    },
}

/// The lanes of a report's run; `unfolded` are the contexts that are shown whole. Without a run
/// there are none.
pub fn lanes(report: &ThreadsReport, unfolded: &BTreeSet<usize>) -> Lanes {
    let (Some(contexts), Some(trace)) = (&report.contexts, &report.trace) else {
        return Lanes::default();
    };
    let taking: BTreeSet<u32> =
        contexts.iter().map(|c| c.thread).chain(report.blocked.iter().map(|b| b.thread)).collect();
    let name = |thread: u32| {
        report
            .threads
            .get(thread as usize)
            .map_or_else(|| format!("thread {thread}"), |t| t.name.clone())
    };
    let lanes: Vec<Lane> =
        taking.iter().map(|thread| Lane { thread: *thread, name: name(*thread) }).collect();
    let idle = (0..report.threads.len() as u32)
        .filter(|thread| !taking.contains(thread))
        .map(name)
        .collect();
    let lane = |thread: u32| lanes.iter().position(|lane| lane.thread == thread).unwrap_or(0);
    let deadlock = !report.blocked.is_empty();
    let mut rows = Vec::new();
    for (k, context) in contexts.iter().enumerate() {
        let to = lane(context.thread);
        let before = k.checked_sub(1).map(|before| &contexts[before]);
        let globals = changes(&context.globals, before.map(|before| &before.globals));
        rows.push(LaneRow::Context {
            context: k,
            from: before.map(|before| lane(before.thread)),
            to,
            globals,
        });
        let steps: Vec<usize> =
            (context.from_step as usize..(context.to_step as usize).min(trace.len())).collect();
        let row = |step: &usize| {
            let is_last = step + 1 == trace.len();
            let race = report.race.as_ref().filter(|race| is_last || race.step as usize == *step);
            let fails =
                race.is_some() || report.verdict == ThreadsVerdict::Unsafe && !deadlock && is_last;
            let part = match race {
                Some(race) => Some(told_race(race, is_last)),
                None => part_of(report, *step).map(told_part),
            };
            LaneRow::Step { step: *step, lane: to, fails, part }
        };
        if steps.len() <= FOLD_OVER || unfolded.contains(&k) {
            rows.extend(steps.iter().map(row));
        } else {
            let (head, tail) = (&steps[..SHOWN], &steps[steps.len() - SHOWN..]);
            rows.extend(head.iter().map(row));
            rows.push(LaneRow::Fold { context: k, lane: to, steps: steps.len() - 2 * SHOWN });
            rows.extend(tail.iter().map(row));
        }
    }
    rows.extend(report.blocked.iter().map(|blocked| LaneRow::Blocked {
        lane: lane(blocked.thread),
        line: blocked.line,
        statement: blocked.statement.clone(),
    }));
    Lanes { lanes, rows, idle }
}

/// What the report says of a step that is only a part of its statement.
pub fn part_of(report: &ThreadsReport, step: usize) -> Option<&PartReport> {
    report.parts.iter().find(|part| part.step as usize == step)
}

/// What a part of a statement does: "reads x = 0"; "writes x = 1, having read x = 0".
pub fn told_part(part: &PartReport) -> String {
    let told = [("reads", &part.reads), ("writes", &part.writes), ("having read", &part.earlier)];
    let told = told.iter().filter(|(_, values)| !values.0.is_empty());
    let told = told.map(|(verb, values)| format!("{verb} {}", listed(&values.0)));
    told.collect::<Vec<_>>().join(", ")
}

/// What one of the two accesses of a race does: "about to write x", "reads x meanwhile".
pub fn told_race(race: &RaceReport, is_last: bool) -> String {
    let verb = |writes: bool| if writes { "write" } else { "read" };
    match is_last {
        false => format!("about to {} {}", verb(race.first_writes), race.place),
        true => format!("{}s {} at the same time", verb(race.second_writes), race.place),
    }
}

/// The context of a step of the run.
pub fn context_of(report: &ThreadsReport, step: usize) -> Option<usize> {
    report
        .contexts
        .as_ref()?
        .iter()
        .position(|context| (context.from_step as usize..context.to_step as usize).contains(&step))
}

/// Is the step hidden in a fold, if its context is folded?
pub fn is_folded(report: &ThreadsReport, step: usize) -> bool {
    let Some(context) = context_of(report, step).and_then(|k| report.contexts.as_ref()?.get(k))
    else {
        return false;
    };
    let (from, to) = (context.from_step as usize, context.to_step as usize);
    to - from > FOLD_OVER && step >= from + SHOWN && step < to - SHOWN
}

fn changes(now: &Values, before: Option<&Values>) -> Vec<LaneValue> {
    let old = |name: &str| {
        before.and_then(|before| before.0.iter().find(|(n, _)| n == name)).map(|(_, value)| value)
    };
    let entry = |(name, value): &(String, Value)| LaneValue {
        name: name.clone(),
        value: value.to_string(),
        changed: old(name).is_some_and(|old| old != value),
    };
    now.0.iter().map(entry).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::session::Session;
    use crate::wire::options::RequestedOptions;
    use crate::wire::report::Analysis;
    use crate::wire::report::{Statistics, TraceEntry};
    use crate::wire::threads::ThreadsMethod;
    use crate::wire::threads::{BlockedReport, ContextReport, ThreadReport};

    fn values(x: i128, own: Option<i128>) -> Values {
        let mut all = vec![("x".to_string(), Value::Number(x))];
        all.extend(own.map(|own| ("own".to_string(), Value::Number(own))));
        Values(all)
    }

    fn entry(thread: u32, x: i128, own: i128) -> TraceEntry {
        TraceEntry {
            line: 3,
            procedure: format!("t{thread}"),
            thread,
            statement: "x = own".into(),
            values: values(x, Some(own)),
            depth: 0,
            edge: None,
            ..TraceEntry::default()
        }
    }

    /// Thread 0 takes two steps, thread 2 twenty, thread 0 one, where it fails.
    pub(crate) fn example() -> ThreadsReport {
        let mut trace = vec![entry(0, 0, 1), entry(0, 1, 1)];
        trace.extend((0..20).map(|i| entry(2, i, 7)));
        trace.push(entry(0, 19, 2));
        let context = |thread, from_step, to_step, x| ContextReport {
            thread,
            from_step,
            to_step,
            globals: values(x, None),
        };
        let thread = |name: &str| ThreadReport { name: name.into(), line: 1, at_start: true };
        ThreadsReport {
            analysis: Analysis::Threads,
            verdict: ThreadsVerdict::Unsafe,
            bound: 2,
            raised: None,
            converged: None,
            proof: None,
            method: ThreadsMethod::QadeerRehof,
            limit: None,
            fault: None,
            options: Session::load("void main() { }", &RequestedOptions::default())
                .0
                .options()
                .clone(),
            width: None,
            unchecked: Vec::new(),
            threads: vec![thread("main"), thread("idle"), thread("worker")],
            no_error_up_to: Some(1),
            switches: Some(2),
            error: None,
            blocked: Vec::new(),
            race: None,
            contexts: Some(vec![context(0, 0, 2, 0), context(2, 2, 22, 0), context(0, 22, 23, 19)]),
            trace: Some(trace),
            parts: Vec::new(),
            next: Vec::new(),
            shortest: Some(true),
            at: None,
            reachable: Vec::new(),
            tree: Vec::new(),
            tree_cut: false,
            interfaces: Vec::new(),
            first_switch: None,
            explanation: None,
            statistics: Statistics { peak_nodes: 0, steps: 0, bytes: 0 },
        }
    }

    #[test]
    fn every_switch_is_a_crossing_and_long_contexts_fold() {
        let report = example();
        let folded = lanes(&report, &BTreeSet::new());
        assert_eq!(
            folded.lanes.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(),
            ["main", "worker"]
        );
        assert_eq!(folded.idle, ["idle"]);
        let crossings: Vec<_> = folded
            .rows
            .iter()
            .filter_map(|row| match row {
                LaneRow::Context { from, to, globals, .. } => {
                    Some((*from, *to, globals[0].value.as_str(), globals[0].changed))
                }
                _ => None,
            })
            .collect();
        assert_eq!(
            crossings,
            [(None, 0, "0", false), (Some(0), 1, "0", false), (Some(1), 0, "19", true)]
        );
        assert!(folded.rows.contains(&LaneRow::Fold { context: 1, lane: 1, steps: 10 }));
        assert_eq!(
            folded.rows.last(),
            Some(&LaneRow::Step { step: 22, lane: 0, fails: true, part: None })
        );
        let steps = |lanes: &Lanes| {
            lanes.rows.iter().filter(|row| matches!(row, LaneRow::Step { .. })).count()
        };
        assert_eq!(steps(&folded), 13);
        assert_eq!(steps(&lanes(&report, &[1].into())), 23);
    }

    #[test]
    fn a_part_of_a_statement_says_what_it_does() {
        let none = Values::default;
        let part = |reads, writes, earlier| PartReport { step: 1, reads, writes, earlier };
        let mut report = example();
        report.parts = vec![part(values(0, None), none(), none())];
        let drawn = lanes(&report, &BTreeSet::new());
        let told = drawn.rows.iter().filter_map(|row| match row {
            LaneRow::Step { step, part, .. } => part.clone().map(|part| (*step, part)),
            _ => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), [(1, "reads x = 0".to_string())]);
        let last = part(none(), values(1, None), values(0, None));
        assert_eq!(told_part(&last), "writes x = 1, having read x = 0");
        let both = part(values(2, None), values(1, None), values(0, None));
        assert_eq!(told_part(&both), "reads x = 2, writes x = 1, having read x = 0");
    }

    #[test]
    fn both_accesses_of_a_race_are_marked() {
        let mut report = example();
        let place = "x".to_string();
        let race = RaceReport { place, step: 1, first_writes: true, second_writes: false };
        report.race = Some(race);
        let rows = lanes(&report, &BTreeSet::new()).rows;
        let marked: Vec<_> = rows
            .into_iter()
            .filter_map(|row| match row {
                LaneRow::Step { step, fails: true, part, .. } => part.map(|part| (step, part)),
                _ => None,
            })
            .collect();
        let told = |step: usize, part: &str| (step, part.to_string());
        assert_eq!(marked, [told(1, "about to write x"), told(22, "reads x at the same time")]);
    }

    #[test]
    fn the_fold_hides_exactly_what_is_not_a_row() {
        let report = example();
        let rows = lanes(&report, &BTreeSet::new()).rows;
        for step in 0..23 {
            let shown =
                rows.iter().any(|row| matches!(row, LaneRow::Step { step: s, .. } if *s == step));
            assert_eq!(is_folded(&report, step), !shown, "step {step}");
        }
        assert_eq!(
            (context_of(&report, 1), context_of(&report, 2), context_of(&report, 99)),
            (Some(0), Some(1), None)
        );
    }

    #[test]
    fn a_thread_that_waits_for_ever_has_a_lane_and_nothing_fails_at_the_last_statement() {
        let mut report = example();
        report.blocked = vec![BlockedReport { thread: 1, line: 9, statement: "lock(a)".into() }];
        let lanes = lanes(&report, &BTreeSet::new());
        assert_eq!(lanes.lanes.len(), 3);
        assert_eq!(
            lanes.rows.last(),
            Some(&LaneRow::Blocked { lane: 1, line: 9, statement: "lock(a)".into() })
        );
        assert!(lanes.rows.iter().all(|row| !matches!(row, LaneRow::Step { fails: true, .. })));
    }
}
