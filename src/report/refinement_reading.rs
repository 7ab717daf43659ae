//! Reads a round, or the abstract program, off a run of the loop. It goes node by node, because a
//! readable formula takes time and a person waits.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::dag::{CounterexampleDag, InstanceId, NodeId};
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::cegar::refinement::Cegar;
use crate::analysis::cegar::round::Round;
use crate::analysis::liveness::refinement::Refinement;
use crate::bdd::KernelLimits;
use crate::draw::labels::shortened;
use crate::draw::layout::layout;
use crate::draw::refinement::short_place;
use crate::report::cegar::{
    edges, formula, node_with_interpolants, place_of, predicates, round_report, rules,
};
use crate::session::{CegarSession, Job, LivenessSession, Outcome};
use crate::util::order::sort_by_key;
use crate::wire::cegar::{EdgeAction, NodePlace};
use crate::wire::graph::{BoxKind, Cluster, Graph, GraphArrow, GraphBox, Point, Rectangle};
use crate::wire::options::EffectiveOptions;
use crate::wire::refinement::{
    AbstractView, AddedReport, CompareRow, MOST_DRAWN, RefinementAsk, RefinementReport, RoundView,
};
use crate::wire::report::Verdict;

/// The most characters of an arrow's text.
const ARROW_LIMIT: usize = 26;

/// Kernel steps for all formulas of a round together, because a person waits for the picture.
const ROUND_STEPS: u64 = 8_000_000;
/// Kernel steps that a node has even if these are spent: enough for a short formula.
const NODE_STEPS: u64 = 30_000;

/// A refinement loop whose rounds can be read: for assertions, or for a formula.
pub trait Looped {
    /// A round, counted from 0.
    fn round(&self, at: usize) -> Option<&Round>;
    /// The abstraction; `None` if its preparation hit a limit.
    fn abstraction(&self) -> Option<&AbstractProgram>;
    /// The same, to read formulas over it.
    fn abstraction_mut(&mut self) -> Option<&mut AbstractProgram>;
    /// Is the abstracted program one that stands beside an automaton? It has several places where
    /// the text has one, and statements that are not in the text.
    fn is_product(&self) -> bool {
        false
    }
}

impl Looped for CegarSession {
    fn round(&self, at: usize) -> Option<&Round> {
        self.rounds().get(at)
    }

    fn abstraction(&self) -> Option<&AbstractProgram> {
        self.cegar().map(Cegar::abstract_program)
    }

    fn abstraction_mut(&mut self) -> Option<&mut AbstractProgram> {
        self.cegar_mut().map(Cegar::abstracted)
    }
}

impl Looped for LivenessSession {
    fn round(&self, at: usize) -> Option<&Round> {
        Some(&self.refinement()?.rounds().get(at)?.round)
    }

    fn abstraction(&self) -> Option<&AbstractProgram> {
        self.refinement().map(Refinement::abstraction)
    }

    fn abstraction_mut(&mut self) -> Option<&mut AbstractProgram> {
        self.refinement_mut().map(Refinement::abstracted)
    }

    fn is_product(&self) -> bool {
        true
    }
}

/// A round that is being read. Formulas that exceed its steps are told as numbers of stores.
pub struct RoundReading {
    round: Round,
    view: RoundView,
    order: Vec<NodeId>,
    added: usize,
    /// What is left of [`ROUND_STEPS`].
    steps: u64,
}

impl RoundReading {
    /// Begins with a round, counted from 1. Returns `None` if there is no such round.
    pub fn new(session: &dyn Looped, number: u32) -> Option<RoundReading> {
        let round = session.round(number.checked_sub(1)? as usize)?.clone();
        let dag = round.extracted.as_ref().map(|extracted| &extracted.dag);
        let drawn = dag.filter(|dag| dag.node_count() <= MOST_DRAWN);
        let order: Vec<NodeId> = drawn
            .map(|dag| dag.parts().iter().flat_map(|part| part.nodes.iter().copied()).collect())
            .unwrap_or_default();
        let through = drawn.map(CounterexampleDag::traces_through).unwrap_or_default();
        let view = RoundView {
            round: number,
            nodes: Vec::new(),
            edges: Vec::new(),
            traces: order.iter().map(|node| through[node.0 as usize]).collect(),
            graph: Graph::default(),
            added: Vec::new(),
        };
        Some(RoundReading { round, view, order, added: 0, steps: ROUND_STEPS })
    }

    /// Reads one formula or a few, and returns whether all are read.
    pub fn step(&mut self, session: &mut dyn Looped) -> bool {
        let Some(abstracted) = session.abstraction_mut() else { return true };
        let kernel = &mut abstracted.domain.kernel;
        let (limits, begun) = (kernel.limits(), kernel.steps());
        let most = begun.saturating_add(self.steps.max(NODE_STEPS));
        kernel.set_limits(KernelLimits { max_steps: limits.max_steps.min(most), ..limits });
        let is_over = self.read_next(abstracted);
        let kernel = &mut abstracted.domain.kernel;
        kernel.set_limits(limits);
        self.steps = self.steps.saturating_sub(kernel.steps() - begun);
        is_over
    }

    fn read_next(&mut self, abstracted: &mut AbstractProgram) -> bool {
        let number = self.view.round as usize - 1;
        if let Some(node) = self.order.get(self.view.nodes.len()) {
            match node_with_interpolants(abstracted, &self.round, number, *node) {
                Some(node) => self.view.nodes.push(node),
                None => self.order.clear(),
            }
            return false;
        }
        if let Some((point, predicate)) = self.round.added.get(self.added) {
            self.view.added.push(added(abstracted, *point, *predicate));
            self.added += 1;
            return false;
        }
        true
    }

    /// The finished view with its layout.
    pub fn finish(mut self, session: &dyn Looped) -> RoundView {
        let dag = self.round.extracted.as_ref().map(|extracted| &extracted.dag);
        if let (Some(abstracted), Some(dag)) =
            (session.abstraction(), dag.filter(|_| !self.view.nodes.is_empty()))
        {
            self.view.edges = edges(&abstracted.program, &self.round, self.view.round as usize - 1);
            self.view.graph = picture(dag, &self.view);
            layout(&mut self.view.graph);
        }
        if session.is_product() {
            let added = std::mem::take(&mut self.view.added);
            for one in added {
                let same = |known: &AddedReport| {
                    (known.line, &known.procedure, &known.formula.text)
                        == (one.line, &one.procedure, &one.formula.text)
                };
                if !self.view.added.iter().any(same) {
                    self.view.added.push(one);
                }
            }
        }
        self.view
    }
}

fn added(
    abstracted: &mut AbstractProgram,
    point: ProgramPoint,
    predicate: crate::bdd::Bdd,
) -> AddedReport {
    let program = std::rc::Rc::clone(&abstracted.program);
    let (procedure, at) = place_of(&program, point);
    let (place, line) = match point {
        ProgramPoint::Location(location) => (NodePlace::Location, program.location(location).line),
        ProgramPoint::Pivot(edge) => (NodePlace::Pivot, program.edge(edge).span.line),
        ProgramPoint::Returned(procedure) => {
            (NodePlace::Returned, program.location(program.procedure(procedure).exit).line)
        }
    };
    let formula = formula(abstracted, predicate, procedure, at, true);
    AddedReport { line, place, procedure: program.procedure(procedure).name.clone(), formula }
}

/// Boxes for nodes, arrows for statements, a frame for the main part and for each body.
fn picture(dag: &CounterexampleDag, view: &RoundView) -> Graph {
    let mut graph = Graph::default();
    let report = |node: NodeId| view.nodes.iter().find(|report| report.node == node.0);
    for (cluster, part) in dag.parts().iter().enumerate() {
        let Some(top) = report(part.top()) else { continue };
        let name = if cluster == 0 {
            "counterexamples".to_string()
        } else {
            frame_name(view, part.instance, &top.procedure)
        };
        graph.clusters.push(Cluster {
            name,
            line: top.line,
            frameless: false,
            place: Rectangle::default(),
        });
        for node in part.nodes.iter().filter_map(|node| report(*node)) {
            let label = match node.readable.as_str() {
                "" => short_place(node),
                // Boxes have little room: `x₀` is x at the entry of its frame.
                formula => format!("{}: {}", short_place(node), formula.replace(" at entry", "₀")),
            };
            let kind = match node.place {
                NodePlace::Location => BoxKind::Statement,
                NodePlace::Pivot => BoxKind::Call,
                NodePlace::Start | NodePlace::Returned | NodePlace::Error => BoxKind::Exit,
            };
            graph.boxes.push(GraphBox {
                id: node.node,
                cluster: cluster as u32,
                line: node.line,
                label,
                kind,
                statements: Vec::new(),
                stands_for: Vec::new(),
                heads_chain: false,
                place: Rectangle::default(),
            });
        }
    }
    sort_by_key(&mut graph.boxes, |b| b.id);
    for (k, edge) in view.edges.iter().enumerate() {
        let arrow = |to: u32, label: String, call: bool| GraphArrow {
            from: edge.from,
            to,
            label,
            call,
            statement: k as u32,
            also: Vec::new(),
            points: Vec::new(),
            label_at: Point::default(),
        };
        let body = edge.body.map(|body| dag.body(InstanceId(body)));
        let callee = body.and_then(|body| report(body.top())).map(|top| top.procedure.clone());
        let label = match (edge.action, callee) {
            (EdgeAction::Return, Some(callee)) => format!("all of {callee}"),
            (EdgeAction::Enter, _) => "into the callee".to_string(),
            (EdgeAction::Push, _) => String::new(),
            (EdgeAction::Fail, _) => "fails".to_string(),
            _ => shortened(&edge.statement, &edge.outcome, ARROW_LIMIT),
        };
        graph.arrows.push(arrow(edge.to, label, false));
        if let Some(body) = body {
            graph.arrows.push(arrow(body.top().0, String::new(), true));
        }
    }
    graph
}

/// The name of a body's frame: its procedure, and the pivot points of the calls that enter it:
/// `foo, from call 14 and back`.
fn frame_name(view: &RoundView, body: InstanceId, procedure: &str) -> String {
    let mut lines: Vec<u32> = (view.edges.iter().filter(|edge| edge.body == Some(body.0)))
        .filter_map(|edge| {
            view.nodes.iter().find(|node| node.node == edge.from).map(|node| node.line)
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let calls: Vec<String> = lines.iter().map(u32::to_string).collect();
    let noun = if calls.len() == 1 { "call" } else { "calls" };
    format!("{procedure}, from {noun} {} and back", calls.join(", "))
}

/// The rounds so far.
pub fn rounds(session: &CegarSession) -> Vec<crate::wire::cegar::RoundReport> {
    session
        .rounds()
        .iter()
        .enumerate()
        .map(|(k, round)| round_report(session.program(), k as u32 + 1, round))
        .collect()
}

/// The answer to a run that is over.
pub fn refinement_report(
    session: &mut CegarSession,
    options: &EffectiveOptions,
    ask: &RefinementAsk,
) -> RefinementReport {
    let answer = crate::report::cegar::cegar_report(session, options, ask.options(), None);
    let predicates = session.predicate_count();
    RefinementReport {
        ask: ask.clone(),
        answer: Some(answer.report),
        rounds: answer.rounds,
        problems: Vec::new(),
        predicates,
        decided: answer.decided,
        said: Vec::new(),
    }
}

/// The abstract program as it is now.
pub fn abstract_view(session: &mut dyn Looped) -> AbstractView {
    let is_product = session.is_product();
    let Some(abstracted) = session.abstraction_mut() else { return AbstractView::default() };
    let mut view = AbstractView {
        points: predicates(abstracted, &|| true),
        rules: rules(abstracted, &|| true),
    };
    if is_product {
        view.rules.retain(|rule| !rule.concrete.is_empty());
        // Bits of the automaton's state alone stand at every place.
        view.points.retain(|point| !point.statement.is_empty());
    }
    view
}

/// A heuristic's row, once its run is over.
pub fn compare_row(session: &CegarSession, ask: &RefinementAsk, millis: u64) -> CompareRow {
    let rounds = rounds(session);
    CompareRow {
        interpolants: ask.options.heuristic,
        verdict: match session.outcome() {
            Outcome::Safe => Verdict::Safe,
            Outcome::Unsafe => Verdict::Unsafe,
            Outcome::Unknown(_) | Outcome::Fault => Verdict::Unknown,
        },
        limit: session.limit(),
        refinements: rounds.iter().filter(|round| round.is_refined()).count() as u32,
        predicates: session.predicate_count(),
        most: rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0),
        nodes: rounds.iter().map(|round| round.dag_nodes).max().unwrap_or(0),
        steps: session.statistics().1,
        millis,
    }
}
