//! Places in a text as the protocol counts them: lines from 0, and UTF-16 units in a line from 0.

use serde_json::{Value, json};

/// A text with the starts of its lines.
pub(super) struct Text {
    lines: Vec<String>,
    /// Of each line, in UTF-16 units.
    starts: Vec<u32>,
}

impl Text {
    pub(super) fn new(source: &str) -> Text {
        let lines: Vec<String> = source.split('\n').map(str::to_string).collect();
        let mut starts = Vec::with_capacity(lines.len());
        let mut start = 0;
        for line in &lines {
            starts.push(start);
            start += units(line) + 1;
        }
        Text { lines, starts }
    }

    /// The place of an offset in UTF-16 units.
    fn position(&self, offset: u32) -> Value {
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        let character = (offset - self.starts[line]).min(units(&self.lines[line]));
        json!({ "line": line, "character": character })
    }

    /// What is between two offsets.
    pub(super) fn range(&self, from: u32, to: u32) -> Value {
        json!({ "start": self.position(from), "end": self.position(to.max(from)) })
    }

    /// From a line and column to another, both from 1 and in characters.
    pub(super) fn range_of_columns(&self, from: (u32, u32), to: (u32, u32)) -> Value {
        let place = |(line, column): (u32, u32)| {
            let before = self.line(line).chars().take(column.max(1) as usize - 1);
            let character: usize = before.map(char::len_utf16).sum();
            json!({ "line": line.max(1) - 1, "character": character })
        };
        json!({ "start": place(from), "end": place(to) })
    }

    /// A line from 1, without the space around it.
    pub(super) fn range_of_line(&self, line: u32) -> Value {
        let (start, length) = self.inside(line);
        json!({
            "start": { "line": line.max(1) - 1, "character": start },
            "end": { "line": line.max(1) - 1, "character": start + length },
        })
    }

    /// Where a line's text starts, and how long it is, without the space around it.
    pub(super) fn inside(&self, line: u32) -> (u32, u32) {
        let text = self.line(line);
        let start = units(text) - units(text.trim_start());
        (start, units(text.trim()))
    }

    fn line(&self, line: u32) -> &str {
        self.lines.get(line.max(1) as usize - 1).map_or("", String::as_str)
    }
}

fn units(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_utf16_units_from_zero() {
        let text = Text::new("ä = 𝔸;\n\n  x = 2; \n");
        let at = |line: u32, character: u32| json!({ "line": line, "character": character });
        assert_eq!(text.range(4, 6), json!({ "start": at(0, 4), "end": at(0, 6) }));
        assert_eq!(text.range(8, 8), json!({ "start": at(1, 0), "end": at(1, 0) }));
        assert_eq!(text.range(11, 900)["end"], at(3, 0));
        assert_eq!(text.range_of_line(3), json!({ "start": at(2, 2), "end": at(2, 8) }));
        assert_eq!(text.range_of_line(40)["start"], at(39, 0));
        let columns = text.range_of_columns((1, 5), (1, 6));
        assert_eq!(columns, json!({ "start": at(0, 4), "end": at(0, 6) }));
    }
}
