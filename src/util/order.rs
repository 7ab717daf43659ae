//! Order where speed does not matter: one sort for all types.
//!
//! The standard library's stable sort is compiled anew for each type and each key, 4 KB of
//! WebAssembly every time, and so it is wherever a map or a set is collected. The page and its
//! worker are downloaded before anything is checked. So what is sorted a few times per answer is
//! sorted here; what is hot uses the standard library.

use std::cmp::Ordering;

/// Sorts stably, as the slice's method of this name does.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut places = sorted_places(items.len(), &mut |left, right| {
        compare(&items[left as usize], &items[right as usize])
    });
    // `places[k]` is where the item that belongs to k is. Each cycle is gone round once.
    for start in 0..items.len() {
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut places[to], to as u32) as usize;
            if from == start {
                break;
            }
            items.swap(to, from);
            to = from;
        }
    }
}

/// Sorts stably by a key, as the slice's method of this name does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |left, right| key(left).cmp(&key(right)));
}

fn sorted_places(count: usize, compare: &mut dyn FnMut(u32, u32) -> Ordering) -> Vec<u32> {
    let mut places: Vec<u32> = (0..count as u32).collect();
    places.sort_by(|left, right| compare(*left, *right));
    places
}

/// Collects into a map or a set by inserting one after the other. Its own `collect` sorts first.
pub fn inserted<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut collection = C::default();
    collection.extend(items);
    collection
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        // Keys repeat, so that a sort that is not stable is found out.
        for (count, factor) in [(0, 1), (1, 1), (2, 7), (50, 7), (300, 37), (300, 299)] {
            let items: Vec<(u32, u32)> = (0..count).map(|k| (k * factor % 101 / 3, k)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
            sort_by(&mut ours, |left, right| right.cmp(left));
            theirs.sort_by(|left, right| right.cmp(left));
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn what_is_inserted_is_what_is_collected() {
        let pairs = [(3, 'a'), (1, 'b'), (3, 'c')];
        let ours: BTreeMap<i32, char> = inserted(pairs);
        assert_eq!(ours, pairs.into_iter().collect());
    }
}
