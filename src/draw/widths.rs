//! Sentences about the width of C's `int`, where 32 bits exceeded a budget and narrower integers
//! were tried.

use crate::util::Limit;
use crate::wire::options::{C_BITS, EffectiveOptions};
use crate::wire::report::Verdict;
use crate::wire::widths::{AtFullWidth, TriedWidth, WidthsReport};

/// The headline of an answer for narrower integers: "No run fails with 8-bit integers; 32 bits
/// took too much". `None` where the answer holds for the width that was asked for, or
/// where there is none. `place`: what goes wrong, and where.
pub fn headline(widths: &WidthsReport, place: &str) -> Option<String> {
    let answered = widths.answered()?;
    let bits = answered.bits;
    let exceeded = exceeded(widths);
    Some(match (answered.verdict, widths.at_full) {
        (Verdict::Unsafe, Some(AtFullWidth::Fails)) => {
            format!(
                "It can fail: {place} (found with {bits}-bit integers, and it fails with {C_BITS} bits, too)"
            )
        }
        (Verdict::Unsafe, Some(AtFullWidth::DoesNotFail)) => {
            format!(
                "It can fail with {bits}-bit integers: {place}; with {C_BITS} bits that run does not fail"
            )
        }
        (Verdict::Unsafe, _) => {
            format!("It can fail with {bits}-bit integers: {place}; {exceeded}")
        }
        _ => format!("No run fails with {bits}-bit integers; {exceeded}"),
    })
}

/// What the answer holds for, and what is still open.
pub fn detail(widths: &WidthsReport) -> String {
    let Some(answered) = widths.answered() else {
        let narrower: Vec<String> = widths
            .tried
            .iter()
            .filter(|tried| tried.bits != C_BITS)
            .map(|tried| tried.bits.to_string())
            .collect();
        return format!("{} bits were tried as well, without an answer.", narrower.join(" and "));
    };
    let bits = answered.bits;
    let goes_on = match widths.goes_on {
        true => format!("; {C_BITS} bits are being tried again, with more of the budget"),
        false => String::new(),
    };
    match (answered.verdict, widths.at_full) {
        (Verdict::Unsafe, Some(AtFullWidth::Fails)) => format!(
            "The run that is shown has {C_BITS}-bit integers. Which statements can be on a failing \
             run was decided for {bits}-bit integers only."
        ),
        (Verdict::Unsafe, Some(AtFullWidth::DoesNotFail)) => format!(
            "Decided for {bits}-bit integers only: no run along the same statements fails with \
             {C_BITS} bits, but another one may{goes_on}."
        ),
        (Verdict::Unsafe, _) => format!(
            "Decided for {bits}-bit integers only: whether a run along the same statements fails \
             with {C_BITS} bits is not known{}{goes_on}.",
            widths.at_full_limit.map(|limit| format!(" ({})", short(limit))).unwrap_or_default()
        ),
        _ => format!("Decided for {bits}-bit integers only{}{goes_on}.", limits(widths)),
    }
}

/// " with 8-bit integers": what an analysis that used a narrower width than C's own says beside its
/// verdict; else empty.
pub fn narrow_words(options: &EffectiveOptions) -> String {
    match options.width() {
        Some(bits) if bits < C_BITS => format!(" with {bits}-bit integers"),
        _ => String::new(),
    }
}

/// What to try where an analysis that tries one width only hit a limit with C's own, which nobody
/// asked for. `None` where a narrower width is no remedy.
pub fn suggestion(options: &EffectiveOptions, limit: Option<Limit>) -> Option<String> {
    let is_costly =
        matches!(limit, Some(Limit::Nodes | Limit::Steps | Limit::Time | Limit::Rounds));
    (is_costly && options.width() == Some(C_BITS)).then(|| {
        format!(
            "Help: `int` has {C_BITS} bits here, because no width was given; `--bits 8` asks about \
             8-bit integers, which takes less."
        )
    })
}

/// "32 and 16 bits took too much".
fn exceeded(widths: &WidthsReport) -> String {
    let bits: Vec<String> = given_up(widths).map(|tried| tried.bits.to_string()).collect();
    format!("{} bits took too much", bits.join(" and "))
}

/// " (limits hit: nodes, steps)".
fn limits(widths: &WidthsReport) -> String {
    let mut limits: Vec<&str> =
        given_up(widths).filter_map(|tried| tried.limit).map(short).collect();
    limits.dedup();
    match limits.is_empty() {
        true => String::new(),
        false => format!(" (limits hit: {})", limits.join(", ")),
    }
}

fn given_up(widths: &WidthsReport) -> impl Iterator<Item = &TriedWidth> {
    widths.tried.iter().filter(|tried| tried.verdict == Verdict::Unknown)
}

/// A limit in a word.
fn short(limit: Limit) -> &'static str {
    limit.word()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(bits: u32, verdict: Verdict, limit: Option<Limit>) -> TriedWidth {
        TriedWidth { bits, verdict, limit }
    }

    fn widths(verdict: Verdict, at_full: Option<AtFullWidth>) -> WidthsReport {
        WidthsReport {
            tried: vec![
                tried(32, Verdict::Unknown, Some(Limit::Nodes)),
                tried(16, Verdict::Unknown, Some(Limit::Steps)),
                tried(8, verdict, None),
            ],
            at_full,
            at_full_limit: None,
            goes_on: false,
        }
    }

    #[test]
    fn the_headline_says_for_which_width_it_holds() {
        let of = |verdict, at_full| {
            headline(&widths(verdict, at_full), "assertion at line 3").unwrap_or_default()
        };
        assert_eq!(
            of(Verdict::Safe, None),
            "No run fails with 8-bit integers; 32 and 16 bits took too much"
        );
        assert_eq!(
            of(Verdict::Unsafe, Some(AtFullWidth::Fails)),
            "It can fail: assertion at line 3 (found with 8-bit integers, and it fails with 32 bits, too)"
        );
        assert_eq!(
            of(Verdict::Unsafe, Some(AtFullWidth::DoesNotFail)),
            "It can fail with 8-bit integers: assertion at line 3; with 32 bits that run does not fail"
        );
        assert_eq!(
            of(Verdict::Unsafe, Some(AtFullWidth::Unknown)),
            "It can fail with 8-bit integers: assertion at line 3; 32 and 16 bits took too much"
        );
        assert_eq!(of(Verdict::Unknown, None), "", "no width has an answer");
    }

    #[test]
    fn the_detail_says_what_is_open() {
        let safe = WidthsReport { goes_on: true, ..widths(Verdict::Safe, None) };
        assert_eq!(
            detail(&safe),
            "Decided for 8-bit integers only (limits hit: nodes, steps); 32 bits are being tried again, with more of the budget."
        );
        let unknown = WidthsReport {
            at_full_limit: Some(Limit::Steps),
            ..widths(Verdict::Unsafe, Some(AtFullWidth::Unknown))
        };
        assert_eq!(
            detail(&unknown),
            "Decided for 8-bit integers only: whether a run along the same statements fails with 32 bits is not known (steps)."
        );
        assert_eq!(
            detail(&widths(Verdict::Unknown, None)),
            "16 and 8 bits were tried as well, without an answer."
        );
    }
}
