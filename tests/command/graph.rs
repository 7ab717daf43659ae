//! `faultline graph`: what it prints is read back by small parsers and compared with the program's
//! graph.

use faultline::session::Session;
use faultline::wire::graph::Graph;
use faultline::wire::options::RequestedOptions;
use std::collections::BTreeMap;
use std::process::Command;

const PROGRAMS: [&str; 4] = [
    "static/examples/table-1.cimple",
    "static/examples/mailbox.cimple",
    "static/examples/correlation.cimple",
    "static/examples/mean.cimple",
];

fn graph_of(file: &str) -> Graph {
    let source = std::fs::read_to_string(file).expect("the example is there");
    faultline::report::graph(&Session::load(&source, &RequestedOptions::default()).0)
}

fn printed(file: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .arg("graph")
        .arg(file)
        .args(arguments)
        .output()
        .expect("the command was built");
    (String::from_utf8(output.stdout).expect("the command speaks UTF-8"), output.status.code())
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// Bare or quoted, without its quotes and escapes.
    Word(String),
    Sign(char),
    Arrow,
}

fn tokens(dot: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = dot.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => {}
            '"' => {
                let mut word = String::new();
                loop {
                    match rest.next().expect("a string ends") {
                        '"' => break,
                        '\\' => match rest.next().expect("an escape has a letter") {
                            c @ ('"' | '\\') => word.push(c),
                            'n' => word.push('\n'),
                            other => panic!("escape \\{other}"),
                        },
                        c => word.push(c),
                    }
                }
                found.push(Token::Word(word));
            }
            '-' if rest.peek() == Some(&'>') => {
                rest.next();
                found.push(Token::Arrow);
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' => found.push(Token::Sign(c)),
            c if c.is_ascii_alphanumeric() || c == '_' || c == '.' => {
                let mut word = c.to_string();
                while let Some(c) =
                    rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '.')
                {
                    word.push(c);
                }
                found.push(Token::Word(word));
            }
            other => panic!("{other:?} is nothing in DOT"),
        }
    }
    found
}

#[derive(Debug, Default)]
struct Dot {
    /// Labels of clusters, in order.
    clusters: Vec<String>,
    /// Node: cluster and attributes.
    nodes: BTreeMap<String, (usize, BTreeMap<String, String>)>,
    edges: Vec<(String, String, BTreeMap<String, String>)>,
}

/// Reads the part of DOT that the command writes; panics at anything else.
fn parse(dot: &str) -> Dot {
    let tokens = tokens(dot);
    let mut at = 0;
    let mut next = || {
        at += 1;
        tokens.get(at - 1).cloned()
    };
    let word = |token: Option<Token>| match token {
        Some(Token::Word(word)) => word,
        other => panic!("a word was expected, not {other:?}"),
    };
    assert_eq!(word(next()), "digraph");
    word(next());
    assert_eq!(next(), Some(Token::Sign('{')));
    let mut read = Dot::default();
    let mut inside: Option<usize> = None;
    loop {
        let first = match next().expect("the graph is closed") {
            Token::Sign('}') if inside.take().is_some() => continue,
            Token::Sign('}') => break,
            Token::Sign(';') => continue,
            Token::Word(word) => word,
            other => panic!("a statement does not start with {other:?}"),
        };
        if first == "subgraph" {
            assert!(word(next()).starts_with("cluster_"));
            assert_eq!(next(), Some(Token::Sign('{')));
            read.clusters.push(String::new());
            inside = Some(read.clusters.len() - 1);
            continue;
        }
        let mut target = None;
        let mut attributes = BTreeMap::new();
        loop {
            match next().expect("a statement ends") {
                Token::Sign(';') => break,
                Token::Arrow => target = Some(word(next())),
                Token::Sign('=') => {
                    assert_eq!(first, "label");
                    *read.clusters.last_mut().expect("labels are clusters'") = word(next());
                }
                Token::Sign('[') => loop {
                    match next().expect("attributes end") {
                        Token::Sign(']') => break,
                        Token::Sign(',') => {}
                        Token::Word(key) => {
                            assert_eq!(next(), Some(Token::Sign('=')));
                            attributes.insert(key, word(next()));
                        }
                        other => panic!("{other:?} among attributes"),
                    }
                },
                other => panic!("{other:?} in a statement"),
            }
        }
        match (target, inside) {
            (Some(target), None) => read.edges.push((first, target, attributes)),
            (None, Some(cluster)) if first != "label" => {
                assert!(
                    read.nodes.insert(first.clone(), (cluster, attributes)).is_none(),
                    "{first} twice"
                );
            }
            (None, _) => {
                assert!(["graph", "node", "edge", "label"].contains(&first.as_str()), "{first}")
            }
            (Some(_), Some(_)) => panic!("an edge inside a cluster"),
        }
    }
    assert_eq!(next(), None, "nothing follows the graph");
    read
}

#[test]
fn dot_is_the_graph() {
    for file in PROGRAMS {
        let graph = graph_of(file);
        let (text, code) = printed(file, &["--format", "dot"]);
        assert_eq!(code, Some(0));
        let dot = parse(&text);
        assert_eq!(
            dot.clusters,
            graph.clusters.iter().map(|c| c.name.clone()).collect::<Vec<_>>(),
            "{file}"
        );
        assert_eq!(dot.nodes.len(), graph.boxes.len(), "{file}");
        for b in &graph.boxes {
            let (cluster, attributes) = &dot.nodes[&format!("n{}", b.id)];
            assert_eq!((*cluster as u32, &attributes["label"]), (b.cluster, &b.label), "{file}");
        }
        let ends = |from: u32, to: u32| (format!("n{from}"), format!("n{to}"));
        let expected: Vec<(String, String)> =
            graph.arrows.iter().map(|a| ends(a.from, a.to)).collect();
        assert_eq!(
            dot.edges.iter().map(|(from, to, _)| (from.clone(), to.clone())).collect::<Vec<_>>(),
            expected,
            "{file}"
        );
        assert!(
            dot.edges
                .iter()
                .zip(&graph.arrows)
                .all(|((_, _, found), a)| found.contains_key("style") == a.call),
            "calls are dashed"
        );
    }
}

#[test]
fn strange_labels_survive_dot() {
    let mut graph = graph_of(PROGRAMS[0]);
    graph.boxes[0].label = "a \"b\" \\N <i>&amp; {x|y} ä\nz".into();
    let dot = parse(&faultline::draw::dot::render(&graph, None, false));
    assert_eq!(dot.nodes[&format!("n{}", graph.boxes[0].id)].1["label"], graph.boxes[0].label);
}

#[test]
fn json_has_nodes_edges_clusters_and_positions_on_request() {
    for file in PROGRAMS {
        let graph = graph_of(file);
        let plain: serde_json::Value =
            serde_json::from_str(&printed(file, &["--format", "json"]).0).expect("JSON");
        let laid_out: serde_json::Value =
            serde_json::from_str(&printed(file, &["--format", "json", "--layout"]).0)
                .expect("JSON");
        for report in [&plain, &laid_out] {
            let count = |key: &str| report[key].as_array().map(Vec::len);
            assert_eq!(count("nodes"), Some(graph.boxes.len()));
            assert_eq!(count("edges"), Some(graph.arrows.len()));
            assert_eq!(count("clusters"), Some(graph.clusters.len()));
            assert_eq!(report["options"]["dialect"], "cimple");
        }
        assert!(plain["nodes"][0].get("x").is_none() && plain["edges"][0].get("points").is_none());
        let (width, height) = (
            laid_out["size"]["x"].as_f64().expect("a size"),
            laid_out["size"]["y"].as_f64().expect("a size"),
        );
        for node in laid_out["nodes"].as_array().expect("nodes") {
            let of = |key: &str| node[key].as_f64().expect("a position");
            assert!(
                of("x") >= 0.0
                    && of("x") + of("width") <= width
                    && of("y") >= 0.0
                    && of("y") + of("height") <= height,
                "{node}"
            );
        }
        assert!(laid_out["edges"].as_array().is_some_and(|edges| {
            edges.iter().all(|e| e["points"].as_array().is_some_and(|p| p.len() >= 2))
        }));
    }
}

/// The names of the elements, each as often as it is there; panics where tags do not match.
fn elements(xml: &str) -> BTreeMap<String, usize> {
    let mut open: Vec<&str> = Vec::new();
    let mut counts = BTreeMap::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>') || open.last() == Some(&"style"), "a stray >");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().expect("a name");
        *counts.entry(name.to_string()).or_insert(0) += 1;
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} not closed");
    for (at, _) in xml.match_indices('&') {
        assert!(
            ["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|entity| xml[at..].starts_with(entity)),
            "a bare &"
        );
    }
    counts
}

#[test]
fn svg_stands_alone_and_draws_every_box() {
    for file in PROGRAMS {
        let graph = graph_of(file);
        let (text, code) = printed(file, &["--format", "svg"]);
        assert_eq!(code, Some(0));
        let counts = elements(&text);
        assert_eq!(counts["title"], graph.boxes.len(), "each box has a title");
        // The labels of arrows stand above all arrows, in a group of their own.
        let lines = text.split("<g class=\"labels\">").next().unwrap_or_default();
        let arrows = |class: &str| lines.matches(&format!("<g class=\"{class}\"")).count();
        assert_eq!(arrows("arrow") + arrows("arrow call"), graph.arrows.len());
        assert_eq!(text.matches("class=\"cluster\"").count(), graph.clusters.len());
        for word in ["var(", "light-dark(", "href"] {
            assert!(!text.contains(word), "{word} in a picture that is to stand alone");
        }
    }
}

#[test]
fn the_same_bytes_every_time() {
    for format in ["text", "json", "dot", "svg"] {
        let arguments = ["--format", format, "--layout", "--projection"];
        assert_eq!(printed(PROGRAMS[0], &arguments), printed(PROGRAMS[0], &arguments), "{format}");
    }
}

#[test]
fn a_projection_lights_nodes_and_gives_the_verdicts_exit_code() {
    let (text, code) = printed(PROGRAMS[0], &["--format", "json", "--projection"]);
    assert_eq!(code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let marked = |wanted: &str| -> Vec<u64> {
        let nodes = report["nodes"].as_array().expect("nodes").iter();
        let mut lines: Vec<u64> = nodes
            .filter(|n| n["mark"] == wanted && n["kind"] != "exit")
            .filter_map(|n| n["line"].as_u64())
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    // Table 1 of the paper: the assertion, `int r = 0`, the switch, `case 3`, `case 2`, and main up
    // to the call of bar.
    assert_eq!(marked("lit"), [2, 6, 7, 8, 9, 13]);
    assert!(marked("dim").contains(&3) && marked("dim").contains(&10));
    let dot = parse(&printed(PROGRAMS[0], &["--format", "dot", "--projection"]).0);
    let lit =
        dot.nodes.values().filter(|(_, attributes)| attributes.contains_key("fillcolor")).count();
    let expected =
        report["nodes"].as_array().expect("nodes").iter().filter(|n| n["mark"] == "lit").count();
    assert_eq!(lit, expected);
}

#[test]
fn a_report_is_no_graph() {
    let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(["check", PROGRAMS[0], "--format", "dot"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("faultline graph"));
}
