//! A report as one HTML document that opens anywhere: verdict, program with its lit lines, picture,
//! the failing run's steps, causes or invariant.
//!
//! The document loads nothing: a content security policy forbids it, and allows only the one script
//! by its hash. Everything can be read without the script, which steps through the run and marks
//! the step in program and picture. Light or dark follows the reader's system, print is light.

mod parts;

use crate::draw::svg::{document_style, escape};
use crate::draw::words;
use crate::util::sha256::sha256;
use crate::wire::graph::{Graph, StatementView};
use crate::wire::localize::CauseReport;
use crate::wire::permalink::encode_base64url;
use crate::wire::report::Report;
use std::fmt::Write;

/// The style sheet.
const STYLE: &str = include_str!("document.css");
/// Steps through the run.
const SCRIPT: &str = include_str!("document.js");

/// What a document is made of.
pub struct Document<'a> {
    /// The program's name.
    pub name: &'a str,
    /// Its text.
    pub source: &'a str,
    /// The answer of a projection.
    pub report: &'a Report,
    /// Tells which lines and boxes are lit.
    pub statements: &'a [StatementView],
    /// The picture, laid out; `None`: it would be too large to be read.
    pub graph: Option<&'a Graph>,
    /// What failing runs do that no correct run does, as far as it is known.
    pub causes: &'a [CauseReport],
    /// The step of the failing run that is shown first, from 0 on.
    pub step: Option<usize>,
}

/// The document's text. It is well-formed XML as well, so a mark that is not escaped breaks tests.
pub fn document(document: &Document) -> String {
    let mut out = String::with_capacity(32_000 + 8 * document.source.len());
    let hash = sha256_base64(SCRIPT);
    let title = format!("{}: {}", document.name, words::headline(document.report));
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'sha256-{hash}'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n",
        escape(&title),
        document_style()
    );
    parts::verdict(&mut out, document);
    parts::program(&mut out, document);
    parts::run(&mut out, document);
    parts::causes(&mut out, document);
    parts::invariant(&mut out, document);
    parts::picture(&mut out, document);
    parts::footer(&mut out, document);
    let _ = write!(out, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

/// The hash by which the policy knows a script.
fn sha256_base64(text: &str) -> String {
    let mut hash = String::new();
    encode_base64url(&sha256(text.as_bytes()), &mut hash);
    // 32 bytes are 43 characters and one of padding.
    hash.push('=');
    hash
}
