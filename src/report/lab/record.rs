//! Makes the report of a lab.

use super::words::{Place, Texts, Words, head, reading};
use crate::analysis::recorded::Recorded;
use crate::draw::lab_layout::lay_out;
use crate::draw::lab_listing::arrow;
use crate::draw::words::counted;
use crate::encode::RuleRole;
use crate::lang::raw::{ConfigurationSet, RawRule, RawSystem, text};
use crate::pds::transducer::{Letter, TransducerState};
use crate::pds::{Derivation, State, Transition};
use crate::session::lab::{Lab, LabProgram, LabSession, Stopped, each_lab};
use crate::util::Limit;
use crate::util::order::inserted;
use crate::wire::graph::Point;
use crate::wire::lab::LabTask;
use crate::wire::lab::{
    LabAutomaton, LabCause, LabChange, LabOptions, LabReport, LabRole, LabRule, LabState, LabStep,
    LabTransition,
};
use std::collections::BTreeMap;

/// The most transitions that are drawn.
pub const MOST_DRAWN: usize = 2_000;
/// The most rules that are listed.
const MOST_RULES: usize = 20_000;

/// The report of everything that was built. `options` are the requested ones.
pub fn lab_report(session: &mut LabSession, options: &LabOptions) -> LabReport {
    each_lab!(session, lab => report(lab, options))
}

fn report<D: Words>(lab: &mut Lab<D>, options: &LabOptions) -> LabReport {
    let mut report = LabReport::nothing(options.clone(), Vec::new());
    let system = std::rc::Rc::clone(&lab.system);
    let mut texts = Texts::default();
    report.weights = D::KIND.to_string();
    report.weighted = D::WEIGHTED;
    report.rules = rules(lab);
    if system.rules.len() > MOST_RULES {
        report.notes.push(format!(
            "Of {} only the first {MOST_RULES} are listed.",
            counted(system.rules.len() as u64, "rule")
        ));
    }
    if options.task != LabTask::Transducer {
        report.set = set_text(&system, lab.base());
    }
    for which in 0..lab.recorded().len() {
        let title = match (options.task, which) {
            (LabTask::Post, _) => "post*",
            (LabTask::Pre, _) => "pre*",
            (_, 0) => "A_pop",
            (_, _) => "A_grow",
        };
        let seeds = lab
            .seeds()
            .iter()
            .filter(|_| which == 1)
            .map(|((p, symbol), state)| (*state, head(&system, p.0, symbol.0)));
        let seeds: BTreeMap<State, String> = inserted(seeds);
        let made = lab.with_recorded(which, |lab, recorded| {
            automaton(lab, &mut texts, recorded, title, &seeds)
        });
        report.automata.extend(made);
    }
    if lab.transducer().is_some() {
        let (made, count) = transducer(lab, &mut texts);
        if count > MOST_DRAWN {
            report.notes.push(format!(
                "The transducer has {}; it can be asked, but only {MOST_DRAWN} are drawn.",
                counted(count as u64, "transition")
            ));
        }
        report.automata.push(made);
    }
    match lab.stopped() {
        None => {}
        Some(Stopped::Steps) => report.notes.push(format!(
            "The recording ends after {}, before the automaton is saturated: weights may still become greater.",
            counted(options.max_steps, "step")
        )),
        Some(Stopped::Transitions) => report.notes.push(format!(
            "The recording ends at {}, before the automaton is saturated: more are not drawn, and weights may still become greater.",
            counted(lab.max_transitions(), "transition")
        )),
        Some(Stopped::Limit(limit)) => {
            report.limit = Some(limit);
            let why = crate::draw::words::limit_sentence(limit);
            report.notes.push(format!("The recording ends before the automaton is saturated: {why}."));
        }
    }
    if texts.cut {
        report.notes.push(
            "Relations that are too long, or would take too long to be put into words, end in “…”."
                .to_string(),
        );
    }
    if lab.program.as_ref().is_some_and(|of| of.any_store) && options.task == LabTask::Post {
        report.notes.push("Runs start at the set with any store; what is shown relates that store to the one now.".to_string());
    }
    if lab.program.is_some() {
        report.notes.push(
            "Loops are gone round one by one here, and callees start with the stores that reach them; what a run does not read any more is left open.".to_string(),
        );
    }
    report
}

/// The text of a set: `<p, a b*>`, or several of these with commas between them.
fn set_text(system: &RawSystem, set: &ConfigurationSet) -> String {
    match set {
        ConfigurationSet::Described(lines) => {
            let all: Vec<String> =
                lines.iter().take(20).map(|line| text::described(system, line)).collect();
            let more = if lines.len() > all.len() { ", …" } else { "" };
            all.join(", ") + more
        }
        ConfigurationSet::Automaton(_) => "as the text's automaton says".to_string(),
    }
}

fn rules<D: Words>(lab: &Lab<D>) -> Vec<LabRule> {
    let text_of = |rule: &RawRule| {
        let (left, right) = (
            lab.system.configuration(rule.from, &[rule.symbol]),
            lab.system.configuration(rule.to, &rule.right),
        );
        format!("{left} -> {right}")
    };
    let rules = lab.system.rules.iter().take(MOST_RULES).enumerate();
    let view = |(k, rule): (usize, &RawRule)| LabRule {
        text: text_of(rule),
        statement: lab.program.as_ref().map_or(String::new(), |of| statement(of, k)),
        line: rule.span.line,
        weight: D::rule(lab, rule),
    };
    rules.map(view).collect()
}

fn statement(of: &LabProgram, rule: usize) -> String {
    match of.system.roles.get(rule) {
        Some(RuleRole::Execute(edge)) => {
            let edge = of.program.edge(*edge);
            match edge.outcome.as_str() {
                "" => edge.text.clone(),
                outcome => format!("{}: {outcome}", edge.text),
            }
        }
        Some(RuleRole::Fail(edge, _)) => format!("{} fails", of.program.edge(*edge).text),
        Some(RuleRole::Return(procedure)) => {
            format!("the end of {}", of.program.procedure(*procedure).name)
        }
        None => String::new(),
    }
}

/// Names of a recording's states.
pub(super) fn state_names<D: Words>(
    lab: &Lab<D>,
    recorded: &Recorded<D>,
    seeds: &BTreeMap<State, String>,
) -> Vec<(String, LabRole)> {
    let automaton = recorded.automaton();
    let callees = recorded.callees(&lab.pds);
    let finals = (automaton.locations()..recorded.given().states())
        .filter(|k| automaton.is_final(State(*k)))
        .count();
    let mut given = 0;
    let name = |state: State| {
        if let Some(p) = automaton.control(state) {
            return (
                lab.system.states.get(p.0 as usize).cloned().unwrap_or_default(),
                LabRole::Control,
            );
        }
        if let Some(seed) = seeds.get(&state) {
            return (format!("q({seed})"), LabRole::Seed);
        }
        if let Some((p, symbol)) = callees.get(&state) {
            let procedure = lab
                .program
                .as_ref()
                .and_then(|of| Some(of.program.procedure(of.entered_at(symbol.0)?).name.clone()));
            return (
                procedure.unwrap_or_else(|| head(&lab.system, p.0, symbol.0)),
                LabRole::Callee,
            );
        }
        if automaton.is_final(state) && finals == 1 {
            return ("end".to_string(), LabRole::Given);
        }
        given += 1;
        (format!("s{given}"), LabRole::Given)
    };
    (0..automaton.states()).map(State).map(name).collect()
}

fn automaton<D: Words>(
    lab: &mut Lab<D>,
    texts: &mut Texts,
    recorded: &Recorded<D>,
    title: &str,
    seeds: &BTreeMap<State, String>,
) -> LabAutomaton {
    let last = recorded.automaton();
    texts.look_at(lab, recorded);
    let names = state_names(lab, recorded, seeds);
    let mut used: Vec<bool> = (0..last.states())
        .map(|k| last.is_final(State(k)) && last.control(State(k)).is_none())
        .collect();
    for t in last.transitions() {
        (used[t.from.0 as usize], used[t.to.0 as usize]) = (true, true);
    }
    if used.iter().all(|used| !used) {
        used.fill(true);
    }
    let mut index = vec![0u32; used.len()];
    let mut states = Vec::new();
    for (k, (name, role)) in names.iter().enumerate().filter(|(k, _)| used[*k]) {
        index[k] = states.len() as u32;
        let accepting = last.is_final(State(k as u32));
        states.push(LabState {
            name: name.clone(),
            role: *role,
            accepting,
            group: String::new(),
            x: 0.0,
            y: 0.0,
            radius: 0.0,
        });
    }
    let mut made = LabAutomaton {
        title: title.to_string(),
        reading: reading(recorded.star()).to_string(),
        states,
        transitions: Vec::new(),
        arrows: Vec::new(),
        size: Point::default(),
        steps: Vec::new(),
        complete: recorded.is_done(),
    };
    let mut labels = Vec::new();
    for (id, t) in (0u32..).zip(last.transitions()) {
        let weight = shown(lab, texts, *t, last.weight(id));
        let symbol = t.symbol.map_or("ε".to_string(), |s| {
            lab.system.symbols.get(s.0 as usize).cloned().unwrap_or_default()
        });
        labels.push(symbol.chars().count());
        made.transitions.push(LabTransition {
            from: index[t.from.0 as usize],
            to: index[t.to.0 as usize],
            symbol,
            pushed_by: t.via.map(|rule| rule.0),
            given: (id as usize) < recorded.given().transitions().len(),
            weight,
            arrow: 0,
            row: 0,
        });
    }
    let names: Vec<String> = made
        .transitions
        .iter()
        .map(|t| {
            arrow(&made.states[t.from as usize].name, &t.symbol, &made.states[t.to as usize].name)
        })
        .collect();
    let mut widest = vec![0usize; labels.len()];
    for step in recorded.recording().steps() {
        let mut changes = Vec::new();
        for (id, number) in &step.changes {
            let Some(version) = recorded.recording().version(*id, *number) else { continue };
            let t = last.transition(*id);
            let weight = shown(lab, texts, t, &version.whole);
            widest[*id as usize] = widest[*id as usize].max(weight.chars().count());
            let premises: Vec<u32> =
                version.derivation.premises().map(|part| part.transition).collect();
            changes.push(LabChange {
                transition: *id,
                is_new: *number == 0,
                added: weight.clone(),
                weight,
                cause: cause(version.derivation),
                rule: version.derivation.rule().map(|rule| rule.0),
                words: sentence(lab, version.derivation.map(|part| part.transition), &names),
                premises,
            });
        }
        made.steps.push(LabStep {
            looked_at: step.looked_at,
            changes,
            waiting: step.waiting.clone(),
            waiting_count: step.waiting_count,
        });
    }
    // The added weight comes last. If the budget for texts is small, whole weights come first.
    for (step, view) in recorded.recording().steps().iter().zip(&mut made.steps) {
        for ((id, number), change) in step.changes.iter().zip(&mut view.changes) {
            if let Some(version) = recorded
                .recording()
                .version(*id, *number)
                .filter(|version| version.added != version.whole)
            {
                change.added = shown(lab, texts, last.transition(*id), &version.added);
            }
        }
    }
    if D::WEIGHTED {
        labels.iter_mut().zip(&widest).for_each(|(label, weight)| *label += 2 + weight);
    }
    if made.transitions.len() <= 2 * MOST_DRAWN {
        lay_out(&mut made, &labels);
    }
    made
}

/// A transition's weight, as it is shown.
pub(super) fn shown<D: Words>(
    lab: &mut Lab<D>,
    texts: &mut Texts,
    transition: Transition,
    weight: &D::Weight,
) -> String {
    let weight = D::shown(lab, transition, weight);
    let place = D::place(lab, texts, transition);
    D::weight(lab, texts, place, &weight)
}

pub(super) fn cause<P>(derivation: Derivation<P>) -> LabCause {
    match derivation {
        Derivation::Given | Derivation::Rounds(_) => LabCause::Given,
        Derivation::Rule(..) => LabCause::Rule,
        Derivation::Pop(_) => LabCause::Pop,
        Derivation::Entry(..) => LabCause::Entry,
        Derivation::Below(..) => LabCause::Below,
        Derivation::Return { .. } => LabCause::Return,
        Derivation::Push { .. } => LabCause::Push,
    }
}

/// The sentence that says why a transition is there. Premises are transition numbers.
pub(super) fn sentence<D: Words>(
    lab: &Lab<D>,
    derivation: Derivation<u32>,
    names: &[String],
) -> String {
    let rule = |id: crate::pds::RuleId| match (lab.system.rules.get(id.0 as usize), &lab.program) {
        (Some(rule), Some(of)) => {
            format!("line {}: {}", rule.span.line, statement(of, id.0 as usize))
        }
        (Some(rule), None) => lab.system.rule(rule),
        (None, _) => String::new(),
    };
    let name = |id: u32| names.get(id as usize).map_or("?", String::as_str);
    match derivation {
        Derivation::Given => "Given.".to_string(),
        Derivation::Rounds(_) => "Rounds of a loop, summed up.".to_string(),
        Derivation::Rule(id, source) => format!("{} applies to {}.", rule(id), name(source)),
        Derivation::Pop(id) => format!("{} pops its symbol; it needs nothing else.", rule(id)),
        Derivation::Entry(id, caller) => {
            format!("{} applies to {}: what it pushes on top begins.", rule(id), name(caller))
        }
        Derivation::Below(id, caller) => {
            format!("{} applies to {}: its second symbol waits below.", rule(id), name(caller))
        }
        Derivation::Return { call, epsilon, .. } => {
            format!(
                "{} says that what was on top is gone, so {} goes on.",
                name(epsilon),
                name(call)
            )
        }
        Derivation::Push { rule: id, callee, below } => {
            format!("{} pushes what {} and then {} read.", rule(id), name(callee), name(below))
        }
    }
}

/// The transducer's picture, and how many transitions it has.
fn transducer<D: Words>(lab: &mut Lab<D>, texts: &mut Texts) -> (LabAutomaton, usize) {
    let system = std::rc::Rc::clone(&lab.system);
    let seeds: BTreeMap<State, String> = inserted(
        lab.seeds().iter().map(|((p, symbol), state)| (*state, head(&system, p.0, symbol.0))),
    );
    let grown = lab
        .recorded()
        .get(1)
        .map(|recorded| state_names(lab, recorded, &seeds))
        .unwrap_or_default();
    let control = |p: u32| system.states.get(p as usize).cloned().unwrap_or_default();
    let moves = lab.transducer().map(|transducer| transducer.moves().to_vec()).unwrap_or_default();
    let mut index: BTreeMap<TransducerState, u32> = BTreeMap::new();
    let mut made = LabAutomaton {
        title: "transducer".to_string(),
        reading: "Labels are input/output. Weights are extended in the order of a path up to where it first writes, and against it from there on.".to_string(),
        states: Vec::new(),
        transitions: Vec::new(),
        arrows: Vec::new(),
        size: Point::default(),
        steps: Vec::new(),
        complete: lab.is_complete(),
    };
    let mut labels = Vec::new();
    for step in moves.iter().take(MOST_DRAWN) {
        for place in [step.from, step.to] {
            if index.contains_key(&place) {
                continue;
            }
            index.insert(place, made.states.len() as u32);
            let (name, role, group) = match place {
                TransducerState::Start => ("start".to_string(), LabRole::End, String::new()),
                TransducerState::Copy => ("copy".to_string(), LabRole::End, String::new()),
                TransducerState::Pop(p) => (control(p.0), LabRole::Control, "pop".to_string()),
                TransducerState::Grow(p, state) => {
                    let (name, role) = grown
                        .get(state.0 as usize)
                        .cloned()
                        .unwrap_or((String::new(), LabRole::Callee));
                    (name, role, format!("grow {}", control(p.0)))
                }
            };
            let accepting = place == TransducerState::Copy;
            made.states.push(LabState {
                name,
                role,
                accepting,
                group,
                x: 0.0,
                y: 0.0,
                radius: 0.0,
            });
        }
        let letter = |letter: Option<Letter>| match letter {
            None => "ε".to_string(),
            Some(Letter::Location(p)) => control(p.0),
            Some(Letter::Symbol(symbol)) => {
                system.symbols.get(symbol.0 as usize).cloned().unwrap_or_default()
            }
        };
        let symbol = format!("{}/{}", letter(step.input), letter(step.output));
        let weight = D::weight(lab, texts, Place::Relation(None), &step.weight);
        labels.push(
            symbol.chars().count() + if D::WEIGHTED { 2 + weight.chars().count() } else { 0 },
        );
        let (from, to) = (index[&step.from], index[&step.to]);
        made.transitions.push(LabTransition {
            from,
            to,
            symbol,
            pushed_by: None,
            given: false,
            weight,
            arrow: 0,
            row: 0,
        });
    }
    lay_out(&mut made, &labels);
    (made, moves.len())
}

/// The name of a limit that ended a question.
pub(super) fn limit_note(limit: Limit) -> String {
    format!("Not finished: {}.", crate::draw::words::limit_sentence(limit))
}
