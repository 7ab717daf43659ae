//! What is lit and what recedes, on the source's lines and in the picture.

use crate::util::order::inserted;
use crate::wire::graph::{Graph, GraphArrow, GraphBox, StatementView};
use crate::wire::report::{Report, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// How a box or an arrow is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing is known, or nothing is to be said.
    #[default]
    Plain,
    /// Some failing run passes.
    Lit,
    /// None does.
    Dim,
}

/// The marks of a whole picture, in the order of its boxes and arrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Of [`Graph::boxes`].
    pub boxes: Vec<Mark>,
    /// Of [`Graph::arrows`].
    pub arrows: Vec<Mark>,
}

/// Lines of the source, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMarks {
    /// A statement that starts here is on some failing run.
    pub lit: Vec<u32>,
    /// Statements start here, but none of them is.
    pub dim: Vec<u32>,
}

/// What a report allows to paint: a projection on a program that can fail; on a safe program only
/// what no run reaches recedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Painting {
    Nothing,
    Projection,
    Reachability,
}

fn painting(statements: &[StatementView], report: Option<&Report>) -> Painting {
    match report {
        Some(r) if r.projection.is_some() && r.shown_verdict() == Verdict::Unsafe => {
            Painting::Projection
        }
        Some(r)
            if r.shown_verdict() == Verdict::Safe
                && r.knows_what_is_reached()
                && statements.iter().any(|statement| statement.reached) =>
        {
            Painting::Reachability
        }
        _ => Painting::Nothing,
    }
}

fn mark(painting: Painting, statement: &StatementView) -> Mark {
    match painting {
        Painting::Projection if statement.lit => Mark::Lit,
        Painting::Projection => Mark::Dim,
        Painting::Reachability if !statement.reached => Mark::Dim,
        _ => Mark::Plain,
    }
}

/// A line is lit iff a statement that starts on it is.
pub fn line_marks(statements: &[StatementView], report: Option<&Report>) -> LineMarks {
    let painting = painting(statements, report);
    let mut lines: BTreeMap<u32, Mark> = BTreeMap::new();
    for s in statements.iter().filter(|s| !s.hidden) {
        let found = mark(painting, s);
        let old = lines.entry(s.line).or_insert(found);
        *old = stronger(*old, found);
    }
    let of = |wanted| lines.iter().filter(|(_, m)| **m == wanted).map(|(line, _)| *line).collect();
    LineMarks { lit: of(Mark::Lit), dim: of(Mark::Dim) }
}

fn stronger(a: Mark, b: Mark) -> Mark {
    match (a, b) {
        (Mark::Lit, _) | (_, Mark::Lit) => Mark::Lit,
        (Mark::Plain, _) | (_, Mark::Plain) => Mark::Plain,
        _ => Mark::Dim,
    }
}

/// A box is marked as the strongest of its statements, an exit as the strongest arrow into it. A
/// call's arrow into its callee is lit if the call is; any other arrow is lit if some failing run
/// goes on behind its statement.
pub fn graph_marks(graph: &Graph, statements: &[StatementView], report: Option<&Report>) -> Marks {
    let painting = painting(statements, report);
    let of_statement: BTreeMap<u32, &StatementView> =
        statements.iter().map(|s| (s.id, s)).collect();
    let statement_mark = |id: u32| of_statement.get(&id).map_or(Mark::Plain, |s| mark(painting, s));
    let passing = |statement: u32, call: bool| match statement_mark(statement) {
        Mark::Lit if !call && !of_statement[&statement].passed => Mark::Dim,
        other => other,
    };
    let unsaid = if painting == Painting::Nothing { Mark::Plain } else { Mark::Dim };
    marks(graph, unsaid, statement_mark, passing)
}

/// The picture of a set of statements: what is in it is lit, and everything else recedes. Without a
/// set, nothing is marked.
pub fn set_marks(
    graph: &Graph,
    statements: &[StatementView],
    set: Option<&BTreeSet<u32>>,
) -> Marks {
    let Some(set) = set else { return Marks::default() };
    let known: BTreeSet<u32> = inserted(statements.iter().map(|s| s.id));
    let statement_mark = |id: u32| match (set.contains(&id), known.contains(&id)) {
        (true, _) => Mark::Lit,
        (false, true) => Mark::Dim,
        (false, false) => Mark::Plain,
    };
    marks(graph, Mark::Dim, statement_mark, |statement, _| statement_mark(statement))
}

/// Marks from those of statements, and of arrows by their statement and whether they lead into a
/// callee.
fn marks(
    graph: &Graph,
    unsaid: Mark,
    statement_mark: impl Fn(u32) -> Mark,
    passing: impl Fn(u32, bool) -> Mark,
) -> Marks {
    let arrow_mark = |a: &GraphArrow| {
        a.also
            .iter()
            .fold(passing(a.statement, a.call), |found, s| stronger(found, passing(*s, a.call)))
    };
    let arrows: Vec<Mark> = graph.arrows.iter().map(arrow_mark).collect();
    let mut arriving: BTreeMap<u32, Mark> = BTreeMap::new();
    for (a, found) in graph.arrows.iter().zip(&arrows).filter(|(a, _)| !a.call) {
        let old = arriving.entry(a.to).or_insert(*found);
        *old = stronger(*old, *found);
    }
    let box_mark = |b: &GraphBox| match b.statements.is_empty() {
        true => arriving.get(&b.id).copied().unwrap_or(unsaid),
        false => b.statements.iter().map(|s| statement_mark(*s)).reduce(stronger).unwrap_or(unsaid),
    };
    Marks { boxes: graph.boxes.iter().map(box_mark).collect(), arrows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::graph::{BoxKind, Cluster, Point, Rectangle};
    use crate::wire::options::{Checks, DataModel, Dialect, EffectiveOptions, Globals};
    use crate::wire::report::ProjectionReport;
    use crate::wire::report::{Analysis, ProjectedBy};

    /// main: 0 calls f, 1 asserts, 2 ends; f: 3 assigns, 4 ends. Statement n starts at box n.
    fn example() -> (Graph, Vec<StatementView>) {
        let cluster = |name: &str| Cluster {
            name: name.into(),
            line: 1,
            frameless: false,
            place: Rectangle::default(),
        };
        let node = |id: u32, cluster, kind, statements| GraphBox {
            id,
            cluster,
            line: id + 1,
            label: String::new(),
            kind,
            statements,
            stands_for: Vec::new(),
            heads_chain: false,
            place: Rectangle::default(),
        };
        let arrow = |from, to, call| GraphArrow {
            from,
            to,
            label: String::new(),
            call,
            also: Vec::new(),
            statement: from,
            points: Vec::new(),
            label_at: Point::default(),
        };
        let graph = Graph {
            clusters: vec![cluster("main"), cluster("f")],
            boxes: vec![
                node(0, 0, BoxKind::Call, vec![0]),
                node(1, 0, BoxKind::Assertion, vec![1]),
                node(2, 0, BoxKind::Exit, vec![]),
                node(3, 1, BoxKind::Statement, vec![3]),
                node(4, 1, BoxKind::Exit, vec![]),
            ],
            arrows: vec![
                arrow(0, 1, false),
                arrow(1, 2, false),
                arrow(3, 4, false),
                arrow(0, 3, true),
            ],
            size: Point::default(),
        };
        let statement = |id| StatementView {
            id,
            location: id,
            line: id + 1,
            text: String::new(),
            outcome: String::new(),
            hidden: false,
            reached: true,
            lit: true,
            passed: id != 1,
        };
        (graph, vec![statement(0), statement(1), statement(3)])
    }

    fn report(verdict: Verdict) -> Report {
        let options = EffectiveOptions {
            dialect: Dialect::Cimple,
            bits: 4,
            open_width: false,
            globals: Globals::Any,
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
        };
        let projection = ProjectionReport {
            overestimate: false,
            lines: vec![],
            nodes: 0,
            of: 0,
            method: ProjectedBy::Functional,
            bits: None,
            slice: None,
            through: None,
        };
        let report = Report::new(Analysis::Projection, verdict, options);
        Report { checked: 1, projection: Some(projection), ..report }
    }

    #[test]
    fn a_failing_run_returns_but_does_not_end() {
        let (graph, statements) = example();
        let marks = graph_marks(&graph, &statements, Some(&report(Verdict::Unsafe)));
        use Mark::{Dim, Lit};
        assert_eq!(
            marks.boxes,
            [Lit, Lit, Dim, Lit, Lit],
            "f returns on a failing run, main does not"
        );
        assert_eq!(marks.arrows, [Lit, Dim, Lit, Lit], "no failing run passes the assertion");
        assert_eq!(line_marks(&statements, Some(&report(Verdict::Unsafe))).lit, [1, 2, 4]);
    }

    #[test]
    fn nothing_is_painted_without_an_answer_and_only_the_unreached_on_a_safe_program() {
        let (graph, mut statements) = example();
        assert_eq!(graph_marks(&graph, &statements, None).boxes, [Mark::Plain; 5]);
        assert_eq!(line_marks(&statements, Some(&report(Verdict::Unknown))), LineMarks::default());
        statements[2].reached = false;
        let safe = report(Verdict::Safe);
        assert_eq!(
            graph_marks(&graph, &statements, Some(&safe)).boxes,
            [Mark::Plain, Mark::Plain, Mark::Plain, Mark::Dim, Mark::Dim]
        );
        assert_eq!(line_marks(&statements, Some(&safe)), LineMarks { lit: vec![], dim: vec![4] });
    }

    #[test]
    fn a_set_of_statements_is_lit_and_the_rest_recedes() {
        let (graph, statements) = example();
        use Mark::{Dim, Lit};
        let marks = set_marks(&graph, &statements, Some(&[0, 3].into()));
        assert_eq!(
            marks.boxes,
            [Lit, Dim, Dim, Lit, Lit],
            "the end of f is where its only statement leads"
        );
        assert_eq!(marks.arrows, [Lit, Dim, Lit, Lit]);
        assert_eq!(set_marks(&graph, &statements, None), Marks::default());
    }
}
