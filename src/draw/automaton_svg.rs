//! An automaton of the lab as SVG: markup for the page, whose style sheet paints it, and a picture
//! that stands alone.

use crate::draw::lab_replay::{Replay, Touch, spoken, touch};
use crate::draw::svg::{Theme, escape, spline, style};
use crate::wire::lab::{LAB_ROWS, LabArrow, LabAutomaton, LabState, LabTransition};
use std::fmt::Write;

/// From one row of an arrow's text to the next, in pixels at zoom 1.
pub const ROW_HEIGHT: f64 = 16.0;
/// A row is cut to so many characters in the picture, but for its mark; the whole text is in the
/// inspector.
pub const LABEL_LIMIT: usize = 28;
/// A symbol that a weight follows is cut to so many.
pub const SYMBOL_LIMIT: usize = 16;

/// What stands on an arrow for a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowText {
    /// `+` where it was added just now, `↑` where its weight was raised, `›` where it is looked at;
    /// else empty.
    pub mark: &'static str,
    /// Its symbol.
    pub symbol: String,
    /// Its weight, after a dot; empty where weights need not be shown.
    pub weight: String,
}

impl RowText {
    /// The text of a transition that is there.
    pub fn new(symbol: &str, weight: Option<&str>, touch: Option<Touch>) -> RowText {
        let mark = match touch {
            Some(Touch::Added) => "+ ",
            Some(Touch::Raised) => "\u{2191} ",
            Some(Touch::LookedAt) => "\u{203a} ",
            None => "",
        };
        let symbol = cut(symbol, if weight.is_some() { SYMBOL_LIMIT } else { LABEL_LIMIT });
        let room = LABEL_LIMIT.saturating_sub(symbol.chars().count() + 3);
        let weight =
            weight.map(|weight| format!(" \u{b7} {}", cut(weight, room))).unwrap_or_default();
        RowText { mark, symbol, weight }
    }
}

/// Has a transition a row of its own on its arrow? Those that have none are counted in the arrow's
/// last row.
pub fn has_row(automaton: &LabAutomaton, transition: &LabTransition) -> bool {
    let rows = automaton.arrows.get(transition.arrow as usize).map_or(0, |arrow| arrow.rows);
    rows <= LAB_ROWS || transition.row + 1 < LAB_ROWS
}

/// The class that says what a step did, with a space in front.
pub fn touch_class(touch: Option<Touch>) -> &'static str {
    match touch {
        Some(Touch::Added) => " added",
        Some(Touch::Raised) => " raised",
        Some(Touch::LookedAt) => " looked-at",
        None => "",
    }
}

/// What a transition is called by its tooltip and by screen readers.
pub fn spoken_now(
    automaton: &LabAutomaton,
    transition: &LabTransition,
    weight: Option<&str>,
    touch: Option<Touch>,
) -> String {
    let mut text = spoken(automaton, transition);
    if let Some(weight) = weight {
        let _ = write!(text, ", weight {weight}");
    }
    text.push_str(match touch {
        Some(Touch::Added) => ", added in this step",
        Some(Touch::Raised) => ", raised in this step",
        Some(Touch::LookedAt) => ", looked at in this step",
        None => "",
    });
    text
}

/// The `<svg>` element for the page, with everything hidden. States, arrows and transitions carry
/// their position in the automaton's lists as `data-state`, `data-arrow` and `data-transition`; the
/// view shows what is there.
pub fn markup(automaton: &LabAutomaton) -> String {
    let mut out =
        String::with_capacity(300 * (automaton.states.len() + automaton.transitions.len()) + 2_000);
    let size = automaton.size;
    let _ = write!(
        out,
        "<svg class=\"world automaton\" width=\"{:.0}\" height=\"{:.0}\">",
        size.x.max(1.0),
        size.y.max(1.0)
    );
    heads(&mut out);
    out.push_str("<g class=\"wires\">");
    for (i, a) in automaton.arrows.iter().enumerate() {
        let _ = write!(
            out,
            "<g class=\"wire absent\" data-wire=\"\" data-arrow=\"{i}\"><path d=\"{}\"/></g>",
            spline(&a.points)
        );
    }
    out.push_str("</g>\n<g class=\"states\">");
    for (i, s) in automaton.states.iter().enumerate() {
        state(&mut out, s, &format!("class=\"state {} absent\" data-state=\"{i}\"", s.role.word()));
    }
    out.push_str("</g>\n<g class=\"rows\">");
    for (i, t) in automaton.transitions.iter().enumerate() {
        let Some((x, y)) =
            place(automaton.arrows.get(t.arrow as usize), t.row).filter(|_| has_row(automaton, t))
        else {
            continue;
        };
        let _ = write!(
            out,
            "<g class=\"row absent\" id=\"transition-{i}\" data-transition=\"{i}\" role=\"img\"><title></title><text x=\"{x:.1}\" y=\"{y:.1}\">\
             <tspan class=\"mark\"></tspan><tspan class=\"symbol\"></tspan><tspan class=\"weight\"></tspan></text></g>"
        );
    }
    for (i, a) in automaton.arrows.iter().enumerate().filter(|(_, a)| a.rows > LAB_ROWS) {
        if let Some((x, y)) = place(Some(a), LAB_ROWS - 1) {
            let _ = write!(
                out,
                "<g class=\"more-rows absent\" data-arrow=\"{i}\"><text x=\"{x:.1}\" y=\"{y:.1}\"></text></g>"
            );
        }
    }
    out.push_str("</g>\n</svg>");
    out
}

/// The automaton as it is after a step, with its styles inside, for any viewer.
pub fn standalone(automaton: &LabAutomaton, step: usize, weighted: bool, theme: Theme) -> String {
    let replay = Replay::new(automaton);
    let there = |t: usize| replay.weight(automaton, t as u32, step);
    let did = |t: usize| automaton.steps.get(step).and_then(|s| touch(s, t as u32));
    let (width, height) = (automaton.size.x.max(1.0), automaton.size.y.max(1.0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{}</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
        style(theme)
    );
    heads(&mut out);
    let mut shown = vec![false; automaton.states.len()];
    let mut wires = vec![None; automaton.arrows.len()];
    let mut more = vec![0u32; automaton.arrows.len()];
    for (i, t) in automaton.transitions.iter().enumerate().filter(|(i, _)| there(*i).is_some()) {
        for state in [t.from, t.to] {
            if let Some(shown) = shown.get_mut(state as usize) {
                *shown = true;
            }
        }
        if let Some(more) = more.get_mut(t.arrow as usize).filter(|_| !has_row(automaton, t)) {
            *more += 1;
        }
        if let Some(wire) = wires.get_mut(t.arrow as usize) {
            *wire = Some(wire.unwrap_or(false) || did(i).is_some());
        }
    }
    for (arrow, wire) in automaton.arrows.iter().zip(wires) {
        if let Some(now) = wire {
            let _ = writeln!(
                out,
                "<g class=\"wire{}\"><path d=\"{}\"/></g>",
                if now { " now" } else { "" },
                spline(&arrow.points)
            );
        }
    }
    for (s, shown) in automaton.states.iter().zip(shown) {
        if shown || s.role.stays() {
            state(&mut out, s, &format!("class=\"state {}\"", s.role.word()));
        }
    }
    for (i, t) in automaton.transitions.iter().enumerate() {
        let at =
            place(automaton.arrows.get(t.arrow as usize), t.row).filter(|_| has_row(automaton, t));
        let (Some(weight), Some((x, y))) = (there(i), at) else { continue };
        let text = RowText::new(&t.symbol, Some(weight).filter(|_| weighted), did(i));
        let _ = writeln!(
            out,
            "<g class=\"row{}\"><text x=\"{x:.1}\" y=\"{y:.1}\">{}{}<tspan class=\"weight\">{}</tspan></text></g>",
            touch_class(did(i)),
            text.mark,
            escape(&text.symbol),
            escape(&text.weight)
        );
    }
    for (arrow, more) in automaton.arrows.iter().zip(more).filter(|(_, more)| *more > 0) {
        if let Some((x, y)) = place(Some(arrow), LAB_ROWS - 1) {
            let _ = writeln!(
                out,
                "<g class=\"row\"><text x=\"{x:.1}\" y=\"{y:.1}\">{}</text></g>",
                more_text(more, "")
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// What stands for the rows that an arrow has no room for.
pub fn more_text(count: u32, mark: &str) -> String {
    format!("{mark}\u{2026} and {count} more")
}

pub(crate) fn heads(out: &mut String) {
    out.push_str("<defs>");
    for name in ["plain", "now"] {
        let _ = write!(
            out,
            "<marker id=\"tip-{name}\" class=\"head {name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0.5 1 L9.5 5 L0.5 9 z\"/></marker>"
        );
    }
    out.push_str("</defs>\n");
}

/// A circle with its name; two where it accepts.
pub(crate) fn state(out: &mut String, s: &LabState, attributes: &str) {
    let name = escape(&s.name);
    let says = if s.accepting { ", accepting" } else { "" };
    let group = if s.group.is_empty() { String::new() } else { format!(", {}", escape(&s.group)) };
    let _ = write!(
        out,
        "<g {attributes}><title>{name}{says}{group}</title><circle class=\"ring\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
        s.x, s.y, s.radius
    );
    if s.accepting {
        let _ = write!(
            out,
            "<circle class=\"inner\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
            s.x,
            s.y,
            (s.radius - 3.5).max(1.0)
        );
    }
    let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text></g>", s.x, s.y + 4.0);
}

/// Where a row's text stands: the rows of an arrow are centred on its place for labels.
pub(crate) fn place(arrow: Option<&LabArrow>, row: u32) -> Option<(f64, f64)> {
    let arrow = arrow?;
    let from_middle = f64::from(row) - (f64::from(arrow.rows.min(LAB_ROWS)) - 1.0) / 2.0;
    Some((arrow.label_at.x, arrow.label_at.y + from_middle * ROW_HEIGHT + 4.0))
}

/// The first characters of a text; an ellipsis says that there are more.
pub fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_string();
    }
    text.chars().take(limit - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::graph::Point;
    use crate::wire::lab::{LabCause, LabChange, LabRole, LabStep};

    fn two_rows() -> LabAutomaton {
        let state = |name: &str, role, accepting, x| LabState {
            name: name.into(),
            role,
            accepting,
            group: String::new(),
            x,
            y: 50.0,
            radius: 18.0,
        };
        let transition = |symbol: &str, row| LabTransition {
            from: 0,
            to: 1,
            symbol: symbol.into(),
            pushed_by: None,
            given: false,
            weight: "2".into(),
            arrow: 0,
            row,
        };
        let change = |transition, weight: &str, is_new| LabChange {
            transition,
            is_new,
            weight: weight.into(),
            added: weight.into(),
            cause: LabCause::Rule,
            rule: None,
            premises: Vec::new(),
            words: String::new(),
        };
        let step = |looked_at, changes| LabStep {
            looked_at,
            changes,
            waiting: Vec::new(),
            waiting_count: 0,
        };
        LabAutomaton {
            title: "post*".into(),
            reading: String::new(),
            states: vec![
                state("p<0>", LabRole::Control, false, 40.0),
                state("q", LabRole::Callee, true, 240.0),
            ],
            transitions: vec![transition("a&b", 0), transition("c", 1)],
            arrows: vec![LabArrow {
                from: 0,
                to: 1,
                points: vec![Point { x: 58.0, y: 50.0 }, Point { x: 222.0, y: 50.0 }],
                label_at: Point { x: 140.0, y: 40.0 },
                rows: 2,
            }],
            size: Point { x: 280.0, y: 100.0 },
            steps: vec![
                step(None, Vec::new()),
                step(None, vec![change(0, "7", true)]),
                step(Some(0), vec![change(1, "2", true), change(0, "2", false)]),
            ],
            complete: true,
        }
    }

    #[test]
    fn the_markup_has_an_element_for_each_state_arrow_and_transition_and_escapes_names() {
        let text = markup(&two_rows());
        for (needle, count) in [
            ("data-state=", 2),
            ("data-arrow=", 1),
            ("data-transition=", 2),
            ("class=\"inner\"", 1),
            (" absent\"", 5),
        ] {
            assert_eq!(text.matches(needle).count(), count, "{needle}");
        }
        assert!(text.contains("p&lt;0&gt;") && !text.contains("p<0>"), "{text}");
    }

    #[test]
    fn a_picture_of_a_step_shows_what_is_there_then() {
        let automaton = two_rows();
        let at = |step| standalone(&automaton, step, true, Theme::Light);
        assert_eq!(at(0).matches("class=\"wire").count(), 0);
        assert_eq!(
            at(0).matches("class=\"state").count(),
            1,
            "a callee's state comes with its first transition"
        );
        assert!(
            at(1).contains("class=\"row added\"")
                && at(1).contains("+ a&amp;b<tspan class=\"weight\"> \u{b7} 7")
        );
        assert!(
            at(2).contains("class=\"row raised\"")
                && at(2).contains("\u{2191} a&amp;b<tspan class=\"weight\"> \u{b7} 2")
        );
        assert!(
            !standalone(&automaton, 2, false, Theme::Dark).contains("\u{b7}"),
            "without weights none are shown"
        );
    }

    #[test]
    fn rows_of_one_arrow_stand_below_each_other_around_its_place() {
        let automaton = two_rows();
        let arrow = automaton.arrows.first();
        let (first, second) =
            (place(arrow, 0).expect("a place"), place(arrow, 1).expect("a place"));
        assert_eq!((first.0, second.1 - first.1), (140.0, ROW_HEIGHT));
        assert_eq!((first.1 + second.1) / 2.0, 44.0);
    }

    #[test]
    fn long_texts_are_cut_with_an_ellipsis() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab\u{2026}");
        let row = RowText::new(&"x".repeat(99), Some(&"y".repeat(99)), None);
        assert_eq!(
            (row.symbol.chars().count(), row.symbol.chars().count() + row.weight.chars().count()),
            (SYMBOL_LIMIT, LABEL_LIMIT)
        );
    }

    #[test]
    fn rows_that_an_arrow_has_no_room_for_are_counted_in_its_last() {
        let mut automaton = two_rows();
        automaton.arrows[0].rows = LAB_ROWS + 2;
        automaton.transitions = (0..LAB_ROWS + 2)
            .map(|row| LabTransition { row, ..automaton.transitions[0].clone() })
            .collect();
        automaton.steps = Vec::new();
        assert_eq!(markup(&automaton).matches("data-transition=").count(), LAB_ROWS as usize - 1);
        assert_eq!(markup(&automaton).matches("more-rows").count(), 1);
        assert!(standalone(&automaton, 0, true, Theme::Light).contains("\u{2026} and 3 more"));
    }
}
