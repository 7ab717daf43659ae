//! The Büchi automaton of a formula's negation as a picture: circles in ranks, a double ring where
//! a state accepts, on each arrow the conditions under which it is taken.

use crate::draw::automaton_svg::{cut, heads, place, state};
use crate::draw::lab_layout::lay_out;
use crate::draw::svg::{escape, spline};
use crate::wire::graph::Point;
use crate::wire::lab::{LAB_ROWS, LabAutomaton, LabRole, LabState, LabTransition};
use crate::wire::liveness::{AutomatonPicture, AutomatonReport};
use std::fmt::Write;

/// Characters of a condition that are drawn; the whole is in its tooltip.
const DRAWN: usize = 28;
/// How far the arrow into the start reaches to the left.
const ENTRY: f64 = 26.0;

/// The picture; its styles are those of the lab's automata.
pub fn picture(automaton: &AutomatonReport) -> AutomatonPicture {
    let mut drawn = circles(automaton);
    let labels: Vec<usize> =
        drawn.transitions.iter().map(|t| t.symbol.chars().count().min(DRAWN)).collect();
    lay_out(&mut drawn, &labels);
    let mut out = String::new();
    heads(&mut out);
    for arrow in &drawn.arrows {
        let _ = writeln!(out, "<g class=\"wire\"><path d=\"{}\"/></g>", spline(&arrow.points));
    }
    if let Some(start) = drawn.states.first() {
        let (x, y) = (start.x - start.radius, start.y);
        let entry = [Point { x: (x - ENTRY).max(0.0), y }, Point { x, y }];
        let _ = writeln!(out, "<g class=\"wire\"><path d=\"{}\"/></g>", spline(&entry));
    }
    for (k, one) in drawn.states.iter().enumerate() {
        state(&mut out, one, &format!("class=\"state\" data-state=\"{k}\""));
    }
    for t in &drawn.transitions {
        let arrow = drawn.arrows.get(t.arrow as usize);
        let rows = arrow.map_or(0, |arrow| arrow.rows);
        let last = rows > LAB_ROWS && t.row + 1 == LAB_ROWS;
        let Some((x, y)) = place(arrow, t.row).filter(|_| t.row < LAB_ROWS) else { continue };
        let text = match last {
            true => format!("\u{2026} and {} more", rows - LAB_ROWS + 1),
            false => escape(&cut(&t.symbol, DRAWN)),
        };
        let title = escape(&t.symbol);
        let _ = writeln!(
            out,
            "<g class=\"row\"><title>{title}</title><text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>\
             </g>"
        );
    }
    AutomatonPicture { content: out, size: drawn.size, spoken: spoken(automaton) }
}

fn circles(automaton: &AutomatonReport) -> LabAutomaton {
    let state = |(k, accepting): (usize, &bool)| LabState {
        name: k.to_string(),
        role: LabRole::Control,
        accepting: *accepting,
        group: String::new(),
        x: 0.0,
        y: 0.0,
        radius: 0.0,
    };
    let transition = |m: &crate::wire::liveness::AutomatonMove| LabTransition {
        from: m.from,
        to: m.to,
        symbol: m.guard.clone(),
        pushed_by: None,
        given: true,
        weight: String::new(),
        arrow: 0,
        row: 0,
    };
    LabAutomaton {
        states: automaton.accepting.iter().enumerate().map(state).collect(),
        transitions: automaton.moves.iter().map(transition).collect(),
        ..LabAutomaton::default()
    }
}

/// A sentence for each state.
fn spoken(automaton: &AutomatonReport) -> Vec<String> {
    let sentence = |(k, accepting): (usize, &bool)| {
        let moves = automaton.moves.iter().filter(|m| m.from as usize == k);
        let moves: Vec<String> = moves
            .map(|m| match m.guard.as_str() {
                "true" => format!("always to {}", m.to),
                guard => format!("to {} if {guard}", m.to),
            })
            .collect();
        let start = if k == 0 { ", the start" } else { "" };
        let accepts = if *accepting { ", accepting" } else { "" };
        let goes = if moves.is_empty() { "no move".to_string() } else { moves.join("; ") };
        format!("State {k}{start}{accepts}: {goes}.")
    };
    automaton.accepting.iter().enumerate().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::picture;
    use crate::wire::liveness::{AutomatonMove, AutomatonReport};

    #[test]
    fn a_picture_has_circles_rings_and_conditions() {
        let to = |from, to, guard: &str| AutomatonMove { from, to, guard: guard.into() };
        let report = AutomatonReport {
            accepting: vec![false, true],
            moves: vec![to(0, 0, "true"), to(0, 1, "x < 1"), to(1, 1, "x < 1")],
        };
        let drawn = picture(&report);
        for (needle, count) in
            [("class=\"ring\"", 2), ("class=\"inner\"", 1), ("class=\"wire\"", 4), ("x &lt; 1", 4)]
        {
            assert_eq!(drawn.content.matches(needle).count(), count, "{needle}");
        }
        let spoken = [
            "State 0, the start: always to 0; to 1 if x < 1.",
            "State 1, accepting: to 1 if x < 1.",
        ];
        assert_eq!(drawn.spoken, spoken);
        assert!(drawn.size.x > 100.0 && drawn.size.y > 40.0);
    }
}
