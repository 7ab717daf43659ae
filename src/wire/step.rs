//! What a statement of a run did.

use crate::wire::value::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A variable, or an element of an array, that has another value after a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Change {
    /// Which.
    #[serde(flatten)]
    pub element: Element,
    /// Before the statement; missing if the variable comes into scope with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// After it.
    pub after: Value,
    /// Whose variable it is: 0 of the procedure that executes the statement, 1 of its caller, and
    /// so on. Missing for globals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// Is the variable of type `char`? For the page, which reads the numbers as characters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub character: bool,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Change::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut change = Change::deserialize(deserializer)?;
        if change.character {
            change.before = change.before.map(|before| before.as_characters());
            change.after = change.after.as_characters();
        }
        Ok(change)
    }
}

/// An element of an array, or a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// As the program writes it: `x`, `a[3]`, `p.x`, `ps[1].x`.
    pub place: String,
    /// The variable.
    pub variable: String,
    /// One index for each dimension; empty for a scalar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indices: Vec<u32>,
}
