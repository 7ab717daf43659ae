//! Answers to questions about a lab: weights of sets, of runs from one to another, and witnesses.

use super::record::{cause, limit_note, sentence, shown, state_names};
use super::words::{Place, Texts, Words, head};
use crate::draw::lab_listing::arrow;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::raw::RawSystem;
use crate::lang::raw::replay::{Configuration, apply};
use crate::report::diagnostics::diagnostics;
use crate::session::lab::{Lab, LabProblem, LabRunFound, LabSession, LabWeight, each_lab};
use crate::util::order::inserted;
use crate::util::{Bounded, Limit};
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::diagnostic::Severity;
use crate::wire::lab::LabTask;
use crate::wire::lab::{LabAnswer, LabDerivation, LabRun, LabRunStep, LabWitness, LabWitnessNode};
use std::collections::BTreeMap;

/// The most rules of a run that are shown.
const SHOWN_RULES: usize = 1_000;
/// The most symbols of a stack that are shown. The others are only counted.
const SHOWN_STACK: usize = 32;
/// The most nodes of a witness that are shown.
const SHOWN_NODES: usize = 400;
/// The longest sequence of rules of a witness.
const LONGEST: u64 = 10_000;

/// The weight of a set in an automaton, as of a step.
pub fn lab_weight(
    session: &mut LabSession,
    automaton: u32,
    set: &str,
    step: Option<u32>,
) -> LabAnswer {
    each_lab!(session, lab => {
        let found = lab.weight(automaton as usize, set, step);
        answer(lab, found, (set, ""))
    })
}

/// The weight of all runs from one set to another.
pub fn lab_transfer(session: &mut LabSession, from: &str, to: &str) -> LabAnswer {
    each_lab!(session, lab => {
        let found = lab.transfer(from, to);
        answer(lab, found, (from, to))
    })
}

/// Turns a problem into diagnostics: for the first set, for the second set, and the limit.
pub fn problems(
    problem: LabProblem,
    (first, second): (&str, &str),
) -> (Vec<DiagnosticView>, Vec<DiagnosticView>, Option<Limit>) {
    match problem {
        LabProblem::Set(found) => (diagnostics(first, &found), Vec::new(), None),
        LabProblem::SecondSet(found) => (Vec::new(), diagnostics(second, &found), None),
        LabProblem::Refused(message, hint) => {
            let one = Diagnostic::new(Severity::Error, Default::default(), message, hint);
            (diagnostics(first, &[one]), Vec::new(), None)
        }
        LabProblem::Limit(limit) => (Vec::new(), Vec::new(), Some(limit)),
    }
}

fn answer<D: Words>(
    lab: &mut Lab<D>,
    found: Result<LabWeight<D::Weight>, LabProblem>,
    sets: (&str, &str),
) -> LabAnswer {
    let found = match found {
        Ok(found) => found,
        Err(problem) => {
            let (problems, problems_to, limit) = problems(problem, sets);
            let notes = limit.map(limit_note).into_iter().collect();
            return LabAnswer { problems, problems_to, limit, notes, ..LabAnswer::default() };
        }
    };
    let mut texts = Texts::default();
    let mut answer = LabAnswer {
        is_zero: found.found.iter().all(|found| lab.domain.is_zero(&found.weight)),
        ..LabAnswer::default()
    };
    let mut parts = Vec::new();
    for one in &found.found {
        let text = D::weight(lab, &mut texts, Place::Stores(one.procedure), &one.weight);
        match (&lab.program, one.procedure) {
            (Some(of), Some(procedure)) if found.found.len() > 1 => {
                parts.push(format!("{}: {text}", of.program.procedure(procedure).name))
            }
            _ => parts.push(text),
        }
    }
    answer.weight = Some(if parts.is_empty() { "no store".to_string() } else { parts.join("; ") });
    if found.unfinished {
        answer.notes.push(
            "The automaton is not saturated at this step: the weight may still become greater."
                .to_string(),
        );
    }
    if found.returns_left_out {
        answer
            .notes
            .push("Runs that first return from the frame on top are not counted.".to_string());
    }
    match found.agrees {
        Some(true) => {}
        Some(false) => answer.notes.push(
            "post* of the first set gives another weight: this is a defect of Faultline."
                .to_string(),
        ),
        None => answer.notes.push(
            "post* of the first set took too many steps to compare the weight with.".to_string(),
        ),
    }
    match &found.run {
        Some(run) => answer.run = Some(view_run(lab, &mut texts, run)),
        None if !answer.is_zero && lab.program.is_some() && lab.task() == LabTask::Pre => {}
        None if !answer.is_zero => {
            answer.notes.push("No single run was found among those that were tried.".to_string())
        }
        None => {}
    }
    answer
}

fn view_run<D: Words>(lab: &mut Lab<D>, texts: &mut Texts, run: &LabRunFound<D::Weight>) -> LabRun {
    let mut now = run.start.clone();
    let mut steps = Vec::new();
    for rule in run.rules.iter().take(SHOWN_RULES) {
        apply(&lab.system, &mut now, *rule);
        steps.push(LabRunStep { rule: *rule, configuration: configuration(&lab.system, &now) });
    }
    let top = lab.replay(&run.start, &run.rules).and_then(|end| end.stack.last().copied());
    let procedure = lab.program.as_ref().and_then(|of| of.procedure_at(top?.0));
    let weight = D::weight(lab, texts, Place::Stores(procedure), &run.weight);
    LabRun {
        start: configuration(&lab.system, &run.start),
        steps,
        length: run.rules.len() as u32,
        weight,
    }
}

fn configuration(system: &RawSystem, configuration: &Configuration) -> String {
    let stack = configuration.top_first();
    if stack.len() <= SHOWN_STACK {
        return system.configuration(configuration.state, &stack);
    }
    let text = system.configuration(configuration.state, &stack[..SHOWN_STACK]);
    format!("{} … {} more>", text.trim_end_matches('>'), stack.len() - SHOWN_STACK)
}

/// Explains why a transition has its weight after a step. Returns `None` if it is not there.
pub fn lab_witness(
    session: &mut LabSession,
    automaton: u32,
    transition: u32,
    step: Option<u32>,
) -> Bounded<Option<LabWitness>> {
    each_lab!(session, lab => witness(lab, automaton as usize, transition, step))
}

fn witness<D: Words>(
    lab: &mut Lab<D>,
    which: usize,
    transition: u32,
    step: Option<u32>,
) -> Bounded<Option<LabWitness>> {
    let made = lab.with_recorded(which, |lab, recorded| {
        let Some(witness) = recorded.witness(&mut lab.domain, transition, step)? else {
            return Ok(None);
        };
        let mut texts = Texts::default();
        texts.look_at(lab, recorded);
        let seeds = lab.seeds().iter().filter(|_| which == 1);
        let seeds: BTreeMap<_, _> =
            inserted(seeds.map(|((p, symbol), state)| (*state, head(&lab.system, p.0, symbol.0))));
        let states = state_names(lab, recorded, &seeds);
        let name = |t: &crate::pds::Transition| {
            let symbol = t
                .symbol
                .map_or("ε", |s| lab.system.symbols.get(s.0 as usize).map_or("?", String::as_str));
            arrow(&states[t.from.0 as usize].0, symbol, &states[t.to.0 as usize].0)
        };
        let names: Vec<String> = recorded.automaton().transitions().iter().map(name).collect();
        let mut view = LabWitness { nodes: Vec::new(), run: None, notes: Vec::new() };
        for node in witness.nodes().iter().take(SHOWN_NODES) {
            let t = recorded.automaton().transition(node.transition);
            let mut derivations = Vec::new();
            for (derivation, weight) in &node.derivations {
                let of_transitions =
                    derivation.map(|premise| witness.nodes()[premise as usize].transition);
                derivations.push(LabDerivation {
                    cause: cause(*derivation),
                    rule: derivation.rule().map(|rule| rule.0),
                    weight: shown(lab, &mut texts, t, weight),
                    premises: derivation
                        .premises()
                        .filter(|premise| (*premise as usize) < SHOWN_NODES)
                        .collect(),
                    words: sentence(lab, of_transitions, &names),
                });
            }
            view.nodes.push(LabWitnessNode {
                transition: node.transition,
                weight: shown(lab, &mut texts, t, &node.weight),
                derivations,
            });
        }
        if witness.nodes().len() > SHOWN_NODES {
            view.notes.push(format!(
                "The witness has {} nodes; the first {SHOWN_NODES} are shown.",
                witness.nodes().len()
            ));
        }
        if let Ok(sequence) = witness.short_sequence(LONGEST)
            && lab.program.is_none()
            && let Some((start, rules)) = lab.run_of(recorded, transition, &sequence)
        {
            let weight = D::weigh(lab, &start, &rules)?;
            view.run = Some(view_run(lab, &mut texts, &LabRunFound { start, rules, weight }));
        }
        Ok(Some(view))
    });
    made.unwrap_or(Ok(None))
}
