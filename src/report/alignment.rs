//! Aligns a failing run with a correct one: which entries belong together.

use crate::wire::localize::Alignment;
use crate::wire::report::TraceEntry;

/// The most pairs of entries that are compared where the two runs differ. Longer parts are aligned
/// only from the front and from the back.
const MOST: usize = 4_000_000;

/// Aligns two traces: first their common beginning, then a longest common subsequence of statements
/// at equal depths.
pub fn align(failing: &[TraceEntry], correct: &[TraceEntry]) -> Alignment {
    let same = |a: &TraceEntry, b: &TraceEntry| a.edge == b.edge && a.depth == b.depth;
    let shared =
        failing.iter().zip(correct).take_while(|(a, b)| same(a, b) && a.values == b.values).count();
    let way = failing.iter().zip(correct).take_while(|(a, b)| same(a, b)).count();
    let (left, right) = (&failing[way..], &correct[way..]);
    let back = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| same(a, b)).count();
    let (left, right) = (&left[..left.len() - back], &right[..right.len() - back]);
    let mut pairs: Vec<(usize, usize)> = (0..way).map(|k| (k, k)).collect();
    if left.len().saturating_mul(right.len()) <= MOST {
        let columns = right.len() + 1;
        // longest[i][j] is the length for the parts that start at i and j.
        let mut longest = vec![0u32; (left.len() + 1) * columns];
        for i in (0..left.len()).rev() {
            for j in (0..right.len()).rev() {
                longest[i * columns + j] = match same(&left[i], &right[j]) {
                    true => longest[(i + 1) * columns + j + 1] + 1,
                    false => longest[(i + 1) * columns + j].max(longest[i * columns + j + 1]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            if same(&left[i], &right[j]) {
                pairs.push((way + i, way + j));
                (i, j) = (i + 1, j + 1);
            } else if longest[(i + 1) * columns + j] >= longest[i * columns + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pairs.extend((0..back).rev().map(|k| (failing.len() - 1 - k, correct.len() - 1 - k)));
    let pairs = pairs.into_iter().map(|(a, b)| (a as u32, b as u32)).collect();
    Alignment { pairs, shared: shared as u32, same_way: way as u32 }
}
