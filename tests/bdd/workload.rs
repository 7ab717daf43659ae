//! The benchmark's workload against an enumeration.

use crate::reachable_squares;

#[test]
fn reachable_squares_modulo_1024() {
    let run = reachable_squares::run(10);
    let (mut reached, mut frontier, mut images) = (vec![false; 1024], vec![0u32, 1], 0);
    reached[0] = true;
    reached[1] = true;
    while !frontier.is_empty() {
        let next = frontier
            .iter()
            .map(|x| (x * x + x + 13) % 1024)
            .collect::<std::collections::BTreeSet<u32>>();
        frontier = next
            .into_iter()
            .filter(|y| !std::mem::replace(&mut reached[*y as usize], true))
            .collect();
        images += 1;
    }
    assert_eq!(run.images, images);
    assert_eq!(run.states.to_u64(), Some(reached.iter().filter(|r| **r).count() as u64));
    assert!(run.peak_nodes > 1000 && run.steps > 1000 && run.bytes > 0);
}
