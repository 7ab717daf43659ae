//! Readable predicates: their text, read back, is the predicate; and it is the text that a person
//! would write.

use crate::support::Random;
use faultline::bdd::{Bdd, KernelLimits, Manager, Var};
use faultline::lang::model::Scalar;
use faultline::readable::predicate::{PredicateError, parse};
use faultline::readable::{NamedScalar, Readable, readable};

/// Scalars with their bits interleaved, as the encoding has them.
fn scope(types: &[(&str, Scalar)]) -> (Manager, Vec<NamedScalar>) {
    let count = types.len() as u32;
    let scalars: Vec<NamedScalar> = (0..)
        .zip(types)
        .map(|(k, (name, scalar))| NamedScalar {
            name: (*name).to_string(),
            scalar: *scalar,
            bits: (0..u32::from(scalar.width)).map(|bit| Var(bit * count + k)).collect(),
            values: None,
            wraps: false,
        })
        .collect();
    (Manager::new(64 * count, KernelLimits::NONE).unwrap(), scalars)
}

/// A pointer `p` into the slots of two nodes, and a number.
fn with_pointer() -> (Manager, Vec<NamedScalar>) {
    let unsigned = Scalar::int(3, false);
    let (manager, mut scalars) = scope(&[("p", unsigned), ("node#1.key", unsigned)]);
    let names = ["NULL", "node#1", "node#2", "the end of an object", "no value"];
    scalars[0].values = Some(names.iter().map(|name| name.to_string()).collect());
    (manager, scalars)
}

#[test]
fn pointers_have_the_names_of_objects() {
    let texts = [
        ("p = NULL", "p = NULL"),
        ("p == 2", "p = node#2"),
        ("p != node#1 && node#1.key > 3", "p ≠ node#1 ∧ node#1.key ≥ 4"),
        ("p ∈ {NULL, node#2}", "p ∈ {NULL, node#2}"),
        ("p = the end of an object -> node#1.key = 7", "p ≠ the end of an object ∨ node#1.key = 7"),
    ];
    for (given, shown) in texts {
        let (mut manager, scalars) = with_pointer();
        let holds = parse(&mut manager, given, &scalars).expect("it is a predicate");
        let text = readable(&mut manager, holds, &scalars, &[]).text;
        assert_eq!(text, shown, "{given}");
        assert_eq!(parse(&mut manager, &text, &scalars).expect("it reads back"), holds, "{text}");
    }
    let (mut manager, scalars) = with_pointer();
    assert!(parse(&mut manager, "p = node#3", &scalars).is_err());
}

/// The value of a call has the call's text as its name, and longer names win.
#[test]
fn calls_are_names_of_their_values() {
    let int = Scalar::int(4, true);
    let calls = || scope(&[("f(x)", int), ("f(x)₁", int), ("max(a, b)", int), ("x", int)]);
    for text in ["f(x) > 2", "f(x)₁ = x", "max(a, b) ≤ 3 ∧ x = 1", "f(x) + max(a, b) = 2"] {
        let (mut manager, scalars) = calls();
        let holds = parse(&mut manager, text, &scalars).expect("it is a predicate");
        assert!(holds != Bdd::TRUE && holds != Bdd::FALSE, "{text}");
        let shown = readable(&mut manager, holds, &scalars, &[]).text;
        assert_eq!(parse(&mut manager, &shown, &scalars).expect("it reads back"), holds, "{shown}");
    }
    let (mut manager, scalars) = calls();
    let of = |manager: &mut Manager, text| parse(manager, text, &scalars);
    assert_ne!(of(&mut manager, "f(x) = 1"), of(&mut manager, "f(x)₁ = 1"));
    assert!(of(&mut manager, "g(x) = 1").is_err() && of(&mut manager, "f(x)y = 1").is_err());
}

fn usual() -> (Manager, Vec<NamedScalar>) {
    let (int, unsigned) = (Scalar::int(4, true), Scalar::int(4, false));
    scope(&[
        ("x", unsigned),
        ("y", unsigned),
        ("z", unsigned),
        ("i", int),
        ("j", int),
        ("b", Scalar::BOOL),
        ("c", Scalar::BOOL),
        ("a[2]", unsigned),
    ])
}

fn show(manager: &mut Manager, predicate: Bdd, scalars: &[NamedScalar]) -> Readable {
    let shown = readable(manager, predicate, scalars, &[]);
    if shown.exact {
        assert_eq!(
            parse(manager, &shown.text, scalars),
            Ok(predicate),
            "{} is not the predicate",
            shown.text
        );
    }
    shown
}

#[test]
fn the_text_a_person_would_write() {
    let expectations = [
        ("true", "true"),
        ("false", "false"),
        ("b", "b"),
        ("!b", "¬b"),
        ("b && !c", "b ∧ ¬c"),
        ("b || c", "b ∨ c"),
        ("b -> c", "¬b ∨ c"),
        ("b = c", "b = c"),
        ("x = 0", "x = 0"),
        ("x != 3", "x ≠ 3"),
        ("x != 0", "x ≠ 0"),
        ("x even", "x even"),
        ("x odd", "x odd"),
        ("x < 3", "x < 3"),
        ("x >= 3", "x ≥ 3"),
        ("i < 0", "i < 0"),
        ("i >= 0", "i ≥ 0"),
        ("i = -3", "i = -3"),
        ("3 <= x && x <= 7", "3 ≤ x ≤ 7"),
        ("x = 1 || x = 4", "x ∈ {1, 4}"),
        ("x = 1 || x = 3 || 5 <= x <= 9", "x ∈ {1, 3, 5..9}"),
        ("x != 2 && x != 9", "x ∉ {2, 9}"),
        ("x <= y", "x ≤ y"),
        ("x > y", "y < x"),
        ("i < j", "i < j"),
        ("x = y", "x = y"),
        ("x != y", "x ≠ y"),
        ("x + y even", "x + y even"),
        ("x = y && x = 0", "x = 0 ∧ y = 0"),
        ("b && x < 3", "b ∧ x < 3"),
        ("b || x < 3", "b ∨ x < 3"),
        ("x odd || x = 0", "x odd ∨ x < 2"),
        ("x in {1, 2, 4, 7, 9, 11, 12}", "x ∈ {1, 2, 4, 7, 9, 11, 12}"),
        ("x even && y < x", "x even ∧ y < x"),
        ("x = y + 3 (mod 16)", "x = y + 3 (mod 16)"),
        ("x + y = 5 (mod 16)", "x + y = 5 (mod 16)"),
        ("x = y + z (mod 16)", "y + z = x (mod 16)"),
        ("x = y - z + 1 (mod 16)", "x + z = y + 1 (mod 16)"),
        ("x + 1 = y (mod 16)", "x = y - 1 (mod 16)"),
        ("a[2] > 3", "a[2] ≥ 4"),
        ("i > 0", "i > 0"),
        ("i <= 0", "i ≤ 0"),
        ("x = 1 && b || x = 5 && y = 2", "(b ∧ x = 1) ∨ (x = 5 ∧ y = 2)"),
        ("b && (x < 3 || y < 2)", "b ∧ (x < 3 ∨ y < 2)"),
    ];
    for (written, expected) in expectations {
        let (mut manager, scalars) = usual();
        let predicate = parse(&mut manager, written, &scalars).unwrap();
        assert_eq!(show(&mut manager, predicate, &scalars).text, expected, "for {written}");
    }
}

/// Numbers that wrap as the program's do: equalities of sums are written without their modulus, and
/// mean it. Figure 6.3 of the thesis on refinement has `i + j = g` at every width.
#[test]
fn equalities_of_sums_that_wrap() {
    for width in [4, 16, 32] {
        let int = Scalar::int(width, true);
        let (mut manager, mut scalars) = scope(&[("i", int), ("j", int), ("g", int)]);
        let modulo = |manager: &mut Manager, scalars: &[NamedScalar], text: &str| {
            parse(manager, &format!("{text} (mod {})", 1u64 << width), scalars).unwrap()
        };
        for (written, expected) in [
            ("i = g - j", "i + j = g"),
            ("i + j - 1 = g", "i + j = g + 1"),
            ("i + j + 2 = g", "i + j = g - 2"),
            ("i = j + 3", "i = j + 3"),
            ("i = j - 1", "i = j - 1"),
            ("i + j = -2", "i + j = -2"),
        ] {
            let holds = modulo(&mut manager, &scalars, written);
            scalars.iter_mut().for_each(|scalar| scalar.wraps = true);
            assert_eq!(show(&mut manager, holds, &scalars).text, expected, "{written}");
            assert_eq!(parse(&mut manager, written, &scalars), Ok(holds), "{written}");
            scalars.iter_mut().for_each(|scalar| scalar.wraps = false);
        }
    }
}

/// Few stores are listed, however different they are.
#[test]
fn few_stores_are_listed() {
    let int = Scalar::int(8, false);
    let (mut manager, scalars) = scope(&[("x", int), ("y", int), ("z", int)]);
    let stores = [(1, 200, 7), (9, 3, 77), (31, 18, 255), (64, 2, 91), (120, 99, 13), (7, 8, 9)];
    let one = |(x, y, z): &(u8, u8, u8)| format!("(x = {x} ∧ y = {y} ∧ z = {z})");
    let all: Vec<String> = stores.iter().map(one).collect();
    let holds = parse(&mut manager, &all.join(" ∨ "), &scalars).unwrap();
    let shown = show(&mut manager, holds, &scalars);
    assert!(shown.exact && shown.text.matches("x = ").count() == 6, "{}", shown.text);
}

#[test]
fn wide_numbers() {
    let (unsigned, int) = (Scalar::int(32, false), Scalar::int(64, true));
    for (written, expected) in [
        ("x = 4000000000", "x = 4000000000"),
        ("i < 0", "i < 0"),
        ("i = -9223372036854775808", "i = -9223372036854775808"),
        ("x even && x < 1000", "x even ∧ x < 999"),
        ("x = 5 (mod 8)", "x = 5 (mod 8)"),
        ("y <= x", "y ≤ x"),
        ("j < i && i < 7", "i < 7 ∧ j < i"),
    ] {
        let (mut manager, scalars) =
            scope(&[("x", unsigned), ("y", unsigned), ("i", int), ("j", int)]);
        let predicate = parse(&mut manager, written, &scalars).unwrap();
        assert_eq!(show(&mut manager, predicate, &scalars).text, expected, "for {written}");
    }
}

#[test]
fn the_programs_own_comparisons_come_first() {
    let (mut manager, scalars) = usual();
    let own = |manager: &mut Manager, text: &str| {
        (text.to_string(), parse(manager, text, &scalars).unwrap())
    };
    let atoms =
        [own(&mut manager, "x * y > 10"), own(&mut manager, "x >= 3"), own(&mut manager, "b")];
    let product = atoms[0].1;
    assert_eq!(readable(&mut manager, product, &scalars, &atoms).text, "x * y > 10");
    assert_eq!(readable(&mut manager, !product, &scalars, &atoms).text, "x * y ≤ 10");
    assert_eq!(readable(&mut manager, atoms[1].1, &scalars, &atoms).text, "x ≥ 3");
    let mixed = manager.and(product, !atoms[2].1).unwrap();
    let text = readable(&mut manager, mixed, &scalars, &atoms).text;
    assert_eq!(text, "x * y > 10 ∧ ¬b");
    assert_eq!(parse(&mut manager, &text, &scalars), Ok(mixed));
}

#[test]
fn what_has_no_short_text_is_not_told_as_a_count() {
    let (mut manager, scalars) = usual();
    let predicate =
        parse(&mut manager, "x * y < 40 && x * z > 13 && (x + y) * z != 12", &scalars).unwrap();
    let shown = show(&mut manager, predicate, &scalars);
    assert!(!shown.exact);
    assert_eq!(shown.text, "too many sets of values to list");
    // Within a tight limit the answer is a count, too, and the limit stays as it was.
    let limits = KernelLimits { max_nodes: manager.live_nodes(), max_steps: u64::MAX };
    manager.set_limits(limits);
    let predicate = manager.and(predicate, Bdd::TRUE).unwrap();
    assert!(!readable(&mut manager, predicate, &scalars, &[]).exact);
    assert_eq!(manager.limits(), limits);
}

#[test]
fn random_predicates_read_back() {
    let mut random = Random::new(2026);
    let mut exact = 0;
    const ROUNDS: usize = 300;
    for round in 0..ROUNDS {
        let signed = random.flip();
        let (mut manager, scalars) = scope(&[
            ("x", Scalar::int(3, signed)),
            ("y", Scalar::int(3, signed)),
            ("b", Scalar::BOOL),
        ]);
        let predicate = match round % 3 {
            // Any set of stores over x and b; a formula of comparisons; a few boxes.
            0 => random_set(&mut manager, &scalars, &mut random),
            _ => {
                let text = random_formula(&mut random, 2 + (round % 2) as u32);
                parse(&mut manager, &text, &scalars).unwrap()
            }
        };
        exact += usize::from(show(&mut manager, predicate, &scalars).exact);
    }
    assert!(exact * 10 > ROUNDS * 7, "only {exact} of {ROUNDS} had a text");
}

fn random_set(manager: &mut Manager, scalars: &[NamedScalar], random: &mut Random) -> Bdd {
    let mut any = Bdd::FALSE;
    for value in 0..8 {
        let choice = random.below(4);
        let at: Vec<(Var, bool)> =
            scalars[0].bits.iter().enumerate().map(|(k, v)| (*v, value >> k & 1 == 1)).collect();
        let here = manager.cube(&at).unwrap();
        let b = manager.var(scalars[2].bits[0]).unwrap();
        let when = [Bdd::FALSE, Bdd::TRUE, b, !b][choice as usize];
        let part = manager.and(here, when).unwrap();
        any = manager.or(any, part).unwrap();
    }
    any
}

fn random_formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        let constant = random.below(5);
        let relation = ["=", "≠", "<", "≤", ">", "≥"][random.below(6) as usize];
        return match random.below(5) {
            0 => "b".to_string(),
            1 => format!("x {relation} y"),
            2 => format!("x {relation} {constant}"),
            3 => format!("y {relation} {constant}"),
            _ => format!(
                "{} {}",
                ["x", "y", "x + y"][random.below(3) as usize],
                ["even", "odd"][random.below(2) as usize]
            ),
        };
    }
    let connective = ["∧", "∨", "→"][random.below(3) as usize];
    let (left, right) = (random_formula(random, depth - 1), random_formula(random, depth - 1));
    if random.below(4) == 0 {
        format!("¬({left} {connective} {right})")
    } else {
        format!("({left}) {connective} ({right})")
    }
}

#[test]
fn reading_both_spellings() {
    let (mut manager, scalars) = usual();
    for (unicode, ascii) in [
        ("¬b ∧ c ∨ b", "!b && c || b"),
        ("x ≠ 3 → y ≤ 2", "x != 3 -> y <= 2"),
        ("x ∈ {1, 3..5}", "x == 1 || x >= 3 && x < 6"),
        ("x ∉ {0}", "x > 0"),
        ("(x + y) * 2 < 7", "2 * x + 2 * y < 7"),
        ("((x)) = (y)", "x - y == 0"),
        ("-2 ≤ i < 2", "i in {-2, -1, 0, 1}"),
        ("b = c", "b && c || !b && !c"),
        ("(b ∧ x = 1) ∨ (x) = 2", "x = 2 || x = 1 && b"),
        ("x - y = 15 (mod 16)", "y = x + 1 || x = 15 && y = 0"),
    ] {
        let expected = parse(&mut manager, ascii, &scalars).unwrap();
        assert_eq!(parse(&mut manager, unicode, &scalars), Ok(expected), "{unicode}");
    }
}

/// Each minus makes a number a bit wider, so these factors have more than 64.
#[test]
fn factors_of_many_bits() {
    let (mut manager, scalars) = usual();
    for (minuses, factor) in [(58, "100"), (59, "-100"), (60, "9"), (61, "-1")] {
        let wide = format!("i < {}{} * i - 1", "-".repeat(minuses), factor.trim_start_matches('-'));
        let expected = parse(&mut manager, &format!("i < {factor} * i - 1"), &scalars).unwrap();
        assert_eq!(parse(&mut manager, &wide, &scalars), Ok(expected), "{wide}");
    }
}

/// What a frame was entered with, and what the callee at a pivot point is entered with.
#[test]
fn reading_copies() {
    let byte = Scalar::int(4, false);
    let (mut manager, scalars) =
        scope(&[("n", byte), ("n at entry", byte), ("n of f", byte), ("of", byte)]);
    let at = |manager: &mut Manager, k: usize, value: u64| {
        let bits: Vec<_> = scalars[k]
            .bits
            .iter()
            .enumerate()
            .map(|(bit, v)| (*v, value >> bit & 1 == 1))
            .collect();
        manager.cube(&bits).unwrap()
    };
    let expected: Vec<Bdd> =
        [1, 2, 3, 4].into_iter().enumerate().map(|(k, value)| at(&mut manager, k, value)).collect();
    let expected = manager.and_all(&expected).unwrap();
    let text = "n = 1 ∧ n at entry = 2 ∧ n of f = 3 ∧ of = 4";
    assert_eq!(parse(&mut manager, text, &scalars), Ok(expected));
    assert_eq!(
        parse(&mut manager, "n of g = 1", &scalars),
        Err(PredicateError::UnknownName("n of g".to_string(), 0))
    );
}

#[test]
fn reading_refuses_with_a_place() {
    let (mut manager, scalars) = usual();
    let mut refuse = |text: &str| parse(&mut manager, text, &scalars).unwrap_err();
    assert_eq!(refuse(""), PredicateError::Expected("a name or a number", 0));
    assert_eq!(refuse("x <"), PredicateError::Expected("a name or a number", 3));
    assert_eq!(refuse("x"), PredicateError::Expected("a comparison", 1));
    assert_eq!(refuse("q = 1"), PredicateError::UnknownName("q".to_string(), 0));
    assert_eq!(refuse("b ∧ a[3] = 1"), PredicateError::UnknownName("a[3]".to_string(), 6));
    assert_eq!(refuse("x = y (mod 12)"), PredicateError::Modulus(11));
    assert_eq!(refuse("b b"), PredicateError::Expected("the end or a connective", 2));
    assert_eq!(refuse("x ∈ {1, }"), PredicateError::Expected("a number", 10));
    assert!(matches!(refuse(&"(".repeat(10_000)), PredicateError::TooLarge(_)));
    assert!(matches!(refuse(&"¬".repeat(10_000)), PredicateError::TooLarge(_)));
    assert!(matches!(refuse("x = 999999999999999999999999"), PredicateError::TooLarge(_)));
    assert!(refuse("(x = 1").to_string().starts_with("expected `)`"));
}

/// Members of structs, and of the structs in an array.
#[test]
fn members_of_structs() {
    let number = Scalar::int(4, false);
    let types = [("s.x", number), ("p[1].y.z", number), ("p[0].b", Scalar::BOOL)];
    let (mut manager, scalars) = scope(&types);
    for text in ["s.x = 3", "s.x < p[1].y.z", "p[0].b ∧ s.x ∈ {1, 5..7}"] {
        let predicate = parse(&mut manager, text, &scalars).unwrap();
        assert!(show(&mut manager, predicate, &scalars).exact, "{text}");
    }
    let refused = parse(&mut manager, "s. = 1", &scalars);
    assert_eq!(refused, Err(PredicateError::Expected("a member's name", 3)));
}

#[test]
fn variables_apart_in_the_order() {
    // Sums and orders of these have no small diagram; they must not cost the answer.
    for width in [8, 32, 64] {
        let int = Scalar::int(width, true);
        let bits =
            |k: u32| (0..u32::from(width)).map(|bit| Var(k * u32::from(width) + bit)).collect();
        let scalars: Vec<NamedScalar> = (0..10)
            .map(|k| NamedScalar {
                name: format!("v{k}"),
                scalar: int,
                bits: bits(k),
                values: None,
                wraps: false,
            })
            .collect();
        let mut manager = Manager::new(640, KernelLimits::NONE).unwrap();
        for text in [
            "v0 < 0 ∧ v1 = 0 ∧ v2 = 0 ∧ v3 = 0 ∧ v4 = 0 ∧ v5 = 0 ∧ v6 ≠ 0 ∧ v7 = 1 ∧ v8 = 2 ∧ v9 ≥ 101",
            "(v1 = 3 ∧ v2 ≥ 8) ∨ v5 = 77",
        ] {
            let predicate = parse(&mut manager, text, &scalars).unwrap();
            let steps = manager.steps();
            assert_eq!(show(&mut manager, predicate, &scalars).text, text);
            assert!(
                manager.steps() - steps < 2_000_000,
                "{} steps for {text}",
                manager.steps() - steps
            );
        }
    }
}
