//! The answer about a formula in the program's words.

use crate::analysis::liveness::automaton::Automaton;
use crate::analysis::liveness::lasso::{Ending, Lasso};
use crate::analysis::liveness::parser::Reading;
use crate::lang::interpreter::{ConcreteRun, Machine, observe};
use crate::lang::model::{Edge, EdgeId, Program};
use crate::report::steps::{self, Step};
use crate::session::liveness::{Verdict, Violating};
use crate::session::{LivenessRefusal, LivenessSession, Proof};
use crate::util::Limit;
use crate::wire::liveness::{
    AutomatonMove, AutomatonReport, FormulaMistake, FormulaRow, GrownCall, LassoEnding,
    LassoReport, LivenessReport, LivenessStatement, LivenessVerdict, StateReport,
};
use crate::wire::options::EffectiveOptions;
use crate::wire::report::{Analysis, ProofReport, TraceEntry};

/// The report of an analysis that is over.
pub fn liveness_report(
    program: &Program,
    options: &EffectiveOptions,
    session: &LivenessSession,
) -> LivenessReport {
    let is_formula = !session.is_termination();
    let (rounds, steps) = session.statistics();
    let mut report = LivenessReport {
        analysis: if is_formula { Analysis::Ltl } else { Analysis::Terminates },
        verdict: LivenessVerdict::Unknown,
        limit: None,
        fault: None,
        formula: is_formula.then(|| session.reading().text()),
        options: options.clone(),
        width: options.width(),
        proof: None,
        lasso: None,
        statements: Vec::new(),
        statements_limit: None,
        fair: session.is_fair(),
        automaton: (session.automaton().filter(|_| is_formula))
            .map(|one| automaton(session.reading(), one)),
        refinement: None,
        rounds,
        steps,
    };
    match session.verdict() {
        Some(Verdict::Holds(proof)) => {
            report.verdict = LivenessVerdict::Holds;
            report.proof = Some(match proof {
                Proof::Checked => ProofReport { checked: true, limit: None },
                Proof::Unchecked(limit) => ProofReport { checked: false, limit: Some(*limit) },
            });
        }
        Some(Verdict::Violated(found)) => {
            report.verdict = LivenessVerdict::Violated;
            report.lasso = Some(lasso(program, session.reading(), found));
            match session.violating() {
                Some(Violating::Statements(violating)) => {
                    report.statements = statements(program, violating, session.executed());
                }
                Some(Violating::Unknown(limit)) => report.statements_limit = Some(*limit),
                // The refinement loop does not look for them.
                None if session.refinement().is_some() => {}
                None => report.statements_limit = Some(Limit::Time),
            }
        }
        Some(Verdict::Unknown(limit)) => report.limit = Some(*limit),
        Some(Verdict::Fault(fault)) => report.fault = Some(fault.clone()),
        None => report.limit = Some(Limit::Time),
    }
    report
}

/// The statements of the source, with what is known of them.
fn statements(program: &Program, violating: &[bool], executed: &[bool]) -> Vec<LivenessStatement> {
    let shown = program.edge_ids().filter(|id| program.edge(*id).is_statement());
    let of = |id: EdgeId| {
        let edge = program.edge(id);
        LivenessStatement {
            line: edge.span.line,
            statement: steps::text(edge),
            violating: violating[id.0 as usize],
            reached: executed.get(id.0 as usize).is_some_and(|executed| *executed),
            edge: id.0,
        }
    };
    shown.map(of).collect()
}

/// Why a question is refused: one sentence, and for a formula the place of the mistake.
pub fn liveness_refusal(text: &str, refusal: &LivenessRefusal) -> FormulaMistake {
    let whole = text.chars().count() as u32;
    let (message, start, end) = match refusal {
        LivenessRefusal::Formula(error) => {
            let letters =
                |byte: usize| text.char_indices().take_while(|(at, _)| *at < byte).count() as u32;
            (error.message.clone(), letters(error.start), letters(error.end))
        }
        LivenessRefusal::TooLarge => {
            let message = "the automaton of this formula has too many states: ask for its parts";
            (message.to_string(), 0, whole)
        }
        LivenessRefusal::Threads => {
            let message = "formulas and termination are about programs without threads; this one \
                           has threads";
            (message.to_string(), 0, whole)
        }
        LivenessRefusal::CalledMain => {
            let message = "the start procedure is called in the program, so the end of a run \
                           cannot be told from a return; give it a caller of its own";
            (message.to_string(), 0, whole)
        }
    };
    FormulaMistake { message, start, end }
}

fn automaton(reading: &Reading, automaton: &Automaton) -> AutomatonReport {
    let literal = |(atom, value): (&u32, &bool)| {
        // The last one that only the automaton of fair runs has.
        let text = reading.texts.get(*atom as usize).map_or("each choice made", String::as_str);
        match value {
            true => text.to_string(),
            false if text.contains(' ') && !text.ends_with(')') => format!("!({text})"),
            false => format!("!{text}"),
        }
    };
    let mut moves = Vec::new();
    for (from, state) in automaton.states.iter().enumerate() {
        for m in &state.moves {
            let guard: Vec<String> = m.guard.iter().map(literal).collect();
            let guard = if guard.is_empty() { "true".to_string() } else { guard.join(" && ") };
            moves.push(AutomatonMove { from: from as u32, to: m.to as u32, guard });
        }
    }
    let accepting = automaton.states.iter().map(|state| state.accepting).collect();
    AutomatonReport { accepting, moves }
}

/// The lasso in the program's words.
fn lasso(program: &Program, reading: &Reading, lasso: &Lasso) -> LassoReport {
    // A statement that ends the run is shown as the last one of the prefix.
    let mut run = lasso.run.clone();
    if let Ending::Failure(edge) | Ending::Exit(edge) = lasso.ending {
        let step = crate::lang::interpreter::ConcreteStep {
            edge,
            choices: vec![0; program.edge(edge).choices.len()],
            locals: None,
        };
        run.steps.insert(lasso.prefix, step);
    }
    let (entries, entry_of) = entries(program, &run, lasso);
    let prefix_steps = lasso.prefix + usize::from(is_last_shown(lasso));
    let cut = entry_of.get(prefix_steps).copied().unwrap_or(entries.len());
    let (prefix, cycle) = entries.split_at(cut.min(entries.len()));
    let state = |state: &crate::analysis::liveness::lasso::LassoState| {
        let location = program.location(state.standing.location);
        let from_here = |edge: &&Edge| edge.from == state.standing.location;
        let next = run.steps.get(state.before).map(|step| program.edge(step.edge));
        let here = next.filter(from_here).or_else(|| program.edges.iter().find(from_here));
        StateReport {
            line: here.map_or(location.line, |edge| edge.span.line),
            procedure: program.procedure(location.procedure).name.clone(),
            entry: entry_of.get(state.before).copied().unwrap_or(entries.len()) as u32,
        }
    };
    let subformulas = reading.formula.subformulas();
    let row = |(formula, values): (&&crate::analysis::liveness::formula::Formula, &Vec<bool>)| {
        FormulaRow { formula: formula.text(&reading.texts), values: values.clone() }
    };
    LassoReport {
        prefix: prefix.to_vec(),
        cycle: cycle.to_vec(),
        grows: lasso
            .grows
            .iter()
            .map(|pending| {
                let edge = program.edge(pending.call);
                let callee = match &edge.operation {
                    crate::lang::model::Operation::Call { callee, .. } => {
                        program.procedure(*callee).name.clone()
                    }
                    _ => String::new(),
                };
                GrownCall { procedure: callee, line: edge.span.line, statement: edge.text.clone() }
            })
            .collect(),
        ends: match lasso.ending {
            Ending::Cycle => LassoEnding::Cycle,
            Ending::End => LassoEnding::End,
            Ending::Failure(_) => LassoEnding::Failure,
            Ending::Exit(_) => LassoEnding::Exit,
        },
        states: lasso.states.iter().map(state).collect(),
        from: lasso.from as u32,
        table: subformulas.iter().zip(&lasso.table).map(row).collect(),
    }
}

fn is_last_shown(lasso: &Lasso) -> bool {
    matches!(lasso.ending, Ending::Failure(_) | Ending::Exit(_))
}

/// The entries of a lasso's trace; and by step the number of entries before it.
fn entries(program: &Program, run: &ConcreteRun, lasso: &Lasso) -> (Vec<TraceEntry>, Vec<usize>) {
    let machine = Machine::new(program);
    let mut observed = observe(program, run).steps;
    let mut at = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut stores = Vec::new();
    let none = Vec::new();
    for (k, step) in run.steps.iter().enumerate() {
        let scope = program.edge(step.edge).scope;
        let visible = &program.scope(scope).variables;
        let store = visible.iter().map(|id| (*id, machine.values(&at, *id).to_vec())).collect();
        stores.push((step.edge, at.depth(), store));
        if observed.len() <= k {
            observed.push(crate::lang::interpreter::Observed {
                edge: step.edge,
                depth: at.depth(),
                ..crate::lang::interpreter::Observed::default()
            });
        }
        let locals = step.locals.as_ref().unwrap_or(&none);
        let next = machine.execute(&at, step.edge, &step.choices, locals);
        if let crate::lang::interpreter::Outcome::Next(next) = next {
            at = next;
        }
    }
    let ends_at = is_last_shown(lasso).then_some(lasso.prefix);
    let shown = |k: usize, edge: EdgeId| Some(k) == ends_at || program.edge(edge).is_traced();
    let mut entry_of = Vec::new();
    let mut count = 0;
    for (k, (edge, ..)) in stores.iter().enumerate() {
        entry_of.push(count);
        count += usize::from(shown(k, *edge));
    }
    entry_of.push(count);
    let steps =
        stores.iter().zip(&observed).enumerate().map(|(k, ((edge, _, store), observed))| Step {
            thread: 0,
            store,
            observed,
            shown: shown(k, *edge),
        });
    (steps::trace(program, steps), entry_of)
}
