//! Diagnostics with the positions that an editor counts in.

use super::protocol::DiagnosticView;
use crate::lang::diagnostic::Diagnostic;

/// Byte offsets become UTF-16 offsets; an empty span is widened to one character, so that there is something to underline.
pub fn diagnostics(source: &str, found: &[Diagnostic]) -> Vec<DiagnosticView> {
    found
        .iter()
        .map(|d| {
            let (from, end) = (utf16_offset(source, d.span.start), utf16_offset(source, d.span.end));
            let to = if end > from { end } else { from + 1 };
            DiagnosticView { severity: d.severity, from, to, line: d.span.line, message: d.message.clone(), hint: d.hint.clone() }
        })
        .collect()
}

/// UTF-16 units before a byte offset; an offset inside a character counts as its start, one past the end as the end.
fn utf16_offset(source: &str, byte: u32) -> u32 {
    let units = source.char_indices().take_while(|(at, c)| at + c.len_utf8() <= byte as usize).map(|(_, c)| c.len_utf16());
    units.sum::<usize>() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::diagnostic::Severity;
    use crate::lang::model::Span;

    #[test]
    fn offsets_count_utf16_units() {
        let source = "ä𝔸x\n";
        let at = |start, end| {
            let span = Span { start, end, line: 1 };
            let found = Diagnostic { severity: Severity::Error, span, message: String::new(), hint: String::new() };
            let view = &diagnostics(source, &[found])[0];
            (view.from, view.to)
        };
        assert_eq!(at(0, 2), (0, 1));
        assert_eq!(at(2, 6), (1, 3));
        assert_eq!(at(6, 7), (3, 4));
        assert_eq!(at(6, 6), (3, 4));
        assert_eq!(at(900, 900), (5, 6));
    }
}
