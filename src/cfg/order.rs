//! The order in which an analysis should visit locations.

use crate::lang::model::{Operation, Program};

/// A rank for each location: callees before callers, in each procedure a reverse postorder of its
/// graph. Locations that no path from an entry reaches have rank 0; every other location has its
/// own rank.
pub fn location_ranks(program: &Program) -> Vec<u32> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); program.procedures.len()];
    for id in program.edge_ids() {
        let edge = program.edge(id);
        out[edge.from].push(edge.to.0 as usize);
        if let Operation::Call { callee, .. } = edge.operation {
            calls[program.owner(id)].push(callee.0 as usize);
        }
    }
    let mut rank = vec![0; program.locations.len()];
    let mut next = 1;
    for procedure in
        postorder(&calls, [program.main].into_iter().chain(0..program.procedures.len()))
    {
        for location in
            postorder(&out, [program.procedures[procedure].entry.0 as usize]).into_iter().rev()
        {
            rank[location] = next;
            next += 1;
        }
    }
    rank
}

/// Depth-first postorder from the given roots, in order, without recursion.
pub fn postorder(successors: &[Vec<usize>], roots: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            match successors[*node].get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        path.push((successor, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn callees_come_first_and_loops_after_what_leads_to_them() {
        let source =
            "void f() { skip; } void main() { int x; x = 0; while (x < 3) { f(); x = x + 1; } }";
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let rank = location_ranks(&program);
        let of = |text: &str| {
            let edge = program
                .edges
                .iter()
                .find(|edge| edge.text.starts_with(text))
                .expect("the statement");
            rank[edge.from]
        };
        assert!(of("skip") < of("x = 0"));
        assert!(of("x = 0") < of("while"));
        assert!(of("while") < of("f()"));
        assert!(of("f()") < of("x = x + 1"));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let successors: Vec<Vec<usize>> =
            (0..200_000).map(|k| vec![(k + 1).min(199_999)]).collect();
        let order = postorder(&successors, [0]);
        assert_eq!((order.len(), order[0]), (200_000, 199_999));
    }
}
