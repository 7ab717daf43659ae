//! The report as comma-separated values (RFC 4180), one row for each submission.

use crate::row::{Broken, Row};
use crate::summary::Report;

/// The names of the columns.
const HEAD: &str = "name,file,verdict,failed,input,expected,output,suspects,kind,seconds,message,\
     broken,state,event,line,takes,limit,link\r\n";

/// The report.
pub fn csv(report: &Report) -> String {
    let mut out = HEAD.to_string();
    for row in &report.submissions {
        let cells: Vec<String> = cells(row).iter().map(|text| cell(text)).collect();
        out += &cells.join(",");
        out += "\r\n";
    }
    out
}

/// Of what the engine found, the columns have the first.
fn cells(row: &Row) -> [String; 18] {
    let broken = row.broken().next();
    let of_broken = |text: &dyn Fn(&Broken) -> String| broken.map(text).unwrap_or_default();
    let limit = row.checked.iter().find_map(|checked| checked.limit.clone());
    let given = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        row.name.clone(),
        row.file.clone(),
        row.verdict.word().to_string(),
        row.failed.join(" "),
        given(&row.input),
        given(&row.expected),
        given(&row.output),
        row.lines().replace(',', ""),
        given(&row.kind),
        row.seconds.to_string(),
        row.message.clone(),
        of_broken(&|one| one.rule.as_ref().or(one.clause.as_ref()).unwrap_or(&one.kind).clone()),
        of_broken(&|one| given(&one.state)),
        of_broken(&|one| given(&one.event)),
        of_broken(&|one| one.line.to_string()),
        of_broken(&Broken::takes),
        given(&limit),
        given(&row.link),
    ]
}

/// A cell. A table calculation takes a cell that starts with `=`, `+`, `-` or `@` for a formula,
/// even in quotes: an apostrophe says that it is text. Numbers stay as they are.
fn cell(text: &str) -> String {
    let formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.trim().parse::<f64>().is_err();
    let mark = if formula { "'" } else { "" };
    if formula || text.contains([',', '"', '\n', '\r']) || text != text.trim() {
        format!("\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(cell("=HYPERLINK(1)"), "\"'=HYPERLINK(1)\"");
        assert_eq!(cell("-5"), "-5");
        let told = csv(&example());
        assert!(told.starts_with(HEAD));
        let cleo = "cleo,cleo.c,fails,a,\"1 2\n\",\"3\n\",\"<b>\n\",,comparison,0.25,\"A sentence about \"\"cleo\"\".\",,,,,,,\r\n";
        assert!(told.contains(cleo), "{told}");
        assert!(told.contains("\"'=dora\",\"'=dora.c\",fails,a b,"), "{told}");
    }
}
