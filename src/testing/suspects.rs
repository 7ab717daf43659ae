//! Where the mistake is: lines by how much speaks for them.
//!
//! Three kinds of evidence come together; the last two in C only. *Spectrum*: which points failing
//! tests pass and passing tests do not (Ochiai's coefficient; Abreu, Zoeteweij, van Gemund 2007).
//! *Dependence*: how far a point is from the output that was wrong first. *Changes*: a change of
//! one place with which more tests pass. A change counts as a repair only if all tests pass with
//! it.

use crate::changes::{Change, ChangeKind, Wanted, changes};
use crate::compare::Comparison;
use crate::dependence::distances;
use crate::program::Program;
use crate::suite::{Outcome, Test, Tested, test};
use faultline_c::machine::{Limits, Remark};
use faultline_c::tree::PointId;
use rustc_hash::FxHashMap;

/// A line that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Which, from 1.
    pub line: u32,
    /// How much speaks for it, at most 1.
    pub score: f64,
    /// What kind of mistake it would be, if a change says so.
    pub kind: Option<ChangeKind>,
    /// The best change of this line with which all tests pass.
    pub change: Option<Change>,
}

/// What a search for the mistake found.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The lines, worst first.
    pub suspects: Vec<Suspect>,
    /// All changes with which all tests pass, best first.
    pub repairs: Vec<Change>,
    /// How many changes were tried.
    pub tried: u32,
    /// Were some left out, because the budget ran out?
    pub cut: bool,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Operations of the machine, all runs together.
    pub steps: u64,
    /// Changes.
    pub changes: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 400_000_000, changes: 3000 }
    }
}

/// What a search is about.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The program.
    pub program: &'q Program,
    /// Its tests.
    pub tests: &'q [Test],
    /// How each went.
    pub tested: &'q [Tested],
    /// How outputs are compared.
    pub by: Comparison,
    /// How long it may take.
    pub budget: Budget,
    /// Asked before each change: must the search end?
    pub stop: &'q dyn Fn() -> bool,
}

/// Ranks the lines of a program of which some tests fail.
pub fn search(question: Question) -> Search {
    let Question { program, tested, .. } = question;
    let mut found = Search::default();
    let Some(first) = tested.iter().position(|tested| !tested.passed()) else { return found };
    let mut scores = spectrum(program, tested);
    near_the_output(program, tested, &mut scores);
    try_changes(question, first, &mut scores, &mut found);
    found.suspects = by_line(program, &scores, &found.repairs);
    found
}

/// What speaks for a point.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    score: f64,
    kind: Option<ChangeKind>,
    /// The best gain of a change here.
    gain: f64,
}

type Scores = FxHashMap<PointId, Evidence>;

fn spectrum(program: &Program, tested: &[Tested]) -> Scores {
    let failing = tested.iter().filter(|tested| !tested.passed()).count() as f64;
    let mut scores = Scores::default();
    for k in 0..program.points() as u32 {
        let point = PointId(k);
        if program.line(point).is_none() {
            continue;
        }
        let passes = |tested: &&Tested| tested.run.passed[point.index()] > 0;
        let failed = tested.iter().filter(|t| !t.passed()).filter(passes).count() as f64;
        let passed = tested.iter().filter(|t| t.passed()).filter(passes).count() as f64;
        if failed > 0.0 {
            let ochiai = failed / (failing * (failed + passed)).sqrt();
            scores.insert(point, Evidence { score: 0.30 * ochiai, ..Evidence::default() });
        }
    }
    scores
}

/// Points from which the first wrong output comes, near ones first, and reads without a value.
fn near_the_output(program: &Program, tested: &[Tested], scores: &mut Scores) {
    let failing: Vec<&Tested> = tested.iter().filter(|tested| !tested.passed()).take(4).collect();
    let share = 1.0 / failing.len().max(1) as f64;
    let mut known: FxHashMap<PointId, FxHashMap<PointId, u32>> = FxHashMap::default();
    for tested in failing {
        let Some(point) = tested.point else { continue };
        let far = known.entry(point).or_insert_with(|| match program.tree() {
            Some(tree) => distances(tree, point),
            None => FxHashMap::from_iter([(point, 0)]),
        });
        // White space is a matter of what printed it alone.
        let presentation = matches!(&tested.outcome, Outcome::Failed(found)
            if found.kind == crate::compare::DifferenceKind::WhiteSpace
                || found.kind == crate::compare::DifferenceKind::Words);
        for (other, distance) in far.iter() {
            if let Some(evidence) = scores.get_mut(other) {
                let near = if presentation && *distance > 0 {
                    0.03
                } else {
                    0.22 / (1.0 + f64::from(*distance))
                };
                evidence.score += share * near;
            }
        }
        if let Some((Remark::NoValue(variable), read)) = tested.no_value
            && let Some(tree) = program.tree()
        {
            for (k, point) in tree.points.iter().enumerate() {
                let declares = variable.is_some_and(|variable| {
                    let span = tree.variables[variable.index()].span;
                    point.span.start <= span.start && span.end <= point.span.end
                });
                if declares || PointId(k as u32) == read {
                    let evidence = scores.entry(PointId(k as u32)).or_default();
                    evidence.score += share * if declares { 0.4 } else { 0.2 };
                }
            }
        }
    }
}

/// How much better a program became by a change: 1 if all tests pass.
fn gain(before: &[Tested], after: &[Option<Tested>]) -> f64 {
    let total = before.len().max(1) as f64;
    let mut sum = 0.0;
    let mut worse = false;
    for (old, new) in before.iter().zip(after) {
        match new {
            Some(new) if new.passed() && !old.passed() => sum += 1.0,
            Some(new) if !new.passed() && old.passed() => worse = true,
            _ => {}
        }
    }
    let failing = before.iter().filter(|old| !old.passed()).count().max(1) as f64;
    if worse { 0.1 * sum / total } else { sum / failing }
}

/// Tries changes, and adds what they say to the scores. `first` is a test that fails.
fn try_changes(question: Question, first: usize, scores: &mut Scores, found: &mut Search) {
    let Question { program, tests, tested, by, budget, stop } = question;
    let Some(tree) = program.tree() else { return };
    let mut wanted = Wanted::default();
    for tested in tested {
        if let Outcome::Failed(difference) = &tested.outcome {
            wanted.lines.push((difference.expected.clone(), difference.printed.clone()));
        }
    }
    wanted.lines.truncate(6);
    let passes = |point: PointId| {
        // What no failing test executes cannot mend one.
        scores.contains_key(&point)
    };
    let mut list = changes(tree, &program.text, &wanted, &passes);
    let score = |change: &Change| {
        change.point.and_then(|point| scores.get(&point)).map_or(0.0, |e| e.score)
            + prior(change.kind)
    };
    list.sort_by(|a, b| score(b).total_cmp(&score(a)));
    // The other failing tests first: they refute most changes that mend the first by accident.
    let mut order: Vec<usize> = (0..tests.len()).filter(|k| *k != first).collect();
    order.sort_by_key(|k| tested[*k].passed());
    order.insert(0, first);
    let most =
        tested.iter().map(|tested| tested.run.steps).filter(|steps| *steps < 5_000_000).max();
    let limits = Limits { steps: most.unwrap_or(0) * 4 + 100_000, ..Limits::default() };
    let mut steps = 0u64;
    let mut repairs: Vec<(f64, Change)> = Vec::new();
    for change in list {
        if found.tried >= budget.changes || steps > budget.steps || stop() {
            found.cut = true;
            break;
        }
        found.tried += 1;
        let Some(text) = change.applied(&program.text) else { continue };
        let Ok(changed) = program.changed(&text) else { continue };
        let mut after: Vec<Option<Tested>> = vec![None; tests.len()];
        let mut all = true;
        for k in &order {
            let new = test(&changed, &tests[*k], by, limits);
            steps += new.run.steps;
            let passed = new.passed();
            after[*k] = Some(new);
            if !passed {
                all = false;
                // A first test that still fails: this change mends nothing, unless others fail in
                // another way.
                if *k == first || tested[*k].passed() {
                    break;
                }
            }
        }
        let better = gain(tested, &after);
        if better <= 0.0 {
            continue;
        }
        if let Some(point) = change.point {
            let evidence = scores.entry(point).or_default();
            let weighted = if all { 1.0 + prior(change.kind) } else { 0.3 * better };
            if weighted > evidence.gain {
                evidence.gain = weighted;
                evidence.kind = Some(change.kind);
            }
        }
        if all {
            let at = change.point.and_then(|point| scores.get(&point)).map_or(0.0, |e| e.score);
            repairs.push((prior(change.kind) + at, change));
        }
    }
    repairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.repairs = repairs.into_iter().map(|(_, change)| change).collect();
}

/// How often people make the kind of mistake, roughly.
fn prior(kind: ChangeKind) -> f64 {
    match kind {
        ChangeKind::Output => 0.30,
        ChangeKind::Comparison => 0.28,
        ChangeKind::Constant | ChangeKind::InitialValue => 0.24,
        ChangeKind::OffByOne | ChangeKind::Operator => 0.22,
        ChangeKind::Variable | ChangeKind::Type => 0.18,
        ChangeKind::Condition => 0.15,
        ChangeKind::Statement => 0.10,
    }
}

fn by_line(program: &Program, scores: &Scores, repairs: &[Change]) -> Vec<Suspect> {
    let mut lines: FxHashMap<u32, Suspect> = FxHashMap::default();
    for (point, evidence) in scores {
        let Some(line) = program.line(*point) else { continue };
        let score = evidence.score + evidence.gain;
        let suspect =
            lines.entry(line).or_insert(Suspect { line, score: 0.0, kind: None, change: None });
        if score > suspect.score {
            suspect.score = score;
        }
        if evidence.kind.is_some() && suspect.kind.is_none() {
            suspect.kind = evidence.kind;
        }
    }
    for change in repairs.iter().rev() {
        let line = change.span.line;
        if let Some(suspect) = lines.get_mut(&line) {
            suspect.kind = Some(change.kind);
            suspect.change = Some(change.clone());
        }
    }
    let mut list: Vec<Suspect> = lines.into_values().collect();
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
    let most = list.first().map_or(1.0, |suspect| suspect.score).max(1.0);
    list.iter_mut().for_each(|suspect| suspect.score /= most);
    list
}
