//! A lab's automaton for scripts, for people, and for Graphviz: what `faultline pds` prints.

use crate::draw::dot::digraph;
use crate::draw::words::counted;
use crate::util::Limit;
use crate::wire::lab::{LabAnswer, LabAutomaton, LabOptions, LabReport, LabRun, LabWitness};
use crate::wire::options::EffectiveOptions;
use crate::wire::pds::{PdsAutomaton, PdsReport, PdsState, PdsTransition};
use std::fmt::Write;

/// Transitions of one automaton that the text lists.
const LISTED: usize = 400;

/// Nodes of a witness that the text lists.
const LISTED_NODES: usize = 60;

/// Rules of a run that the text lists.
const LISTED_RULES: usize = 200;

impl PdsReport {
    /// From the lab's report.
    pub fn new(report: &LabReport, options: &EffectiveOptions) -> PdsReport {
        let text = |rule: &crate::wire::lab::LabRule| match rule.statement.as_str() {
            "" if rule.weight.is_empty() => format!("line {}: {}", rule.line, rule.text),
            "" => format!("line {}: {}  {}", rule.line, rule.text, rule.weight),
            statement => format!("line {}: {statement}", rule.line),
        };
        PdsReport {
            analysis: "pds",
            options: options.clone(),
            saturate: report.options.task,
            set: report.set.clone(),
            weights: report.weights.clone(),
            automata: report.automata.iter().map(listed).collect(),
            weight: None,
            witness: None,
            notes: report.notes.clone(),
            limit: report.limit,
            weighted: report.weighted,
            rules: report.rules.iter().map(text).collect(),
        }
    }

    /// Of a lab that a limit ended before it began.
    pub fn ended(limit: Limit, asked: &LabOptions, options: &EffectiveOptions) -> PdsReport {
        PdsReport {
            analysis: "pds",
            options: options.clone(),
            saturate: asked.task,
            set: asked.set.clone().unwrap_or_default(),
            weights: String::new(),
            automata: Vec::new(),
            weight: None,
            witness: None,
            notes: Vec::new(),
            limit: Some(limit),
            weighted: false,
            rules: Vec::new(),
        }
    }

    /// Is all that was asked for there?
    pub fn is_complete(&self) -> bool {
        let answered = self.weight.as_ref().is_none_or(|weight| weight.limit.is_none());
        self.limit.is_none() && answered && self.automata.iter().all(|automaton| automaton.complete)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for automaton in &self.automata {
            let of = if self.set.is_empty() { String::new() } else { format!(" of {}", self.set) };
            let how = if automaton.complete { "saturated" } else { "not saturated" };
            let (states, transitions) =
                (automaton.states.len() as u64, automaton.transitions.len() as u64);
            let steps = if automaton.steps == 0 {
                String::new()
            } else {
                format!(" after {}", counted(automaton.steps.into(), "step"))
            };
            let sizes =
                format!("{} and {}", counted(states, "state"), counted(transitions, "transition"));
            let _ = writeln!(out, "{}{of}: {sizes}, {how}{steps}\n", automaton.title);
            self.transitions(&mut out, automaton);
            out.push('\n');
        }
        if self.weighted {
            let _ = writeln!(out, "Weights: {}.", self.weights);
        }
        for note in &self.notes {
            let _ = writeln!(out, "{note}");
        }
        if let Some(weight) = &self.weight {
            self.weight(&mut out, weight);
        }
        if let Some(witness) = &self.witness {
            self.witness(&mut out, witness);
        }
        out
    }

    fn transitions(&self, out: &mut String, automaton: &PdsAutomaton) {
        for (k, t) in automaton.transitions.iter().take(LISTED).enumerate() {
            let weight = if self.weighted { format!("   {}", t.weight) } else { String::new() };
            let given = if t.given { "   (given)" } else { "" };
            let _ = writeln!(out, "{k:>5}  {}{weight}{given}", automaton.name(k));
        }
        if automaton.transitions.len() > LISTED {
            let _ = writeln!(out, "       … and {} more", automaton.transitions.len() - LISTED);
        }
        let ends: Vec<&str> = automaton
            .states
            .iter()
            .filter(|state| state.accepting)
            .map(|state| state.name.as_str())
            .collect();
        if !ends.is_empty() {
            let _ = writeln!(out, "       accepting: {}", ends.join(", "));
        }
    }

    fn weight(&self, out: &mut String, answer: &LabAnswer) {
        let _ = match &answer.weight {
            Some(weight) if answer.is_zero => writeln!(out, "\nWeight: {weight} (no run)"),
            Some(weight) => writeln!(out, "\nWeight: {weight}"),
            None => writeln!(out, "\nNo weight."),
        };
        for note in &answer.notes {
            let _ = writeln!(out, "  {note}");
        }
        if let Some(run) = &answer.run {
            self.run(out, run);
        }
    }

    fn run(&self, out: &mut String, run: &LabRun) {
        let weight = if self.weighted { format!(", weight {}", run.weight) } else { String::new() };
        let _ = writeln!(
            out,
            "A run: {}{weight}\n\n  {}",
            counted(run.length.into(), "rule"),
            run.start
        );
        for step in run.steps.iter().take(LISTED_RULES) {
            let rule = self.rules.get(step.rule as usize).map_or("", String::as_str);
            let _ = writeln!(out, "  {:<40}  by {rule}", step.configuration);
        }
        if run.length as usize > run.steps.len().min(LISTED_RULES) {
            let _ = writeln!(
                out,
                "  … and {} more",
                run.length as usize - run.steps.len().min(LISTED_RULES)
            );
        }
    }

    fn witness(&self, out: &mut String, witness: &LabWitness) {
        let automaton = self.automata.first();
        let _ = writeln!(out, "\nWitness:");
        for (k, node) in witness.nodes.iter().take(LISTED_NODES).enumerate() {
            let name = automaton
                .map_or(String::new(), |automaton| automaton.name(node.transition as usize));
            let weight = if self.weighted { format!("   {}", node.weight) } else { String::new() };
            let _ = writeln!(out, "{k:>5}  {name}{weight}");
            for derivation in &node.derivations {
                let premises: Vec<String> =
                    derivation.premises.iter().map(|premise| format!("[{premise}]")).collect();
                let _ = writeln!(
                    out,
                    "{}",
                    format!("         {} {}", derivation.words, premises.join(" ")).trim_end()
                );
            }
        }
        if witness.nodes.len() > LISTED_NODES {
            let _ = writeln!(out, "       … and {} more", witness.nodes.len() - LISTED_NODES);
        }
        if let Some(run) = &witness.run {
            self.run(out, run);
        }
    }

    /// For Graphviz: a digraph for each automaton, one arrow for all transitions between two
    /// states.
    pub fn dot(&self) -> String {
        let one = |automaton: &PdsAutomaton| {
            let states =
                automaton.states.iter().map(|state| Some((state.name.clone(), state.accepting)));
            let text = |t: &PdsTransition| {
                if self.weighted { format!("{}  {}", t.symbol, t.weight) } else { t.symbol.clone() }
            };
            digraph(
                &automaton.title,
                states,
                automaton.transitions.iter().map(|t| (t.from, t.to, text(t), false)),
            )
        };
        self.automata.iter().map(one).collect()
    }
}

impl PdsAutomaton {
    fn name(&self, transition: usize) -> String {
        let Some(t) = self.transitions.get(transition) else { return String::new() };
        let name = |k: u32| self.states.get(k as usize).map_or("", |state| state.name.as_str());
        arrow(name(t.from), &t.symbol, name(t.to))
    }
}

/// A state's name, with the group that it belongs to.
pub(crate) fn state_name(state: &crate::wire::lab::LabState) -> String {
    if state.group.is_empty() {
        state.name.clone()
    } else {
        format!("{} ({})", state.name, state.group)
    }
}

fn listed(automaton: &LabAutomaton) -> PdsAutomaton {
    let state = |s: &crate::wire::lab::LabState| PdsState {
        name: state_name(s),
        role: s.role,
        accepting: s.accepting,
    };
    let transition = |t: &crate::wire::lab::LabTransition| PdsTransition {
        from: t.from,
        symbol: t.symbol.clone(),
        to: t.to,
        weight: t.weight.clone(),
        given: t.given,
    };
    PdsAutomaton {
        title: automaton.title.clone(),
        complete: automaton.complete,
        steps: automaton.steps.len().saturating_sub(1) as u32,
        states: automaton.states.iter().map(state).collect(),
        transitions: automaton.transitions.iter().map(transition).collect(),
    }
}

/// `p –a→ q`.
pub(crate) fn arrow(from: &str, symbol: &str, to: &str) -> String {
    format!("{from} –{symbol}→ {to}")
}
