//! The order of groups of variables that comes from what a program does.
//!
//! FORCE (Aloul, Markov, Sakallah 2003): statements pull the groups that they mention together. A
//! group moves to the mean of the centres of its statements, all groups at once, and so on while
//! statements become shorter. A statement pulls together with the one after it: a test and what is
//! done if it succeeds belong together, as `if (pc == 1) if (event == 1) state = 0;` shows.

use super::affinity::Affinity;
use crate::cfg::{read_by, read_in};
use crate::lang::model::{Edge, EdgeId, Operation, Program, VariableId};
use crate::util::order::inserted;
use crate::util::order::sort_by;
use std::collections::BTreeSet;

/// Statements that mention more groups than that say nothing about their order.
const MOST_GROUPS: usize = 12;
/// Rounds without a shorter order before the best one so far is taken.
const PATIENCE: u32 = 8;
const MOST_ROUNDS: u32 = 100;

/// The groups in a new order. `order` has each group once; it stays as it is where nothing shortens
/// the statements.
pub(super) fn arranged(program: &Program, affinity: &Affinity, order: &[u32]) -> Vec<u32> {
    let groups = order.iter().max().map_or(0, |group| *group as usize + 1);
    let mut place_of = vec![usize::MAX; groups];
    for (place, group) in order.iter().enumerate() {
        place_of[*group as usize] = place;
    }
    let pulls = pulls(program, affinity, &place_of);
    let mut best: Vec<usize> = (0..order.len()).collect();
    let mut positions: Vec<f64> = (0..order.len()).map(|k| k as f64).collect();
    let mut least = length(&pulls, &positions);
    let mut waited = 0;
    for _ in 0..MOST_ROUNDS {
        let sequence = round(&pulls, &mut positions);
        let now = length(&pulls, &positions);
        if now < least {
            (least, best, waited) = (now, sequence, 0);
        } else {
            waited += 1;
            if waited == PATIENCE {
                break;
            }
        }
    }
    best.into_iter().map(|place| order[place]).collect()
}

/// Moves each group; then positions are numbers from 0 again. The groups in their new order.
fn round(pulls: &[Vec<usize>], positions: &mut [f64]) -> Vec<usize> {
    let mut sums = vec![(0.0, 0u32); positions.len()];
    for pull in pulls {
        let centre = pull.iter().map(|group| positions[*group]).sum::<f64>() / pull.len() as f64;
        for group in pull {
            sums[*group].0 += centre;
            sums[*group].1 += 1;
        }
    }
    let moved: Vec<f64> = sums
        .iter()
        .zip(positions.iter())
        .map(|((sum, count), old)| if *count == 0 { *old } else { sum / f64::from(*count) })
        .collect();
    let mut sequence: Vec<usize> = (0..positions.len()).collect();
    sort_by(&mut sequence, |a, b| moved[*a].total_cmp(&moved[*b]).then(a.cmp(b)));
    for (place, group) in sequence.iter().enumerate() {
        positions[*group] = place as f64;
    }
    sequence
}

/// From the first to the last group of each statement, added up.
fn length(pulls: &[Vec<usize>], positions: &[f64]) -> f64 {
    let span = |pull: &Vec<usize>| {
        let places = pull.iter().map(|group| positions[*group]);
        places.clone().fold(f64::MIN, f64::max) - places.fold(f64::MAX, f64::min)
    };
    pulls.iter().map(span).sum()
}

/// By statement: the groups that it and each statement behind it mention.
fn pulls(program: &Program, affinity: &Affinity, place_of: &[usize]) -> Vec<Vec<usize>> {
    let mentioned: Vec<BTreeSet<VariableId>> = program.edges.iter().map(mentioned).collect();
    let mut leaving = vec![Vec::new(); program.locations.len()];
    for id in program.edge_ids() {
        leaving[program.edge(id).from.0 as usize].push(id);
    }
    let mut pulls = BTreeSet::new();
    for id in program.edge_ids() {
        let groups = |variables: &BTreeSet<VariableId>| -> BTreeSet<usize> {
            inserted(variables.iter().map(|v| place_of[affinity.group(*v) as usize]))
        };
        let own = groups(&mentioned[id.0 as usize]);
        let behind = &leaving[program.edge(id).to.0 as usize];
        let with = |next: &EdgeId| &own | &groups(&mentioned[next.0 as usize]);
        let all = behind.iter().map(with).chain([own.clone()]);
        let few = |pull: &BTreeSet<usize>| (2..=MOST_GROUPS).contains(&pull.len());
        pulls.extend(all.filter(few).map(Vec::from_iter));
    }
    pulls.into_iter().collect()
}

fn mentioned(edge: &Edge) -> BTreeSet<VariableId> {
    let mut mentioned = BTreeSet::new();
    edge.checks.iter().for_each(|check| read_in(&check.condition, &mut mentioned));
    read_by(&edge.operation, &mut mentioned);
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) => {}
        Operation::Havoc(variables) => mentioned.extend(variables),
        Operation::Call { result, .. } => mentioned.extend(result),
        Operation::Assign(list) => mentioned.extend(list.iter().map(|(place, _)| place.variable())),
    }
    mentioned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    /// A schedule of two threads as programs of SystemC are: all counters are declared first, then
    /// all states, then all events.
    const SCHEDULE: &str = "int a_pc, b_pc, a_state, b_state, a_event, b_event;
        void run() {
            while (*) {
                if (a_pc == 1) { if (a_event == 1) { a_state = 0; } }
                if (b_pc == 1) { if (b_event == 1) { b_state = 0; } }
            }
        }
        void main() { run(); }";

    fn program(source: &str) -> Program {
        crate::lang::load(source, &RequestedOptions::default()).program.expect("a program")
    }

    #[test]
    fn what_statements_mention_together_comes_together() {
        let program = program(SCHEDULE);
        let affinity = Affinity::of(&program);
        let globals: Vec<u32> = program.globals().map(|v| affinity.group(v)).collect();
        assert_eq!(globals, [0, 1, 2, 3, 4, 5]);
        let mut arranged = arranged(&program, &affinity, &globals);
        // Event and state of each thread were two places apart.
        let place = |group: u32| arranged.iter().position(|other| *other == group).unwrap();
        assert_eq!([place(2).abs_diff(place(4)), place(3).abs_diff(place(5))], [1, 1]);
        let positions: Vec<f64> = globals.iter().map(|group| place(*group) as f64).collect();
        let declared: Vec<f64> = globals.iter().map(|group| f64::from(*group)).collect();
        let pulls = pulls(&program, &affinity, &[0, 1, 2, 3, 4, 5]);
        assert!(length(&pulls, &positions) < length(&pulls, &declared), "{arranged:?}");
        arranged.sort_unstable();
        assert_eq!(arranged, globals);
    }

    #[test]
    fn an_order_in_which_all_is_together_stays() {
        let program = program("int a, b, c; void main() { if (a == 1) b = 1; if (b == 1) c = 2; }");
        let affinity = Affinity::of(&program);
        assert_eq!(arranged(&program, &affinity, &[0, 1, 2]), [0, 1, 2]);
    }
}
