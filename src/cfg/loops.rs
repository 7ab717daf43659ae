//! Loops: strongly connected parts of a procedure's graph that are entered at one location.
//!
//! The algorithm takes components apart. A component that is entered at one place only is a loop,
//! and that place is its header. Without the header, the rest of the loop has components again: the
//! inner loops (Bourdoncle 1993, "Efficient chaotic iteration strategies with widenings", § 3). If
//! jumps enter a component at several places, it is left out, with everything inside it.

use super::order::postorder;
use crate::lang::model::{LocationId, Program};
use crate::util::order::inserted;
use std::collections::BTreeMap;

/// Loops nested deeper than this are left out.
const MAX_NESTING: u32 = 64;

/// A loop: every path into it comes through the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The location at which each round begins.
    pub header: LocationId,
    /// All locations of the loop, ascending. The header is one of them.
    pub body: Vec<LocationId>,
}

impl Loop {
    /// Is the location inside?
    pub fn contains(&self, location: LocationId) -> bool {
        self.body.binary_search(&location).is_ok()
    }
}

/// All loops, outer ones before those inside.
pub fn loops(program: &Program) -> Vec<Loop> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    for edge in &program.edges {
        into[edge.to].push(edge.from.0 as usize);
    }
    let mut found = Vec::new();
    let mut level: Vec<Vec<usize>> = vec![(0..program.locations.len()).collect()];
    for _ in 0..MAX_NESTING {
        let components: Vec<Vec<usize>> =
            level.iter().flat_map(|part| components(part, &into)).collect();
        level = Vec::new();
        for component in components {
            let outside = |from: &usize| component.binary_search(from).is_err();
            let entered: Vec<usize> =
                component.iter().copied().filter(|k| into[*k].iter().any(outside)).collect();
            if let [header] = entered[..] {
                level.push(component.iter().copied().filter(|k| *k != header).collect());
                let body = component.into_iter().map(|k| LocationId(k as u32)).collect();
                found.push(Loop { header: LocationId(header as u32), body });
            }
        }
    }
    found
}

/// The strongly connected components of the graph on `part` (ascending) that have an edge inside;
/// each ascending.
pub(super) fn components(part: &[usize], into: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let number: BTreeMap<usize, usize> =
        inserted(part.iter().enumerate().map(|(k, location)| (*location, k)));
    let back: Vec<Vec<usize>> = part
        .iter()
        .map(|location| {
            into[*location].iter().filter_map(|from| number.get(from).copied()).collect()
        })
        .collect();
    let mut forth: Vec<Vec<usize>> = vec![Vec::new(); part.len()];
    for (to, sources) in back.iter().enumerate() {
        sources.iter().for_each(|from| forth[*from].push(to));
    }
    // Kosaraju: along the edges backwards, roots in reverse postorder of the edges forwards.
    let mut component = vec![usize::MAX; part.len()];
    let mut all: Vec<Vec<usize>> = Vec::new();
    for root in postorder(&forth, 0..part.len()).into_iter().rev() {
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if component[node] != usize::MAX {
                continue;
            }
            if node == root {
                all.push(Vec::new());
            }
            component[node] = all.len() - 1;
            all.last_mut().expect("the root made one").push(part[node]);
            waiting.extend(&back[node]);
        }
    }
    all.retain(|members| members.len() > 1 || into[members[0]].contains(&members[0]));
    all.iter_mut().for_each(|members| members.sort_unstable());
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    fn of(source: &str) -> (Program, Vec<Loop>) {
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let loops = loops(&program);
        (program, loops)
    }

    #[test]
    fn nested_loops_outer_first() {
        let (program, loops) = of(
            "void main() { int x, y;\n while (x < 3) {\n while (y < 3) { y = y + 1; } x = x + 1; }\n while (*) { skip; } }",
        );
        let mut lines: Vec<u32> = loops.iter().map(|l| program.location(l.header).line).collect();
        assert_eq!(lines.len(), 3);
        let (inner, outer) =
            (lines.iter().position(|l| *l == 3), lines.iter().position(|l| *l == 2));
        assert!(outer < inner, "{lines:?}");
        lines.sort_unstable();
        assert_eq!(lines, [2, 3, 4]);
        let find = |line: u32| {
            loops.iter().find(|l| program.location(l.header).line == line).expect("found")
        };
        assert!(find(3).body.iter().all(|location| find(2).contains(*location)));
        assert!(find(4).body.iter().all(|location| !find(2).contains(*location)));
    }

    #[test]
    fn a_component_entered_at_two_places_is_none() {
        let (_, loops) = of(
            "void main() { int x; if (x > 0) { goto b; }\na: x = x + 1; \nb: x = x - 1; goto a; }",
        );
        assert_eq!(loops, []);
    }
}
