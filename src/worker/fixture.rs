//! Canned answers while the engine is on its way.
use crate::lang::diagnostic::*;
use crate::lang::model::Span;
use crate::lang::options::*;
use crate::util::Limit;
use crate::view::graph::*;
use crate::view::protocol::Inspection;
use crate::view::report::*;

pub(super) struct Budgets { pub max_nodes: u64, pub max_steps: u64 }
pub(super) struct Session { source: String, options: EffectiveOptions, ticks: u32, limit: u32, stopped: bool, done: bool, nodes: u64 }

const ROWS: &[(u32, u32, &str, BoxKind, &[(u32, &str, bool)], u32)] = &[
    // id, line, text, kind, successors (to, outcome, lit), cluster
    (0, 5, "lock = 0", BoxKind::Statement, &[(1, "", true)], 0),
    (1, 6, "while (*)", BoxKind::Condition, &[(2, "true", true), (9, "false", false)], 0),
    (2, 7, "if (*)", BoxKind::Condition, &[(3, "true", true), (6, "false", false)], 0),
    (3, 8, "getlock()", BoxKind::Call, &[(4, "", true)], 0),
    (4, 9, "audit()", BoxKind::Call, &[(5, "", true)], 0),
    (5, 10, "gotlock = gotlock + 1", BoxKind::Statement, &[(6, "", true)], 0),
    (6, 12, "if (gotlock != 0)", BoxKind::Condition, &[(7, "true", false), (8, "false", true)], 0),
    (7, 13, "rellock()", BoxKind::Call, &[(8, "", false)], 0),
    (8, 14, "gotlock = gotlock - 1", BoxKind::Statement, &[(1, "", true)], 0),
    (9, 16, "end", BoxKind::Exit, &[], 0),
    (10, 19, "assert(lock == 0)", BoxKind::Assertion, &[(11, "", true)], 1),
    (11, 20, "lock = 1", BoxKind::Statement, &[(12, "", true)], 1),
    (12, 21, "end", BoxKind::Exit, &[], 1),
    (13, 24, "assert(lock == 1)", BoxKind::Assertion, &[(14, "", false)], 2),
    (14, 25, "lock = 0", BoxKind::Statement, &[(15, "", false)], 2),
    (15, 26, "end", BoxKind::Exit, &[], 2),
    (16, 29, "entries = (entries + 1) & 3", BoxKind::Statement, &[(17, "", true)], 3),
    (17, 30, "end", BoxKind::Exit, &[], 3),
];
const CALLS: &[(u32, u32)] = &[(3, 10), (4, 16), (7, 13)];
const RUN: &[(u32, u32, usize, u32, i128, i128)] = &[
    (0, 0, 0, 0, 0, 7), (1, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0), (10, 1, 0, 1, 0, 0), (11, 1, 0, 1, 0, 0), (4, 0, 0, 0, 0, 1), (16, 1, 0, 3, 0, 1), (5, 0, 0, 0, 0, 1), (6, 0, 1, 0, 1, 1), (8, 0, 0, 0, 1, 1), (1, 0, 0, 0, 0, 1), (2, 0, 0, 0, 0, 1), (3, 0, 0, 0, 0, 1), (10, 1, 0, 1, 0, 1),
];

impl Session {
    pub(super) fn load(source: &str, requested: &RequestedOptions) -> (Session, Vec<Diagnostic>) {
        let options = EffectiveOptions { dialect: Dialect::Cimple, bits: requested.bits.unwrap_or(4), globals: requested.globals.unwrap_or(Globals::Any), checks: requested.checks.unwrap_or_default(), error: requested.error, label: None };
        let mut found = Vec::new();
        for (i, l) in source.lines().enumerate() {
            if let Some(at) = l.find("oops") {
                let start = (source.lines().take(i).map(|l| l.len() + 1).sum::<usize>() + at) as u32;
                found.push(Diagnostic { severity: Severity::Error, span: Span { start, end: start + 4, line: i as u32 + 1 }, message: "unknown name `oops`".into(), hint: "declare it".into() });
            }
        }
        let limit = if source.contains("slow") { 100_000 } else { 12 };
        (Session { source: source.into(), options, ticks: 0, limit, stopped: false, done: false, nodes: 0 }, found)
    }
    pub(super) fn options(&self) -> &EffectiveOptions { &self.options }
    pub(super) fn start(&mut self, b: Budgets) { self.nodes = b.max_nodes; let _ = b.max_steps; }
    pub(super) fn step(&mut self) -> bool {
        let t = js_sys::Date::now();
        let hang = self.source.contains("hang");
        while hang || js_sys::Date::now() - t < 3.0 {}
        self.ticks += 1;
        self.done = self.ticks >= self.limit;
        self.done
    }
    pub(super) fn stop(&mut self, _: Limit) { self.stopped = true; }
}
pub(super) fn progress(s: &Session) -> (String, u64, u64) { ("forward".into(), s.ticks.into(), 1234) }
fn edges() -> Vec<(u32, usize, u32)> { ROWS.iter().flat_map(|r| (0..r.4.len()).map(move |k| (r.0, k))).enumerate().map(|(i, (b, k))| (b, k, i as u32)).collect() }
fn edge(b: u32, k: usize) -> u32 { edges().iter().find(|e| e.0 == b && e.1 == k).map_or(0, |e| e.2) }
pub(super) fn graph(s: &Session) -> Graph {
    let mut g = Graph::default();
    if s.source.contains("big") {
        for p in 0..40u32 { g.clusters.push(Cluster { name: format!("p{p}"), line: 1, place: Rectangle::default() });
            for i in 0..50u32 { let id = p*50+i; g.boxes.push(GraphBox { id, cluster: p, line: id + 1, label: format!("x{i} = x{i} + {id}"), kind: if i == 49 { BoxKind::Exit } else if i % 7 == 3 { BoxKind::Condition } else { BoxKind::Statement }, statements: if i == 49 { vec![] } else { vec![id] }, place: Rectangle::default() });
                if i < 49 { g.arrows.push(GraphArrow { from: id, to: id + 1, label: if i % 7 == 3 { "true".into() } else { String::new() }, call: false, statement: id, points: vec![], label_at: Point::default() }); }
                if i % 7 == 3 && i + 5 < 50 { g.arrows.push(GraphArrow { from: id, to: if i % 2 == 0 { id + 5 } else { id - 3 }, label: "false".into(), call: false, statement: id, points: vec![], label_at: Point::default() }); }
                if i == 25 { g.arrows.push(GraphArrow { from: id, to: (p + 1) % 40 * 50, label: String::new(), call: true, statement: id, points: vec![], label_at: Point::default() }); } } }
        crate::view::layout::layout(&mut g); return g; }
    if s.source.trim().is_empty() || s.source.contains("oops") { return g; }
    for (n, l) in [("main", 4), ("getlock", 18), ("rellock", 23), ("audit", 28)] { g.clusters.push(Cluster { name: n.into(), line: l, place: Rectangle::default() }); }
    for r in ROWS {
        g.boxes.push(GraphBox { id: r.0, cluster: r.5, line: r.1, label: r.2.into(), kind: r.3, statements: (0..r.4.len()).map(|k| edge(r.0, k)).collect(), place: Rectangle::default() });
        for (k, (to, out, _)) in r.4.iter().enumerate() { g.arrows.push(GraphArrow { from: r.0, to: *to, label: (*out).into(), call: false, statement: edge(r.0, k), points: vec![], label_at: Point::default() }); }
    }
    for (a, b) in CALLS { g.arrows.push(GraphArrow { from: *a, to: *b, label: String::new(), call: true, statement: edge(*a, 0), points: vec![], label_at: Point::default() }); }
    crate::view::layout::layout(&mut g);
    g
}
pub(super) fn statements(s: &Session) -> Vec<StatementView> {
    if s.source.trim().is_empty() || s.source.contains("oops") { return vec![]; }
    if s.source.contains("big") { return (0..2000).filter(|i| i % 50 != 49).map(|i| StatementView { id: i, location: i, line: i + 1, text: format!("x = {i}"), outcome: String::new(), hidden: false, reached: s.done, lit: s.done && i % 50 < 30 }).collect(); }
    let safe = s.source.contains("safe");
    edges().iter().map(|(b, k, i)| { let r = &ROWS[*b as usize]; StatementView { id: *i, location: *b, line: r.1, text: r.2.into(), outcome: r.4[*k].1.into(), hidden: false, reached: s.done, lit: s.done && !safe && r.4[*k].2 } }).collect()
}
pub(super) fn report(s: &Session) -> Report {
    let safe = s.source.contains("safe");
    let n = |x: i128| Value::Number(x);
    let big: Vec<TraceEntry> = (0..1500u32).map(|i| { let id = i % 40 * 50 + i / 40 % 49; TraceEntry { line: id + 1, procedure: format!("p{}", i % 40), thread: 0, statement: format!("x = {id}"), values: Values(vec![("x".into(), n(i.into()))]), depth: i % 5, edge: Some(id) } }).collect();
    let trace = RUN.iter().map(|(b, d, k, c, got, lock)| TraceEntry { line: ROWS[*b as usize].1, procedure: ["main", "getlock", "rellock", "audit"][*c as usize].into(), thread: 0,
        statement: if ROWS[*b as usize].4.len() > 1 { format!("{}: {}", ROWS[*b as usize].2, ROWS[*b as usize].4[*k].1) } else { ROWS[*b as usize].2.into() },
        values: Values(vec![("gotlock".into(), n(*got)), ("lock".into(), n(*lock)), ("entries".into(), n(-3)), ("log".into(), Value::List(vec![n(1), n(0), n(-8)])), ("on".into(), Value::Truth(true))]), depth: *d, edge: Some(edge(*b, *k)) }).collect();
    let st = statements(s);
    let mut lines: Vec<u32> = st.iter().filter(|s| s.lit).map(|s| s.line).collect(); lines.dedup();
    Report { analysis: "projection".into(), verdict: if !s.done { Verdict::Unknown } else if safe { Verdict::Safe } else { Verdict::Unsafe }, limit: if s.done { None } else { Some(Limit::Time) }, options: s.options.clone(),
        error: if s.done && !safe { Some(ErrorReport { line: 19, kind: "assertion".into(), message: "assert(lock == 0) does not hold".into() }) } else { None },
        trace: if s.done && !safe { Some(if s.source.contains("big") { big } else { trace }) } else { None },
        projection: if s.done { Some(ProjectionReport { lines, nodes: st.iter().filter(|s| s.lit).count() as u32, of: st.len() as u32, method: "functional".into() }) } else { None },
        statistics: Statistics { peak_nodes: 412, steps: 5000, bytes: 1 << 20 } }
}
pub(super) fn inspect(s: &mut Session, statement: u32) -> Option<Inspection> {
    if !s.done { return None; }
    Some(Inspection { statement, reached: "lock = 0 ∨ (lock = 1 ∧ gotlock ≠ 0)".into(), reached_count: "4096".into(), failing: "lock = 0 ∧ gotlock = 0".into(), failing_count: "16".into() })
}
