//! The statements of a run.

use super::step::{Change, Element};
use super::value::{Value, Values};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One executed statement of the failing run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct TraceEntry {
    /// 1-based.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// Thread number; 0 in sequential programs.
    pub thread: u32,
    /// As in the source; a condition says its outcome: `if (x > 0): true`, and of a `for` it is the
    /// condition alone: `i <= n: true`.
    pub statement: String,
    /// Of a condition: its outcome, with which `statement` ends. For the page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// All variables in scope *before* the statement, globals first.
    pub values: Values,
    /// What the statement changed, until the next statement of its thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What its procedure returned, if it returned a value with this statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Value>,
    /// Elements of arrays that it read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Element>,
    /// How many of `values` are globals. For the page.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub globals: u32,
    /// Calls pending below this statement (0 in the start procedure). For the page; not part of the
    /// JSON contract.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The variables in scope that are of type `char`, or hold such elements. For the page, which
    /// reads their numbers as characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub characters: Vec<String>,
    /// Is it a step inside of a procedure of the C library, as `strcat`? For the page, which folds
    /// such steps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub library: bool,
    /// The statement (edge) number; for the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
}

impl TraceEntry {
    /// In JSON a character is a number; the names say which numbers are characters.
    fn restore_characters(&mut self) {
        for (name, value) in &mut self.values.0 {
            if self.characters.contains(name) {
                *value = value.as_characters();
            }
        }
    }
}

impl Serialize for TraceEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TraceEntry::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for TraceEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut entry = TraceEntry::deserialize(deserializer)?;
        entry.restore_characters();
        Ok(entry)
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What goes to the page and comes out there.
    #[test]
    fn characters_survive_the_way_to_the_page() {
        let text = |bytes: &[u8]| {
            Value::List(bytes.iter().map(|b| Value::Character(i128::from(*b))).collect())
        };
        let change = Change {
            element: Element { place: "c".into(), variable: "c".into(), indices: Vec::new() },
            before: Some(Value::Character(-3)),
            after: Value::Character(97),
            frame: Some(0),
            character: true,
        };
        let entry = TraceEntry {
            values: Values(vec![
                ("n".into(), Value::Number(97)),
                ("c".into(), Value::Character(-3)),
                ("s".into(), text(b"it\'s\n\0x")),
                ("t".into(), text(b"ab")),
            ]),
            changes: vec![change],
            characters: ["c", "s", "t"].map(str::to_string).to_vec(),
            ..TraceEntry::default()
        };
        let json = serde_json::to_string(&entry).expect("JSON");
        assert!(json.contains(r#""c":-3"#), "numbers, for scripts: {json}");
        let read: TraceEntry = serde_json::from_str(&json).expect("an entry");
        assert_eq!(read, entry);
        let shown: Vec<String> = read.values.0.iter().map(|(_, v)| v.to_string()).collect();
        assert_eq!(shown, ["97", "-3", r#""it's\n""#, "['a', 'b']"]);
        assert_eq!(read.changes[0].after.to_string(), "97 'a'");
    }
}
