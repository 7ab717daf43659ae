//! What the rows of a class say together: groups that fail alike, and the mistakes of the class.

use crate::row::{Broken, Row, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Each submission, by name.
    pub submissions: Vec<Row>,
    /// Submissions that fail on the same tests in the same way, largest groups first.
    pub groups: Vec<Group>,
    /// The kinds of mistakes, most frequent first. A submission may have several.
    pub mistakes: Vec<Mistake>,
}

/// Submissions that fail on the same tests in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The tests; none if only the reference shows it.
    pub failed: Vec<String>,
    /// In which way.
    pub way: String,
    /// What runs break of rules and contracts, in which way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    /// The input that shows it, if no test does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Names of the submissions.
    pub submissions: Vec<String>,
}

/// A kind of mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// Which.
    pub kind: String,
    /// How many submissions have it.
    pub count: usize,
}

/// What is equal in a group: tests, their way, an input if no test shows it, and what is broken.
type Alike = (Vec<String>, String, Option<String>, Vec<String>);

fn alike(row: &Row) -> Alike {
    let input = if row.failed.is_empty() { row.input.clone() } else { None };
    let mut broken: Vec<String> = row.broken().map(Broken::way).collect();
    broken.sort();
    broken.dedup();
    (row.failed.clone(), row.way.clone(), input, broken)
}

impl Report {
    /// The report of these rows.
    pub fn new(rows: Vec<Row>) -> Report {
        let mut groups: BTreeMap<Alike, Vec<String>> = BTreeMap::new();
        let mut mistakes: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.verdict == Verdict::Fails) {
            groups.entry(alike(row)).or_default().push(row.name.clone());
            for kind in row.kinds() {
                *mistakes.entry(kind).or_default() += 1;
            }
        }
        let mut mistakes: Vec<Mistake> =
            mistakes.into_iter().map(|(kind, count)| Mistake { kind, count }).collect();
        mistakes.sort_by_key(|mistake| usize::MAX - mistake.count);
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|((failed, way, input, broken), submissions)| Group {
                failed,
                way,
                broken,
                input,
                submissions,
            })
            .collect();
        groups.sort_by_key(|group| usize::MAX - group.submissions.len());
        Report { submissions: rows, groups, mistakes }
    }

    /// How many fail without a kind of mistake.
    pub fn without_kind(&self) -> usize {
        let unkind = |row: &&Row| row.verdict == Verdict::Fails && row.kinds().is_empty();
        self.submissions.iter().filter(unkind).count()
    }

    /// How many have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.submissions.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Failing if one fails; unknown if one is unknown or refused and none fails; else passing.
    pub fn verdict(&self) -> Verdict {
        if self.count(Verdict::Fails) > 0 {
            Verdict::Fails
        } else if self.count(Verdict::Passes) < self.submissions.len() {
            Verdict::Unknown
        } else {
            Verdict::Passes
        }
    }

    /// How many there are of each verdict, in one sentence.
    pub fn headline(&self) -> String {
        let all = self.submissions.len();
        let mut parts = Vec::new();
        for verdict in Verdict::ALL {
            let told = match (verdict, self.count(verdict)) {
                (_, 0) => continue,
                (Verdict::Passes, 1) => "1 passes".to_string(),
                (Verdict::Passes, n) => format!("{n} pass"),
                (Verdict::Fails, 1) => "1 fails".to_string(),
                (Verdict::Fails, n) => format!("{n} fail"),
                (Verdict::Unknown, n) => format!("{n} undecided"),
                (Verdict::Refused, n) => format!("{n} refused"),
            };
            parts.push(told);
        }
        let noun = if all == 1 { "submission" } else { "submissions" };
        format!("{all} {noun}: {}.", parts.join(", "))
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::row::{Checked, Suspect};

    /// A small class with awkward names.
    pub(crate) fn example() -> Report {
        let row = |name: &str, verdict, failed: &[&str], way: &str, kind: Option<&str>| Row {
            name: name.into(),
            file: format!("{name}.c"),
            failed: failed.iter().map(ToString::to_string).collect(),
            way: way.into(),
            kind: kind.map(str::to_string),
            input: (verdict == Verdict::Fails).then(|| "1 2\n".to_string()),
            expected: (verdict == Verdict::Fails).then(|| "3\n".to_string()),
            output: (verdict == Verdict::Fails).then(|| "<b>\n".to_string()),
            seconds: 0.25,
            ..Row::new(verdict, format!("A sentence about \"{name}\"."))
        };
        let mut rows = vec![
            row("anna", Verdict::Passes, &[], "", None),
            row("<script>alert(1)</script>", Verdict::Fails, &["a"], "values", Some("comparison")),
            row("cleo", Verdict::Fails, &["a"], "values", Some("comparison")),
            row("=dora", Verdict::Fails, &["a", "b"], "values", Some("constant")),
            row("eva", Verdict::Fails, &[], "values", None),
            row("fred", Verdict::Unknown, &[], "", None),
            row("gus", Verdict::Refused, &[], "", None),
        ];
        rows[1].suspects = vec![Suspect { line: 5, score: 1.0, kind: Some("comparison".into()) }];
        Report::new(rows)
    }

    #[test]
    fn groups_and_mistakes_of_a_class() {
        let report = example();
        assert_eq!(report.headline(), "7 submissions: 1 passes, 4 fail, 1 undecided, 1 refused.");
        assert_eq!(report.verdict(), Verdict::Fails);
        let sizes: Vec<usize> = report.groups.iter().map(|group| group.submissions.len()).collect();
        assert_eq!(sizes, [2, 1, 1]);
        assert_eq!(report.groups[0].submissions, ["<script>alert(1)</script>", "cleo"]);
        let alone: Vec<_> = report.groups.iter().filter_map(|group| group.input.clone()).collect();
        assert_eq!(alone, ["1 2\n"]);
        let mistakes: Vec<(&str, usize)> =
            report.mistakes.iter().map(|one| (one.kind.as_str(), one.count)).collect();
        assert_eq!(mistakes, [("comparison", 2), ("constant", 1)]);
        assert_eq!(report.without_kind(), 1);
        let read: Report = serde_json::from_str(&report.json()).expect("its own JSON");
        assert_eq!(read, report);
        let only = |verdict| Report::new(vec![Row::new(verdict, String::new())]).verdict();
        assert_eq!(only(Verdict::Refused), Verdict::Unknown);
        assert_eq!(only(Verdict::Passes), Verdict::Passes);
    }

    #[test]
    fn what_is_broken_makes_submissions_alike() {
        let row = |name: &str, broken: &[Broken]| {
            let checked = Checked {
                asked: "rule lock".into(),
                verdict: Verdict::Fails,
                limit: None,
                message: String::new(),
                broken: broken.to_vec(),
            };
            Row {
                name: name.into(),
                checked: vec![checked],
                ..Row::new(Verdict::Fails, String::new())
            }
        };
        let rule = |says: &str, line: u32, event: &str| Broken {
            kind: "rule".into(),
            line,
            rule: Some("lock".into()),
            says: Some(says.into()),
            state: Some("m is held".into()),
            event: Some(event.into()),
            ..Broken::default()
        };
        let division = Broken { kind: "division".into(), line: 3, ..Broken::default() };
        let report = Report::new(vec![
            row("anna", &[rule("locked twice", 7, "lock(&a)")]),
            row("ben", &[rule("locked twice", 9, "lock(&b)")]),
            row("cleo", &[rule("left locked", 7, ""), division]),
        ]);
        let alike: Vec<(&[String], &[String])> = report
            .groups
            .iter()
            .map(|group| (group.submissions.as_slice(), group.broken.as_slice()))
            .collect();
        let twice = ["rule lock: locked twice, m is held".to_string()];
        assert_eq!(alike[0], (&["anna".to_string(), "ben".to_string()][..], &twice[..]));
        assert_eq!(alike.len(), 2);
        // A submission may have several mistakes.
        let mistakes: Vec<(&str, usize)> =
            report.mistakes.iter().map(|one| (one.kind.as_str(), one.count)).collect();
        assert_eq!(mistakes, [("rule lock", 3), ("division", 1)]);
        assert_eq!(report.without_kind(), 0);
    }
}
