//! What the projection says first: the verdict of the check, what it holds for, what it took.

use super::state::Projection;
use crate::draw::failure;
use crate::draw::refinement::decided_instead;
use crate::draw::unchecked;
use crate::draw::widths;
use crate::draw::words::{
    assuming, bounded, capitalised, counted, decided_by, duration, effect, error_place, headline,
    holds_for, proved,
};
use crate::ui::state::model::{Answer, Model};
use crate::ui::state::question::Answered;
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone, not_read};
use crate::ui::tab::Tab;
use crate::util::{Limit, Stage};
use crate::wire::cegar::Decider;
use crate::wire::note::NoteCode;
use crate::wire::report::{Report, Verdict};
use crate::wire::widths::WidthsReport;

impl Projection {
    /// The verdict of the check, or how far it is.
    pub(super) fn verdict(&self, model: &Model) -> Said {
        if let Some(run) = model.run.pending() {
            let progress = &run.progress;
            let far = format!(
                "{} · {}",
                phase(progress.stage, model.dialect().is_raw()),
                duration(progress.millis)
            );
            let nodes = counted(progress.nodes, "node");
            let mut said = Said::working(far, run.stopping);
            if let Some(report) = model.failing.as_ref().filter(|_| !run.stopping) {
                // What takes longer is which statements take part.
                said.headline = headline(report);
                if let Some(error) = report.error.as_ref().filter(|_| report.trace.is_some()) {
                    said.tone = Tone::Failing;
                    said.holds = holds(report);
                    said.scope = scope(report);
                    said.told = failure::values(error).into_iter().collect();
                    said.working = format!("Going on: {}", said.working);
                }
            }
            return Said { figures: vec![format!("{nodes} of decision diagrams so far.")], ..said };
        }
        match &model.answer {
            None => Said { told: vec![invitation(model)], ..Said::default() },
            Some(answer) if model.fresh().is_none() => {
                Said::stale(&headline(&answer.report), "Check again")
            }
            Some(answer) if is_of_one_thread(&answer.report) => Said::one_thread(self.name()),
            Some(answer) => {
                let mut said = answered(answer, model);
                if model.is_bounded {
                    said.told.extend(model.diagnostics.iter().next().map(not_read));
                }
                said
            }
        }
    }

    /// The same in a few words; an unknown verdict is no knowledge.
    pub(super) fn known(&self, model: &Model) -> Option<String> {
        let report = &model.fresh()?.report;
        let raw = report.pushdown.is_some();
        Some(match (report.verdict, &report.error) {
            (Verdict::Unknown, _) => return None,
            _ if report.options.reach.is_some() => headline(report),
            (Verdict::Safe, _) if report.checked == 0 => return None,
            (Verdict::Safe, _) => if raw { "not reachable" } else { "safe" }.into(),
            (Verdict::Unsafe, Some(error)) if !raw => format!("can fail, {}", error_place(error)),
            (Verdict::Unsafe, _) => if raw { "reachable" } else { "can fail" }.into(),
        })
    }
}

fn invitation(model: &Model) -> String {
    let of = match model.dialect().is_raw() {
        true => "a target is reached, and which rules take part",
        false => "it can fail, and which lines are on a failing run",
    };
    format!("Run it to see whether {of}.")
}

/// Was the first thread alone run, and nothing found?
fn is_of_one_thread(report: &Report) -> bool {
    report.verdict == Verdict::Unknown && report.limit == Some(Limit::Threads)
}

/// What is worked on.
fn phase(stage: Stage, raw: bool) -> &'static str {
    match stage {
        Stage::Forward if raw => "looking for a run into the target",
        Stage::Backward | Stage::Contexts | Stage::Statements if raw => {
            "which rules are on such runs"
        }
        Stage::Bounded => "all inputs at once, for few rounds of each loop",
        Stage::Forward => "looking for a failing run",
        Stage::Witness => "one failing run",
        Stage::Proof => "checking the proof",
        Stage::Backward => "looking for lines on failing runs",
        Stage::Contexts => "looking for lines on failing runs, caller by caller",
        Stage::Statements => "which lines are on a failing run",
        Stage::Slice => "the slice",
        Stage::Failures => "what else can fail",
        Stage::Confirm => "the failing run with 32-bit integers",
        Stage::Wider => "32-bit integers, for longer",
        _ => "reading the program",
    }
}

fn answered(answer: &Answer, model: &Model) -> Said {
    let report = &*answer.report;
    // The worker that has found it is gone.
    let is_lost = model.run.answered() == Answered::Lost;
    let is_cut = model.run.is_cut() && matches!(report.limit, Some(Limit::Time | Limit::Nodes));
    let stopped = answer.stopped && report.verdict == Verdict::Unknown;
    let limit = report.limit.filter(|_| report.verdict == Verdict::Unknown);
    let limited = matches!(limit, Some(Limit::Nodes | Limit::Steps | Limit::Time));
    let is_narrower = report.widths.as_ref().and_then(WidthsReport::answered).is_some();
    let is_endless = report.notes.iter().any(|note| note.code == NoteCode::NeverEnds);
    let is_too_much = (limited || limit == Some(Limit::Depth))
        && !is_narrower
        && !is_endless
        && report.fault.is_none()
        && report.options.reach.is_none()
        && report.pushdown.is_none();
    let asks = match (stopped || is_lost, is_cut, limited) {
        (true, ..) => vec![(Ask::Again, "Check again")],
        (false, true, _) => vec![GO_ON],
        (false, false, true) => vec![(Ask::More, "Search ten times longer")],
        (false, false, false) => Vec::new(),
    };
    Said {
        tone: tone(report),
        headline: match stopped && report.options.reach.is_none() {
            true => format!("Stopped after {}; no failure found", duration(answer.millis)),
            false if is_too_much => {
                format!("No answer within {}; no failure found", duration(answer.millis))
            }
            false => headline(report),
        },
        told: told(answer, limit.filter(|_| !stopped && !is_endless), is_cut, is_lost),
        scope: scope(report),
        unchecked: unchecked::in_order(&report.unchecked),
        holds: holds(report),
        more: more(report),
        figures: figures(answer, stopped),
        asks,
        ..Said::default()
    }
}

/// Nothing that could fail, and a line that a run comes to or not, are neither good nor bad.
fn tone(report: &Report) -> Tone {
    let is_empty = report.verdict == Verdict::Safe && report.checked == 0;
    let is_decided = report.verdict != Verdict::Unknown;
    match is_empty || is_decided && report.options.reach.is_some() {
        true => Tone::Neutral,
        false => report.verdict.into(),
    }
}

/// What the answer holds for.
fn holds(report: &Report) -> String {
    let said = holds_for(&report.options);
    let target = report.error.as_ref().filter(|_| report.pushdown.is_some());
    target.map(|target| format!("{}; {said}", target.message)).unwrap_or(said)
}

/// What it is about, with what is assumed of arguments; of a pushdown system, what is reached.
fn scope(report: &Report) -> String {
    let checked = match report.pushdown {
        Some(_) => holds(report),
        None => unchecked::scope(&report.options, report.checked > 0, unchecked::states(report)),
    };
    match assuming(report) {
        Some(assumed) => format!("{checked} {}.", capitalised(&assumed)),
        None => checked,
    }
}

/// Its reason, and what a person must know besides.
fn told(answer: &Answer, limit: Option<Limit>, is_cut: bool, is_lost: bool) -> Vec<String> {
    let report = &*answer.report;
    let failure = report.error.as_ref().filter(|_| report.pushdown.is_none());
    let mut told: Vec<String> = failure.and_then(failure::values).into_iter().collect();
    if let Some(fault) = &report.fault {
        told.push(format!(
            "A check of the answer contradicts the engine, so nothing is claimed: {fault}. Please \
             report the program."
        ));
    }
    match is_cut {
        true => told.push(CUT.into()),
        false => told.extend(limit.and_then(|limit| limit_detail(answer, limit))),
    }
    if is_lost {
        told.push(
            "What was known of single statements is gone. Check again to ask about them.".into(),
        );
    }
    if report.projection.as_ref().is_some_and(|found| found.overestimate && found.nodes > 0) {
        told.push(
            "Lit is too much: the naive method forgets which call a run came from, so it also \
             keeps statements that are on no failing run."
                .into(),
        );
    }
    if let Some(pushdown) = &report.pushdown {
        told.extend(
            pushdown.effect.as_ref().map(|found| format!("{}.", capitalised(&effect(found)))),
        );
        let missing = pushdown.weight_missing.as_ref();
        told.extend(missing.map(|why| format!("The least weight was not found: {why}.")));
    }
    if report.verdict == Verdict::Unsafe && report.projection.is_none() && report.bounded.is_none()
    {
        let why = match report.limit {
            Some(Limit::Time) | None => "time was up",
            Some(_) => "it took too long",
        };
        told.push(format!(
            "The failing run is certain. Which other lines are on failing runs was not worked out ({why})."
        ));
    }
    told
}

/// What else is known: for which widths, and how much of the program takes part.
fn more(report: &Report) -> Vec<String> {
    let widths = report.widths.iter().map(widths::detail);
    let any_heap = report.refined.iter().filter(|_| of_any_heap(report)).map(decided_instead);
    let by_bounded = report.bounded.is_some() && report.verdict == Verdict::Unsafe;
    let open = "Which other lines are on failing runs is not worked out for such a program.";
    let open = by_bounded.then(|| open.to_string());
    widths.chain(any_heap).chain(counts(report)).chain(open).collect()
}

/// "The failing run has 7 steps. 12 of 16 statements are on failing runs."
fn counts(report: &Report) -> Option<String> {
    let raw = report.pushdown.is_some();
    let run = report.trace.as_ref().map(|trace| match raw {
        true => format!("The run has {}.", counted(trace.len().saturating_sub(1) as u64, "rule")),
        false => format!("The failing run has {}.", counted(trace.len() as u64, "step")),
    });
    let projection =
        report.projection.as_ref().filter(|_| report.shown_verdict() == Verdict::Unsafe);
    let part = projection.map(|found| {
        let (nodes, of) = (found.nodes, u64::from(found.of));
        match raw {
            true => format!("{nodes} of {} are on runs into the target.", counted(of, "rule")),
            false if found.overestimate => {
                format!("At most {nodes} of {} are on failing runs.", counted(of, "statement"))
            }
            false => format!("{nodes} of {} are on failing runs.", counted(of, "statement")),
        }
    });
    let said: Vec<String> = run.into_iter().chain(part).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn limit_detail(answer: &Answer, limit: Limit) -> Option<String> {
    let report = &*answer.report;
    Some(match limit {
        Limit::Nodes | Limit::Steps | Limit::Time | Limit::Depth => fewer_values(report).into(),
        Limit::Heap => {
            return Some(
                "Some run needs more objects at once. It ends there, so what it does afterwards \
                 is not known."
                    .into(),
            );
        }
        Limit::Threads | Limit::Rounds => return None,
    })
}

/// Does the answer hold for any number of objects? That is more than how it was found.
fn of_any_heap(report: &Report) -> bool {
    let decided = report.refined.as_ref().and_then(|refined| refined.decided);
    decided.is_some_and(|decision| decision.by == Decider::Summary)
}

/// What may lead to an answer.
fn fewer_values(report: &Report) -> &'static str {
    match (report.pushdown.is_some(), report.options.bits > 8) {
        (true, _) => "Try a smaller system, or more time.",
        (false, true) => "Try 8-bit numbers or smaller arrays.",
        (false, false) => "Try fewer variables, smaller arrays, or shorter loops.",
    }
}

/// Which limit ended it, in the engine's own measures.
fn limit_figure(answer: &Answer) -> Option<String> {
    let budgets = &answer.budgets;
    Some(match answer.report.limit.filter(|_| answer.report.verdict == Verdict::Unknown)? {
        Limit::Nodes => format!("The limit is {}.", counted(budgets.max_nodes, "node")),
        Limit::Steps => format!("The limit is {}.", counted(budgets.max_steps, "step")),
        Limit::Time => format!("The limit is {}.", duration(budgets.max_millis?)),
        Limit::Depth => "The depth limit was hit: its variables have too many bits together, or \
                         its runs are too long."
            .into(),
        Limit::Threads | Limit::Rounds | Limit::Heap => return None,
    })
}

/// How it was found.
fn figures(answer: &Answer, stopped: bool) -> Vec<String> {
    let report = &*answer.report;
    let mut figures = Vec::new();
    figures.extend(report.refined.iter().filter(|_| !of_any_heap(report)).map(decided_instead));
    figures.extend(bounded(report).map(|sentence| format!("{}.", capitalised(&sentence))));
    figures.extend(proved(report).map(|sentence| format!("{}.", capitalised(&sentence))));
    if let Some(pushdown) = &report.pushdown {
        figures.push(format!("Decided by {}.", decided_by(pushdown.saturation)));
    }
    figures.extend(limit_figure(answer));
    if !stopped {
        figures.push(format!("It took {}.", duration(answer.millis)));
    }
    let peak = report.statistics.peak_nodes;
    if peak > 0 {
        figures.push(match report.pushdown {
            Some(_) => format!("The automaton has {}.", counted(peak, "transition")),
            None => format!("The decision diagrams had at most {}.", counted(peak, "node")),
        });
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::State;
    use crate::ui::state::shared::Shared;
    use crate::ui::state::testing::{asked_by, cut, done, failed, page, read, read_threads};
    use crate::util::Budgets;
    use crate::wire::protocol::Request;
    use crate::wire::report::Unchecked;

    fn ran(end: impl FnOnce(&mut State)) -> State {
        let mut state = page();
        state.run(Budgets::default());
        end(&mut state);
        state
    }

    #[test]
    fn the_engines_numbers_are_told_on_request_only() {
        let state = ran(failed);
        let said = state.said();
        assert_eq!((said.tone, said.headline.as_str()), (Tone::Unsafe, "It can fail"));
        assert!(said.more.contains(&"The failing run has 4 steps.".to_string()), "{said:?}");
        let first = [&[said.headline, said.scope][..], &said.told].concat().join(" ");
        assert!(first.contains("Checked: "), "{first}");
        for word in ["node", " ms", "naive", "post*"] {
            assert!(!first.contains(word), "{word}: {first}");
        }
        assert!(said.figures.iter().any(|figure| figure.starts_with("It took")));
    }

    /// The run has ended with what a change makes of "nothing is known".
    fn told(change: impl FnOnce(Report) -> Report) -> Said {
        let mut state = ran(|state| {
            read(state);
            done(state);
        });
        let answer = state.model.answer.as_mut().expect("the run has ended");
        answer.report = Shared::new(change((*answer.report).clone()));
        state.said()
    }

    #[test]
    fn nothing_to_check_is_no_praise() {
        let safe = |checked| told(|report| Report { verdict: Verdict::Safe, checked, ..report });
        assert_eq!((safe(0).tone, safe(1).tone), (Tone::Neutral, Tone::Safe));
    }

    #[test]
    fn what_was_not_checked_is_said_and_what_can_be_asked_comes_first() {
        let said = told(|report| Report {
            verdict: Verdict::Safe,
            unchecked: vec![Unchecked::Output, Unchecked::Leaks, Unchecked::EndlessLoops],
            ..report
        });
        let last = Unchecked::Output;
        assert_eq!(said.unchecked, [Unchecked::Leaks, Unchecked::EndlessLoops, last]);
    }

    #[test]
    fn what_was_edited_is_asked_for_again() {
        let mut state = ran(failed);
        state.edited("main()".into());
        let said = state.said();
        assert_eq!((said.tone, said.asks.len()), (Tone::Stale, 1));
        assert!(said.told[0].contains("It can fail"), "{said:?}");
        state.asked(Ask::Again);
        state.settle();
        assert!(state.model.run.is_busy());
    }

    #[test]
    fn threads_are_no_unknown_verdict() {
        let mut state = ran(|state| {
            read_threads(state);
            state.show("projection");
            done(state);
        });
        let answer = state.model.answer.as_mut().expect("the run has ended");
        let report = Report { limit: Some(Limit::Threads), ..(*answer.report).clone() };
        answer.report = Shared::new(report);
        let said = state.said();
        assert_eq!(said.tone, Tone::Refused);
        assert_eq!(state.suitable(), Some("threads"));
        state.show("threads");
        assert!(state.known_elsewhere().is_empty(), "an unknown verdict is no knowledge");
    }

    #[test]
    fn a_run_that_a_link_began_has_limits_and_can_go_on_without_them() {
        let mut state = page();
        state.run_unasked();
        let sent = asked_by(&mut state);
        assert!(matches!(sent[..], [(Request::Run { .. }, true)]), "{sent:?}");
        read(&mut state);
        cut(&mut state);
        done(&mut state);
        assert_eq!(state.said().asks, [], "it has ended by itself");
        let answer = state.model.answer.as_mut().expect("the run has ended");
        let report = Report { limit: Some(Limit::Time), ..(*answer.report).clone() };
        answer.report = Shared::new(report);
        let said = state.said();
        assert_eq!(said.asks, [(Ask::Again, "Go on without these limits")]);
        assert!(said.told.iter().any(|told| told.contains("1 GB")), "{said:?}");
        state.asked(Ask::Again);
        let sent = asked_by(&mut state);
        assert!(matches!(sent[..], [(Request::Run { .. }, false)]), "{sent:?}");
    }

    #[test]
    fn an_answer_whose_worker_was_replaced_stays_and_can_be_asked_for_again() {
        let mut state = ran(failed);
        state.worker_replaced(&[]);
        let said = state.said();
        assert_eq!((said.tone, said.headline.as_str()), (Tone::Unsafe, "It can fail"));
        assert_eq!(said.asks, [(Ask::Again, "Check again")]);
        assert!(said.told.iter().any(|told| told.contains("Check again")), "{said:?}");
    }

    #[test]
    fn before_a_run_there_is_an_invitation_and_no_verdict() {
        let mut state = page();
        state.load();
        read(&mut state);
        let said = state.said();
        assert_eq!((said.tone, said.headline.as_str()), (Tone::Plain, ""));
        assert!(said.told[0].starts_with("Run it"));
    }
}
