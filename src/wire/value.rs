//! Values of variables, as the program's reader would write them.

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A value as the program's reader would write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a bool.
    Truth(bool),
    /// Of an integer (64-bit unsigned values fit as well).
    Number(i128),
    /// Of a `char`: `97 'a'`. In JSON it is a number.
    Character(i128),
    /// Of an array; two dimensions nest.
    List(Vec<Value>),
    /// A state or a stack symbol of a raw pushdown system.
    Name(String),
    /// Of floating point: `20.0`.
    Decimal(String),
}

/// Is this text a value of floating point?
fn is_decimal(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'e');
    matches!(text, "NaN" | "inf" | "-inf")
        || text.bytes().all(is_part)
            && text.contains(['.', 'e'])
            && text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

impl Value {
    /// The same numbers as characters.
    pub(super) fn as_characters(&self) -> Value {
        match self {
            Value::Number(n) => Value::Character(*n),
            Value::List(items) => Value::List(items.iter().map(Value::as_characters).collect()),
            other => other.clone(),
        }
    }

    /// Is it a character, or an array of characters?
    pub fn is_of_characters(&self) -> bool {
        match self {
            Value::Character(_) => true,
            Value::List(items) => items.first().is_some_and(Value::is_of_characters),
            _ => false,
        }
    }

    /// As it is written where there is little room: `'a'` of a character, else as always.
    pub fn brief(&self) -> String {
        match self {
            Value::Character(n) => written(*n).map_or(n.to_string(), |text| format!("'{text}'")),
            other => other.to_string(),
        }
    }

    /// The text that an array of characters holds, in quotes: up to the first zero. `None` if there
    /// is none, or if something before it is no character that can be written.
    pub fn text(&self) -> Option<String> {
        let Value::List(items) = self else { return None };
        let mut text = String::from("\"");
        for item in items {
            match item {
                Value::Character(0) => return Some(text + "\""),
                Value::Character(n) if *n == i128::from(b'"') => text.push_str("\\\""),
                Value::Character(n) if *n == i128::from(b'\'') => text.push('\''),
                Value::Character(n) => text.push_str(&written(*n)?),
                _ => return None,
            }
        }
        None
    }
}

/// A character as C writes it between quotes; `None` if it has no such form.
fn written(number: i128) -> Option<String> {
    Some(match u8::try_from(number).ok()? {
        0 => "\\0".to_string(),
        b'\n' => "\\n".to_string(),
        b'\r' => "\\r".to_string(),
        b'\t' => "\\t".to_string(),
        b'\'' => "\\'".to_string(),
        b'\\' => "\\\\".to_string(),
        byte @ b' '..=b'~' => char::from(byte).to_string(),
        _ => return None,
    })
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Truth(b) => write!(f, "{b}"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Character(n) => match written(*n) {
                Some(text) => write!(f, "{n} '{text}'"),
                None => write!(f, "{n}"),
            },
            Value::Name(text) | Value::Decimal(text) => f.write_str(text),
            Value::List(items) => {
                if let Some(text) = self.text() {
                    return f.write_str(&text);
                }
                write!(f, "[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, item.brief())?;
                }
                write!(f, "]")
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Truth(b) => serializer.serialize_bool(*b),
            Value::Number(n) | Value::Character(n) => match i64::try_from(*n) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_u64(*n as u64),
            },
            Value::List(items) => items.serialize(serializer),
            Value::Name(text) | Value::Decimal(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a truth value, a number, a name or a list")
            }
            fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
                Ok(Value::Truth(b))
            }
            fn visit_str<E>(self, name: &str) -> Result<Value, E> {
                let make = if is_decimal(name) { Value::Decimal } else { Value::Name };
                Ok(make(name.to_string()))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value::Number(n.into()))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(Value::Number(n.into()))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Value, E> {
                Ok(Value::Number(n as i128))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Value::List(items))
            }
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Variables with their values, in scope order; a JSON object whose keys keep that order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<(String, Value)>);

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValuesVisitor;
        impl<'de> Visitor<'de> for ValuesVisitor {
            type Value = Values;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("variables with their values")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Values(entries))
            }
        }
        deserializer.deserialize_map(ValuesVisitor)
    }
}
