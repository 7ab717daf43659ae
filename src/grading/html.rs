//! The report as one page that opens anywhere: no script, nothing fetched, light and dark, and on a
//! narrow screen a card for each submission.

use crate::row::{Broken, Row, Suspect};
use crate::summary::{Group, Mistake, Report};
use crate::text::{Words, how, told};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// A text in HTML or XML. Control characters that neither may have are replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The report. `title` names the class.
pub fn html(report: &Report, title: &str, words: Words) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}: submissions</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p>{}</p>\n",
        escape(&report.headline())
    );
    mistakes(&mut out, report, words);
    groups(&mut out, report, words);
    table(&mut out, report, words);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn mistakes(out: &mut String, report: &Report, words: Words) {
    if report.mistakes.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>Mistakes of the class</h2>\n");
    chart(out, &report.mistakes, words);
    let rest = report.without_kind();
    if rest > 0 {
        let _ = writeln!(out, "<p class=\"note\">{rest} more without a kind.</p>");
    }
    out.push_str("</section>\n");
}

/// A bar for each kind, with its words above it and its number behind it.
fn chart(out: &mut String, mistakes: &[Mistake], words: Words) {
    const ROW: usize = 38;
    const WIDTH: usize = 310;
    let most = mistakes.iter().map(|one| one.count).max().unwrap_or(1);
    let told: Vec<String> =
        mistakes.iter().map(|one| format!("{}: {}", words(&one.kind), one.count)).collect();
    let _ = writeln!(
        out,
        "<svg class=\"chart\" viewBox=\"0 0 360 {}\" role=\"img\" aria-labelledby=\"chart-title chart-text\">\n\
         <title id=\"chart-title\">How many submissions have which kind of mistake</title>\n\
         <desc id=\"chart-text\">{}</desc>",
        mistakes.len() * ROW,
        escape(&told.join("; "))
    );
    for (k, mistake) in mistakes.iter().enumerate() {
        let top = k * ROW;
        let width = (mistake.count * WIDTH).div_ceil(most).max(2);
        let _ = writeln!(
            out,
            "<text x=\"0\" y=\"{}\">{}</text><rect x=\"0\" y=\"{}\" width=\"{width}\" height=\"14\" rx=\"2\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            top + 13,
            escape(&words(&mistake.kind)),
            top + 18,
            width + 6,
            top + 30,
            mistake.count
        );
    }
    out.push_str("</svg>\n");
}

fn groups(out: &mut String, report: &Report, words: Words) {
    let (alike, alone): (Vec<&Group>, Vec<&Group>) =
        report.groups.iter().partition(|group| group.submissions.len() > 1);
    if alike.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>Fail alike</h2>\n<ul class=\"groups\">\n");
    for group in alike {
        let who: Vec<String> = group.submissions.iter().map(|name| escape(name)).collect();
        let _ = writeln!(
            out,
            "<li><details><summary><b>{}</b> {}</summary><p>{}</p></details></li>",
            who.len(),
            escape(&how(group, words)),
            who.join(", ")
        );
    }
    out.push_str("</ul>\n");
    match alone.len() {
        0 => {}
        1 => out.push_str("<p class=\"note\">1 more fails in a way of its own.</p>\n"),
        n => {
            let _ = writeln!(out, "<p class=\"note\">{n} more fail, each in a way of its own.</p>");
        }
    }
    out.push_str("</section>\n");
}

fn table(out: &mut String, report: &Report, words: Words) {
    out.push_str(
        "<section>\n<h2>Submissions</h2>\n<table>\n<thead><tr><th scope=\"col\">Submission</th>\
         <th scope=\"col\">Verdict</th><th scope=\"col\">Failed tests</th>\
         <th scope=\"col\">What is wrong</th><th scope=\"col\">Lines to look at</th>\
         <th scope=\"col\">Kind of mistake</th><th scope=\"col\">Seconds</th></tr></thead>\n<tbody>\n",
    );
    for row in &report.submissions {
        let kinds: Vec<String> = row.kinds().iter().map(|kind| words(kind)).collect();
        let file = if crate::archive::stem(&row.file) == row.name {
            String::new()
        } else {
            format!("<br><small>{}</small>", escape(&row.file))
        };
        let _ = writeln!(
            out,
            "<tr class=\"{0}\"><th scope=\"row\">{1}{file}</th><td class=\"verdict\">{0}</td>{2}<td>{3}</td>{4}{5}\
             <td data-label=\"Seconds\">{6:.2}</td></tr>",
            row.verdict.word(),
            named(row),
            labelled("Failed tests", &escape(&row.failed.join(", "))),
            what(row),
            labelled("Lines to look at", &lines(&row.suspects, words)),
            labelled("Kind of mistake", &escape(&kinds.join(", "))),
            row.seconds
        );
    }
    out.push_str("</tbody>\n</table>\n</section>\n");
}

/// The name; a link into the page, if there is one.
fn named(row: &Row) -> String {
    let name = escape(&row.name);
    match &row.link {
        Some(link) => format!("<a href=\"{}\">{name}</a>", escape(link)),
        None => name,
    }
}

/// A cell that a narrow screen leaves out if it is empty.
fn labelled(label: &str, content: &str) -> String {
    if content.is_empty() {
        "<td class=\"empty\"></td>".to_string()
    } else {
        format!("<td data-label=\"{label}\">{content}</td>")
    }
}

/// The lines, each with the kind that a change says.
fn lines(suspects: &[Suspect], words: Words) -> String {
    let one = |suspect: &Suspect| match &suspect.kind {
        Some(kind) => format!("<b>{}</b> <small>{}</small>", suspect.line, escape(&words(kind))),
        None => suspect.line.to_string(),
    };
    suspects.iter().map(one).collect::<Vec<String>>().join(", ")
}

/// The sentence, and behind it the input with both outputs.
fn what(row: &Row) -> String {
    let mut out = escape(&row.message);
    let broken: Vec<&Broken> = row.broken().collect();
    if !broken.is_empty() {
        out.push_str("<ul class=\"broken\">");
        for one in broken {
            let _ = write!(out, "<li>{}</li>", escape(&told(one)));
        }
        out.push_str("</ul>");
    }
    let blocks: Vec<(&str, &String)> =
        [("Input", &row.input), ("Expected", &row.expected), ("Printed", &row.output)]
            .into_iter()
            .filter_map(|(what, text)| text.as_ref().map(|text| (what, text)))
            .collect();
    if !blocks.is_empty() {
        out.push_str("<details><summary>Input and outputs</summary>");
        for (what, text) in blocks {
            // A first end of line inside of `pre` would be dropped.
            let _ = write!(out, "<p>{what}</p><pre>\n{}</pre>", escape(text));
        }
        out.push_str("</details>");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn one_page_without_scripts() {
        let told = html(&example(), "lab <1>", &|kind| format!("<{kind}>"));
        for never in ["<script", "<b>\n", "<1>", "<comparison>", "http://", "https://", "url("] {
            assert!(!told.contains(never), "{never}: {told}");
        }
        assert!(told.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(
            told.contains(
                "<desc id=\"chart-text\">&lt;comparison&gt;: 2; &lt;constant&gt;: 1</desc>"
            )
        );
        assert!(told.contains("<b>2</b> on a: &lt;values&gt;"));
        assert!(told.contains("<p class=\"note\">2 more fail, each in a way of its own.</p>"));
        assert_eq!(told.matches("<tr class=").count(), 7);
        // Every element that is opened is closed.
        for tag in ["table", "tr", "td", "th", "details", "section", "svg", "pre", "ul", "li", "p"]
        {
            let opened = told.matches(&format!("<{tag}>")).count()
                + told.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, told.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
