//! Diagnostics with positions in the units of an editor.

use crate::lang::diagnostic::Diagnostic;
use crate::wire::diagnostic::{DiagnosticView, TextEdit};

/// Turns byte offsets into UTF-16 offsets. An empty span becomes one character wide, so that an
/// editor can underline it.
pub fn diagnostics(source: &str, found: &[Diagnostic]) -> Vec<DiagnosticView> {
    let lines = line_starts(source);
    let offset = |byte: u32| utf16_offset(source, &lines, byte as usize);
    found
        .iter()
        .map(|d| {
            let (from, end) = (offset(d.span.start), offset(d.span.end));
            let to = if end > from { end } else { from + 1 };
            let edit = d.edit.as_ref().filter(|edit| {
                let place = edit.span.start as usize..edit.span.end as usize;
                source.get(place) == Some(edit.old.as_str())
            });
            DiagnosticView {
                severity: d.severity,
                from,
                to,
                line: d.span.line,
                code: d.code,
                message: d.message.clone(),
                beside: (d.beside != d.message).then(|| d.beside.clone()),
                subject: d.subject.clone(),
                hint: d.hint.clone(),
                edit: edit.map(|edit| TextEdit {
                    from: offset(edit.span.start),
                    to: offset(edit.span.end),
                    text: edit.new.clone(),
                    places: edit.places,
                }),
            }
        })
        .collect()
}

/// The start of each line, in bytes and in UTF-16 units.
fn line_starts(source: &str) -> Vec<(usize, usize)> {
    let mut starts = vec![(0, 0)];
    let (mut bytes, mut units) = (0, 0);
    for line in source.split_inclusive('\n') {
        bytes += line.len();
        units += line.encode_utf16().count();
        starts.push((bytes, units));
    }
    starts
}

/// The number of UTF-16 units before a byte offset. An offset inside a character counts as the
/// character's start, and an offset past the end as the end.
fn utf16_offset(source: &str, lines: &[(usize, usize)], byte: usize) -> u32 {
    let line = lines.partition_point(|(start, _)| *start <= byte) - 1;
    let (start, before) = lines[line];
    let inside =
        source[start..].char_indices().take_while(|(at, c)| start + at + c.len_utf8() <= byte);
    (before + inside.map(|(_, c)| c.len_utf16()).sum::<usize>()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::model::Span;
    use crate::wire::diagnostic::Severity;

    #[test]
    fn offsets_count_utf16_units() {
        let source = "ä𝔸x\n";
        let at = |start, end| {
            let span = Span { start, end, line: 1 };
            let found = Diagnostic::new(Severity::Error, span, "", "");
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
