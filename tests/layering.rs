//! The layers of the crate: each imports only from the layers to its left, and the engine knows no
//! browser, no clock and no I/O.
//!
//! Reads the sources as text: comments, strings and `#[cfg(test)]` modules are blanked first, then
//! every path that starts at `crate` (or climbs there by `super`) must name a layer further left. A
//! path hidden in a macro of another crate would escape; none is.

use std::fs;
use std::path::{Path, PathBuf};

/// From left to right. The last four stand side by side.
const LAYERS: [&str; 17] = [
    "util", "wire", "draw", "bdd", "lang", "cfg", "semiring", "pds", "encode", "analysis",
    "readable", "session", "report", "cli", "package", "worker", "ui",
];

/// The first layer that is not engine.
const FIRST_FRONT: usize = 13;

/// What the engine never mentions: crates and macros, then modules of `std`.
const FOREIGN_NAMES: [&str; 16] = [
    "yew",
    "web_sys",
    "gloo",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "serde_wasm_bindgen",
    "clap",
    "ariadne",
    "rand",
    "println",
    "eprintln",
    "print",
    "eprint",
    "dbg",
    "thread_rng",
];
const FOREIGN_STD: [&str; 7] = ["time", "fs", "env", "thread", "process", "net", "io"];

/// What the page may know of the rest: plain data only, so that it links neither parser nor engine.
const UI_MAY_IMPORT: [&str; 4] = ["ui", "wire", "draw", "util"];

/// One source file: its module path (`["lang", "model"]`) and its text.
struct Source<'a> {
    module: Vec<&'a str>,
    text: &'a str,
}

/// All violations in a file, as sentences. Files outside the layers (`lib.rs`, `bin/`) have none.
fn violations(source: &Source) -> Vec<String> {
    let Some(layer) = source.module.first().and_then(|name| rank(name)) else {
        return Vec::new();
    };
    let tokens = tokens(&without_test_modules(&blanked(source.text)));
    let mut found = Vec::new();
    for path in crate_paths(&tokens, source.module.len()) {
        if let Some(why) = forbidden_import(layer, &path) {
            found.push(format!("{}: {why}", source.module.join("::")));
        }
    }
    if layer < FIRST_FRONT {
        for name in foreign_mentions(&tokens) {
            found.push(format!("{}: the engine mentions `{name}`", source.module.join("::")));
        }
    }
    found
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|&known| known == layer)
}

fn forbidden_import(layer: usize, path: &[String]) -> Option<String> {
    let name = path.first()?;
    let Some(imported) = rank(name) else {
        // A macro or an item of `lib.rs` itself.
        return Some(format!("`crate::{name}` belongs to no layer"));
    };
    if LAYERS[layer] == "ui" {
        return (!UI_MAY_IMPORT.contains(&name.as_str())).then(|| {
            format!("`ui` imports `crate::{}`, which is not plain data", path.join("::"))
        });
    }
    let to_the_left = imported < layer.min(FIRST_FRONT);
    (imported != layer && !to_the_left)
        .then(|| format!("`{}` imports `{name}`, which is not to its left", LAYERS[layer]))
}

/// Every path from the crate's root, groups expanded: `crate::{a::b, c}` gives `[a, b]` and `[c]`.
/// `depth` is the length of the file's module path: so many `super`s reach the root.
fn crate_paths(tokens: &[String], depth: usize) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let mut next = i;
        if tokens[i] == "crate" {
            next = i + 1;
        } else if tokens[i] == "super" {
            let mut climbed = 1;
            next = i + 1;
            while is(tokens, next, "::") && is(tokens, next + 1, "super") {
                climbed += 1;
                next += 2;
            }
            if climbed < depth {
                i = next;
                continue;
            }
        }
        if next > i && is(tokens, next, "::") {
            expand(tokens, next + 1, &mut Vec::new(), &mut paths);
        }
        i += 1;
    }
    paths
}

/// Reads the path or group at `i`, adds what it names under `prefix`, and returns the place behind
/// it.
fn expand(
    tokens: &[String],
    mut i: usize,
    prefix: &mut Vec<String>,
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let length = prefix.len();
    loop {
        if is(tokens, i, "{") {
            i += 1;
            while i < tokens.len() && !is(tokens, i, "}") {
                let before = i;
                i = expand(tokens, i, prefix, paths);
                if is(tokens, i, "as") {
                    i += 2;
                }
                if is(tokens, i, ",") || i == before {
                    i += 1;
                }
            }
            prefix.truncate(length);
            return i + 1;
        }
        let Some(word) = tokens.get(i).filter(|token| is_name(token)) else {
            break;
        };
        prefix.push(word.clone());
        i += 1;
        if !is(tokens, i, "::") {
            break;
        }
        i += 1;
    }
    paths.push(prefix.clone());
    prefix.truncate(length);
    i
}

fn foreign_mentions(tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let is_macro = ["println", "eprintln", "print", "eprint", "dbg"].contains(&token.as_str());
        if FOREIGN_NAMES.contains(&token.as_str()) && (!is_macro || is(tokens, i + 1, "!")) {
            found.push(token.clone());
        }
        if token == "std" && is(tokens, i + 1, "::") {
            let mut paths = Vec::new();
            expand(tokens, i + 2, &mut Vec::new(), &mut paths);
            let foreign = paths
                .iter()
                .filter_map(|path| path.first())
                .filter(|name| FOREIGN_STD.contains(&name.as_str()));
            found.extend(foreign.map(|name| format!("std::{name}")));
        }
    }
    found
}

fn is(tokens: &[String], i: usize, expected: &str) -> bool {
    tokens.get(i).is_some_and(|token| token == expected)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_name(rest) || first.is_ascii_digit() {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if !token.trim().is_empty() {
            tokens.push(token.to_string());
        }
        rest = after;
    }
    tokens
}

/// The text with comments, strings and characters as spaces.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = comment_length(rest).or_else(|| literal_length(rest));
        let length = match length {
            Some(length) => {
                out.push(' ');
                length
            }
            None if is_name(rest) => {
                let length =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                out.push_str(&rest[..length]);
                length
            }
            None => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

fn comment_length(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    let mut i = 0;
    while i < rest.len() {
        if rest[i..].starts_with("/*") {
            depth += 1;
            i += 2;
        } else if rest[i..].starts_with("*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return Some(i);
            }
        } else {
            i += rest[i..].chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(rest.len())
}

/// A string (plain, raw, of bytes) or a character; a lifetime is none.
fn literal_length(rest: &str) -> Option<usize> {
    let prefix = ["br", "r", "b", "c", ""].into_iter().find(|prefix| {
        let after = rest.strip_prefix(prefix);
        after.is_some_and(|after| {
            after.trim_start_matches('#').starts_with('"')
                && (prefix.contains('r') || after.starts_with('"'))
        })
    });
    if let Some(prefix) = prefix {
        let body = &rest[prefix.len()..];
        if prefix.contains('r') {
            let hashes = body.len() - body.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(hashes));
            let opened = hashes + 1;
            return Some(
                prefix.len()
                    + body[opened..].find(&end).map_or(body.len(), |at| opened + at + end.len()),
            );
        }
        return Some(prefix.len() + quoted_length(body, '"'));
    }
    let body = rest.strip_prefix('\'')?;
    let mut chars = body.chars();
    let first = chars.next()?;
    (first == '\\' || chars.next() == Some('\'')).then(|| quoted_length(rest, '\''))
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return i + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

/// Without `#[cfg(test)] mod … { … }`: tests may use whatever they need.
fn without_test_modules(text: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let (before, marked) = rest.split_at(at);
        out.push_str(before);
        let after = &marked[MARK.len()..];
        let is_module = after
            .trim_start()
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("pub ")
            .starts_with("mod ");
        rest = match after.find(['{', ';']) {
            Some(open) if is_module && after[open..].starts_with('{') => {
                &after[open + block_length(&after[open..])..]
            }
            _ => after,
        };
    }
    out + rest
}

/// The length of the block that `text` opens with, braces included.
fn block_length(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return i + 1;
        }
    }
    text.len()
}

/// The module path of a file under `src`; `None` for what stands outside the layers or only in
/// tests.
fn module_path(relative: &Path) -> Option<Vec<String>> {
    let mut parts: Vec<String> = relative
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    let is_test = parts.iter().any(|part| part == "tests" || part.ends_with("_tests"));
    let is_root = parts.first().is_none_or(|first| ["lib", "bin"].contains(&first.as_str()));
    (!is_test && !is_root).then_some(parts)
}

fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the directory stays readable").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            // A crate of its own imports nothing of the rooms: Cargo sees to that.
            if !path.join("Cargo.toml").exists() {
                rust_files(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_layer_imports_only_from_its_left() {
    let src = Path::new("src");
    let mut files = Vec::new();
    rust_files(src, &mut files);
    let mut found = Vec::new();
    for file in &files {
        let relative = file.strip_prefix(src).expect("it was found there");
        let Some(module) = module_path(relative) else { continue };
        assert!(rank(&module[0]).is_some(), "src/{} belongs to no layer", relative.display());
        let text = fs::read_to_string(file).expect("sources are UTF-8");
        found.extend(violations(&Source {
            module: module.iter().map(String::as_str).collect(),
            text: &text,
        }));
    }
    assert!(files.len() > LAYERS.len(), "only {} source files: is this the crate?", files.len());
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// `module` holds `text`: how many violations?
fn count(module: &[&str], text: &str) -> usize {
    violations(&Source { module: module.to_vec(), text }).len()
}

#[test]
fn an_import_from_the_right_is_found() {
    assert_eq!(count(&["bdd", "node"], "use crate::util::Limit;"), 0);
    assert_eq!(count(&["bdd", "node"], "use crate::bdd::cache::Cache;"), 0);
    assert_eq!(count(&["bdd", "node"], "use crate::lang::model::Span;"), 1);
    assert_eq!(count(&["bdd", "node"], "fn f() { let x = crate::pds::Rule::pop(); }"), 1);
    assert_eq!(
        count(&["bdd", "node"], "use crate::{util::Limit, pds::{Rule, PAutomaton}, report};"),
        3
    );
    assert_eq!(count(&["session"], "use crate::report::report;"), 1);
    assert_eq!(count(&["lang", "model"], "use crate::Bdd;"), 1);
}

#[test]
fn climbing_to_the_root_does_not_help() {
    assert_eq!(count(&["bdd", "node"], "use super::cache::Cache;"), 0);
    assert_eq!(count(&["bdd", "node"], "use super::super::util::Limit;"), 0);
    assert_eq!(count(&["bdd", "node"], "use super::super::pds::Rule;"), 1);
    assert_eq!(count(&["bdd"], "use super::pds::Rule;"), 1);
}

#[test]
fn fronts_do_not_know_each_other() {
    assert_eq!(count(&["cli", "text"], "use crate::{session, wire::report::Report};"), 0);
    assert_eq!(count(&["worker"], "use crate::cli::print;"), 1);
    assert_eq!(count(&["cli", "text"], "use crate::ui::App;"), 1);
}

#[test]
fn the_page_sees_only_plain_data() {
    assert_eq!(
        count(
            &["ui", "app"],
            "use crate::ui::graph::GraphView; use crate::wire::graph::Graph; use crate::util::Limit;"
        ),
        0
    );
    assert_eq!(count(&["ui", "app"], "use crate::{wire::options::Checks, draw::svg};"), 0);
    assert_eq!(count(&["ui", "app"], "use crate::lang::diagnostic::Diagnostic;"), 1);
    assert_eq!(count(&["ui", "app"], "use crate::report::report;"), 1);
    assert_eq!(count(&["ui", "app"], "use crate::session::Session;"), 1);
    assert_eq!(count(&["ui", "app"], "use crate::worker::start;"), 1);
}

#[test]
fn plain_data_knows_no_engine() {
    assert_eq!(count(&["wire", "report"], "use crate::{util::Limit, wire::graph::Graph};"), 0);
    assert_eq!(count(&["wire", "report"], "use crate::draw::svg::markup;"), 1);
    assert_eq!(count(&["wire", "report"], "use crate::session::Session;"), 1);
    assert_eq!(count(&["draw", "svg"], "use crate::{util::Limit, wire::graph::Graph};"), 0);
    assert_eq!(count(&["draw", "svg"], "use crate::bdd::Bdd;"), 1);
    assert_eq!(count(&["draw", "svg"], "use crate::report::report;"), 1);
    assert_eq!(count(&["analysis", "reach"], "use crate::wire::options::Checks;"), 0);
}

#[test]
fn the_engine_mentions_no_browser_clock_or_output() {
    assert_eq!(
        count(
            &["pds", "poststar"],
            "use std::collections::BTreeMap; fn print() { self.print(time); }"
        ),
        0
    );
    assert_eq!(count(&["pds", "poststar"], "use std::time::Instant;"), 1);
    assert_eq!(count(&["pds", "poststar"], "use std::{fmt, fs, io::Read};"), 2);
    assert_eq!(count(&["wire", "graph"], "use wasm_bindgen::prelude::*;"), 1);
    assert_eq!(count(&["util"], "fn f() { println!(\"{}\", std::env::args().count()); }"), 2);
    assert_eq!(count(&["cli"], "fn f() { println!(); std::fs::read(\"x\"); }"), 0);
}

#[test]
fn comments_strings_and_tests_do_not_count() {
    let text = r##"
        //! Unlike crate::pds, this knows no `std::time`.
        /* yew /* nested */ crate::ui */
        const A: &str = "crate::pds \" println!";
        const B: &str = r#"crate::pds " std::fs"#;
        const C: [char; 2] = ['"', '\''];
        fn f<'a>(x: &'a str) -> &'a str { x }
        #[cfg(test)]
        mod tests {
            use crate::pds::Rule;
            fn g() { if true { println!("}}"); } }
        }
    "##;
    assert_eq!(violations(&Source { module: vec!["bdd"], text }), Vec::<String>::new());
    assert_eq!(count(&["bdd"], &format!("{text} use crate::pds::Rule;")), 1);
}

#[test]
fn files_stand_where_their_modules_are() {
    let path = |file: &str| module_path(Path::new(file)).map(|parts| parts.join("::"));
    assert_eq!(path("lang/model.rs").as_deref(), Some("lang::model"));
    assert_eq!(path("lang/mod.rs").as_deref(), Some("lang"));
    assert_eq!(path("session.rs").as_deref(), Some("session"));
    assert_eq!(path("bdd/tests.rs"), None);
    assert_eq!(path("bin/app.rs"), None);
    assert_eq!(path("lib.rs"), None);
}
