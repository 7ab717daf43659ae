//! The oracle against plain search: all configurations of small programs, whole stacks included, by
//! the product's interpreter. This compares the two interpreters, and the saturation with something
//! that cannot be wrong in the same way.

use crate::explicit::{Settings, explore};
use crate::load;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::lang::interpreter::{Configuration, Machine, Outcome};
use faultline::lang::model::*;
use rustc_hash::FxHashMap;

/// Configurations at most.
const CAP: usize = 4000;
/// Pending calls at most; a recursion without end is not for this search.
const DEEPEST: u32 = 6;

/// All configurations met, by number.
#[derive(Default)]
struct Met {
    numbers: FxHashMap<Configuration, usize>,
    waiting: Vec<Configuration>,
}

impl Met {
    fn number(&mut self, configuration: Configuration) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(configuration).or_insert_with_key(|configuration| {
            self.waiting.push(configuration.clone());
            next
        })
    }
}

/// Which edges some run executes, and which some failing run; `None` if the search does not end
/// early enough.
fn search(program: &Program) -> Option<(Vec<bool>, Vec<bool>)> {
    let machine = Machine::new(program);
    let (starts, complete) = machine.starts(1 << 8);
    if !complete {
        return None;
    }
    let mut met = Met::default();
    for start in starts {
        met.number(start);
    }
    // From, edge, and to (nothing: it fails).
    let mut steps: Vec<(usize, EdgeId, Option<usize>)> = Vec::new();
    while let Some(configuration) = met.waiting.pop() {
        if met.numbers.len() > CAP || steps.len() > 20 * CAP || configuration.depth() > DEEPEST {
            return None;
        }
        let from = met.number(configuration.clone());
        let next = machine.successors(&configuration, 1 << 8);
        if !next.complete {
            return None;
        }
        for transition in next.transitions {
            let to = match transition.outcome {
                Outcome::Next(after) => Some(met.number(after)),
                Outcome::Error(_) => None,
                Outcome::Blocked => unreachable!("the interpreter leaves these out"),
            };
            steps.push((from, transition.step.edge, to));
        }
    }
    let numbers = met.numbers;
    let mut fails = vec![false; numbers.len()];
    let mut before: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut waiting = Vec::new();
    for (from, _, to) in &steps {
        match to {
            Some(to) => before.entry(*to).or_default().push(*from),
            None => waiting.push(*from),
        }
    }
    while let Some(number) = waiting.pop() {
        if !std::mem::replace(&mut fails[number], true) {
            waiting.extend(before.get(&number).into_iter().flatten());
        }
    }
    let mut reached = vec![false; program.edges.len()];
    let mut projection = reached.clone();
    for (_, edge, to) in steps {
        reached[edge.0 as usize] = true;
        projection[edge.0 as usize] |= to.is_none_or(|to| fails[to]);
    }
    Some((reached, projection))
}

#[test]
fn saturation_agrees_with_plain_search() {
    let (mut compared, mut with_calls) = (0, 0);
    each(2000..2400, generate::sequential, |seed, source| {
        let program = load(source).expect("a good program");
        let Some((reached, projection)) = search(&program) else { return };
        let Some(answer) = explore(&program, Settings::default()) else { return };
        assert_eq!(answer.reached, reached, "seed {seed}\n{source}");
        assert_eq!(answer.projection, projection, "seed {seed}\n{source}");
        compared += 1;
        let calls = |edge: &Edge| matches!(edge.operation, Operation::Call { .. });
        with_calls += u32::from(
            program.edges.iter().zip(&reached).any(|(edge, reached)| *reached && calls(edge)),
        );
    });
    assert!(compared >= 60 && with_calls >= 40, "{compared} programs, {with_calls} with calls");
}
