//! The Qadeer-Rehof tree with its places: contexts from left to right, one column each.

use crate::wire::threads::TreeNode;
use std::collections::BTreeMap;

/// From one column to the next, in pixels.
pub const COLUMN: f64 = 190.0;
/// From one leaf to the next.
pub const ROW: f64 = 46.0;

/// A node's place: its left end, and the middle of its height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreePlace {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
}

/// The places of a tree's nodes, in their order, and the picture's width and height. A node stands
/// in the middle of its children; a node whose parent is not in the list is a root of its own.
pub fn tree_places(nodes: &[TreeNode]) -> (Vec<TreePlace>, f64, f64) {
    let index: BTreeMap<u32, usize> =
        nodes.iter().enumerate().map(|(k, node)| (node.number, k)).collect();
    let mut children = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (k, node) in nodes.iter().enumerate() {
        match node
            .parent
            .and_then(|parent| index.get(&parent))
            .filter(|parent| nodes[**parent].context < node.context)
        {
            Some(parent) => children[*parent].push(k),
            None => roots.push(k),
        }
    }
    let mut places = vec![TreePlace::default(); nodes.len()];
    let mut next = 0.0;
    // Each node twice: before its children and after them.
    let mut pending: Vec<(usize, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((k, over)) = pending.pop() {
        if children[k].is_empty() {
            places[k] = TreePlace { x: f64::from(nodes[k].context) * COLUMN, y: next + ROW / 2.0 };
            next += ROW;
        } else if over {
            let (first, last) = (children[k][0], children[k][children[k].len() - 1]);
            places[k] = TreePlace {
                x: f64::from(nodes[k].context) * COLUMN,
                y: (places[first].y + places[last].y) / 2.0,
            };
        } else {
            pending.push((k, true));
            pending.extend(children[k].iter().rev().map(|child| (*child, false)));
        }
    }
    let deepest = nodes.iter().map(|node| node.context).max().unwrap_or(0);
    (places, f64::from(deepest + 1) * COLUMN, next.max(ROW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::report::Values;

    fn node(number: u32, parent: Option<u32>, context: u32) -> TreeNode {
        TreeNode {
            number,
            parent,
            context,
            thread: None,
            globals: Values(Vec::new()),
            size: 1,
            same_as: None,
            fails: false,
        }
    }

    #[test]
    fn leaves_take_rows_and_parents_stand_between_them() {
        let nodes = [
            node(0, None, 0),
            node(1, Some(0), 1),
            node(2, Some(0), 1),
            node(3, Some(1), 2),
            node(4, Some(1), 2),
        ];
        let (places, width, height) = tree_places(&nodes);
        let at = |k: usize| (places[k].x, places[k].y);
        assert_eq!(at(3), (2.0 * COLUMN, ROW / 2.0));
        assert_eq!(at(4), (2.0 * COLUMN, 1.5 * ROW));
        assert_eq!(at(1), (COLUMN, ROW));
        assert_eq!(at(2), (COLUMN, 2.5 * ROW));
        assert_eq!(at(0), (0.0, 1.75 * ROW));
        assert_eq!((width, height), (3.0 * COLUMN, 3.0 * ROW));
    }

    #[test]
    fn a_cut_tree_and_one_that_points_nowhere_have_places() {
        let nodes = [node(7, Some(3), 4), node(8, Some(8), 1)];
        let (places, _, height) = tree_places(&nodes);
        assert_eq!((places.len(), height), (2, 2.0 * ROW));
        assert_eq!(tree_places(&[]).0, []);
    }
}
