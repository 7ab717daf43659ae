//! Raw pushdown systems in the form of pictures and reports of programs: heads ⟨p, γ⟩ are boxes,
//! rules are arrows and statements.
//!
//! | in a program | here |
//! | --- | --- |
//! | location, and its box | a head ⟨p, γ⟩ |
//! | statement, and its arrow | a rule; an arrow to the head that it makes |
//! | call | a head with a push; its arrow is labelled with the two symbols |
//! | end of a procedure | a box for each control state, to which pops lead: the stack below continues there |
//! | procedure | the whole system. In a large picture each control state, so that it can be folded; arrows between two of them are drawn as calls |
//! | failing run | a run into the target |

use crate::analysis::raw_reach::{AutomatonSize, LeastWeight};
use crate::bdd::KernelLimits;
use crate::draw::fold::LARGE;
use crate::draw::words;
use crate::lang::raw::replay::{Configuration, apply, which};
use crate::lang::raw::{ConfigurationSet, RawRule, RawSystem, RawWeights, StateId, SymbolId, text};
use crate::report::raw_weight::InWords;
use crate::semiring::{Precision, Semiring};
use crate::session::{RawSession, RawSought, ReplayedRawRun, TotalWeight};
use crate::wire::graph::{BoxKind, Cluster, Graph, GraphArrow, GraphBox, Rectangle, StatementView};
use crate::wire::report::{
    AutomatonReport, EffectReport, EffectWeights, ErrorKind, ErrorReport, ProjectedBy,
    ProjectionReport, PushdownReport, ThroughReport, TraceEntry, Value, Values,
};
use crate::wire::step::{Change, Element};
use std::collections::BTreeMap;

/// The most symbols of a stack that are shown. The others are only counted.
const SHOWN_STACK: usize = 32;

/// The most characters of a weight on an arrow.
const SHOWN_WEIGHT: usize = 40;

/// The name of the frame around a small picture, and of the procedure of a run.
const WHOLE: &str = "system";

/// The key of a box: a head, or a control state with the rest of the stack below the old top.
type Head = (StateId, Option<SymbolId>);

/// Numbers the boxes by control state, then by symbol. The box for the rest of the stack comes
/// last.
fn heads(system: &RawSystem) -> BTreeMap<Head, u32> {
    let mut found: Vec<Head> = Vec::new();
    for rule in &system.rules {
        found.push((rule.from, Some(rule.symbol)));
        found.push(target(rule));
    }
    let order = |head: &Head| (head.0, head.1.is_none(), head.1);
    found.sort_unstable_by_key(order);
    found.dedup();
    found.into_iter().zip(0..).collect()
}

fn target(rule: &RawRule) -> Head {
    (rule.to, rule.right.first().copied())
}

/// The picture, without positions.
pub(in crate::report) fn graph(system: &RawSystem) -> Graph {
    let numbers = heads(system);
    let mut leaving: BTreeMap<Head, Vec<u32>> = BTreeMap::new();
    let mut line_of: BTreeMap<Head, u32> = BTreeMap::new();
    for (k, rule) in (0u32..).zip(&system.rules) {
        leaving.entry((rule.from, Some(rule.symbol))).or_default().push(k);
        line_of.entry((rule.from, Some(rule.symbol))).or_insert(rule.span.line);
    }
    for rule in &system.rules {
        line_of.entry(target(rule)).or_insert(rule.span.line);
    }
    let mut graph = Graph::default();
    let mut first_line: BTreeMap<StateId, u32> = BTreeMap::new();
    for (head, line) in &line_of {
        let first = first_line.entry(head.0).or_insert(*line);
        *first = (*first).min(*line);
    }
    let large = numbers.len() > LARGE;
    if !large {
        graph.clusters.push(Cluster {
            name: WHOLE.to_string(),
            line: 1,
            frameless: false,
            place: Rectangle::default(),
        });
    }
    for (k, name) in (0u32..).zip(&system.states).filter(|_| large) {
        let line = first_line.get(&StateId(k)).copied().unwrap_or(1);
        graph.clusters.push(Cluster {
            name: name.clone(),
            line,
            frameless: false,
            place: Rectangle::default(),
        });
    }
    for (head, id) in &numbers {
        let statements = leaving.remove(head).unwrap_or_default();
        let pushes = statements.iter().any(|k| system.rules[*k as usize].right.len() == 2);
        graph.boxes.push(GraphBox {
            id: *id,
            cluster: if large { head.0.0 } else { 0 },
            line: line_of[head],
            label: match head.1 {
                Some(symbol) => system.configuration(head.0, &[symbol]),
                None => format!("<{}, …>", system.state(head.0)),
            },
            kind: match statements.len() {
                0 => BoxKind::Exit,
                _ if pushes => BoxKind::Call,
                1 => BoxKind::Statement,
                _ => BoxKind::Condition,
            },
            statements,
            stands_for: Vec::new(),
            heads_chain: false,
            place: Rectangle::default(),
        });
    }
    graph.boxes.sort_by_key(|b| b.id);
    for (k, rule) in (0u32..).zip(&system.rules) {
        graph.arrows.push(GraphArrow {
            from: numbers[&(rule.from, Some(rule.symbol))],
            to: numbers[&target(rule)],
            label: label(system, rule),
            call: large && rule.from != rule.to,
            statement: k,
            also: Vec::new(),
            points: Vec::new(),
            label_at: Default::default(),
        });
    }
    graph
}

/// The symbols that a rule leaves on the stack, and its weight: `g1 g0: 7`, `ε`, `x := x + 1`.
fn label(system: &RawSystem, rule: &RawRule) -> String {
    let stack = match rule.right[..] {
        [] => "ε".to_string(),
        [_] => String::new(),
        [top, below, ..] => format!("{} {}", system.symbol(top), system.symbol(below)),
    };
    let mut weight = system.weight(rule);
    if weight.chars().count() > SHOWN_WEIGHT {
        weight = weight.chars().take(SHOWN_WEIGHT).chain(['…']).collect();
    }
    match (stack.is_empty(), weight.is_empty()) {
        (_, true) => stack,
        (true, false) => weight,
        (false, false) => format!("{stack}: {weight}"),
    }
}

/// All rules, painted with what is known.
pub(in crate::report) fn statements(raw: &RawSession) -> Vec<StatementView> {
    let system = raw.system();
    let numbers = heads(system);
    let marked = |marks: Option<&[bool]>, k: u32| marks.is_some_and(|marks| marks[k as usize]);
    let view = |(k, rule): (u32, &RawRule)| StatementView {
        id: k,
        location: numbers[&(rule.from, Some(rule.symbol))],
        line: rule.span.line,
        text: system.rule(rule),
        outcome: String::new(),
        hidden: false,
        reached: marked(raw.reached(), k),
        lit: marked(raw.in_projection(), k),
        // Behind a rule the run goes on, or it has reached the target.
        passed: marked(raw.in_projection(), k),
    };
    (0u32..).zip(&system.rules).map(view).collect()
}

/// The number of target descriptions.
pub(in crate::report) fn targets(raw: &RawSession) -> u32 {
    match &raw.system().target {
        ConfigurationSet::Described(lines) => lines.len() as u32,
        ConfigurationSet::Automaton(automaton) => u32::from(!automaton.accepting.is_empty()),
    }
}

/// The description of the target that a run reaches, and its text.
fn reached_target(system: &RawSystem, end: &Configuration) -> (u32, String) {
    match (&system.target, which(&system.target, end)) {
        (ConfigurationSet::Described(lines), Some(k)) => {
            (lines[k].span.line, format!("target {}", text::described(system, &lines[k])))
        }
        (set, _) => (set.line(), "target".to_string()),
    }
}

/// The target in the place of a program's error.
pub(in crate::report) fn reached(raw: &RawSession) -> Option<ErrorReport> {
    let system = raw.system();
    raw.reachable().filter(|reachable| *reachable)?;
    Some(match raw.run() {
        Some(run) => end(system, run),
        None => {
            let message = "a target is reached, but the run is too long to be shown".to_string();
            ErrorReport::new(system.target.line(), ErrorKind::Target, message, None)
        }
    })
}

/// The run, configuration by configuration: before each rule, and at its end.
pub(in crate::report) fn trace(system: &RawSystem, run: &ReplayedRawRun) -> Vec<TraceEntry> {
    let mut now = run.start.clone();
    let mut entries = Vec::with_capacity(run.rules.len() + 1);
    let store = |step: usize| run.stores.get(step).map_or(&[][..], Vec::as_slice);
    for (step, k) in run.rules.iter().enumerate() {
        let rule = &system.rules[*k as usize];
        entries.push(entry(system, &now, store(step), rule.span.line, system.rule(rule), Some(*k)));
        apply(system, &mut now, *k);
    }
    let (line, statement) = reached_target(system, &now);
    entries.push(entry(system, &now, store(run.rules.len()), line, statement, None));
    for step in 1..entries.len() {
        entries[step - 1].changes = changes(&entries[step - 1].values, &entries[step].values);
    }
    entries
}

/// What a rule changes: state, stack and variables.
fn changes(before: &Values, after: &Values) -> Vec<Change> {
    let change = |((name, before), (_, after)): (&(String, Value), &(String, Value))| Change {
        element: Element { place: name.clone(), variable: name.clone(), indices: Vec::new() },
        before: Some(before.clone()),
        after: after.clone(),
        frame: None,
        character: false,
    };
    let pairs = before.0.iter().zip(&after.0).filter(|(before, after)| before.1 != after.1);
    pairs.map(change).collect()
}

fn entry(
    system: &RawSystem,
    now: &Configuration,
    store: &[u64],
    line: u32,
    statement: String,
    edge: Option<u32>,
) -> TraceEntry {
    let (names, rest) = top_of(system, now);
    let mut stack: Vec<Value> =
        names.into_iter().map(|name| Value::Name(name.to_string())).collect();
    if rest > 0 {
        stack.push(Value::Name(format!("… {rest} more")));
    }
    let state = Value::Name(system.state(now.state).to_string());
    let mut values = vec![("state".to_string(), state), ("stack".to_string(), Value::List(stack))];
    values.extend(
        system
            .weights
            .variables()
            .into_iter()
            .zip(store.iter().map(|value| Value::Number(i128::from(*value)))),
    );
    let globals = values.len() as u32;
    TraceEntry {
        line,
        globals,
        values: Values(values),
        procedure: WHOLE.to_string(),
        statement,
        edge,
        ..TraceEntry::default()
    }
}

/// The names at the top of a stack, and how many more there are.
fn top_of<'s>(system: &'s RawSystem, configuration: &Configuration) -> (Vec<&'s str>, usize) {
    let names = configuration
        .stack
        .iter()
        .rev()
        .take(SHOWN_STACK)
        .map(|symbol| system.symbol(*symbol))
        .collect();
    (names, configuration.stack.len().saturating_sub(SHOWN_STACK))
}

fn shown(system: &RawSystem, configuration: &Configuration) -> String {
    let (mut names, rest) = top_of(system, configuration);
    let more = format!("… {rest} more");
    if rest > 0 {
        names.push(&more);
    }
    let state = system.state(configuration.state);
    if names.is_empty() { format!("<{state}>") } else { format!("<{state}, {}>", names.join(" ")) }
}

/// The run through the rules that were last asked for, if any were.
pub(in crate::report) fn through(raw: &RawSession) -> Option<ThroughReport> {
    let (system, through) = (raw.system(), raw.through()?);
    let line =
        |set: &Vec<u32>| set.first().map_or(0, |rule| system.rules[*rule as usize].span.line);
    let mut report = ThroughReport {
        each_alone: false,
        lines: through.sets.iter().map(line).collect(),
        sets: through.sets.clone(),
        exists: None,
        never: Vec::new(),
        limit: None,
        error: None,
        pushdown: true,
        weight: None,
        trace: None,
    };
    match &through.answer {
        RawSought::Run(run) => {
            report.exists = Some(true);
            report.error = Some(end(system, run));
            report.weight = raw.weight_of(run);
            report.trace = Some(trace(system, run));
        }
        RawSought::None(never) => {
            report.exists = Some(false);
            report.never = never.iter().filter_map(|set| report.lines.get(*set).copied()).collect();
        }
        RawSought::Unknown(limit) => report.limit = Some(*limit),
    }
    Some(report)
}

/// Where a run ends.
fn end(system: &RawSystem, run: &ReplayedRawRun) -> ErrorReport {
    let (line, message) =
        (reached_target(system, &run.end).0, format!("{} is reached", shown(system, &run.end)));
    ErrorReport::new(line, ErrorKind::Target, message, None)
}

/// The rules and lines in the projection.
pub(in crate::report) fn projection(raw: &RawSession) -> Option<ProjectionReport> {
    let (lit, reached) = (raw.in_projection()?, raw.reached()?);
    let rules = &raw.system().rules;
    let mut lines: Vec<u32> =
        rules.iter().zip(lit).filter(|(_, lit)| **lit).map(|(rule, _)| rule.span.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count() as u32;
    Some(ProjectionReport {
        lines,
        nodes: count(lit),
        of: count(reached),
        method: ProjectedBy::Intersection,
        overestimate: false,
        bits: None,
        through: through(raw),
        slice: None,
    })
}

/// The part of the report that only a pushdown system has.
pub(in crate::report) fn pushdown(raw: &RawSession) -> PushdownReport {
    let system = raw.system();
    let size = |size: AutomatonSize| AutomatonReport {
        states: size.states,
        transitions: size.transitions,
        complete: size.complete,
    };
    let (post, pre) = raw.sizes();
    let head = |(state, symbol): &(StateId, SymbolId)| system.configuration(*state, &[*symbol]);
    PushdownReport {
        saturation: raw.saturation(),
        states: system.states.len() as u32,
        symbols: system.symbols.len() as u32,
        rules: system.rules.len() as u32,
        post: post.map(size),
        pre: pre.map(size),
        run_too_long: raw.is_run_too_long(),
        weight: match raw.least_weight() {
            Some(LeastWeight::Known(weight)) => Some(weight),
            _ => None,
        },
        weight_missing: match raw.least_weight() {
            Some(LeastWeight::Uncounted) => Some("it is 2^64 - 1 or more".to_string()),
            Some(LeastWeight::Unknown(limit)) => Some(words::limit_sentence(limit).to_string()),
            _ => None,
        },
        run_weight: raw.run_weight(),
        effect: effect(raw),
        heads: raw.lit_heads().map(|heads| heads.iter().map(head).collect()),
    }
}

/// Nodes and steps for finding the words.
const WORDS: KernelLimits = KernelLimits { max_nodes: 1_000_000, max_steps: 10_000_000 };

/// The effect of all runs into the target on the variables.
fn effect(raw: &RawSession) -> Option<EffectReport> {
    raw.reachable().filter(|reachable| *reachable)?;
    let (weights, modulo) = match &raw.system().weights {
        RawWeights::Boolean | RawWeights::MinPath => return None,
        RawWeights::Relation(_) => (EffectWeights::Relation, None),
        RawWeights::Affine { modulo, .. } => (EffectWeights::Affine, *modulo),
        RawWeights::Constants(_) => (EffectWeights::Constants, None),
    };
    let found = match raw.totals() {
        Some(totals) => totals.weight().map(|weight| {
            Some(match weight? {
                TotalWeight::Rational(mut domain, weight) => {
                    (domain.in_words(&weight), domain.precision())
                }
                TotalWeight::Modular(mut domain, weight) => {
                    (domain.in_words(&weight), domain.precision())
                }
                TotalWeight::Constants(mut domain, weight) => {
                    (domain.in_words(&weight), domain.precision())
                }
            })
        }),
        None => raw.relation().map(|(domain, weight)| domain.copy(weight, WORDS)).transpose().map(
            |copy| {
                let (mut domain, weight) = copy?;
                Some((domain.in_words(&weight), domain.precision()))
            },
        ),
    };
    let limit = found.as_ref().err().copied();
    let (words, precision) = found.ok().flatten().unzip();
    Some(EffectReport { weights, words, exact: precision == Some(Precision::Exact), modulo, limit })
}
