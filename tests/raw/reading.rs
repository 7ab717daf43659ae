//! What is refused, in which words.

use faultline::lang::diagnostic::Diagnostic;
use faultline::lang::raw::load;
use faultline::wire::diagnostic::Severity;
use faultline::wire::options::{Dialect, RequestedOptions};

fn read(source: &str, dialect: Dialect) -> (bool, Vec<Diagnostic>) {
    let loaded =
        load(source, &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() });
    (loaded.system.is_some(), loaded.diagnostics)
}

/// `line: message`, errors only.
fn errors(source: &str, dialect: Dialect) -> Vec<String> {
    let (good, found) = read(source, dialect);
    let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(good, errors.is_empty());
    assert!(found.iter().all(|d| !d.hint.is_empty()), "every message has a hint: {found:?}");
    errors.iter().map(|d| format!("{}: {}", d.span.line, d.message)).collect()
}

#[test]
fn several_lines_are_refused_at_once() {
    let source = "\
weights vector x1
<p0, a> -> <p1, b a> 3
<p0, a -> <p1, b>
<p1 b> -> <p2>
<p1, b> -> <p2, c d e>
<p1> -> <p2>
<p1, a b> -> <p2>
<p2, c> => <p0, b>
<p2, c*> -> <p0, b>
foo bar
initial p0
initial <p0, (a b>
target <p0, *>
target <p0, a> x
weights
weights tropical
";
    let expected = [
        "1: unknown weights `vector`",
        "3: expected `>`, found `->`",
        "4: expected `>`, found `b`",
        "5: a right side has at most two symbols, this one has 3",
        "6: a rule's left side has one stack symbol, this one has none",
        "7: a rule's left side has one stack symbol, this one has 2",
        "8: expected `->`, found `=`",
        "9: `*` in a rule",
        "10: `foo` starts no statement",
        "11: expected `<`, found `p0`",
        "12: expected `)`, found `>`",
        "13: nothing to repeat before `*`",
        "14: `x` behind the end of the statement",
        "15: which weights?",
        "16: unknown weights `tropical`",
    ];
    assert_eq!(errors(source, Dialect::Pds), expected);
}

/// What is said of weights with variables.
#[test]
fn weights_with_variables() {
    let of = |header: &str, weight: &str| {
        errors(
            &format!("weights {header}\n<p, a> -> <p> {weight}\ninitial <p, a>\ntarget <p>\n"),
            Dialect::Pds,
        )
    };
    for (header, weight) in [
        (
            "relation x y {0..7}, b {0..1}",
            "x := y + 1, y := *, b' != b, x*y < 2 || !(x = 3 && y >= 1)",
        ),
        ("relation x y {0..7}, b {0..1}", "-x + 2 <= y - (x - 1) # all of it"),
        ("relation x {0..4294967295}", "x := x - 1"),
        ("affine x y", "x := 2*(x - y) + 7, y := *"),
        ("affine x y modulo 2^64", "x := -y"),
        ("affine modulo", "modulo := modulo + 1"),
        ("constants x", "x := 3"),
        ("constants x", ""),
    ] {
        assert_eq!(of(header, weight), Vec::<String>::new(), "{header} {weight}");
    }
    for (header, weight, expected) in [
        ("relation", "", "1: expected the name of a variable, found the end of the line"),
        ("relation {0..7}", "", "1: expected the name of a variable, found `{`"),
        ("relation x", "", "1: expected `{`, found the end of the line"),
        ("relation x {1..7}", "", "1: expected `0`, found `1`"),
        ("relation x {0..6}", "", "1: numbers up to 6 are not all numbers of some bits"),
        ("relation x x {0..7}", "", "1: the variable `x` is there already"),
        ("relation x {0..7} y", "", "1: expected the end of the line, found `y`"),
        ("affine", "", "1: expected the name of a variable, found the end of the line"),
        ("affine x modulo 8", "", "1: expected `2^`, found `8`"),
        ("affine x modulo 2^65", "", "1: modulo 2^65"),
        ("constants x modulo 2^8", "", "1: constants modulo 2^w are not analysed"),
        ("relation x {0..7}", "7", "2: a number is neither a condition nor an assignment"),
        ("relation x {0..7}", "y := 3", "2: there is no variable `y`"),
        ("relation x {0..7}", "x := 3, x := 4", "2: `x` is assigned twice"),
        ("relation x {0..7}", "x := x'", "2: an assignment takes values from before the rule"),
        ("relation x {0..7}", "x := 3 x", "2: expected `,` or the end of the line, found `x`"),
        (
            "relation x {0..7}",
            "x := 99999999999999999999",
            "2: the number 99999999999999999999 is too large",
        ),
        ("relation x {0..4294967295}", "x*x*x = 0", "2: the numbers in this term get too large"),
        (
            "relation x {0..7}",
            "(x = 1) + 1 = 2",
            "2: a condition stands where a number is expected",
        ),
        ("relation x {0..7}", "x && x = 1", "2: a number stands where a condition is expected"),
        ("relation x {0..7}", "x := (3", "2: expected `)`, found the end of the line"),
        ("affine x", "x > 0, x := 1", "2: a condition in an affine weight"),
        ("affine x", "x := x*x", "2: a product of variables in an affine weight"),
        ("affine x", "x' = 3", "2: a condition in an affine weight"),
    ] {
        assert_eq!(of(header, weight), [expected], "{header} {weight}");
    }
    let deep = format!("{}x{} = 1", "(".repeat(200), ")".repeat(200));
    assert_eq!(of("relation x {0..7}", &deep), ["2: nested deeper than 64"]);
}

#[test]
fn weights_are_refused_by_name() {
    let weighted = errors("<p, a> -> <p> 7\ninitial <p, a>\ntarget <p>\n", Dialect::Pds);
    assert_eq!(weighted, ["1: the rule has the weight 7, but the system's weights are boolean"]);
    let rule = |weight: &str| {
        errors(
            &format!("weights minpath\n<p, a> -> <p> {weight}\ninitial <p, a>\ntarget <p>\n"),
            Dialect::Pds,
        )
    };
    for good in ["", "0", "7", "4294967295 # all of it"] {
        assert!(rule(good).is_empty(), "{good}");
    }
    assert_eq!(rule("4294967296"), ["2: a weight is at most 4294967295, this is 4294967296"]);
    assert_eq!(rule("-3"), ["2: `-` behind the end of the rule"]);
    assert_eq!(rule("1.5"), ["2: `.` behind the end of the statement"]);
    assert_eq!(rule("x"), ["2: `x` behind the end of the rule"]);
    assert_eq!(
        errors("weights minpath\nweights boolean\n", Dialect::Pds),
        ["2: other weights than at line 1"]
    );
    let later = "<p, a> -> <p> 7\ninitial <p, a>\ntarget <p>\nweights minpath\n";
    assert!(errors(later, Dialect::Pds).is_empty(), "the line may stand anywhere");
    assert!(
        errors(
            "weights boolean # as ever\n<p, a> -> <p>\ninitial <p, a>\ntarget <p>\n",
            Dialect::Pds
        )
        .is_empty()
    );
}

#[test]
fn a_long_right_side_is_refused_with_a_way_out() {
    let (_, found) = read("<p, a> -> <q, b c d>\n", Dialect::Pds);
    assert_eq!(
        found[0].hint,
        "push in two steps through a state of its own: `<p, a> -> <r, c d>` and `<r, c> -> <q, b c>`"
    );
}

#[test]
fn places_are_exact() {
    let source = "# ä\n<p, a> -> <q, b b c>\n";
    let (_, found) = read(source, Dialect::Pds);
    let span = found[0].span;
    assert_eq!((&source[span.start as usize..span.end as usize], span.line), ("c", 2));
    let json = "[{\"state-names\": true, \"weight-type\": \"none\"},\n {\"states\": {\"p\":\n   {\"a\": {\"push\": 3, \"to\": \"p\"}}}},\n {\"accepting\": [], \"edges\": []},\n {\"accepting\": [], \"edges\": []}]";
    let (_, found) = read(json, Dialect::Pdaaal);
    let span = found[0].span;
    assert_eq!((&json[span.start as usize..span.end as usize], span.line), ("3", 3), "{found:?}");
}

#[test]
fn sets_may_be_missing_and_that_is_said() {
    let (good, found) = read("<p, a> -> <q>\r\n", Dialect::Pds);
    assert!(good, "a system without sets can be looked at");
    let said: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "no initial configuration: no run starts",
            "no target configuration: there is nothing to reach"
        ]
    );
}

#[test]
fn names() {
    assert!(
        errors("<γ', ⊥> -> <1, $0 ⊥>\ninitial <γ', ⊥>\ntarget <1, .*>\n", Dialect::Pds).is_empty()
    );
    assert_eq!(errors(&format!("<{}, a> -> <q>\n", "p".repeat(300)), Dialect::Pds).len(), 1);
    assert_eq!(errors("<p%q, a> -> <q>\n", Dialect::Pds), ["1: expected `>`, found `%`"]);
}

/// An instance around a pushdown system and an initial automaton.
fn instance(header: &str, system: &str, initial: &str) -> String {
    format!("[{header},\n{system},\n{initial},\n{{\"accepting\":[],\"edges\":[]}}]")
}

const NAMED: &str = r#"{"state-names":true,"weight-type":"none"}"#;
const NUMBERED: &str = r#"{"state-names":false,"weight-type":"none"}"#;
const EMPTY: &str = r#"{"accepting":[],"edges":[]}"#;

#[test]
fn instances_are_refused_in_their_own_words() {
    let system = |rules: &str| format!(r#"{{"states":{{"p":{{{rules}}},"q":{{}}}}}}"#);
    let rule = |rules: &str| errors(&instance(NAMED, &system(rules), EMPTY), Dialect::Pdaaal);
    assert!(rule(r#""a":{"pop":"","to":"q"}"#).is_empty());
    assert_eq!(rule(r#""a":{"to":"q"}"#), ["2: a rule does not say what it does"]);
    assert_eq!(rule(r#""a":{"pop":""}"#), ["2: a rule does not say where it leads"]);
    assert_eq!(rule(r#""a":{"pop":"b","to":"q"}"#), ["2: `pop` takes no symbol, this one has `b`"]);
    assert_eq!(rule(r#""a":{"pop":"","swap":"b","to":"q"}"#), ["2: a second operation"]);
    assert_eq!(
        rule(r#""a":{"pop":"","to":"q","weight":3}"#),
        ["2: a rule has a weight, but the instance's weights are of type `none`"]
    );
    assert_eq!(
        rule(r#""a":{"pop":"","to":3}"#),
        ["2: a state's name is expected, this is a number"]
    );
    assert_eq!(
        rule(r#""a":{"flip":"b","pop":"","to":"q"}"#),
        ["2: `flip` in a rule is not understood"]
    );
    assert_eq!(rule(r#""":{"pop":"","to":"q"}"#), ["2: a stack symbol has no name"]);
    assert_eq!(
        rule(r#""a":{"swap":"*","to":"q"}"#),
        ["2: `*` stands for every symbol only where a state's rules are listed"]
    );
    assert_eq!(rule(r#""a":[3]"#), ["2: a rule is a number, not an object"]);

    let weighted = instance(r#"{"state-names":true,"weight-type":"double"}"#, &system(""), EMPTY);
    assert_eq!(errors(&weighted, Dialect::Pdaaal), ["1: weights `double` are not analysed"]);
    let vectors = instance(
        r#"{"state-names":true,"weight-type":["uint",2]}"#,
        &system(r#""a":{"pop":"","to":"q","weight":[1,2]}"#),
        EMPTY,
    );
    assert_eq!(errors(&vectors, Dialect::Pdaaal), ["1: vectors of weights are not analysed"]);
    let number = |weight: &str| {
        let rule = system(&format!(r#""a":{{"pop":"","to":"q"{weight}}}"#));
        errors(
            &instance(r#"{"state-names":true,"weight-type":"int"}"#, &rule, EMPTY),
            Dialect::Pdaaal,
        )
    };
    assert!(number(r#","weight":3"#).is_empty());
    assert_eq!(number(""), ["2: a rule has no weight, but the instance's weights are numbers"]);
    assert_eq!(
        number(r#","weight":-3"#),
        ["2: a weight is a natural number of at most 4294967295, this is -3"]
    );
    assert_eq!(number(r#","weight":"3""#), ["2: a weight is a natural number, not a text"]);
    assert_eq!(number(r#","weight":3,"weight":3"#), ["2: a second `weight`"]);
    assert_eq!(
        errors(&instance("{}", &system(""), EMPTY), Dialect::Pdaaal),
        ["1: the header does not say whether states have names"]
    );
    let listed = instance(NUMBERED, r#"{"states":[{"a":{"pop":"","to":7}}]}"#, EMPTY);
    assert_eq!(errors(&listed, Dialect::Pdaaal), ["2: there is no state 7"]);
    let mixed = instance(NUMBERED, &system(""), EMPTY);
    assert_eq!(
        errors(&mixed, Dialect::Pdaaal),
        ["2: the states have names, but the header says that they have none"]
    );
    let twice = instance(NAMED, r#"{"states":{"p":{},"p":{}}}"#, EMPTY);
    assert_eq!(errors(&twice, Dialect::Pdaaal), ["2: the state `p` is there twice"]);

    let automaton = |text: &str| errors(&instance(NAMED, &system(""), text), Dialect::Pdaaal);
    assert_eq!(automaton(r#"{"accepting":["r"],"edges":[]}"#), ["3: there is no state `r`"]);
    assert_eq!(automaton(r#"{"accepting":[-1],"edges":[]}"#), ["3: `-1` is no number of a state"]);
    assert_eq!(
        automaton(r#"{"accepting":[],"edges":[["p","a"]]}"#),
        ["3: an edge is a list of three"]
    );
    assert_eq!(
        automaton(r#"{"accepting":[]}"#),
        ["3: the initial automaton lacks its `accepting` or its `edges`"]
    );
    assert_eq!(
        errors("[1, 2, 3]", Dialect::Pdaaal),
        ["1: an instance has four parts, this one has 3"]
    );
    assert_eq!(errors("{\"a\": 1}", Dialect::Pdaaal), ["1: there is no `instance`"]);
    assert_eq!(
        errors("[1,\n2", Dialect::Pdaaal),
        ["2: expected `,` or `]`, found the end of the text"]
    );
    assert_eq!(
        errors("[1] x", Dialect::Pdaaal),
        ["1: the text goes on behind the end of the instance"]
    );
    assert_eq!(errors("", Dialect::Pdaaal), ["1: expected a value, found the end of the text"]);
    assert_eq!(errors("[\"\\x\"]", Dialect::Pdaaal), ["1: this escape is none of JSON's"]);
    assert_eq!(errors("[01]", Dialect::Pdaaal), ["1: this is no number of JSON"]);
}

/// `*` stands for every symbol of the instance, also those that only an automaton mentions.
#[test]
fn a_star_is_every_symbol() {
    let system = r#"{"states":{"p":{"*":[{"push":"b","to":"q"},{"swap":"*","to":"q"}]},"q":{}}}"#;
    let source = instance(NAMED, system, r#"{"accepting":[2],"edges":[["p","c",2]]}"#);
    let loaded = load(
        &source,
        &RequestedOptions { dialect: Some(Dialect::Pdaaal), ..RequestedOptions::default() },
    );
    let system = loaded.system.expect("it loads");
    let rules: Vec<String> = system.rules.iter().map(|rule| system.rule(rule)).collect();
    assert_eq!(
        rules,
        ["<p, b> -> <q, b b>", "<p, c> -> <q, b c>", "<p, b> -> <q, b>", "<p, c> -> <q, c>"]
    );
}

#[test]
fn what_programs_have_is_refused() {
    let requested = RequestedOptions {
        dialect: Some(Dialect::Pds),
        error: Some(3),
        label: Some("bad".into()),
        ..RequestedOptions::default()
    };
    let loaded = load("<p, a> -> <p>\ninitial <p, a>\ntarget <p>\n", &requested);
    assert!(loaded.system.is_none());
    assert_eq!(loaded.diagnostics.len(), 2, "{:?}", loaded.diagnostics);
}
