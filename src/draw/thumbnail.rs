//! Small pictures of programs, for the gallery: the lines of the source as bars, lit where a
//! failing run passes; and an interleaved run as a path across lanes. They are made natively from
//! what the engine says (`tests/session/thumbnails.rs`), kept in `static/examples/pictures.json` as
//! a few characters for each line, and drawn in the page.

use crate::draw::paint::LineMarks;
use crate::util::order::inserted;
use crate::wire::threads::ThreadsReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;

/// More threads than a picture has room for.
const MOST_LANES: f64 = 24.0;
/// Most lines that a picture shows.
const MOST_LINES: usize = 26;
/// Longest line, in characters.
const MOST_COLUMNS: usize = 46;
const WIDTH: f64 = 92.0;
const HEIGHT: f64 = 70.0;
/// From one line to the next.
const PITCH: f64 = HEIGHT / MOST_LINES as f64;
const COLUMN: f64 = (WIDTH - GUTTER) / MOST_COLUMNS as f64;
/// Where the lines begin.
const GUTTER: f64 = 7.0;

/// A small picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thumbnail {
    /// Lines of the source: `indent.length` each, with `+` if lit, `-` if dim, `!` where the shown
    /// run fails; nothing for an empty line.
    Lines(String),
    /// Contexts of a run: `lane.statements` each; `!` behind the last one if the run fails there.
    Lanes(String),
}

/// The lines around what is marked. `fails` is the line where the shown run fails.
pub fn of_lines(source: &str, marks: &LineMarks, fails: Option<u32>) -> Thumbnail {
    let all: Vec<&str> = source.lines().collect();
    let marked = marks.lit.iter().chain(&marks.dim);
    let last = marked.copied().max().map_or(all.len(), |line| line as usize);
    let most = all.len().saturating_sub(MOST_LINES);
    let first = (last + 2).saturating_sub(MOST_LINES).min(most);
    let told = all.iter().enumerate().skip(first).take(MOST_LINES).map(|(i, line)| {
        let number = i as u32 + 1;
        let mark = if fails == Some(number) {
            "!"
        } else if marks.lit.contains(&number) {
            "+"
        } else if marks.dim.contains(&number) {
            "-"
        } else {
            ""
        };
        let text = line.trim();
        let columns = |text: &str| text.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let start: usize = columns(&line[..line.len() - line.trim_start().len()]);
        let indent = start.min(MOST_COLUMNS - 2);
        let length = text.chars().count().min(MOST_COLUMNS - indent);
        if text.is_empty() { String::new() } else { format!("{indent}.{length}{mark}") }
    });
    Thumbnail::Lines(told.collect::<Vec<_>>().join(" "))
}

/// The contexts of a report's run; `None` if it has no run.
pub fn of_threads(report: &ThreadsReport) -> Option<Thumbnail> {
    let contexts = report.contexts.as_ref()?;
    let taking: BTreeSet<u32> = inserted(contexts.iter().map(|context| context.thread));
    let lane = |thread: u32| taking.iter().position(|taken| *taken == thread).unwrap_or(0);
    let told = contexts.iter().map(|context| {
        format!("{}.{}", lane(context.thread), context.to_step.saturating_sub(context.from_step))
    });
    Some(Thumbnail::Lanes(format!("{}!", told.collect::<Vec<_>>().join(" "))))
}

/// Two numbers with a dot between them, and what is behind.
fn pair(text: &str) -> Option<(f64, f64, &str)> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (first, second) = text[..end].split_once('.')?;
    Some((first.parse().ok()?, second.parse().ok()?, &text[end..]))
}

/// The picture as an `<svg>` element, for the page's style sheet to paint.
pub fn markup(thumbnail: &Thumbnail) -> String {
    let mut out = format!(
        "<svg class=\"thumbnail\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\">"
    );
    match thumbnail {
        Thumbnail::Lines(lines) => draw_lines(&mut out, lines),
        Thumbnail::Lanes(contexts) => draw_lanes(&mut out, contexts),
    }
    out.push_str("</svg>");
    out
}

fn draw_lines(out: &mut String, lines: &str) {
    let lines: Vec<&str> = lines.split(' ').collect();
    let top = (HEIGHT - PITCH * lines.len() as f64).max(0.0) / 2.0;
    for (i, line) in lines.iter().enumerate() {
        let Some((indent, length, mark)) = pair(line) else { continue };
        let (x, y) = (GUTTER + indent * COLUMN, top + i as f64 * PITCH);
        let class = match mark {
            "+" => "lit",
            "-" => "dim",
            "!" => "fails",
            _ => "plain",
        };
        if matches!(mark, "+" | "!") {
            let _ = write!(
                out,
                "<rect class=\"{class} band\" x=\"0\" y=\"{y:.1}\" width=\"{WIDTH}\" height=\"{PITCH:.1}\"/>"
            );
        }
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"1.5\" rx=\"0.7\"/>",
            y + (PITCH - 1.5) / 2.0,
            length * COLUMN
        );
    }
}

fn draw_lanes(out: &mut String, contexts: &str) {
    let read = contexts.split(' ').filter_map(pair);
    let contexts: Vec<(f64, f64, &str)> = read.filter(|(lane, ..)| *lane < MOST_LANES).collect();
    let lanes = contexts.iter().map(|c| c.0).fold(0.0, f64::max) + 1.0;
    // Every context is at least as long as two statements, every switch as long as one.
    let size = |steps: f64| steps.clamp(2.0, 8.0);
    let total: f64 = contexts.iter().map(|c| size(c.1)).sum::<f64>() + contexts.len() as f64;
    let scale = (HEIGHT - 12.0) / total;
    let x = |lane: f64| WIDTH / 2.0 + (lane - (lanes - 1.0) / 2.0) * 22.0;
    for lane in 0..lanes as usize {
        let at = x(lane as f64);
        let _ = write!(out, "<path class=\"rail\" d=\"M{at:.1} 3 V{:.1}\"/>", HEIGHT - 3.0);
    }
    let mut y = 6.0;
    let mut path = String::new();
    for (i, (lane, steps, _)) in contexts.iter().enumerate() {
        let at = x(*lane);
        if i == 0 {
            let _ = write!(path, "M{at:.1} {y:.1}");
        } else {
            let (before, middle, next) = (x(contexts[i - 1].0), y + scale / 2.0, y + scale);
            let _ = write!(path, " C{before:.1} {middle:.1} {at:.1} {middle:.1} {at:.1} {next:.1}");
            y = next;
        }
        y += size(*steps) * scale;
        let _ = write!(path, " V{y:.1}");
    }
    let _ = write!(out, "<path class=\"run\" d=\"{path}\"/>");
    if let Some((lane, _, "!")) = contexts.last() {
        let _ =
            write!(out, "<circle class=\"fails\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>", x(*lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_indent_length_and_mark() {
        let marks = LineMarks { lit: vec![1, 3], dim: vec![4] };
        let made = of_lines("int x;\n\n  f(x);\n\tg();", &marks, Some(3));
        assert_eq!(made, Thumbnail::Lines("0.6+  2.5! 4.4-".into()));
        let drawn = markup(&made);
        assert_eq!(drawn.matches("class=\"lit\"").count(), 1);
        assert_eq!(drawn.matches("class=\"fails\"").count(), 1);
        assert_eq!(drawn.matches("class=\"dim\"").count(), 1);
    }

    #[test]
    fn a_long_program_shows_the_part_that_is_marked() {
        let source = "a = 1;\n".repeat(60);
        let marks = LineMarks { lit: vec![50], dim: Vec::new() };
        let Thumbnail::Lines(lines) = of_lines(&source, &marks, None) else { panic!("no lines") };
        assert_eq!(lines.split(' ').count(), MOST_LINES);
        assert_eq!(lines.split(' ').position(|line| line.ends_with('+')), Some(MOST_LINES - 3));
    }

    #[test]
    fn lanes_are_one_path_and_end_where_the_run_fails() {
        let drawn = markup(&Thumbnail::Lanes("0.2 1.4 0.3!".into()));
        assert_eq!(drawn.matches("class=\"rail\"").count(), 2);
        assert_eq!(drawn.matches("class=\"run\"").count(), 1);
        assert_eq!(drawn.matches("class=\"fails\"").count(), 1);
    }

    #[test]
    fn damaged_texts_draw_nothing_and_do_not_panic() {
        for text in ["", "x", "1", "1.", ".", "9999999999999999999999.1+", "é.1 1.é"] {
            let _ = markup(&Thumbnail::Lines(text.into()));
            let _ = markup(&Thumbnail::Lanes(text.into()));
        }
    }
}
