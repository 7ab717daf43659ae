//! Passing tests as correct runs: the one that is closest to a failing run, and where the two part.
//!
//! The distance of two runs is the fewest statements to insert and to delete that make the one
//! sequence of executed statements from the other (Myers 1986, "An O(ND) Difference Algorithm and
//! Its Variations"). The closest of several is the first with the smallest distance. How often each
//! statement is executed bounds a distance from below, so that most runs need no more than that.

use crate::dependence::{is_condition, reads};
use crate::program::{Body, Program};
use crate::suite::{Test, Tested};
use faultline_c::code::Code;
use faultline_c::machine::{Limits, Machine, VariableView};
use faultline_c::tree::{PointId, Tree, VariableId};
use rustc_hash::FxHashMap;

/// Statements of a run that are compared: of a longer run the first.
const MOST: usize = 20_000;
/// Larger distances are not computed; runs so far apart are compared by how often they execute
/// each statement.
const FARTHEST: usize = 2_000;
/// Values that a parting tells.
const VALUES: usize = 4;
/// The longest value that is told.
const LONGEST: usize = 60;

/// The passing run that is closest to a failing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closest {
    /// Which test, by number.
    pub test: usize,
    /// How many statements differ; `None` if they are more than 2,000.
    pub distance: Option<u32>,
    /// Where the two runs part; `None` if they execute the same statements, as far as is known.
    pub parting: Option<Parting>,
    /// Are both runs as long as what was compared?
    pub whole: bool,
    /// Lines that the failing run executes, and no passing run, ascending.
    pub only: Vec<u32>,
}

/// The first place at which two runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The statement after which they go different ways: mostly a condition.
    pub point: PointId,
    /// How many statements both have executed, that one among them.
    pub after: u32,
    /// The failing run there.
    pub failing: Way,
    /// The passing run there.
    pub passing: Way,
}

/// How a run goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Of a condition: did it hold?
    pub held: Option<bool>,
    /// The next statement; `None` if the run ends.
    pub next: Option<PointId>,
    /// What the statement reads, before it is executed.
    pub values: Vec<(VariableId, String)>,
}

/// For each test that fails the passing run that is closest to it; `None` for the others, and where
/// no test passes. `stop` is asked before each comparison.
pub fn closest(
    program: &Program,
    tests: &[Test],
    tested: &[Tested],
    stop: &dyn Fn() -> bool,
) -> Vec<Option<Closest>> {
    let mut found = vec![None; tested.len()];
    // Runs of Java are not recorded.
    let Body::C(parts) = &program.body else { return found };
    let recorded = |k: usize| (k, Recorded::of(parts, &tests[k].input));
    let passing: Vec<(usize, Recorded)> =
        (0..tested.len()).filter(|k| tested[*k].passed() && !stop()).map(recorded).collect();
    for k in (0..tested.len()).filter(|k| !tested[*k].passed()) {
        if passing.is_empty() || stop() {
            break;
        }
        let failing = Recorded::of(parts, &tests[k].input);
        let Some((place, distance)) = nearest(&failing, &passing, stop) else { continue };
        let (test, other) = &passing[place];
        let inputs = (tests[k].input.as_slice(), tests[*test].input.as_slice());
        found[k] = Some(Closest {
            test: *test,
            distance,
            parting: parting(parts, (&failing, other), inputs),
            whole: failing.whole && other.whole,
            only: only(program, tested, k),
        });
    }
    found
}

/// A run, as the statements that it executes.
struct Recorded {
    points: Vec<PointId>,
    counts: FxHashMap<PointId, u32>,
    /// Are these all?
    whole: bool,
}

impl Recorded {
    fn of(parts: &(Tree, Code), input: &[u8]) -> Recorded {
        let mut machine = machine(parts, input);
        let mut points = Vec::new();
        let mut whole = true;
        while !machine.go(machine.points() + 1) {
            points.push(machine.point());
            if points.len() == MOST {
                whole = false;
                break;
            }
        }
        let mut counts = FxHashMap::default();
        points.iter().for_each(|point| *counts.entry(*point).or_default() += 1);
        Recorded { points, counts, whole }
    }

    /// At most as large as the distance.
    fn apart(&self, other: &Recorded) -> usize {
        let of = |run: &Recorded, point: &PointId| run.counts.get(point).copied().unwrap_or(0);
        let here = self.counts.iter().map(|(point, n)| n.abs_diff(of(other, point)) as usize);
        let there = other.counts.iter().filter(|(point, _)| !self.counts.contains_key(*point));
        here.sum::<usize>() + there.map(|(_, n)| *n as usize).sum::<usize>()
    }
}

fn machine<'p>((tree, code): &'p (Tree, Code), input: &'p [u8]) -> Machine<'p> {
    Machine::new(tree, code, input, Limits::default())
}

/// The place of the closest run in a list, and its distance.
fn nearest(
    failing: &Recorded,
    passing: &[(usize, Recorded)],
    stop: &dyn Fn() -> bool,
) -> Option<(usize, Option<u32>)> {
    let mut order: Vec<(usize, usize)> =
        passing.iter().enumerate().map(|(k, (_, run))| (failing.apart(run), k)).collect();
    order.sort_unstable();
    let mut best: Option<(usize, usize)> = None;
    for (apart, k) in &order {
        let most = best.map_or(FARTHEST, |(distance, _)| distance);
        // What comes behind is at least as far.
        if *apart > most || stop() {
            break;
        }
        let Some(distance) = distance(&failing.points, &passing[*k].1.points, most) else {
            continue;
        };
        if best.is_none_or(|best| (distance, *k) < best) {
            best = Some((distance, *k));
        }
    }
    match best {
        Some((distance, k)) => Some((k, Some(distance as u32))),
        None => order.first().map(|(_, k)| (*k, None)),
    }
}

/// The fewest insertions and deletions that make one sequence from the other; `None` if they are
/// more than `most`.
fn distance(a: &[PointId], b: &[PointId], most: usize) -> Option<usize> {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let most = most.min(a.len() + b.len());
    let middle = most + 1;
    // The furthest place in `a` on each diagonal.
    let mut furthest = vec![0usize; 2 * most + 3];
    for edits in 0..=most {
        for step in 0..=edits {
            // Diagonal -edits, -edits + 2, …, edits.
            let k = middle + 2 * step - edits;
            let down = step == 0 || step != edits && furthest[k - 1] < furthest[k + 1];
            let mut x = if down { furthest[k + 1] } else { furthest[k - 1] + 1 };
            if edits == 0 {
                x = 0;
            }
            // A diagonal that leaves `b` leads nowhere.
            let Some(mut y) = (x + middle).checked_sub(k) else { continue };
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[k] = x;
            if x >= a.len() && y >= b.len() {
                return Some(edits);
            }
        }
    }
    None
}

/// Lines that a failing run executes and no passing one, ascending.
fn only(program: &Program, tested: &[Tested], failing: usize) -> Vec<u32> {
    let executes = |one: &Tested, k: usize| one.run.passed.get(k).is_some_and(|count| *count > 0);
    let is_only = |k: &usize| {
        executes(&tested[failing], *k)
            && !tested.iter().any(|other| other.passed() && executes(other, *k))
    };
    let all = (0..program.points()).filter(is_only);
    let mut lines: Vec<u32> = all.filter_map(|k| program.line(PointId(k as u32))).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Where two runs part.
fn parting(
    parts: &(Tree, Code),
    (failing, passing): (&Recorded, &Recorded),
    inputs: (&[u8], &[u8]),
) -> Option<Parting> {
    let both = failing.points.iter().zip(&passing.points);
    let common = both.take_while(|(here, there)| here == there).count();
    let goes_on = |run: &Recorded| common < run.points.len();
    // The end of what was compared is no end of a run.
    let is_known = |run: &Recorded| goes_on(run) || run.whole;
    let differs = goes_on(failing) || goes_on(passing);
    if common == 0 || !differs || !is_known(failing) || !is_known(passing) {
        return None;
    }
    let (here, there) = (Moment::at(parts, inputs.0, common), Moment::at(parts, inputs.1, common));
    // The calls that return with that statement: the one that goes on decided.
    let depths = [here.after, there.after].into_iter().flatten();
    let returned = here.before.saturating_sub(depths.min()?);
    // In recursion equal statements may belong to calls of different depth.
    let is_same = here.calls.get(returned) == there.calls.get(returned);
    let returned = if is_same { returned } else { 0 };
    let point = here.calls.get(returned).copied()?;
    let condition = is_condition(&parts.0, point);
    let names = reads(&parts.0, point);
    let way = |moment: Moment| Way {
        held: moment.held.filter(|_| {
            condition
                && moment.after.is_some()
                && moment.after == moment.before.checked_sub(returned)
        }),
        values: moment.values(returned, &names),
        next: moment.next,
    };
    let (failing, passing) = (way(here), way(there));
    Some(Parting { point, after: common as u32, failing, passing })
}

/// A run before and after the last statement that it shares with another one.
struct Moment {
    /// The points of the calls, the innermost first.
    calls: Vec<PointId>,
    /// How many calls there are before it, and where the next statement is.
    before: usize,
    after: Option<usize>,
    next: Option<PointId>,
    held: Option<bool>,
    /// Variables of each call, the innermost first.
    frames: Vec<Vec<VariableView>>,
    globals: Vec<VariableView>,
}

impl Moment {
    fn at(parts: &(Tree, Code), input: &[u8], points: usize) -> Moment {
        let mut machine = machine(parts, input);
        machine.go(points as u64);
        let calls = machine.calls().collect();
        let before = machine.depth();
        let frames = machine.frames().into_iter().rev().map(|frame| frame.variables).collect();
        let globals = machine.global_variables();
        let goes_on = !machine.go(points as u64 + 1);
        let after = goes_on.then(|| machine.depth());
        let next = goes_on.then(|| machine.point());
        let held = goes_on.then(|| machine.held());
        Moment { calls, before, after, next, held, frames, globals }
    }

    /// The values of variables in a call. Addresses say nothing.
    fn values(&self, call: usize, names: &[VariableId]) -> Vec<(VariableId, String)> {
        let own = self.frames.get(call).into_iter().flatten();
        let all: Vec<&VariableView> = own.chain(&self.globals).collect();
        let value = |id: &VariableId| {
            let found = all.iter().find(|one| one.variable == *id)?;
            let text = found.value.clone()?;
            (text.chars().count() <= LONGEST).then_some((*id, text))
        };
        names.iter().filter_map(value).take(VALUES).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparison;
    use crate::suite::test;

    fn points(text: &str) -> Vec<PointId> {
        text.bytes().map(|byte| PointId(byte.into())).collect()
    }

    /// By the definition: the longest common subsequence stays.
    fn by_definition(a: &[PointId], b: &[PointId]) -> usize {
        let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] {
                    table[i][j] + 1
                } else {
                    table[i][j + 1].max(table[i + 1][j])
                };
            }
        }
        a.len() + b.len() - 2 * table[a.len()][b.len()]
    }

    #[test]
    fn distances_are_those_of_the_definition() {
        assert_eq!(distance(&points("abcabba"), &points("cbabac"), 100), Some(5));
        assert_eq!(distance(&points("abc"), &points("abc"), 0), Some(0));
        assert_eq!(distance(&points(""), &points("ab"), 9), Some(2));
        assert_eq!(distance(&points("ab"), &points("cd"), 3), None);
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..3000 {
            let mut word = || (0..below(12)).map(|_| PointId(below(3) as u32)).collect::<Vec<_>>();
            let (a, b) = (word(), word());
            let expected = by_definition(&a, &b);
            assert_eq!(distance(&a, &b, 100), Some(expected), "{a:?} {b:?}");
            let less = expected.checked_sub(1);
            assert_eq!(less.and_then(|less| distance(&a, &b, less)), None, "{a:?} {b:?}");
        }
    }

    fn closest_of(text: &str, tests: &[(&str, &str)]) -> (Program, Vec<Option<Closest>>) {
        let program = Program::read(text, &Default::default()).expect("a program");
        let tests: Vec<Test> = tests
            .iter()
            .map(|(input, expected)| Test {
                name: input.to_string(),
                input: input.as_bytes().to_vec(),
                expected: expected.as_bytes().to_vec(),
                exit: None,
            })
            .collect();
        let run = |one: &Test| test(&program, one, Comparison::Lines, Limits::default());
        let tested: Vec<Tested> = tests.iter().map(run).collect();
        let found = closest(&program, &tests, &tested, &|| false);
        (program, found)
    }

    const SUM: &str = "#include <stdio.h>\nint main(void) {\n  int n, x, sum = 0;\n  \
        scanf(\"%d\", &n);\n  for (int i = 1; i < n; i++) {\n    scanf(\"%d\", &x);\n    \
        sum += x;\n  }\n  printf(\"%d\\n\", sum);\n  return 0;\n}\n";

    #[test]
    fn runs_part_at_a_condition_with_its_values() {
        let tests = [("0", "0"), ("3 1 2 3", "6"), ("2 0 0", "0"), ("4 0 0 0 0", "0")];
        let (program, found) = closest_of(SUM, &tests);
        assert_eq!(found.iter().filter(|one| one.is_some()).count(), 1);
        let found = found[1].clone().expect("it fails");
        // One round less, or one more: the first of both.
        assert_eq!((found.test, found.distance, found.whole), (2, Some(4), true));
        assert_eq!(found.only, [0; 0]);
        let parting = found.parting.expect("they part");
        assert_eq!(program.line(parting.point), Some(5));
        let told = |way: &Way| {
            let name = |id: &VariableId| {
                program.tree().expect("it is in C").variables[id.index()].name.clone()
            };
            let values: Vec<String> =
                way.values.iter().map(|(id, value)| format!("{} = {value}", name(id))).collect();
            (way.held, way.next.and_then(|next| program.line(next)), values.join(", "))
        };
        assert_eq!(told(&parting.failing), (Some(true), Some(6), "n = 3, i = 2".into()));
        assert_eq!(told(&parting.passing), (Some(false), Some(9), "n = 2, i = 2".into()));
    }

    #[test]
    fn runs_that_part_where_a_call_returns() {
        let text = "#include <stdio.h>\nint even(int n) {\n  return n % 2 == 0;\n}\n\
            int main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  if (even(n))\n    n = 7;\n  \
            printf(\"%d\\n\", n);\n  return 0;\n}\n";
        let (program, found) = closest_of(text, &[("1", "1"), ("2", "2")]);
        let found = found[1].clone().expect("it fails");
        assert_eq!(found.only, [9]);
        let parting = found.parting.expect("they part");
        assert_eq!(program.line(parting.point), Some(8));
        assert_eq!((parting.failing.held, parting.passing.held), (Some(true), Some(false)));
    }

    #[test]
    fn one_way_with_other_values_and_runs_that_end() {
        let text = "#include <stdio.h>\nint main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  \
            printf(\"%d\\n\", 12 / n);\n  return 0;\n}\n";
        let (_, found) = closest_of(text, &[("1", "12"), ("5", "3")]);
        let found = found[1].clone().expect("it fails");
        assert_eq!((found.distance, found.parting, found.whole), (Some(0), None, true));
        let (program, found) = closest_of(text, &[("1", "12"), ("0", "0")]);
        let parting = found[1].clone().and_then(|one| one.parting).expect("one ends");
        assert_eq!(program.line(parting.point), Some(5));
        assert_eq!((parting.failing.next, parting.failing.held), (None, None));
        assert!(closest_of(text, &[("0", "0"), ("5", "3")]).1.iter().all(Option::is_none));
    }

    /// Calls of different depth execute the same statements; nothing panics, and what is told of a
    /// condition is told of both runs.
    #[test]
    fn recursions_of_different_depth() {
        let text = "#include <stdio.h>\nint f(int n) {\n  return n < 2 ? n : f(n - 1) + f(n - 2);\n}\n\
            int g(int n) {\n  if (n > 3 && f(n) > 4)\n    return g(n - 2);\n  return f(n);\n}\n\
            int main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  printf(\"%d\\n\", g(n));\n  \
            return 0;\n}\n";
        let inputs: Vec<String> = (0..14).map(|n| n.to_string()).collect();
        let expected = |k: usize| if k.is_multiple_of(3) { "7" } else { "1" };
        let tests: Vec<(&str, &str)> =
            inputs.iter().enumerate().map(|(k, input)| (input.as_str(), expected(k))).collect();
        let (_, found) = closest_of(text, &tests);
        assert!(found.iter().flatten().count() > 5);
        for parting in found.iter().flatten().filter_map(|one| one.parting.as_ref()) {
            let ways = [&parting.failing, &parting.passing];
            if let [Some(here), Some(there)] = ways.map(|way| way.held) {
                assert_ne!(here, there, "{parting:?}");
            }
        }
    }
}
