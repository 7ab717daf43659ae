//! Diagnostics for a terminal: the place in the source, the message, the hint.

use super::text::Style;
use crate::lang::diagnostic::Diagnostic;
use crate::wire::diagnostic::Severity;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

/// All diagnostics as text. `name`: the name of the source.
pub(super) fn render(name: &str, source: &str, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        let (kind, paint) = match diagnostic.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        // A place behind the end (of a missing brace) is shown at the end.
        let start = (diagnostic.span.start as usize).min(source.len());
        let span = start..(diagnostic.span.end as usize).clamp(start, source.len());
        let config = Config::default().with_index_type(IndexType::Byte).with_color(style.colour);
        let mut report = Report::build(kind, (name, span.clone()))
            .with_config(config)
            .with_message(&diagnostic.message);
        report = report.with_label(
            Label::new((name, span)).with_message(&diagnostic.message).with_color(paint),
        );
        if !diagnostic.hint.is_empty() {
            report = report.with_help(&diagnostic.hint);
        }
        report
            .finish()
            .write((name, Source::from(source)), &mut out)
            .expect("writing into memory does not fail");
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::model::Span;

    #[test]
    fn a_diagnostic_says_where_what_and_what_to_do() {
        let source = "int ä;\nfoo = 1;";
        let span = Span { start: 8, end: 11, line: 2 };
        let diagnostic = Diagnostic::new(Severity::Error, span, "unknown name `foo`", "declare it");
        let text = render("a.cimple", source, &[diagnostic], Style { colour: false });
        for part in ["Error: unknown name `foo`", "a.cimple:2:1", "foo = 1;", "declare it"] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }

    #[test]
    fn a_place_past_the_end_is_no_trouble() {
        let span = Span { start: 90, end: 95, line: 9 };
        let diagnostic = Diagnostic::new(Severity::Error, span, "missing `}`", "");
        assert!(
            render("-", "int x;", &[diagnostic], Style { colour: false }).contains("missing `}`")
        );
    }
}
