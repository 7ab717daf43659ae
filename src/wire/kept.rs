//! What a browser keeps of a program between visits. It is read back leniently: an older or newer
//! page may have written it, or something else may have damaged it, and the program's text must
//! never be lost for that.

use crate::wire::options::RequestedOptions;
use crate::wire::projection::Method;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A program, and what a person set for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptProgram {
    /// Its text.
    pub source: String,
    /// The options that the person set.
    pub options: RequestedOptions,
    /// How the projection is computed.
    pub method: Method,
    /// The name of its file, if it came from one.
    pub name: Option<String>,
    /// The example of the gallery that it is an edit of, if it is one.
    pub example: Option<String>,
}

/// What could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBack {
    /// The program, as far as it could be read.
    pub program: KeptProgram,
    /// Was every part of what was kept readable?
    pub is_whole: bool,
}

/// Reads what was kept, field by field: a field that cannot be read has its default.
pub fn read_back(kept: &str) -> ReadBack {
    let Ok(Value::Object(fields)) = serde_json::from_str(kept) else {
        let source = source_in(kept).unwrap_or_else(|| kept.to_string());
        let program = KeptProgram { source, ..KeptProgram::default() };
        return ReadBack { program, is_whole: kept.is_empty() };
    };
    let (mut program, mut is_whole): (KeptProgram, bool) = lenient(&fields);
    if let Some(Value::Object(options)) = fields.get("options") {
        (program.options, _) = lenient(options);
    }
    // A text is what matters most: whatever stands there in its place is shown as it is.
    match fields.get("source") {
        None | Some(Value::String(_)) => {}
        Some(other) => {
            program.source = other.to_string();
            is_whole = false;
        }
    }
    ReadBack { program, is_whole }
}

/// As many of the fields as can be read together; were these all?
fn lenient<T: Default + DeserializeOwned>(fields: &Map<String, Value>) -> (T, bool) {
    let mut readable = Map::new();
    for (name, value) in fields {
        readable.insert(name.clone(), value.clone());
        if T::deserialize(Value::Object(readable.clone())).is_err() {
            readable.remove(name);
        }
    }
    let is_whole = readable.len() == fields.len();
    (T::deserialize(Value::Object(readable)).unwrap_or_default(), is_whole)
}

/// The string after `"source":` in what is no JSON (any more), as far as it goes.
fn source_in(kept: &str) -> Option<String> {
    let rest = kept.split_once("\"source\"")?.1.trim_start().strip_prefix(':')?;
    let text = rest.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let text = end.map_or(text, |(at, _)| &text[..at]);
    // What was cut off may have been in the middle of an escape of at most six characters.
    let cuts = text.char_indices().rev().map(|(at, _)| at).take(6);
    std::iter::once(text.len())
        .chain(cuts)
        .find_map(|end| serde_json::from_str(&format!("\"{}\"", &text[..end])).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::Dialect;

    const TEXT: &str = "void main() {\n\tint x; // \"äß\" \\ \u{1f600}\n}\n";

    fn kept() -> KeptProgram {
        KeptProgram {
            source: TEXT.into(),
            options: RequestedOptions {
                dialect: Some(Dialect::C),
                bits: Some(7),
                ..RequestedOptions::default()
            },
            method: Method::PerNode,
            name: Some("a.c".into()),
            example: None,
        }
    }

    fn written(program: &KeptProgram) -> String {
        serde_json::to_string(program).expect("plain data")
    }

    #[test]
    fn what_was_written_is_read() {
        let read = read_back(&written(&kept()));
        assert_eq!(read, ReadBack { program: kept(), is_whole: true });
        let nothing = ReadBack { program: KeptProgram::default(), is_whole: true };
        assert_eq!(read_back(""), nothing);
        assert_eq!(read_back("{}"), nothing);
    }

    #[test]
    fn a_field_that_cannot_be_read_costs_that_field_alone() {
        let read = read_back(
            r#"{"source": "MY PROGRAM", "options": {"dialect": "zzz", "bits": 7}, "method": 3, "name": "a.c"}"#,
        );
        assert!(!read.is_whole);
        let program = KeptProgram {
            source: "MY PROGRAM".into(),
            options: RequestedOptions { bits: Some(7), ..RequestedOptions::default() },
            method: Method::default(),
            name: Some("a.c".into()),
            example: None,
        };
        assert_eq!(read.program, program);
    }

    #[test]
    fn a_text_is_found_in_whatever_is_there() {
        assert_eq!(read_back("void main() {}").program.source, "void main() {}");
        assert_eq!(read_back(r#"{"source": 7}"#).program.source, "7");
        assert!(!read_back(r#"{"source": 7}"#).is_whole);
        assert!(!read_back("[1, 2]").is_whole);
        assert_eq!(read_back("[1, 2]").program.source, "[1, 2]");
    }

    #[test]
    fn what_is_cut_off_keeps_the_text_up_to_there() {
        let whole = written(&kept());
        let begin = whole.find("void").expect("it begins so");
        let mut least = 0;
        for (end, _) in whole.char_indices().skip_while(|(at, _)| *at <= begin + 1) {
            let read = read_back(&whole[..end]);
            assert!(!read.is_whole);
            assert!(TEXT.starts_with(&read.program.source), "{:?}", read.program.source);
            assert!(read.program.source.len() >= least, "a longer rest gives no less");
            least = read.program.source.len();
        }
        assert_eq!(least, TEXT.len());
    }

    /// A hundred damages outside the text, with a fixed seed: the text stays.
    #[test]
    fn the_text_survives_damage_beside_it() {
        let whole = written(&kept());
        let rest = whole.find("\"options\"").expect("it comes after the text");
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % below as u64) as usize
        };
        for _ in 0..100 {
            let mut damaged = whole.clone().into_bytes();
            for _ in 0..=next(4) {
                let at = rest + next(damaged.len() - rest);
                damaged[at] = b' ' + next(95) as u8;
            }
            let damaged = String::from_utf8_lossy(&damaged).into_owned();
            assert_eq!(read_back(&damaged).program.source, TEXT, "{damaged}");
        }
    }
}
