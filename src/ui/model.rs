//! What the page knows: the program, the picture, the last answer, the step and the selection. No
//! effects; the [`super::app::App`] has those.

use super::affine::Relations;
use super::editor::{Document, Paint};
use super::explain::Explain;
use super::lab::Lab;
use super::refinement::Refinement;
use super::shared::Shared;
use super::threads::Threads;
use super::through::ThroughRun;
use crate::draw::fold::{Folding, Scope, hidden_in_chain};
use crate::draw::paint::{Marks, graph_marks, line_marks};
use crate::lang::diagnostic::Severity;
use crate::report::stores::QueryAnswer;
use crate::report::why_not::Why;
use crate::util::Limit;
use crate::wire::graph::{BoxKind, Graph, StatementView};
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use crate::wire::protocol::{Budgets, DiagnosticView, Inspection, Method};
use crate::wire::report::{Report, Statistics, TraceEntry, Verdict};
use std::collections::BTreeMap;

/// What the worker is doing for the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Activity {
    /// Nothing.
    #[default]
    Idle,
    /// A run.
    Running(Progress),
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    pub(super) id: u32,
    pub(super) phase: String,
    pub(super) items: u64,
    pub(super) nodes: u64,
    pub(super) millis: u64,
    /// When it began, by the page's clock.
    pub(super) began: f64,
    /// Stop was pressed.
    pub(super) stopping: bool,
}

impl Progress {
    /// Milliseconds since the run began.
    pub(super) fn elapsed(&self, now: f64) -> u64 {
        (now - self.began).max(0.0) as u64
    }
}

/// The last answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) report: Shared<Report>,
    pub(super) millis: u64,
    pub(super) budgets: Budgets,
    /// Ended by the user.
    pub(super) stopped: bool,
    /// Can the worker still be asked about it?
    pub(super) inspectable: bool,
    /// The program or an option has changed since.
    pub(super) stale: bool,
}

/// What is selected in source, picture and inspector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    /// 1-based; 0 is none.
    pub(super) line: u32,
    /// Boxes, by location.
    pub(super) locations: Vec<u32>,
    /// The statement that the inspector shows.
    pub(super) statement: Option<u32>,
}

/// What was answered about statements beside their stores.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answers {
    /// Why statements are innocent, or which limit kept the answer.
    pub(super) whys: BTreeMap<u32, Result<Why, Option<Limit>>>,
    /// The latest query.
    pub(super) query: Option<QueryAnswer>,
    /// Statements that only the naive projection keeps.
    pub(super) cross: Option<Vec<u32>>,
    /// Are they shown?
    pub(super) beside: bool,
}

/// All of it.
#[derive(Default)]
pub(super) struct Model {
    pub(super) source: String,
    /// The name of the file that the program came from, if it did.
    pub(super) name: Option<String>,
    pub(super) document: Shared<Document>,
    pub(super) requested: RequestedOptions,
    pub(super) method: Method,
    pub(super) effective: Option<EffectiveOptions>,
    /// The language that the program seems to be written in; nobody asked for another one.
    pub(super) guessed: Dialect,
    pub(super) diagnostics: Shared<Vec<DiagnosticView>>,
    /// The whole control-flow graph, without places.
    pub(super) graph: Shared<Graph>,
    /// What is to be shown of it.
    pub(super) folding: Folding,
    /// What is shown, laid out, and the graph that it shows.
    pub(super) picture: Shared<Graph>,
    picture_of: Shared<Graph>,
    pub(super) statements: Shared<Vec<StatementView>>,
    pub(super) paint: Shared<Paint>,
    pub(super) marks: Shared<Marks>,
    pub(super) answer: Option<Answer>,
    pub(super) activity: Activity,
    pub(super) step: Option<usize>,
    pub(super) selection: Selection,
    pub(super) hover: u32,
    pub(super) inspections: BTreeMap<u32, Option<Inspection>>,
    pub(super) through: Option<ThroughRun>,
    pub(super) answers: Answers,
    pub(super) lab: Lab,
    pub(super) refinement: Refinement,
    pub(super) explain: Explain,
    pub(super) threads: Threads,
    pub(super) relations: Relations,
}

impl Model {
    /// Puts a text into the editor; whatever was known about the old one is dropped.
    pub(super) fn replace_source(&mut self, text: String) {
        // As the editor has them, so that positions agree.
        let text =
            if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
        self.guessed = Dialect::guess(&text);
        self.document = Shared::new(Document {
            version: self.document.version + 1,
            text: text.clone(),
            edited: false,
        });
        self.source = text;
        self.forget_program();
    }

    /// Puts the present program with an edit into the editor; what was known of it is as after any
    /// other edit.
    pub(super) fn edit_source(&mut self, text: String) {
        self.document = Shared::new(Document {
            version: self.document.version + 1,
            text: text.clone(),
            edited: true,
        });
        self.source = text;
    }

    /// Another program: nothing that was known of the old one is left, not even its picture.
    pub(super) fn forget_program(&mut self) {
        self.answer = None;
        self.name = None;
        self.graph = Shared::default();
        self.picture = Shared::default();
        self.picture_of = self.graph.clone();
        self.statements = Shared::default();
        self.diagnostics = Shared::default();
        self.lab.forget();
        self.refinement.forget();
        self.explain.forget();
        self.threads.forget();
        self.forget();
    }

    /// Program or options have changed: the answer no longer holds, and its paint goes.
    pub(super) fn invalidate(&mut self) {
        if let Some(answer) = &mut self.answer {
            answer.stale = true;
        }
        self.forget();
        self.repaint();
    }

    fn forget(&mut self) {
        self.step = None;
        self.through = None;
        self.selection = Selection::default();
        self.hover = 0;
        self.inspections.clear();
        self.lab.invalidate();
        self.refinement.invalidate();
        self.explain.invalidate();
        self.threads.invalidate();
        self.relations.forget();
        self.answers = Answers { beside: self.answers.beside, ..Answers::default() };
    }

    /// The worker has read the program. The old picture stays while the new program has errors.
    /// True if there is another graph to draw.
    pub(super) fn loaded(
        &mut self,
        diagnostics: Vec<DiagnosticView>,
        options: EffectiveOptions,
        graph: Graph,
        statements: Vec<StatementView>,
    ) -> bool {
        if self.requested.dialect.is_none() {
            self.guessed = options.dialect;
        }
        self.effective = Some(options);
        let blank = self.source.trim().is_empty();
        // An empty page is not an error yet.
        let diagnostics = if blank { Vec::new() } else { diagnostics };
        let broken = diagnostics.iter().any(|d| d.severity == Severity::Error);
        self.diagnostics = Shared::new(diagnostics);
        let mut another = false;
        if !broken || blank {
            if *self.graph != graph {
                self.folding = std::mem::take(&mut self.folding).after_edit(&self.graph, &graph);
                self.graph = Shared::new(graph);
                another = true;
            }
            self.statements = Shared::new(statements);
        }
        self.repaint();
        another
    }

    /// The picture has its places.
    pub(super) fn drawn(&mut self, picture: Graph) {
        self.picture = Shared::new(picture);
        self.picture_of = self.graph.clone();
        self.repaint();
    }

    /// Sees to it that a box is shown, if need be as a part of a folded one; with `unfold`, by
    /// itself. True if something else is to be drawn.
    pub(super) fn bring(&mut self, location: u32, unfold: bool) -> bool {
        let before = self.folding.clone();
        let Ok(position) = self.graph.boxes.binary_search_by_key(&location, |b| b.id) else {
            return false;
        };
        let name = &self.graph.clusters[self.graph.boxes[position].cluster as usize].name;
        match &self.folding.scope {
            Scope::Calls if unfold => self.folding.scope = Scope::Procedure(name.clone()),
            Scope::Procedure(shown) if shown != name => {
                self.folding.scope = Scope::Procedure(name.clone())
            }
            Scope::Program if unfold => {
                self.folding.procedures.remove(name);
            }
            _ => {}
        }
        if let Some(head) = Some(location)
            .filter(|_| unfold)
            .and_then(|id| hidden_in_chain(&self.graph, &self.folding, id))
        {
            self.folding.toggle_chain(head);
        }
        self.folding != before
    }

    /// Unfolds a box of the picture. True if it was one that unfolds.
    pub(super) fn unfold(&mut self, id: u32) -> bool {
        let Some(b) = self.picture.boxes.iter().find(|b| b.id == id) else { return false };
        match b.kind {
            BoxKind::Chain => self.folding.toggle_chain(id),
            BoxKind::Procedure if self.folding.scope == Scope::Program => {
                self.folding.procedures.remove(&b.label);
            }
            BoxKind::Procedure => self.folding.scope = Scope::Procedure(b.label.clone()),
            _ => return false,
        }
        true
    }

    /// Folds an open procedure; where only one is open, that leads back to the call graph.
    pub(super) fn fold_procedure(&mut self, cluster: usize) {
        let Some(name) = self.graph.clusters.get(cluster).map(|c| c.name.clone()) else { return };
        match self.folding.scope {
            Scope::Program => {
                self.folding.procedures.insert(name);
            }
            _ => self.folding.scope = Scope::Calls,
        }
    }

    /// A run has ended.
    pub(super) fn answered(&mut self, answer: Answer, statements: Option<Vec<StatementView>>) {
        if let Some(statements) = statements {
            self.statements = Shared::new(statements);
        }
        self.answer = Some(answer);
        self.activity = Activity::Idle;
        self.inspections.clear();
        self.through = None;
        self.answers = Answers { beside: self.answers.beside, ..Answers::default() };
        self.repaint();
    }

    /// An answer for a run whose worker had to be terminated: nothing is known.
    pub(super) fn abandoned(&self, millis: u64, budgets: Budgets) -> Option<Answer> {
        let report = Report {
            analysis: "projection".into(),
            verdict: Verdict::Unknown,
            limit: Some(Limit::Time),
            fault: None,
            options: self.effective.clone()?,
            checked: 1,
            error: None,
            trace: None,
            shortest: None,
            projection: None,
            proof: None,
            invariant: None,
            pushdown: None,
            statistics: Statistics::default(),
        };
        Some(Answer {
            report: Shared::new(report),
            millis,
            budgets,
            stopped: true,
            inspectable: false,
            stale: false,
        })
    }

    /// The language in force.
    pub(super) fn dialect(&self) -> Dialect {
        self.requested.dialect.unwrap_or(self.guessed)
    }

    /// What files that are made of the program are called, without an extension.
    pub(super) fn stem(&self) -> &str {
        let name = self.name.as_deref().unwrap_or("faultline");
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The program's file name.
    pub(super) fn file_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("program.{}", self.dialect().extension()))
    }

    /// The answer, if it is about what the editor shows.
    pub(super) fn fresh(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|a| !a.stale)
    }

    /// The report with the failing run that is shown: a shortest one, or one through chosen
    /// statements.
    pub(super) fn shown(&self) -> Option<&Shared<Report>> {
        let answer = self.fresh()?;
        Some(
            self.through
                .as_ref()
                .and_then(|through| through.shown.as_ref())
                .unwrap_or(&answer.report),
        )
    }

    /// The failing run that is shown; empty if there is none.
    pub(super) fn trace(&self) -> &[TraceEntry] {
        self.shown().and_then(|report| report.trace.as_deref()).unwrap_or_default()
    }

    /// Another failing run is shown.
    pub(super) fn run_changed(&mut self) {
        self.repaint();
    }

    /// Errors in the program?
    pub(super) fn broken(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// Goes to a step of the failing run (clamped), and selects its statement.
    pub(super) fn go_to(&mut self, step: usize) {
        let Some(last) = self.trace().len().checked_sub(1) else { return };
        let step = step.min(last);
        let entry = &self.trace()[step];
        let (line, edge) = (entry.line, entry.edge);
        let location = edge.and_then(|e| self.statement(e)).map(|s| s.location);
        self.step = Some(step);
        self.selection =
            Selection { line, locations: location.into_iter().collect(), statement: edge };
    }

    /// Selects what starts on a line.
    pub(super) fn select_line(&mut self, line: u32) {
        let here: Vec<&StatementView> =
            self.statements.iter().filter(|s| s.line == line && !s.hidden).collect();
        let mut locations: Vec<u32> = here.iter().map(|s| s.location).collect();
        locations.sort_unstable();
        locations.dedup();
        self.selection = match here.first() {
            Some(first) => Selection { line, locations, statement: Some(first.id) },
            // A line without statements: nothing to show, and no frame that follows the typing.
            None => Selection::default(),
        };
    }

    /// Selects a box.
    pub(super) fn select_location(&mut self, location: u32) {
        let Some(node) = self.graph.boxes.iter().find(|b| b.id == location) else { return };
        let (line, statement) = (node.line, node.statements.first().copied());
        self.selection = Selection { line, locations: vec![location], statement };
    }

    /// Box and statement of the current step.
    pub(super) fn current(&self) -> Option<(u32, Option<u32>)> {
        let edge = self.trace().get(self.step?)?.edge?;
        Some((self.statement(edge)?.location, Some(edge)))
    }

    /// The box where the shown run fails.
    pub(super) fn failing_location(&self) -> Option<u32> {
        self.statement(self.trace().last()?.edge?).map(|s| s.location)
    }

    /// A statement by its number.
    pub(super) fn statement(&self, id: u32) -> Option<&StatementView> {
        self.statements.binary_search_by_key(&id, |s| s.id).ok().map(|i| &self.statements[i])
    }

    /// Boxes with statements that only the naive projection keeps, if they are to be shown.
    pub(super) fn crossing(&self) -> Vec<u32> {
        let cross =
            self.answers.cross.as_deref().filter(|_| self.answers.beside).unwrap_or_default();
        let mut boxes: Vec<u32> = cross
            .iter()
            .filter_map(|id| self.statement(*id))
            .filter(|s| !s.hidden)
            .map(|s| s.location)
            .collect();
        boxes.dedup();
        boxes
    }

    pub(super) fn repaint(&mut self) {
        let report = self.shown().cloned();
        let lines = line_marks(&self.statements, report.as_deref());
        let fails = report.as_ref().and_then(|r| r.error.as_ref()).map_or(0, |e| e.line);
        let crossing =
            self.answers.cross.as_deref().filter(|_| self.answers.beside).unwrap_or_default();
        let mut cross: Vec<u32> = crossing
            .iter()
            .filter_map(|id| self.statement(*id))
            .filter(|s| !s.hidden)
            .map(|s| s.line)
            .collect();
        cross.sort_unstable();
        cross.dedup();
        let paint = Paint { lit: lines.lit, dim: lines.dim, cross, fails, causes: Vec::new() };
        if *self.paint != paint {
            self.paint = Shared::new(paint);
        }
        // A picture of what was before the last edit has nothing to say.
        let marks = if self.picture_of == self.graph {
            graph_marks(&self.picture, &self.statements, report.as_deref())
        } else {
            Marks::default()
        };
        if *self.marks != marks {
            self.marks = Shared::new(marks);
        }
        let picture = Some(&*self.picture).filter(|_| self.picture_of == self.graph);
        self.explain.repaint(&self.statements, picture);
    }
}
