//! `faultline report`: one HTML document, read back as XML: whatever is not escaped breaks it.

use super::calling::{OPEN, SAFE, UNSAFE, code, faultline, file, refused, text};
use roxmltree::{Document, Node, ParsingOptions};

/// Runs the command with the program on standard input and hands over the document.
fn read(arguments: &[&str], input: &str, exit: i32, check: impl Fn(&Document)) {
    let output = faultline(&[&["report", "-"], arguments].concat(), input.as_bytes());
    assert_eq!(code(&output), exit, "{}", text(&output.stderr));
    let page = text(&output.stdout);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).expect("it is XML, too");
    loads_nothing(&document);
    check(&document);
}

/// No element refers to anything outside, and the one script is the one that the policy allows.
fn loads_nothing(document: &Document) {
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        let (name, value) = (attribute.name(), attribute.value());
        assert!(!name.starts_with("on") && name != "src", "{name}={value}");
        assert!(name != "href" || value.starts_with("#L"), "{value}");
    }
    let scripts: Vec<Node> =
        document.descendants().filter(|node| node.has_tag_name("script")).collect();
    assert_eq!(scripts.len(), 1);
    let mut hash = String::new();
    let script = scripts[0].text().expect("it does something");
    let digest = faultline::util::sha256::sha256(script.as_bytes());
    faultline::wire::permalink::encode_base64url(&digest, &mut hash);
    let policy = document
        .descendants()
        .find_map(|node| node.attribute("http-equiv").and_then(|_| node.attribute("content")));
    let policy = policy.expect("there is a policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(policy.contains(&format!("script-src 'sha256-{hash}='")), "{policy}");
    let style = document.descendants().find(|node| node.has_tag_name("style"));
    let style = style.and_then(|style| style.text()).expect("a style sheet");
    assert!(!style.contains("url(h") && !style.contains("@import"), "it loads something");
}

fn with_class<'a>(document: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has).collect()
}

fn words(node: Node) -> String {
    node.descendants().filter_map(|inner| inner.text().filter(|_| inner.is_text())).collect()
}

#[test]
fn a_failing_program_with_its_lit_lines_run_and_picture() {
    read(&[], UNSAFE, 1, |document| {
        let title = document.descendants().find(|node| node.has_tag_name("h1")).expect("a title");
        assert_eq!(title.text(), Some("It can fail: assertion at line 12"));
        let lines = |class: &str| -> Vec<String> {
            let found = with_class(document, class).into_iter();
            let ids = found.filter(|node| node.has_tag_name("li"));
            ids.filter_map(|node| node.attribute("id").map(str::to_string)).collect()
        };
        assert_eq!(lines("lit"), ["L3", "L6", "L7", "L8", "L12"]);
        assert_eq!(lines("dim"), ["L10"]);
        let source: Vec<String> = document
            .descendants()
            .filter(|node| node.has_tag_name("li"))
            .filter_map(|line| line.children().find(|inner| inner.has_tag_name("code")))
            .map(|code| code.text().unwrap_or_default().to_string())
            .collect();
        assert_eq!(source, UNSAFE.lines().collect::<Vec<_>>());
        let rows: Vec<(&str, String)> = document
            .descendants()
            .filter_map(|row| Some((row.attribute("data-line")?, words(row))))
            .collect();
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), ["6", "7", "8", "3", "12"]);
        assert!(rows[3].1.contains("x = x + by") && rows[3].1.contains("x = 3"), "{rows:?}");
        assert!(rows[4].1.ends_with("fails"), "{rows:?}");
        // Each step has its box in the picture, and the last one is where the run fails.
        for row in document.descendants().filter(|node| node.has_attribute("data-line")) {
            let id = format!("box-{}", row.attribute("data-box").expect("a box"));
            let shape = document.descendants().find(|node| node.attribute("id") == Some(&id));
            let class = shape.and_then(|shape| shape.attribute("class")).expect("it is drawn");
            assert!(class.contains("lit"), "{class}");
            assert_eq!(class.contains("fails"), row.attribute("data-line") == Some("12"));
        }
        let all = words(document.root_element());
        assert!(all.contains("Where to look") && all.contains("No correct run does"), "{all}");
    });
}

#[test]
fn what_a_program_says_is_text_and_never_markup() {
    let hostile = "// </code></li><script>alert(1)</script> & \"q\" <img src=x onerror=y>\n";
    read(&[], &format!("{hostile}{UNSAFE}"), 1, |document| {
        assert!(words(document.root_element()).contains(hostile.trim_end()));
        assert!(document.descendants().all(|node| !node.has_tag_name("img")));
    });
    let path = file("<b>&'\".cimple", format!("{hostile}{UNSAFE}").as_bytes());
    let output = faultline(&["report", path.to_str().expect("UTF-8")], b"");
    assert_eq!(code(&output), 1);
    let page = text(&output.stdout);
    assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>"));
}

#[test]
fn a_safe_program_says_why_and_a_limit_is_named() {
    read(&[], SAFE, 0, |document| {
        let all = words(document.root_element());
        assert!(all.contains("Safe: no run fails") && all.contains("x = 1"), "{all}");
        assert!(all.contains("Why no run fails") && !all.contains("Where to look"), "{all}");
        assert!(with_class(document, "stepping").is_empty(), "there is no run to step through");
    });
    read(&["--max-steps", "1"], OPEN, 3, |document| {
        let all = words(document.root_element());
        assert!(all.contains("No answer, and no failure found: the step limit was hit"), "{all}");
        assert!(with_class(document, "run").is_empty());
    });
    let system = include_str!("../../static/examples/delay.pds");
    read(&["--dialect", "pds"], system, 1, |document| {
        let all = words(document.root_element());
        assert!(all.contains("Reachable") && all.contains("a run into the target"), "{all}");
    });
}

#[test]
fn the_file_is_written_and_never_over_the_program() {
    let program = file("to-report.cimple", UNSAFE.as_bytes());
    let program = program.to_str().expect("UTF-8");
    let page = file("report.html", b"");
    let output = faultline(&["report", program, "-o", page.to_str().expect("UTF-8")], b"");
    assert_eq!(code(&output), 1);
    assert_eq!(text(&output.stdout), "It can fail: assertion at line 12\n");
    let written = std::fs::read(&page).expect("it was written");
    assert_eq!(written, faultline(&["report", program], b"").stdout, "the same text twice");
    refused(&["report", program, "-o", program], b"", &["--output", "overwrite the program"]);
    refused(&["report", program, "-o", "/nowhere/at/all.html"], b"", &["cannot write"]);
    refused(&["report", program, "--format", "json"], b"", &["HTML"]);
    refused(&["report", program, "--format", "sarif"], b"", &["sarif is a format of"]);
}
