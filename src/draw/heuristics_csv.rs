//! The table of heuristics as comma-separated values (RFC 4180).

use crate::wire::refinement::{CompareRow, PaperTable};

/// A line of names, and a line for each heuristic: what this program took, and behind it what the
/// paper prints, where it does.
pub fn heuristics_csv(rows: &[CompareRow], paper: Option<&PaperTable>) -> String {
    let mut out = String::from(
        "interpolants,verdict,limit,refinements,most_predicates,predicates,dag_nodes,steps,millis,\
         paper_refinements,paper_most_predicates,paper_millis\r\n",
    );
    for row in rows {
        let printed = paper
            .and_then(|paper| paper.rows.iter().find(|one| one.interpolants == row.interpolants));
        let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let fields = [
            row.interpolants.word().to_string(),
            row.verdict.word().to_string(),
            row.limit.map_or(String::new(), |limit| limit.word().to_string()),
            row.refinements.to_string(),
            row.most.to_string(),
            row.predicates.to_string(),
            row.nodes.to_string(),
            row.steps.to_string(),
            row.millis.to_string(),
            number(printed.map(|printed| printed.refinements.into())),
            number(printed.map(|printed| printed.most.into())),
            number(printed.and_then(|printed| printed.millis)),
        ];
        // Words and numbers only: nothing has to be quoted.
        out.push_str(&fields.join(","));
        out.push_str("\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Limit;
    use crate::wire::refinement::{Heuristic, PaperRow};
    use crate::wire::verdict::Verdict;

    #[test]
    fn each_heuristic_is_a_line_with_the_papers_numbers_behind_ours() {
        let row = |interpolants, verdict, limit| CompareRow {
            interpolants,
            verdict,
            limit,
            refinements: 9,
            predicates: 40,
            most: 7,
            nodes: 31,
            steps: 12_345,
            millis: 20,
        };
        let rows = [
            row(Heuristic::Strongest, Verdict::Safe, None),
            row(Heuristic::Both, Verdict::Unknown, Some(Limit::Time)),
        ];
        let printed = PaperRow {
            interpolants: Heuristic::Strongest,
            refinements: 13,
            most: 12,
            millis: Some(150),
        };
        let paper =
            PaperTable { figure: "Fig. 6.2".into(), rows: vec![printed], note: String::new() };
        let csv = heuristics_csv(&rows, Some(&paper));
        let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
        assert_eq!(lines[1], "strongest,safe,,9,7,40,31,12345,20,13,12,150");
        assert_eq!(lines[2], "both,unknown,time,9,7,40,31,12345,20,,,");
        let columns = |line: &&str| line.split(',').count();
        assert!(lines.iter().all(|line| columns(line) == 12), "{csv}");
    }
}
