//! Witnesses in the format of SV-COMP, version 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl,
//! Strejček 2024: *Software Verification Witnesses 2.0*): a `violation_sequence` of waypoints for
//! an unsafe program, an `invariant_set` for a safe one.
//!
//! The format is made for C, so the witness describes the text as if it were C. The producer's
//! configuration contains the widths with which it was checked. This module uses neither a clock
//! nor chance: the driver gives the creation time, and the identifier (UUID version 8, RFC 9562) is
//! a hash of the content.
//!
//! Differs from the format: if a callee returns nothing, its `function_return` waypoint is left
//! out, because the format has no constraint for it. If the evaluation of a statement has calls,
//! the statement has no location invariant of its own, because the format cannot name the points
//! inside.
//!
//! The YAML is written by hand, every text as a JSON string (YAML 1.2 contains JSON). The structure
//! is fixed and flat, and the usual crate for YAML is no longer maintained.

mod invariants;
mod violation;

use crate::draw::words;
use crate::lang::model::{EdgeId, ErrorKind, Program, Span};
use crate::session::{Outcome, Session};
use crate::util::sha256::{hexadecimal, sha256};
use crate::wire::error_kind::Property;
use crate::wire::options::{DataModel, Dialect};
use std::fmt::Write;

/// The facts that only the driver knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file of the program.
    pub file_name: String,
    /// The time in ISO 8601, with seconds and zone: `2026-01-31T12:00:00Z`.
    pub creation_time: String,
}

/// The witness for the verdict. Returns `None` if there is none: for "unknown", or for a safe
/// program whose invariant could not be built.
pub fn witness(session: &mut Session, origin: &Origin) -> Option<String> {
    let (program, options) = session.answered_program()?;
    let configuration = words::holds_for(options);
    let model = match (options.dialect, options.model) {
        (Dialect::C, DataModel::Lp64) => "LP64",
        _ => "ILP32",
    };
    let source = session.source().to_string();
    let places = Places { file_name: &origin.file_name, source: &source, program: &program };
    let (entry_type, property, content) = match session.outcome() {
        Outcome::Unsafe => {
            let run = session.failing_run()?;
            (
                "violation_sequence",
                specification(Some(run.check.kind)),
                violation::content(&places, run),
            )
        }
        Outcome::Safe => {
            ("invariant_set", specification(None), invariants::content(session, &places)?)
        }
        Outcome::Unknown(_) | Outcome::Fault => return None,
    };
    let file = text(&origin.file_name);
    let hash = hexadecimal(&sha256(session.source().as_bytes()));
    let identifier =
        uuid(&format!("{entry_type}\n{}\n{hash}\n{configuration}\n{content}", origin.file_name));
    let mut out = String::new();
    let _ = writeln!(out, "- entry_type: {entry_type}");
    let _ = writeln!(out, "  metadata:");
    let _ = writeln!(out, "    format_version: \"2.0\"");
    let _ = writeln!(out, "    uuid: {}", text(&identifier));
    let _ = writeln!(out, "    creation_time: {}", text(&origin.creation_time));
    let _ = writeln!(out, "    producer:");
    let _ = writeln!(out, "      name: \"Faultline\"");
    let _ = writeln!(out, "      version: {}", text(env!("CARGO_PKG_VERSION")));
    let _ = writeln!(out, "      configuration: {}", text(&configuration));
    let _ = writeln!(out, "    task:");
    let _ = writeln!(out, "      input_files:");
    let _ = writeln!(out, "      - {file}");
    let _ = writeln!(out, "      input_file_hashes:");
    let _ = writeln!(out, "        {file}: {}", text(&hash));
    let _ = writeln!(out, "      specification: {}", text(&property));
    let _ = writeln!(out, "      data_model: {model}");
    let _ = writeln!(out, "      language: C");
    if content.is_empty() {
        let _ = writeln!(out, "  content: []");
    } else {
        let _ = writeln!(out, "  content:");
        out.push_str(&content);
    }
    Some(out)
}

/// The specification of SV-COMP that an error of this kind violates. One without a property of its
/// own counts as a call of `reach_error`, and so does "safe".
fn specification(kind: Option<ErrorKind>) -> String {
    let property = kind.and_then(|kind| kind.meaning().property).unwrap_or(Property::UnreachCall);
    format!("CHECK( init(main()), LTL({}) )", property.formula())
}

/// An identifier made from the content: the first 122 bits of its hash, with version 8 and the
/// variant's bits.
fn uuid(content: &str) -> String {
    let mut bytes = sha256(content.as_bytes());
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes[..16]);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// A text as JSON, which is also YAML.
fn text(value: &str) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "\"\"".to_string())
}

/// The positions of statements in the source.
struct Places<'a> {
    file_name: &'a str,
    source: &'a str,
    program: &'a Program,
}

impl Places<'_> {
    /// The line and column of a byte, both from 1. Columns count characters.
    fn position(&self, byte: u32) -> (usize, usize) {
        let before = self.source.get(..byte as usize).unwrap_or(self.source);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// A `location`. Each line is indented by so many blanks.
    fn location(&self, byte: u32, edge: EdgeId, indent: usize) -> String {
        let (line, column) = self.position(byte);
        let function = &self.program.procedure(self.program.owner(edge)).name;
        let pad = " ".repeat(indent);
        format!(
            "{pad}location:\n{pad}  file_name: {}\n{pad}  line: {line}\n{pad}  column: {column}\n{pad}  function: {}\n",
            text(self.file_name),
            text(function)
        )
    }

    /// The parenthesis that ends a call.
    fn closing(&self, span: Span) -> u32 {
        let call = self.source.get(span.start as usize..span.end as usize).unwrap_or("");
        call.rfind(')').map_or(span.start, |at| span.start + at as u32)
    }
}
