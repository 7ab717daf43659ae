//! Collects all edits that a search for repairs tries, in the order of suspicion.

use super::holes::Hole;
use super::insertions::{initialisations, missing_statements, missing_values};
use super::judging::Judging;
use super::mutations::{Pool, larger_arrays, mutations};
use super::open_number::OpenNumber;
use super::person::ODD;
use super::source::Source;
use super::{Candidate, HANDICAP, RepairHints};
use crate::analysis::replay::ReplayedRun;
use crate::lang::model::{EdgeId, ErrorKind, ProcedureId, Program, Span, StatementKind};
use crate::util::order::{inserted, sort_by_key};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The most statements whose edits are tried, from the beginning of the order of suspicion.
const MOST_SUSPECTS: usize = 60;

/// The result of collecting.
pub(super) struct Collected {
    /// Statements in the order of suspicion.
    pub(super) suspects: Vec<EdgeId>,
    /// Constants of the program.
    pub(super) numbers: Vec<i128>,
    /// The edits.
    pub(super) edits: Edits,
}

/// Edits that are to be tried, best first.
#[derive(Default)]
pub(super) struct Edits {
    pub(super) candidates: VecDeque<Candidate>,
    pub(super) numbers: VecDeque<OpenNumber>,
}

impl Edits {
    /// Is no edit left?
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty() && self.numbers.is_empty()
    }

    /// Does the search for a number come next, and not the trial of a candidate?
    pub(super) fn is_number_next(&self) -> bool {
        match (self.candidates.front(), self.numbers.front()) {
            (Some(candidate), Some(number)) => {
                (number.weakens, number.score) < (candidate.weakens, candidate.score)
            }
            (None, Some(_)) => true,
            _ => false,
        }
    }
}

/// Collects the edits of the program in `text`, which fails by this run.
pub(super) fn collect(
    text: &str,
    program: &Program,
    run: &ReplayedRun,
    hints: &RepairHints,
) -> Collected {
    let source = Source::new(text, program, &hints.trusted);
    let pool = Pool::of(&source, program);
    let suspects = suspects(program, run, hints);
    let on_run: BTreeSet<EdgeId> = inserted(run.entries.iter().map(|entry| entry.edge));
    let mut candidates = initialisations(&source, program, &hints.initialise);
    candidates.extend(missing_values(&source, program, run));
    candidates.extend(missing_statements(&source, program, &on_run, &suspects));
    if run.check.kind == ErrorKind::Bounds
        && let Some(failing) = run.entries.last()
    {
        candidates.extend(larger_arrays(&source, program, failing.edge));
    }
    for (suspicion, edge) in (0u32..).zip(&suspects) {
        candidates.extend(mutations(&source, program, &pool, *edge, suspicion));
    }
    let judging = Judging::of(program, &pool.property);
    for candidate in &mut candidates {
        candidate.weakens = judging.contains(candidate.edge);
    }
    sort_by_key(&mut candidates, |candidate| (candidate.weakens, candidate.score));
    let mut seen: BTreeSet<(u32, u32, String)> = BTreeSet::new();
    candidates.retain(|c| seen.insert((c.edit.start, c.edit.end, c.edit.text.clone())));
    let mut numbers = open_numbers(&source, program, &pool, &suspects);
    for number in &mut numbers {
        number.weakens = judging.contains(number.edge);
    }
    sort_by_key(numbers.make_contiguous(), |number| (number.weakens, number.score));
    let edits = Edits { candidates: candidates.into(), numbers };
    Collected { suspects, numbers: pool.numbers(), edits }
}

/// Statements in the order of suspicion: first those of the hints, then the rest of the failing run
/// from its end. Each place in the source occurs once.
fn suspects(program: &Program, run: &ReplayedRun, hints: &RepairHints) -> Vec<EdgeId> {
    let mut suspects: Vec<EdgeId> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let whole = whole_statements(program);
    let rest = run.entries.iter().rev().map(|entry| entry.edge);
    for edge in hints.suspects.iter().copied().chain(rest) {
        let edge = whole.get(&place(program, edge)).copied().unwrap_or(edge);
        let span = program.edge(edge).span;
        let looked_at = !hints.trusted.contains(&program.owner(edge))
            && program.edge(edge).is_statement()
            && !program.is_shared(edge);
        if looked_at && !spans.contains(&span) && suspects.len() < MOST_SUSPECTS {
            spans.push(span);
            suspects.push(edge);
        }
    }
    suspects
}

/// Where an edge is: its procedure and its bytes of the source.
fn place(program: &Program, edge: EdgeId) -> (ProcedureId, u32, u32) {
    let span = program.edge(edge).span;
    (program.owner(edge), span.start, span.end)
}

/// By place: the statement itself. Of `if (a[i] < a[j])` the front end makes one edge that checks
/// the indices and is not edited, and the condition, which is.
fn whole_statements(program: &Program) -> BTreeMap<(ProcedureId, u32, u32), EdgeId> {
    let mut whole = BTreeMap::new();
    for id in program.edge_ids().filter(|id| program.edge(*id).kind == StatementKind::Hidden) {
        whole.insert(place(program, id), id);
    }
    for id in program.edge_ids().filter(|id| program.edge(*id).is_traced()) {
        if let Some(part) = whole.get_mut(&place(program, id)) {
            *part = id;
        }
    }
    whole
}

/// The numbers in these statements.
fn open_numbers(
    source: &Source<'_>,
    program: &Program,
    pool: &Pool,
    suspects: &[EdgeId],
) -> VecDeque<OpenNumber> {
    let mut numbers = VecDeque::new();
    for (suspicion, edge) in (0u32..).zip(suspects) {
        if !pool.may_be_edited(program, *edge) {
            continue;
        }
        for k in source.statement(program, *edge).filter(|k| !source.is_left_out(*k)) {
            let Some(value) = source.number(k) else { continue };
            if let Some(hole) = Hole::of_number(program, program.edge(*edge).span, value) {
                let bytes = (source.start(k), source.end(k));
                numbers.push_back(OpenNumber::new(hole, bytes, *edge, suspicion + HANDICAP * ODD));
            }
        }
    }
    numbers
}
