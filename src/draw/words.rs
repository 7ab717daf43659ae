//! Sentences about a report, for people. The page's verdict panel and the command line use the same
//! sentences.

mod runs;

use runs::run_into;
pub use runs::{effect, pushdown_run, run_headline, through_headline};

use crate::draw::widths;
use crate::util::Limit;
use crate::wire::affine::AffineReport;
use crate::wire::assumed::Shape;
use crate::wire::note::NoteCode;
use crate::wire::options::{DataModel, Dialect, EffectiveOptions, Globals, Saturation};
use crate::wire::report::{
    ErrorReport, FailureReport, ProjectionReport, Report, StartsReport, Value, Values, Verdict,
};
use crate::wire::widths::WidthsReport;

/// "It can fail: assertion at line 16", "Safe: no run fails", "No answer, and no failure found: the
/// node limit was hit".
pub fn headline(report: &Report) -> String {
    let verdict = verdict(report);
    let is_over = |found: &ProjectionReport| found.overestimate && found.nodes > 0;
    match report.projection.as_ref().is_some_and(is_over) {
        true => format!("{verdict}; the lit lines are an overestimate (naive)"),
        false => verdict,
    }
}

/// The verdict, and that no run reaches the end, where a recursion has none. A run may still fail,
/// however deep.
fn verdict(report: &Report) -> String {
    let endless = report.notes.iter().find(|note| note.code == NoteCode::NeverEnds);
    match (endless, report.verdict) {
        (None, _) => verdict_alone(report),
        (Some(note), Verdict::Unknown) if report.fault.is_none() => {
            format!("No run reaches the end of the program: {}", note.text)
        }
        (Some(note), _) => format!(
            "{}. No run reaches the end of the program: {}",
            verdict_alone(report),
            note.text
        ),
    }
}

/// The verdict alone.
fn verdict_alone(report: &Report) -> String {
    if let Some(line) = report.options.reach {
        return reached(report, line);
    }
    if let Some(narrower) = report.widths.as_ref().and_then(|found| narrower(found, report)) {
        return narrower;
    }
    match report.verdict {
        Verdict::Safe if report.pushdown.is_some() && report.checked == 0 => {
            "Nothing to reach: the system has no target".into()
        }
        Verdict::Safe if report.pushdown.is_some() => {
            "Not reachable: no run from an initial configuration reaches a target".into()
        }
        Verdict::Unsafe if report.pushdown.is_some() => {
            let target = report
                .error
                .as_ref()
                .map_or("a target".into(), |target| format!("the target of line {}", target.line));
            format!("Reachable: {} reaches {target}", run_into(report))
        }
        Verdict::Safe if report.checked == 0 => {
            "Nothing to check: the program has no assertion, error label or checked operation"
                .into()
        }
        Verdict::Safe => match &report.starts {
            Some(StartsReport { procedures, .. }) if procedures.len() == 1 => {
                format!("Safe: no run of {} fails", procedures[0])
            }
            Some(starts) => format!(
                "Safe: no run fails, whichever of {} procedures it starts with",
                starts.procedures.len()
            ),
            None => "Safe: no run fails".into(),
        },
        Verdict::Unsafe => match &report.error {
            Some(error) => format!("It can fail: {}{}", error_place(error), started(report)),
            None => "It can fail".into(),
        },
        Verdict::Unknown if report.fault.is_some() => "No answer: a defect of Faultline".into(),
        Verdict::Unknown if report.limit == Some(Limit::Threads) => {
            "No answer: the program has threads".into()
        }
        Verdict::Unknown if report.limit == Some(Limit::Heap) => match report.options.heap {
            Some(1) => "No run fails with at most 1 object of each type".into(),
            Some(n) => format!("No run fails with at most {n} objects of each type"),
            None => no_answer(Some(Limit::Heap)),
        },
        Verdict::Unknown => no_answer(report.limit),
    }
}

/// What the runs are that an answer is about: "failing run", "run to line 5".
pub fn kind_of_run(reach: Option<u32>) -> String {
    reach.map_or_else(|| "failing run".to_string(), |line| format!("run to line {line}"))
}

/// "A run comes to line 5".
fn reached(report: &Report, line: u32) -> String {
    match (report.verdict, report.limit) {
        (Verdict::Unsafe, _) => format!("A run comes to line {line}{}", started(report)),
        (Verdict::Safe, _) => format!("No run comes to line {line}"),
        (Verdict::Unknown, _) if report.fault.is_some() => {
            "No answer: a defect of Faultline".into()
        }
        (Verdict::Unknown, Some(limit)) => {
            format!("Not known whether a run comes to line {line}: {}", limit_sentence(limit))
        }
        (Verdict::Unknown, None) => format!("Not known whether a run comes to line {line}"),
    }
}

/// "No answer, and no failure found: the time was up".
pub fn no_answer(limit: Option<Limit>) -> String {
    match limit {
        Some(limit) => format!("No answer, and no failure found: {}", limit_sentence(limit)),
        None => "No answer".into(),
    }
}

/// ", started with half (one of 2 procedures)", where each procedure is a start; else empty.
fn started(report: &Report) -> String {
    match &report.starts {
        Some(StartsReport { procedures, .. }) if procedures.len() == 1 => {
            format!(", started with {}", procedures[0])
        }
        Some(StartsReport { procedures, fails: Some(fails) }) => {
            format!(", started with {fails} (one of {} procedures)", procedures.len())
        }
        _ => String::new(),
    }
}

/// "assuming: a has n elements, n from 0 to 4; s is a text of at most 4 characters"; `None` if
/// nothing is assumed.
pub fn assuming(report: &Report) -> Option<String> {
    let several = report.starts.as_ref().is_some_and(|starts| starts.procedures.len() > 1);
    let mut found: Vec<String> = Vec::new();
    for one in &report.assumed {
        let most = one.most.unwrap_or(0);
        let name = match several && one.shape != Shape::Globals {
            true => format!("{} of {}", one.parameter, one.procedure),
            false => one.parameter.clone(),
        };
        let objects = counted(u64::from(most), "object");
        let sentence = match one.shape {
            Shape::Array => match &one.length {
                Some(length) => {
                    format!("{name} has {length} elements, {length} from 0 to {most}")
                }
                None => format!("{name} has {most} elements"),
            },
            Shape::Text => format!("{name} is a text of at most {most} characters"),
            Shape::List => format!("{name} is null or a list of at most {objects}"),
            Shape::Tree => format!("{name} is null or a tree of at most {objects}"),
            Shape::Object => format!("{name} points to one object"),
            Shape::Constant => format!("{name} is a constant of its enumeration"),
            Shape::Globals => "globals have any value".to_string(),
        };
        if !found.contains(&sentence) {
            found.push(sentence);
        }
    }
    (!found.is_empty()).then(|| format!("assuming: {}", found.join("; ")))
}

/// The headline of an answer for narrower integers than C's own.
fn narrower(found: &WidthsReport, report: &Report) -> Option<String> {
    let place = report.error.as_ref().map_or_else(String::new, error_place);
    widths::headline(found, &(place + &started(report)))
}

/// The most lines that are named one by one.
const MOST_LINES: usize = 24;

/// "line 12", "lines 12 and 17", "lines 1, 2 and 3"; for many lines, "lines 1-20, 22 and 30-40".
pub fn lines(lines: &[u32]) -> String {
    let words = line_numbers(lines);
    match words.split_last() {
        None => "no line".to_string(),
        Some((only, [])) if lines.len() == 1 => format!("line {only}"),
        Some((only, [])) => format!("lines {only}"),
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
    }
}

/// The lines in their order. In a long list, consecutive lines are joined: "7", "8-21", "3".
pub fn line_numbers(lines: &[u32]) -> Vec<String> {
    match lines.len() {
        0..=MOST_LINES => lines.iter().map(u32::to_string).collect(),
        _ => lines.chunk_by(|a, b| a + 1 == *b).flat_map(stretch).collect(),
    }
}

/// Consecutive lines: "7-12", or one by one if they are few.
fn stretch(lines: &[u32]) -> Vec<String> {
    match lines {
        [first, _, .., last] => vec![format!("{first}-{last}")],
        few => few.iter().map(u32::to_string).collect(),
    }
}

/// The proof of "safe". Returns `None` if the program has nothing to check.
pub fn proved(report: &Report) -> Option<String> {
    let proof = report.proof.filter(|_| report.checked > 0)?;
    if report.bounded.is_some() {
        return Some(
            "no loop goes round more often than was looked at; a separate checker confirmed that \
             no run fails"
                .into(),
        );
    }
    Some(match proof.limit {
        None => "proved by an inductive invariant, which a separate check confirmed".into(),
        Some(limit) => format!(
            "no separate check confirmed its inductive invariant: {}",
            limit_sentence(limit)
        ),
    })
}

/// What the bounded engine adds to an answer.
pub fn bounded(report: &Report) -> Option<String> {
    let found = report.bounded.as_ref()?;
    Some(match (report.verdict, found.bound) {
        (Verdict::Safe, _) => "decided by the bounded engine, on all inputs at once".into(),
        (Verdict::Unsafe, _) => "found by the bounded engine, and executed".into(),
        (Verdict::Unknown, Some(1)) => {
            "no run fails that goes round each loop at most once; longer ones are open".into()
        }
        (Verdict::Unknown, Some(bound)) if bound > 0 => format!(
            "no run fails within {bound} rounds of each loop and {bound} nested calls; longer ones \
             are open"
        ),
        (Verdict::Unknown, _) => return None,
    })
}

/// "Also: division by zero at line 9: n is 0, so 100 / n is 100 / 0, which has no value".
pub fn also(failure: &FailureReport) -> String {
    let error = failure.error();
    let detail = error.detail.as_ref().unwrap_or(&error.message);
    format!("Also: {}: {detail}", error_place(&error))
}

/// "division by zero at line 7".
pub fn error_place(error: &ErrorReport) -> String {
    format!("{} at line {}", error.kind.meaning().headline, error.line)
}

/// The meaning of a limit.
pub fn limit_sentence(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "the node limit was hit",
        Limit::Steps => "the step limit was hit",
        Limit::Time => "the time was up",
        Limit::Rounds => "the round limit was hit",
        Limit::Depth => "the depth limit was hit",
        Limit::Heap => {
            "some run needs more objects of a type in memory than it may have (`--heap N` allows more)"
        }
        Limit::Threads => {
            "only the first thread was analysed; use the analysis of threads for all of them (`faultline threads`)"
        }
    }
}

/// "for 4-bit integers, uninitialised globals arbitrary, checks: bounds, division"; "for stacks of
/// any height".
pub fn holds_for(options: &EffectiveOptions) -> String {
    let globals = match options.globals {
        Globals::Any => "arbitrary",
        Globals::Zero => "zero",
    };
    let bits = options.bits;
    let mut text = match options.dialect {
        Dialect::Cimple => format!(
            "for {bits}-bit integers, uninitialised globals {globals}, checks: {}",
            checks(options)
        ),
        // C's sizes relative to that of `int`.
        Dialect::C => format!(
            "for int of {}, short of {}, long of {}, uninitialised globals {globals}, checks: {}",
            counted(bits.into(), "bit"),
            bits.min(16),
            match options.model {
                DataModel::Lp64 => 2 * bits,
                DataModel::Ilp32 => bits,
            },
            checks(options)
        ),
        Dialect::Java => format!(
            "for int of {}, long of {}, checks: {}",
            counted(bits.into(), "bit"),
            2 * bits,
            checks(options)
        ),
        Dialect::BooleanProgram => format!("for {}", initial_values(options)),
        Dialect::Remopla => {
            format!("for the widths that the program declares, {}", initial_values(options))
        }
        Dialect::Pds | Dialect::Pdaaal => return "for stacks of any height".into(),
    };
    if let Some(n) = options.heap {
        text.push_str(&format!(", at most {} of each type", counted(n.into(), "object")));
    }
    if let Some(line) = options.error.filter(|_| options.reach.is_none()) {
        text.push_str(&format!(", only the error at line {line}"));
    }
    if let Some(label) = &options.label {
        text.push_str(&format!(", label {label} is an error"));
    }
    match &options.rules[..] {
        [] => {}
        [only] => text.push_str(&format!(", rule {only}")),
        several => text.push_str(&format!(", rules {}", several.join(", "))),
    }
    text
}

fn initial_values(options: &EffectiveOptions) -> &'static str {
    match options.globals {
        Globals::Any => "arbitrary initial values",
        Globals::Zero => "globals zero at first, arbitrary initial values of locals",
    }
}

/// The saturation that decided whether a pushdown system reaches its target: "post* of the initial
/// configurations".
pub fn decided_by(saturation: Saturation) -> &'static str {
    match saturation {
        Saturation::Post => "post* of the initial configurations",
        Saturation::Pre => "pre* of the target",
        Saturation::Both => "post* and pre* in turn",
    }
}

/// The values of a step of a pushdown system's run: "<p, b a>"; with variables "<p, b a>, x = 3".
pub fn configuration(values: &Values) -> String {
    let mut text = match &values.0[..] {
        [(_, state), (_, Value::List(stack)), ..] if !stack.is_empty() => {
            let symbols: Vec<String> = stack.iter().map(ToString::to_string).collect();
            format!("<{state}, {}>", symbols.join(" "))
        }
        [(_, state), ..] => format!("<{state}>"),
        [] => String::new(),
    };
    for (name, value) in values.0.iter().skip(2) {
        text.push_str(&format!(", {name} = {value}"));
    }
    text
}

/// "bounds, division", or "assertions only".
pub fn checks(options: &EffectiveOptions) -> String {
    let on = options.checks.on();
    if on.is_empty() { "assertions only".into() } else { on.join(", ") }
}

/// "The slice of the errors has 14 statements on 9 lines; only in the slice: line 10; only in the
/// projection: line 6".
pub fn slice_sentence(projection: &ProjectionReport) -> Option<String> {
    let slice = projection.slice.as_ref()?;
    let mut text = format!(
        "The slice of the errors has {} on {}",
        counted(slice.nodes.into(), "statement"),
        counted(slice.lines.len() as u64, "line")
    );
    for (where_, lines, other) in [
        ("slice", &slice.lines, &projection.lines),
        ("projection", &projection.lines, &slice.lines),
    ] {
        let only: Vec<u32> =
            lines.iter().copied().filter(|line| other.binary_search(line).is_err()).collect();
        if !only.is_empty() {
            text.push_str(&format!("; only in the {where_}: {}", listed_lines(&only)));
        }
    }
    if slice.lines == projection.lines {
        text.push_str(", the same lines as the projection");
    }
    Some(text)
}

/// "line 3", "lines 3, 4, 9", and no more than a dozen.
fn listed_lines(lines: &[u32]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = lines.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if lines.len() > SHOWN {
        format!(" and {} more", lines.len() - SHOWN)
    } else {
        String::new()
    };
    format!("line{} {}{more}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
}

/// A sentence with a capital letter.
pub fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// "8,000,000".
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 step", "9 steps".
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// "38 ms", "4.2 s", "3 min 5 s".
pub fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
    }
}

/// Why not all edits were tried.
pub fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Rounds => "the limit on the number of edits was hit",
        _ => limit_sentence(limit),
    }
}

/// The numbers and runs for which the equalities hold.
pub fn affine_holds_for(report: &AffineReport) -> String {
    let numbers = match report.modulo {
        Some(width) => format!("Modulo 2^{width}"),
        None => "For integers that never wrap".to_string(),
    };
    let numbers = match report.switches {
        Some(1) => format!("{numbers}, with at most 1 context switch"),
        Some(switches) => format!("{numbers}, with at most {switches} context switches"),
        None => numbers,
    };
    let rest = if report.approximate && report.switches.is_some() {
        "threads are combined by hulls, and conditions and right sides that are not affine are ignored, so more equalities may hold"
    } else if report.approximate {
        "conditions and right sides that are not affine are ignored, so more equalities may hold"
    } else {
        "all equalities that hold follow from these"
    };
    format!("{numbers}; {rest}")
}

/// `x = 3, b = true`.
pub fn listed<'a>(values: impl IntoIterator<Item = &'a (String, Value)>) -> String {
    let one = |(name, value): &(String, Value)| format!("{name} = {value}");
    values.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::Checks;
    use crate::wire::report::{Analysis, ErrorKind};

    fn options() -> EffectiveOptions {
        let checks = Checks::default();
        EffectiveOptions {
            dialect: Dialect::Cimple,
            bits: 4,
            open_width: false,
            globals: Globals::Any,
            checks,
            error: None,
            reach: None,
            label: None,
            switches: None,
            heap: None,
            model: DataModel::default(),
            rules: Vec::new(),
            function: None,
            array: None,
        }
    }

    fn report(verdict: Verdict) -> Report {
        let report = Report::new(Analysis::Projection, verdict, options());
        Report { checked: 1, ..report }
    }

    #[test]
    fn verdicts_in_words() {
        assert_eq!(headline(&report(Verdict::Safe)), "Safe: no run fails");
        let (kind, message) = (ErrorKind::Assertion, String::new());
        let error = ErrorReport::new(16, kind, message, None);
        assert_eq!(
            headline(&Report { error: Some(error), ..report(Verdict::Unsafe) }),
            "It can fail: assertion at line 16"
        );
        let unknown = Report { limit: Some(Limit::Nodes), ..report(Verdict::Unknown) };
        assert_eq!(headline(&unknown), "No answer, and no failure found: the node limit was hit");
        let fault = Report { fault: Some("a step differs".into()), ..report(Verdict::Unknown) };
        assert_eq!(headline(&fault), "No answer: a defect of Faultline");
    }

    #[test]
    fn options_in_words() {
        assert_eq!(
            holds_for(&options()),
            "for 4-bit integers, uninitialised globals arbitrary, checks: bounds, division"
        );
        let other = EffectiveOptions {
            checks: Checks::NONE,
            error: Some(7),
            globals: Globals::Zero,
            ..options()
        };
        assert_eq!(
            holds_for(&other),
            "for 4-bit integers, uninitialised globals zero, checks: assertions only, only the error at line 7"
        );
    }

    #[test]
    fn options_of_other_languages_in_words() {
        let of = |dialect| holds_for(&EffectiveOptions { dialect, bits: 32, ..options() });
        assert_eq!(
            of(Dialect::C),
            "for int of 32 bits, short of 16, long of 64, uninitialised globals arbitrary, checks: bounds, division"
        );
        assert_eq!(of(Dialect::BooleanProgram), "for arbitrary initial values");
        assert_eq!(
            of(Dialect::Remopla),
            "for the widths that the program declares, arbitrary initial values"
        );
        assert_eq!([of(Dialect::Pds), of(Dialect::Pdaaal)], ["for stacks of any height"; 2]);
        let labelled = EffectiveOptions {
            dialect: Dialect::BooleanProgram,
            label: Some("BAD".into()),
            ..options()
        };
        assert_eq!(holds_for(&labelled), "for arbitrary initial values, label BAD is an error");
    }

    #[test]
    fn threads_in_words() {
        let report = Report { limit: Some(Limit::Threads), ..report(Verdict::Unknown) };
        assert_eq!(headline(&report), "No answer: the program has threads");
    }

    #[test]
    fn numbers_in_words() {
        assert_eq!(
            [grouped(0), grouped(999), grouped(1_000), grouped(8_000_000)],
            ["0", "999", "1,000", "8,000,000"]
        );
        assert_eq!([counted(1, "step"), counted(9, "step")], ["1 step", "9 steps"]);
        let many: Vec<u32> = (4..=40).chain([42, 43, 50]).collect();
        assert_eq!(
            [lines(&[]), lines(&[7]), lines(&[1, 2, 3])],
            ["no line", "line 7", "lines 1, 2 and 3"]
        );
        assert_eq!([lines(&many), lines(&many[..30])], ["lines 4-40, 42, 43 and 50", "lines 4-33"]);
        assert_eq!(
            [duration(38), duration(4_270), duration(185_000)],
            ["38 ms", "4.2 s", "3 min 5 s"]
        );
    }
}
