//! Swim lanes as a picture that stands alone.

use crate::draw::labels::shortened;
use crate::draw::lanes::{LaneRow, Lanes};
use crate::draw::svg::{Theme, escape, lane_style};
use crate::wire::report::TraceEntry;
use std::fmt::Write;

/// Pixels: from lane to lane, from row to row, and left of the first lane.
const COLUMN: f64 = 220.0;
const ROW: f64 = 26.0;
const MARGIN: f64 = 56.0;
/// Height of the head with the threads' names.
const HEAD: f64 = 44.0;
/// A text is cut to so many characters.
const LONGEST: usize = 30;

/// An SVG document of the lanes, its width and its height; `now` is the current step.
pub fn standalone(
    lanes: &Lanes,
    trace: &[TraceEntry],
    now: usize,
    theme: Theme,
) -> (String, f64, f64) {
    let width = MARGIN + COLUMN * lanes.lanes.len().max(1) as f64 + 24.0;
    let heights: Vec<f64> = lanes
        .rows
        .iter()
        .map(|row| if matches!(row, LaneRow::Context { .. }) { 2.0 * ROW } else { ROW })
        .collect();
    let height = HEAD + heights.iter().sum::<f64>() + 16.0;
    let rail = |lane: usize| MARGIN + COLUMN * lane as f64 + 8.0;
    let mut out = String::with_capacity(200 * lanes.rows.len() + 3_000);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{}</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
        lane_style(theme)
    );
    for (k, lane) in lanes.lanes.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text class=\"lane-name\" x=\"{:.1}\" y=\"26\">{}</text>",
            rail(k),
            escape(&cut(&lane.name))
        );
        let _ = writeln!(
            out,
            "<line class=\"rail\" x1=\"{0:.1}\" y1=\"{HEAD}\" x2=\"{0:.1}\" y2=\"{1:.1}\"/>",
            rail(k),
            height - 12.0
        );
    }
    let mut y = HEAD;
    for (row, tall) in lanes.rows.iter().zip(&heights) {
        let middle = y + tall / 2.0;
        match row {
            LaneRow::Context { context, from, to, globals } => {
                if let Some(from) = from {
                    let (a, b) = (rail(*from), rail(*to));
                    let _ = writeln!(
                        out,
                        "<path class=\"crossing\" d=\"M{a:.1} {y:.1} C{a:.1} {middle:.1} {b:.1} {middle:.1} {b:.1} {:.1}\"/>",
                        y + tall
                    );
                    let _ = writeln!(
                        out,
                        "<text class=\"quiet\" x=\"12\" y=\"{:.1}\">{context}</text>",
                        middle + 4.0
                    );
                }
                let values: Vec<String> = globals
                    .iter()
                    .map(|g| {
                        format!("{}{} = {}", if g.changed { "*" } else { "" }, g.name, g.value)
                    })
                    .collect();
                let x = from.map_or(rail(*to), |from| rail(from.min(*to))) + 14.0;
                let _ = writeln!(
                    out,
                    "<text class=\"globals\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                    middle + 4.0,
                    escape(&values.join("   "))
                );
            }
            LaneRow::Step { step, lane, fails, part } => {
                let Some(entry) = trace.get(*step) else { continue };
                let class = format!(
                    "step{}{}",
                    if *fails { " fails" } else { "" },
                    if *step == now { " now" } else { "" }
                );
                active(&mut out, rail(*lane), y, *tall);
                let _ = writeln!(
                    out,
                    "<text class=\"quiet\" x=\"12\" y=\"{:.1}\">{}</text>",
                    middle + 4.0,
                    entry.line
                );
                let part = part.as_ref().map(|part| format!("  ({part})")).unwrap_or_default();
                let note = if *fails { "  (fails here)" } else { "" };
                let _ = writeln!(
                    out,
                    "<g class=\"{class}\"><circle cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"4.5\"/><text x=\"{:.1}\" y=\"{:.1}\">{}{}{note}</text></g>",
                    rail(*lane),
                    rail(*lane) + 14.0,
                    middle + 4.0,
                    escape(&shortened(&entry.statement, &entry.outcome, LONGEST)),
                    escape(&part)
                );
            }
            LaneRow::Fold { lane, steps, .. } => {
                active(&mut out, rail(*lane), y, *tall);
                let _ = writeln!(
                    out,
                    "<text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\">… {steps} more</text>",
                    rail(*lane) + 14.0,
                    middle + 4.0
                );
            }
            LaneRow::Blocked { lane, line, statement } => {
                let _ = writeln!(
                    out,
                    "<text class=\"quiet\" x=\"12\" y=\"{:.1}\">{line}</text>",
                    middle + 4.0
                );
                let _ = writeln!(
                    out,
                    "<text class=\"blocked\" x=\"{:.1}\" y=\"{:.1}\">waits for ever: {}</text>",
                    rail(*lane) + 14.0,
                    middle + 4.0,
                    escape(&cut(statement))
                );
            }
        }
        y += tall;
    }
    out.push_str("</svg>\n");
    (out, width, height)
}

fn active(out: &mut String, x: f64, y: f64, tall: f64) {
    let _ = writeln!(
        out,
        "<line class=\"rail active\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>",
        y + tall
    );
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        text.to_string()
    } else {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::lanes::{lanes, tests::example};
    use std::collections::BTreeSet;

    #[test]
    fn every_row_is_drawn_and_names_are_escaped() {
        let mut report = example();
        report.threads[2].name = "a<b".into();
        let lanes = lanes(&report, &BTreeSet::new());
        let trace = report.trace.as_deref().unwrap_or_default();
        let (svg, width, height) = standalone(&lanes, trace, 22, Theme::Light);
        assert_eq!(svg.matches("class=\"crossing\"").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 13);
        assert!(
            svg.contains("a&lt;b")
                && svg.contains("… 10 more")
                && svg.contains("class=\"step fails now\"")
                && svg.contains("*x = 19")
        );
        assert!(width > 2.0 * COLUMN && height > 14.0 * ROW);
    }
}
