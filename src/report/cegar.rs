//! The refinement loop in the program's words: rounds and phases, counterexample DAGs with their
//! interpolants, predicates by point, and the abstract statements next to the concrete ones.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::abstraction::AbstractRule;
use crate::analysis::cegar::dag::{Action, CounterexampleDag, DagPoint, Mode, NodeId};
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::cegar::refinement::Cegar;
use crate::analysis::cegar::round::{Ending, Round};
use crate::bdd::Bdd;
use crate::encode::RuleRole;
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::readable::place_scalars;
use crate::readable::scope::own_atoms;
use crate::readable::{NamedScalar, readable};
use crate::report::build_report::trace;
use crate::report::failure;
use crate::report::focus::qualified;
use crate::report::steps::text;
use crate::session::{CegarSession, Job, Outcome};
use crate::util::Limit;
use crate::util::order::sort_by_key;
use crate::wire::cegar::{
    CegarReport, EdgeAction, EdgeReport, FormulaReport, FrameKind, NodePlace, NodeReport,
    PhaseReport, PointReport, PredicateReport, RoundReport, RuleReport,
};
use crate::wire::options::EffectiveOptions;
use crate::wire::refinement::CegarOptions;
use crate::wire::report::{Analysis, ProofReport, Report, Statistics, Verdict};
use std::cell::Cell;

/// The report of a run that is over. If `explain` is given, the report contains DAGs, interpolants,
/// predicates and abstract statements, as long as `explain` says that there is time left.
pub fn cegar_report(
    session: &mut CegarSession,
    options: &EffectiveOptions,
    asked: CegarOptions,
    explain: Option<&dyn Fn() -> bool>,
) -> CegarReport {
    let program = std::rc::Rc::clone(session.program());
    let outcome = session.outcome();
    let (peak_nodes, steps, bytes) = session.statistics();
    let run = session.failing_run();
    let ending = session.cegar().and_then(Cegar::ending);
    let verdict = match outcome {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe => Verdict::Unsafe,
        Outcome::Unknown(_) | Outcome::Fault => Verdict::Unknown,
    };
    let report = Report {
        limit: session.limit(),
        fault: session.fault().map(str::to_string),
        checked: program.edges.iter().map(|edge| edge.checks.len() as u32).sum(),
        error: run.map(|run| failure::error(&program, run)),
        trace: run.map(|run| trace(&program, run)),
        proof: match (outcome, ending) {
            (Outcome::Safe, Some(Ending::Safe(proof))) => {
                Some(ProofReport { checked: proof.is_ok(), limit: proof.err() })
            }
            _ => None,
        },
        width: options.width(),
        statistics: Statistics { peak_nodes, steps, bytes },
        ..Report::new(Analysis::Cegar, verdict, options.clone())
    };
    let rounds = session
        .rounds()
        .iter()
        .enumerate()
        .map(|(k, round)| round_report(&program, k as u32 + 1, round))
        .collect();
    let mut whole = CegarReport {
        report,
        refinement: asked,
        rounds,
        decided: session.decision(),
        interpolants: None,
        edges: None,
        predicates: None,
        abstract_rules: None,
        unexplained: None,
    };
    if let (Some(time_left), Some(cegar)) = (explain, session.cegar_mut()) {
        let cut = Cell::new(false);
        let goes_on = || {
            let goes_on = time_left();
            cut.set(cut.get() || !goes_on);
            goes_on
        };
        let rounds = 0..cegar.rounds().len();
        whole.interpolants =
            Some(rounds.clone().flat_map(|round| nodes(cegar, round, &goes_on)).collect());
        let of_round = |k: usize| edges(&cegar.abstract_program().program, &cegar.rounds()[k], k);
        whole.edges = Some(rounds.flat_map(of_round).collect());
        whole.predicates = Some(predicates(cegar.abstracted(), &goes_on));
        whole.abstract_rules = Some(rules(cegar.abstracted(), &goes_on));
        whole.unexplained = cut.get().then_some(Limit::Time);
    }
    whole
}

pub(in crate::report) fn round_report(
    program: &Program,
    number: u32,
    round: &Round,
) -> RoundReport {
    let dag = round.extracted.as_ref().map(|extracted| &extracted.dag);
    RoundReport {
        round: number,
        predicates_added: round.added.len() as u32,
        max_predicates: round.longest_after.max(round.bits) as u32,
        bits: round.bits as u32,
        rules_abstracted: round.rules_abstracted,
        ranks: round.ranks,
        dag_nodes: dag.map_or(0, |dag| dag.node_count() as u32),
        dag_edges: dag.map_or(0, |dag| dag.edge_ids().count() as u32),
        traces: dag.map_or(0, CounterexampleDag::trace_count),
        spurious: round.is_spurious(),
        proved: round.proved,
        phases: round
            .steps
            .iter()
            .map(|(phase, steps)| PhaseReport { phase: *phase, steps: *steps, said: Vec::new() })
            .collect(),
        follows: round.follows.map(|count| count as u32),
        followed: round.followed.iter().map(|variable| qualified(program, *variable)).collect(),
    }
}

/// The first edge out of a location.
fn edge_at(program: &Program, location: LocationId) -> Option<EdgeId> {
    program.edge_ids().find(|id| program.edge(*id).from == location)
}

/// A formula at a place, in the program's words.
pub(in crate::report) fn formula(
    abstracted: &mut AbstractProgram,
    formula: Bdd,
    procedure: ProcedureId,
    point: DagPoint,
    in_body: bool,
) -> FormulaReport {
    let program = std::rc::Rc::clone(&abstracted.program);
    let scalars = place_scalars(&program, &abstracted.domain, procedure, point, in_body);
    let kernel = &mut abstracted.domain.kernel;
    let edge = match point {
        DagPoint::Location(location) => edge_at(&program, location),
        DagPoint::Pivot(edge) => Some(edge),
        _ => None,
    };
    let own = match edge {
        Some(edge) if !formula.is_constant() => own_atoms(kernel, &program, edge, &scalars),
        _ => Vec::new(),
    };
    // What only keeps count of memory is quantified out: the rest says what still can be.
    let named: Vec<_> = scalars.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
    let unnamed: Vec<_> =
        kernel.support(formula).into_iter().filter(|level| !named.contains(level)).collect();
    let unnamed = kernel.var_set(&unnamed);
    let told = kernel.exists(formula, unnamed).unwrap_or(formula);
    let found = readable(kernel, told, &scalars, &own);
    FormulaReport { text: found.text, exact: found.exact && told == formula }
}

fn nodes(cegar: &mut Cegar, number: usize, goes_on: &dyn Fn() -> bool) -> Vec<NodeReport> {
    let round = cegar.rounds()[number].clone();
    let Some(extracted) = &round.extracted else { return Vec::new() };
    let ids: Vec<NodeId> =
        extracted.dag.parts().iter().flat_map(|part| part.nodes.iter().copied()).collect();
    ids.into_iter()
        .take_while(|_| goes_on())
        .filter_map(|id| node_with_interpolants(cegar.abstracted(), &round, number, id))
        .collect()
}

/// A node of a round's DAG. Returns `None` if the round has no such node.
pub(in crate::report) fn node_with_interpolants(
    abstracted: &mut AbstractProgram,
    round: &Round,
    number: usize,
    id: NodeId,
) -> Option<NodeReport> {
    let Round { extracted: Some(extracted), interpolants, needed, .. } = round else { return None };
    let dag = &extracted.dag;
    let k = id.0 as usize;
    let mut report = node(&abstracted.program, dag, id, number);
    if let Some(interpolants) =
        interpolants.as_ref().filter(|interpolants| interpolants.is_spurious(dag))
    {
        let (procedure, place, in_body) =
            (dag.procedure(id), dag.node(id).point, dag.is_in_body(id));
        // The chosen interpolant is often the strongest or the weakest: each is read once.
        let mut known: Vec<(Bdd, FormulaReport)> = Vec::new();
        let mut read = |interpolant: Bdd| {
            if let Some((_, found)) = known.iter().find(|(one, _)| *one == interpolant) {
                return found.clone();
            }
            let found = formula(abstracted, interpolant, procedure, place, in_body);
            known.push((interpolant, found.clone()));
            found
        };
        // If other interpolants replaced the strongest ones, they are not shown as the strongest.
        let strongest = (!interpolants.is_of_slice).then_some(interpolants.strongest[k]);
        report.strongest = strongest.map(&mut read);
        report.weakest = interpolants.weakest.get(k).copied().map(&mut read);
        report.chosen = interpolants.chosen.iter().map(|family| read(family[k])).collect();
        let texts: Vec<&str> = report.chosen.iter().map(|formula| formula.text.as_str()).collect();
        report.readable = texts.join("; ");
    }
    report.needed = needed.get(k).copied().unwrap_or(true);
    Some(report)
}

fn node(program: &Program, dag: &CounterexampleDag, id: NodeId, round: usize) -> NodeReport {
    let node = dag.node(id);
    let procedure = program.procedure(dag.procedure(id));
    let (place, line, edge) = match node.point {
        DagPoint::Start => (NodePlace::Start, program.location(procedure.entry).line, None),
        DagPoint::Location(location) => {
            (NodePlace::Location, program.location(location).line, edge_at(program, location))
        }
        DagPoint::Pivot(edge) => (NodePlace::Pivot, program.edge(edge).span.line, Some(edge)),
        DagPoint::Returned => (NodePlace::Returned, program.location(procedure.exit).line, None),
        DagPoint::Error => (NodePlace::Error, 0, None),
    };
    let frame = match dag.instance(node.instance).mode {
        Mode::Main => FrameKind::Main,
        Mode::PushOnly => FrameKind::PushOnly,
        Mode::Body => FrameKind::Body,
    };
    NodeReport {
        round: round as u32 + 1,
        node: id.0,
        line,
        place,
        procedure: procedure.name.clone(),
        frame,
        instance: node.instance.0,
        rank: node.rank,
        statement: edge.map_or(String::new(), |edge| program.edge(edge).text.clone()),
        strongest: None,
        weakest: None,
        chosen: Vec::new(),
        readable: String::new(),
        needed: true,
    }
}

pub(in crate::report) fn edges(program: &Program, round: &Round, number: usize) -> Vec<EdgeReport> {
    let Some(extracted) = &round.extracted else { return Vec::new() };
    let report = |id| {
        let edge = extracted.dag.edge(id);
        let outcome = match edge.action {
            Action::Execute(edge) => program.edge(edge).outcome.clone(),
            _ => String::new(),
        };
        let (action, statement, body) = match edge.action {
            Action::Begin => (EdgeAction::Begin, String::new(), None),
            Action::Execute(edge) => (EdgeAction::Execute, text(program.edge(edge)), None),
            Action::Fail(edge, check) => {
                (EdgeAction::Fail, program.edge(edge).checks[check].message.clone(), None)
            }
            Action::Push(edge) => (EdgeAction::Push, program.edge(edge).text.clone(), None),
            Action::Enter => (EdgeAction::Enter, String::new(), None),
            Action::Return(body) => (EdgeAction::Return, String::new(), Some(body.0)),
            Action::Pop => (EdgeAction::Pop, String::new(), None),
        };
        EdgeReport {
            round: number as u32 + 1,
            from: edge.from.0,
            to: edge.to.0,
            action,
            statement,
            outcome,
            body,
        }
    };
    extracted.dag.edge_ids().map(report).collect()
}

/// The text of a point: its procedure, its place, and whether frames there keep the values with
/// which they were entered.
pub(in crate::report) fn place_of(
    program: &Program,
    point: ProgramPoint,
) -> (ProcedureId, DagPoint) {
    match point {
        ProgramPoint::Location(location) => {
            (program.location(location).procedure, DagPoint::Location(location))
        }
        ProgramPoint::Pivot(edge) => (program.owner(edge), DagPoint::Pivot(edge)),
        ProgramPoint::Returned(procedure) => (procedure, DagPoint::Returned),
    }
}

/// The predicates of every point, by line, as long as `goes_on` says so.
pub(in crate::report) fn predicates(
    abstracted: &mut AbstractProgram,
    goes_on: &dyn Fn() -> bool,
) -> Vec<PointReport> {
    let program = std::rc::Rc::clone(&abstracted.program);
    let all: Vec<_> =
        abstracted.predicates.points().map(|(point, list)| (point, list.to_vec())).collect();
    let mut reports = Vec::new();
    for (point, list) in all {
        if !goes_on() {
            break;
        }
        let (procedure, at) = place_of(&program, point);
        let (place, line, edge) = match point {
            ProgramPoint::Location(location) => {
                (NodePlace::Location, program.location(location).line, edge_at(&program, location))
            }
            ProgramPoint::Pivot(edge) => {
                (NodePlace::Pivot, program.edge(edge).span.line, Some(edge))
            }
            ProgramPoint::Returned(procedure) => (
                NodePlace::Returned,
                program.location(program.procedure(procedure).exit).line,
                None,
            ),
        };
        let one = |predicate: &crate::analysis::cegar::predicates::Predicate| PredicateReport {
            formula: formula(abstracted, predicate.formula, procedure, at, true),
            round: predicate.round,
        };
        reports.push(PointReport {
            line,
            place,
            procedure: program.procedure(procedure).name.clone(),
            statement: edge.map_or(String::new(), |edge| program.edge(edge).text.clone()),
            predicates: list.iter().map(one).collect(),
        });
    }
    sort_by_key(&mut reports, |report| report.line);
    reports
}

/// The abstract statements, as long as `goes_on` says so.
pub(in crate::report) fn rules(
    abstracted: &mut AbstractProgram,
    goes_on: &dyn Fn() -> bool,
) -> Vec<RuleReport> {
    let program = std::rc::Rc::clone(&abstracted.program);
    let bits = abstracted.bits;
    let longest = abstracted.predicates.longest();
    let mut scalars = Vec::new();
    for bit in 0..longest {
        use crate::analysis::cegar::bits::AbstractCopy;
        for (copy, suffix) in
            [(AbstractCopy::Now, ""), (AbstractCopy::Next, "'"), (AbstractCopy::Below, " below")]
        {
            if let Ok(level) = bits.level(bit, copy) {
                let scalar = crate::lang::model::Scalar::BOOL;
                scalars.push(NamedScalar {
                    name: format!("b{}{suffix}", bit + 1),
                    scalar,
                    bits: vec![level],
                    values: None,
                    wraps: false,
                });
            }
        }
    }
    let mut reports = Vec::new();
    for rule in (0..abstracted.system.roles.len() as u32).map(crate::pds::RuleId) {
        let (line, concrete) = match abstracted.system.role(rule) {
            RuleRole::Execute(edge) => (program.edge(edge).span.line, program.edge(edge)),
            _ => continue,
        };
        if !goes_on() {
            break;
        }
        let relation = match abstracted.abstraction.rule(rule) {
            AbstractRule::Step(relation) => relation,
            AbstractRule::Call(call) => call.push,
        };
        let calls = matches!(concrete.operation, Operation::Call { .. });
        let found = readable(&mut abstracted.domain.kernel, relation, &scalars, &[]);
        let what = if calls { format!("push of {}", concrete.text) } else { text(concrete) };
        reports.push(RuleReport {
            line,
            concrete: what,
            relation: FormulaReport { text: found.text, exact: found.exact },
        });
    }
    sort_by_key(&mut reports, |report| report.line);
    reports
}
