//! An unrolling in pictures and words.

use crate::draw::paint::{Mark, Marks};
use crate::draw::svg::{self, Painting, Theme};
use crate::draw::words::{counted, grouped};
use crate::wire::unrolling::{UnrolledBound, UnrollingEnd};
use std::collections::BTreeMap;

/// The `<svg>` element for the page.
pub fn markup(bound: &UnrolledBound) -> String {
    let marks = marks(bound);
    svg::painted_markup(&bound.graph, &painting(bound, &marks))
}

/// A picture that stands alone.
pub fn standalone(bound: &UnrolledBound, theme: Theme) -> String {
    let marks = marks(bound);
    svg::standalone(&bound.graph, &painting(bound, &marks), theme)
}

/// What no run comes to recedes.
fn marks(bound: &UnrolledBound) -> Marks {
    let mut marks = Marks {
        boxes: vec![Mark::Plain; bound.graph.boxes.len()],
        arrows: vec![Mark::Plain; bound.graph.arrows.len()],
    };
    let dim = |mark: Option<&mut Mark>| {
        if let Some(mark) = mark {
            *mark = Mark::Dim;
        }
    };
    bound.unreached.iter().for_each(|id| dim(marks.boxes.get_mut(*id as usize)));
    for (k, arrow) in bound.graph.arrows.iter().enumerate() {
        if [arrow.from, arrow.to].iter().any(|end| bound.unreached.contains(end)) {
            dim(marks.arrows.get_mut(k));
        }
    }
    marks
}

fn painting<'a>(bound: &UnrolledBound, marks: &'a Marks) -> Painting<'a> {
    let fails = bound.fails.first().map(|id| *id as usize);
    Painting { marks: Some(marks), fails, ..Painting::default() }
}

/// What the bound says, in one sentence.
pub fn answer(bound: &UnrolledBound) -> String {
    let k = bound.bound;
    let rounds = counted(k.into(), "round");
    match (bound.end, &bound.failing) {
        (UnrollingEnd::Open, _) => format!(
            "No run fails within {rounds} of each loop. Longer runs were not looked at, so this \
             proves nothing about them."
        ),
        (UnrollingEnd::Safe, _) => format!(
            "No run fails, and no run is longer than what k = {k} follows: here the bound is a \
             proof."
        ),
        (UnrollingEnd::Fails, Some((line, input))) if !input.is_empty() => {
            format!("A run fails in line {line}, with the input {}.", input.replace('\n', " "))
        }
        (UnrollingEnd::Fails, Some((line, _))) => format!("A run fails in line {line}."),
        (UnrollingEnd::Fails, None) => "A run fails.".into(),
        (UnrollingEnd::Unknown, _) => {
            format!("Whether a run fails within {rounds} of each loop was not found out.")
        }
    }
}

/// The same in a few words, for a row of bounds.
pub fn brief(bound: &UnrolledBound) -> &'static str {
    match bound.end {
        UnrollingEnd::Open => "none fails so far",
        UnrollingEnd::Safe => "none fails, proved",
        UnrollingEnd::Fails => "a run fails",
        UnrollingEnd::Unknown => "not found out",
    }
}

/// "1 copy", "4 copies"
pub fn copies_of(count: u64) -> String {
    match count {
        1 => "1 copy".into(),
        _ => format!("{} copies", grouped(count)),
    }
}

/// By line: how many copies of its statements some run comes to, and how many there are.
pub fn copies(bound: &UnrolledBound) -> Vec<(u32, usize, usize)> {
    let mut lines: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (id, one) in (0u32..).zip(&bound.graph.boxes) {
        if bound.cut.contains(&id) {
            continue;
        }
        let (reached, all) = lines.entry(one.line).or_default();
        *all += 1;
        *reached += usize::from(!bound.unreached.contains(&id));
    }
    lines.into_iter().map(|(line, (reached, all))| (line, reached, all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::graph::Graph;

    fn bound(end: UnrollingEnd, failing: Option<(u32, String)>) -> UnrolledBound {
        UnrolledBound {
            bound: 2,
            graph: Graph::default(),
            cut: Vec::new(),
            fails: Vec::new(),
            unreached: Vec::new(),
            left_out: 0,
            nodes: 0,
            variables: 0,
            literals: 0,
            conflicts: 0,
            end,
            failing,
            limit: None,
        }
    }

    #[test]
    fn a_bound_is_no_proof_unless_nothing_is_longer() {
        assert!(answer(&bound(UnrollingEnd::Open, None)).contains("proves nothing"));
        assert!(answer(&bound(UnrollingEnd::Safe, None)).contains("is a proof"));
        let failing = Some((7, "3\n4".to_string()));
        let told = answer(&bound(UnrollingEnd::Fails, failing));
        assert_eq!(told, "A run fails in line 7, with the input 3 4.");
    }
}
