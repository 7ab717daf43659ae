//! The report as text, for people.

use crate::row::{Broken, Verdict, quoted};
use crate::summary::{Group, Report};
use std::fmt::Write;

/// The words of a kind of mistake.
pub type Words<'w> = &'w dyn Fn(&str) -> String;

/// Names of a group that are listed.
const NAMES: usize = 12;

/// The report.
pub fn text(report: &Report, words: Words) -> String {
    let mut out = report.headline() + "\n";
    let width = |lengths: &mut dyn Iterator<Item = usize>, most: usize| {
        lengths.max().unwrap_or(0).min(most)
    };
    let name = width(&mut report.submissions.iter().map(|row| row.name.chars().count()), 40);
    for row in &report.submissions {
        let (who, word) = (plain(&row.name), row.verdict.word());
        let line =
            format!("  {who:name$}  {word:7}  {:6.2} s  {}", row.seconds, plain(&row.message));
        let _ = writeln!(out, "{}", line.trim_end());
        for broken in row.broken() {
            let _ = writeln!(out, "  {:name$}           {}", "", plain(&told(broken)));
        }
        if row.verdict != Verdict::Fails && row.input.is_none() {
            continue;
        }
        let mut parts = Vec::new();
        if !row.failed.is_empty() {
            parts.push(format!("failed: {}", plain(&row.failed.join(", "))));
        }
        if let Some(input) = &row.input {
            parts.push(format!("input {}", quoted(input)));
        }
        if !row.suspects.is_empty() {
            parts.push(format!("lines {}", row.lines()));
        }
        if let Some(kind) = &row.kind {
            parts.push(words(kind));
        }
        if !parts.is_empty() {
            let _ = writeln!(out, "  {:name$}           {}", "", parts.join("; "));
        }
    }
    let alike: Vec<&Group> =
        report.groups.iter().filter(|group| group.submissions.len() > 1).collect();
    if !alike.is_empty() {
        out.push_str("\nFail alike\n");
    }
    for group in alike {
        let names: Vec<String> =
            group.submissions.iter().take(NAMES).map(|one| plain(one)).collect();
        let more = if group.submissions.len() > NAMES { ", …" } else { "" };
        let count = group.submissions.len();
        let _ = writeln!(out, "  {count:4}  {}", plain(&how(group, words)));
        let _ = writeln!(out, "        {}{more}", names.join(", "));
    }
    if !report.mistakes.is_empty() {
        out.push_str("\nMistakes\n");
    }
    let most = report.mistakes.iter().map(|one| one.count).max().unwrap_or(1);
    let width = width(&mut report.mistakes.iter().map(|one| words(&one.kind).chars().count()), 60);
    for mistake in &report.mistakes {
        let bar = "#".repeat((mistake.count * 30).div_ceil(most));
        let _ = writeln!(out, "  {:width$}  {:4}  {bar}", words(&mistake.kind), mistake.count);
    }
    out
}

/// On what a group fails and in which way, in a few words.
pub(crate) fn how(group: &Group, words: Words) -> String {
    let way: Vec<String> = group.way.split(", ").map(words).collect();
    let way = way.join(", ");
    let mut parts = Vec::new();
    match &group.input {
        Some(input) => parts.push(format!("on the input {}: {way}", quoted(input))),
        None if !group.failed.is_empty() => {
            parts.push(format!("on {}: {way}", group.failed.join(", ")));
        }
        None => {}
    }
    parts.extend(group.broken.iter().map(|way| words(way)));
    parts.join("; ")
}

/// What a run breaks, in which line, and what it takes.
pub(crate) fn told(broken: &Broken) -> String {
    let takes = broken.takes();
    let rest = if takes.is_empty() { String::new() } else { format!("; the run takes {takes}") };
    format!("line {}: {}{rest}", broken.line, broken.message)
}

/// A text without what a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn a_class_as_text() {
        let told = text(&example(), &|kind| format!("a {kind}"));
        let expected = "\
7 submissions: 1 passes, 4 fail, 1 undecided, 1 refused.
  anna                       passes     0.25 s  A sentence about \"anna\".
  <script>alert(1)</script>  fails      0.25 s  A sentence about \"<script>alert(1)</script>\".
                                      failed: a; input \"1 2\\n\"; lines 5; a comparison
";
        assert!(told.starts_with(expected), "{told}");
        assert!(
            told.contains(
                "\nFail alike\n     2  on a: a values\n        <script>alert(1)</script>, cleo\n"
            ),
            "{told}"
        );
        let chart = format!(
            "\nMistakes\n  a comparison     2  {}\n  a constant       1  {}\n",
            "#".repeat(30),
            "#".repeat(15)
        );
        assert!(told.ends_with(&chart), "{told}");
        assert_eq!(plain("a\x1b[31m\n"), "a\u{fffd}[31m\u{fffd}");
        assert_eq!(quoted("it's\n\t\"x\""), r#""it's\n\t\"x\"""#);
    }
}
