//! A small program for tests of the page's state, and replies as a worker gives them.

use super::State;
use super::effect::Effect;
use super::model::Model;
use super::shared::Shared;
use crate::wire::graph::{BoxKind, Cluster, Graph, GraphBox, Rectangle, StatementView};
use crate::wire::options::{Checks, DataModel, Dialect, EffectiveOptions, Globals};
use crate::wire::protocol::{Reply, ReplyMessage, Request};
use crate::wire::report::{Report, TraceEntry, Values, Verdict};

fn node(id: u32, cluster: u32, line: u32) -> GraphBox {
    GraphBox {
        id,
        cluster,
        line,
        label: format!("box {id}"),
        kind: BoxKind::Statement,
        statements: vec![id],
        stands_for: Vec::new(),
        heads_chain: false,
        place: Rectangle::default(),
    }
}

fn cluster(name: &str, line: u32) -> Cluster {
    Cluster { name: name.into(), line, frameless: false, place: Rectangle::default() }
}

/// Two procedures: `main` with three boxes, two of them on line 2, and `f` with one.
fn graph() -> Graph {
    Graph {
        clusters: vec![cluster("main", 1), cluster("f", 5)],
        boxes: vec![node(0, 0, 1), node(1, 0, 2), node(2, 0, 2), node(4, 1, 5)],
        ..Graph::default()
    }
}

/// A statement for each box.
fn statements() -> Vec<StatementView> {
    let statement = |node: &GraphBox| StatementView {
        id: node.id,
        location: node.id,
        line: node.line,
        text: node.label.clone(),
        outcome: String::new(),
        hidden: false,
        reached: true,
        lit: true,
        passed: true,
    };
    graph().boxes.iter().map(statement).collect()
}

/// The options in force.
pub(crate) fn options() -> EffectiveOptions {
    EffectiveOptions {
        dialect: Dialect::Cimple,
        bits: 4,
        open_width: false,
        globals: Globals::Zero,
        checks: Checks::default(),
        error: None,
        reach: None,
        label: None,
        switches: None,
        heap: None,
        model: DataModel::default(),
        rules: Vec::new(),
        function: None,
        array: None,
    }
}

/// A model with the program.
pub(crate) fn model() -> Model {
    let mut model = Model::default();
    model.graph = Shared::new(graph());
    model.statements = Shared::new(statements());
    model
}

/// A page on its first tab with a program that was not read yet.
pub(crate) fn page() -> State {
    let mut state = State::default();
    state.turn_to("");
    state.replace_source("main".into());
    state
}

/// What the page asks of the worker now: the effects are taken.
pub(crate) fn asked(state: &mut State) -> Vec<Request> {
    let effects = state.settle().into_iter();
    let requests = effects.filter_map(|effect| match effect {
        Effect::Send(_, request, _) => Some(request),
        _ => None,
    });
    requests.collect()
}

/// What the page asks of the worker now, and whether no person asked for it: the effects are taken.
pub(crate) fn asked_by(state: &mut State) -> Vec<(Request, bool)> {
    let effects = state.settle().into_iter();
    let requests = effects.filter_map(|effect| match effect {
        Effect::Send(_, request, unasked) => Some((request, unasked)),
        _ => None,
    });
    requests.collect()
}

/// The requests that the page has stopped: the effects are taken.
pub(crate) fn stops(state: &mut State) -> Vec<u32> {
    let effects = state.settle().into_iter();
    let stops = effects.filter_map(|effect| match effect {
        Effect::Stop(id) => Some(id),
        _ => None,
    });
    stops.collect()
}

/// The run that is on its way is cut short: its answer comes next.
pub(crate) fn cut(state: &mut State) {
    reply(state, Reply::Cut);
}

/// A reply to the program that was sent last.
fn reply(state: &mut State, reply: Reply) {
    let id = state.model.worker.awaited;
    state.reply(ReplyMessage { id, last: true, millis: 1, reply });
}

/// The worker has read the program that was sent last.
pub(crate) fn read(state: &mut State) {
    loaded(state, false);
}

/// The same, and the program starts threads.
pub(crate) fn read_threads(state: &mut State) {
    loaded(state, true);
}

fn loaded(state: &mut State, has_threads: bool) {
    let loaded = Reply::Loaded {
        diagnostics: Vec::new(),
        options: options(),
        graph: graph(),
        statements: statements(),
        has_threads,
        is_bounded: false,
    };
    reply(state, loaded);
}

/// The run that is on its way ends without an answer.
pub(crate) fn done(state: &mut State) {
    let answer = state.model.abandoned(0).expect("the program was read");
    let report = Report { limit: None, ..(*answer.report).clone() };
    reply(state, Reply::Done { report, statements: statements() });
}

/// The run that is on its way ends: the program fails after its four statements.
pub(crate) fn failed(state: &mut State) {
    read(state);
    let answer = state.model.abandoned(0).expect("the program was read");
    let step = |statement: &StatementView| TraceEntry {
        line: statement.line,
        procedure: "main".into(),
        thread: 0,
        statement: statement.text.clone(),
        values: Values::default(),
        depth: 0,
        edge: Some(statement.id),
        ..TraceEntry::default()
    };
    let trace = Some(statements().iter().map(step).collect());
    let (verdict, limit) = (Verdict::Unsafe, None);
    let report = Report { verdict, limit, trace, ..(*answer.report).clone() };
    reply(state, Reply::Done { report, statements: statements() });
}
