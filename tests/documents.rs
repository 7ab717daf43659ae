//! The documents name modules, files and tests that exist.
//!
//! A name in backticks counts as a module path if it starts with a room of `src` and `::`, and as a
//! file if it starts with a folder of the tree. Relative links must lead to a file.

use std::fs;
use std::path::{Path, PathBuf};

/// Every document that names parts of the tree.
const DOCUMENTS: [&str; 14] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/papers.md",
    "docs/specifications.md",
    "docs/decisions.md",
    "docs/decisions-page.md",
    "docs/extending.md",
    "docs/command-line.md",
    "docs/languages.md",
    "docs/lessons.md",
    "docs/measurements.md",
    "docs/measurements-page.md",
    "tests/README.md",
];

/// Folders whose files are named by their paths.
const FOLDERS: [&str; 5] = ["src/", "tests/", "static/", "docs/", ".ci/"];

#[test]
fn documents_name_what_exists() {
    let mut wrong = Vec::new();
    for document in DOCUMENTS {
        let text = read(document);
        for name in code_spans(&text) {
            if let Some(why) = missing(&name) {
                wrong.push(format!("{document}: `{name}`: {why}"));
            }
        }
        let folder = Path::new(document).parent().unwrap_or(Path::new(""));
        for link in links(&text) {
            if !root().join(folder).join(&link).exists() {
                wrong.push(format!("{document}: the link to {link} leads nowhere"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_name_is_noticed() {
    for name in [
        "pds::no_such_module",
        "pds::poststar::NoSuchItem",
        "pds::{poststar, no_such_module}",
        "tests/no_such_file.rs",
        "static/examples/no-such-*",
        "tests/golden/*/no-such-*.txt",
    ] {
        assert!(missing(name).is_some(), "{name}");
    }
    for name in ["pds::poststar", "pds::{poststar, prestar}", "tests/golden/*/*.txt", "main@7"] {
        assert_eq!(missing(name), None, "{name}");
    }
    assert_eq!(code_spans("a `b c` d\n```\n`not this`\n```\n`e`"), ["b c", "e"]);
    assert_eq!(links("see [x](a.md) and [y](https://example.org)"), ["a.md"]);
}

fn root() -> PathBuf {
    PathBuf::from(".")
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|why| panic!("{document}: {why}"))
}

/// What is in single backticks, outside fenced blocks.
fn code_spans(text: &str) -> Vec<String> {
    let mut spans = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            spans.extend(line.split('`').skip(1).step_by(2).map(str::to_string));
        }
    }
    spans
}

/// The targets of relative Markdown links, without their anchors.
fn links(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .map(|target| target.split('#').next().unwrap_or_default().to_string())
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

/// Why the tree has no such module, item or file; `None` if it has, or if the name is neither.
fn missing(name: &str) -> Option<String> {
    if let Some((before, rest)) = name.split_once('{')
        && name.contains("::")
        && let Some((inside, after)) = rest.split_once('}')
    {
        return inside
            .split(',')
            .find_map(|part| missing(&format!("{before}{}{after}", part.trim())));
    }
    if FOLDERS.iter().any(|folder| name.starts_with(folder)) && !name.contains(' ') {
        return (!file_exists(name)).then(|| "no such file".to_string());
    }
    let segments: Vec<&str> = name.split("::").collect();
    let is_room = segments.len() > 1 && root().join("src").join(segments[0]).is_dir();
    if is_room { missing_item(&segments) } else { None }
}

/// Follows a module path as far as there are folders and files; the rest are names in the last.
fn missing_item(segments: &[&str]) -> Option<String> {
    let mut folder = root().join("src").join(segments[0]);
    let mut file = folder.join("mod.rs");
    let mut rest = &segments[1..];
    while let Some((segment, later)) = rest.split_first() {
        let (nested, flat) = (folder.join(segment), folder.join(format!("{segment}.rs")));
        if !nested.is_dir() && !flat.is_file() {
            break;
        }
        file = if flat.is_file() { flat } else { nested.join("mod.rs") };
        folder = nested;
        rest = later;
    }
    let text = fs::read_to_string(&file).unwrap_or_default();
    let unknown = rest.iter().find(|item| !has_word(&text, item));
    unknown.map(|item| format!("{} has no `{item}`", file.display()))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// Is there such a file or folder? In each name of the path one `*` stands for any characters.
fn file_exists(name: &str) -> bool {
    let mut found = vec![root()];
    for part in name.split('/').filter(|part| !part.is_empty()) {
        found = match part.split_once('*') {
            None => found.into_iter().map(|folder| folder.join(part)).collect(),
            Some((before, after)) => {
                let entries = found.iter().filter_map(|folder| fs::read_dir(folder).ok());
                let fits = |path: &PathBuf| {
                    let file = path.file_name().unwrap_or_default().to_string_lossy();
                    file.starts_with(before) && file.ends_with(after)
                };
                entries.flatten().flatten().map(|entry| entry.path()).filter(fits).collect()
            }
        };
    }
    found.iter().any(|path| path.exists())
}
