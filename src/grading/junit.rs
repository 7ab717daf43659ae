//! The report as JUnit's XML, as build servers read it: a test case for each submission. What is
//! unknown is skipped; what is refused is an error.

use crate::html::escape;
use crate::row::{Row, Verdict};
use crate::summary::Report;
use crate::text::told;
use std::fmt::Write;

/// The report.
pub fn junit(report: &Report) -> String {
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        report.submissions.len(),
        report.count(Verdict::Fails),
        report.count(Verdict::Refused)
    );
    let skipped = report.count(Verdict::Unknown);
    let seconds: f64 = report.submissions.iter().map(|row| row.seconds).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"Faultline\" {counts}>");
    let _ = writeln!(
        out,
        "  <testsuite name=\"submissions\" {counts} skipped=\"{skipped}\" time=\"{seconds:.2}\">"
    );
    for row in &report.submissions {
        let (name, file) = (escape(&row.name), escape(&row.file));
        let head = format!(
            "    <testcase classname=\"{file}\" name=\"{name}\" time=\"{:.2}\"",
            row.seconds
        );
        let message = escape(&row.message);
        let _ = match row.verdict {
            Verdict::Passes => writeln!(out, "{head}/>"),
            Verdict::Fails => writeln!(
                out,
                "{head}>\n      <failure type=\"{}\" message=\"{message}\">{}</failure>\n    </testcase>",
                escape(row.kinds().first().map_or("fails", String::as_str)),
                escape(&details(row))
            ),
            Verdict::Unknown => {
                writeln!(out, "{head}>\n      <skipped message=\"{message}\"/>\n    </testcase>")
            }
            Verdict::Refused => writeln!(
                out,
                "{head}>\n      <error type=\"refused\" message=\"{message}\"/>\n    </testcase>"
            ),
        };
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn details(row: &Row) -> String {
    let mut text = String::new();
    if !row.failed.is_empty() {
        let _ = writeln!(text, "failed tests: {}", row.failed.join(", "));
    }
    for broken in row.broken() {
        let _ = writeln!(text, "{}", told(broken));
    }
    if !row.suspects.is_empty() {
        let _ = writeln!(text, "suspected lines: {}", row.lines());
    }
    for (what, block) in
        [("input", &row.input), ("expected", &row.expected), ("printed", &row.output)]
    {
        if let Some(block) = block {
            let _ = writeln!(text, "{what}:");
            block.lines().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn xml_that_others_read() {
        let mut report = example();
        report.submissions[1].output = Some("\u{0}\u{8}\u{ffff}]]>&\r\n".into());
        let told = junit(&report);
        let read = roxmltree::Document::parse(&told).expect("XML");
        let all = |name: &str| read.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!([all("testcase"), all("failure"), all("skipped"), all("error")], [7, 4, 1, 1]);
        let suite = read.root_element();
        assert_eq!(
            (suite.attribute("failures"), suite.attribute("errors")),
            (Some("4"), Some("1"))
        );
        let second = read.descendants().filter(|node| node.has_tag_name("testcase")).nth(1);
        let second = second.expect("a second one");
        assert_eq!(second.attribute("name"), Some("<script>alert(1)</script>"));
        let failure = second.first_element_child().expect("a failure");
        assert_eq!(failure.attribute("type"), Some("comparison"));
        assert!(failure.text().expect("details").contains("suspected lines: 5\ninput:\n  1 2\n"));
    }
}
